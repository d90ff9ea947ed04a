//! `expected`: maximises the expected final score.

use std::sync::Arc;

use super::{DependsOn, Strategy, TurnContext, TurnPolicy};
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::tables::ExpectedTable;
use crate::work::WorkError;

/// A player that maximises the expected final score.
pub struct Expected(pub Arc<ExpectedTable>);

impl Strategy for Expected {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let TurnContext { game, .. } = *context;
        let own = *context.own();
        let value = |entry: Entry| {
            let next = own.after(game, entry);
            f64::from(next.total) + self.0.get(next.state(game))
        };
        Ok(Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), TieTolerance::Points, value)))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::State(&self.0)
    }
}
