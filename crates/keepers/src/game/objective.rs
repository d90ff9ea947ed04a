//! Objectives, as users type them: `expected`, `reach:300`, `tournament:100`, `utility:FILE` or `win`; lists of them,
//! joined by commas; and ranges such as `reach:50..800:50`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::text::quote;

/// What a player maximises.
///
/// ```
/// use keepers::Objective;
/// assert_eq!("reach:300".parse(), Ok(Objective::Reach(300)));
/// assert_eq!(Objective::Tournament(10).to_string(), "tournament:10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Objective {
    /// The expected final score.
    Expected,
    /// The probability of at least this final score.
    Reach(u16),
    /// The probability of a higher final score than each of this many opponents, who all maximise their expected score.
    Tournament(u32),
    /// The expected utility of the final score, with the utilities in a file ([`crate::analysis::utility`]).
    Utility(PathBuf),
    /// The expected share of opponents beaten, in a game in which all cards can be seen
    /// ([`crate::analysis::multiplayer`]).
    Win,
}

/// The error for text that is not an objective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectiveError {
    /// An objective that does not exist.
    #[error(
        "there is no objective \"{0}\": use expected, reach:S with a score S, tournament:N with N opponents, \
         utility:FILE, or win"
    )]
    Unknown(String),
    /// A target that is not a score.
    #[error("\"{0}\" is not a score to reach: write reach:S with S from 0 to {most}", most = u16::MAX)]
    NotAScore(String),
    /// An invalid number of opponents.
    #[error("\"{0}\" is not a number of opponents: write tournament:N with N from 1 to {MAX_OPPONENTS}")]
    NotOpponents(String),
    /// An invalid range.
    #[error(
        "\"{0}\" is not a range: write FIRST..LAST:STEP, like reach:50..800:50, with whole numbers, FIRST not above LAST, \
         STEP at least 1, and at most {MAX_IN_RANGE} numbers in all"
    )]
    NotARange(String),
}

/// The maximum number of opponents in a tournament.
pub const MAX_OPPONENTS: u32 = 1_000_000_000;

/// The maximum number of objectives in a range.
pub const MAX_IN_RANGE: u32 = 1000;

impl Objective {
    /// Reads several objectives joined by commas. `reach:50..800:50` stands for 50, 100 and so on up to 800,
    /// `tournament:1..3` for 1, 2 and 3.
    ///
    /// A comma in the name of a utility file is part of the name if no objective follows it.
    ///
    /// ```
    /// use keepers::Objective;
    /// let list = Objective::list("expected,reach:200..260:25").unwrap();
    /// assert_eq!(list, [Objective::Expected, Objective::Reach(200), Objective::Reach(225), Objective::Reach(250)]);
    /// assert_eq!(Objective::list("reach:9..1,luck").unwrap_err().len(), 2);
    /// ```
    ///
    /// # Errors
    /// If some objectives are invalid. The list contains one error for each of them.
    pub fn list(text: &str) -> Result<Vec<Objective>, Vec<ObjectiveError>> {
        let (mut list, mut problems) = (Vec::new(), Vec::new());
        for part in text.split(',') {
            match (one_or_range(part.trim()), list.last_mut()) {
                (Ok(more), _) => list.extend(more),
                (Err(ObjectiveError::Unknown(_)), Some(Objective::Utility(file))) => {
                    file.as_mut_os_string().push(format!(",{part}"));
                }
                (Err(problem), _) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(list) } else { Err(problems) }
    }
}

fn one_or_range(text: &str) -> Result<Vec<Objective>, ObjectiveError> {
    let counted = text.split_once(':').filter(|(kind, _)| ["reach", "tournament"].contains(kind));
    let Some((kind, (first, rest))) = counted.and_then(|(kind, range)| Some((kind, range.split_once("..")?)))
    else {
        return Ok(vec![text.parse()?]);
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let number = |text: &str| text.parse::<u32>().ok();
    let range = || {
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        let in_all = last.checked_sub(first)?.checked_div(step)?;
        (in_all < MAX_IN_RANGE).then(|| (first..=last).step_by(step as usize))
    };
    let numbers = range().ok_or_else(|| ObjectiveError::NotARange(quote(text)))?;
    numbers.map(|number| format!("{kind}:{number}").parse()).collect()
}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Objective, ObjectiveError> {
        match text.split_once(':') {
            None if text == "expected" => Ok(Objective::Expected),
            None if text == "win" => Ok(Objective::Win),
            Some(("reach", target)) => {
                let score = target.parse().map_err(|_| ObjectiveError::NotAScore(quote(target)))?;
                Ok(Objective::Reach(score))
            }
            Some(("tournament", opponents)) => {
                let number = opponents.parse().ok().filter(|n| (1..=MAX_OPPONENTS).contains(n));
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
            Objective::Win => f.write_str("win"),
            Objective::Reach(target) => write!(f, "reach:{target}"),
            Objective::Tournament(opponents) => write!(f, "tournament:{opponents}"),
            Objective::Utility(file) => write!(f, "utility:{}", file.display()),
        }
    }
}
