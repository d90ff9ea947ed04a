//! The machinery that all objectives share: the end of a turn, where entries lead, plans of turns, and probability
//! pushed forward through them. Solvers in `solve/` say what lanes mean; nothing here does.

pub(crate) mod exit;
pub(crate) mod forward;
pub(crate) mod halves;
pub(crate) mod lower;
pub(crate) mod moved;
pub(crate) mod next;
pub mod plan;
pub(crate) mod short;

pub use exit::{Bench, Benches, Lanes, turn_value};
pub use short::ShortTurns;
