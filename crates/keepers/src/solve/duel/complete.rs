//! The complete game of two players, divided into tasks that are solved independently of each other.
//!
//! A turn changes only the mover's card, so the values `V(mover, other, ·)` of a pair are computed from the values
//! `V(other, mover·e, ·)` of the layer below (see the recurrence in `mod.rs`). In these, the state of the other player
//! is the state to move. A *task* therefore solves all pairs of a layer whose other player has one set of filled boxes:
//! it reads only blocks in which that set is to move, and it reads each of them once.
//!
//! A *block* holds the values of all pairs of a set of filled boxes of the mover and one of the other player: ordered by
//! mover state, then by other state, then by the lead of the other player. Only the leads that can occur and that leave
//! the result open are stored. The blocks of a task are those of all box sets of the mover with the task's box set.
//!
//! In double precision, every value has the bits that a [`DuelTask`](super::DuelTask) gives it.

mod lookup;

use std::ops::Range;
use std::sync::Arc;

use super::intervals::{LeadInterval, leads, undecided};
use super::layer::{Blocks, Chunk};
use super::layer_solver::{Horizon, LayerSolver, Next, stored};
use super::side::{Side, SideLayer, SideState};
use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::BoxSet;
use crate::kernel::compiled::{CompiledTurn, CompiledTurns};
use crate::kernel::workspace::Workspaces;
use crate::parallel::Threads;
use crate::turn::Number;
use crate::work::{Work, WorkError, reserve};

pub use lookup::{BlockMap, Found};

/// The complete game of two players: its layers, box sets and tasks.
pub struct CompleteGame {
    game: Game,
    /// The states of one player. Both players start with the empty card, so both have the same.
    side: Side,
    /// The box sets of each number of open boxes.
    box_sets: Vec<Vec<BoxSetStates>>,
    compiled_turns: CompiledTurns,
}

/// A set of filled boxes, and the states that have it: consecutive ones of a layer of a side.
#[derive(Clone, Debug)]
struct BoxSetStates {
    filled: BoxSet,
    states: Range<usize>,
}

/// A task: all pairs of a layer whose other player has one set of filled boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// The index of the other player's filled boxes among the box sets with their number of open boxes.
    pub other: usize,
}

/// The values of a task.
#[derive(Clone, Debug)]
pub struct TaskValues<T> {
    /// The values of all blocks, in the order of the mover's box sets.
    pub values: Vec<T>,
    /// The end of each block in `values`.
    pub ends: Vec<usize>,
}

/// Where the value of a position is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Location {
    /// The result is certain: the expected result of the other player, who has just moved.
    Decided(f64),
    /// The value is stored in a block: the block of this task and of the mover's box set with this index.
    Stored {
        /// The task.
        task: TaskId,
        /// The index of the mover's box set.
        mover: usize,
        /// The index of the value in the block.
        index: usize,
    },
}

/// The size of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskSize {
    /// Pairs of states.
    pub pairs: usize,
    /// Values to solve and to store.
    pub values: usize,
    /// Values to read from the layer below.
    pub inputs: usize,
    /// Pairs of the layer below to read.
    pub input_pairs: usize,
}

impl CompleteGame {
    /// Enumerates the states of the game.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn new(game: &Game, work: &Work<'_>) -> Result<CompleteGame, WorkError> {
        let start = Standing::default();
        let boxes = start.open_boxes(game).len();
        let side = Side::new(game, &start, boxes, |_| (0, 0), work)?;
        let box_sets = (0..=boxes).map(|open| box_sets(side.layer(open))).collect();
        Ok(CompleteGame { game: game.clone(), side, box_sets, compiled_turns: CompiledTurns::new(game) })
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the number of layers. Layer 0 has full cards, and the last one is the start of the game.
    pub fn layers(&self) -> usize {
        2 * self.box_sets.len() - 1
    }

    /// Returns the mover's states and the other player's states in a layer. The player who moves in the first layer
    /// moves in all layers with an even number of open boxes.
    fn states(&self, layer: usize) -> [&SideLayer; 2] {
        [self.side.layer(layer.div_ceil(2)), self.side.layer(layer / 2)]
    }

    /// Returns the box sets of the mover and of the other player in a layer.
    fn sets(&self, layer: usize) -> [&[BoxSetStates]; 2] {
        [&self.box_sets[layer.div_ceil(2)], &self.box_sets[layer / 2]]
    }

    /// Returns the number of the mover's box sets in a layer: the blocks of each of its tasks.
    pub fn blocks(&self, layer: usize) -> usize {
        self.sets(layer)[0].len()
    }

    /// Returns the number of tasks of a layer.
    pub fn tasks(&self, layer: usize) -> usize {
        self.sets(layer)[1].len()
    }

    /// Returns the boxes that the other player has filled in a task.
    pub fn filled(&self, task: TaskId) -> BoxSet {
        self.sets(task.layer)[1][task.other].filled
    }

    /// Returns the boxes that the mover has filled in a block of a layer.
    pub fn filled_by_mover(&self, layer: usize, mover: usize) -> BoxSet {
        self.sets(layer)[0][mover].filled
    }

    /// Returns the number of values in a block, given by its task and the index of the mover's box set.
    pub fn values(&self, task: TaskId, mover: usize) -> usize {
        let mut values = 0;
        self.each_interval(task, mover, |interval| values += interval.len());
        values
    }

    /// Returns the length of each curve of a block: of each interval of leads of each pair, in the order of the values.
    /// The values of a curve never decrease.
    pub fn curves(&self, task: TaskId, mover: usize) -> Vec<u32> {
        let mut curves = Vec::new();
        self.each_interval(task, mover, |interval| curves.push(interval.len() as u32));
        curves
    }

    /// Returns the size of a task. Visits all its pairs, or a sample of about `sample` of them.
    pub fn size(&self, task: TaskId, sample: usize) -> TaskSize {
        let [movers, others] = self.states(task.layer);
        let own = &self.sets(task.layer)[1][task.other].states;
        let (pairs, values) = count(movers, 0..movers.states.len(), others, own.clone(), sample);
        let below = task.layer.checked_sub(1).map(|layer| {
            let [movers, others] = self.states(layer);
            count(movers, own.clone(), others, 0..others.states.len(), sample)
        });
        let (input_pairs, inputs) = below.unwrap_or_default();
        TaskSize { pairs, values, inputs, input_pairs }
    }

    /// Returns a bound on the error by which rounding changes the value of one turn, to first order in `unit`, the unit
    /// roundoff of the lanes (2^-53 or 2^-24). Values are between 0 and 1, and a mean or a maximum of rounded values is
    /// no further off than they are, so the errors of all turns of a game add up to at most their sum.
    pub fn rounding_of_a_turn(&self, unit: f64) -> f64 {
        let (rules, rolls) = (self.game.rules(), self.game.lattice().rolls().len());
        // A mean over the next die: the additions, the rounded 1 / faces, and the multiplication. Keeping nothing takes
        // one mean per die. The mean over the first roll has products, sums of up to 16 of them, the sum of these sums
        // and a division. The last step subtracts from 1.
        let (dice, faces, rerolls) =
            (usize::from(rules.dice()), usize::from(rules.faces()), usize::from(rules.rolls()) - 1);
        (rerolls * dice * (faces + 1) + 1 + 16 + rolls.div_ceil(16) + 1 + 1) as f64 * unit
    }

    /// Reads all blocks of a layer in which one box set is to move, and arranges them as the solver reads them.
    fn row_below<T: Number, const W: usize, E: From<WorkError>>(
        &self,
        layer: usize,
        mover: usize,
        mut read: impl FnMut(TaskId, &mut Vec<T>) -> Result<(), E>,
    ) -> Result<(Blocks, Chunk<T, W>), E> {
        let [movers, others] = self.states(layer);
        let [mover_sets, other_sets] = self.sets(layer);
        let range = mover_sets[mover].states.clone();
        let all = others.states.len();
        let blocks = Blocks { others: all, in_block: all };
        let mut chunk =
            Chunk::<T, W>::new((range.start, &movers.states[range.clone()]), (0, &others.states), all)?;
        let (mut values, mut found) = (Vec::new(), Vec::new());
        for (other, set) in other_sets.iter().enumerate() {
            values.clear();
            read(TaskId { layer, other }, &mut values)?;
            if values.is_empty() {
                continue;
            }
            let mut unread = values.as_slice();
            for state in range.clone() {
                let mut offset = chunk.offset_of(state, set.states.start, blocks);
                for other in set.states.clone() {
                    let (least, _) = undecided(movers.states[state].to_come, others.states[other].to_come);
                    chunk.leads(chunk.pair(state, other, blocks), least, &mut found);
                    for interval in &found {
                        let first = offset + interval.padding_below::<W>();
                        let (own, rest) = unread.split_at(interval.len());
                        chunk.cells[offset..first].fill(T::from(0.0));
                        chunk.cells[first..first + own.len()].copy_from_slice(own);
                        offset += interval.cells::<W>();
                        chunk.cells[first + own.len()..offset].fill(T::from(1.0));
                        unread = rest;
                    }
                }
            }
            assert!(unread.is_empty(), "a block has more values than its pairs");
        }
        Ok((blocks, chunk))
    }

    /// Returns where the value of a position is stored. `None` if the position cannot occur in a game.
    pub fn locate(&self, mover: &Standing, other: &Standing) -> Option<Location> {
        let open = [mover, other].map(|card| card.open_boxes(&self.game).len());
        let layer = open[0] + open[1];
        if [layer.div_ceil(2), layer / 2] != open {
            return None;
        }
        let [movers, others] = self.states(layer);
        let [mover_sets, other_sets] = self.sets(layer);
        let [mover_state, other_state] =
            [self.side.index_of(&self.game, mover)?, self.side.index_of(&self.game, other)?];
        let lead = i32::from(other.total) - i32::from(mover.total);
        let (least, most) = undecided(movers.states[mover_state].to_come, others.states[other_state].to_come);
        if lead < least || most < lead {
            return Some(Location::Decided(if lead < least { 0.0 } else { 1.0 }));
        }
        let set_of =
            |sets: &[BoxSetStates], state: usize| sets.partition_point(|set| set.states.end <= state);
        let [mover, other] = [set_of(mover_sets, mover_state), set_of(other_sets, other_state)];
        let (mut index, mut found) = (0, Vec::new());
        for one in mover_sets[mover].states.clone() {
            for two in other_sets[other].states.clone() {
                leads(&movers.states[one], &others.states[two], &mut found);
                if (one, two) == (mover_state, other_state) {
                    for interval in &found {
                        if (interval.first..=interval.last).contains(&lead) {
                            let index = index + (lead - interval.first) as usize;
                            return Some(Location::Stored { task: TaskId { layer, other }, mover, index });
                        }
                        index += interval.len();
                    }
                    return None;
                }
                index += found.iter().map(LeadInterval::len).sum::<usize>();
            }
        }
        None
    }

    /// Returns the position of the value with this index in a block: the standings of the mover and of the other player.
    /// `None` if the block has fewer values.
    pub fn position(&self, task: TaskId, mover: usize, index: usize) -> Option<[Standing; 2]> {
        let [movers, others] = self.states(task.layer);
        let [mover_sets, other_sets] = self.sets(task.layer);
        let (mut left, mut found) = (index, Vec::new());
        for one in mover_sets[mover].states.clone() {
            for two in other_sets[task.other].states.clone() {
                let (mover, other) = (&movers.states[one], &others.states[two]);
                leads(mover, other, &mut found);
                for interval in &found {
                    if left < interval.len() {
                        let lead = interval.first + left as i32;
                        let totals = totals_with_lead(mover, other, lead)?;
                        return Some([
                            self.standing(movers, one, totals.0),
                            self.standing(others, two, totals.1),
                        ]);
                    }
                    left -= interval.len();
                }
            }
        }
        None
    }

    /// Returns a standing with a score state and a total.
    fn standing(&self, layer: &SideLayer, index: usize, total: i32) -> Standing {
        let (space, state) = (self.game.space(), layer.score_state(index));
        let filled = layer.groups[layer.states[index].group].group.filled;
        let upper_total = (0..=u16::MAX)
            .find(|&upper_total| space.index(filled, upper_total) == Some(state))
            .expect("every state has an upper total");
        Standing { filled, upper_total, total: total as u16, extras: 0 }
    }

    /// Appends estimates of the values of a block, given by its task and the index of the mover's box set. Like stored
    /// values, they are 1 minus a rounded number, and 0 or 1 if they are closer than `settled` to it.
    pub fn estimate<T: Number>(
        &self,
        task: TaskId,
        mover: usize,
        estimate: &dyn Horizon,
        settled: f64,
        values: &mut Vec<T>,
    ) {
        let [movers, others] = self.states(task.layer);
        let [mover_sets, other_sets] = self.sets(task.layer);
        let (mut found, mut results) = (Vec::new(), Vec::new());
        for mover in mover_sets[mover].states.clone() {
            for other in other_sets[task.other].states.clone() {
                leads(&movers.states[mover], &others.states[other], &mut found);
                for interval in &found {
                    results.resize(interval.len(), 0.0);
                    let (state, rival) = (others.score_state(other), movers.score_state(mover));
                    estimate.results(state, rival, interval.first, &mut results);
                    let settled = T::nearest(settled);
                    values.extend(results.iter().map(|result| stored(T::nearest(1.0 - result), settled)));
                }
            }
        }
    }

    /// Calls `visit` with every interval of leads of a block, in the order of its values.
    fn each_interval(&self, task: TaskId, mover: usize, mut visit: impl FnMut(&LeadInterval)) {
        let [movers, others] = self.states(task.layer);
        let [mover_sets, other_sets] = self.sets(task.layer);
        let mut found = Vec::new();
        for mover in &movers.states[mover_sets[mover].states.clone()] {
            for other in &others.states[other_sets[task.other].states.clone()] {
                leads(mover, other, &mut found);
                found.iter().for_each(&mut visit);
            }
        }
    }
}

/// Solves tasks, in lanes of `T`, `W` to a row.
pub struct TaskSolver<'a, T, const W: usize> {
    complete: &'a CompleteGame,
    threads: Threads,
    workspaces: Workspaces<T, W>,
    settled: f64,
}

impl<'a, T: Number, const W: usize> TaskSolver<'a, T, W> {
    /// Creates a solver of tasks that uses these threads.
    pub fn new(complete: &'a CompleteGame, threads: Threads) -> TaskSolver<'a, T, W> {
        let workspaces = Workspaces::new(&complete.game, threads);
        TaskSolver { complete, threads, workspaces, settled: 0.0 }
    }

    /// Returns the solver that stores values closer than `distance` to 0 or 1 as 0 or 1, which adds an error of less
    /// than `distance` per layer. Turns in which all lanes are that certain are not folded.
    #[must_use]
    pub fn settling(self, distance: f64) -> Self {
        TaskSolver { settled: distance, ..self }
    }

    /// Solves the blocks of a task for some box sets of the mover, given by their indices. `read` appends the values of
    /// a block of the layer below: the block of the given task, in which the box set of this task is to move. It is
    /// called once per block, in order, and not at all for layer 0. It may leave out the values of a block that the box
    /// sets of the mover do not lead to.
    ///
    /// # Errors
    /// If `read` fails, if the work is cancelled, or if there is not enough memory.
    ///
    /// # Panics
    /// If a block that was read has another number of values than [`CompleteGame::values`] returns.
    pub fn solve<E: From<WorkError> + Send>(
        &self,
        task: TaskId,
        movers: &[usize],
        work: &Work<'_>,
        read: impl FnMut(TaskId, &mut Vec<T>) -> Result<(), E>,
    ) -> Result<TaskValues<T>, E> {
        let (complete, threads, blocks_of) = (self.complete, self.threads, movers);
        let [movers, others] = complete.states(task.layer);
        let below = match task.layer.checked_sub(1) {
            None => None,
            Some(layer) => Some(complete.row_below::<T, W, E>(layer, task.other, read)?),
        };
        let [mover_sets, other_sets] = complete.sets(task.layer);
        let own = other_sets[task.other].states.clone();
        let blocks = Blocks { others: own.len(), in_block: own.len() };
        let mut needed = vec![false; movers.groups.len()];
        for &mover in blocks_of {
            movers.states[mover_sets[mover].states.clone()]
                .iter()
                .for_each(|state| needed[state.group] = true);
        }
        let compiled: Vec<Option<Arc<CompiledTurn>>> = threads.try_map(0..movers.groups.len(), |nth| {
            work.check()?;
            let filled = movers.groups[nth].group.filled;
            let compiled = (needed[nth] && below.is_some()).then(|| complete.compiled_turns.of(filled));
            Ok::<_, WorkError>(compiled.flatten())
        })?;
        let next = match &below {
            None => Next::End,
            Some((blocks, chunk)) => {
                Next::Layer(complete.side.layer(task.layer.div_ceil(2) - 1), *blocks, chunk)
            }
        };
        let (game, settled) = (&complete.game, T::nearest(self.settled));
        let solver = LayerSolver { game, movers, others, compiled: &compiled, next, settled };
        let solved = threads.try_map(0..blocks_of.len(), |nth| {
            let mover = blocks_of[nth];
            let range = mover_sets[mover].states.clone();
            let mut chunk: Chunk<T, W> = Chunk::new(
                (range.start, &movers.states[range.clone()]),
                (own.start, &others.states[own.clone()]),
                own.len(),
            )?;
            solver.solve(&mut chunk, blocks, own.clone(), &mut self.workspaces.take(), |_| work.check())?;
            // Removes the padding: every value moves to a smaller index, or none does.
            let (mut offset, mut end, mut found) = (chunk.values_start(), 0, Vec::new());
            for (mover, other) in range.flat_map(|mover| own.clone().map(move |other| (mover, other))) {
                let (least, _) = undecided(movers.states[mover].to_come, others.states[other].to_come);
                chunk.leads(chunk.pair(mover, other, blocks), least, &mut found);
                for interval in &found {
                    let first = offset + interval.padding_below::<W>();
                    chunk.cells.copy_within(first..first + interval.len(), end);
                    end += interval.len();
                    offset += interval.cells::<W>();
                }
            }
            chunk.cells.truncate(end);
            Ok::<_, WorkError>(chunk.cells)
        })?;
        drop(below);
        let mut found = TaskValues { values: Vec::new(), ends: Vec::new() };
        reserve(&mut found.values, solved.iter().map(Vec::len).sum())?;
        for block in solved {
            found.values.extend_from_slice(&block);
            found.ends.push(found.values.len());
        }
        Ok(found)
    }
}

/// Returns totals of two states with a lead of the other player. `None` if no totals have it: intervals of leads are
/// merged, and may hold leads that cannot occur.
fn totals_with_lead(mover: &SideState, other: &SideState, lead: i32) -> Option<(i32, i32)> {
    let pairs =
        mover.totals.all().iter().flat_map(|one| other.totals.all().iter().map(move |two| (one, two)));
    pairs
        .filter_map(|(mover, other)| {
            let least = mover.0.max(other.0 - lead);
            (least <= mover.1.min(other.1 - lead)).then_some((least, least + lead))
        })
        .next()
}

/// Divides the states of a layer by their filled boxes.
fn box_sets(layer: &SideLayer) -> Vec<BoxSetStates> {
    let mut sets: Vec<BoxSetStates> = Vec::new();
    for (nth, state) in layer.states.iter().enumerate() {
        let filled = layer.groups[state.group].group.filled.boxes;
        match sets.last_mut() {
            Some(last) if last.filled == filled => last.states.end = nth + 1,
            _ => sets.push(BoxSetStates { filled, states: nth..nth + 1 }),
        }
    }
    sets
}

/// Counts the pairs of some states and their values, from a sample if there are more than `sample` pairs.
fn count(
    movers: &SideLayer,
    mover_states: Range<usize>,
    others: &SideLayer,
    other_states: Range<usize>,
    sample: usize,
) -> (usize, usize) {
    let pairs = mover_states.len() * other_states.len();
    // An odd step visits all classes of groups with an even number of them.
    let step = pairs.div_ceil(sample.max(1)) | 1;
    let (mut visited, mut values, mut found) = (0, 0, Vec::new());
    for pair in (0..pairs).step_by(step) {
        let mover = &movers.states[mover_states.start + pair / other_states.len()];
        let other = &others.states[other_states.start + pair % other_states.len()];
        leads(mover, other, &mut found);
        values += found.iter().map(LeadInterval::len).sum::<usize>();
        visited += 1;
    }
    (pairs, if step == 1 { values } else { (values as u128 * pairs as u128 / visited as u128) as usize })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::dice::random::RandomStream;
    use crate::game::rules::Rules;
    use crate::solve::{DuelTask, Retain};
    use crate::turn::LANES;

    /// Returns three dice of three faces with an upper bonus, extra Yahtzees and jokers: four boxes.
    pub(super) fn toy() -> Game {
        const TOY: &str = "dice = 3\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 8\npoints = 5\n[extra]\nbox = \"y\"\n\
            points = 9\njoker = \"forced\"\n[[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"3\"\n\
            pattern = \"face\"\nface = 3\n[[box]]\nid = \"y\"\npattern = \"sets\"\nof = [3]\npays = 10\n[[box]]\nid = \"c\"\n\
            pattern = \"chance\"\n";
        Game::new(Rules::from_toml(TOY).unwrap())
    }

    /// Plays random games of the toy, and calls `visit` after each turn with the cards of the player to move and of the
    /// player who has just moved.
    pub(super) fn play_random_games(game: &Game, mut visit: impl FnMut(&Standing, &Standing)) {
        let mut random = RandomStream::new(3, 1);
        for _ in 0..200 {
            let mut cards = [Standing::default(); 2];
            for turn in 0..2 * game.rules().all_boxes().len() {
                let mover = turn % 2;
                let mut entries = Vec::new();
                game.each_entry(cards[mover].filled, |entry| entries.push(entry));
                cards[mover] = cards[mover].after(game, entries[random.below(entries.len() as u32) as usize]);
                visit(&cards[1 - mover], &cards[mover]);
            }
        }
    }

    #[test]
    fn tasks_give_the_bits_of_a_duel_from_the_start() {
        let game = toy();
        let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
        let mut blocks: HashMap<(TaskId, usize), Vec<f64>> = HashMap::new();
        let solver: TaskSolver<'_, f64, LANES> = TaskSolver::new(&complete, Threads::All);
        for layer in 0..complete.layers() {
            for other in 0..complete.tasks(layer) {
                let task = TaskId { layer, other };
                let read = |below: TaskId, values: &mut Vec<f64>| {
                    values.extend_from_slice(&blocks[&(below, other)]);
                    Ok::<_, WorkError>(())
                };
                let movers: Vec<usize> = (0..complete.blocks(layer)).collect();
                let solved = solver.solve(task, &movers, &Work::silent(), read).unwrap();
                let mut start = 0;
                for (mover, &end) in solved.ends.iter().enumerate() {
                    assert_eq!(end - start, complete.values(task, mover));
                    blocks.insert((task, mover), solved.values[start..end].to_vec());
                    start = end;
                }
                assert_eq!(start, solved.values.len());
                assert_eq!(complete.size(task, usize::MAX).values, start);
            }
        }
        let start = Standing::default();
        let duel = DuelTask::from_standings(&game, &start, &start, &Work::silent()).unwrap();
        let duel = duel.solve(Retain::Everything, &Work::silent()).unwrap();
        // Every value of every layer.
        let mut compared = 0;
        for layer in 0..complete.layers() {
            let [movers, others] = complete.states(layer);
            let [mover_sets, other_sets] = complete.sets(layer);
            for (mover_set, other_set) in
                (0..mover_sets.len()).flat_map(|m| (0..other_sets.len()).map(move |o| (m, o)))
            {
                let mut values = blocks[&(TaskId { layer, other: other_set }, mover_set)].iter();
                for mover in mover_sets[mover_set].states.clone() {
                    for other in other_sets[other_set].states.clone() {
                        let pair = (&movers.states[mover], &others.states[other]);
                        let mut found = Vec::new();
                        leads(pair.0, pair.1, &mut found);
                        for lead in found.iter().flat_map(|interval| interval.first..=interval.last) {
                            let solved = duel.layers[layer].as_ref().unwrap().get((mover, other), pair, lead);
                            assert_eq!(solved.to_bits(), values.next().unwrap().to_bits());
                            compared += 1;
                        }
                    }
                }
                assert_eq!(values.next(), None);
            }
        }
        assert_eq!(compared, duel.cost().lanes);
    }

    /// Plays random games, and looks up every position after a turn.
    #[test]
    fn positions_of_games_are_located() {
        let game = toy();
        let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
        let start = Standing::default();
        let duel = DuelTask::from_standings(&game, &start, &start, &Work::silent()).unwrap();
        let duel = duel.solve(Retain::Everything, &Work::silent()).unwrap();
        let (mut stored, mut decided) = (0, 0);
        play_random_games(&game, |to_move, moved| {
            let value = duel.after(moved, to_move).unwrap();
            match complete.locate(to_move, moved).unwrap() {
                Location::Decided(result) => {
                    assert_eq!(result, value);
                    decided += 1;
                }
                Location::Stored { task, mover, index } => {
                    let [at, other] = complete.position(task, mover, index).unwrap();
                    assert_eq!(duel.after(&other, &at).unwrap().to_bits(), value.to_bits());
                    stored += 1;
                }
            }
        });
        assert!(stored > 500 && decided > 100, "{stored} {decided}");
        // Out of turn, and with a total that these boxes cannot have.
        let mut entries = Vec::new();
        game.each_entry(start.filled, |entry| entries.push(entry));
        assert_eq!(complete.locate(&start.after(&game, entries[0]), &start), None);
        assert_eq!(complete.locate(&Standing { total: 77, ..start }, &start), None);
    }
}
