//! Exact statistics of a strategy: a forward pass that moves probability from a card to the end of the game.

mod choice;
mod expected;
mod in_parts;
mod moments;
mod pass;
mod statistics;
mod utility;

pub use choice::ChosenAction;
pub use expected::{evaluate_expected, evaluate_expected_after};
pub use in_parts::{ScoreRecurrence, evaluate_expected_states};
pub use moments::score_variances;
pub use statistics::{BoxStatistics, Statistics, mean_and_deviation, percentile};
pub use utility::{evaluate_utility, evaluate_utility_after};
