//! Engine methods about blind tournaments: the best strategies against a field of opponents, and the equilibrium.

use std::sync::Arc;

use super::Engine;
use super::error::{Error, UTILITY_VALUES};
use super::goal::Goal;
use crate::analysis::equilibrium::Equilibrium;
use crate::analysis::evaluate::{Statistics, percentile};
use crate::analysis::same_dice::{SameDice, play_on_same_dice};
use crate::analysis::tournament::{
    Opponents, Ties, best_of, best_of_field, expected_utility, mixture, win_probability,
    win_probability_among,
};
use crate::game::Game;
use crate::game::card::Card;
use crate::players::Strategy;
use crate::solve;

/// The best strategies in a blind tournament, for several numbers of opponents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TournamentResult {
    /// One result per number of opponents, in the order given.
    pub sizes: Vec<TournamentSize>,
    /// The exact statistics of the strategy with the best expected score, for comparison.
    pub expected: Arc<Statistics>,
}

/// The best strategy against one number of opponents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TournamentSize {
    /// The number of opponents.
    pub opponents: u32,
    /// The best probability of winning.
    pub win: f64,
    /// The probability of winning with the strategy that has the best expected score.
    pub win_if_expected: f64,
    /// The relative advantage, `win / win_if_expected - 1`: 0.7 means 70 % more wins.
    pub advantage: f64,
    /// The median of the highest opponent's score.
    pub median_to_beat: usize,
    /// The probability of winning with each final score.
    pub utility: Vec<f64>,
    /// The distribution of the highest opponent's score.
    pub to_beat: Vec<f64>,
    /// The exact statistics of the best strategy.
    pub statistics: Statistics,
}

/// The parameters of the search for an equilibrium.
#[derive(Clone, Copy, Debug)]
pub struct EquilibriumRules {
    /// The number of opponents of each player.
    pub opponents: u32,
    /// How a tie for the highest score counts.
    pub ties: Ties,
    /// Stop when the best response raises the probability of winning by no more than this share ([`Round::advantage`]).
    ///
    /// [`Round::advantage`]: crate::answers::Round::advantage
    pub gap: f64,
    /// Stop after this many rounds.
    pub rounds: usize,
    /// Start again instead of continuing from the rounds that an earlier call has stored.
    pub afresh: bool,
}

impl Engine<'_> {
    /// Returns the distribution of an opponent's final score in a mixed field, in which each goal is played by its
    /// share of the opponents. The cost is that of [`Engine::distribution`], once per goal.
    ///
    /// # Errors
    /// If a target is out of reach, if a table is too large, or if the call is cancelled.
    pub fn field(&self, game: &Game, kinds: &[(f64, Goal)]) -> Result<Vec<f64>, Error> {
        let empty = Card::empty(game);
        let scores = |(share, goal): &(f64, Goal)| -> Result<(f64, Vec<f64>), Error> {
            Ok((*share, self.distribution(&empty, goal)?.0.probability.clone()))
        };
        Ok(mixture(&kinds.iter().map(scores).collect::<Result<Vec<_>, _>>()?))
    }

    /// Finds the strategies that win a blind tournament most often, one for each number of opponents in `sizes`.
    /// `field` is the distribution of one opponent's final score ([`Engine::field`]); opponents are independent.
    ///
    /// Each number of opponents needs a utility table and a pass through the game: for Yahtzee, 130 s of processor time
    /// and 1.5 GB.
    ///
    /// ```
    /// use keepers::{Engine, Game, Goal, Ties};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let field = engine.field(&game, &[(1.0, Goal::Score)])?;
    /// let result = engine.tournament(&game, &field, &[10], Ties::Share)?;
    /// assert!(result.sizes[0].win > result.sizes[0].win_if_expected);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a table is too large, or if the call is cancelled.
    pub fn tournament(
        &self,
        game: &Game,
        field: &[f64],
        sizes: &[u32],
        ties: Ties,
    ) -> Result<TournamentResult, Error> {
        let expected = self.expected_statistics(game)?;
        let one = |&opponents: &u32| {
            let utility = win_probability(field, opponents, ties);
            self.tournament_size(game, opponents, utility, best_of(field, opponents), &expected)
        };
        let sizes = sizes.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        Ok(TournamentResult { sizes, expected })
    }

    /// Finds the strategy that wins a blind tournament most often against a given field: for each goal, this many
    /// opponents play for it. The result has one size.
    ///
    /// Each goal costs as much as [`Engine::distribution`], and the field as much as one number of opponents in
    /// [`Engine::tournament`].
    ///
    /// ```
    /// use keepers::{Engine, Game, Goal, Ties};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let field = [(1, Goal::Score), (1, Goal::Target(250))];
    /// let result = engine.tournament_against(&game, &field, Ties::Lose)?;
    /// assert_eq!(result.sizes[0].opponents, 2);
    /// assert!(result.sizes[0].win > result.sizes[0].win_if_expected);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a target is out of reach, if a table is too large, or if the call is cancelled.
    ///
    /// # Panics
    /// If there are more than 100 opponents.
    pub fn tournament_against(
        &self,
        game: &Game,
        field: &[(u32, Goal)],
        ties: Ties,
    ) -> Result<TournamentResult, Error> {
        let expected = self.expected_statistics(game)?;
        let empty = Card::empty(game);
        let scores = |(number, goal): &(u32, Goal)| -> Result<(u32, Arc<Statistics>), Error> {
            Ok((*number, self.distribution(&empty, goal)?.0))
        };
        let kinds = field.iter().map(scores).collect::<Result<Vec<_>, _>>()?;
        let kinds: Vec<Opponents<'_>> = kinds.iter().map(|(n, of)| (*n, &of.probability[..])).collect();
        let opponents = field.iter().map(|(number, _)| number).sum();
        let utility = win_probability_among(&kinds, ties);
        let size = self.tournament_size(game, opponents, utility, best_of_field(&kinds), &expected)?;
        Ok(TournamentResult { sizes: vec![size], expected })
    }

    /// Finds the best strategy for a utility of winning. `to_beat` is the distribution of the highest opponent's score.
    fn tournament_size(
        &self,
        game: &Game,
        opponents: u32,
        utility: Vec<f64>,
        to_beat: Vec<f64>,
        expected: &Statistics,
    ) -> Result<TournamentSize, Error> {
        let empty = Card::empty(game);
        let best = self.utility_table(&empty, &utility)?;
        let statistics = self.utility_statistics(&best, &empty)?;
        let win = best.table.get(empty.state(), 0);
        let win_if_expected = expected_utility(&expected.probability, &utility);
        Ok(TournamentSize {
            opponents,
            win,
            win_if_expected,
            // If the strategy with the best expected score never wins, the ratio is undefined.
            advantage: if win_if_expected > 0.0 { win / win_if_expected - 1.0 } else { 0.0 },
            median_to_beat: percentile(&to_beat, 0.5),
            utility,
            to_beat,
            statistics,
        })
    }

    /// Plays tournaments in which all players have the same dice: a player against given numbers of opponents of each
    /// strategy. Their scores are not independent, so whole tournaments are simulated; tournament n of a seed always has
    /// the same dice.
    ///
    /// ```
    /// use keepers::{Engine, Game, Ties};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let [best, greedy] = ["expected", "greedy"].map(|name| engine.player(&game, &name.parse().unwrap()));
    /// let same = engine.same_dice(&game, &*best?, &[(10, greedy?)], (1_000, 1), Ties::Lose)?;
    /// assert!(same.win > 0.5);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an allocation fails, or if the call is cancelled.
    ///
    /// # Panics
    /// If a strategy needs opponents.
    pub fn same_dice(
        &self,
        game: &Game,
        player: &dyn Strategy,
        field: &[(u32, Arc<dyn Strategy>)],
        (games, seed): (u64, u64),
        ties: Ties,
    ) -> Result<SameDice, Error> {
        let field: Vec<(u32, &dyn Strategy)> = field.iter().map(|(number, one)| (*number, &**one)).collect();
        let work = self.work("playing tournaments on the same dice");
        Ok(play_on_same_dice(game, player, &field, (games, seed), ties, &work)?)
    }

    /// Approximates the symmetric equilibrium of a blind tournament by fictitious play: a distribution of strategies
    /// that all players use and against which no player gains much by another strategy. Returns the rounds played.
    ///
    /// Each round costs as much as one number of opponents in [`Engine::tournament`]. Rounds are stored, so that a
    /// later call continues after a cancelled one.
    ///
    /// # Errors
    /// If a table is too large, or if the call is cancelled.
    pub fn equilibrium(&self, game: &Game, rules: EquilibriumRules) -> Result<Equilibrium, Error> {
        let EquilibriumRules { opponents, ties, gap, rounds, afresh } = rules;
        let expected = self.expected_statistics(game)?;
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let cells = solve::utility_cells(game, &Card::empty(game), &counting)?;
        let bytes = cells.saturating_mul(size_of::<f64>());
        self.check_size(game, UTILITY_VALUES, bytes)?;
        let known = if afresh {
            None
        } else {
            Equilibrium::known(self.store(), game.rules(), opponents, ties, self.observer)
        };
        let mut play = Equilibrium::new(opponents, ties, &expected);
        let near = |play: &Equilibrium| play.rounds.last().is_some_and(|round| round.advantage() <= gap);
        let done = |play: &Equilibrium| play.rounds.len() >= rounds || near(play);
        // Stored rounds are replayed only until this call would stop itself, so the result does not depend on the
        // store.
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
