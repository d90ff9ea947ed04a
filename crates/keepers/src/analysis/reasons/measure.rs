//! What values measure, and which differences of them are small or large.

use crate::analysis::review::Grade;
use crate::game::objective::Objective;

/// What a value measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The expected final score.
    Points,
    /// The probability of at least this final score.
    Reach {
        /// The score.
        target: u16,
    },
    /// The probability of beating this many opponents whose cards are not seen.
    Tournament {
        /// The number of opponents.
        opponents: u32,
    },
    /// The expected share of opponents beaten whose cards are seen; a draw counts half.
    Result {
        /// The number of opponents.
        opponents: usize,
        /// Whether the values are exact rather than estimated.
        exact: bool,
    },
    /// An expected utility.
    Utility,
}

/// How much the runner-up loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// Less than [`Closeness::CLOSE`].
    Close,
    /// Anything between.
    Between,
    /// At least [`Closeness::CLEAR`].
    Clear,
}

impl Closeness {
    /// A decision is close if the runner-up loses less than this many points.
    pub const CLOSE: f64 = 0.5;

    /// A decision is clear if the runner-up loses at least this many points.
    pub const CLEAR: f64 = 3.0;
}

impl Measure {
    /// Returns what the values of an objective without visible opponents measure; for [`Objective::Win`], of one
    /// opponent, exactly.
    pub fn of(objective: &Objective) -> Measure {
        match objective {
            Objective::Expected => Measure::Points,
            Objective::Reach(target) => Measure::Reach { target: *target },
            Objective::Tournament(opponents) => Measure::Tournament { opponents: *opponents },
            Objective::Utility(_) => Measure::Utility,
            Objective::Win => Measure::Result { opponents: 1, exact: true },
        }
    }

    /// Returns how close a decision with this loss is, with the conversion that grades use. Returns `None` for
    /// utilities.
    pub fn closeness(self, loss: f64) -> Option<Closeness> {
        let points = match self {
            Measure::Points => loss,
            Measure::Reach { .. } | Measure::Result { .. } => loss / Grade::PROBABILITY_OF_A_POINT,
            Measure::Tournament { opponents } => {
                loss * (f64::from(opponents) + 1.0) / 2.0 / Grade::PROBABILITY_OF_A_POINT
            }
            Measure::Utility => return None,
        };
        Some(match points {
            points if points < Closeness::CLOSE => Closeness::Close,
            points if points < Closeness::CLEAR => Closeness::Between,
            _ => Closeness::Clear,
        })
    }
}
