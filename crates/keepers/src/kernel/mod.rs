//! The machinery that all objectives share: the end of a turn, where entries lead, plans of turns, and probability
//! pushed forward through them. Solvers in `solve/` say what lanes mean; nothing here does.

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
