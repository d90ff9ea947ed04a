//! Parts of answers that several questions share.

mod choices;
mod review;
mod statistics;

pub(crate) use choices::ranked;
pub use choices::{Aim, Done, Ranked};
pub(crate) use review::reviewed;
pub use review::{ReviewAnswer, ReviewedDecisionView, ReviewedPlayer, ReviewedRollView, ReviewedTurnView};
pub use statistics::{ById, GridRow, PERCENTILES};
pub(crate) use statistics::{grid, percentiles};
