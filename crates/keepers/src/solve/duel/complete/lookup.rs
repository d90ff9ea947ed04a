//! Looks up many values of a block. The pairs of the block are enumerated once; each lookup is then a few comparisons.

use std::ops::Range;

use super::super::intervals::{Interval, leads, undecided};
use super::{CompleteGame, TaskId};
use crate::game::card::Standing;

/// Where the values of a block are: for every pair of states, the leads of its curves.
#[derive(Clone, Debug, Default)]
pub struct BlockMap {
    movers: Range<usize>,
    others: Range<usize>,
    /// By mover state, then by other state.
    pairs: Vec<PairMap>,
    /// The first and the last lead of each curve, and the index of its first value.
    curves: Vec<(i32, i32, usize)>,
}

#[derive(Clone, Debug)]
struct PairMap {
    /// The leads at which the result is open.
    open: Interval,
    /// Its curves in `curves`.
    curves: Range<usize>,
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The result is certain: the expected result of the other player, who has just moved.
    Decided(f64),
    /// The value is at this index of the block.
    At(usize),
}

impl CompleteGame {
    /// Returns the index of a card's score state among the states with as many open boxes. `None` if the card cannot occur.
    pub fn state_of(&self, card: &Standing) -> Option<usize> {
        self.side.index_of(&self.game, card)
    }

    /// Enumerates the pairs of a block, given by its task and the index of the mover's box set.
    pub fn map_block(&self, task: TaskId, mover: usize, map: &mut BlockMap) {
        let [movers, others] = self.states(task.layer);
        let [mover_sets, other_sets] = self.sets(task.layer);
        map.movers = mover_sets[mover].states.clone();
        map.others = other_sets[task.other].states.clone();
        map.pairs.clear();
        map.curves.clear();
        let (mut index, mut found) = (0, Vec::new());
        for mover in &movers.states[map.movers.clone()] {
            for other in &others.states[map.others.clone()] {
                leads(mover, other, &mut found);
                let first = map.curves.len();
                for interval in &found {
                    map.curves.push((interval.first, interval.last, index));
                    index += interval.len();
                }
                let open = undecided(mover.to_come, other.to_come);
                map.pairs.push(PairMap { open, curves: first..map.curves.len() });
            }
        }
    }
}

impl BlockMap {
    /// Finds the value of a pair of states, given by their indices among the states with as many open boxes, with a lead
    /// of the other player. `None` if the block does not have it.
    pub fn find(&self, mover: usize, other: usize, lead: i32) -> Option<Found> {
        if !self.movers.contains(&mover) || !self.others.contains(&other) {
            return None;
        }
        let nth = (mover - self.movers.start) * self.others.len() + other - self.others.start;
        let PairMap { open: (least, most), curves } = &self.pairs[nth];
        if lead < *least || *most < lead {
            return Some(Found::Decided(if lead < *least { 0.0 } else { 1.0 }));
        }
        let of_lead = |&&(first, last, _): &&(i32, i32, usize)| (first..=last).contains(&lead);
        let &(first, _, start) = self.curves[curves.clone()].iter().find(of_lead)?;
        Some(Found::At(start + (lead - first) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::super::BoxSetStates;
    use super::super::tests::{play_random_games, toy};
    use super::*;
    use crate::solve::Location;
    use crate::work::Work;

    #[test]
    fn a_block_map_finds_what_a_single_lookup_finds() {
        let game = toy();
        let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
        let (mut map, mut stored, mut decided) = (BlockMap::default(), 0, 0);
        play_random_games(&game, |to_move, moved| {
            let states = [to_move, moved].map(|card| complete.state_of(card).unwrap());
            let lead = i32::from(moved.total) - i32::from(to_move.total);
            match complete.locate(to_move, moved).unwrap() {
                Location::Stored { task, mover, index } => {
                    complete.map_block(task, mover, &mut map);
                    assert_eq!(map.find(states[0], states[1], lead), Some(Found::At(index)));
                    assert_eq!(map.find(usize::MAX, states[1], lead), None);
                    stored += 1;
                }
                Location::Decided(result) => {
                    let layer = to_move.open_boxes(&game).len() + moved.open_boxes(&game).len();
                    let of = |sets: &[BoxSetStates], state: usize| {
                        sets.partition_point(|set| set.states.end <= state)
                    };
                    let [movers, others] = complete.sets(layer);
                    let task = TaskId { layer, other: of(others, states[1]) };
                    complete.map_block(task, of(movers, states[0]), &mut map);
                    assert_eq!(map.find(states[0], states[1], lead), Some(Found::Decided(result)));
                    decided += 1;
                }
            }
        });
        assert!(stored > 500 && decided > 100, "{stored} {decided}");
    }
}
