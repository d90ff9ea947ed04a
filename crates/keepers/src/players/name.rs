//! Players by name, as they are typed: `expected`, `reach:300`, `emp:1`.

use std::fmt;
use std::str::FromStr;

use crate::game::objective::{Objective, ObjectiveError};
use crate::text::quote;

/// The deepest search that can be asked for.
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
    /// Any choice that the rules allow.
    Random,
    /// The most points now.
    Greedy,
    /// The one-turn heuristic of Felldin and Sood.
    FelldinSood,
    /// The best for an objective: `expected`, `reach:S`, `tournament:N` or `utility:FILE`.
    For(Objective),
    /// Pawlewicz's DynS(d).
    DynS(u8),
    /// Pawlewicz's EMP(d).
    Emp(u8),
    /// Exact when the position is small enough, else EMP(1).
    Duel,
    /// Pawlewicz's softened EMP(1): a choice has the weight exp(B x what it is worth less than the best).
    HumanLike(f64),
}

/// A player that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// No such player.
    #[error(
        "there is no player \"{0}\": use random, greedy, felldin-sood, expected, reach:S, tournament:N, utility:FILE, \
         dyns:D, emp:D, duel or human-like:B"
    )]
    Unknown(String),
    /// A depth that cannot be.
    #[error("\"{0}\" is not a depth: write {1}:D with D from 0 to {MAX_DEPTH}")]
    NotADepth(String, &'static str),
    /// A weight that cannot be.
    #[error("\"{0}\" is not a weight: write human-like:B with B from 0 to 1000000, like human-like:100")]
    NotAWeight(String),
    /// An objective that cannot be read.
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
            Player::Duel => f.write_str("duel"),
            Player::HumanLike(weight) => write!(f, "human-like:{weight}"),
        }
    }
}
