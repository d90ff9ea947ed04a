//! `reach:S`: maximises the probability of at least S points, by the reach curves.

use std::sync::Arc;

use super::{Strategy, TurnContext, TurnPolicy};
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::tables::ReachTable;
use crate::work::WorkError;

/// A player that maximises the probability of a final score of at least `target`.
pub struct Reach {
    /// The reach curves of the game.
    pub table: Arc<ReachTable>,
    /// The target.
    pub target: u16,
}

impl Strategy for Reach {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let TurnContext { game, .. } = *context;
        let own = *context.own();
        let value = |entry: Entry| {
            let next = own.after(game, entry);
            let needed = i32::from(self.target) - i32::from(next.total);
            f64::from(self.table.curve(next.state(game)).at(needed))
        };
        Ok(Box::new(TurnPlan::new(
            game,
            own.filled,
            game.rules().rolls(),
            TieTolerance::SinglePrecision,
            value,
        )))
    }
}
