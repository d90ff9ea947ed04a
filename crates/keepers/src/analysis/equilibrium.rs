//! The symmetric equilibrium of a blind tournament, which Perkins leaves open: a strategy such that, if all players use
//! it, no player gains by another strategy.
//!
//! It is approximated by fictitious play over distributions of final scores: each round finds the best response to the
//! average of the earlier responses. No player sees the other cards, so only the distribution of the opponents' final
//! scores matters. The average is the distribution of a player who draws one of the responses at random before the
//! game. Response k has k times the weight of the first, because early responses answer averages that are far from the
//! equilibrium.

use crate::analysis::evaluate::{Statistics, evaluate_utility};
use crate::analysis::tournament::{Ties, expected_utility, win_probability};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Rules;
use crate::solve::best_utility;
use crate::tables::Store;
use crate::work::{Observer, Work, WorkError};

/// The state of fictitious play: the average and all rounds so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The number of opponents of each player.
    pub opponents: u32,
    /// How a tie for the highest score counts.
    pub ties: Ties,
    /// The distribution of final scores to which the last round found the best response: in the first round that of the
    /// strategy with the best expected score, later the weighted average of all responses but the last.
    pub average: Vec<f64>,
    /// The rounds so far.
    pub rounds: Vec<Round>,
}

/// One round: the best response to the average so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The probability of winning for a player who plays like the opponents.
    pub own: f64,
    /// The probability of winning with the best response.
    pub best: f64,
    /// The distribution of final scores of the response.
    pub response: Vec<f64>,
}

impl Round {
    /// Returns how much the best response raises the probability of winning.
    pub fn gap(&self) -> f64 {
        (self.best - self.own).max(0.0)
    }

    /// Returns the gap as a share of the probability of winning for a player who plays like the opponents.
    pub fn advantage(&self) -> f64 {
        if self.own > 0.0 { self.gap() / self.own } else { 0.0 }
    }
}

impl Equilibrium {
    /// Creates the state before the first round, in which all players play for the best expected score; `expected` are
    /// the exact statistics of that strategy.
    pub fn new(opponents: u32, ties: Ties, expected: &Statistics) -> Equilibrium {
        Equilibrium { opponents, ties, average: expected.probability.clone(), rounds: Vec::new() }
    }

    /// Returns the utility of each final score: the probability of winning with it against opponents whose scores have
    /// the distribution [`Equilibrium::average`].
    pub fn utility(&self) -> Vec<f64> {
        win_probability(&self.average, self.opponents, self.ties)
    }

    /// Plays a round: adds the last response to the average, and finds the best response to the new average.
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
    /// // The last round answers the average.
    /// let own = keepers::internals::tournament::expected_utility(&play.average, &play.utility());
    /// assert_eq!(own, play.rounds[1].own);
    /// ```
    ///
    /// # Errors
    /// If the observer cancels the work, or if an allocation fails. The state is then unchanged.
    pub fn round(&mut self, game: &Game, observer: &dyn Observer) -> Result<(), WorkError> {
        let nth = self.rounds.len() + 1;
        let solving = Work::new(observer, format!("round {nth}, finding the best response"));
        let evaluating = Work::new(observer, format!("round {nth}, evaluating the best response"));
        let average = self.averaged();
        let utility = win_probability(&average, self.opponents, self.ties);
        let empty = Card::empty(game);
        let table = best_utility(game, &empty, &utility, &solving)?;
        let response = evaluate_utility(game, &table, &empty, &evaluating)?.probability;
        let own = expected_utility(&average, &utility);
        self.average = average;
        self.rounds.push(Round { own, best: table.value(), response });
        Ok(())
    }

    /// Adds rounds that were played by an earlier call, until `done` returns `true`.
    pub fn replay(&mut self, rounds: Vec<Round>, done: impl Fn(&Equilibrium) -> bool) {
        for round in rounds {
            if done(self) {
                return;
            }
            self.average = self.averaged();
            self.rounds.push(round);
        }
    }

    /// Returns the average including the response of the last round. Response k of n has the weight k / (1 + ... + n).
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

    /// Returns the stored rounds of a tournament. Returns `None` if the store has none.
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

    /// Writes the rounds to the store, so that a later call can continue. Returns the path if they were written.
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

    /// Returns all numbers in one list: the version of the encoding, the length of the average, the average, then for
    /// each round `own`, `best`, the length of the response, and the response.
    fn encode(&self) -> Vec<f64> {
        let mut numbers = vec![ENCODING, self.average.len() as f64];
        numbers.extend(&self.average);
        for Round { own, best, response } in &self.rounds {
            numbers.extend([*own, *best, response.len() as f64]);
            numbers.extend(response);
        }
        numbers
    }

    /// Reads the list that [`Equilibrium::encode`] returns. Returns `None` if it has another version or is too short.
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

/// The version of the encoding of stored rounds.
const ENCODING: f64 = 1.0;

/// Returns the name of the rounds in the store: [`STORED_PREFIX`], the number of opponents, and a letter for the ties.
fn stored_name(opponents: u32, ties: Ties) -> String {
    let ties = if ties == Ties::Share { "s" } else { "l" };
    format!("{STORED_PREFIX}{opponents}-{ties}")
}

/// The prefix of the names of stored rounds.
pub const STORED_PREFIX: &str = "eq-";
