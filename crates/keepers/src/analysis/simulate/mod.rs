//! Simulated games of a strategy that plays alone.
//!
//! Game n of a seed has its own dice (`dice.rs`), and all counts are integers. Equal seeds therefore give equal results
//! on any number of threads, and different strategies get the same dice.

mod dice;
mod grouped;
mod one_by_one;
mod policy;
mod sample;

pub use policy::Policy;
pub use sample::{BoxSample, Sample};

use crate::game::Game;
use crate::players::{DependsOn, Standing, Strategy};
use crate::work::{Work, WorkError};

/// Plays games from a standing on, and returns their statistics.
///
/// ```
/// use std::sync::Arc;
/// use keepers::Standing;
/// use keepers::internals::players::Expected;
/// use keepers::{Game, Rules, Silent, Store};
/// use keepers::internals::Work;
/// use keepers::internals::simulate::simulate;
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let expected = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
/// let sample = simulate(&game, &expected, &Standing::default(), 10_000, 1, &Work::silent()).unwrap();
/// assert!((sample.mean() - expected.0.start()).abs() < 4.0 * sample.error());
/// ```
///
/// # Errors
/// If the work is cancelled, or if an allocation fails.
///
/// # Panics
/// If the strategy needs opponents: [`LookAhead`](crate::players::LookAhead), [`HumanLike`](crate::players::HumanLike)
/// and [`DuelPlayer`](crate::players::DuelPlayer) (`emp`, `dyns`, `human-like` and `duel`) do.
pub fn simulate(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    games: u64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    simulate_watched(game, strategy, start, Dice { games, seed, watch: &|_, _| () }, work)
}

/// Plays games like [`simulate`] and reports the final score of each, with the number of the game.
///
/// # Errors
/// If the work is cancelled, or if an allocation fails.
///
/// # Panics
/// As [`simulate`].
pub fn simulate_watched(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    dice: Dice<'_>,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    match strategy.depends_on() {
        DependsOn::State(table) => Policy::new(table)?.play_all(start, dice, work),
        DependsOn::Points(table) => grouped::simulate(game, table, start, dice, work),
        DependsOn::StateOnly | DependsOn::Everything => {
            one_by_one::simulate(game, strategy, start, dice, work)
        }
    }
}

/// The dice of simulated games, and the observer of their results.
#[derive(Clone, Copy)]
pub struct Dice<'a> {
    /// The number of games.
    pub games: u64,
    /// The seed: game n of a seed always has the same dice.
    pub seed: u64,
    /// Receives the number and the final score of every game, in any order and from any thread.
    pub watch: &'a (dyn Fn(u64, u16) + Sync),
}
