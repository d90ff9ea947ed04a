//! What it takes to solve a duel, told before it is tried.

use rayon::prelude::*;

use super::layer::{BYTES_OF_PAIR, W, bytes_of_run};
use super::runs::leads;
use super::side::SideState;
use super::{DuelError, DuelTask, Kept};

/// What it takes to solve a duel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DuelCost {
    /// Pairs of score states.
    pub pairs: usize,
    /// Values: a lane for each pair and each lead that is still open. Counted in full for every
    /// position that an ordinary machine can solve, and estimated from a sample beyond.
    pub lanes: usize,
    /// Turns that are folded: a turn does several lanes at once. A few more may come from blocks that are
    /// not full.
    pub turns: usize,
    /// The most bytes of memory in use at a time.
    pub bytes: usize,
}

/// The same for one layer.
pub(super) struct LayerCost {
    pairs: usize,
    pub lanes: usize,
    /// Bytes by the state of the other, and by that of the mover: a layer is filled by the one and thrown
    /// away by the other.
    by_other: Vec<usize>,
    by_mover: Vec<usize>,
}

impl DuelTask {
    /// What it will take to solve the position.
    pub fn cost(&self, kept: Kept) -> DuelCost {
        self.total(kept, &self.layer_costs(kept))
    }

    /// What each layer takes, from the lowest on.
    pub(super) fn layer_costs(&self, kept: Kept) -> Vec<LayerCost> {
        let layers = self.lowest..self.highest(kept) + 1;
        let cost = |left| LayerCost::new(self.states(left).map(|layer| &*layer.states));
        if self.alone { layers.map(cost).collect() } else { layers.into_par_iter().map(cost).collect() }
    }

    pub(super) fn total(&self, kept: Kept, layers: &[LayerCost]) -> DuelCost {
        let mut cost = DuelCost::default();
        let mut below: &[usize] = &[];
        for (layer, left) in layers.iter().zip(self.lowest..) {
            cost.pairs += layer.pairs;
            cost.lanes += layer.lanes;
            cost.turns += layer.turns();
            // What is there of this layer after some states of the other, and of the one below before them.
            let mut remaining: usize = below.iter().sum();
            let mut filled = 0_usize;
            let mut most = remaining;
            for (nth, bytes) in layer.by_other.iter().enumerate() {
                filled = filled.saturating_add(*bytes);
                most = most.max(filled.saturating_add(remaining));
                if self.frees_below(kept, left) {
                    remaining -= below.get(nth).unwrap_or(&0);
                }
            }
            cost.bytes =
                if kept == Kept::All { cost.bytes.saturating_add(filled) } else { cost.bytes.max(most) };
            below = &layer.by_mover;
        }
        cost
    }

    /// Refuses what would take more memory than is allowed.
    ///
    /// # Errors
    /// If it would.
    pub fn check_memory(&self, kept: Kept, allowed: usize) -> Result<(), DuelError> {
        let needed = self.cost(kept).bytes;
        if needed <= allowed { Ok(()) } else { Err(DuelError::TooLarge { needed, allowed }) }
    }
}

impl LayerCost {
    /// Counts all pairs; every so many of them if there are too many to look at.
    fn new([movers, others]: [&[SideState]; 2]) -> LayerCost {
        const LOOKED_AT: usize = 2048;
        let [movers_step, others_step] = [movers, others].map(|states| states.len().div_ceil(LOOKED_AT));
        let (mut by_other, mut by_mover) = (vec![0; others.len()], vec![0; movers.len()]);
        let mut lanes = 0;
        let mut found = Vec::new();
        for (nth_other, other) in others.iter().enumerate().step_by(others_step) {
            for (nth_mover, mover) in movers.iter().enumerate().step_by(movers_step) {
                leads(mover, other, &mut found);
                let mut bytes = BYTES_OF_PAIR;
                for run in &found {
                    bytes += bytes_of_run(run);
                    lanes += run.len();
                }
                by_other[nth_other] += bytes;
                by_mover[nth_mover] += bytes;
            }
        }
        // What was looked at stands for all.
        let [seen_movers, seen_others] =
            [(movers, movers_step), (others, others_step)].map(|(states, step)| states.len().div_ceil(step));
        let pairs = movers.len() * others.len();
        let share = pairs as f64 / (seen_movers * seen_others) as f64;
        let scaled = |seen: usize| if share == 1.0 { seen } else { (seen as f64 * share) as usize };
        by_other.iter_mut().chain(&mut by_mover).for_each(|bytes| *bytes = scaled(*bytes));
        LayerCost { pairs, lanes: scaled(lanes), by_other, by_mover }
    }

    /// Turns that are folded.
    pub fn turns(&self) -> usize {
        self.lanes.div_ceil(W)
    }
}
