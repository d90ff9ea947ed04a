//! [`Simulation`]: a builder for simulated games.

use std::sync::Arc;

use super::{Engine, Error};
use crate::analysis::simulate::{Sample, simulate};
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::players::{Player, Strategy};

/// A builder for simulated games of one player alone. [`Engine::simulate`] creates it, and [`Simulation::run`] plays
/// the games.
#[must_use = "nothing is played before run()"]
pub struct Simulation<'e> {
    engine: Engine<'e>,
    player: Simulated,
    card: Card,
    games: u64,
    seed: u64,
}

enum Simulated {
    Player(Player),
    Strategy(Arc<dyn Strategy>),
}

impl Simulation<'_> {
    /// Starts every game from this card; the default is the empty card.
    pub fn from(mut self, card: &Card) -> Self {
        self.card = card.clone();
        self
    }

    /// Plays this many games; the default is 10,000.
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// Sets the seed of the dice; the default is 0. Equal seeds give equal games on any number of threads, and
    /// different players get the same dice.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Plays the games and returns their statistics. The first run of a player solves the table that it needs
    /// ([`Engine::solitaire_player`]); then Yahtzee games of `expected` run at 1.5 million per second on two cores.
    ///
    /// # Errors
    /// The same as [`Engine::solitaire_player`].
    ///
    /// # Panics
    /// If the simulation is of a strategy that needs opponents ([`Engine::simulate_strategy`]).
    pub fn run(self) -> Result<Sample, Error> {
        let Simulation { engine, player, card, games, seed } = self;
        let strategy = match player {
            Simulated::Player(player) => engine.solitaire_player(&card, &player)?,
            Simulated::Strategy(strategy) => strategy,
        };
        let _reserved = engine.reserve(0)?;
        let work = engine.work("playing games");
        Ok(simulate(card.game(), &*strategy, &Standing::of(&card), games, seed, &work)?)
    }
}

impl<'o> Engine<'o> {
    /// Returns a simulation of games that a named player plays alone. Nothing is solved or played before
    /// [`Simulation::run`].
    ///
    /// ```
    /// use keepers::{Engine, Game};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let sample = engine.simulate(&game, "greedy".parse()?).games(1_000).seed(1).run()?;
    /// assert_eq!(sample.games, 1_000);
    /// println!("{sample}"); // the mean with its standard error
    /// # Ok::<(), keepers::Error>(())
    /// ```
    pub fn simulate(&self, game: &Game, player: Player) -> Simulation<'o> {
        self.simulation(game, Simulated::Player(player))
    }

    /// Returns a simulation of games that a strategy plays alone, for example your own implementation of [`Strategy`].
    ///
    /// # Panics
    /// [`Simulation::run`] panics if the strategy needs opponents. Those that [`Engine::player`] creates for `emp`,
    /// `dyns`, `duel` and `human-like` do.
    pub fn simulate_strategy(&self, game: &Game, strategy: Arc<dyn Strategy>) -> Simulation<'o> {
        self.simulation(game, Simulated::Strategy(strategy))
    }

    fn simulation(&self, game: &Game, player: Simulated) -> Simulation<'o> {
        Simulation { engine: self.clone(), player, card: game.empty_card(), games: 10_000, seed: 0 }
    }
}
