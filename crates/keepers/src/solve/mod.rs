//! Backward induction over the score states: one file per objective.

mod duel;
mod expected;
mod max_score;
mod reach;
mod two_player_count;
pub(crate) mod utility;

pub use crate::kernel::{CompiledTurns, EntryValues, Workspace, Workspaces, turn_value};
pub use duel::{Duel, DuelCost, DuelError, DuelTask, Horizon, Retain};
pub use expected::{expected_scores, expected_scores_into};
pub use max_score::max_points;
pub use reach::{Curve, ReachCurves, Window, reach_cells, reach_curves, reach_curves_f64};
pub use two_player_count::{TwoPlayerCount, TwoPlayerLayer, count_two_player_game};
pub use utility::{UtilityTable, best_utility, utility_cells};
