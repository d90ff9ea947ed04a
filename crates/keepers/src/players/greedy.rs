//! `greedy`: the box that pays most now, and the keep that makes this turn pay most.

use super::{Plan, Seats, Strategy};
use crate::game::rules::Entry;
use crate::kernel::plan::{Equal, TurnPlan};
use crate::work::WorkError;

/// Plays for the points of the present turn alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Strategy for Greedy {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Result<Box<dyn Plan + 'a>, WorkError> {
        let Seats { game, .. } = *seats;
        let own = *seats.own();
        let gain = |entry: Entry| f64::from(own.after(game, entry).total - own.total);
        Ok(Box::new(TurnPlan::new(game, own.filled, game.rules().rolls(), Equal::Points, gain)))
    }
}
