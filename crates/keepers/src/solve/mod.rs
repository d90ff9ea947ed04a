//! Backward induction over the score states: one file per objective.

mod duel;
mod expected;
mod most;
mod reach;
mod size;
pub(crate) mod utility;

pub use crate::kernel::{Bench, Benches, Lanes, ShortTurns, turn_value};
pub use duel::{Duel, DuelCost, DuelError, DuelTask, Horizon, Kept};
pub use expected::{expected_scores, expected_scores_into};
pub use most::most_points;
pub use reach::{Curve, ReachCurves, Window, reach_cells, reach_curves, reach_curves_f64};
pub use size::{TwoPlayerLayer, TwoPlayerSize, two_player_size};
pub use utility::{UtilityTable, best_utility, utility_cells};
