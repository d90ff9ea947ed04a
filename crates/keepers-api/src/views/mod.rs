//! Parts of answers that several questions share.

mod choices;
mod compare;
mod reasons;
mod review;
mod statistics;
mod themes;

pub(crate) use choices::ranked;
pub use choices::{Aim, Done, Ranked};
pub(crate) use compare::compared;
pub use compare::{
    ComparedPair, ComparedPlayer, DecisionKindView, DiceView, DifferenceView, FaceView, TrendView,
};
pub(crate) use reasons::reasons;
pub use reasons::{ClosenessName, FactView, ReasonView, ShiftView};
pub use review::{ReviewAnswer, ReviewedDecisionView, ReviewedPlayer, ReviewedRollView, ReviewedTurnView};
pub(crate) use review::{explained, reviewed};
pub use statistics::{ById, GridRow, PERCENTILES};
pub(crate) use statistics::{grid, percentiles};
pub use themes::ThemeName;
