//! Simulated games, set up step by step.

use std::sync::Arc;

use super::{Engine, Error};
use crate::analysis::simulate::{Sample, simulate};
use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::players::{Player, Strategy};

/// Games of one player alone, to be simulated. [`Engine::simulate`] creates one, and [`Simulation::run`] plays the games.
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

    /// Uses the dice of this seed; the default is 0. Equal seeds give equal games, whatever the number of threads.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Plays the games.
    ///
    /// # Errors
    /// If the player needs opponents (`emp`, `dyns`, `duel` and `human-like` do), if tables are too large, or if the
    /// call is cancelled.
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
    /// Sets up games of a player alone.
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

    /// Sets up games of your own strategy, played alone.
    pub fn simulate_strategy(&self, game: &Game, strategy: Arc<dyn Strategy>) -> Simulation<'o> {
        self.simulation(game, Simulated::Strategy(strategy))
    }

    fn simulation(&self, game: &Game, player: Simulated) -> Simulation<'o> {
        Simulation { engine: self.clone(), player, card: game.empty_card(), games: 10_000, seed: 0 }
    }
}
