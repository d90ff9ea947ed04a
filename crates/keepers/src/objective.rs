//! What a player plays for, as it is typed: `expected`, `reach:300`, `tournament:100`, `utility:FILE`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::quote::quote;
use crate::tournament::MOST_OPPONENTS;

/// What a player plays for.
///
/// ```
/// use keepers::Objective;
/// assert_eq!("reach:300".parse(), Ok(Objective::Reach(300)));
/// assert_eq!(Objective::Tournament(10).to_string(), "tournament:10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The best expected final score.
    Expected,
    /// The best chance of at least this final score.
    Reach(u16),
    /// The best chance of a higher final score than each of so many opponents who play for the best
    /// expected score.
    Tournament(u32),
    /// The best expected worth of the final score, as a file says ([`crate::utility`]).
    Utility(PathBuf),
}

/// An objective that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectiveError {
    /// No such objective.
    #[error(
        "there is no objective \"{0}\": use expected, reach:S with a score S, tournament:N with N opponents, or utility:FILE"
    )]
    Unknown(String),
    /// A score that cannot be.
    #[error("\"{0}\" is not a score to reach: write reach:S with S from 0 to {most}", most = u16::MAX)]
    NotAScore(String),
    /// A number of opponents that cannot be.
    #[error("\"{0}\" is not a number of opponents: write tournament:N with N from 1 to {MOST_OPPONENTS}")]
    NotOpponents(String),
}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Objective, ObjectiveError> {
        match text.split_once(':') {
            None if text == "expected" => Ok(Objective::Expected),
            Some(("reach", target)) => {
                let score = target.parse().map_err(|_| ObjectiveError::NotAScore(quote(target)))?;
                Ok(Objective::Reach(score))
            }
            Some(("tournament", opponents)) => {
                let number = opponents.parse().ok().filter(|n| (1..=MOST_OPPONENTS).contains(n));
                let number = number.ok_or_else(|| ObjectiveError::NotOpponents(quote(opponents)))?;
                Ok(Objective::Tournament(number))
            }
            Some(("utility", file)) if !file.is_empty() => Ok(Objective::Utility(file.into())),
            _ => Err(ObjectiveError::Unknown(quote(text))),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Expected => f.write_str("expected"),
            Objective::Reach(target) => write!(f, "reach:{target}"),
            Objective::Tournament(opponents) => write!(f, "tournament:{opponents}"),
            Objective::Utility(file) => write!(f, "utility:{}", file.display()),
        }
    }
}
