//! Questions about one player: values, advice, odds, exact statistics, puzzles, and the two-player count.

use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::{Goal, ToGoal};
use crate::analysis::advise::{Advice, advise};
use crate::analysis::evaluate::{
    ChosenAction, Statistics, evaluate_expected_after, evaluate_utility, evaluate_utility_after,
};
use crate::analysis::kernel_speed::seconds_per_turn;
use crate::analysis::puzzle::{Difficulty, Puzzle, puzzle};
use crate::analysis::score_odds::ScoreOdds;
use crate::analysis::value::{ReachValue, UtilityValue, ValueFunction};
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Action;
use crate::solve::{self, TwoPlayerCount, count_two_player_game};

impl Engine<'_> {
    /// The value function of a goal, for a card and all that follow from it.
    ///
    /// # Errors
    /// If a target is out of reach, if a table is too large, or if the call is cancelled.
    pub fn value_function(
        &self,
        card: &Card,
        goal: &impl ToGoal,
    ) -> Result<Box<dyn ValueFunction + Send + Sync>, Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        Ok(match goal {
            Goal::Score => Box::new(self.expected_table(game)?),
            Goal::Target(target) => {
                let table = self.reach_for(card, *target)?;
                Box::new(ReachValue { table, target: *target })
            }
            Goal::Utility(utility) => Box::new(self.utility_table(card, utility)?),
        })
    }

    /// What a card is worth before its next turn.
    ///
    /// # Errors
    /// As [`Engine::value_function`].
    pub fn value(&self, card: &Card, goal: &impl ToGoal) -> Result<f64, Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        Ok(self.value_function(card, goal)?.value(card))
    }

    /// Ranks every choice after a roll.
    ///
    /// # Errors
    /// As [`Engine::value_function`], or if there is no turn left to play.
    pub fn advise(
        &self,
        card: &Card,
        roll: Roll,
        rolls_left: u8,
        goal: &impl ToGoal,
    ) -> Result<Advice, Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        let value_fn = self.value_function(card, goal)?;
        Ok(advise(&*value_fn, card, roll, rolls_left)?)
    }

    /// Returns, for every final score, the best probability of reaching it from a card. Each score has its own best
    /// strategy.
    ///
    /// The first call for a game solves its reach curves: for Yahtzee, about half a minute on two cores and 0.8 GB.
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let odds = engine.reach(&game.empty_card())?;
    /// assert!(odds.at_least(0) == 1.0 && odds.at_least(170) > odds.at_least(171));
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn reach(&self, card: &Card) -> Result<ScoreOdds, Error> {
        Ok(ScoreOdds::new(self.reach_table(card.game())?.of(card).probabilities(card)))
    }

    /// Returns, for every final score, the best probability of reaching it after a roll with some rolls left.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn reach_after(&self, card: &Card, roll: Roll, rolls_left: u8) -> Result<ScoreOdds, Error> {
        let table = self.reach_table(card.game())?;
        Ok(ScoreOdds::new(table.probabilities_after(card, &roll, rolls_left)))
    }

    /// The best probability of each final score from a card, solved now in double precision.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn precise_reach(&self, card: &Card) -> Result<ScoreOdds, Error> {
        let game = card.game();
        let bytes = self.check_reach_size(game, "precise reach curves", size_of::<f64>())?;
        let _reserved = self.reserve(bytes)?;
        let name = game.rules().name();
        let work = self.work(format!("solving {name} for every score, precisely"));
        let curves = solve::reach_curves_f64(game, &work)?;
        Ok(ScoreOdds::new(curves.curve(card.state()).probabilities(card)))
    }

    /// The exact statistics of a goal's best strategy from a card on, and the value of the goal.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn distribution(&self, card: &Card, goal: &impl ToGoal) -> Result<(Arc<Statistics>, f64), Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        match goal.utility(game, card)? {
            None if *card == Card::empty(game) => {
                let statistics = self.expected_statistics(game)?;
                Ok((statistics, self.expected_table(game)?.start()))
            }
            None => {
                let statistics = self.score_statistics(card)?;
                Ok((Arc::new(statistics), self.expected_table(game)?.value(card)))
            }
            Some(utility) => {
                let best = self.utility_table(card, &utility)?;
                let statistics = self.utility_statistics(&best, card)?;
                Ok((Arc::new(statistics), best.value(card)))
            }
        }
    }

    /// The exact statistics of the strategy with the best expected utility, from a card on.
    pub(super) fn utility_statistics(&self, best: &UtilityValue, card: &Card) -> Result<Statistics, Error> {
        let bytes = self.check_statistics_size(card)?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work("following the strategy for the utility of scores");
        Ok(evaluate_utility(&best.game, &best.table, card, &work)?)
    }

    /// For each of several choices with one card: what it is worth, and the exact statistics if the turn and the game
    /// are then played for the goal.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn outlooks(
        &self,
        card: &Card,
        (roll, rolls_left): (Roll, u8),
        actions: &[Action],
        goal: &impl ToGoal,
    ) -> Result<Vec<(f64, Statistics)>, Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        let utility = goal.utility(game, card)?;
        let work = |nth: usize| {
            let name = game.rules().name();
            self.work(format!("following choice {} of {} in {name}", nth + 1, actions.len()))
        };
        let chosen = |&action: &Action| ChosenAction { card, rolls_left, action };
        let bytes = self.check_statistics_size(card)?;
        match utility {
            None => {
                let table = self.expected_table(game)?;
                let advice = advise(&table, card, roll, rolls_left)?;
                let _reserved = self.reserve(bytes)?;
                let one = |(nth, action): (usize, &Action)| {
                    let statistics = evaluate_expected_after(&table, &chosen(action), &work(nth))?;
                    Ok((value_of(&advice, &table, card, action), statistics))
                };
                actions.iter().enumerate().map(one).collect()
            }
            Some(utility) => {
                let best = self.utility_table(card, &utility)?;
                let advice = advise(&*best, card, roll, rolls_left)?;
                let _reserved = self.reserve(bytes)?;
                let one = |(nth, action): (usize, &Action)| {
                    let statistics = evaluate_utility_after(&best, &chosen(action), &work(nth))?;
                    Ok((value_of(&advice, &*best, card, action), statistics))
                };
                actions.iter().enumerate().map(one).collect()
            }
        }
    }

    /// A position with a real decision: the same seed gives the same position.
    ///
    /// # Errors
    /// If the game has no such decision, if its table is too large, or if the call is cancelled.
    pub fn puzzle(&self, game: &Game, seed: u64, difficulty: Difficulty) -> Result<Puzzle, Error> {
        let table = self.expected_table(game)?;
        let work = self.work("looking for a puzzle");
        puzzle(&table, seed, difficulty, &work)?.ok_or(Error::NoPuzzle)
    }

    /// Counts the states of the two-player game, and measures how long a turn takes on one core of this machine, by the
    /// number of open boxes.
    ///
    /// # Errors
    /// If the call is cancelled, or if there is not enough memory.
    pub fn two_player_count(&self, game: &Game) -> Result<(TwoPlayerCount, Vec<f64>), Error> {
        const MEASURED_FOR: Duration = Duration::from_secs(1);
        let _reserved = self.reserve(0)?;
        let counting = self.work(format!("counting the two-player game of {}", game.rules().name()));
        let size = count_two_player_game(game, &counting)?;
        let measuring = self.work("measuring turns");
        Ok((size, seconds_per_turn(game, MEASURED_FOR, &measuring)?))
    }

    /// Whether the expected scores of a game are in memory, so that questions about them take no time.
    pub fn has_expected(&self, game: &Game) -> bool {
        let fingerprint = *game.fingerprint();
        let known = |key: &Key, _: &crate::tables::ExpectedTable| *key == Key::Expected(fingerprint);
        self.shared.cache.find(known).is_some()
    }
}

/// What a choice is worth.
fn value_of(advice: &Advice, value_fn: &dyn ValueFunction, card: &Card, action: &Action) -> f64 {
    match action {
        Action::Score(entry) => value_fn.value(&card.with(*entry)),
        keep => {
            let found = advice.choices.iter().find(|choice| choice.action == *keep);
            found.expect("advice ranks every keep within the roll").value
        }
    }
}
