//! The cost of a duel, counted before it is solved.

use super::intervals::{LeadInterval, leads};
use super::layer::{ChunkLimits, index_bytes_of, value_bytes_of};
use super::side::SideState;
use super::{DuelError, DuelTask, Retain};
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// The cost of solving a duel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuelCost {
    /// Pairs of score states.
    pub pairs: usize,
    /// Values: one lane per pair and undecided lead. Estimated from a sample for layers in which a player has thousands
    /// of states.
    pub lanes: usize,
    /// Turns to fold, each for a block of lanes. Blocks that are not full add a few more.
    pub turns: usize,
    /// Peak memory, in bytes.
    pub bytes: usize,
}

/// The cost of one layer.
#[derive(Debug)]
pub(super) struct LayerCost {
    pairs: usize,
    pub lanes: usize,
    /// Bytes of the index of values, which is allocated before solving starts.
    index_bytes: usize,
    /// Bytes of values for each state of the other player, and bytes of values and index for each state of the mover: a
    /// layer is filled in the order of the opponent's states and freed in the order of the mover's.
    values_by_other: Vec<usize>,
    bytes_by_mover: Vec<usize>,
}

impl DuelTask {
    /// Returns the number of pairs of score states. This is cheap: pairs are not visited.
    pub fn pairs(&self) -> usize {
        let pairs = |left| self.states(left).map(|layer| layer.states.len()).iter().product::<usize>();
        (self.lowest..=self.all_open()).map(pairs).sum()
    }

    /// Returns the cost of solving the position. Counting may take seconds for a large position.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn cost(&self, kept: Retain, work: &Work<'_>) -> Result<DuelCost, WorkError> {
        Ok(self.total(kept, self.layer_costs(work)?))
    }

    /// Returns the cost of each layer, from the lowest up. The first call counts, later calls return its result.
    pub(super) fn layer_costs(&self, work: &Work<'_>) -> Result<&[LayerCost], WorkError> {
        if let Some(known) = self.costs.get() {
            return Ok(known);
        }
        let cost = |left| LayerCost::new(self.states(left).map(|layer| &*layer.states), work);
        let costs = self.threads.try_map(self.lowest..self.all_open() + 1, cost)?;
        Ok(self.costs.get_or_init(|| costs))
    }

    pub(super) fn total(&self, kept: Retain, layers: &[LayerCost]) -> DuelCost {
        let mut cost = DuelCost::default();
        let mut below: Option<&LayerCost> = None;
        for (layer, left) in layers[..self.layers(kept)].iter().zip(self.lowest..) {
            cost.pairs += layer.pairs;
            cost.lanes += layer.lanes;
            cost.turns += layer.turns();
            if kept == Retain::Everything {
                cost.bytes = cost.bytes.saturating_add(layer.bytes());
            } else {
                cost.bytes = cost.bytes.max(self.peak_bytes(layer, below, self.frees_below(kept, left)));
            }
            below = Some(layer);
        }
        cost
    }

    /// Returns the peak memory, in bytes, while a layer is solved block by block.
    fn peak_bytes(&self, layer: &LayerCost, below: Option<&LayerCost>, frees_below: bool) -> usize {
        let mut in_use = below.map_or(0, LayerCost::bytes).saturating_add(layer.index_bytes);
        let in_block =
            below.map_or(layer.values_by_other.len(), |below| below.movers_in_chunk(self.chunk_limits));
        let mut peak = in_use;
        let mut freed_blocks =
            below.map_or(Default::default(), |below| &*below.bytes_by_mover).chunks(in_block);
        for block in layer.values_by_other.chunks(in_block) {
            in_use = in_use.saturating_add(block.iter().sum());
            peak = peak.max(in_use);
            if let Some(freed) = freed_blocks.next()
                && frees_below
            {
                in_use = in_use.saturating_sub(freed.iter().sum());
            }
        }
        peak
    }

    /// Checks that the solve needs no more than `allowed` bytes of memory.
    ///
    /// # Errors
    /// If it needs more, or if the work is cancelled.
    pub fn check_memory(&self, kept: Retain, allowed: usize, work: &Work<'_>) -> Result<(), DuelError> {
        let needed = self.cost(kept, work)?.bytes;
        if needed <= allowed { Ok(()) } else { Err(DuelError::TooLarge { needed, allowed }) }
    }
}

impl LayerCost {
    /// Counts all pairs, or a sample if there are too many.
    fn new([movers, others]: [&[SideState]; 2], work: &Work<'_>) -> Result<LayerCost, WorkError> {
        const SAMPLE: usize = 2048;
        let [movers_step, others_step] = [movers, others].map(|states| states.len().div_ceil(SAMPLE));
        let (mut values_by_other, mut bytes_by_mover) = (vec![0; others.len()], vec![0; movers.len()]);
        let (mut lanes, mut index_bytes) = (0, 0);
        let mut found = Vec::new();
        for (nth_other, other) in others.iter().enumerate().step_by(others_step) {
            work.check()?;
            for (nth_mover, mover) in movers.iter().enumerate().step_by(movers_step) {
                leads(mover, other, &mut found);
                let (index_size, value_size) = (index_bytes_of(&found), value_bytes_of(&found));
                lanes += found.iter().map(LeadInterval::len).sum::<usize>();
                index_bytes += index_size;
                values_by_other[nth_other] += value_size;
                bytes_by_mover[nth_mover] += index_size + value_size;
            }
        }
        // Scales the sample up to all pairs.
        let [sampled_movers, sampled_others] =
            [(movers, movers_step), (others, others_step)].map(|(states, step)| states.len().div_ceil(step));
        let pairs = movers.len() * others.len();
        let share = pairs as f64 / (sampled_movers * sampled_others) as f64;
        let scaled = |sampled: usize| if share == 1.0 { sampled } else { (sampled as f64 * share) as usize };
        values_by_other.iter_mut().chain(&mut bytes_by_mover).for_each(|bytes| *bytes = scaled(*bytes));
        Ok(LayerCost {
            pairs,
            lanes: scaled(lanes),
            index_bytes: scaled(index_bytes),
            values_by_other,
            bytes_by_mover,
        })
    }

    /// Returns the number of turns to fold.
    fn turns(&self) -> usize {
        self.lanes.div_ceil(LANES)
    }

    /// Returns the number of mover states per chunk.
    pub fn movers_in_chunk(&self, limits: ChunkLimits) -> usize {
        limits.movers_in_chunk(self.bytes_by_mover.len(), self.turns())
    }

    fn bytes(&self) -> usize {
        self.bytes_by_mover.iter().sum()
    }
}
