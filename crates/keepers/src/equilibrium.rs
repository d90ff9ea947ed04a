//! The symmetric equilibrium of a blind tournament, which Perkins leaves open: a way to play for all, against
//! which nobody gains by playing differently.
//!
//! Fictitious play over distributions of final scores: round after round the best response to the
//! average so far is found and averaged in. Nobody sees the others, so all that matters about them is how
//! their final scores are distributed; the average is a player who draws one of the responses before the
//! game. Response k counts k times as much as the first, so that the early ones, which answer opponents
//! that nobody plays any more, fade away.

use crate::card::Card;
use crate::evaluate::{Statistics, evaluate_utility};
use crate::game::Game;
use crate::solve::{Progress, best_utility};
use crate::tournament::{Ties, expected_worth, win_chance};

/// Fictitious play on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// How many opponents each player has.
    pub opponents: u32,
    /// What equal best scores are worth.
    pub ties: Ties,
    /// The distribution of final scores of everybody that the last round answered: at first of the best
    /// expected score, then the average of all responses but the last.
    pub average: Vec<f64>,
    /// What was found so far.
    pub rounds: Vec<Round>,
}

/// One round: the best response to the average so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The chance of winning when playing like all the others.
    pub own: f64,
    /// The chance of winning with the best response.
    pub best: f64,
    /// The distribution of final scores of the response.
    pub response: Vec<f64>,
}

impl Round {
    /// How much a best response still gains.
    pub fn gap(&self) -> f64 {
        (self.best - self.own).max(0.0)
    }

    /// The same as a share of the own chance.
    pub fn advantage(&self) -> f64 {
        if self.own > 0.0 { self.gap() / self.own } else { 0.0 }
    }
}

impl Equilibrium {
    /// Starts with everybody playing for the best expected score, whose final scores have this
    /// distribution.
    pub fn new(opponents: u32, ties: Ties, expected: &Statistics) -> Equilibrium {
        Equilibrium { opponents, ties, average: expected.probability.clone(), rounds: Vec::new() }
    }

    /// What each final score is worth against the average.
    pub fn worth(&self) -> Vec<f64> {
        win_chance(&self.average, self.opponents, self.ties)
    }

    /// Averages in the response of the round before, and finds the best response to that. `solving` and
    /// `following` are told how far the two halves of the work are.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Card, Game, Rules, Store, equilibrium::Equilibrium, evaluate::evaluate_expected, tournament::Ties};
    /// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
    /// let expected = evaluate_expected(&Store::none().expected(&game), &Card::empty(&game), &|_, _| ());
    /// let mut play = Equilibrium::new(10, Ties::Share, &expected);
    /// (0..2).for_each(|_| play.round(&game, &|_, _| (), &|_, _| ()));
    /// assert!(play.rounds[1].gap() < play.rounds[0].gap() / 10.0);
    /// // What is reported of the last round is true of the average.
    /// let own = keepers::tournament::expected_worth(&play.average, &play.worth());
    /// assert_eq!(own, play.rounds[1].own);
    /// ```
    pub fn round(&mut self, game: &Game, solving: Progress<'_>, following: Progress<'_>) {
        self.average_in();
        let worth = self.worth();
        let table = best_utility(game, &Card::empty(game), &worth, solving);
        let response = evaluate_utility(game, &table, following).probability;
        let own = expected_worth(&self.average, &worth);
        self.rounds.push(Round { own, best: table.value(), response });
    }

    /// Response k of n has the weight k / (1 + ... + n).
    fn average_in(&mut self) {
        let Some(Round { response, .. }) = self.rounds.last() else { return };
        let share = 2.0 / (self.rounds.len() as f64 + 1.0);
        let len = self.average.len().max(response.len());
        self.average.resize(len, 0.0);
        for (score, p) in self.average.iter_mut().enumerate() {
            *p += share * (response.get(score).copied().unwrap_or(0.0) - *p);
        }
    }
}
