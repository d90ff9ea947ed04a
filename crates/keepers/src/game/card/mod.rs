//! Cards: what a person types ([`Setup`]), and cards that can occur in a game ([`Card`]).
//!
//! The notation is `box=points` joined by commas, in any order, with `extra=N` for N extra bonuses:
//! `1=3,6=18,y=50,fh=25,extra=1`. The empty string is an empty card.

mod check;
mod history;
mod standing;

pub use standing::Standing;

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::dice::Keep;
use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet, ByBox, Entry, Filled, Rules};

/// The input for a card, not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The parts between the commas, each split at its `=`. The second half is `None` without a `=`.
    pub parts: Vec<(String, Option<String>)>,
}

impl FromStr for Setup {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Setup, Infallible> {
        let part = |part: &str| match part.split_once('=') {
            Some((id, points)) => (id.trim().to_ascii_lowercase(), Some(points.trim().to_string())),
            None => (part.trim().to_string(), None),
        };
        let parts = if text.trim().is_empty() { Vec::new() } else { text.split(',').map(part).collect() };
        Ok(Setup { parts })
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |(id, points): &(String, Option<String>)| match points {
            Some(points) => format!("{id}={points}"),
            None => id.clone(),
        };
        f.write_str(&self.parts.iter().map(part).collect::<Vec<_>>().join(","))
    }
}

/// A problem of a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CardProblem {
    /// A part without `=`.
    #[error("\"{0}\" is not an entry: write box=points, like {1}")]
    NotAnEntry(String, String),
    /// A box that does not exist.
    #[error("there is no box \"{0}\": the boxes are {1}")]
    UnknownBox(String, String),
    /// A box, or `extra`, that occurs twice.
    #[error("{0} is given twice")]
    RepeatedBox(String),
    /// Points that are not a number.
    #[error("\"{1}\" is not a number of points for {0}: {0} holds {2}")]
    NotPoints(String, String, String),
    /// Points that no roll makes in that box.
    #[error("{0} cannot hold {1}: it holds {2}")]
    ImpossiblePoints(String, String, String),
    /// Points that only a joker makes, on a card without jokers because its Yahtzee box is open.
    #[error("{0} can hold {1} only with a joker, and there are no jokers while {2} is open")]
    NoJokerYet(String, u16, String),
    /// Extra bonuses in a game that pays none.
    #[error("extra={0} is impossible: these rules pay no bonus for extra Yahtzees")]
    NoExtras(String),
    /// A number of extra bonuses that is not a number.
    #[error("\"{0}\" is not a number of extra bonuses: write extra=0 to extra={1}")]
    NotExtras(String, usize),
    /// Extra bonuses although the Yahtzee box is open or holds 0.
    #[error("extra={0} is impossible: extra bonuses are paid only if {1} holds points")]
    NoYahtzee(u16, String),
    /// More extra bonuses than the filled boxes allow.
    #[error("extra={0} is impossible: these boxes allow at most {1}")]
    TooManyExtras(u16, u16),
    /// Fewer extra bonuses than the filled boxes require.
    #[error("extra={0} is impossible: these boxes need at least {1}")]
    TooFewExtras(u16, u16),
    /// Points that only a joker makes, in boxes that no joker can have filled.
    #[error(
        "{0} cannot hold these points: only a joker pays them, and no joker could have been scored there"
    )]
    NoJoker(String),
}

/// The error for a card that cannot occur: the input and all its problems.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CardError {
    /// The input.
    pub setup: Setup,
    /// All problems: those of single parts first, in their order.
    pub problems: Vec<CardProblem>,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<String> = self.problems.iter().map(CardProblem::to_string).collect();
        f.write_str(&problems.join("; "))
    }
}

/// The error for dice that the rules do not allow in a box.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{dice} cannot be scored in {id} now: the rules allow only {allowed}")]
pub struct EntryError {
    dice: Keep,
    id: String,
    allowed: String,
}

/// A card that can occur in a game.
///
/// ```
/// use keepers::{Card, Game, Rules};
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// let card = Card::parse(&game, "y=50,6=18,extra=1,1=5").unwrap();
/// assert_eq!(card.total(), 173);
/// assert_eq!(card.to_string(), "1=5,6=18,y=50,extra=1");
/// let error = Card::parse(&game, "fh=24,zz=1").unwrap_err();
/// assert_eq!(error.problems.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    game: Game,
    points: ByBox<Option<u16>>,
    extras: u16,
}

impl Game {
    /// Returns the card at the start of the game.
    pub fn empty_card(&self) -> Card {
        Card::empty(self)
    }

    /// Reads and checks a card, such as `1=3,fh=25,extra=1`.
    ///
    /// # Errors
    /// If no game can have such a card. The error lists all problems.
    pub fn card(&self, text: &str) -> Result<Card, CardError> {
        Card::parse(self, text)
    }
}

impl Card {
    /// Returns the card at the start of a game.
    pub fn empty(game: &Game) -> Card {
        let points = game.rules().boxes().values().iter().map(|_| None).collect();
        Card { game: game.clone(), points, extras: 0 }
    }

    /// Reads and checks a card.
    ///
    /// # Errors
    /// If the card cannot occur in a game. The error lists all problems.
    pub fn parse(game: &Game, text: &str) -> Result<Card, CardError> {
        let Ok(setup) = text.parse::<Setup>();
        Card::new(game, setup)
    }

    /// Checks the input for a card.
    ///
    /// # Errors
    /// If the card cannot occur in a game. The error lists all problems.
    pub fn new(game: &Game, setup: Setup) -> Result<Card, CardError> {
        check::check(game, &setup).map_err(|problems| CardError { setup, problems })
    }

    /// Returns the game of the card.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the rules of the card.
    pub fn rules(&self) -> &Arc<Rules> {
        self.game.rules()
    }

    /// Returns the points in a box. Returns `None` if the box is open.
    pub fn points(&self, id: BoxId) -> Option<u16> {
        self.points[id]
    }

    /// Returns the number of extra bonuses.
    pub fn extras(&self) -> u16 {
        self.extras
    }

    /// Returns the open boxes.
    pub fn open_boxes(&self) -> BoxSet {
        self.rules().all_boxes().minus(self.filled().boxes)
    }

    /// Returns whether every box is filled.
    pub fn is_finished(&self) -> bool {
        self.open_boxes().is_empty()
    }

    /// Returns the filled boxes, and whether extra bonuses are paid.
    pub fn filled(&self) -> Filled {
        let boxes = self.points.iter().filter(|(_, points)| points.is_some()).map(|(id, _)| id).collect();
        let yahtzee = self.rules().extra().filter(|_| self.rules().extras_pay()).map(|extra| extra.of);
        let extras_pay = yahtzee.is_some_and(|id| self.points[id].is_some_and(|points| points > 0));
        Filled { boxes, extras_pay }
    }

    /// Returns the index of the card's score state.
    pub(crate) fn state(&self) -> usize {
        self.game.space().index(self.filled(), self.upper_total()).expect("a card has a score state")
    }

    /// Returns the points in the upper boxes, without the bonus.
    pub fn upper_total(&self) -> u16 {
        self.rules().upper_boxes().iter().filter_map(|id| self.points[id]).sum()
    }

    /// Returns the upper bonus, or 0 if it is not earned.
    pub fn upper_bonus(&self) -> u16 {
        let bonus = self.rules().upper_bonus().filter(|bonus| self.upper_total() >= bonus.threshold);
        bonus.map_or(0, |bonus| bonus.points)
    }

    /// Returns the points of all boxes, the upper bonus and the extra bonuses.
    pub fn total(&self) -> u16 {
        let boxes: u16 = self.points.values().iter().flatten().sum();
        let extra = self.rules().extra().map_or(0, |extra| extra.points);
        boxes + self.upper_bonus() + self.extras * extra
    }

    /// Returns every entry that the rules allow for these dice.
    pub fn entries(&self, dice: &Keep) -> Vec<Entry> {
        self.rules().entries(self.filled(), dice)
    }

    /// Returns the entry of these dice into a box.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn entry(&self, dice: &Keep, into: BoxId) -> Result<Entry, EntryError> {
        let entries = self.entries(dice);
        let id = |into| self.rules().boxes()[into].id.clone();
        entries.iter().find(|entry| entry.into == into).copied().ok_or_else(|| EntryError {
            dice: *dice,
            id: id(into),
            allowed: entries.iter().map(|entry| id(entry.into)).collect::<Vec<_>>().join(", "),
        })
    }

    /// Returns the card after these dice are entered into a box.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn enter(&self, dice: &Keep, into: BoxId) -> Result<Card, EntryError> {
        Ok(self.with(self.entry(dice, into)?))
    }

    /// Returns the card after an entry that its rules allow.
    #[must_use]
    pub(crate) fn with(&self, entry: Entry) -> Card {
        let mut card = self.clone();
        card.points[entry.into] = Some(entry.points);
        card.extras += u16::from(entry.extra > 0);
        card
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boxes = self.points.iter().filter_map(|(id, points)| Some((id, (*points)?)));
        let mut parts: Vec<String> =
            boxes.map(|(id, points)| format!("{}={points}", self.rules().boxes()[id].id)).collect();
        if self.extras > 0 {
            parts.push(format!("extra={}", self.extras));
        }
        f.write_str(&parts.join(","))
    }
}
