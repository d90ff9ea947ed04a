//! Review of a recorded game: what every decision lost, and how lucky every roll was.
//!
//! The game is worth something to a player at every moment. A roll changes that by its *luck*: the value
//! of the best choice after it, less the value before it. A decision lowers it by its *loss*: the value of
//! the best choice, less that of the choice made. What the other players do changes it too, if the value
//! depends on them. All these changes add up, so the ledger is exact:
//!
//! start + luck + others - loss = end
//!
//! and for expected scores the end of a finished game is the final score.

mod grade;
mod judge;

pub use grade::Grade;
pub use judge::review;

use std::fmt;

use crate::analysis::value::ValueFunction;
use crate::dice::Roll;
use crate::game::card::Card;
use crate::game::record::Position;
use crate::game::rules::{Action, Entry};
use crate::kernel::plan::TieTolerance;
use crate::work::WorkError;

/// Says what a game is worth to each of its players.
pub trait Valuation {
    /// What the game is worth to a player, between two turns.
    ///
    /// # Errors
    /// If evaluating the position is cancelled, or if there is not enough memory.
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError>;

    /// What the game will be worth to the player to move after each entry that may end the turn. Asked
    /// once a turn, so that what all entries have in common can be prepared here.
    ///
    /// # Errors
    /// If evaluating the position is cancelled, or if there is not enough memory.
    fn entries<'a>(&'a self, at: &'a Position) -> Result<Box<dyn Fn(Entry) -> f64 + 'a>, WorkError>;

    /// When two values count as equal.
    fn tie_tolerance(&self) -> TieTolerance;
}

/// Judges every player as if there were no other.
pub struct SolitaireValuation<'a>(pub &'a dyn ValueFunction);

impl Valuation for SolitaireValuation<'_> {
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError> {
        Ok(self.0.value(&at.cards[player]))
    }

    fn entries<'a>(&'a self, at: &'a Position) -> Result<Box<dyn Fn(Entry) -> f64 + 'a>, WorkError> {
        Ok(Box::new(|entry| self.0.value(&at.card().with(entry))))
    }

    fn tie_tolerance(&self) -> TieTolerance {
        self.0.tie_tolerance()
    }
}

/// One player's side of a game, judged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Review {
    /// Which player of the record.
    pub player: usize,
    /// What the game was worth at its start.
    pub start: f64,
    /// The player's turns.
    pub turns: Vec<ReviewedTurn>,
    /// What the others changed after the player's last turn.
    pub others_after: f64,
    /// What the game is worth at the end of the record: for expected scores the final score, if the
    /// game was finished.
    pub end: f64,
    /// The player's card after the last finished turn.
    pub card: Card,
}

/// One turn, judged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReviewedTurn {
    /// The card before the turn.
    pub card: Card,
    /// What the others' turns since the last one changed.
    pub others: f64,
    /// Every roll.
    pub rolls: Vec<ReviewedRoll>,
    /// How the turn ended, if it did.
    pub entry: Option<Entry>,
    /// What the game is worth after it.
    pub value: f64,
}

/// One roll and what was done with it, judged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReviewedRoll {
    /// The dice.
    pub roll: Roll,
    /// How often the dice could still be rolled.
    pub rolls_left: u8,
    /// What the roll changed.
    pub luck: f64,
    /// What the game was worth after it, with the best choice.
    pub value: f64,
    /// What was decided: none if the record ends here, two if the player rolled no more before the
    /// last roll (to keep all dice, and which box they go to).
    pub decisions: Vec<Decision>,
}

/// One decision, judged.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// What was done.
    pub action: Action,
    /// What the game was then worth.
    pub value: f64,
    /// What would have been best.
    pub best: Action,
    /// What it lost; 0 if it was equal to the best.
    pub loss: f64,
    /// Its place among all choices: 1 for the best and its equals.
    pub rank: usize,
    /// How many choices there were.
    pub choices: usize,
}

/// A decision and where in the game it was made.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The number of the player's turn, from 1.
    pub turn: usize,
    /// The number of the roll in the turn, from 1.
    pub number: usize,
    /// The roll.
    pub roll: &'a ReviewedRoll,
    /// What was decided.
    pub decision: &'a Decision,
}

impl Decision {
    /// Whether there was anything to choose from.
    pub fn is_free(&self) -> bool {
        self.choices > 1
    }
}

impl ReviewedRoll {
    /// What was lost after it.
    pub fn loss(&self) -> f64 {
        sum(self.decisions.iter().map(|decision| decision.loss))
    }
}

impl ReviewedTurn {
    /// The luck of its rolls.
    pub fn luck(&self) -> f64 {
        sum(self.rolls.iter().map(|roll| roll.luck))
    }

    /// What its decisions lost.
    pub fn loss(&self) -> f64 {
        sum(self.rolls.iter().map(ReviewedRoll::loss))
    }
}

impl fmt::Display for Review {
    /// Writes the identity of a reviewed game: value at the end = value at the start + luck - loss.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end, luck, loss) = (self.start, self.end, self.luck(), self.loss());
        write!(f, "start {start:.2}, luck {luck:+.2}, loss {loss:.2}, end {end:.2}")
    }
}

impl Review {
    /// The luck of all rolls.
    pub fn luck(&self) -> f64 {
        sum(self.turns.iter().map(ReviewedTurn::luck))
    }

    /// What all decisions lost.
    pub fn loss(&self) -> f64 {
        sum(self.turns.iter().map(ReviewedTurn::loss))
    }

    /// What the other players changed.
    pub fn others(&self) -> f64 {
        sum(self.turns.iter().map(|turn| turn.others)) + self.others_after
    }

    /// How many rolls there were.
    pub fn rolls(&self) -> usize {
        self.turns.iter().map(|turn| turn.rolls.len()).sum()
    }

    /// How many decisions there were with anything to choose from.
    pub fn decisions(&self) -> usize {
        self.moments().filter(|moment| moment.decision.is_free()).count()
    }

    /// What a decision lost on average.
    pub fn error(&self) -> f64 {
        self.loss() / self.decisions().max(1) as f64
    }

    /// Whether the player's card is full.
    pub fn is_finished(&self) -> bool {
        self.card.is_finished()
    }

    /// Every decision, in order.
    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        (1..).zip(&self.turns).flat_map(|(turn, of)| {
            (1..).zip(&of.rolls).flat_map(move |(number, roll)| {
                roll.decisions.iter().map(move |decision| Moment { turn, number, roll, decision })
            })
        })
    }

    /// The decisions that lost something, the worst first.
    pub fn worst(&self) -> Vec<Moment<'_>> {
        let mut lossy: Vec<Moment<'_>> = self.moments().filter(|moment| moment.decision.loss > 0.0).collect();
        lossy.sort_by(|a, b| b.decision.loss.total_cmp(&a.decision.loss));
        lossy
    }
}

/// The sum, which is never a negative zero. `Iterator::sum` returns -0.0 for no values, and -0.0 + 0.0 is 0.0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.sum::<f64>() + 0.0
}
