//! How the values of a layer are worked out.

use std::rc::Rc;
use std::sync::Arc;

use super::layer::{Blocks, Chunk, Layer, W};
use super::runs::{Leads, leads};
use super::side::{SideLayer, SideState};
use crate::game::Game;
use crate::rules::Entry;
use crate::solve::exit::{Bench, Lanes, turn_value};
use crate::solve::moved::{MovedLanes, Placed};
use crate::solve::short::Short;
use crate::turn::{Row, Row64};

/// What is needed to work out a layer.
pub(super) struct Work<'a> {
    pub game: &'a Game,
    pub movers: &'a SideLayer,
    pub others: &'a SideLayer,
    /// For each group of the mover's states its turns written out, if that is worth it.
    pub shorts: &'a [Option<Arc<Short>>],
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

impl Work<'_> {
    /// Works out the pairs of a chunk in one block of the other's states. `done` is told after every state of
    /// the mover how many values there were, and answers whether to go on.
    pub fn solve(
        &self,
        chunk: &mut Chunk,
        blocks: Blocks,
        block: usize,
        bench: &mut Bench<f64, W>,
        done: impl Fn(usize) -> bool,
    ) {
        let others = block * blocks.in_block..blocks.others.min((block + 1) * blocks.in_block);
        let mut runs = Vec::new();
        for mover in chunk.first..chunk.first + chunk.movers {
            let mut turns = match self.next {
                Next::Layer(states, below) => Some(Turns::new(self, mover, states, below, bench)),
                Next::End | Next::Beyond(_) => None,
            };
            let mut values = 0;
            let mut offset = chunk.offset_of(mover, others.start, blocks);
            for other in others.clone() {
                leads(&self.movers.states[mover], &self.others.states[other], &mut runs);
                for run in &runs {
                    let inside = offset + run.in_front()..offset + run.in_front() + run.len();
                    chunk.cells[offset..inside.start].fill(0.0);
                    offset += run.cells();
                    chunk.cells[inside.end..offset].fill(1.0);
                    match (self.next, &mut turns) {
                        (_, Some(turns)) => turns.solve(other, run, inside.end, &mut chunk.cells),
                        (Next::Beyond(horizon), _) => {
                            let (state, rival) = (self.others.state(other), self.movers.state(mover));
                            horizon.results(state, rival, run.first, &mut chunk.cells[inside]);
                        }
                        // Both cards are full, and nobody leads.
                        _ => chunk.cells[inside].fill(0.5),
                    }
                    values += run.len();
                }
            }
            if let Some(turns) = &mut turns {
                turns.finish(&mut chunk.cells);
            }
            if !done(values) {
                return;
            }
        }
    }
}

/// The turns of the mover in one state, against the other in any.
struct Turns<'a, 'b> {
    work: &'a Work<'a>,
    below: &'a Layer,
    /// The mover's states in the layer below.
    states: &'a SideLayer,
    bench: &'b mut Bench<f64, W>,
    /// Where each entry leads, by the place among those states, and what it pays.
    targets: Vec<(usize, i32)>,
    /// Lanes that wait until they fill a block, whatever run they are from, and how many they are.
    rest: Vec<Rest>,
    waiting: usize,
}

/// Lanes of one run that do not fill a block.
struct Rest {
    /// The chunk below, and where the entries lead in it.
    chunk: usize,
    curves: Rc<[Placed]>,
    /// The lead of the mover in the first lane.
    start: i32,
    lanes: usize,
    /// The end of their cells: the mover's least lead is the other's greatest.
    end: usize,
}

impl<'a, 'b> Turns<'a, 'b> {
    fn new(
        work: &'a Work<'a>,
        mover: usize,
        states: &'a SideLayer,
        below: &'a Layer,
        bench: &'b mut Bench<f64, W>,
    ) -> Turns<'a, 'b> {
        let SideState { group, class, .. } = work.movers.states[mover];
        let short = &work.shorts[group];
        let group = &work.movers.groups[group];
        match short {
            Some(short) => bench.start_short(short),
            None => bench.start(work.game, group.group.filled, true),
        }
        let target = |&entry: &Entry| {
            let (slot, paid) = group.next.state(work.game, &group.group, class, entry);
            (states.places[slot] as usize, i32::from(paid))
        };
        let targets = bench.entries().iter().map(target).collect();
        Turns { work, below, states, bench, targets, rest: Vec::new(), waiting: 0 }
    }

    /// Works out a run of leads against the other in one of his states; its cells end at `end`.
    fn solve(&mut self, other: usize, run: &Leads, mut end: usize, cells: &mut [f64]) {
        let (work, below, states) = (self.work, self.below, self.states);
        let chunk = below.chunk_of(other);
        // After an entry the other is to move, and the mover's lead, which is the other's with the sign
        // turned, has grown by what it pays.
        let moved = |&(state, paid): &(usize, i32)| {
            let leads = (paid - run.last, paid - run.first);
            below.placed(chunk, (other, state), (work.others, states), leads).before(paid)
        };
        let curves: Rc<[Placed]> = self.targets.iter().map(moved).collect();
        let mut start = -run.last;
        for _ in 0..run.len() / W {
            let lanes = MovedLanes { cells: &chunk.cells, curves: &curves, start };
            let value = turn_value(work.game, &lanes, self.bench);
            enter(&value.0, &mut cells[end - W..end]);
            start += W as i32;
            end -= W;
        }
        let mut lanes = run.len() % W;
        while lanes > 0 {
            let some = lanes.min(W - self.waiting);
            let chunk = below.place_of_chunk(other);
            self.rest.push(Rest { chunk, curves: Rc::clone(&curves), start, lanes: some, end });
            self.waiting += some;
            if self.waiting == W {
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
        let value = turn_value(self.work.game, &Mixed::new(self.below, &self.rest), self.bench);
        let mut values = value.0.as_slice();
        for Rest { lanes, end, .. } in self.rest.drain(..) {
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

/// A block of lanes from several runs.
struct Mixed<'a>([MixedLane<'a>; W]);

/// One of them: the chunk below, where the entries lead in it, and the mover's lead.
#[derive(Clone, Copy)]
struct MixedLane<'a> {
    cells: &'a [f64],
    curves: &'a [Placed],
    lead: i32,
}

impl<'a> Mixed<'a> {
    /// The lanes that wait. If they do not fill the block, the last one stands there again.
    fn new(below: &'a Layer, rest: &'a [Rest]) -> Mixed<'a> {
        let lanes_of = |rest: &'a Rest| {
            let lane = MixedLane { cells: &below.chunks[rest.chunk].cells, curves: &rest.curves, lead: 0 };
            (rest.start..).take(rest.lanes).map(move |lead| MixedLane { lead, ..lane })
        };
        let mut lanes = rest.iter().flat_map(lanes_of);
        let mut last = lanes.next().expect("some lane waits");
        Mixed(std::array::from_fn(|nth| {
            if nth > 0 {
                last = lanes.next().unwrap_or(last);
            }
            last
        }))
    }
}

impl Lanes<f64, W> for Mixed<'_> {
    #[inline(always)]
    fn after(&self, nth: usize, _: Entry) -> Row64 {
        Row(self.0.map(|MixedLane { cells, curves, lead }| curves[nth].lane(cells, lead)))
    }
}
