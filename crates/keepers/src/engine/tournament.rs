//! Blind tournaments: the strategies that win against a field, and the equilibrium.

use std::sync::Arc;

use super::Engine;
use super::error::Error;
use super::goal::Goal;
use crate::analysis::equilibrium::Equilibrium;
use crate::analysis::evaluate::{Statistics, percentile};
use crate::analysis::tournament::{Ties, best_of, expected_utility, mixture, win_probability};
use crate::game::Game;
use crate::game::card::Card;
use crate::solve;

/// The strategies that win a blind tournament, by the number of opponents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TournamentResult {
    /// By the number of opponents.
    pub sizes: Vec<TournamentSize>,
    /// The strategy with the best expected score.
    pub expected: Arc<Statistics>,
}

/// The best strategy against one number of opponents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TournamentSize {
    /// How many opponents.
    pub opponents: u32,
    /// The best probability of winning.
    pub win: f64,
    /// The probability of winning with the best expected score.
    pub win_if_expected: f64,
    /// By how much the first is larger than the second: 0.7 is 70 %.
    pub advantage: f64,
    /// The median of the best opponent's score.
    pub median_to_beat: usize,
    /// The probability of winning with each final score.
    pub utility: Vec<f64>,
    /// The distribution of the best opponent's score.
    pub to_beat: Vec<f64>,
    /// What the best strategy gets.
    pub statistics: Statistics,
}

/// How an equilibrium is looked for.
#[derive(Clone, Copy, Debug)]
pub struct EquilibriumRules {
    /// How many opponents each player has.
    pub opponents: u32,
    /// What equal best scores are worth.
    pub ties: Ties,
    /// Stop when a best response gains no more than this share of everybody's probability of winning.
    pub gap: f64,
    /// Stop after this many rounds.
    pub rounds: usize,
    /// Start again instead of continuing what an earlier call has left in the store.
    pub afresh: bool,
}

impl Engine<'_> {
    /// The distribution of final scores of opponents who play for goals, each with its share.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn field(&self, game: &Game, kinds: &[(f64, Goal)]) -> Result<Vec<f64>, Error> {
        let empty = Card::empty(game);
        let scores = |(share, goal): &(f64, Goal)| -> Result<(f64, Vec<f64>), Error> {
            Ok((*share, self.distribution(&empty, goal)?.0.probability.clone()))
        };
        Ok(mixture(&kinds.iter().map(scores).collect::<Result<Vec<_>, _>>()?))
    }

    /// Finds the strategies that win a blind tournament against a field whose final scores have this distribution.
    ///
    /// # Errors
    /// If tables are too large, or if the call is cancelled.
    pub fn tournament(
        &self,
        game: &Game,
        field: &[f64],
        sizes: &[u32],
        ties: Ties,
    ) -> Result<TournamentResult, Error> {
        let empty = Card::empty(game);
        let expected = self.expected_statistics(game)?;
        let one = |&opponents: &u32| -> Result<TournamentSize, Error> {
            let utility = win_probability(field, opponents, ties);
            let best = self.utility_table(&empty, &utility)?;
            let statistics = self.utility_statistics(&best, &empty)?;
            let win = best.table.get(empty.state(), 0);
            let win_if_expected = expected_utility(&expected.probability, &utility);
            let to_beat = best_of(field, opponents);
            Ok(TournamentSize {
                opponents,
                win,
                win_if_expected,
                // If nobody can win against that many, there is no advantage either.
                advantage: if win_if_expected > 0.0 { win / win_if_expected - 1.0 } else { 0.0 },
                median_to_beat: percentile(&to_beat, 0.5),
                utility,
                to_beat,
                statistics,
            })
        };
        let sizes = sizes.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        Ok(TournamentResult { sizes, expected })
    }

    /// Looks for the equilibrium of a blind tournament, in which everybody plays best against all the others. Each round
    /// is kept in the store, so that a call that is cancelled can be continued.
    ///
    /// # Errors
    /// If tables are too large, or if the call is cancelled.
    pub fn equilibrium(&self, game: &Game, rules: EquilibriumRules) -> Result<Equilibrium, Error> {
        let EquilibriumRules { opponents, ties, gap, rounds, afresh } = rules;
        let expected = self.expected_statistics(game)?;
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let cells = solve::utility_cells(game, &Card::empty(game), &counting)?;
        let bytes = cells.saturating_mul(size_of::<f64>());
        self.check_size(game, "values of all scores", bytes)?;
        let known = if afresh {
            None
        } else {
            Equilibrium::known(self.store(), game.rules(), opponents, ties, self.observer)
        };
        let mut play = Equilibrium::new(opponents, ties, &expected);
        let near = |play: &Equilibrium| play.rounds.last().is_some_and(|round| round.advantage() <= gap);
        let done = |play: &Equilibrium| play.rounds.len() >= rounds || near(play);
        // Only as many stored rounds are used as this call would play itself: the answer does not depend on the store.
        if let Some(known) = known {
            play.replay(known.rounds, done);
            let rounds = play.rounds.len();
            self.observer.notice(&format!(
                "continuing after {rounds} {} with {opponents} opponents",
                if rounds == 1 { "round" } else { "rounds" }
            ));
        }
        while !done(&play) {
            let _reserved = self.reserve(bytes)?;
            play.round(game, self.observer)?;
            play.keep(self.store(), game.rules(), self.observer)?;
            let (nth, gain) = (play.rounds.len(), play.rounds[play.rounds.len() - 1].advantage());
            self.observer.notice(&format!("round {nth}: a best response gains {:.4} %", 100.0 * gain));
        }
        Ok(play)
    }
}
