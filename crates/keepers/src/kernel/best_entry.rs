//! The best entry of every roll, with one maximum for all rolls that the open boxes pay the same amounts.
//!
//! The best entry of a roll depends only on the amount that each open box pays for it, and many rolls agree in all of
//! these: with Three of a Kind and Chance open, all rolls of 17 points without three equal dice do. Boxes are added one
//! by one; rolls that shared a maximum and are paid the same by the next box share the next maximum. With all lower
//! boxes of Yahtzee open that takes 94 maxima, for 468 pairs of a roll and a box that pays for it. Upper boxes are
//! cheaper in two halves (`halves.rs`), except in compiled turns.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet, Entry};

/// The maxima that give every roll the value of its best entry into some open boxes, mostly the lower ones.
///
/// Row 0 is defined by [`Zeros`]. The entries have the rows after it, and the maxima those after the entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct MaxDag {
    /// The entries, in the order of their rows.
    pub entries: Vec<Entry>,
    /// The operands of each maximum: the indices of two earlier rows.
    pub maxima: Vec<[u16; 2]>,
    /// The index of the row of each roll, in the order of the lattice.
    pub rolls: Vec<u16>,
}

/// How zero scores are handled, and what row 0 holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Zeros {
    /// Zeros are entries like all others. Rolls have row 0 only if no box is open.
    Listed,
    /// Zeros are left out. Row 0 stands for rolls that no open box pays.
    Omitted,
    /// Zeros are left out. Row 0 holds the best zero, which is an operand for every roll.
    Shared,
}

impl MaxDag {
    /// Finds the maxima for a set of open boxes.
    pub fn new(game: &Game, open: BoxSet, zeros: Zeros) -> MaxDag {
        let scores = game.scores();
        let mut boxes: Vec<BoxId> = open.iter().collect();
        // The box that pays for the most rolls comes first: it has few amounts for many rolls, so these rolls share rows.
        boxes.sort_by_key(|&into| Reverse(scores[into].paying.len()));
        let counts = |points: u16| zeros == Zeros::Listed || points > 0;
        let entries_of = |&into: &BoxId| game.entries_into(into).filter(|entry| counts(entry.points));
        let mut dag = MaxDag {
            entries: boxes.iter().flat_map(entries_of).collect(),
            maxima: Vec::new(),
            rolls: vec![0; game.lattice().rolls().len()],
        };
        let mut first = 1;
        for into in boxes {
            let of_box = &scores[into];
            let left_out = of_box.amounts.iter().filter(|points| !counts(**points)).count() as u16;
            let mut shared: HashMap<[u16; 2], u16> = HashMap::new();
            for (best, &amount) in dag.rolls.iter_mut().zip(&of_box.of_roll) {
                let Some(nth) = amount.checked_sub(left_out) else { continue };
                let entry = first + nth;
                *best = match *best {
                    0 if zeros != Zeros::Shared => entry,
                    before => *shared.entry([before, entry]).or_insert_with(|| {
                        dag.maxima.push([before, entry]);
                        (dag.entries.len() + dag.maxima.len()) as u16
                    }),
                };
            }
            first += of_box.amounts.len() as u16 - left_out;
        }
        dag
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        1 + self.entries.len() + self.maxima.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::Rules;

    /// Returns the entries that the row with this index is the maximum of.
    fn entries_at(dag: &MaxDag, row: u16) -> Vec<Entry> {
        let Some(nth) = usize::from(row).checked_sub(1) else { return Vec::new() };
        match nth.checked_sub(dag.entries.len()) {
            None => vec![dag.entries[nth]],
            Some(nth) => dag.maxima[nth].iter().flat_map(|&row| entries_at(dag, row)).collect(),
        }
    }

    #[test]
    fn every_roll_has_just_the_entries_that_the_rules_give_it() {
        for name in ["yahtzee", "yatzy", "maxi-yatzy", "yacht"] {
            let game = Game::new(Rules::preset(name).unwrap());
            let all: BoxSet = game.rules().all_boxes().minus(game.rules().upper_boxes());
            let every_other = BoxSet::from_bits(all.bits() & 0x15_5555);
            let whole = game.rules().all_boxes();
            for (open, zeros) in [
                (all, Zeros::Omitted),
                (all, Zeros::Listed),
                (every_other, Zeros::Omitted),
                (BoxSet::NONE, Zeros::Listed),
                (whole, Zeros::Shared),
            ] {
                let dag = MaxDag::new(&game, open, zeros);
                assert!(dag.maxima.iter().enumerate().all(|(nth, operands)| {
                    operands.iter().all(|&row| usize::from(row) <= dag.entries.len() + nth)
                }));
                for (nth, &row) in dag.rolls.iter().enumerate() {
                    let mut found = entries_at(&dag, row);
                    found.sort_by_key(|entry| entry.into.index());
                    let of_box = |into: BoxId| {
                        let scores = &game.scores()[into];
                        Entry { into, points: scores.amounts[usize::from(scores.of_roll[nth])], extra: 0 }
                    };
                    let right: Vec<Entry> = open
                        .iter()
                        .map(of_box)
                        .filter(|entry| zeros == Zeros::Listed || entry.points > 0)
                        .collect();
                    assert_eq!(found, right, "{name}, roll {nth}");
                }
            }
        }
    }

    #[test]
    fn rolls_that_are_paid_alike_share_their_maxima() {
        let game = Game::new(Rules::preset("yahtzee").unwrap());
        let lower = game.rules().all_boxes().minus(game.rules().upper_boxes());
        let pairs: usize = lower.iter().map(|into| game.scores()[into].paying.len()).sum();
        assert_eq!((MaxDag::new(&game, lower, Zeros::Omitted).maxima.len(), pairs), (94, 468));
    }
}
