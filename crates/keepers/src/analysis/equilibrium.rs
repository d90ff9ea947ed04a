//! The symmetric equilibrium of a blind tournament, which Perkins leaves open: a way to play for all, against
//! which nobody gains by playing differently.
//!
//! Fictitious play over distributions of final scores: round after round the best response to the
//! average so far is found and averaged in. Nobody sees the others, so all that matters about them is how
//! their final scores are distributed; the average is a player who draws one of the responses before the
//! game. Response k counts k times as much as the first, so that the early ones, which answer opponents
//! that nobody plays any more, fade away.

use crate::analysis::evaluate::{Statistics, evaluate_utility};
use crate::analysis::tournament::{Ties, expected_worth, win_probability};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Rules;
use crate::solve::best_utility;
use crate::tables::Store;
use crate::work::{Observer, Work, WorkError};

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
        win_probability(&self.average, self.opponents, self.ties)
    }

    /// Averages in the response of the round before, and finds the best response to that.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Card, Game, Rules, Silent, Store, Ties};
    /// use keepers::answers::Equilibrium;
    /// use keepers::internals::Work;
    /// use keepers::internals::evaluate::evaluate_expected;
    /// let game = Game::new(Rules::preset("yacht").unwrap());
    /// let table = Store::none().expected(&game, &Silent).unwrap();
    /// let expected = evaluate_expected(&table, &Card::empty(&game), &Work::silent()).unwrap();
    /// let mut play = Equilibrium::new(10, Ties::Share, &expected);
    /// (0..2).for_each(|_| play.round(&game, &Silent).unwrap());
    /// assert!(play.rounds[1].gap() < play.rounds[0].gap() / 10.0);
    /// // What is reported of the last round is true of the average.
    /// let own = keepers::internals::tournament::expected_worth(&play.average, &play.worth());
    /// assert_eq!(own, play.rounds[1].own);
    /// ```
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory. The rounds are then as before.
    pub fn round(&mut self, game: &Game, observer: &dyn Observer) -> Result<(), WorkError> {
        let nth = self.rounds.len() + 1;
        let solving = Work::new(observer, format!("round {nth}, finding the best response"));
        let following = Work::new(observer, format!("round {nth}, following it"));
        let average = self.averaged();
        let worth = win_probability(&average, self.opponents, self.ties);
        let empty = Card::empty(game);
        let table = best_utility(game, &empty, &worth, &solving)?;
        let response = evaluate_utility(game, &table, &empty, &following)?.probability;
        let own = expected_worth(&average, &worth);
        self.average = average;
        self.rounds.push(Round { own, best: table.value(), response });
        Ok(())
    }

    /// Takes over rounds that were played before, until `done`.
    pub fn replay(&mut self, rounds: Vec<Round>, done: impl Fn(&Equilibrium) -> bool) {
        for round in rounds {
            if done(self) {
                return;
            }
            self.average = self.averaged();
            self.rounds.push(round);
        }
    }

    /// The average with the response of the last round. Response k of n has the weight k / (1 + ... + n).
    fn averaged(&self) -> Vec<f64> {
        let mut average = self.average.clone();
        let Some(Round { response, .. }) = self.rounds.last() else { return average };
        let share = 2.0 / (self.rounds.len() as f64 + 1.0);
        average.resize(average.len().max(response.len()), 0.0);
        for (score, p) in average.iter_mut().enumerate() {
            *p += share * (response.get(score).copied().unwrap_or(0.0) - *p);
        }
        average
    }

    /// The rounds of a tournament that the store has, if it has any.
    pub fn known(
        store: &Store,
        rules: &Rules,
        opponents: u32,
        ties: Ties,
        observer: &dyn Observer,
    ) -> Option<Equilibrium> {
        let numbers = store.known_numbers(rules, &stored_name(opponents, ties), observer)?;
        Equilibrium::decode(opponents, ties, &numbers)
    }

    /// Keeps the rounds in the store, so that they can be continued. Returns the path if they were kept.
    ///
    /// # Errors
    /// If the observer cancels the work.
    pub fn keep(
        &self,
        store: &Store,
        rules: &Rules,
        observer: &dyn Observer,
    ) -> Result<Option<std::path::PathBuf>, WorkError> {
        store.keep_numbers(rules, &stored_name(self.opponents, self.ties), &self.encode(), observer)
    }

    /// All numbers in one list: the version, the average with its length, then each round.
    fn encode(&self) -> Vec<f64> {
        let mut numbers = vec![ENCODING, self.average.len() as f64];
        numbers.extend(&self.average);
        for Round { own, best, response } in &self.rounds {
            numbers.extend([*own, *best, response.len() as f64]);
            numbers.extend(response);
        }
        numbers
    }

    /// Returns `None` if the numbers are not rounds of this encoding.
    fn decode(opponents: u32, ties: Ties, numbers: &[f64]) -> Option<Equilibrium> {
        let (&version, mut rest) = numbers.split_first()?;
        let mut take = |n: f64| -> Option<Vec<f64>> {
            let (taken, left) = rest.split_at_checked(n as usize)?;
            rest = left;
            Some(taken.to_vec())
        };
        let len = take(1.0)?[0];
        let average = take(len)?;
        let mut rounds = Vec::new();
        while let Some(round) = take(3.0) {
            rounds.push(Round { own: round[0], best: round[1], response: take(round[2])? });
        }
        (version == ENCODING).then_some(Equilibrium { opponents, ties, average, rounds })
    }
}

/// The version of how rounds are stored.
const ENCODING: f64 = 1.0;

/// The name of the rounds in the store; the part before the number of opponents is [`STORED_PREFIX`].
fn stored_name(opponents: u32, ties: Ties) -> String {
    let ties = if ties == Ties::Share { "s" } else { "l" };
    format!("{STORED_PREFIX}{opponents}-{ties}")
}

/// How the names of stored rounds begin.
pub const STORED_PREFIX: &str = "eq-";
