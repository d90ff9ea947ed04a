//! The complete game of two players, divided into tasks that are solved independently of each other.
//!
//! A turn changes only the mover's card, so the values `V(mover, other, ·)` of a pair are computed from the values
//! `V(other, mover·e, ·)` of the layer below (see the recurrence in `mod.rs`). In these, the state of the other player
//! is the state to move. A *task* therefore solves all pairs of a layer whose other player has one set of filled boxes
//! (a group): it reads only blocks in which that group is to move, and it reads each of them once.
//!
//! A *block* holds the values of all pairs of a group of mover states and a group of other states: ordered by mover
//! state, then by other state, then by the lead of the other player. Only the leads that can occur and that leave the
//! result open are stored. The blocks of a task are the blocks of all mover groups with the task's group.

use std::ops::Range;
use std::sync::Arc;

use super::intervals::{LeadInterval, leads};
use super::layer::{Blocks, Chunk};
use super::layer_solver::{LayerSolver, Next};
use super::side::{Side, SideLayer, SideState};
use crate::game::Game;
use crate::game::card::Standing;
use crate::kernel::compiled::{CompiledTurn, CompiledTurns};
use crate::kernel::workspace::Workspaces;
use crate::parallel::Threads;
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// The complete game of two players: its layers, groups and tasks.
pub struct CompleteGame {
    game: Game,
    /// The states of one player. Both players start with the empty card, so both have the same.
    side: Side,
    boxes: usize,
    compiled_turns: CompiledTurns,
}

/// A task: all pairs of a layer whose other player has the boxes of one group filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId {
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// The index of the other player's group among those with their number of open boxes.
    pub other: usize,
}

/// The values of a block.
pub type Block = Vec<f64>;

impl CompleteGame {
    /// Enumerates the states of the game.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn new(game: &Game, work: &Work<'_>) -> Result<CompleteGame, WorkError> {
        let start = Standing::default();
        let boxes = start.open_boxes(game).len();
        let side = Side::new(game, &start, boxes, |_| (0, 0), work)?;
        Ok(CompleteGame { game: game.clone(), side, boxes, compiled_turns: CompiledTurns::new(game) })
    }

    /// Returns the number of layers. Layer 0 has full cards, and the last one is the start of the game.
    pub fn layers(&self) -> usize {
        2 * self.boxes + 1
    }

    /// Returns the mover's states and the other player's states in a layer. The player who moves in the first layer
    /// moves in all layers with an even number of open boxes.
    fn states(&self, layer: usize) -> [&SideLayer; 2] {
        [self.side.layer(layer.div_ceil(2)), self.side.layer(layer / 2)]
    }

    /// Returns the number of groups of mover states in a layer: the blocks of each of its tasks.
    pub fn mover_groups(&self, layer: usize) -> usize {
        self.states(layer)[0].groups.len()
    }

    /// Returns the tasks of a layer.
    pub fn tasks(&self, layer: usize) -> impl Iterator<Item = TaskId> {
        (0..self.states(layer)[1].groups.len()).map(move |other| TaskId { layer, other })
    }

    /// Returns the number of values in a block, given by its task and the index of the mover's group.
    pub fn values(&self, task: TaskId, mover: usize) -> usize {
        let [movers, others] = self.states(task.layer);
        let mut values = 0;
        each_interval(movers, movers.range(mover), others, others.range(task.other), |interval| {
            values += interval.len();
        });
        values
    }

    /// Solves a task. `read` returns the values of a block of the layer below: the block of the task with the given
    /// index, in which the group of this task is to move. It is called once per block, from any thread, and not at all
    /// for layer 0. Returns the blocks of the task, by the index of the mover's group.
    ///
    /// # Errors
    /// If `read` fails, if the work is cancelled, or if there is not enough memory.
    ///
    /// # Panics
    /// If a block that was read has another number of values than [`CompleteGame::values`] returns.
    pub fn solve<E: From<WorkError> + Send>(
        &self,
        task: TaskId,
        threads: Threads,
        work: &Work<'_>,
        read: impl Fn(TaskId) -> Result<Block, E> + Send + Sync,
    ) -> Result<Vec<Block>, E> {
        let [movers, others] = self.states(task.layer);
        let below = match task.layer.checked_sub(1) {
            None => None,
            Some(layer) => Some(self.row_below(layer, task.other, threads, read)?),
        };
        let workspaces: Workspaces<f64, LANES> = Workspaces::new(&self.game, threads);
        let own = others.range(task.other);
        let blocks = Blocks { others: own.len(), in_block: own.len() };
        let compiled: Vec<Option<Arc<CompiledTurn>>> = threads.try_map(0..movers.groups.len(), |nth| {
            work.check()?;
            let filled = movers.groups[nth].group.filled;
            Ok::<_, WorkError>(if below.is_some() { self.compiled_turns.of(filled) } else { None })
        })?;
        let next = match &below {
            None => Next::End,
            Some((blocks, chunk)) => Next::Layer(self.side.layer(task.layer.div_ceil(2) - 1), *blocks, chunk),
        };
        let solver = LayerSolver { game: &self.game, movers, others, compiled: &compiled, next };
        threads.try_map(0..movers.groups.len(), |group| {
            let range = movers.range(group);
            let mut chunk = Chunk::new(
                (range.start, &movers.states[range.clone()]),
                (own.start, &others.states[own.clone()]),
                own.len(),
            )?;
            solver.solve(&mut chunk, blocks, own.clone(), &mut workspaces.take(), |_| work.check())?;
            let mut block = Vec::new();
            let mut offset = chunk.values_start();
            each_interval(movers, range, others, own.clone(), |interval| {
                let first = offset + interval.padding_below();
                block.extend_from_slice(&chunk.cells[first..first + interval.len()]);
                offset += interval.cells();
            });
            Ok(block)
        })
    }

    /// Reads all blocks of a layer in which one group is to move, and arranges them as the solver reads them.
    fn row_below<E: From<WorkError> + Send>(
        &self,
        layer: usize,
        mover: usize,
        threads: Threads,
        read: impl Fn(TaskId) -> Result<Block, E> + Send + Sync,
    ) -> Result<(Blocks, Chunk), E> {
        let [movers, others] = self.states(layer);
        let range = movers.range(mover);
        let all = others.states.len();
        let blocks = Blocks { others: all, in_block: all };
        let mut chunk = Chunk::new((range.start, &movers.states[range.clone()]), (0, &others.states), all)?;
        let read_all = |other: usize| read(TaskId { layer, other });
        let values = threads.try_map(0..others.groups.len(), read_all)?;
        let mut found = Vec::new();
        let mut used = vec![0; values.len()];
        let mut offset = chunk.values_start();
        for state in range {
            for other in &others.states {
                let (block, used) = (&values[other.group], &mut used[other.group]);
                leads(&movers.states[state], other, &mut found);
                for interval in &found {
                    let first = offset + interval.padding_below();
                    chunk.cells[offset..first].fill(0.0);
                    chunk.cells[first..first + interval.len()]
                        .copy_from_slice(&block[*used..*used + interval.len()]);
                    offset += interval.cells();
                    chunk.cells[first + interval.len()..offset].fill(1.0);
                    *used += interval.len();
                }
            }
        }
        assert!(
            used.iter().zip(&values).all(|(used, block)| *used == block.len()),
            "a block has other values"
        );
        Ok((blocks, chunk))
    }

    /// Returns the value of the game for the player who starts, given the single block of the last layer.
    ///
    /// # Panics
    /// If the block is of another layer.
    pub fn value(&self, block: &[f64]) -> f64 {
        let [value] = block else { panic!("the last layer has a single value") };
        1.0 - value
    }
}

/// Calls `visit` with every interval of leads of a block, in the order of its values.
fn each_interval(
    movers: &SideLayer,
    mover_states: Range<usize>,
    others: &SideLayer,
    other_states: Range<usize>,
    mut visit: impl FnMut(&LeadInterval),
) {
    let mut found = Vec::new();
    for mover in &movers.states[mover_states] {
        for other in &others.states[other_states.clone()] {
            leads(mover, other, &mut found);
            found.iter().for_each(&mut visit);
        }
    }
}

impl SideLayer {
    /// Returns the indices of the states of a group.
    fn range(&self, group: usize) -> Range<usize> {
        let first = self.states.partition_point(|state: &SideState| state.group < group);
        let end = self.states.partition_point(|state| state.group <= group);
        first..end
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::rules::Rules;
    use crate::solve::{DuelTask, Retain};

    /// Three dice of three faces with an upper bonus, extra Yahtzees and jokers.
    const TOY: &str = "dice = 3\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 8\npoints = 5\n[extra]\nbox = \"y\"\n\
        points = 9\njoker = \"forced\"\n[[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"3\"\n\
        pattern = \"face\"\nface = 3\n[[box]]\nid = \"y\"\npattern = \"sets\"\nof = [3]\npays = 10\n[[box]]\nid = \"c\"\n\
        pattern = \"chance\"\n";

    #[test]
    fn tasks_give_the_bits_of_a_duel_from_the_start() {
        let game = Game::new(Rules::from_toml(TOY).unwrap());
        let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
        let mut blocks: HashMap<(TaskId, usize), Block> = HashMap::new();
        for layer in 0..complete.layers() {
            for task in complete.tasks(layer).collect::<Vec<_>>() {
                let read = |below: TaskId| Ok::<_, WorkError>(blocks[&(below, task.other)].clone());
                let solved = complete.solve(task, Threads::All, &Work::silent(), read).unwrap();
                for (mover, block) in solved.into_iter().enumerate() {
                    assert_eq!(block.len(), complete.values(task, mover));
                    blocks.insert((task, mover), block);
                }
            }
        }
        let start = Standing::default();
        let duel = DuelTask::from_standings(&game, &start, &start, &Work::silent()).unwrap();
        let duel = duel.solve(Retain::Everything, &Work::silent()).unwrap();
        let last = TaskId { layer: complete.layers() - 1, other: 0 };
        assert_eq!(complete.value(&blocks[&(last, 0)]).to_bits(), duel.value().to_bits());
        // Every value of every layer.
        let mut compared = 0;
        for layer in 0..complete.layers() {
            let [movers, others] = complete.states(layer);
            for task in complete.tasks(layer) {
                for mover_group in 0..complete.mover_groups(layer) {
                    let mut values = blocks[&(task, mover_group)].iter();
                    for mover in movers.range(mover_group) {
                        for other in others.range(task.other) {
                            let pair = (&movers.states[mover], &others.states[other]);
                            let mut found = Vec::new();
                            leads(pair.0, pair.1, &mut found);
                            for lead in found.iter().flat_map(|interval| interval.first..=interval.last) {
                                let solved =
                                    duel.layers[layer].as_ref().unwrap().get((mover, other), pair, lead);
                                assert_eq!(solved.to_bits(), values.next().unwrap().to_bits());
                                compared += 1;
                            }
                        }
                    }
                    assert_eq!(values.next(), None);
                }
            }
        }
        assert_eq!(compared, duel.cost().lanes);
    }
}
