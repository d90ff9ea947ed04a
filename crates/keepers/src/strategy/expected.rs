//! `expected`: the best expected final score.

use std::sync::Arc;

use super::{Plan, Seats, Sees, Strategy};
use crate::plan::{Equal, TurnPlan};
use crate::rules::Entry;
use crate::store::ExpectedTable;

/// Plays for the best expected final score.
pub struct Expected(pub Arc<ExpectedTable>);

impl Strategy for Expected {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Box<dyn Plan + 'a> {
        let Seats { game, .. } = *seats;
        let own = *seats.own();
        let worth = |entry: Entry| {
            let next = own.after(game, entry);
            f64::from(next.total) + self.0.get(next.state(game))
        };
        Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), Equal::Points, worth))
    }

    fn sees(&self) -> Sees<'_> {
        Sees::State(&self.0)
    }
}
