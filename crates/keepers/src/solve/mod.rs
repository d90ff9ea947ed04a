//! Solvers: backward induction over the score states, with one file per objective. The module documentation of each
//! states its recurrence, the meaning of a lane, and its precision. There, "turn over entries e of X(e)" is the value
//! of a turn (a fold, [`turn_value`]) whose entries have the values X(e); x·e is the state that entry e leads to from
//! state x, and paid(e) is everything that e pays on the way, bonuses included.

mod duel;
mod expected;
mod max_score;
mod parts;
mod reach;
mod two_player_count;
pub(crate) mod utility;

pub use crate::kernel::{CompiledTurns, EntryValues, Workspace, Workspaces, turn_value};
pub use duel::{
    BlockMap, CompleteGame, Duel, DuelCost, DuelError, DuelTask, ExactTurn, Found, Horizon, Location, Retain,
    SolutionError, Solutions, SolvedGame, StoredTurn, TaskId, TaskSize, TaskSolver, TaskValues, TurnValues,
};
pub use expected::{expected_scores, expected_scores_into};
pub use max_score::max_points;
pub use parts::{
    CurveWindow, CurveWriter, GroupCurves, GroupView, Inputs, NextCurves, PartCurves, PartId, PartSize,
    PartSolver, Partition, ReachRecurrence, Recurrence, UtilityRecurrence, solve_group,
};
pub use reach::{
    Curve, ReachCurves, ReachableStates, Window, reach_cells, reach_curves, reach_curves_f64,
    reach_curves_from, reach_curves_from_f64, reach_curves_in,
};
pub use two_player_count::{TwoPlayerCount, TwoPlayerLayer, count_two_player_game};
pub use utility::{UtilityTable, best_utility, tabulate, utility_cells};
