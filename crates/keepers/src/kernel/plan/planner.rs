//! Plans for a block of lanes at once: the fold of a turn that remembers what attains each maximum.

use super::TieTolerance;
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::turn::{Row, Rows, vectorised};

/// How many keeps, and how many entries, a key can tell apart: the room of [`Rows`].
const PLACES: i64 = 1024;

/// The space in which turns are planned for `W` lanes at once; one for each thread, used again and
/// again.
///
/// A value and the place of its keep in the order among equals make one number, a key. The largest
/// key of eq. (6) then names the keep to pick, by the tie rule at the top of `plan/mod.rs`.
pub struct Planner<const W: usize> {
    /// Every entry that can be made, what it is worth, and its key.
    entries: Vec<Entry>,
    worths: Vec<Row<f64, W>>,
    entry_keys: Vec<Row<i64, W>>,
    /// For each roll, in the order of the lattice, where its entries start among the places.
    of_roll: Vec<u32>,
    places: Vec<u16>,
    /// For each final roll the place of its best entry.
    ends: Vec<[u16; W]>,
    /// By rolls to come, from one on: what each keep is worth, and what is picked for each roll.
    stages: Vec<Stage<W>>,
    keys: Rows<i64, W>,
    /// The keeps in the order among equals.
    by_order: Vec<u16>,
}

struct Stage<const W: usize> {
    keeps: Rows<f64, W>,
    picks: Vec<[u16; W]>,
}

impl<const W: usize> Planner<W> {
    /// Plans for the turns of a game, looking ahead `rolls` rolls.
    pub fn new(game: &Game, rolls: u8) -> Planner<W> {
        let all = game.lattice().rolls().len();
        let mut by_order = vec![0; game.lattice().keeps().len()];
        for (keep, &order) in game.tie_order().iter().enumerate() {
            by_order[order as usize] = keep as u16;
        }
        let stage = || Stage { keeps: Rows::new(), picks: vec![[0; W]; all] };
        Planner {
            entries: Vec::new(),
            worths: Vec::new(),
            entry_keys: Vec::new(),
            of_roll: Vec::new(),
            places: Vec::new(),
            ends: vec![[0; W]; all],
            stages: (0..rolls).map(|_| stage()).collect(),
            keys: Rows::filled(0),
            by_order,
        }
    }

    /// Makes ready for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        let lattice = game.lattice();
        self.entries.clear();
        let mut of_box: Vec<(u16, &[u16])> = Vec::new();
        for into in game.rules().all_boxes().minus(filled.boxes).iter() {
            let scores = &game.scores()[into];
            of_box.push((self.entries.len() as u16, &scores.of_roll));
            self.entries.extend(game.entries_into(into));
        }
        // Further Yahtzees follow rules of their own.
        let mut special: Vec<(u16, u16)> = Vec::new();
        game.extra_yahtzee_entries(filled, |roll, entry| {
            special.push((roll, self.entries.len() as u16));
            self.entries.push(entry);
        });
        let mut special = special.into_iter().peekable();
        self.of_roll.clear();
        self.places.clear();
        for (nth, roll) in lattice.rolls().enumerate() {
            self.of_roll.push(self.places.len() as u32);
            if special.peek().is_some_and(|(other, _)| usize::from(*other) == roll) {
                let of_this = |(other, _): &(u16, u16)| usize::from(*other) == roll;
                while let Some((_, place)) = special.next_if(of_this) {
                    self.places.push(place);
                }
            } else {
                self.places.extend(of_box.iter().map(|(base, amounts)| base + amounts[nth]));
            }
        }
        self.of_roll.push(self.places.len() as u32);
        self.worths.resize(self.entries.len(), Row([0.0; W]));
        self.entry_keys.resize(self.entries.len(), Row([0; W]));
    }

    /// Plans the turn. `worth` says what the game is worth after an entry.
    pub fn plan(&mut self, game: &Game, tolerance: TieTolerance, worth: impl Fn(Entry) -> Row<f64, W>) {
        for (value, &entry) in self.worths.iter_mut().zip(&self.entries) {
            *value = worth(entry);
        }
        plan(game, self, tolerance);
    }

    /// Every entry that can be made.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// For each final roll, in the order of the lattice, the place of its best entry in each lane.
    pub fn ends(&self) -> &[[u16; W]] {
        &self.ends
    }

    /// For each roll with so many rolls left, in the order of the lattice, the keep that is picked in each
    /// lane.
    pub fn picks(&self, rolls_left: u8) -> &[[u16; W]] {
        &self.stages[usize::from(rolls_left) - 1].picks
    }

    /// What each keep is worth with so many rolls to come.
    pub fn keeps(&self, rolls: u8) -> &Rows<f64, W> {
        &self.stages[usize::from(rolls) - 1].keeps
    }

    /// What an entry is worth, by its place.
    pub fn worth(&self, place: u16) -> &Row<f64, W> {
        &self.worths[place as usize]
    }
}

vectorised! {
    fn plan<const W: usize>(game: &Game, planner: &mut Planner<W>, tolerance: TieTolerance) {
        let Planner { worths, entry_keys, of_roll, places, ends, stages, keys, by_order, .. } = planner;
        let rolls = game.lattice().rolls();
        for (order, (key, worth)) in (0..).zip(entry_keys.iter_mut().zip(worths.iter())) {
            *key = keyed(worth, tolerance, order);
        }
        for (end, of_roll) in ends.iter_mut().zip(of_roll.windows(2)) {
            let places = &places[of_roll[0] as usize..of_roll[1] as usize];
            let best =
                places.iter().fold(Row([i64::MIN; W]), |best, &place| best.max(&entry_keys[place as usize]));
            *end = best.0.map(|key| order_of(key) as u16);
        }
        let mut earlier: Option<&Stage<W>> = None;
        for stage in stages.iter_mut() {
            let Stage { keeps, picks } = stage;
            for (nth, roll) in rolls.clone().enumerate() {
                let mut row = Row([0.0; W]);
                for lane in 0..W {
                    row.0[lane] = match earlier {
                        None => worths[ends[nth][lane] as usize].0[lane],
                        Some(earlier) => earlier.keeps.get(earlier.picks[nth][lane]).0[lane],
                    };
                }
                *keeps.get_mut(roll as u16) = row;
            }
            game.turn().chance(keeps);
            for (keep, &order) in (0..).zip(game.tie_order()) {
                *keys.get_mut(keep) = keyed(keeps.get(keep), tolerance, order);
            }
            game.turn().choice(keys);
            for (nth, roll) in rolls.clone().enumerate() {
                picks[nth] = keys.get(roll as u16).0.map(|key| by_order[order_of(key)]);
            }
            earlier = Some(stage);
        }
    }
}

/// The rank of each value with the place in the order among equals below it, the first place largest.
#[inline(always)]
fn keyed<const W: usize>(values: &Row<f64, W>, tolerance: TieTolerance, order: u16) -> Row<i64, W> {
    let mut keys = Row([0; W]);
    for lane in 0..W {
        keys.0[lane] = tolerance.rank(values.0[lane]) * PLACES + (PLACES - 1 - i64::from(order));
    }
    keys
}

#[inline(always)]
fn order_of(key: i64) -> usize {
    (PLACES - 1 - (key & (PLACES - 1))) as usize
}
