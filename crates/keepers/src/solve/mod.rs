//! Backward induction over the score states: one file an objective, one turn for all of them.

mod duel;
mod exit;
mod expected;
mod halves;
mod lower;
mod most;
mod moved;
pub(crate) mod next;
mod reach;
mod short;
mod size;
pub(crate) mod utility;

pub use duel::{Duel, DuelCost, DuelError, DuelTask, Horizon, Kept, Stop};
pub use exit::{Bench, Benches, Lanes, turn_value};
pub use expected::{Progress, expected_scores, expected_scores_into};
pub use most::most_points;
pub use reach::{Curve, ReachCurves, Window, reach_cells, reach_curves, reach_curves_f64};
pub use short::ShortTurns;
pub use size::{TwoPlayerLayer, TwoPlayerSize, two_player_size};
pub use utility::{UtilityTable, best_utility, utility_cells};
