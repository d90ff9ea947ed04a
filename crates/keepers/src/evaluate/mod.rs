//! Exact statistics of a strategy: probability pushed forward from a card to the end of the game.

mod forward;
mod statistics;

pub use forward::evaluate_expected;
pub use statistics::{BoxStatistics, Statistics};
