//! What it takes to solve a duel, told before it is tried.

use super::layer::{self, W, leads};
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
    /// Turns that are folded: a turn does several lanes at once.
    pub turns: usize,
    /// The most bytes of memory in use at a time.
    pub bytes: usize,
}

impl DuelTask {
    /// What it will take to solve the position.
    pub fn cost(&self, kept: Kept) -> DuelCost {
        let mut cost = DuelCost::default();
        let mut below = 0;
        let top = if kept == Kept::Next { self.all_open().saturating_sub(1) } else { self.all_open() };
        for left in self.lowest..=top {
            let [movers, others] = self.states(left);
            let (lanes, turns) = count(&movers.states, &others.states);
            let pairs = movers.states.len() * others.states.len();
            let bytes = layer::bytes(pairs, lanes);
            cost.pairs += pairs;
            cost.lanes += lanes;
            cost.turns += turns;
            cost.bytes = match kept {
                Kept::All => cost.bytes.saturating_add(bytes),
                Kept::Turn | Kept::Next => cost.bytes.max(bytes.saturating_add(below)),
            };
            below = bytes;
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

/// The lanes and turns of all pairs; of every so many pairs if there are too many to look at.
fn count(movers: &[SideState], others: &[SideState]) -> (usize, usize) {
    const LOOKED_AT: usize = 2048;
    let [movers_step, others_step] = [movers, others].map(|states| states.len().div_ceil(LOOKED_AT));
    let (mut lanes, mut turns, mut seen) = (0, 0, 0);
    for other in others.iter().step_by(others_step) {
        for mover in movers.iter().step_by(movers_step) {
            let (_, found) = leads(mover, other);
            lanes += found;
            turns += found.div_ceil(W);
            seen += 1;
        }
    }
    let all = (movers.len() * others.len()) as f64 / f64::from(seen);
    if all == 1.0 { (lanes, turns) } else { ((lanes as f64 * all) as usize, (turns as f64 * all) as usize) }
}
