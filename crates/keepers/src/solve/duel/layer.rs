//! The values of a duel with one number of open boxes on both cards together.
//!
//! A pair is the state of the player to move and that of the other. Its values are those of the
//! *other*, who has just moved, for each lead of his: that is how the turn before looks at them, so
//! what an entry is worth there is one load.

use super::side::{SideLayer, SideState};
use crate::game::Game;
use crate::rules::Entry;
use crate::solve::exit::{Bench, turn_value};
use crate::solve::moved::{MovedLanes, Placed};
use crate::turn::Row64;

/// Lanes in a block.
pub(super) const W: usize = 8;

/// Which leads of the other over the mover are worked out: from the first, so many.
///
/// All others are decided, since the leader cannot even be caught up with any more, or cannot occur
/// on the way from the first position (Pawlewicz, appendix D). What remains is hardly ever certain:
/// looking for certain results in it saves nothing (measured: at most one lane in a hundred).
pub(super) fn leads(mover: &SideState, other: &SideState) -> (i32, usize) {
    let undecided = (mover.to_come.0 - other.to_come.1, mover.to_come.1 - other.to_come.0);
    let possible = (other.so_far.0 - mover.so_far.1, other.so_far.1 - mover.so_far.0);
    let (least, most) = (undecided.0.max(possible.0), undecided.1.min(possible.1));
    (least, (most - least + 1).max(0) as usize)
}

/// The values of all pairs.
#[derive(Debug)]
pub(super) struct Layer {
    movers: usize,
    /// Where the values of each pair lie; the first and last W cells are lost and won. The pairs of one
    /// state of the other stand side by side.
    windows: Vec<Placed>,
    cells: Vec<f64>,
}

/// Some pairs that stand side by side, and their cells.
pub(super) struct Part<'a> {
    first: usize,
    windows: &'a [Placed],
    cells: &'a mut [f64],
}

impl Part<'_> {
    /// How many values it has, padding left out.
    pub fn lanes(&self) -> usize {
        self.cells.len() - self.windows.len() * 2 * W
    }
}

/// How many bytes a layer takes.
pub(super) fn bytes(pairs: usize, lanes: usize) -> usize {
    let cells = pairs.saturating_mul(2 * W).saturating_add(lanes);
    pairs.saturating_mul(size_of::<Placed>()).saturating_add(cells.saturating_mul(size_of::<f64>()))
}

impl Layer {
    /// Room for the values of all pairs.
    pub fn new(movers: &[SideState], others: &[SideState]) -> Layer {
        let mut offset = 0;
        let mut windows = Vec::with_capacity(movers.len() * others.len());
        for other in others {
            for mover in movers {
                let (least, lanes) = leads(mover, other);
                windows.push(Placed { offset, first: least - W as i32, last: (lanes + W) as i32 });
                offset += lanes + 2 * W;
            }
        }
        Layer { movers: movers.len(), windows, cells: vec![0.0; offset] }
    }

    /// The pair of two states, by their places.
    #[inline(always)]
    fn pair(&self, mover: usize, other: usize) -> usize {
        other * self.movers + mover
    }

    /// What the duel is worth to the other, who leads by so much.
    pub fn get(&self, mover: usize, other: usize, lead: i32) -> f64 {
        let row: Row64 = self.windows[self.pair(mover, other)].row(&self.cells, lead);
        row.0[0]
    }

    /// The pairs in parts of about so many cells.
    pub fn parts(&mut self, cells: usize) -> Vec<Part<'_>> {
        let mut parts = Vec::with_capacity(self.cells.len() / cells + 1);
        let mut rest = &mut self.cells[..];
        let (mut first, mut start) = (0, 0);
        for pair in 1..=self.windows.len() {
            let end = self.windows.get(pair).map_or(start + rest.len(), |window| window.offset);
            if end - start >= cells || pair == self.windows.len() {
                let (part, more) = rest.split_at_mut(end - start);
                parts.push(Part { first, windows: &self.windows[first..pair], cells: part });
                (first, start, rest) = (pair, end, more);
            }
        }
        parts
    }
}

/// What is needed to work out a layer.
pub(super) struct Work<'a> {
    pub game: &'a Game,
    /// The states of the player to move, and those that his entries lead to.
    pub movers: &'a SideLayer,
    pub others: &'a SideLayer,
    pub next: Next<'a>,
}

/// What comes after a layer.
pub(super) enum Next<'a> {
    /// The layer with an open box less, and the states of the player to move in it.
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
    /// Works out some pairs.
    pub fn solve(&self, part: Part<'_>, bench: &mut Bench<f64, W>) {
        let Part { first, windows, mut cells } = part;
        for (window, pair) in windows.iter().zip(first..) {
            let (here, more) = cells.split_at_mut(window.last as usize + W);
            cells = more;
            let (lost, rest) = here.split_at_mut(W);
            let (inside, won) = rest.split_at_mut(rest.len() - W);
            lost.fill(0.0);
            won.fill(1.0);
            match self.next {
                // Both cards are full, and nobody leads.
                Next::End => inside.fill(0.5),
                Next::Beyond(horizon) => {
                    let (mover, other) = self.pair(pair);
                    let (state, rival) = (self.others.state(other), self.movers.state(mover));
                    horizon.results(state, rival, window.first + W as i32, inside);
                }
                Next::Layer(states, below) => {
                    self.solve_pair((states, below), pair, window.first + W as i32, inside, bench);
                }
            }
        }
    }

    /// The places of the mover and of the other in a pair.
    fn pair(&self, pair: usize) -> (usize, usize) {
        (pair % self.movers.states.len(), pair / self.movers.states.len())
    }

    fn solve_pair(
        &self,
        (states, below): (&SideLayer, &Layer),
        pair: usize,
        least: i32,
        inside: &mut [f64],
        bench: &mut Bench<f64, W>,
    ) {
        if inside.is_empty() {
            return;
        }
        let (mover, other) = self.pair(pair);
        let SideState { group, class, .. } = self.movers.states[mover];
        let group = &self.movers.groups[group];
        bench.start(self.game, group.group.filled, true);
        // After an entry the other is to move, and the lead has grown by what it pays.
        let moved = |&entry: &Entry| {
            let (slot, paid) = group.next.state(self.game, &group.group, class, entry);
            below.windows[below.pair(other, states.places[slot] as usize)].before(paid.into())
        };
        let curves: Vec<Placed> = bench.entries().iter().map(moved).collect();
        // The mover's lead is the other's with the sign turned, so his first lane is the last cell.
        let mut lead = -(least + inside.len() as i32 - 1);
        for block in inside.rchunks_mut(W) {
            let lanes = MovedLanes { cells: &below.cells, curves: &curves, start: lead };
            let value = turn_value(self.game, &lanes, bench);
            for (cell, value) in block.iter_mut().rev().zip(value.0) {
                *cell = 1.0 - value;
            }
            lead += W as i32;
        }
    }
}
