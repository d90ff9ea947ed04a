//! Exact statistics of a strategy: probability pushed forward from a card to the end of the game.

mod forward;
mod lanes;
mod statistics;
mod utility;

pub use forward::evaluate_expected;
pub use statistics::{BoxStatistics, Statistics, mean_and_deviation, percentile};
pub use utility::evaluate_utility;
