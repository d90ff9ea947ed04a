//! `human-like:B`: EMP(1) (expected match points) with random errors. Choices of nearly equal value have nearly equal
//! probabilities, and bad choices are rare (Pawlewicz, 4.2).

use std::sync::Arc;

use super::{Evaluation, LookAhead, Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::tables::ReachTable;
use crate::work::WorkError;

/// A player that makes each choice with a probability proportional to exp(-B x its loss), where the loss is the value
/// of the best choice minus its own value under EMP(1).
pub struct HumanLike {
    search: LookAhead,
    weight: f64,
}

impl HumanLike {
    /// Creates a player with the weight B. The larger B is, the more it plays like EMP(1).
    pub fn new(reach: &Arc<ReachTable>, weight: f64) -> HumanLike {
        HumanLike { search: LookAhead::new(reach, Evaluation::Emp, 1), weight }
    }

    /// Returns the EMP(1) search that provides the values.
    pub fn search(&self) -> &LookAhead {
        &self.search
    }
}

impl Strategy for HumanLike {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let value = self.search.entry_values(context)?;
        let rolls = context.game.rules().rolls();
        let plan =
            TurnPlan::new(context.game, context.own().filled, rolls, TieTolerance::DoublePrecision, &value);
        let (game, filled, weight) = (context.game, context.own().filled, self.weight);
        Ok(Box::new(Softened { game, filled, weight, plan, value: Box::new(value) }))
    }
}

struct Softened<'a> {
    game: &'a Game,
    filled: Filled,
    weight: f64,
    plan: TurnPlan,
    value: Box<dyn Fn(Entry) -> f64 + 'a>,
}

/// Returns the probability of each choice, given the values of all choices: proportional to exp(-`weight` x loss).
pub fn weights(values: &[f64], weight: f64) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let terms: Vec<f64> = values.iter().map(|value| libm::exp(weight * (value - best))).collect();
    let all: f64 = terms.iter().sum();
    terms.into_iter().map(|term| term / all).collect()
}

fn draw(values: &[f64], weight: f64, random: &mut RandomStream) -> usize {
    let mut left = random.unit();
    let shares = weights(values, weight);
    let drawn = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    // Rounding can make the sum of the probabilities less than 1, and the number drawn larger than the sum.
    drawn.unwrap_or_else(|| shares.iter().rposition(|share| *share > 0.0).unwrap_or(0))
}

impl TurnPolicy for Softened<'_> {
    fn keep(&mut self, roll: Roll, rolls_left: u8, random: &mut RandomStream) -> Keep {
        let lattice = self.game.lattice();
        let within: Vec<u16> = lattice.within(lattice.index_of_roll(&roll)).collect();
        let values: Vec<f64> =
            within.iter().map(|&keep| self.plan.keeps(rolls_left)[usize::from(keep)]).collect();
        lattice.keeps()[usize::from(within[draw(&values, self.weight, random)])]
    }

    fn enter(&mut self, roll: Roll, random: &mut RandomStream) -> Entry {
        let entries = self.game.rules().entries(self.filled, roll.dice());
        let values: Vec<f64> = entries.iter().map(|&entry| (self.value)(entry)).collect();
        entries[draw(&values, self.weight, random)]
    }
}
