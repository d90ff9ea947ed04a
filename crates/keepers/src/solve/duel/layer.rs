//! The values of one layer of a duel: all pairs with the same number of open boxes on both cards together.
//!
//! A pair consists of a state of `mover`, the player to move, and a state of `other`, who has just moved. Its values
//! are the expected results of `other`, ordered by the lead of `other`. The layer above needs them in that form: it
//! reads the values after an entry with one load.
//!
//! The move that leads to a pair was made by `other`, so it does not change `mover`'s state. Values for a given mover
//! state are therefore read only by those pairs of the layer above in which that state belongs to `other`. They are
//! stored in one chunk per range of mover states, and a chunk is freed when its readers are done. Two layers need
//! little more memory than one.

use super::intervals::{Interval, LeadInterval, leads, undecided};
use super::side::SideState;
use crate::kernel::shifted::CurveView;
use crate::parallel::Threads;
use crate::turn::{LANES, Number, Row};
use crate::work::{Work, WorkError, reserve, zeroed};

/// The values of all pairs of a layer.
#[derive(Debug)]
pub(super) struct Layer<T, const W: usize> {
    /// The number of mover states per chunk; the last chunk may have fewer.
    pub movers_in_chunk: usize,
    pub blocks: Blocks,
    pub chunks: Vec<Chunk<T, W>>,
}

/// The states of `other`, divided into blocks that are solved one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    pub others: usize,
    /// The number of states per block; the last block may have fewer.
    pub in_block: usize,
}

/// The values of all pairs with a range of mover states. Pairs are ordered by block of `other`'s states, then by mover
/// state, then by `other`'s state.
#[derive(Debug, Default)]
pub(super) struct Chunk<T, const W: usize> {
    /// The first mover state, and the number of mover states.
    pub first: usize,
    pub movers: usize,
    /// The first state of `other`: 0 if the chunk has all of them.
    first_other: usize,
    /// The index of the first interval of each pair, then the number of intervals.
    first_interval: Vec<u32>,
    /// The location of the values of each interval of leads.
    intervals: Vec<CurveView>,
    /// A row of lost games, a row of won games, the values, and a row of padding. The system provides the pages of
    /// zeroed memory when they are first written, so memory use grows as values are computed.
    pub cells: Vec<T>,
}

/// The curves of decided games: every lead is lost, or every lead is won.
const LOST: CurveView = CurveView { offset: 0, first: 0, last: 0 };
const fn won<const W: usize>() -> CurveView {
    CurveView { offset: W, first: 0, last: 0 }
}

/// Returns the bytes that the index of a pair needs, which is allocated before solving starts.
pub(super) fn index_bytes_of(intervals: &[LeadInterval]) -> usize {
    size_of::<u32>() + intervals.len() * size_of::<CurveView>()
}

/// Returns the bytes that the values of a pair need.
pub(super) fn value_bytes_of(intervals: &[LeadInterval]) -> usize {
    intervals.iter().map(LeadInterval::cells::<LANES>).sum::<usize>() * size_of::<f64>()
}

/// Limits on the division of a layer into chunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkLimits {
    /// The largest number of chunks.
    pub max_chunks: usize,
    /// The smallest number of turns in a chunk: a few milliseconds of work.
    pub min_turns: usize,
}

impl Default for ChunkLimits {
    fn default() -> Self {
        ChunkLimits { max_chunks: 64, min_turns: 1024 }
    }
}

impl ChunkLimits {
    /// Returns the number of mover states per chunk, for a layer with `movers` mover states that needs about `turns`
    /// turns.
    pub fn movers_in_chunk(self, movers: usize, turns: usize) -> usize {
        movers.div_ceil((turns / self.min_turns).clamp(1, self.max_chunks))
    }
}

impl Blocks {
    /// Returns the number of states in the block of a state.
    #[inline(always)]
    pub fn in_block_of(&self, other: usize) -> usize {
        self.in_block.min(self.others - (other - other % self.in_block))
    }
}

impl<T: Number, const W: usize> Layer<T, W> {
    /// Allocates the values of all pairs, in chunks of `movers_in_chunk` mover states and blocks of `in_block` states
    /// of `other`.
    pub fn new(
        [movers, others]: [&[SideState]; 2],
        movers_in_chunk: usize,
        in_block: usize,
        threads: Threads,
        work: &Work<'_>,
    ) -> Result<Layer<T, W>, WorkError> {
        let chunk = |nth: usize| {
            work.check()?;
            let first = nth * movers_in_chunk;
            let movers = &movers[first..movers.len().min(first + movers_in_chunk)];
            Chunk::new((first, movers), (0, others), in_block)
        };
        let chunks = threads.try_map(0..movers.len().div_ceil(movers_in_chunk), chunk)?;
        Ok(Layer { movers_in_chunk, blocks: Blocks { others: others.len(), in_block }, chunks })
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let bytes = |chunk: &Chunk<T, W>| {
            size_of_val(&*chunk.first_interval) + size_of_val(&*chunk.intervals) + size_of_val(&*chunk.cells)
        };
        self.chunks.iter().map(bytes).sum()
    }

    /// Returns the expected result of `other` at this lead of `other`.
    pub fn get(&self, pair: (usize, usize), (mover, other): (&SideState, &SideState), lead: i32) -> T {
        let chunk = &self.chunks[pair.0 / self.movers_in_chunk];
        let curve = chunk.curve(
            chunk.pair(pair.0, pair.1, self.blocks),
            undecided(mover.to_come, other.to_come),
            (lead, lead),
        );
        let row: Row<T, W> = curve.row(&chunk.cells, lead);
        row.0[0]
    }
}

impl<T: Number, const W: usize> Chunk<T, W> {
    /// Allocates the values of some mover states and some states of `other`, each list with the index of its first
    /// state in the layer.
    pub fn new(
        (first, movers): (usize, &[SideState]),
        (first_other, others): (usize, &[SideState]),
        in_block: usize,
    ) -> Result<Chunk<T, W>, WorkError> {
        let mut offset = 2 * W;
        let (mut first_interval, mut intervals) = (Vec::new(), Vec::new());
        reserve(&mut first_interval, movers.len() * others.len() + 1)?;
        let mut found = Vec::new();
        for others in others.chunks(in_block) {
            for mover in movers {
                for other in others {
                    first_interval.push(intervals.len() as u32);
                    leads(mover, other, &mut found);
                    reserve(&mut intervals, found.len())?;
                    for interval in &found {
                        // The last full row: that of won games if there is one, else the one that starts with the last
                        // value.
                        let last =
                            interval.padding_below::<W>() + interval.len() - usize::from(!interval.won_above);
                        let first = interval.first - interval.padding_below::<W>() as i32;
                        intervals.push(CurveView { offset, first, last: last as i32 });
                        offset += interval.cells::<W>();
                    }
                }
            }
        }
        first_interval.push(intervals.len() as u32);
        intervals.shrink_to_fit();
        let mut cells = zeroed(offset + W)?;
        cells[W..2 * W].fill(T::from(1.0));
        Ok(Chunk { first, movers: movers.len(), first_other, first_interval, intervals, cells })
    }

    /// Returns the curve of a pair for the leads `first` to `last` of `other`, which must lie in one interval of leads
    /// that can occur. The result is open at leads from `least` to `most`. Outside that window the game is already won
    /// or lost.
    #[inline(always)]
    pub fn curve(&self, pair: usize, (least, most): Interval, (first, last): Interval) -> CurveView {
        if last < least {
            return LOST;
        }
        if most < first {
            return won::<W>();
        }
        let intervals = self.first_interval[pair] as usize..self.first_interval[pair + 1] as usize;
        let reaches = |interval: &&CurveView| interval.first + interval.last >= first;
        *self.intervals[intervals]
            .iter()
            .find(reaches)
            .expect("an interval holds every undecided lead that can occur")
    }

    /// Finds the intervals of leads of a pair, which [`Chunk::new`] has found before. The result is open at leads from
    /// `least` on.
    pub fn leads(&self, pair: usize, least: i32, found: &mut Vec<LeadInterval>) {
        found.clear();
        for nth in self.first_interval[pair]..self.first_interval[pair + 1] {
            let nth = nth as usize;
            let CurveView { offset, first, last } = self.intervals[nth];
            let end = self.intervals.get(nth + 1).map_or(self.cells.len() - W, |next| next.offset);
            // `first` is below `least` only if a row of lost games comes first. Without a row of won games, `last` is the
            // last cell; with one, it is the first cell of that row.
            let lost_below = first < least;
            let won_above = end - offset > last as usize + 1;
            let first = if lost_below { first + W as i32 } else { first };
            let last = first + last - i32::from(won_above) - if lost_below { W as i32 } else { 0 };
            found.push(LeadInterval { first, last, lost_below, won_above });
        }
    }

    /// Returns the index of the first cell of values.
    pub fn values_start(&self) -> usize {
        2 * W
    }

    /// Returns the index of a pair.
    #[inline(always)]
    pub fn pair(&self, mover: usize, other: usize, blocks: Blocks) -> usize {
        let other = other - self.first_other;
        let before = other - other % blocks.in_block;
        before * self.movers + (mover - self.first) * blocks.in_block_of(other) + other - before
    }

    /// Returns the index of the first cell of a pair or, if the pair has no values, of the next pair that has some.
    pub fn offset_of(&self, mover: usize, other: usize, blocks: Blocks) -> usize {
        let interval = self.first_interval[self.pair(mover, other, blocks)];
        self.intervals.get(interval as usize).map_or(self.cells.len(), |interval| interval.offset)
    }
}
