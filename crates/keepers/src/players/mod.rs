//! Players: what each of them does in a turn.
//!
//! A [`Strategy`] sees all cards on the table and makes a [`TurnPolicy`] for its turn; the dice then fall, and
//! the plan says what to keep and where to score. One file per player.

mod duel;
mod emp;
mod expected;
pub mod felldin_sood;
mod greedy;
mod horizon;
mod human_like;
mod name;
mod random;
mod reach;
mod utility;

pub use duel::{DuelPlayer, EXACT_TURNS, ExactDuels, REMEMBERED_BYTES};
pub use emp::{LookAhead, MAX_SEARCHED_PLAYERS, ValueAfter};
pub(crate) use emp::{PlayerSet, values_ahead};
pub use expected::Expected;
pub use felldin_sood::FelldinSood;
pub use greedy::Greedy;
pub use horizon::Evaluation;
pub use human_like::{HumanLike, weights};
pub use name::{MAX_DEPTH, Player, PlayerError};
pub use random::Random;
pub use reach::Reach;
pub use utility::Utility;

pub use crate::game::card::Standing;
pub use crate::kernel::plan::TurnPolicy;

use crate::dice::Roll;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::solve::UtilityTable;
use crate::tables::ExpectedTable;
use crate::work::{Observer, WorkError};

/// What a player sees before its turn.
#[derive(Clone, Copy)]
pub struct TurnContext<'a> {
    /// The game that is played.
    pub game: &'a Game,
    /// Where everybody stands, in the order of play.
    pub standings: &'a [Standing],
    /// PlayerSet turn it is.
    pub mover: usize,
    /// Who may cancel the search of a player that looks ahead.
    pub observer: &'a dyn Observer,
}

impl TurnContext<'_> {
    /// Returns the standing of the player to move.
    pub fn own(&self) -> &Standing {
        &self.standings[self.mover]
    }

    /// Returns every entry that the rules allow for a final roll.
    pub fn entries(&self, roll: Roll) -> Vec<Entry> {
        self.game.rules().entries(self.own().filled, roll.dice())
    }
}

/// What the plans of a strategy depend on. Games that agree in it can share plans, and many games be
/// played in the time of one.
pub enum DependsOn<'a> {
    /// The score state alone, by the best expected scores.
    State(&'a ExpectedTable),
    /// The score state and the points so far, by the worth of the final score.
    Points(&'a UtilityTable),
    /// Everything there is on the table, or chance.
    Everything,
}

/// A way to play.
pub trait Strategy: Send + Sync {
    /// Makes up its mind for a turn of the player to move, whose card has an open box.
    ///
    /// # Errors
    /// If the observer cancels a search, or if there is not enough memory for it.
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError>;

    /// What its plans depend on.
    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Everything
    }
}
