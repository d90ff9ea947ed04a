//! [`Match`]: a builder for matches between named players.

use std::sync::Arc;

use super::{Engine, Error};
use crate::analysis::matches::{MatchRules, Outcome};
use crate::game::Game;
use crate::players::{Player, Strategy};

/// A builder for matches between named players. [`Engine::match_of`] creates it, and [`Match::run`] plays the games.
#[must_use = "nothing is played before run()"]
pub struct Match<'e> {
    engine: Engine<'e>,
    game: Game,
    players: Vec<Player>,
    rules: MatchRules,
}

impl Match<'_> {
    /// Sets the number of games; the default is 1,000. Each game starts with the next player.
    pub fn games(mut self, games: u64) -> Self {
        self.rules.games = games;
        self
    }

    /// Sets the seed of the dice; the default is 0. Equal seeds give equal games on any number of threads.
    pub fn seed(mut self, seed: u64) -> Self {
        self.rules.seed = seed;
        self
    }

    /// Plays all games of a round on the same dice, so that most of the luck cancels out. A round has as many games as
    /// there are players, and every player sits in every seat once.
    pub fn same_dice(mut self) -> Self {
        self.rules.same_dice = true;
        self
    }

    /// Plays the match and returns the outcome of each player, in the order given to [`Engine::match_of`]. The first
    /// run of a player solves the table that it needs ([`Engine::player`]).
    ///
    /// # Errors
    /// If there are not 2 to 8 players, or as [`Engine::player`].
    pub fn run(self) -> Result<Vec<Outcome>, Error> {
        let Match { engine, game, players, rules } = self;
        if !(2..=crate::players::MAX_SEARCHED_PLAYERS).contains(&players.len()) {
            return Err(Error::NoMatch(players.len()));
        }
        let strategy = |player: &Player| engine.player(&game, player);
        let strategies = players.iter().map(strategy).collect::<Result<Vec<Arc<dyn Strategy>>, Error>>()?;
        engine.play_match(&game, &strategies, rules, &|_, _| ())
    }
}

impl<'o> Engine<'o> {
    /// Returns a match between 2 to 8 named players. Nothing is solved or played before [`Match::run`].
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let players = ["expected".parse()?, "greedy".parse()?];
    /// let outcomes = engine.match_of(&game, &players).games(200).seed(1).same_dice().run()?;
    /// assert!(outcomes[0].wins > outcomes[1].wins);
    /// println!("{}", outcomes[0]); // wins, draws and losses, and the mean score
    /// # Ok::<(), keepers::Error>(())
    /// ```
    pub fn match_of(&self, game: &Game, players: &[Player]) -> Match<'o> {
        let rules = MatchRules { games: 1_000, seed: 0, same_dice: false };
        Match { engine: self.clone(), game: game.clone(), players: players.to_vec(), rules }
    }
}
