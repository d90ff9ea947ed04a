//! Players: what each of them does in a turn.
//!
//! A [`Strategy`] sees all cards on the table and makes a [`Plan`] for its turn; the dice then fall, and
//! the plan says what to keep and where to score. One file a player.

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
pub use emp::{MOST_PLAYERS, Search};
pub(crate) use emp::{Whose, values_ahead};
pub use expected::Expected;
pub use felldin_sood::FelldinSood;
pub use greedy::Greedy;
pub use horizon::Evaluation;
pub use human_like::{HumanLike, weights};
pub use name::{MOST_DEPTH, Player, PlayerError};
pub use random::Random;
pub use reach::Reach;
pub use utility::Utility;

use crate::card::Card;
use crate::game::Game;
use crate::random::Chance;
use crate::rules::{BoxSet, Entry, Filled};
use crate::solve::UtilityTable;
use crate::store::ExpectedTable;

/// All of a card that a decision can depend on, small enough to be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Which boxes are filled, and whether extras pay.
    pub filled: Filled,
    /// The points in the upper boxes, without the bonus.
    pub upper_total: u16,
    /// Everything on the card, bonuses included.
    pub total: u16,
    /// How many bonuses for further Yahtzees there were.
    pub extras: u16,
}

impl Standing {
    /// Where a card stands.
    pub fn of(card: &Card) -> Standing {
        let (upper_total, total) = (card.upper_total(), card.total());
        Standing { filled: card.filled(), upper_total, total, extras: card.extras() }
    }

    /// Where it stands after an entry that the rules allow.
    #[must_use]
    pub fn after(&self, game: &Game, entry: Entry) -> Standing {
        let rules = game.rules();
        let mut next = *self;
        next.filled = self.filled.after(rules, entry);
        next.total += entry.points + entry.extra;
        next.extras += u16::from(entry.extra > 0);
        if game.space().upper().slot(entry.into).is_some() {
            next.upper_total += entry.points;
            let crosses = |threshold| self.upper_total < threshold && threshold <= next.upper_total;
            let bonus = rules.upper_bonus().filter(|bonus| crosses(bonus.threshold));
            next.total += bonus.map_or(0, |bonus| bonus.points);
        }
        next
    }

    /// The boxes that are still open.
    pub fn open_boxes(&self, game: &Game) -> BoxSet {
        game.rules().all_boxes().minus(self.filled.boxes)
    }

    /// Its score state.
    pub fn state(&self, game: &Game) -> usize {
        game.space().index(self.filled, self.upper_total).expect("a card has a state")
    }
}

/// What a player sees before its turn.
#[derive(Clone, Copy)]
pub struct Seats<'a> {
    /// The game that is played.
    pub game: &'a Game,
    /// Where everybody stands, in the order of play.
    pub standings: &'a [Standing],
    /// Whose turn it is.
    pub mover: usize,
}

impl Seats<'_> {
    /// Where the player to move stands.
    pub fn own(&self) -> &Standing {
        &self.standings[self.mover]
    }
}

/// What the plans of a strategy depend on. Games that agree in it can share plans, and many games be
/// played in the time of one.
pub enum Sees<'a> {
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
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Box<dyn Plan + 'a>;

    /// What its plans depend on.
    fn sees(&self) -> Sees<'_> {
        Sees::Everything
    }
}

/// What a player means to do in a turn, whatever the dice. Rolls and keeps are indices in the lattice.
pub trait Plan {
    /// What to keep of a roll with 1 or more rolls left; a keep of all dice rolls no more.
    fn keep(&mut self, roll: u16, rolls_left: u8, chance: &mut Chance) -> u16;

    /// Where to enter the final roll: one of the entries that the rules allow.
    fn enter(&mut self, roll: u16, chance: &mut Chance) -> Entry;
}
