//! Players: strategies that decide turns.
//!
//! A [`Strategy`] sees all cards and returns a [`TurnPolicy`] for its turn. The policy then decides, roll by roll,
//! which dice to keep and which box to fill. Each player has its own file.

mod duel;
mod emp;
mod expected;
pub mod felldin_sood;
mod greedy;
mod horizon;
mod human_like;
mod immediate;
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
pub use horizon::{Evaluation, emp_estimate};
pub use human_like::{HumanLike, weights};
pub use immediate::Immediate;
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

/// The information that a strategy has before its turn.
#[derive(Clone, Copy)]
pub struct TurnContext<'a> {
    /// The game.
    pub game: &'a Game,
    /// The standings of all players, in the order of play.
    pub standings: &'a [Standing],
    /// The index of the player to move.
    pub mover: usize,
    /// The observer that may cancel a search.
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

/// What the plans of a strategy depend on. The simulator plans a turn once for all games in which this is equal, which
/// makes it much faster.
pub enum DependsOn<'a> {
    /// Only the score state: the strategy maximises the expected score.
    State(&'a ExpectedTable),
    /// The score state and the points so far: the strategy maximises the expected utility of the final score.
    Points(&'a UtilityTable),
    /// Only the score state, in a way that only [`Strategy::plan`] knows.
    StateOnly,
    /// All cards, or random numbers.
    Everything,
}

/// A way to play: decides the turns of one player.
///
/// This player keeps the dice of the most frequent face and makes the entry that pays most:
///
/// ```
/// use std::sync::Arc;
/// use keepers::{Engine, Entry, Face, Game, Keep, RandomStream, Roll, Strategy, TurnContext, TurnPolicy, WorkError};
///
/// struct MostFrequent;
///
/// impl Strategy for MostFrequent {
///     fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
///         Ok(Box::new(MostFrequentTurn(*context)))
///     }
/// }
///
/// struct MostFrequentTurn<'a>(TurnContext<'a>);
///
/// impl TurnPolicy for MostFrequentTurn<'_> {
///     fn keep(&mut self, roll: Roll, _rolls_left: u8, _: &mut RandomStream) -> Keep {
///         let dice = roll.dice();
///         let most = Face::all(self.0.game.rules().faces()).max_by_key(|&face| dice.count(face));
///         dice.faces().filter(|&face| Some(face) == most).collect()
///     }
///
///     fn enter(&mut self, roll: Roll, _: &mut RandomStream) -> Entry {
///         let entries = self.0.entries(roll);
///         entries.into_iter().max_by_key(|entry| entry.points + entry.extra).expect("a box is open")
///     }
/// }
///
/// let (engine, game) = (Engine::in_memory(), Game::preset("yahtzee")?);
/// let sample = engine.simulate_strategy(&game, Arc::new(MostFrequent)).games(100).run()?;
/// assert!((100.0..200.0).contains(&sample.mean()));
/// # Ok::<(), keepers::Error>(())
/// ```
pub trait Strategy: Send + Sync {
    /// Decides a turn of the player to move, whose card has an open box.
    ///
    /// # Errors
    /// If the observer cancels a search, or if there is not enough memory for it.
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError>;

    /// Returns what the plans of this strategy depend on. The default is always correct.
    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::Everything
    }
}
