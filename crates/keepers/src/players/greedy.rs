//! `greedy`: maximises the points of the current turn, bonuses included.

use super::{DependsOn, Strategy, TurnContext, TurnPolicy};
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::work::WorkError;

/// A player that maximises the points of the current turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Strategy for Greedy {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let TurnContext { game, .. } = *context;
        let own = *context.own();
        let gain = |entry: Entry| f64::from(own.after(game, entry).total - own.total);
        Ok(Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), TieTolerance::Points, gain)))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::StateOnly
    }
}
