//! `tournament:N` and `utility:FILE`: maximises the expected utility of the final score. `reach:S` is the special case
//! of a step function.

use std::sync::Arc;

use super::{DependsOn, Standing, Strategy, TurnContext, TurnPolicy};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::plan::{Planner, TieTolerance, TurnPlan};
use crate::kernel::transitions::Transitions;
use crate::solve::UtilityTable;
use crate::tables::StoredUtility;
use crate::turn::LANES;
use crate::work::WorkError;

/// A player that maximises the expected utility of the final score. The table must have been solved from the card at
/// the start of play, or from an earlier one.
pub struct Utility(pub Arc<UtilityTable>);

impl Strategy for Utility {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        Ok(Box::new(plan_turn(context, |state, points| self.0.get(state, points))))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Points(&self.0)
    }
}

impl Strategy for StoredUtility {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        Ok(Box::new(plan_turn(context, |state, points| self.get(state, points))))
    }
}

/// Plans a turn, given the expected utility of a state with a number of points so far.
fn plan_turn(context: &TurnContext<'_>, utility: impl Fn(usize, u16) -> f64) -> TurnPlan {
    let TurnContext { game, .. } = *context;
    let own = *context.own();
    let value = |entry: Entry| {
        let next = own.after(game, entry);
        utility(next.state(game), next.total)
    };
    TurnPlan::new(game, own.filled, game.rules().rolls(), TieTolerance::DoublePrecision, value)
}

impl UtilityTable {
    /// Plans turns that start in one score state. The first lane has `own.total` points so far, and each further lane
    /// has one point more.
    pub(crate) fn plan_points(&self, game: &Game, own: &Standing, planner: &mut Planner<LANES>) {
        let state = own.state(game);
        let group = game.space().group_of(state);
        let next = Transitions::new(game, group);
        planner.start(game, own.filled);
        planner.plan(game, TieTolerance::DoublePrecision, |entry| {
            let (to, paid) = next.state(game, group, state - group.first(), entry);
            self.load(to, usize::from(own.total + paid))
        });
    }
}
