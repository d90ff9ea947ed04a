//! `reach:S`: the best chance of at least S points, from the stored reach curves.

use std::sync::Arc;

use super::{Strategy, TurnContext, TurnPolicy};
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::tables::ReachTable;
use crate::work::WorkError;

/// Plays for the best chance of a final total of at least a target.
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
        let worth = |entry: Entry| {
            let next = own.after(game, entry);
            let needed = i32::from(self.target) - i32::from(next.total);
            f64::from(self.table.curve(next.state(game)).at(needed))
        };
        Ok(Box::new(TurnPlan::new(
            game,
            own.filled,
            game.rules().rolls(),
            TieTolerance::SinglePrecision,
            worth,
        )))
    }
}
