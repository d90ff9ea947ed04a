//! Players: making them, asking them, and letting them play.

use std::sync::Arc;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::{Goal, check_target};
use crate::analysis::matches::{MatchRules, Outcome, PlayedGame, play_match};
use crate::analysis::measure::{Experiment, Measured, measure};
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

impl Engine<'_> {
    /// A player of games against others. A player for a utility is made by [`Engine::solitaire`].
    ///
    /// # Errors
    /// If a target is out of reach, if tables are too large, or if the call is cancelled.
    pub fn player(&self, game: &Game, player: &Player) -> Result<Arc<dyn Strategy>, Error> {
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        Ok(match player {
            Player::DynS(depth) => self.search(game, Evaluation::DynS, *depth)?,
            Player::Emp(depth) => self.search(game, Evaluation::Emp, *depth)?,
            Player::Duel => self.duel_player(game)?,
            Player::HumanLike(weight) => Arc::new(HumanLike::new(&self.reach_table(game)?, *weight)),
            Player::For(Objective::Reach(target)) => {
                check_target(*target, solve::max_points(game, &Card::empty(game)))?;
                self.reach_player(game, *target)?
            }
            Player::For(objective) => {
                let goal = self.goal(game, objective)?;
                self.solitaire(&Card::empty(game), &goal)?
            }
            Player::Random | Player::Greedy | Player::FelldinSood => unreachable!("they need no tables"),
        })
    }

    /// A player that plays for a target even after it is out of reach.
    pub(super) fn reach_player(&self, game: &Game, target: u16) -> Result<Arc<dyn Strategy>, Error> {
        Ok(Arc::new(Reach { table: self.reach_table(game)?, target }))
    }

    /// A player that looks ahead, if there is memory for it from the first turn on.
    fn search(&self, game: &Game, by: Evaluation, depth: u8) -> Result<Arc<dyn Strategy>, Error> {
        let search = LookAhead::new(&self.reach_table(game)?, by, depth);
        self.check_size(game, "search ahead", search.bytes_of_the_first_turn(self.observer)?)?;
        Ok(Arc::new(search))
    }

    /// The player that solves duels exactly and remembers them.
    fn duel_player(&self, game: &Game) -> Result<Arc<dyn Strategy>, Error> {
        let reach = self.reach_table(game)?;
        let key = Key::DuelPlayer(*game.fingerprint());
        let player = self.remembered(
            &key,
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
    pub fn solitaire(&self, card: &Card, goal: &Goal) -> Result<Arc<dyn Strategy>, Error> {
        let game = card.game();
        Ok(match goal.utility(game, card)? {
            None => Arc::new(Expected(self.expected_table(game)?)),
            Some(utility) => {
                let best = self.utility_table(card, &utility)?;
                Arc::new(Utility(Arc::clone(&best.table)))
            }
        })
    }

    /// A player of games that are played alone from a card on, by name. A player for a utility is made by
    /// [`Engine::solitaire`].
    ///
    /// # Errors
    /// If the player plays against others, or as [`Engine::solitaire`].
    pub fn solitaire_player(&self, card: &Card, player: &Player) -> Result<Arc<dyn Strategy>, Error> {
        let game = card.game();
        if let Some(player) = without_tables(game, player) {
            return Ok(player);
        }
        let Player::For(objective) = player else {
            return Err(Error::PlaysAgainstOthers(player.to_string()));
        };
        self.solitaire(card, &self.goal(game, objective)?)
    }

    /// What a player does with a roll in a game of one or several, whose cards are given in the order of play. The same
    /// seed gives the same choice.
    ///
    /// # Errors
    /// As [`Engine::player`].
    pub fn choose(
        &self,
        player: &Player,
        (cards, mover): (&[Card], usize),
        (roll, rolls_left): (Roll, u8),
        seed: u64,
    ) -> Result<Action, Error> {
        let game = cards[mover].game();
        let strategy = match player {
            // A target may be out of reach by now, and the game goes on all the same.
            Player::For(Objective::Reach(target)) => self.reach_player(game, *target)?,
            Player::For(objective) => {
                let goal = self.goal(game, objective)?;
                let advice = self.advise(&cards[mover], roll, rolls_left, &goal)?;
                return Ok(advice.choices[0].action);
            }
            player => self.player(game, player)?,
        };
        let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
        let mut plan =
            strategy.plan(&TurnContext { game, standings: &standings, mover, observer: self.observer })?;
        // Every decision of a game has random numbers of its own, whatever was decided before.
        let texts: Vec<String> = cards.iter().map(Card::to_string).collect();
        let moment = format!("{mover} {roll} {rolls_left} {}", texts.join(";"));
        let stream = blake3::hash(moment.as_bytes());
        let stream = u64::from_le_bytes(*stream.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        let mut random = RandomStream::new(seed, stream);
        Ok(match rolls_left {
            0 => Action::Score(plan.enter(roll, &mut random)),
            left => Action::Keep(plan.keep(roll, left, &mut random)),
        })
    }

    /// Plays a match. `watch` receives every game with its number, in any order and from any thread.
    ///
    /// # Errors
    /// If the call is cancelled, or if a player has not enough memory.
    pub fn play_match(
        &self,
        game: &Game,
        players: &[Arc<dyn Strategy>],
        rules: MatchRules,
        watch: &(dyn Fn(u64, &PlayedGame) + Sync),
    ) -> Result<Vec<Outcome>, Error> {
        let _reserved = self.reserve(0)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        Ok(play_match(game, &players, rules, &self.work("playing games"), watch)?)
    }

    /// Measures what players lose against perfect play in the last turns of some games: by the number of open boxes on
    /// both cards from 1 on, then by player.
    ///
    /// # Errors
    /// If tables are too large, or if the call is cancelled.
    pub fn measure(
        &self,
        game: &Game,
        players: &[Arc<dyn Strategy>],
        experiment: Experiment,
    ) -> Result<Vec<Vec<Measured>>, Error> {
        let reach = self.reach_table(game)?;
        let memory = experiment.memory.min(self.shared.budget.bytes());
        let _reserved = self.reserve(memory)?;
        let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
        let experiment = Experiment { memory, ..experiment };
        Ok(measure(&reach, &players, experiment, &self.work("judging games"))?)
    }
}

/// A player that needs no table. Returns `None` for all others.
fn without_tables(game: &Game, player: &Player) -> Option<Arc<dyn Strategy>> {
    Some(match player {
        Player::Random => Arc::new(Random),
        Player::Greedy => Arc::new(Greedy),
        Player::FelldinSood => Arc::new(FelldinSood::new(game)),
        _ => return None,
    })
}
