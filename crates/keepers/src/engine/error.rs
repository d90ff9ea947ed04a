//! The error of every call of the library.

use crate::analysis::advise::AdviceError;
use crate::analysis::multiplayer::SeatsError;
use crate::dice::DiceError;
use crate::game::card::{CardError, EntryError};
use crate::game::objective::ObjectiveError;
use crate::game::record::RecordError;
use crate::game::rules::{RulesError, UnknownPreset};
use crate::players::{MAX_SEARCHED_PLAYERS, PlayerError};
use crate::solve::DuelError;
use crate::text::byte_size;
use crate::work::WorkError;

/// Why a call failed. It wraps the specific errors of the library, so that `?` works with all of them.
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
    /// The target is higher than the most points that the card can end with.
    #[error("{target} is out of reach: at most {most} can be reached from this card")]
    OutOfReach {
        /// The score asked for.
        target: u16,
        /// The most that can be had.
        most: u16,
    },
    /// The tables do not fit into the memory that the engine may use.
    #[error(
        "the {what} of {game} would take {} of memory, and at most {} may be used",
        byte_size(*bytes as u128),
        byte_size(*limit as u128)
    )]
    TooLarge {
        /// What would be solved.
        what: &'static str,
        /// The name of the rules.
        game: String,
        /// How much it would take.
        bytes: usize,
        /// How much may be used.
        limit: usize,
    },
    /// The objective `win` without other players.
    #[error("the objective \"win\" needs the other players' cards")]
    NoOthers,
    /// The objective `utility` without a utility.
    #[error("the objective \"utility\" needs the utility of each score")]
    NoUtility,
    /// A player of games against others was asked to play alone.
    #[error(
        "{0} plays against others: use random, greedy, felldin-sood, expected, reach:S, tournament:N or utility for \
         games that are played alone"
    )]
    PlaysAgainstOthers(String),
    /// A match with too few or too many players.
    #[error("a match has 2 to {MAX_SEARCHED_PLAYERS} players, not {0}")]
    NoMatch(usize),
    /// No position of many games has a decision of this difficulty.
    #[error("this game has no such decisions: try another difficulty")]
    NoPuzzle,
    /// There is no preset of this name.
    #[error(transparent)]
    Preset(#[from] UnknownPreset),
    /// The text is not a set of dice.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// The card cannot occur in a game.
    #[error(transparent)]
    Card(#[from] CardError),
    /// The roll cannot be entered into this box.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The rule set is not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The record is not one of a game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no such objective.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There is nothing to choose.
    #[error(transparent)]
    Advice(#[from] AdviceError),
    /// The cards cannot be those of one game.
    #[error(transparent)]
    Players(#[from] SeatsError),
    /// The duel cannot be solved.
    #[error(transparent)]
    Duel(DuelError),
    /// The work was cancelled, or the system has not enough memory.
    #[error(transparent)]
    Work(#[from] WorkError),
}

impl Error {
    /// Whether the observer cancelled the call.
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
