//! `human-like:B`: EMP(1) softened, so that good choices of nearly the same value are all made now and then, and bad ones
//! hardly ever (Pawlewicz, 4.2).

use std::sync::Arc;

use super::{Evaluation, Plan, Search, Seats, Strategy};
use crate::dice::random::Chance;
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::plan::{Equal, TurnPlan};
use crate::tables::ReachTable;
use crate::work::WorkError;

/// Chooses with the weight exp(B x how much less than the best a choice is worth).
pub struct HumanLike {
    search: Search,
    weight: f64,
}

impl HumanLike {
    /// A player with the weight B; the larger, the nearer to EMP(1).
    pub fn new(reach: &Arc<ReachTable>, weight: f64) -> HumanLike {
        HumanLike { search: Search::new(reach, Evaluation::Emp, 1), weight }
    }

    /// The player that is softened.
    pub fn search(&self) -> &Search {
        &self.search
    }
}

impl Strategy for HumanLike {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Result<Box<dyn Plan + 'a>, WorkError> {
        let worth = self.search.worth(seats)?;
        let rolls = seats.game.rules().rolls();
        let plan = TurnPlan::new(seats.game, seats.own().filled, rolls, Equal::Digits, &worth);
        let (game, filled, weight) = (seats.game, seats.own().filled, self.weight);
        Ok(Box::new(Softened { game, filled, weight, plan, worth: Box::new(worth) }))
    }
}

struct Softened<'a> {
    game: &'a Game,
    filled: Filled,
    weight: f64,
    plan: TurnPlan,
    worth: Box<dyn Fn(Entry) -> f64 + 'a>,
}

/// The share with which each of some values is chosen when softened.
pub fn weights(values: &[f64], weight: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values.iter().map(|value| libm::exp(weight * (value - best))).collect();
    let all: f64 = weights.iter().sum();
    weights.into_iter().map(|one| one / all).collect()
}

fn draw(values: &[f64], weight: f64, chance: &mut Chance) -> usize {
    let mut left = chance.unit();
    let shares = weights(values, weight);
    let drawn = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    // Rounding may leave a little after the last one.
    drawn.unwrap_or_else(|| shares.iter().rposition(|share| *share > 0.0).unwrap_or(0))
}

impl Plan for Softened<'_> {
    fn keep(&mut self, roll: u16, rolls_left: u8, chance: &mut Chance) -> u16 {
        let within: Vec<u16> = self.game.lattice().within(roll.into()).collect();
        let values: Vec<f64> =
            within.iter().map(|&keep| self.plan.keeps(rolls_left)[usize::from(keep)]).collect();
        within[draw(&values, self.weight, chance)]
    }

    fn enter(&mut self, roll: u16, chance: &mut Chance) -> Entry {
        let entries = self.game.rules().entries(self.filled, &self.game.lattice().keeps()[usize::from(roll)]);
        let values: Vec<f64> = entries.iter().map(|&entry| (self.worth)(entry)).collect();
        entries[draw(&values, self.weight, chance)]
    }
}
