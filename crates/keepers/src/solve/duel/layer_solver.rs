//! How the values of a layer are worked out.

use std::rc::Rc;
use std::sync::Arc;

use super::intervals::{LeadInterval, leads, undecided};
use super::layer::{Blocks, Chunk, Layer};
use super::side::{SideLayer, SideState};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::compiled::CompiledTurn;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::workspace::{EntryValues, Workspace, turn_value};
use crate::turn::{LANES, Row, Row64};
use crate::work::WorkError;

/// What is needed to work out a layer.
pub(super) struct LayerSolver<'a> {
    pub game: &'a Game,
    pub movers: &'a SideLayer,
    pub others: &'a SideLayer,
    /// For each group of the mover's states its turns written out, if that is worth it.
    pub compiled: &'a [Option<Arc<CompiledTurn>>],
    pub next: Next<'a>,
}

/// What comes after a layer.
#[derive(Clone, Copy)]
pub(super) enum Next<'a> {
    /// The layer with an open box less, and the states in it of the player who moves here.
    Layer(&'a SideLayer, &'a Layer),
    /// Nothing: both cards are full.
    End,
    /// What is not searched, only estimated.
    Beyond(&'a dyn Horizon),
}

/// What lies beyond the turns that are searched: an estimate of the result.
pub trait Horizon: Send + Sync {
    /// The points that are certain to come from a score state, and the most that can.
    fn to_come(&self, state: usize) -> (i32, i32);

    /// The expected result of a player in `state` who has just moved, against a rival in another who is to
    /// move, for each lead from `first` on.
    fn results(&self, state: usize, rival: usize, first: i32, results: &mut [f64]);
}

impl LayerSolver<'_> {
    /// Works out the pairs of a chunk in one block of the other's states. After every state of
    /// the mover, `done` receives the number of values.
    pub fn solve(
        &self,
        chunk: &mut Chunk,
        blocks: Blocks,
        block: usize,
        workspace: &mut Workspace<f64, LANES>,
        done: impl Fn(usize) -> Result<(), WorkError>,
    ) -> Result<(), WorkError> {
        let others = block * blocks.in_block..blocks.others.min((block + 1) * blocks.in_block);
        let mut intervals = Vec::new();
        for mover in chunk.first..chunk.first + chunk.movers {
            let mut turns = match self.next {
                Next::Layer(states, below) => {
                    Some(Turns::new(self, mover, (states, below, &below.chunks[block]), workspace))
                }
                Next::End | Next::Beyond(_) => None,
            };
            let mut values = 0;
            let mut offset = chunk.offset_of(mover, others.start, blocks);
            for other in others.clone() {
                leads(&self.movers.states[mover], &self.others.states[other], &mut intervals);
                for interval in &intervals {
                    let inside = offset + interval.in_front()..offset + interval.in_front() + interval.len();
                    chunk.cells[offset..inside.start].fill(0.0);
                    offset += interval.cells();
                    chunk.cells[inside.end..offset].fill(1.0);
                    match (self.next, &mut turns) {
                        (_, Some(turns)) => turns.solve(other, interval, inside.end, &mut chunk.cells),
                        (Next::Beyond(horizon), _) => {
                            let (state, rival) = (self.others.state(other), self.movers.state(mover));
                            horizon.results(state, rival, interval.first, &mut chunk.cells[inside]);
                        }
                        // Both cards are full, and nobody leads.
                        _ => chunk.cells[inside].fill(0.5),
                    }
                    values += interval.len();
                }
            }
            if let Some(turns) = &mut turns {
                turns.finish(&mut chunk.cells);
            }
            done(values)?;
        }
        Ok(())
    }
}

/// The turns of the mover in one state, against the other in any of a block.
struct Turns<'a, 'b> {
    work: &'a LayerSolver<'a>,
    /// What they lead to: all of it is in one chunk.
    chunk: &'a Chunk,
    workspace: &'b mut Workspace<f64, LANES>,
    targets: Vec<Successor>,
    /// Lanes that wait until they fill a block, whatever run they are from, and how many they are.
    rest: Vec<PendingLanes>,
    waiting: usize,
}

/// Where an entry leads.
struct Successor {
    paid: i32,
    /// The pair with the first state of the other in the chunk, and how many pairs further the next one is.
    pair: usize,
    step: usize,
    /// The points that are certain to come then, and the most that can.
    to_come: (i32, i32),
}

/// Lanes of one run that do not fill a block.
struct PendingLanes {
    /// Where the entries lead.
    curves: Rc<[CurveView]>,
    /// The lead of the mover in the first lane.
    start: i32,
    lanes: usize,
    /// The end of their cells: the mover's least lead is the other's greatest.
    end: usize,
}

impl<'a, 'b> Turns<'a, 'b> {
    /// Made ready, with the mover's states in the layer below, that layer, and the chunk of it that the block
    /// needs.
    fn new(
        work: &'a LayerSolver<'a>,
        mover: usize,
        (states, below, chunk): (&'a SideLayer, &'a Layer, &'a Chunk),
        workspace: &'b mut Workspace<f64, LANES>,
    ) -> Turns<'a, 'b> {
        let SideState { group, class, .. } = work.movers.states[mover];
        let compiled = &work.compiled[group];
        let group = &work.movers.groups[group];
        match compiled {
            Some(compiled) => workspace.prepare_compiled(compiled),
            None => workspace.start(work.game, group.group.filled, true),
        }
        let target = |&entry: &Entry| {
            let (slot, paid) = group.next.state(work.game, &group.group, class, entry);
            let state = states.places[slot] as usize;
            let pair = chunk.pair(chunk.first, state, below.blocks);
            let step = below.blocks.in_block_of(state);
            Successor { paid: paid.into(), pair, step, to_come: states.states[state].to_come }
        };
        let targets = workspace.entries().iter().map(target).collect();
        Turns { work, chunk, workspace, targets, rest: Vec::new(), waiting: 0 }
    }

    /// Works out a run of leads against the other in one of his states; its cells end at `end`.
    fn solve(&mut self, other: usize, interval: &LeadInterval, mut end: usize, cells: &mut [f64]) {
        let (work, chunk) = (self.work, self.chunk);
        let to_come = work.others.states[other].to_come;
        // After an entry the other is to move, and the mover's lead, which is the other's with the sign
        // turned, has grown by what it pays.
        let moved = |target: &Successor| {
            let pair = target.pair + (other - chunk.first) * target.step;
            let leads = (target.paid - interval.last, target.paid - interval.first);
            chunk.placed(pair, undecided(to_come, target.to_come), leads).before(target.paid)
        };
        let curves: Rc<[CurveView]> = self.targets.iter().map(moved).collect();
        let mut start = -interval.last;
        for _ in 0..interval.len() / LANES {
            let lanes = ShiftedCurves { cells: &chunk.cells, curves: &curves, start };
            let value = turn_value(work.game, &lanes, self.workspace);
            enter(&value.0, &mut cells[end - LANES..end]);
            start += LANES as i32;
            end -= LANES;
        }
        let mut lanes = interval.len() % LANES;
        while lanes > 0 {
            let some = lanes.min(LANES - self.waiting);
            self.rest.push(PendingLanes { curves: Rc::clone(&curves), start, lanes: some, end });
            self.waiting += some;
            if self.waiting == LANES {
                self.finish(cells);
            }
            start += some as i32;
            end -= some;
            lanes -= some;
        }
    }

    /// Works out the lanes that wait.
    fn finish(&mut self, cells: &mut [f64]) {
        if self.rest.is_empty() {
            return;
        }
        let value =
            turn_value(self.work.game, &MixedBlock::new(&self.chunk.cells, &self.rest), self.workspace);
        let mut values = value.0.as_slice();
        for PendingLanes { lanes, end, .. } in self.rest.drain(..) {
            let (own, others) = values.split_at(lanes);
            enter(own, &mut cells[end - lanes..end]);
            values = others;
        }
        self.waiting = 0;
    }
}

/// Enters the mover's values by his lead: what is kept are the other's, by his.
fn enter(values: &[f64], cells: &mut [f64]) {
    for (cell, value) in cells.iter_mut().rev().zip(values) {
        *cell = 1.0 - value;
    }
}

/// A block of lanes from several runs, which lead to the same cells.
struct MixedBlock<'a> {
    cells: &'a [f64],
    /// Where the entries lead from each lane, and the mover's lead.
    lanes: [(&'a [CurveView], i32); LANES],
}

impl<'a> MixedBlock<'a> {
    /// The lanes that wait. If they do not fill the block, the last one stands there again.
    fn new(cells: &'a [f64], rest: &'a [PendingLanes]) -> MixedBlock<'a> {
        let lanes_of =
            |rest: &'a PendingLanes| (rest.start..).take(rest.lanes).map(|lead| (&*rest.curves, lead));
        let mut lanes = rest.iter().flat_map(lanes_of);
        let mut last = (Default::default(), 0);
        let lanes = std::array::from_fn(|_| {
            last = lanes.next().unwrap_or(last);
            last
        });
        MixedBlock { cells, lanes }
    }
}

impl EntryValues<f64, LANES> for MixedBlock<'_> {
    #[inline(always)]
    fn after(&self, nth: usize, _: Entry) -> Row64 {
        Row(std::array::from_fn(|lane| {
            let (curves, lead) = self.lanes[lane];
            curves[nth].lane(self.cells, lead)
        }))
    }
}
