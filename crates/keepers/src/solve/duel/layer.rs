//! The values of a duel with one number of open boxes on both cards together.
//!
//! A pair is the state of the player to move and that of the other. Its values are those of the
//! *other*, who has just moved, for each lead of his: that is how the turn before looks at them, so
//! what an entry is worth there is one load.
//!
//! The turn before a pair is one of the other, and it leaves the mover's state as it is. So what is needed
//! for the pairs of one state of the mover here are the pairs with him as the *other* in the layer above, and
//! no more: values lie in chunks by the mover's state, and a chunk is thrown away as soon as the pairs that
//! need it are done. Two layers take little more room than one.

use super::intervals::{Interval, LeadInterval, leads, undecided};
use super::side::SideState;
use crate::kernel::shifted::CurveView;
use crate::parallel::Threads;
use crate::turn::{LANES, Row64};
use crate::work::{Work, WorkError, reserve, zeroed};

/// The values of all pairs.
#[derive(Debug)]
pub(super) struct Layer {
    /// How many states of the mover a chunk is for; the last one may have fewer.
    pub movers_in_chunk: usize,
    pub blocks: Blocks,
    pub chunks: Vec<Chunk>,
}

/// The states of the other, in blocks that are worked out one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub others: usize,
    /// How many are in a block; the last one may have fewer.
    pub in_block: usize,
}

/// The pairs of some states of the mover: block by block of the others' states, in each by the mover's state
/// and then by the other's.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Its first state, and how many it has.
    pub first: usize,
    pub movers: usize,
    /// The first run of each pair, and the end of all.
    first_run: Vec<u32>,
    /// Where the values of each run of leads lie.
    intervals: Vec<CurveView>,
    /// A row of lost games, a row of won ones, the values, and room for a row behind them. Memory that comes
    /// zeroed is taken from the system when it is first written to, so values take room as they are worked out.
    pub cells: Vec<f64>,
}

/// What is decided already.
const LOST: CurveView = CurveView { offset: 0, first: 0, last: 0 };
const WON: CurveView = CurveView { offset: LANES, first: 0, last: 0 };

/// How many bytes a pair takes before anything is worked out: where its values will lie.
pub(super) fn bytes_of_places(intervals: &[LeadInterval]) -> usize {
    size_of::<u32>() + intervals.len() * size_of::<CurveView>()
}

/// How many bytes the values of a pair take.
pub(super) fn bytes_of_values(intervals: &[LeadInterval]) -> usize {
    intervals.iter().map(LeadInterval::cells).sum::<usize>() * size_of::<f64>()
}

/// Into how large chunks the states of a player are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunks {
    /// There are no more of them than this.
    pub most: usize,
    /// No fewer turns than this are worked out in one: a few milliseconds of work.
    pub turns: usize,
}

impl Default for Chunks {
    fn default() -> Self {
        Chunks { most: 64, turns: 1024 }
    }
}

impl Chunks {
    /// How many of these states of the mover are in a chunk, if they take about so many turns together.
    pub fn movers_in_chunk(self, movers: usize, turns: usize) -> usize {
        movers.div_ceil((turns / self.turns).clamp(1, self.most))
    }
}

impl Blocks {
    /// How many states are in the block of one of them.
    #[inline(always)]
    pub fn in_block_of(&self, other: usize) -> usize {
        self.in_block.min(self.others - (other - other % self.in_block))
    }
}

impl Layer {
    /// Room for the values of all pairs, in chunks of `movers_in_chunk` states of the mover. The states of the other
    /// are worked out in blocks of `in_block`.
    pub fn new(
        [movers, others]: [&[SideState]; 2],
        movers_in_chunk: usize,
        in_block: usize,
        threads: Threads,
        work: &Work<'_>,
    ) -> Result<Layer, WorkError> {
        let chunk = |nth: usize| {
            work.check()?;
            let first = nth * movers_in_chunk;
            Chunk::new(first, &movers[first..movers.len().min(first + movers_in_chunk)], others, in_block)
        };
        let chunks = threads.try_map(0..movers.len().div_ceil(movers_in_chunk), chunk)?;
        Ok(Layer { movers_in_chunk, blocks: Blocks { others: others.len(), in_block }, chunks })
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let bytes = |chunk: &Chunk| {
            size_of_val(&*chunk.first_run) + size_of_val(&*chunk.intervals) + size_of_val(&*chunk.cells)
        };
        self.chunks.iter().map(bytes).sum()
    }

    /// What the duel is worth to the other, who leads by so much.
    pub fn get(&self, pair: (usize, usize), (mover, other): (&SideState, &SideState), lead: i32) -> f64 {
        let chunk = &self.chunks[pair.0 / self.movers_in_chunk];
        let placed = chunk.placed(
            chunk.pair(pair.0, pair.1, self.blocks),
            undecided(mover.to_come, other.to_come),
            (lead, lead),
        );
        let row: Row64 = placed.row(&chunk.cells, lead);
        row.0[0]
    }
}

impl Chunk {
    fn new(
        first: usize,
        movers: &[SideState],
        others: &[SideState],
        in_block: usize,
    ) -> Result<Chunk, WorkError> {
        let mut offset = 2 * LANES;
        let (mut first_run, mut intervals) = (Vec::new(), Vec::new());
        reserve(&mut first_run, movers.len() * others.len() + 1)?;
        let mut found = Vec::new();
        for others in others.chunks(in_block) {
            for mover in movers {
                for other in others {
                    first_run.push(intervals.len() as u32);
                    leads(mover, other, &mut found);
                    reserve(&mut intervals, found.len())?;
                    for interval in &found {
                        // The last cell that a row starts from: the won ones, or the last value.
                        let last = interval.in_front() + interval.len() - usize::from(!interval.above);
                        let first = interval.first - interval.in_front() as i32;
                        intervals.push(CurveView { offset, first, last: last as i32 });
                        offset += interval.cells();
                    }
                }
            }
        }
        first_run.push(intervals.len() as u32);
        intervals.shrink_to_fit();
        let mut cells = zeroed(offset + LANES)?;
        cells[LANES..2 * LANES].fill(1.0);
        Ok(Chunk { first, movers: movers.len(), first_run, intervals, cells })
    }

    /// Where the values of a pair lie, for some leads of the other in one run. It is decided with all but some.
    #[inline(always)]
    pub fn placed(&self, pair: usize, (least, most): Interval, (first, last): Interval) -> CurveView {
        if last < least {
            return LOST;
        }
        if most < first {
            return WON;
        }
        let intervals = self.first_run[pair] as usize..self.first_run[pair + 1] as usize;
        let reaches = |interval: &&CurveView| interval.first + interval.last >= first;
        *self.intervals[intervals]
            .iter()
            .find(reaches)
            .expect("leads that occur and are not decided are worked out")
    }

    /// The place of a pair.
    #[inline(always)]
    pub fn pair(&self, mover: usize, other: usize, blocks: Blocks) -> usize {
        let before = other - other % blocks.in_block;
        before * self.movers + (mover - self.first) * blocks.in_block_of(other) + other - before
    }

    /// Where the cells of the first run of a pair start.
    pub fn offset_of(&self, mover: usize, other: usize, blocks: Blocks) -> usize {
        let interval = self.first_run[self.pair(mover, other, blocks)];
        self.intervals.get(interval as usize).map_or(self.cells.len(), |interval| interval.offset)
    }
}
