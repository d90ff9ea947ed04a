//! `expected`: the best expected final score.

use std::sync::Arc;

use super::{Plan, Seats, Sees, Strategy};
use crate::game::rules::Entry;
use crate::kernel::plan::{Equal, TurnPlan};
use crate::tables::ExpectedTable;
use crate::work::WorkError;

/// Plays for the best expected final score.
pub struct Expected(pub Arc<ExpectedTable>);

impl Strategy for Expected {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Result<Box<dyn Plan + 'a>, WorkError> {
        let Seats { game, .. } = *seats;
        let own = *seats.own();
        let worth = |entry: Entry| {
            let next = own.after(game, entry);
            f64::from(next.total) + self.0.get(next.state(game))
        };
        Ok(Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), Equal::Points, worth)))
    }

    fn sees(&self) -> Sees<'_> {
        Sees::State(&self.0)
    }
}
