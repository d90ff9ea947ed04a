//! Simulated solitaire games of any strategy.
//!
//! Game n of a seed has dice of its own (`dice.rs`), and all that is counted are whole numbers: the
//! same seed gives the same result whatever the number of threads, and two strategies meet the same dice.

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

/// Plays games from a standing on.
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
/// If the work is cancelled, or if there is not enough memory.
pub fn simulate(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    games: u64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    match strategy.depends_on() {
        DependsOn::State(table) => Policy::new(table)?.simulate(start, games, seed, work),
        DependsOn::Points(table) => grouped::simulate(game, table, start, games, seed, work),
        DependsOn::Everything => one_by_one::simulate(game, strategy, start, games, seed, work),
    }
}
