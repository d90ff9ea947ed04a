//! Boxes, once for all rolls that they pay alike.
//!
//! The best entry for a roll depends only on what each open box pays for it, and many rolls
//! are alike in that: with Three of a Kind and Chance open, all rolls of 17 points without three equal
//! dice. Box after box, rolls that were alike so far and are paid alike share one maximum: with all
//! lower boxes of Yahtzee open that makes 94 of them, where there are 468 pairs of a roll and a box that
//! pays for it. Upper boxes are better taken in halves (`halves.rs`), except in turns that are written out.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet, Entry};

/// How to find the best entry of every roll into some open boxes, mostly the lower ones.
///
/// Rows have places: 0 for what [`Zeros`] says, then the entries, then the maxima in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct MaxDag {
    /// The entries that are considered.
    pub entries: Vec<Entry>,
    /// Two places, the better of which is the next row.
    pub better: Vec<[u16; 2]>,
    /// For each roll, in the order of the lattice, the place of its best entry.
    pub rolls: Vec<u16>,
}

/// What becomes of a box that a roll does not pay into, and of place 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Zeros {
    /// A zero is an entry like others.
    Listed,
    /// It is left out; rolls that no box pays for have place 0.
    Omitted,
    /// It is left out, and place 0 is the worth of the best zero, which every roll may have.
    Shared,
}

impl MaxDag {
    /// For these open boxes.
    pub fn new(game: &Game, open: BoxSet, nothing: Zeros) -> MaxDag {
        let scores = game.scores();
        let mut boxes: Vec<BoxId> = open.iter().collect();
        // The box that most rolls pay into comes first: few amounts for many rolls.
        boxes.sort_by_key(|&into| Reverse(scores[into].paying.len()));
        let counts = |points: u16| nothing == Zeros::Listed || points > 0;
        let entries_of = |&into: &BoxId| game.entries_into(into).filter(|entry| counts(entry.points));
        let mut lower = MaxDag {
            entries: boxes.iter().flat_map(entries_of).collect(),
            better: Vec::new(),
            rolls: vec![0; game.lattice().rolls().len()],
        };
        let mut first = 1;
        for into in boxes {
            let of_box = &scores[into];
            let left_out = of_box.amounts.iter().filter(|points| !counts(**points)).count() as u16;
            let mut shared: HashMap<[u16; 2], u16> = HashMap::new();
            for (best, &amount) in lower.rolls.iter_mut().zip(&of_box.of_roll) {
                let Some(nth) = amount.checked_sub(left_out) else { continue };
                let entry = first + nth;
                *best = match *best {
                    0 if nothing != Zeros::Shared => entry,
                    before => *shared.entry([before, entry]).or_insert_with(|| {
                        lower.better.push([before, entry]);
                        (lower.entries.len() + lower.better.len()) as u16
                    }),
                };
            }
            first += of_box.amounts.len() as u16 - left_out;
        }
        lower
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        1 + self.entries.len() + self.better.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::Rules;

    /// The entries that a place stands for.
    fn entries_at(lower: &MaxDag, place: u16) -> Vec<Entry> {
        let Some(nth) = usize::from(place).checked_sub(1) else { return Vec::new() };
        match nth.checked_sub(lower.entries.len()) {
            None => vec![lower.entries[nth]],
            Some(nth) => lower.better[nth].iter().flat_map(|&place| entries_at(lower, place)).collect(),
        }
    }

    #[test]
    fn every_roll_has_just_the_entries_that_the_rules_give_it() {
        for name in ["yahtzee", "yatzy", "maxi-yatzy", "yacht"] {
            let game = Game::new(Rules::preset(name).unwrap());
            let all: BoxSet = game.rules().all_boxes().minus(game.rules().upper_boxes());
            let every_other = BoxSet::from_bits(all.bits() & 0x15_5555);
            let whole = game.rules().all_boxes();
            for (open, nothing) in [
                (all, Zeros::Omitted),
                (all, Zeros::Listed),
                (every_other, Zeros::Omitted),
                (BoxSet::NONE, Zeros::Listed),
                (whole, Zeros::Shared),
            ] {
                let lower = MaxDag::new(&game, open, nothing);
                assert!(lower.better.iter().enumerate().all(|(nth, places)| {
                    places.iter().all(|&place| usize::from(place) <= lower.entries.len() + nth)
                }));
                for (nth, &place) in lower.rolls.iter().enumerate() {
                    let mut found = entries_at(&lower, place);
                    found.sort_by_key(|entry| entry.into.index());
                    let of_box = |into: BoxId| {
                        let scores = &game.scores()[into];
                        Entry { into, points: scores.amounts[usize::from(scores.of_roll[nth])], extra: 0 }
                    };
                    let right: Vec<Entry> = open
                        .iter()
                        .map(of_box)
                        .filter(|entry| nothing == Zeros::Listed || entry.points > 0)
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
        assert_eq!((MaxDag::new(&game, lower, Zeros::Omitted).better.len(), pairs), (94, 468));
    }
}
