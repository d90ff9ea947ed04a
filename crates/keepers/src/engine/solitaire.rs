//! Questions about one player: values, advice, odds, exact statistics, puzzles, and the two-player count.

use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use super::cache::Key;
use super::error::EngineError;
use super::goal::Goal;
use crate::analysis::advise::{Advice, advise};
use crate::analysis::evaluate::{
    ChosenAction, Statistics, evaluate_expected_after, evaluate_utility, evaluate_utility_after,
};
use crate::analysis::kernel_speed::seconds_per_turn;
use crate::analysis::puzzle::{Difficulty, Puzzle, puzzle};
use crate::analysis::value::{ReachValue, UtilityValue, ValueFunction};
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Action;
use crate::solve::{self, TwoPlayerCount, count_two_player_game};
use crate::work::{Observer, Work};

impl Engine {
    /// The value function of a goal, for a card and all that follow from it.
    ///
    /// # Errors
    /// If a target is out of reach, if a table is too large, or if the call is cancelled.
    pub fn value_function(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<Box<dyn ValueFunction + Send + Sync>, EngineError> {
        Ok(match goal {
            Goal::Score => Box::new(self.expected_table(game, observer)?),
            Goal::Target(target) => {
                let table = self.reach_for(game, card, *target, observer)?;
                Box::new(ReachValue { table, target: *target })
            }
            Goal::Utility(utility) => Box::new(self.utility_table(game, card, utility, observer)?),
        })
    }

    /// What a card is worth before its next turn.
    ///
    /// # Errors
    /// As [`Engine::value_function`].
    pub fn value(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<f64, EngineError> {
        Ok(self.value_function(game, card, goal, observer)?.value(card))
    }

    /// Ranks every choice after a roll.
    ///
    /// # Errors
    /// As [`Engine::value_function`], or if there is no turn left to play.
    pub fn advise(
        &self,
        game: &Arc<Game>,
        card: &Card,
        roll: &Roll,
        rolls_left: u8,
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<Advice, EngineError> {
        let value_fn = self.value_function(game, card, goal, observer)?;
        Ok(advise(game, &*value_fn, card, roll, rolls_left)?)
    }

    /// The best probability of each final score from 0 on, each played for alone: from a card, or after a roll with
    /// some rolls left.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn reach(
        &self,
        game: &Arc<Game>,
        card: &Card,
        after: Option<(Roll, u8)>,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>, EngineError> {
        let table = self.reach_table(game, observer)?;
        Ok(match after {
            Some((roll, rolls_left)) => table.probabilities_after(card, &roll, rolls_left),
            None => table.of(card).probabilities(card),
        })
    }

    /// The best probability of each final score from a card, solved now in double precision.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn precise_reach(
        &self,
        game: &Arc<Game>,
        card: &Card,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>, EngineError> {
        let bytes = self.check_reach_size(game, "precise reach curves", size_of::<f64>(), observer)?;
        let _reserved = self.shared.budget.reserve(bytes, observer)?;
        let name = game.rules().name();
        let work = Work::new(observer, format!("solving {name} for every score, precisely"));
        let curves = solve::reach_curves_f64(game, &work)?;
        Ok(curves.curve(card.state(game)).probabilities(card))
    }

    /// The exact statistics of a goal's best strategy from a card on, and the value of the goal.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn distribution(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<(Arc<Statistics>, f64), EngineError> {
        match goal.utility(game, card)? {
            None if *card == Card::empty(game) => {
                let statistics = self.expected_statistics(game, observer)?;
                Ok((statistics, self.expected_table(game, observer)?.start()))
            }
            None => {
                let statistics = self.score_statistics(game, card, observer)?;
                Ok((Arc::new(statistics), self.expected_table(game, observer)?.value(card)))
            }
            Some(utility) => {
                let best = self.utility_table(game, card, &utility, observer)?;
                let statistics = self.utility_statistics(&best, card, observer)?;
                Ok((Arc::new(statistics), best.value(card)))
            }
        }
    }

    /// The exact statistics of the strategy with the best expected utility, from a card on.
    pub(super) fn utility_statistics(
        &self,
        best: &UtilityValue,
        card: &Card,
        observer: &dyn Observer,
    ) -> Result<Statistics, EngineError> {
        let bytes = self.check_statistics_size(&best.game, card, observer)?;
        let _reserved = self.shared.budget.reserve(bytes, observer)?;
        let work = Work::new(observer, "following the strategy for the utility of scores");
        Ok(evaluate_utility(&best.game, &best.table, card, &work)?)
    }

    /// For each of several choices with one card: what it is worth, and the exact statistics if the turn and the game
    /// are then played for the goal.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn outlooks(
        &self,
        game: &Arc<Game>,
        card: &Card,
        (roll, rolls_left): (&Roll, u8),
        actions: &[Action],
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<Vec<(f64, Statistics)>, EngineError> {
        let utility = goal.utility(game, card)?;
        let work = |nth: usize| {
            let name = game.rules().name();
            Work::new(observer, format!("following choice {} of {} in {name}", nth + 1, actions.len()))
        };
        let chosen = |&action: &Action| ChosenAction { card, rolls_left, action };
        let bytes = self.check_statistics_size(game, card, observer)?;
        match utility {
            None => {
                let table = self.expected_table(game, observer)?;
                let advice = advise(game, &table, card, roll, rolls_left)?;
                let _reserved = self.shared.budget.reserve(bytes, observer)?;
                let one = |(nth, action): (usize, &Action)| {
                    let statistics = evaluate_expected_after(&table, &chosen(action), &work(nth))?;
                    Ok((value_of(&advice, &table, card, action), statistics))
                };
                actions.iter().enumerate().map(one).collect()
            }
            Some(utility) => {
                let best = self.utility_table(game, card, &utility, observer)?;
                let advice = advise(game, &*best, card, roll, rolls_left)?;
                let _reserved = self.shared.budget.reserve(bytes, observer)?;
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
    pub fn puzzle(
        &self,
        game: &Arc<Game>,
        seed: u64,
        difficulty: Difficulty,
        observer: &dyn Observer,
    ) -> Result<Puzzle, EngineError> {
        let table = self.expected_table(game, observer)?;
        let work = Work::new(observer, "looking for a puzzle");
        puzzle(&table, seed, difficulty, &work)?.ok_or(EngineError::NoPuzzle)
    }

    /// Counts the states of the two-player game, and measures how long a turn takes on one core of this machine, by the
    /// number of open boxes.
    ///
    /// # Errors
    /// If the call is cancelled, or if there is not enough memory.
    pub fn two_player_count(
        &self,
        game: &Arc<Game>,
        observer: &dyn Observer,
    ) -> Result<(TwoPlayerCount, Vec<f64>), EngineError> {
        const MEASURED_FOR: Duration = Duration::from_secs(1);
        let _reserved = self.shared.budget.reserve(0, observer)?;
        let counting =
            Work::new(observer, format!("counting the two-player game of {}", game.rules().name()));
        let size = count_two_player_game(game, &counting)?;
        let measuring = Work::new(observer, "measuring turns");
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
