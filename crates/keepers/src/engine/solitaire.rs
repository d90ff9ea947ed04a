//! Engine methods about one player: values, advice, odds, exact statistics and puzzles; and the two-player count.

use std::slice;
use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use super::cache::Key;
use super::error::{Error, UTILITY_VALUES};
use super::goal::{Goal, ToGoal};
use super::tables::BestByUtility;
use crate::analysis::advise::{Advice, advise};
use crate::analysis::evaluate::{
    ChosenAction, Statistics, evaluate_expected_after, evaluate_utility, evaluate_utility_after,
};
use crate::analysis::kernel_speed::seconds_per_turn;
use crate::analysis::likeness::{Decider, Likeness, likeness};
use crate::analysis::normal::normal_approximation;
use crate::analysis::puzzle::{Difficulty, Puzzle, puzzle};
use crate::analysis::reasons::{Measure, Reason, Turn, explain};
use crate::analysis::score_odds::ScoreOdds;
use crate::analysis::theme::Theme;
use crate::analysis::value::{ReachValue, UtilityValue, ValueFunction};
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Action;
use crate::players::{DependsOn, Strategy};
use crate::solve::{self, ReachableStates, TwoPlayerCount, UtilityTable, count_two_player_game};

impl Engine<'_> {
    /// Returns the value function of a goal. It evaluates `card` and all cards that can follow from it.
    ///
    /// The first call for a goal solves the table that it needs: expected scores for [`Goal::Score`], reach curves for
    /// [`Goal::Target`], a utility table for [`Goal::Utility`]. The crate documentation lists what they cost.
    ///
    /// # Errors
    /// If the objective needs a utility or other players ([`Engine::goal`]), if the target is out of reach from the
    /// card, if a table is too large, or if the call is cancelled.
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
            Goal::Utility(utility) => match self.best_by_utility(card, utility)? {
                BestByUtility::Solved(table) => Box::new(table),
                BestByUtility::Stored(table) => Box::new(table),
            },
        })
    }

    /// Returns the value of a card before its next turn: the expected final score, the probability of reaching the
    /// target, or the expected utility.
    ///
    /// The first call for a goal solves a table ([`Engine::value_function`]).
    ///
    /// ```
    /// use keepers::{Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let value = engine.value(&game.empty_card(), &Objective::Expected)?;
    /// assert!((value - 166.988).abs() < 1e-3);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::value_function`].
    pub fn value(&self, card: &Card, goal: &impl ToGoal) -> Result<f64, Error> {
        let game = card.game();
        let goal = &goal.to_goal(self, game)?;
        match (self.value_function(card, goal), goal) {
            (Err(error @ Error::TooLarge { .. }), Goal::Utility(utility)) => {
                self.in_parts(|stores| stores.best_utility(card, utility)).ok_or(error)
            }
            (value_fn, _) => Ok(value_fn?.value(card)),
        }
    }

    /// Ranks every choice after a roll, best first: all keeps if there are rolls left, otherwise all entries.
    ///
    /// The first call for a goal solves a table ([`Engine::value_function`]); afterwards a call takes a few
    /// milliseconds.
    ///
    /// ```
    /// use keepers::{Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18")?;
    /// let advice = engine.advise(&card, game.roll("12344")?, 2, &Objective::Expected)?;
    /// assert_eq!(advice.choices[0].to_string(), "keep 1234  134.287");
    /// assert_eq!(advice.choices[0].loss, 0.0);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::value_function`], or if the card is full, or if `rolls_left` is not less than the rolls of a turn.
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

    /// Ranks every choice after a roll, as [`Engine::advise`] does, and returns up to three reasons, the most useful
    /// first: why the best choice is best or, if `chosen` loses something, why it is worse. `measure` describes the
    /// values of the goal.
    ///
    /// ```
    /// use keepers::answers::Measure;
    /// use keepers::{Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let (card, roll) = (game.card("1=2,2=4,3=9,4=12,5=15,6=18")?, game.roll("12344")?);
    /// let (_, reasons) = engine.explain(&card, (roll, 2), None, (&Objective::Expected, Measure::Points))?;
    /// assert!(reasons[0].to_string().starts_with("Keeping 1 2 3 4 plays for Little Straight ("), "{}", reasons[0]);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::advise`].
    pub fn explain(
        &self,
        card: &Card,
        (roll, rolls_left): (Roll, u8),
        chosen: Option<Action>,
        (goal, measure): (&impl ToGoal, Measure),
    ) -> Result<(Advice, Vec<Reason>), Error> {
        let goal = &goal.to_goal(self, card.game())?;
        let value_fn = self.value_function(card, goal)?;
        let turn = Turn { card, roll, rolls_left, before: value_fn.value(card), measure };
        Ok(explain(&*value_fn, &turn, chosen)?)
    }

    /// Returns the best probability of reaching each final score from a card. Each score has its own best strategy.
    ///
    /// The first call for a game solves its reach curves: for Yahtzee, about half a minute on two cores and 0.8 GB. From a
    /// card with few open boxes, only the curves that it needs are solved: 0.06 s with six.
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
        Ok(ScoreOdds::new(self.reach_table_from(slice::from_ref(card))?.of(card).probabilities(card)))
    }

    /// Returns the best probability of reaching each final score after a roll, with `rolls_left` rolls left in the
    /// turn.
    ///
    /// The first call for a game solves its reach curves ([`Engine::reach`]).
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    ///
    /// # Panics
    /// If the card is full.
    pub fn reach_after(&self, card: &Card, roll: Roll, rolls_left: u8) -> Result<ScoreOdds, Error> {
        let table = self.reach_table_from(slice::from_ref(card))?;
        Ok(ScoreOdds::new(table.probabilities_after(card, &roll, rolls_left)))
    }

    /// Returns the best probability of reaching each final score from a card, in double precision.
    ///
    /// Every call solves the curves of all states that the card can lead to, and drops them: from the empty card of
    /// Yahtzee, about 100 s on two cores and 1.5 GB.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn precise_reach(&self, card: &Card) -> Result<ScoreOdds, Error> {
        let game = card.game();
        let name = game.rules().name();
        let states = ReachableStates::from(card, &self.work(format!("counting the values of {name}")))?;
        let bytes =
            self.check_reach_size(game, &states, "double-precision reach curves", size_of::<f64>())?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work(format!("solving {name} for every score in double precision"));
        let curves = solve::reach_curves_from_f64(game, states, &work)?;
        Ok(ScoreOdds::new(curves.curve(card.state()).probabilities(card)))
    }

    /// Returns the exact statistics of the best strategy for a goal, starting from a card, and the value of the card.
    ///
    /// For [`Goal::Score`] from the empty card, the first call takes 3 s for Yahtzee on two cores, and later calls
    /// return the cached or stored statistics. From any other card, and for all other goals, every call computes the statistics
    /// again; targets and utilities need a utility table, which the first call solves.
    ///
    /// ```
    /// use keepers::{Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let (statistics, value) = engine.distribution(&game.empty_card(), &Objective::Expected)?;
    /// assert!((statistics.mean() - value).abs() < 1e-9);
    /// assert!(statistics.at_least(200) < statistics.at_least(150));
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::value_function`].
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

    /// Returns the table of MaxProbApprox (Cremers, 6.2.2): for every state and number of points so far that a card can
    /// lead to, the probability of at least `target` points if the points still to come were normally distributed, with
    /// the mean and the variance of the strategy with the best expected score. It is not cached: for Yahtzee, every call
    /// takes 5 s on two cores and 1.5 GB.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    pub fn normal_approximation(&self, card: &Card, target: u16) -> Result<Arc<UtilityTable>, Error> {
        let game = card.game();
        let table = self.expected_table(game)?;
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
        self.check_size(game, UTILITY_VALUES, bytes)?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work("approximating by normal distributions");
        Ok(Arc::new(normal_approximation(&table, card, target, &work)?))
    }

    /// Follows the best strategy for one goal from a card, and compares its decisions with those of the best strategy
    /// for another goal, weighted exactly with how often they occur.
    ///
    /// The first call for a target or a utility solves its utility table ([`Engine::value_function`]).
    ///
    /// ```
    /// use keepers::{Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0")?;
    /// let both = engine.likeness(&card, &Objective::Reach(150), &Objective::Expected)?;
    /// assert!(both.game().differs > 0.0 && both.game().loss > 0.0);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// The same as [`Engine::value_function`].
    pub fn likeness(
        &self,
        card: &Card,
        followed: &impl ToGoal,
        other: &impl ToGoal,
    ) -> Result<Likeness, Error> {
        let game = card.game();
        let followed = self.solitaire(card, &followed.to_goal(self, game)?)?;
        let other = self.solitaire(card, &other.to_goal(self, game)?)?;
        self.likeness_of(card, &*followed, &*other)
    }

    /// Follows a strategy from a card, and compares its decisions with those of another one, weighted exactly with how
    /// often they occur. Strategies that decide by their own values, such as heuristics, take part without values
    /// ([`Likeness::have_values`]).
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0")?;
    /// let [greedy, best] = ["greedy", "expected"].map(|name| engine.solitaire_player(&card, &name.parse().unwrap()));
    /// let both = engine.likeness_of(&card, &*greedy?, &*best?)?;
    /// assert_eq!(both.have_values, [false, true]);
    /// assert!(both.game().loss > 0.0);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the decisions of a strategy depend on other cards or on random numbers, if there is not enough memory, or if the
    /// call is cancelled.
    ///
    /// # Panics
    /// If a strategy was made for another game, or for a card that `card` does not follow from.
    pub fn likeness_of(
        &self,
        card: &Card,
        followed: &dyn Strategy,
        other: &dyn Strategy,
    ) -> Result<Likeness, Error> {
        let game = card.game();
        let [followed, other] = [followed, other].map(|strategy| match strategy.depends_on() {
            DependsOn::State(table) => Ok(Decider::Score(table)),
            DependsOn::Points(table) => Ok(Decider::Utility(table)),
            DependsOn::StateOnly => Ok(Decider::Fixed(strategy)),
            DependsOn::Everything => Err(Error::NotComparable),
        });
        let (followed, other) = (followed?, other?);
        let bytes = self.check_statistics_size(card)?;
        let _reserved = self.reserve(bytes)?;
        Ok(likeness(game, card, followed, other, &self.work("comparing decisions"))?)
    }

    /// Returns the exact statistics of the strategy with the best expected utility, starting from a card.
    pub(super) fn utility_statistics(&self, best: &UtilityValue, card: &Card) -> Result<Statistics, Error> {
        let bytes = self.check_statistics_size(card)?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work("following the strategy for the utility of scores");
        Ok(evaluate_utility(&best.game, &best.table, card, &work)?)
    }

    /// Returns the value of each action after a roll, and the exact statistics of the game if the goal's best strategy
    /// plays on after the action.
    ///
    /// The first call solves the table of the goal: expected scores, or a utility table for targets and utilities.
    /// Every call computes the statistics again, one pass through the rest of the game per action.
    ///
    /// # Errors
    /// The same as [`Engine::advise`].
    ///
    /// # Panics
    /// If an action keeps dice that are not in the roll, or keeps dice although no rolls are left.
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

    /// Finds a position with a close decision, in games that are played for the best expected score. Equal seeds give
    /// equal positions. The first call for a game solves its expected scores.
    ///
    /// ```
    /// use keepers::{Difficulty, Engine, Game, Objective};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let puzzle = engine.puzzle(&game, 1, Difficulty::Medium, None)?;
    /// assert_eq!(puzzle, engine.puzzle(&game, 1, Difficulty::Medium, None)?);
    /// let advice = engine.advise(&puzzle.card, puzzle.roll, puzzle.rolls_left, &Objective::Expected)?;
    /// println!("{puzzle}: {}", advice.choices[0]);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the game has no such theme, if no such decision is found in 64 games, if the table is too large, or if the call is cancelled.
    pub fn puzzle(
        &self,
        game: &Game,
        seed: u64,
        difficulty: Difficulty,
        theme: Option<Theme>,
    ) -> Result<Puzzle, Error> {
        if let Some(theme) = theme.filter(|theme| !theme.is_in(game.rules())) {
            return Err(Error::NoTheme(theme));
        }
        let table = self.expected_table(game)?;
        let work = self.work("looking for a puzzle");
        puzzle(&table, seed, (difficulty, theme), &work)?.ok_or(Error::NoPuzzle)
    }

    /// Counts the states of the two-player game, and measures the speed of this machine for about a second. Element `n`
    /// of the vector is the time, in seconds, that one core needs to fold one turn for a block of 8 lanes with `n` open
    /// boxes.
    ///
    /// # Errors
    /// If the call is cancelled, or if an allocation fails.
    pub fn two_player_count(&self, game: &Game) -> Result<(TwoPlayerCount, Vec<f64>), Error> {
        const MEASURING_TIME: Duration = Duration::from_secs(1);
        let _reserved = self.reserve(0)?;
        let counting = self.work(format!("counting the two-player game of {}", game.rules().name()));
        let size = count_two_player_game(game, &counting)?;
        let measuring = self.work("measuring turns");
        Ok((size, seconds_per_turn(game, MEASURING_TIME, &measuring)?))
    }

    /// Returns whether the expected scores of a game are in memory, so that calls that need them do not solve anything.
    pub fn has_expected(&self, game: &Game) -> bool {
        let fingerprint = *game.fingerprint();
        let known = |key: &Key, _: &crate::tables::ExpectedTable| *key == Key::Expected(fingerprint);
        self.shared.cache.find(known).is_some()
    }
}

/// Returns the value of an action. Advice before the last roll ranks only keeps, so entries are evaluated here.
fn value_of(advice: &Advice, value_fn: &dyn ValueFunction, card: &Card, action: &Action) -> f64 {
    match action {
        Action::Score(entry) => value_fn.value(&card.with(*entry)),
        keep => {
            let found = advice.choices.iter().find(|choice| choice.action == *keep);
            found.expect("advice ranks every keep within the roll").value
        }
    }
}
