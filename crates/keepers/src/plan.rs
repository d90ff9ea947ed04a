//! How a turn is played: which keep is picked for each roll, and where each final roll goes.
//!
//! What counts as equal depends on what values mean ([`Equal`]). Of equal keeps the one with fewer dice is
//! picked, then the one with the lower dice; of equal boxes the one higher up on the card. Equal
//! choices have equal means but not equal deviations: this rule gives Verhoeff's published 59.6117,
//! the one with more dice 59.6114.

use std::cmp::Reverse;

use crate::dice::{Keep, Lattice};
use crate::game::Game;
use crate::random::Chance;
use crate::rules::{BoxSet, Entry, Filled};
use crate::strategy::Plan;
use crate::turn::{Row, Rows};

/// When two values count as equal. Rounding errors must not decide, and neither must a tolerance that
/// is larger than what is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equal {
    /// For points: what rounds to the same multiple of 1e-9.
    Points,
    /// For probabilities and worths of any size: what agrees in the first 40 binary digits.
    Digits,
}

impl Equal {
    /// A number that is the same for equal values, and larger for larger ones.
    pub(crate) fn rank(self, value: f64) -> i64 {
        match self {
            Equal::Points => (value * 1e9).round() as i64,
            Equal::Digits => {
                // The bits of a float are in the order of its values, but for the sign.
                let bits = (value + 0.0).to_bits() as i64;
                let ordered = if bits < 0 { bits ^ i64::MAX } else { bits };
                ordered.saturating_add(1 << 12) >> 13
            }
        }
    }
}

/// Everything that decides a turn, worked out from what each entry would be worth.
pub struct TurnPlan {
    /// For each final roll, in the order of the lattice: its best entry, and what that is worth.
    ends: Vec<(Entry, f64)>,
    /// For each roll before that, from the last but one backwards, the keep that is picked.
    picks: Vec<Vec<u16>>,
    /// What each keep is worth with as many rolls to come as the plan looks ahead.
    keeps: Vec<f64>,
    /// The index of the first roll in the lattice.
    first: usize,
}

impl TurnPlan {
    /// Plans a turn that starts with these boxes filled, looking ahead `rolls` rolls. `worth` says
    /// what the game is worth after an entry.
    pub fn new(
        game: &Game,
        filled: Filled,
        rolls: u8,
        equal: Equal,
        worth: impl Fn(Entry) -> f64,
    ) -> TurnPlan {
        let ends = best_entries(game, filled, equal, worth);
        let mut rows: Rows<f64, 1> = Rows::new();
        for (roll, (_, value)) in game.lattice().rolls().zip(&ends) {
            *rows.get_mut(roll as u16) = Row([*value]);
        }
        let mut picks: Vec<Vec<u16>> = Vec::new();
        game.turn().chance(&mut rows);
        for _ in 1..rolls {
            picks.push(best_keeps(game.lattice(), game.tie_order(), |k| equal.rank(rows.get(k).0[0])));
            game.turn().follow(&mut rows, picks.last().expect("just pushed"));
            game.turn().chance(&mut rows);
        }
        let keeps = (0..game.lattice().keeps().len() as u16).map(|k| rows.get(k).0[0]).collect();
        TurnPlan { ends, picks, keeps, first: game.lattice().rolls().start }
    }

    /// For each final roll, in the order of the lattice: its best entry, and what that is worth.
    pub fn ends(&self) -> &[(Entry, f64)] {
        &self.ends
    }

    /// The keeps that are picked on the way, for the rolls nearest to the end first.
    pub fn picks(&self) -> &[Vec<u16>] {
        &self.picks
    }

    /// What a keep is worth, by its index in the lattice.
    pub fn keep(&self, keep: usize) -> f64 {
        self.keeps[keep]
    }

    /// The probability of each final roll, in the order of the lattice, when the plan is followed
    /// from the first roll on.
    pub fn final_rolls(&self, game: &Game) -> Vec<f64> {
        let lattice = game.lattice();
        let rolls = lattice.rolls();
        let all = f64::from(lattice.faces()).powi(i32::from(lattice.dice()));
        let mut mass: Vec<f64> = vec![0.0; lattice.keeps().len()];
        for roll in rolls.clone() {
            mass[roll] = f64::from(lattice.keeps()[roll].orders()) / all;
        }
        for picks in self.picks.iter().rev() {
            // What is picked stays on the table; a keep of all dice is its own roll.
            for (roll, &pick) in rolls.clone().zip(picks) {
                let share = std::mem::take(&mut mass[roll]);
                mass[pick as usize] += share;
            }
            // Eq. (4) the other way round: each keep spreads over the next die.
            for (k, next) in lattice.more().iter().enumerate() {
                let share = std::mem::take(&mut mass[k]) / f64::from(lattice.faces());
                if share > 0.0 {
                    for &larger in &next[..lattice.faces() as usize] {
                        mass[larger as usize] += share;
                    }
                }
            }
        }
        mass.split_off(rolls.start)
    }
}

impl Plan for TurnPlan {
    fn keep(&mut self, roll: u16, rolls_left: u8, _: &mut Chance) -> u16 {
        self.picks[usize::from(rolls_left) - 1][usize::from(roll) - self.first]
    }

    fn enter(&mut self, roll: u16, _: &mut Chance) -> Entry {
        self.ends[usize::from(roll) - self.first].0
    }
}

/// The best entry for each final roll.
fn best_entries(
    game: &Game,
    filled: Filled,
    equal: Equal,
    worth: impl Fn(Entry) -> f64,
) -> Vec<(Entry, f64)> {
    let first = game.lattice().rolls().start;
    let open: BoxSet = game.rules().all_boxes().minus(filled.boxes);
    let mut ends: Vec<Option<(Entry, f64)>> = vec![None; game.lattice().rolls().len()];
    let raise = |end: &mut Option<(Entry, f64)>, entry: Entry, value: f64| {
        if end.is_none_or(|(_, best)| equal.rank(value) > equal.rank(best)) {
            *end = Some((entry, value));
        }
    };
    for into in open.iter() {
        let scores = &game.scores()[into];
        let entry = |&points: &u16| Entry { into, points, extra: 0 };
        let values: Vec<(Entry, f64)> =
            scores.amounts.iter().map(entry).map(|entry| (entry, worth(entry))).collect();
        for (end, &amount) in ends.iter_mut().zip(&scores.of_roll) {
            let (entry, value) = values[amount as usize];
            raise(end, entry, value);
        }
    }
    // Further Yahtzees follow rules of their own.
    let mut special = Vec::new();
    game.special_entries(filled, |roll, entry| special.push((roll as usize - first, entry)));
    for &(roll, _) in &special {
        ends[roll] = None;
    }
    for &(roll, entry) in &special {
        raise(&mut ends[roll], entry, worth(entry));
    }
    ends.into_iter().map(|end| end.expect("every roll can be entered somewhere")).collect()
}

/// Eq. (5) with the keep that attains the maximum, for each roll.
fn best_keeps(lattice: &Lattice, order: &[u16], rank: impl Fn(u16) -> i64) -> Vec<u16> {
    let rank: Vec<(Reverse<i64>, u16)> =
        order.iter().enumerate().map(|(k, &order)| (Reverse(rank(k as u16)), order)).collect();
    // best[K] is the best keep within K: K itself, or the best within K less a die.
    let mut best: Vec<u16> = (0..lattice.keeps().len() as u16).collect();
    for (k, next) in lattice.more().iter().enumerate() {
        for &larger in &next[..lattice.faces() as usize] {
            if rank[best[k] as usize] < rank[best[larger as usize] as usize] {
                best[larger as usize] = best[k];
            }
        }
    }
    best.split_off(lattice.rolls().start)
}

/// The order among equal keeps: fewer dice first, then lower dice.
pub(crate) fn tie_rank(keep: &Keep) -> (usize, Reverse<Keep>) {
    (keep.len(), Reverse(*keep))
}

/// The place of each keep in the order among equal ones.
pub(crate) fn tie_order(lattice: &Lattice) -> Vec<u16> {
    let mut sorted: Vec<usize> = (0..lattice.keeps().len()).collect();
    sorted.sort_by_key(|&k| tie_rank(&lattice.keeps()[k]));
    let mut order = vec![0; sorted.len()];
    for (place, k) in sorted.into_iter().enumerate() {
        order[k] = place as u16;
    }
    order
}
