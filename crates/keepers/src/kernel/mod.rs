//! The parts of a solver that all objectives share: the values of final rolls, transitions between states, turn plans,
//! and the forward pass of probabilities through a turn. The meaning of a lane is defined by the solvers in `solve/`;
//! nothing here depends on it.

pub(crate) mod best_entry;
pub(crate) mod compiled;
pub(crate) mod forward;
pub(crate) mod halves;
pub mod plan;
pub(crate) mod shifted;
pub(crate) mod transitions;
pub(crate) mod workspace;

pub use compiled::CompiledTurns;
pub use workspace::{EntryValues, Workspace, Workspaces, turn_value};
