//! Plans turns for a block of lanes at once: a fold that records which keep or entry attains each maximum.

use super::TieTolerance;
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::turn::{Row, Rows, vectorised};

/// The number of keeps, or of entries, that a key can distinguish. [`Rows`] has an index for as many keeps.
const ORDERS: i64 = 1024;

/// The buffers in which one thread plans turns, for `W` lanes at once.
///
/// A key is one integer made of the rank of a value and, in its low bits, the position of its keep in the tie order.
/// The largest key of eq. (6) identifies the keep to pick, by the tie rule described in `plan/mod.rs`.
pub struct Planner<const W: usize> {
    /// Every entry that can be made, with its value and its key.
    entries: Vec<Entry>,
    values: Vec<Row<f64, W>>,
    entry_keys: Vec<Row<i64, W>>,
    /// The indices of the entries of each roll, one roll after the other in the order of the lattice: those of the nth
    /// roll start at `roll_starts[n]`.
    roll_starts: Vec<u32>,
    roll_entries: Vec<u16>,
    /// The index of the best entry of each final roll.
    ends: Vec<[u16; W]>,
    /// `stages[n - 1]` has the value of each keep with n rolls to come, and the best keep of each roll with n rolls
    /// left.
    stages: Vec<Stage<W>>,
    keys: Rows<i64, W>,
    /// The keeps in tie order.
    tie_ordered: Vec<u16>,
}

struct Stage<const W: usize> {
    keeps: Rows<f64, W>,
    picks: Vec<[u16; W]>,
}

impl<const W: usize> Planner<W> {
    /// Creates buffers for the turns of a game, for plans that look ahead `rolls` rolls.
    pub fn new(game: &Game, rolls: u8) -> Planner<W> {
        let all = game.lattice().rolls().len();
        let mut tie_ordered = vec![0; game.lattice().keeps().len()];
        for (keep, &order) in game.tie_order().iter().enumerate() {
            tie_ordered[order as usize] = keep as u16;
        }
        let stage = || Stage { keeps: Rows::new(), picks: vec![[0; W]; all] };
        Planner {
            entries: Vec::new(),
            values: Vec::new(),
            entry_keys: Vec::new(),
            roll_starts: Vec::new(),
            roll_entries: Vec::new(),
            ends: vec![[0; W]; all],
            stages: (0..rolls).map(|_| stage()).collect(),
            keys: Rows::filled(0),
            tie_ordered,
        }
    }

    /// Prepares for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        let lattice = game.lattice();
        self.entries.clear();
        let mut of_box: Vec<(u16, &[u16])> = Vec::new();
        for into in game.rules().all_boxes().minus(filled.boxes).iter() {
            let scores = &game.scores()[into];
            of_box.push((self.entries.len() as u16, &scores.of_roll));
            self.entries.extend(game.entries_into(into));
        }
        // Extra Yahtzees have entries of their own.
        let mut extra_yahtzees: Vec<(u16, u16)> = Vec::new();
        game.extra_yahtzee_entries(filled, |roll, entry| {
            extra_yahtzees.push((roll, self.entries.len() as u16));
            self.entries.push(entry);
        });
        let mut extra_yahtzees = extra_yahtzees.into_iter().peekable();
        self.roll_starts.clear();
        self.roll_entries.clear();
        for (nth, roll) in lattice.rolls().enumerate() {
            self.roll_starts.push(self.roll_entries.len() as u32);
            if extra_yahtzees.peek().is_some_and(|(other, _)| usize::from(*other) == roll) {
                let of_this = |(other, _): &(u16, u16)| usize::from(*other) == roll;
                while let Some((_, index)) = extra_yahtzees.next_if(of_this) {
                    self.roll_entries.push(index);
                }
            } else {
                self.roll_entries.extend(of_box.iter().map(|(base, amounts)| base + amounts[nth]));
            }
        }
        self.roll_starts.push(self.roll_entries.len() as u32);
        self.values.resize(self.entries.len(), Row([0.0; W]));
        self.entry_keys.resize(self.entries.len(), Row([0; W]));
    }

    /// Plans the turn. `value` returns the value of an entry, including its points.
    pub fn plan(&mut self, game: &Game, tolerance: TieTolerance, value: impl Fn(Entry) -> Row<f64, W>) {
        for (row, &entry) in self.values.iter_mut().zip(&self.entries) {
            *row = value(entry);
        }
        plan(game, self, tolerance);
    }

    /// Plans the turn, with the values of all entries in the order of [`Game::each_entry`]: one list per lane. If there
    /// are fewer lists than lanes, the last one is repeated.
    ///
    /// # Panics
    /// If there is no list, or if a list has fewer values than there are entries.
    pub fn plan_lanes(&mut self, game: &Game, tolerance: TieTolerance, lanes: &[&[f64]]) {
        let last = lanes.len() - 1;
        for lane in 0..W {
            let values = &lanes[lane.min(last)][..self.entries.len()];
            self.values.iter_mut().zip(values).for_each(|(row, value)| row.0[lane] = *value);
        }
        plan(game, self, tolerance);
    }

    /// Returns every entry that can be made.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the index of the best entry in each lane for each final roll, in the order of the lattice.
    pub fn ends(&self) -> &[[u16; W]] {
        &self.ends
    }

    /// Returns the best keep in each lane for each roll with `rolls_left` rolls left, in the order of the lattice.
    pub fn picks(&self, rolls_left: u8) -> &[[u16; W]] {
        &self.stages[usize::from(rolls_left) - 1].picks
    }

    /// Returns the value of each keep with `rolls` rolls to come.
    pub fn keeps(&self, rolls: u8) -> &Rows<f64, W> {
        &self.stages[usize::from(rolls) - 1].keeps
    }

    /// Returns the value of an entry, by its index among the entries.
    pub fn value(&self, index: u16) -> &Row<f64, W> {
        &self.values[index as usize]
    }
}

vectorised! {
    fn plan<const W: usize>(game: &Game, planner: &mut Planner<W>, tolerance: TieTolerance) {
        let Planner { values, entry_keys, roll_starts, roll_entries, ends, stages, keys, tie_ordered, .. } = planner;
        let rolls = game.lattice().rolls();
        for (order, (key, value)) in (0..).zip(entry_keys.iter_mut().zip(values.iter())) {
            *key = keyed(value, tolerance, order);
        }
        for (end, range) in ends.iter_mut().zip(roll_starts.windows(2)) {
            let entries = &roll_entries[range[0] as usize..range[1] as usize];
            let best =
                entries.iter().fold(Row([i64::MIN; W]), |best, &index| best.max(&entry_keys[index as usize]));
            // A loop, because the closure of `map` would not be inlined into code for other instruction sets.
            for (end, key) in end.iter_mut().zip(&best.0) {
                *end = order_of(*key) as u16;
            }
        }
        // In won and lost games all choices are equal. The first keep of the tie order is the empty one, which is within
        // every roll.
        if let Some((first, others)) = values.split_first()
            && others.iter().all(|value| value == first)
        {
            for Stage { keeps, picks } in stages.iter_mut() {
                (0..game.lattice().keeps().len() as u16).for_each(|keep| *keeps.get_mut(keep) = *first);
                picks.fill([tie_ordered[0]; W]);
            }
            return;
        }
        let mut earlier: Option<&Stage<W>> = None;
        for stage in stages.iter_mut() {
            let Stage { keeps, picks } = stage;
            for (nth, roll) in rolls.clone().enumerate() {
                let mut row = Row([0.0; W]);
                for lane in 0..W {
                    row.0[lane] = match earlier {
                        None => values[ends[nth][lane] as usize].0[lane],
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
                for (pick, key) in picks[nth].iter_mut().zip(&keys.get(roll as u16).0) {
                    *pick = tie_ordered[order_of(*key)];
                }
            }
            earlier = Some(stage);
        }
    }
}

/// Returns the keys of a row of values. `order` is the position in the tie order; earlier positions give larger keys.
#[inline(always)]
fn keyed<const W: usize>(values: &Row<f64, W>, tolerance: TieTolerance, order: u16) -> Row<i64, W> {
    let mut keys = Row([0; W]);
    for lane in 0..W {
        keys.0[lane] = tolerance.rank(values.0[lane]) * ORDERS + (ORDERS - 1 - i64::from(order));
    }
    keys
}

#[inline(always)]
fn order_of(key: i64) -> usize {
    (ORDERS - 1 - (key & (ORDERS - 1))) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_planned_as_in_a_block_of_different_ones() {
        for rules in ["yahtzee", "maxi-yatzy"] {
            let game = Game::preset(rules).unwrap();
            let filled = Filled::default();
            let planned = |second: fn(Entry) -> f64| {
                let mut planner: Planner<2> = Planner::new(&game, 2);
                planner.start(&game, filled);
                planner.plan(&game, TieTolerance::Points, |entry| Row([1.0, second(entry)]));
                planner
            };
            // In the second planner, the values of the other lane differ, so that nothing is left out.
            let (short, long) = (planned(|_| 1.0), planned(|entry| f64::from(entry.points)));
            let first = |of: &[[u16; 2]]| of.iter().map(|lanes| lanes[0]).collect::<Vec<_>>();
            assert_eq!(first(short.ends()), first(long.ends()));
            for rolls in 1..=2 {
                assert_eq!(first(short.picks(rolls)), first(long.picks(rolls)));
                for keep in 0..game.lattice().keeps().len() as u16 {
                    assert_eq!(short.keeps(rolls).get(keep).0[0], long.keeps(rolls).get(keep).0[0]);
                }
            }
        }
    }
}
