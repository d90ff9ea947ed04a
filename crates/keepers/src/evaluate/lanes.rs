//! The forward pass of a strategy that looks at the points so far: a lane for each number of them,
//! each with choices of its own.
//!
//! A turn is folded back once more, keeping the values of all keeps, and then the probability is
//! pushed through it the other way: from the first rolls to the keeps that attain the maximum of
//! eq. (6), from those by eq. (4) reversed to the next rolls, and from the last rolls to the entries.
//! Of choices with exactly the same value the one with a die less is taken, without the highest die first; of
//! entries the one higher up on the card.

use multiversion::multiversion;

use crate::dice::MAX_FACES;
use crate::game::Game;
use crate::rules::{Entry, Filled};
use crate::solve::utility::W;
use crate::turn::{Row, Row64, Rows};

type Rows64 = Rows<f64, W>;

const ZERO: Row64 = Row([0.0; W]);

/// The space in which turns are folded and followed; one for each thread.
pub(super) struct Track {
    /// The values of the final rolls.
    ends: Rows64,
    /// For each roll before the last, from the last but one backwards: the value of each keep, and
    /// of the best keep within it.
    stages: Vec<(Rows64, Rows64)>,
    mass: Rows64,
    /// Every entry that can be made from the present state, and its value.
    entries: Vec<Entry>,
    values: Vec<Row64>,
    /// For each roll, the places of its entries among the entries.
    of_roll: Vec<Vec<u16>>,
    /// For each entry, the probability that it is made.
    made: Vec<Row64>,
}

impl Track {
    pub fn new(game: &Game) -> Track {
        let stages = (1..game.rules().rolls()).map(|_| (Rows::new(), Rows::new())).collect();
        Track {
            ends: Rows::new(),
            stages,
            mass: Rows::new(),
            entries: Vec::new(),
            values: Vec::new(),
            of_roll: Vec::new(),
            made: Vec::new(),
        }
    }

    /// Makes ready for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        let first = game.lattice().rolls().start;
        self.entries.clear();
        self.of_roll = vec![Vec::new(); game.lattice().rolls().len()];
        for into in game.rules().all_boxes().minus(filled.boxes).iter() {
            let scores = &game.scores()[into];
            let base = self.entries.len() as u16;
            self.entries.extend(scores.amounts.iter().map(|&points| Entry { into, points, extra: 0 }));
            for (places, &amount) in self.of_roll.iter_mut().zip(&scores.of_roll) {
                places.push(base + amount);
            }
        }
        // Further Yahtzees follow rules of their own.
        let (entries, of_roll) = (&mut self.entries, &mut self.of_roll);
        let mut seen = None;
        game.special_entries(filled, |roll, entry| {
            let places = &mut of_roll[roll as usize - first];
            if seen != Some(roll) {
                places.clear();
                seen = Some(roll);
            }
            places.push(entries.len() as u16);
            entries.push(entry);
        });
        self.values.resize(self.entries.len(), ZERO);
        self.made.resize(self.entries.len(), ZERO);
    }

    /// Folds the turn back and pushes the mass of a block of lanes through it. `worth` says what an
    /// entry leads to, `ended` is told of each roll, entry and mass, and `made` of each entry's mass.
    pub fn follow(
        &mut self,
        game: &Game,
        mass: &Row64,
        worth: impl Fn(Entry) -> Row64,
        mut ended: impl FnMut(usize, Entry, f64),
        mut made: impl FnMut(Entry, &Row64),
    ) {
        for (value, &entry) in self.values.iter_mut().zip(&self.entries) {
            *value = worth(entry);
        }
        follow(game, self, mass);
        // Now `mass` has the final rolls.
        self.made.fill(ZERO);
        for (roll, places) in game.lattice().rolls().zip(&self.of_roll) {
            let end = *self.ends.get(roll as u16);
            let mut left = *self.mass.get(roll as u16);
            for &place in places {
                if is_zero(&left) {
                    break;
                }
                let taken = where_equal(&self.values[place as usize], &end, &left);
                left = minus(&left, &taken);
                let sum: f64 = taken.0.iter().sum();
                if sum > 0.0 {
                    self.made[place as usize] = self.made[place as usize].plus(&taken);
                    ended(roll - game.lattice().rolls().start, self.entries[place as usize], sum);
                }
            }
        }
        for (&entry, mass) in self.entries.iter().zip(&self.made) {
            if !is_zero(mass) {
                made(entry, mass);
            }
        }
    }
}

#[multiversion(targets(
    "x86_64+avx+avx2+bmi1+bmi2+popcnt+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx+avx2+bmi1+bmi2+popcnt",
))]
fn follow(game: &Game, track: &mut Track, mass: &Row64) {
    let lattice = game.lattice();
    let rolls = lattice.rolls();
    let Track { ends, stages, mass: masses, values, of_roll, .. } = track;

    for (roll, places) in rolls.clone().zip(of_roll.iter()) {
        let worst = Row::of(f64::NEG_INFINITY);
        *ends.get_mut(roll as u16) =
            places.iter().fold(worst, |best, &place| best.or(&values[place as usize]));
    }
    let mut rolled: &Rows64 = ends;
    for (keeps, bests) in stages.iter_mut() {
        for roll in rolls.clone() {
            *keeps.get_mut(roll as u16) = *rolled.get(roll as u16);
        }
        game.turn().chance(keeps);
        bests.copy_from(keeps);
        game.turn().choice(bests);
        rolled = bests;
    }

    for k in 0..rolls.start {
        *masses.get_mut(k as u16) = ZERO;
    }
    for roll in rolls.clone() {
        let share = f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
        *masses.get_mut(roll as u16) = mass.times(share);
    }
    for (keeps, bests) in stages.iter().rev() {
        choose(game, keeps, bests, masses);
        spread(game, masses);
    }
}

/// Eq. (6) followed: what lies on a keep goes to one with a die less if that is as good, and stays
/// otherwise.
#[inline(always)]
fn choose(game: &Game, keeps: &Rows64, bests: &Rows64, masses: &mut Rows64) {
    let lattice = game.lattice();
    for k in (1..lattice.keeps().len()).rev() {
        let mut left = *masses.get(k as u16);
        if is_zero(&left) {
            continue;
        }
        let best = bests.get(k as u16);
        for &smaller in &game.less()[k] {
            let taken = where_equal(bests.get(smaller), best, &left);
            left = minus(&left, &taken);
            let there = masses.get_mut(smaller);
            *there = there.plus(&taken);
        }
        debug_assert!((0..W).all(|lane| left.0[lane] == 0.0 || keeps.get(k as u16).0[lane] == best.0[lane]));
        *masses.get_mut(k as u16) = left;
    }
}

/// Eq. (4) followed: what lies on a keep spreads over the next die.
#[inline(always)]
fn spread(game: &Game, masses: &mut Rows64) {
    let faces = game.lattice().faces() as usize;
    debug_assert!(faces <= MAX_FACES);
    for (k, next) in game.lattice().more().iter().enumerate() {
        let here = *masses.get(k as u16);
        if is_zero(&here) {
            continue;
        }
        *masses.get_mut(k as u16) = ZERO;
        let share = here.over(faces as f64);
        for &larger in &next[..faces] {
            let there = masses.get_mut(larger);
            *there = there.plus(&share);
        }
    }
}

#[inline(always)]
fn is_zero(row: &Row64) -> bool {
    row.0.iter().all(|lane| *lane == 0.0)
}

/// The mass of the lanes in which two values are the same.
#[inline(always)]
fn where_equal(a: &Row64, b: &Row64, mass: &Row64) -> Row64 {
    let mut row = ZERO;
    for lane in 0..W {
        row.0[lane] = if a.0[lane] == b.0[lane] { mass.0[lane] } else { 0.0 };
    }
    row
}

#[inline(always)]
fn minus(a: &Row64, b: &Row64) -> Row64 {
    let mut row = *a;
    for lane in 0..W {
        row.0[lane] -= b.0[lane];
    }
    row
}
