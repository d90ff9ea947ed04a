//! What it takes to solve a duel, told before it is tried.

use super::intervals::{LeadInterval, leads};
use super::layer::{Chunks, bytes_of_places, bytes_of_values};
use super::side::SideState;
use super::{DuelError, DuelTask, Retain};
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// What it takes to solve a duel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuelCost {
    /// Pairs of score states.
    pub pairs: usize,
    /// Values: a lane for each pair and each lead that is still open. Where a player has thousands of states
    /// with the same number of open boxes, they are estimated from a sample.
    pub lanes: usize,
    /// Turns that are folded: a turn does several lanes at once. A few more may come from blocks that are
    /// not full.
    pub turns: usize,
    /// The most bytes of memory in use at a time.
    pub bytes: usize,
}

/// The same for one layer.
#[derive(Debug)]
pub(super) struct LayerCost {
    pairs: usize,
    pub lanes: usize,
    /// Bytes of where values lie: all of that is laid out before anything is worked out.
    places: usize,
    /// Bytes of values by the state of the other, and bytes of all by that of the mover: a layer is filled by
    /// the one and thrown away by the other.
    by_other: Vec<usize>,
    by_mover: Vec<usize>,
}

impl DuelTask {
    /// Pairs of score states, which is known at once.
    pub fn pairs(&self) -> usize {
        let pairs = |left| self.states(left).map(|layer| layer.states.len()).iter().product::<usize>();
        (self.lowest..=self.all_open()).map(pairs).sum()
    }

    /// What it will take to solve the position. For a large one that may take seconds to count.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn cost(&self, kept: Retain, work: &Work<'_>) -> Result<DuelCost, WorkError> {
        Ok(self.total(kept, self.layer_costs(work)?))
    }

    /// What each layer takes, from the lowest on. It is counted once.
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
                cost.bytes = cost.bytes.max(self.most_bytes(layer, below, self.frees_below(kept, left)));
            }
            below = Some(layer);
        }
        cost
    }

    /// The most bytes in use while a layer is worked out block by block.
    fn most_bytes(&self, layer: &LayerCost, below: Option<&LayerCost>, frees_below: bool) -> usize {
        let mut there = below.map_or(0, LayerCost::bytes).saturating_add(layer.places);
        let in_block = below.map_or(layer.by_other.len(), |below| below.movers_in_chunk(self.chunks));
        let mut most = there;
        let mut of_below = below.map_or(Default::default(), |below| &*below.by_mover).chunks(in_block);
        for block in layer.by_other.chunks(in_block) {
            there = there.saturating_add(block.iter().sum());
            most = most.max(there);
            if let Some(freed) = of_below.next()
                && frees_below
            {
                there = there.saturating_sub(freed.iter().sum());
            }
        }
        most
    }

    /// Refuses what would take more memory than is allowed.
    ///
    /// # Errors
    /// If it would, or if the work is cancelled.
    pub fn check_memory(&self, kept: Retain, allowed: usize, work: &Work<'_>) -> Result<(), DuelError> {
        let needed = self.cost(kept, work)?.bytes;
        if needed <= allowed { Ok(()) } else { Err(DuelError::TooLarge { needed, allowed }) }
    }
}

impl LayerCost {
    /// Counts all pairs, or a sample of them if there are too many.
    fn new([movers, others]: [&[SideState]; 2], work: &Work<'_>) -> Result<LayerCost, WorkError> {
        const LOOKED_AT: usize = 2048;
        let [movers_step, others_step] = [movers, others].map(|states| states.len().div_ceil(LOOKED_AT));
        let (mut by_other, mut by_mover) = (vec![0; others.len()], vec![0; movers.len()]);
        let (mut lanes, mut places) = (0, 0);
        let mut found = Vec::new();
        for (nth_other, other) in others.iter().enumerate().step_by(others_step) {
            work.check()?;
            for (nth_mover, mover) in movers.iter().enumerate().step_by(movers_step) {
                leads(mover, other, &mut found);
                let (of_places, of_values) = (bytes_of_places(&found), bytes_of_values(&found));
                lanes += found.iter().map(LeadInterval::len).sum::<usize>();
                places += of_places;
                by_other[nth_other] += of_values;
                by_mover[nth_mover] += of_places + of_values;
            }
        }
        // What was looked at stands for all.
        let [seen_movers, seen_others] =
            [(movers, movers_step), (others, others_step)].map(|(states, step)| states.len().div_ceil(step));
        let pairs = movers.len() * others.len();
        let share = pairs as f64 / (seen_movers * seen_others) as f64;
        let scaled = |seen: usize| if share == 1.0 { seen } else { (seen as f64 * share) as usize };
        by_other.iter_mut().chain(&mut by_mover).for_each(|bytes| *bytes = scaled(*bytes));
        Ok(LayerCost { pairs, lanes: scaled(lanes), places: scaled(places), by_other, by_mover })
    }

    /// Turns that are folded.
    fn turns(&self) -> usize {
        self.lanes.div_ceil(LANES)
    }

    /// How many states of the mover a chunk is for.
    pub fn movers_in_chunk(&self, chunks: Chunks) -> usize {
        chunks.movers_in_chunk(self.by_mover.len(), self.turns())
    }

    fn bytes(&self) -> usize {
        self.by_mover.iter().sum()
    }
}
