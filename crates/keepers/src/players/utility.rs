//! `tournament:N`, `utility:FILE`, and `reach:S` as the step that it is: the best expected worth of the final score.

use std::sync::Arc;

use super::{Plan, Seats, Sees, Standing, Strategy};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::next::NextGroups;
use crate::kernel::plan::{Equal, Plans, TurnPlan};
use crate::solve::UtilityTable;
use crate::turn::LANES;
use crate::work::WorkError;

/// Plays for the best expected worth of the final score, from the card on that the table was solved for.
pub struct Utility(pub Arc<UtilityTable>);

impl Strategy for Utility {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Result<Box<dyn Plan + 'a>, WorkError> {
        let Seats { game, .. } = *seats;
        let own = *seats.own();
        let worth = |entry: Entry| {
            let next = own.after(game, entry);
            self.0.get(next.state(game), next.total)
        };
        Ok(Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), Equal::Digits, worth)))
    }

    fn sees(&self) -> Sees<'_> {
        Sees::Points(&self.0)
    }
}

impl UtilityTable {
    /// Plans turns that start in one score state, with `own.total` points so far in the first lane and
    /// one more in each that follows.
    pub(crate) fn plan_points(&self, game: &Game, own: &Standing, plans: &mut Plans<LANES>) {
        let state = own.state(game);
        let group = game.space().group_of(state);
        let next = NextGroups::new(game, group);
        plans.start(game, own.filled);
        plans.plan(game, Equal::Digits, |entry| {
            let (to, paid) = next.state(game, group, state - group.first(), entry);
            self.load(to, usize::from(own.total + paid))
        });
    }
}
