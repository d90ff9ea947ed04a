//! Reads the values of many positions of a layer at once: every block that is needed is read and decoded once.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use keepers::Game;
use keepers::internals::Work;
use keepers::internals::card::Standing;
use keepers::internals::rules::{BoxId, Entry};
use keepers::internals::solve::{BlockMap, Found, SolutionError, SolvedGame, TaskId, TurnValues};
use rayon::prelude::*;

use super::{Lanes, Manifest, StoredSolution, object_name};
use crate::error::StoreError;

/// Blocks between two needed ones that are read with them. They are most likely in the same frame.
const MAX_GAP: usize = 32;

/// The cards that the player to move can have after a turn, by the box that is filled.
struct Moves {
    /// The number of entries.
    entries: usize,
    by_box: Vec<(BoxId, Vec<Move>)>,
}

/// A card after an entry.
struct Move {
    /// The index of the entry.
    nth: usize,
    /// The index of the score state among those with as many open boxes.
    state: usize,
    paid: i32,
}

/// Lookups in one block.
struct Lookups<'a> {
    /// The task and the box set of the player to move.
    task: usize,
    block: usize,
    /// Positions with the same score state of the player who has just moved, and what they move to.
    positions: Range<usize>,
    moves: &'a [Move],
}

/// A position whose values are looked up, in the order of the blocks.
struct Position {
    /// The index in the order of the caller.
    nth: usize,
    /// The state of the player who is to move when the values are looked up, by its index among those with as many open
    /// boxes.
    to_move: usize,
    /// The lead of the other player, before anything is paid.
    lead: i32,
}

impl StoredSolution {
    /// Calls `store` with the position, the entry and the value of every lookup. The value is the expected result of the
    /// player who has just moved.
    fn look_up(
        &self,
        layer: usize,
        positions: &[Position],
        mut lookups: Vec<Lookups<'_>>,
        store: impl Fn(usize, usize, f64) + Sync,
        work: &Work<'_>,
    ) -> Result<(), StoreError> {
        let manifest = self.manifest(layer)?.ok_or_else(|| {
            StoreError::Missing(format!(
                "{} does not have the values of layer {layer}: solve it, or copy more layers",
                self.store.folder.address()
            ))
        })?;
        lookups.par_sort_unstable_by_key(|lookup| (lookup.task, lookup.block, lookup.positions.start));
        let tasks: Vec<&[Lookups<'_>]> = lookups.chunk_by(|a, b| a.task == b.task).collect();
        tasks.par_iter().with_max_len(1).try_for_each(|lookups| {
            work.check()?;
            self.look_up_in_task(&manifest, layer, positions, lookups, &store)
        })
    }

    /// Looks up values of one task.
    fn look_up_in_task(
        &self,
        manifest: &Manifest,
        layer: usize,
        positions: &[Position],
        lookups: &[Lookups<'_>],
        store: &(impl Fn(usize, usize, f64) + Sync),
    ) -> Result<(), StoreError> {
        let complete = self.store.complete();
        let task = TaskId { layer, other: lookups[0].task };
        let index = self.index(manifest, task)?;
        let name = object_name(task);
        let blocks: Vec<&[Lookups<'_>]> = lookups.chunk_by(|a, b| a.block == b.block).collect();
        let mut map = BlockMap::default();
        for run in blocks.chunk_by(|a, b| b[0].block - a[0].block <= MAX_GAP) {
            let range = run[0][0].block..run[run.len() - 1][0].block + 1;
            let bytes = self.store.folder.ranges([(name.as_str(), index.frames(range.clone()).1)])?;
            let (mut next, mut missing) = (0, false);
            let decoded =
                index.decode(self.store.settings.encoding, range, &bytes[0], |block, values: &[f64], _| {
                    if run.get(next).is_none_or(|needed| needed[0].block != block) {
                        return;
                    }
                    complete.map_block(task, block, &mut map);
                    for Lookups { positions: some, moves, .. } in run[next] {
                        for Position { nth, to_move, lead } in &positions[some.clone()] {
                            for Move { nth: entry, state, paid } in *moves {
                                let value = match map.find(*to_move, *state, lead + paid) {
                                    Some(Found::Decided(result)) => Some(result),
                                    Some(Found::At(at)) => values.get(at).copied(),
                                    None => None,
                                };
                                missing |= value.is_none();
                                store(*nth, *entry, value.unwrap_or_default());
                            }
                        }
                    }
                    next += 1;
                });
            decoded.map_err(|damage| self.store.damaged(&name, damage))?;
            if missing || next < run.len() {
                return Err(StoreError::Request(format!("{name} does not have a position of the game")));
            }
        }
        Ok(())
    }

    /// Returns the index of each box set with this number of open boxes, by its bits.
    fn box_sets(&self, open: usize) -> HashMap<u32, usize> {
        let complete = self.store.complete();
        (0..complete.blocks(2 * open))
            .map(|nth| (complete.filled_by_mover(2 * open, nth).bits(), nth))
            .collect()
    }

    fn state_of(&self, card: &Standing) -> Result<usize, StoreError> {
        let impossible = || StoreError::Request("a position cannot occur in a game".into());
        self.store.complete().state_of(card).ok_or_else(impossible)
    }

    /// Returns the cards that a player can have after a turn.
    fn moves(&self, mover: &Standing) -> Result<Moves, StoreError> {
        let game = self.store.game();
        let mut entries: Vec<Entry> = Vec::new();
        game.each_entry(mover.filled, |entry| entries.push(entry));
        let mut by_box: Vec<(BoxId, Vec<Move>)> = Vec::new();
        for (nth, entry) in entries.iter().enumerate() {
            let after = mover.after(game, *entry);
            let paid = i32::from(after.total) - i32::from(mover.total);
            let one = Move { nth, state: self.state_of(&after)?, paid };
            match by_box.iter_mut().find(|(into, _)| *into == entry.into) {
                Some((_, moves)) => moves.push(one),
                None => by_box.push((entry.into, vec![one])),
            }
        }
        Ok(Moves { entries: entries.len(), by_box })
    }

    /// Checks that all positions have the same number of open boxes, and returns those of the player to move and of the
    /// other player.
    fn open_boxes(&self, positions: &[[Standing; 2]]) -> Result<[usize; 2], StoreError> {
        let open = |position: &[Standing; 2]| position.map(|card| card.open_boxes(self.store.game()).len());
        let first = positions.first().map_or([0, 0], open);
        if positions.iter().any(|position| open(position) != first) {
            return Err(StoreError::Request("the positions have different numbers of open boxes".into()));
        }
        Ok(first)
    }

    fn values_of(&self, cards: &[[Standing; 2]], work: &Work<'_>) -> Result<Vec<f64>, StoreError> {
        let [mover_open, other_open] = self.open_boxes(cards)?;
        let layer = mover_open + other_open;
        let [mover_sets, other_sets] = [self.box_sets(mover_open), self.box_sets(other_open)];
        // The other player has just moved.
        let mut positions = Vec::with_capacity(cards.len());
        let mut moves = Vec::with_capacity(cards.len());
        for (nth, [mover, other]) in cards.iter().enumerate() {
            let lead = i32::from(other.total) - i32::from(mover.total);
            positions.push(Position { nth, to_move: self.state_of(mover)?, lead });
            moves.push(Move { nth: 0, state: self.state_of(other)?, paid: 0 });
        }
        let lookups = cards.iter().enumerate().map(|(nth, [mover, other])| Lookups {
            task: other_sets[&other.filled.boxes.bits()],
            block: mover_sets[&mover.filled.boxes.bits()],
            positions: nth..nth + 1,
            moves: &moves[nth..nth + 1],
        });
        let found: Vec<AtomicU64> = cards.iter().map(|_| AtomicU64::new(0)).collect();
        let store = |nth: usize, _, value: f64| found[nth].store((1.0 - value).to_bits(), Ordering::Relaxed);
        self.look_up(layer, &positions, lookups.collect(), store, work)?;
        Ok(found.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect())
    }

    fn turns_of(&self, cards: &[[Standing; 2]], work: &Work<'_>) -> Result<TurnValues, StoreError> {
        let [mover_open, other_open] = self.open_boxes(cards)?;
        let Some(layer) = (mover_open + other_open).checked_sub(1).filter(|_| mover_open > 0) else {
            return Err(StoreError::Request("the player to move has no open box".into()));
        };
        let [other_sets, sets_after] = [self.box_sets(other_open), self.box_sets(mover_open - 1)];
        let game = self.store.game();
        // Positions with the same score state of the player to move and the same boxes of the other player are looked up
        // together.
        let key = |nth: &usize| {
            let [mover, other] = &cards[*nth];
            (mover.state(game), other.filled.boxes.bits(), *nth)
        };
        let mut order: Vec<usize> = (0..cards.len()).collect();
        order.par_sort_by_cached_key(key);
        let mut moves: HashMap<usize, Moves> = HashMap::new();
        let mut positions = Vec::with_capacity(cards.len());
        for &nth in &order {
            let [mover, other] = &cards[nth];
            let state = mover.state(game);
            if let std::collections::hash_map::Entry::Vacant(vacant) = moves.entry(state) {
                vacant.insert(self.moves(mover)?);
            }
            // After the turn, the other player is to move.
            let lead = i32::from(mover.total) - i32::from(other.total);
            positions.push(Position { nth, to_move: self.state_of(other)?, lead });
        }
        let mut lookups = Vec::new();
        let mut start = 0;
        let same = |a: &usize, b: &usize| {
            let ((state, boxes, _), (other_state, other_boxes, _)) = (key(a), key(b));
            (state, boxes) == (other_state, other_boxes)
        };
        for run in order.chunk_by(same) {
            let [mover, other] = &cards[run[0]];
            for (into, moves) in &moves[&mover.state(game)].by_box {
                lookups.push(Lookups {
                    task: sets_after[&mover.filled.boxes.with(*into).bits()],
                    block: other_sets[&other.filled.boxes.bits()],
                    positions: start..start + run.len(),
                    moves,
                });
            }
            start += run.len();
        }
        let mut starts = Vec::with_capacity(cards.len() + 1);
        let mut end = 0;
        for [mover, _] in cards {
            starts.push(end);
            end += moves[&mover.state(game)].entries;
        }
        starts.push(end);
        // Tasks are looked up in parallel, and each position has values in several of them.
        let found: Vec<AtomicU64> = (0..end).map(|_| AtomicU64::new(0)).collect();
        let store = |nth: usize, entry: usize, value: f64| {
            found[starts[nth] + entry].store(value.to_bits(), Ordering::Relaxed);
        };
        self.look_up(layer, &positions, lookups, store, work)?;
        let values = found.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect();
        Ok(TurnValues { values, starts })
    }
}

/// Converts an error of a store.
fn unreadable(error: StoreError) -> SolutionError {
    match error {
        StoreError::Work(error) => SolutionError::Work(error),
        error => SolutionError::Unreadable(error.to_string()),
    }
}

impl SolvedGame for StoredSolution {
    fn game(&self) -> &Game {
        self.store.game()
    }

    fn has_layer(&self, open: usize) -> Result<bool, SolutionError> {
        StoredSolution::has_layer(self, open).map_err(unreadable)
    }

    /// The bound of the manifest holds for the worst case; the largest error of single precision that was found among
    /// all values of Yacht is 1e-6. Two values that differ by more than twice that are different.
    fn resolution(&self) -> Result<f64, SolutionError> {
        let lanes = self.store.settings.lanes;
        let computed = if lanes == Lanes::F64 { 1e-11 } else { 2e-6 + 2.0 * lanes.settled() };
        Ok(computed + 2.0 * self.encoding_error().map_err(unreadable)?)
    }

    fn values(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<Vec<f64>, SolutionError> {
        self.values_of(positions, work).map_err(unreadable)
    }

    fn turns(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<TurnValues, SolutionError> {
        self.turns_of(positions, work).map_err(unreadable)
    }
}
