//! Simulated solitaire games of any strategy.
//!
//! Game n of a seed has dice of its own ([`GameDice`]), and all that is counted are whole numbers: the
//! same seed gives the same result whatever the number of threads, and two strategies meet the same dice.

mod grouped;
mod one_by_one;
mod policy;
mod sample;

pub use policy::Policy;
pub use sample::{BoxSample, Sample};

use crate::game::Game;
use crate::random::GameDice;
use crate::solve::Progress;
use crate::strategy::{Sees, Standing, Strategy};

/// Games are shared out in parcels of this size.
const PARCEL: u64 = 256;

/// Plays so many games from a standing on.
///
/// ```
/// use std::sync::Arc;
/// use keepers::strategy::{Expected, Standing};
/// use keepers::{Game, Rules, Store, simulate::simulate};
/// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
/// let expected = Expected(Arc::new(Store::none().expected(&game)));
/// let sample = simulate(&game, &expected, &Standing::default(), 10_000, 1, &|_, _| ());
/// assert!((sample.mean() - expected.0.start()).abs() < 4.0 * sample.error());
/// ```
pub fn simulate(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    games: u64,
    seed: u64,
    progress: Progress<'_>,
) -> Sample {
    match strategy.sees() {
        Sees::State(table) => Policy::new(table).simulate(start, games, seed, progress),
        Sees::Points(table) => grouped::simulate(game, table, start, games, seed, progress),
        Sees::Everything => one_by_one::simulate(game, strategy, start, games, seed, progress),
    }
}

/// The dice of a simulated game.
fn dice_of(game: &Game, seed: u64, nth: u64) -> GameDice {
    GameDice::new(seed, nth, game.rules().rolls())
}
