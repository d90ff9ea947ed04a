//! [`Error`]: the one error type that all errors of the library convert to.

use crate::analysis::advise::AdviceError;
use crate::analysis::multiplayer::PlayersError;
use crate::analysis::theme::Theme;
use crate::dice::DiceError;
use crate::game::card::{CardError, EntryError};
use crate::game::objective::ObjectiveError;
use crate::game::record::RecordError;
use crate::game::rules::{RulesError, UnknownPreset};
use crate::players::{MAX_SEARCHED_PLAYERS, PlayerError};
use crate::solve::DuelError;
use crate::text::byte_size;
use crate::work::WorkError;

/// The reason why a call failed. All specific errors of the library convert to it with `?`.
///
/// ```
/// use keepers::{Error, Game};
/// fn total(card: &str) -> Result<u16, Error> {
///     Ok(Game::preset("yahtzee")?.card(card)?.total())
/// }
/// assert_eq!(total("1=3,fh=25")?, 28);
/// assert!(matches!(total("1=99"), Err(Error::Card(_))));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No game that continues from the card can end with this many points.
    #[error("{target} is out of reach: at most {most} can be reached from this card")]
    OutOfReach {
        /// The target.
        target: u16,
        /// The highest final score that the card allows.
        most: u16,
    },
    /// A solve needs more memory than the engine may use ([`Limits::working`](crate::Limits::working)).
    #[error(
        "the {what} of {game} need {} of memory, but the limit is {}{}",
        byte_size(*bytes as u128),
        byte_size(*limit as u128),
        remedy(what, *bytes)
    )]
    TooLarge {
        /// The values that the solve computes.
        what: &'static str,
        /// The name of the rules.
        game: String,
        /// Bytes needed.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The objective `win` was used without the cards of other players.
    #[error("the objective \"win\" needs the other players' cards")]
    NoOthers,
    /// The objective `utility` names a file, which the engine does not read: [`Goal::Utility`](crate::Goal::Utility)
    /// holds the utility itself.
    #[error("the objective \"utility\" needs the utility of each score")]
    NoUtility,
    /// The player needs opponents but was to play alone.
    #[error(
        "{0} plays against others: use random, greedy, felldin-sood, expected, reach:S, tournament:N, normal:S or \
         utility for games that are played alone"
    )]
    PlaysAgainstOthers(String),
    /// The decisions of a strategy cannot be compared with those of another one.
    #[error(
        "a strategy can be compared if its own card decides its actions: use expected, reach:S, tournament:N, utility, \
         normal:S, greedy or felldin-sood"
    )]
    NotComparable,
    /// A match has too few or too many players.
    #[error("a match has 2 to {MAX_SEARCHED_PLAYERS} players, not {0}")]
    NoMatch(usize),
    /// No decision of this difficulty was found.
    #[error("no decision of this difficulty was found: try another difficulty")]
    NoPuzzle,
    /// The rules have nothing that the theme is about.
    #[error("this game has no {0}: choose another theme")]
    NoTheme(Theme),
    /// There is no preset of this name.
    #[error(transparent)]
    Preset(#[from] UnknownPreset),
    /// The text is not a set of dice.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// No game can have such a card.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The roll cannot be entered into this box.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The rule set is not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The text is not the record of a game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no such objective.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player has no decision to make.
    #[error(transparent)]
    Advice(#[from] AdviceError),
    /// The cards cannot belong to one game, or there are too many of them.
    #[error(transparent)]
    Players(#[from] PlayersError),
    /// The duel cannot be solved.
    #[error(transparent)]
    Duel(DuelError),
    /// The call was cancelled, or a memory allocation failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// The names of values in messages.
pub(super) const REACH_CURVES: &str = "reach curves";
pub(super) const SCORE_DISTRIBUTIONS: &str = "score distributions";
pub(super) const UTILITY_VALUES: &str = "utility values";

/// Returns what to do about values that are too large. Distributions and utilities are in double precision, but only
/// parts that are still needed are stored.
fn remedy(what: &str, bytes: usize) -> String {
    let (objective, disk_percent, gain) = match what {
        REACH_CURVES => ("reach", 45, "and then all commands use them"),
        SCORE_DISTRIBUTIONS => ("distribution", 30, "from the empty card"),
        UTILITY_VALUES => (
            "OBJECTIVE",
            30,
            "for the value alone, or with --keep and more disk for advice, reviews and simulations",
        ),
        _ => return String::new(),
    };
    format!(
        "; `keepers solve --objective {objective} --memory 8` with the same --rules solves them in parts, which takes \
         about {:.0} minutes on two cores and {} of disk, {gain}",
        (bytes as f64 / BYTES_PER_MINUTE).ceil(),
        byte_size(bytes as u128 / 100 * disk_percent),
    )
}

/// The bytes of curves in memory that two cores solve in parts in a minute, about.
const BYTES_PER_MINUTE: f64 = 1e9;

impl Error {
    /// Returns whether the observer cancelled the call.
    pub fn is_cancelled(&self) -> bool {
        *self == Error::Work(WorkError::Cancelled)
    }
}

impl From<DuelError> for Error {
    fn from(error: DuelError) -> Error {
        match error {
            DuelError::Work(error) => Error::Work(error),
            error => Error::Duel(error),
        }
    }
}
