//! Solves a layer of a duel: all leads of all its pairs.
//!
//! The cells of a pair are ordered by the lead of the other player, who has just moved. A turn of the mover is folded
//! in lanes ordered by the mover's own lead, which is the same number with the opposite sign. Values are therefore
//! written in reverse order.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::intervals::{LeadInterval, undecided};
use super::layer::{Blocks, Chunk};
use super::side::{SideLayer, SideState};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::compiled::CompiledTurn;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::workspace::{EntryValues, Workspace, turn_value};
use crate::turn::{Number, Row};
use crate::work::WorkError;

/// Everything that the solve of a layer reads.
pub(super) struct LayerSolver<'a, T, const W: usize> {
    pub game: &'a Game,
    pub movers: &'a SideLayer,
    pub others: &'a SideLayer,
    /// The compiled turn of each group of the mover's states; `None` where a fold is not more expensive.
    pub compiled: &'a [Option<Arc<CompiledTurn>>],
    pub next: Next<'a, T, W>,
    /// Values closer than this to 0 or to 1 are stored as 0 or 1; at 0, all values are stored as they are.
    pub settled: T,
}

/// The source of the values after a turn.
pub(super) enum Next<'a, T, const W: usize> {
    /// The layer with one fewer open box: the mover's states in it, its division into blocks, and the chunk with the
    /// values after the mover's turns.
    Layer(&'a SideLayer, Blocks, &'a Chunk<T, W>),
    /// None: both cards are full.
    End,
    /// An estimate, because the following turns are not searched.
    Beyond(&'a dyn Horizon),
}

/// An estimate of the expected result after the last searched turn.
pub trait Horizon: Send + Sync {
    /// Returns the points that are certain to come from a score state for any dice, and the most that can come.
    fn to_come(&self, state: usize) -> (i32, i32);

    /// Writes the expected results of a player in `state` who has just moved, against a player in state `rival` who is
    /// to move, for consecutive leads of the former from `first` on.
    fn results(&self, state: usize, rival: usize, first: i32, results: &mut [f64]);
}

impl<T: Number, const W: usize> LayerSolver<'_, T, W> {
    /// Solves the pairs of a chunk with some of the other player's states, which form one block of the chunk. Calls
    /// `done` after each state of the mover with the number of its values.
    pub fn solve(
        &self,
        chunk: &mut Chunk<T, W>,
        blocks: Blocks,
        others: Range<usize>,
        workspace: &mut Workspace<T, W>,
        done: impl Fn(usize) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        let (mut intervals, mut results) = (Vec::new(), Vec::new());
        for mover in chunk.first..chunk.first + chunk.movers {
            let mut turns = match &self.next {
                Next::Layer(states, blocks, below) => {
                    Some(Turns::new(self, mover, (states, *blocks, below), workspace))
                }
                Next::End | Next::Beyond(_) => None,
            };
            let mut values = 0;
            let mut offset = chunk.offset_of(mover, others.start, blocks);
            for other in others.clone() {
                let to_come =
                    [&self.movers.states[mover], &self.others.states[other]].map(|state| state.to_come);
                let (least, _) = undecided(to_come[0], to_come[1]);
                chunk.leads(chunk.pair(mover, other, blocks), least, &mut intervals);
                for interval in &intervals {
                    let first = offset + interval.padding_below::<W>();
                    let inside = first..first + interval.len();
                    chunk.cells[offset..first].fill(T::from(0.0));
                    offset += interval.cells::<W>();
                    chunk.cells[inside.end..offset].fill(T::from(1.0));
                    match (&self.next, &mut turns) {
                        (_, Some(turns)) => turns.solve(other, interval, inside.end, &mut chunk.cells),
                        (Next::Beyond(horizon), _) => {
                            let (state, rival) =
                                (self.others.score_state(other), self.movers.score_state(mover));
                            results.resize(interval.len(), 0.0);
                            horizon.results(state, rival, interval.first, &mut results);
                            let cells = chunk.cells[inside].iter_mut();
                            cells.zip(&results).for_each(|(cell, result)| *cell = T::nearest(*result));
                        }
                        // Both cards are full, and only lead 0 is undecided: a draw.
                        _ => chunk.cells[inside].fill(T::from(0.5)),
                    }
                    values += interval.len();
                }
            }
            if let Some(turns) = &mut turns {
                turns.flush(&mut chunk.cells);
            }
            done(values)?;
        }
        Ok(())
    }
}

/// The turns of the mover in one state, against all states of the other player in one block.
struct Turns<'a, 'b, T, const W: usize> {
    solver: &'a LayerSolver<'a, T, W>,
    /// The chunk of the layer below that holds all values after these turns.
    chunk: &'a Chunk<T, W>,
    workspace: &'b mut Workspace<T, W>,
    successors: Vec<Successor>,
    /// Lanes from any intervals and pairs that wait until they fill a block, and their number.
    pending: Vec<PendingLanes>,
    pending_lanes: usize,
}

/// The result of one entry of the mover.
struct Successor {
    paid: i32,
    /// The index, in the chunk below, of the pair with the chunk's first state of the other player, and the distance to
    /// the pair with the next state.
    pair: usize,
    step: usize,
    /// The points that are certain to come for the mover after the entry, and the most that can come.
    to_come: (i32, i32),
}

/// Lanes of one interval that do not fill a block.
struct PendingLanes {
    /// The curve after each entry.
    curves: Rc<[CurveView]>,
    /// The mover's lead in the first lane.
    start: i32,
    lanes: usize,
    /// The end of their cells. The first lane, which has the mover's smallest lead, belongs to the last cell.
    end: usize,
}

impl<'a, 'b, T: Number, const W: usize> Turns<'a, 'b, T, W> {
    /// Prepares the turns of one state of the mover, given the mover's states in the layer below, the blocks of that
    /// layer, and the chunk of it that the turns read.
    fn new(
        solver: &'a LayerSolver<'a, T, W>,
        mover: usize,
        (states, below, chunk): (&'a SideLayer, Blocks, &'a Chunk<T, W>),
        workspace: &'b mut Workspace<T, W>,
    ) -> Turns<'a, 'b, T, W> {
        let SideState { group, class, .. } = solver.movers.states[mover];
        let compiled = &solver.compiled[group];
        let group = &solver.movers.groups[group];
        match compiled {
            Some(compiled) => workspace.prepare_compiled(compiled),
            None => workspace.start(solver.game, group.group.filled, true),
        }
        let successor = |&entry: &Entry| {
            let (slot, paid) = group.next.state(solver.game, &group.group, class, entry);
            let state = states.state_of_slot[slot] as usize;
            let pair = chunk.pair(chunk.first, state, below);
            let step = below.in_block_of(state);
            Successor { paid: paid.into(), pair, step, to_come: states.states[state].to_come }
        };
        let successors = workspace.entries().iter().map(successor).collect();
        Turns { solver, chunk, workspace, successors, pending: Vec::new(), pending_lanes: 0 }
    }

    /// Solves an interval of leads of the other player in one of their states. Its cells end at `end`.
    ///
    /// Values never fall as the mover's lead rises, and rounding keeps that order. If the stored results of a whole
    /// block of lanes are exactly 1, those of all smaller leads of the mover are 1 too; if they are exactly 0, those of
    /// all larger leads are 0. These turns are not folded. Many values are that certain, because `1 - value` rounds
    /// values below 2^-25 away in single precision, and values below 2^-54 in double precision; and more of them if
    /// values close to 0 and 1 count as settled.
    fn solve(&mut self, other: usize, interval: &LeadInterval, end: usize, cells: &mut [T]) {
        let (solver, chunk) = (self.solver, self.chunk);
        let to_come = solver.others.states[other].to_come;
        // After an entry the other player is to move, and the mover has just moved: the pair below is indexed by the
        // mover's lead, which is minus the lead here, plus the points that the entry pays.
        let shifted = |successor: &Successor| {
            let pair = successor.pair + (other - chunk.first) * successor.step;
            let leads = (successor.paid - interval.last, successor.paid - interval.first);
            chunk.curve(pair, undecided(to_come, successor.to_come), leads).before(successor.paid)
        };
        let curves: Rc<[CurveView]> = self.successors.iter().map(shifted).collect();
        let blocks = interval.len() / W;
        let lead = |block: usize| (block * W) as i32 - interval.last;
        let mut fold = |block: usize, next: i32| {
            // The rows of the next block arrive during the fold of this one, which reads no others. One end of each is in
            // the same cache line as the row of this block.
            curves.iter().for_each(|curve| curve.prefetch(&chunk.cells, next));
            let lanes = ShiftedCurves { cells: &chunk.cells, curves: &curves, start: lead(block) };
            let value = turn_value(solver.game, &lanes, self.workspace);
            let end = end - block * W;
            store(&value.0, solver.settled, &mut cells[end - W..end]);
            Certainty::of(&value, solver.settled)
        };
        // Finds a block that is not certain: those below `open.start` are lost, those from `open.end` on are won.
        let mut open = 0..blocks;
        let mut solved = 0..0;
        while !open.is_empty() && solved.is_empty() {
            let middle = open.start + open.len() / 2;
            match fold(middle, lead(middle + 2) - 1) {
                Certainty::Lost => open.start = middle + 1,
                Certainty::Won => open.end = middle,
                Certainty::None => solved = middle..middle + 1,
            }
        }
        // Solves from there in both directions.
        while open.start < solved.start {
            solved.start -= 1;
            if fold(solved.start, lead(solved.start) - W as i32) == Certainty::Lost {
                open.start = solved.start;
            }
        }
        while solved.end < open.end {
            solved.end += 1;
            if fold(solved.end - 1, lead(solved.end + 1) - 1) == Certainty::Won {
                open.end = solved.end;
            }
        }
        let start = end - interval.len();
        cells[end - open.start * W..end].fill(T::from(1.0));
        let last_won = open.end < blocks;
        let won = if last_won { start } else { end - blocks * W };
        cells[won..end - open.end * W].fill(T::from(0.0));
        let mut lanes = if last_won { 0 } else { interval.len() % W };
        let (mut lead, mut end) = (lead(blocks), end - blocks * W);
        while lanes > 0 {
            let taken = lanes.min(W - self.pending_lanes);
            self.pending.push(PendingLanes { curves: Rc::clone(&curves), start: lead, lanes: taken, end });
            self.pending_lanes += taken;
            if self.pending_lanes == W {
                self.flush(cells);
            }
            lead += taken as i32;
            end -= taken;
            lanes -= taken;
        }
    }

    /// Solves the pending lanes.
    fn flush(&mut self, cells: &mut [T]) {
        if self.pending.is_empty() {
            return;
        }
        let lanes = MixedBlock { cells: &self.chunk.cells, pending: &self.pending };
        let value = turn_value(self.solver.game, &lanes, self.workspace);
        let mut values = value.0.as_slice();
        for PendingLanes { lanes, end, .. } in self.pending.drain(..) {
            let (own, others) = values.split_at(lanes);
            store(own, self.solver.settled, &mut cells[end - lanes..end]);
            values = others;
        }
        self.pending_lanes = 0;
    }
}

/// Whether the mover wins or loses for certain in all lanes of a block, as far as stored values show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// The other player has exactly 1 in all lanes.
    Lost,
    /// The other player has exactly 0 in all lanes.
    Won,
    /// The result of at least one lane is open, or lanes differ.
    None,
}

impl Certainty {
    /// Returns the certainty of values that never fall from lane to lane.
    fn of<T: Number, const W: usize>(values: &Row<T, W>, settled: T) -> Certainty {
        let (zero, one) = (T::from(0.0), T::from(1.0));
        if stored(values.0[W - 1], settled) >= one {
            Certainty::Lost
        } else if stored(values.0[0], settled) <= zero {
            Certainty::Won
        } else {
            Certainty::None
        }
    }
}

/// Returns the value of the other player that is stored for a value of the mover.
#[inline(always)]
pub(super) fn stored<T: Number>(value: T, settled: T) -> T {
    let (zero, one) = (T::from(0.0), T::from(1.0));
    let others = one - value;
    if value < settled {
        one
    } else if others < settled {
        zero
    } else {
        others
    }
}

/// Stores values of the mover, ordered by the mover's lead, as values of the other player, ordered by theirs.
fn store<T: Number>(values: &[T], settled: T, cells: &mut [T]) {
    for (cell, value) in cells.iter_mut().rev().zip(values) {
        *cell = stored(*value, settled);
    }
}

/// A block of lanes from several intervals. All of them read from the same chunk.
struct MixedBlock<'a, T> {
    cells: &'a [T],
    /// The lanes of each interval, in the order of the block: at most as many as the block has.
    pending: &'a [PendingLanes],
}

impl<T: Number, const W: usize> EntryValues<T, W> for MixedBlock<'_, T> {
    /// Lanes that the intervals do not fill hold any values.
    #[inline(always)]
    fn after(&self, nth: usize, _: Entry) -> Row<T, W> {
        // Each interval writes a full row. The lanes beyond its own belong to the next one, or to none.
        let mut block = [[T::from(0.0); W]; 2];
        let mut first = 0;
        for PendingLanes { curves, start, lanes, .. } in self.pending {
            let row: Row<T, W> = curves[nth].row(self.cells, *start);
            block.as_flattened_mut()[first..first + W].copy_from_slice(&row.0);
            first += lanes;
        }
        Row(block[0])
    }
}
