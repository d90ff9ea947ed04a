//! What a player plays for, as it is typed: `expected`, `reach:300`.

use std::fmt;
use std::str::FromStr;

/// What a player plays for.
///
/// ```
/// use keepers::Objective;
/// assert_eq!("reach:300".parse(), Ok(Objective::Reach(300)));
/// assert_eq!(Objective::Expected.to_string(), "expected");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The best expected final score.
    Expected,
    /// The best chance of at least this final score.
    Reach(u16),
}

/// An objective that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no objective \"{0}\": use expected, or reach:S with a score S, like reach:300")]
pub struct ObjectiveError(String);

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Objective, ObjectiveError> {
        let reach = |target: &str| target.parse().ok().map(Objective::Reach);
        match text.split_once(':') {
            None if text == "expected" => Some(Objective::Expected),
            Some(("reach", target)) => reach(target),
            _ => None,
        }
        .ok_or_else(|| ObjectiveError(text.into()))
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Expected => f.write_str("expected"),
            Objective::Reach(target) => write!(f, "reach:{target}"),
        }
    }
}
