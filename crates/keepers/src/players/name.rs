//! Players by name, as users type them: `expected`, `reach:300`, `emp:1`.

use std::fmt;
use std::str::FromStr;

use crate::game::objective::{Objective, ObjectiveError};
use crate::text::quote;

/// The maximum search depth.
pub const MAX_DEPTH: u8 = 30;

/// A player by name.
///
/// ```
/// use keepers::Player;
/// assert_eq!("emp:1".parse(), Ok(Player::Emp(1)));
/// assert_eq!("human-like:100".parse::<Player>().unwrap().to_string(), "human-like:100");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Player {
    /// Random choices.
    Random,
    /// Maximises the points of the current turn.
    Greedy,
    /// The one-turn heuristic of Felldin and Sood.
    FelldinSood,
    /// Maximises an objective: `expected`, `reach:S`, `tournament:N` or `utility:FILE`.
    For(Objective),
    /// DynS(d), "dynamic fixed score" (Pawlewicz 2010): searches d turns after its own, then picks the one score
    /// to play for that wins most often.
    DynS(u8),
    /// EMP(d), "expected match points" (Pawlewicz 2010): searches d turns after its own, then treats each player's
    /// reach curve as the distribution of their score.
    Emp(u8),
    /// EMP(0) as the paper words it: evaluates each choice at once, in the middle of a turn too.
    EmpImmediate,
    /// Plays for a target as if the points still to come were normally distributed (MaxProbApprox, Cremers 6.2.2).
    Normal(u16),
    /// Plays optimally against one opponent if the position is small enough, otherwise like EMP(1).
    Duel,
    /// EMP(1) with random errors (Pawlewicz 2010): picks each choice with a probability proportional to exp(-B x its
    /// loss).
    HumanLike(f64),
}

/// The error for text that is not a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// A player that does not exist.
    #[error(
        "there is no player \"{0}\": use random, greedy, felldin-sood, expected, reach:S, tournament:N, utility:FILE, \
         normal:S, dyns:D, emp:D, emp:immediate, duel or human-like:B"
    )]
    Unknown(String),
    /// An invalid search depth.
    #[error("\"{0}\" is not a depth: write {1}:D with D from 0 to {MAX_DEPTH}")]
    NotADepth(String, &'static str),
    /// An invalid target.
    #[error("\"{0}\" is not a target: write normal:S with S from 0 to 65535, like normal:300")]
    NotATarget(String),
    /// An invalid weight.
    #[error("\"{0}\" is not a weight: write human-like:B with B from 0 to 1000000, like human-like:100")]
    NotAWeight(String),
    /// An invalid objective.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let depth = |text: &str, of| {
            let depth = text.parse().ok().filter(|depth| *depth <= MAX_DEPTH);
            depth.ok_or_else(|| PlayerError::NotADepth(quote(text), of))
        };
        match (text, text.split_once(':')) {
            ("random", _) => Ok(Player::Random),
            ("greedy", _) => Ok(Player::Greedy),
            ("felldin-sood", _) => Ok(Player::FelldinSood),
            ("duel", _) => Ok(Player::Duel),
            ("emp:immediate", _) => Ok(Player::EmpImmediate),
            (_, Some(("normal", text))) => {
                text.parse().map(Player::Normal).map_err(|_| PlayerError::NotATarget(quote(text)))
            }
            (_, Some(("dyns", text))) => Ok(Player::DynS(depth(text, "dyns")?)),
            (_, Some(("emp", text))) => Ok(Player::Emp(depth(text, "emp")?)),
            (_, Some(("human-like", text))) => {
                let weight = text.parse().ok().filter(|weight| (0.0..=1e6).contains(weight));
                weight.map(Player::HumanLike).ok_or_else(|| PlayerError::NotAWeight(quote(text)))
            }
            _ => match text.parse() {
                Ok(objective) => Ok(Player::For(objective)),
                Err(ObjectiveError::Unknown(_)) => Err(PlayerError::Unknown(quote(text))),
                Err(error) => Err(error.into()),
            },
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Greedy => f.write_str("greedy"),
            Player::FelldinSood => f.write_str("felldin-sood"),
            Player::For(objective) => objective.fmt(f),
            Player::DynS(depth) => write!(f, "dyns:{depth}"),
            Player::Emp(depth) => write!(f, "emp:{depth}"),
            Player::EmpImmediate => f.write_str("emp:immediate"),
            Player::Normal(target) => write!(f, "normal:{target}"),
            Player::Duel => f.write_str("duel"),
            Player::HumanLike(weight) => write!(f, "human-like:{weight}"),
        }
    }
}
