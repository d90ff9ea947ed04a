//! Why the engine has no answer.

use crate::analysis::advise::AdviceError;
use crate::analysis::multiplayer::SeatsError;
use crate::solve::DuelError;
use crate::text::byte_size;
use crate::work::WorkError;

/// Why the engine has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
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
    /// No position of many games has a decision of this difficulty.
    #[error("this game has no such decisions: try another difficulty")]
    NoPuzzle,
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

impl EngineError {
    /// Whether the observer cancelled the call.
    pub fn is_cancelled(&self) -> bool {
        *self == EngineError::Work(WorkError::Cancelled)
    }
}

impl From<DuelError> for EngineError {
    fn from(error: DuelError) -> EngineError {
        match error {
            DuelError::Work(error) => EngineError::Work(error),
            error => EngineError::Duel(error),
        }
    }
}
