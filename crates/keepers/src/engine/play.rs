//! Players: making them, asking them, and letting them play.

use std::sync::Arc;

use super::Engine;
use super::cache::Key;
use super::error::EngineError;
use super::goal::{Goal, check_target};
use crate::analysis::matches::{MatchRules, Outcome, PlayedGame, play_match};
use crate::analysis::measure::{Experiment, Measured, measure};
use crate::analysis::simulate::{Sample, simulate};
use crate::dice::Roll;
use crate::dice::random::RandomStream;
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::objective::Objective;
use crate::game::rules::Action;
use crate::players::{
    DuelPlayer, EXACT_TURNS, Evaluation, Expected, FelldinSood, Greedy, HumanLike, LookAhead, Player,
    REMEMBERED_BYTES, Random, Reach, Strategy, TurnContext, Utility,
};
use crate::solve;
use crate::work::{Observer, Work};

impl Engine {
    /// A player of games against others. A player for a utility is made by [`Engine::solitaire`].
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn player(
        &self,
        game: &Arc<Game>,
        player: &Player,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        Ok(match player {
            Player::DynS(depth) => self.search(game, Evaluation::DynS, *depth, observer)?,
            Player::Emp(depth) => self.search(game, Evaluation::Emp, *depth, observer)?,
            Player::Duel => self.duel_player(game, observer)?,
            Player::HumanLike(weight) => {
                Arc::new(HumanLike::new(&self.reach_table(game, observer)?, *weight))
            }
            Player::For(Objective::Reach(target)) => {
                check_target(*target, solve::max_points(game, &Card::empty(game)))?;
                self.reach_player(game, *target, observer)?
            }
            Player::For(objective) => {
                let goal = self.goal(game, objective, observer)?;
                self.solitaire(game, &Card::empty(game), &goal, observer)?
            }
            Player::Random | Player::Greedy | Player::FelldinSood => unreachable!("they need no tables"),
        })
    }

    /// A player that plays for a target even after it is out of reach.
    pub(super) fn reach_player(
        &self,
        game: &Arc<Game>,
        target: u16,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        Ok(Arc::new(Reach { table: self.reach_table(game, observer)?, target }))
    }

    /// A player that looks ahead, if there is memory for it from the first turn on.
    fn search(
        &self,
        game: &Arc<Game>,
        by: Evaluation,
        depth: u8,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        let search = LookAhead::new(&self.reach_table(game, observer)?, by, depth);
        self.check_size(game, "search ahead", search.bytes_of_the_first_turn(observer)?)?;
        Ok(Arc::new(search))
    }

    /// The player that solves duels exactly and remembers them.
    fn duel_player(
        &self,
        game: &Arc<Game>,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        let reach = self.reach_table(game, observer)?;
        let key = Key::DuelPlayer(*game.fingerprint());
        let player = self.shared.cache.get(
            &key,
            observer,
            self.shared.kept,
            |_| true,
            |_| {
                // It holds on to the curves, whether or not they are kept under their own key.
                let bytes = REMEMBERED_BYTES + reach.bytes();
                Ok((Arc::new(DuelPlayer::new(&reach, EXACT_TURNS)), bytes))
            },
        )?;
        Ok(player)
    }

    /// A player of games that are played alone for a goal, from a card on.
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn solitaire(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        Ok(match goal.utility(game, card)? {
            None => Arc::new(Expected(self.expected_table(game, observer)?)),
            Some(utility) => {
                let best = self.utility_table(game, card, &utility, observer)?;
                Arc::new(Utility(Arc::clone(&best.table)))
            }
        })
    }

    /// A player of games that are played alone from a card on, by name. A player for a utility is made by
    /// [`Engine::solitaire`].
    ///
    /// # Errors
    /// If the player plays against others, or as [`Engine::solitaire`].
    pub fn solitaire_player(
        &self,
        game: &Arc<Game>,
        card: &Card,
        player: &Player,
        observer: &dyn Observer,
    ) -> Result<Arc<dyn Strategy>, EngineError> {
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        let Player::For(objective) = player else {
            return Err(EngineError::PlaysAgainstOthers(player.to_string()));
        };
        self.solitaire(game, card, &self.goal(game, objective, observer)?, observer)
    }

    /// What a player does with a roll in a game of one or several, whose cards are given in the order of play. The same
    /// seed gives the same choice.
    ///
    /// # Errors
    /// As [`Engine::player`].
    pub fn choose(
        &self,
        game: &Arc<Game>,
        player: &Player,
        (cards, mover): (&[Card], usize),
        (roll, rolls_left): (&Roll, u8),
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Action, EngineError> {
        let strategy = match player {
            // A target may be out of reach by now, and the game goes on all the same.
            Player::For(Objective::Reach(target)) => self.reach_player(game, *target, observer)?,
            Player::For(objective) => {
                let goal = self.goal(game, objective, observer)?;
                let advice = self.advise(game, &cards[mover], roll, rolls_left, &goal, observer)?;
                return Ok(advice.choices[0].action);
            }
            player => self.player(game, player, observer)?,
        };
        let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
        let mut plan = strategy.plan(&TurnContext { game, standings: &standings, mover, observer })?;
        let lattice = game.lattice();
        let index = lattice.index_of_roll(roll) as u16;
        // Every decision of a game has random numbers of its own, whatever was decided before.
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let moment = format!("{mover} {roll} {rolls_left} {}", texts.join(";"));
        let stream = blake3::hash(moment.as_bytes());
        let stream = u64::from_le_bytes(*stream.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        let mut random = RandomStream::new(seed, stream);
        Ok(match rolls_left {
            0 => Action::Score(plan.enter(index, &mut random)),
            left => Action::Keep(lattice.keeps()[usize::from(plan.keep(index, left, &mut random))]),
        })
    }

    /// Plays many games of a player alone, from a card on.
    ///
    /// # Errors
    /// If the call is cancelled, or if there is not enough memory.
    pub fn simulate(
        &self,
        game: &Arc<Game>,
        card: &Card,
        strategy: &dyn Strategy,
        (games, seed): (u64, u64),
        observer: &dyn Observer,
    ) -> Result<Sample, EngineError> {
        let _reserved = self.shared.budget.reserve(0, observer)?;
        let work = Work::new(observer, "playing games");
        Ok(simulate(game, strategy, &Standing::of(card), games, seed, &work)?)
    }

    /// Plays a match. `watch` receives every game with its number, in any order and from any thread.
    ///
    /// # Errors
    /// If the call is cancelled, or if a player has not enough memory.
    pub fn play_match(
        &self,
        game: &Arc<Game>,
        players: &[Arc<dyn Strategy>],
        rules: MatchRules,
        watch: &(dyn Fn(u64, &PlayedGame) + Sync),
        observer: &dyn Observer,
    ) -> Result<Vec<Outcome>, EngineError> {
        let _reserved = self.shared.budget.reserve(0, observer)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        Ok(play_match(game, &players, rules, &Work::new(observer, "playing games"), watch)?)
    }

    /// Measures what players lose against perfect play in the last turns of some games: by the number of open boxes on
    /// both cards from 1 on, then by player.
    ///
    /// # Errors
    /// If tables are too large, or if the call is cancelled.
    pub fn measure(
        &self,
        game: &Arc<Game>,
        players: &[Arc<dyn Strategy>],
        experiment: Experiment,
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<Measured>>, EngineError> {
        let reach = self.reach_table(game, observer)?;
        let memory = experiment.memory.min(self.shared.budget.bytes());
        let _reserved = self.shared.budget.reserve(memory, observer)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        let experiment = Experiment { memory, ..experiment };
        Ok(measure(&reach, &players, experiment, &Work::new(observer, "judging games"))?)
    }
}

/// A player that needs no table. Returns `None` for all others.
fn without_tables(game: &Arc<Game>, player: &Player) -> Option<Arc<dyn Strategy>> {
    Some(match player {
        Player::Random => Arc::new(Random),
        Player::Greedy => Arc::new(Greedy),
        Player::FelldinSood => Arc::new(FelldinSood::new(game)),
        _ => return None,
    })
}
