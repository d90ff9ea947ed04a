//! Reviews of recorded games: the loss of every decision and the luck of every roll.
//!
//! At every moment, the game has a value for the reviewed player. A roll changes it by its *luck*: the value of the
//! best choice after the roll minus the value before it. A decision lowers it by its *loss*: the value of the best
//! choice minus that of the choice made. The turns of other players change it too, if the value depends on them. All
//! changes add up:
//!
//! start + luck + others - loss = end
//!
//! With the objective `expected`, the end of a finished game is the final score.

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

/// Evaluates a game for each of its players.
pub trait Valuation {
    /// Returns the value of a position between two turns for `player`.
    ///
    /// # Errors
    /// If evaluating the position is cancelled, or if an allocation fails.
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError>;

    /// Returns a function that evaluates the position after an entry, for the player to move. A review calls this
    /// method once per turn, so that the work that all entries share is done once.
    ///
    /// # Errors
    /// If evaluating the position is cancelled, or if an allocation fails.
    fn entries<'a>(&'a self, at: &'a Position) -> Result<EntryValuation<'a>, WorkError>;

    /// Returns the rule by which two values count as equal.
    fn tie_tolerance(&self) -> TieTolerance;
}

/// The values of all entries of a turn.
pub struct EntryValuation<'a> {
    /// Returns the value of the position after an entry, for the player to move.
    pub value: Box<dyn Fn(Entry) -> f64 + 'a>,
    /// Whether the values are exact, and not estimates.
    pub exact: bool,
}

/// Evaluates every player as if they played alone.
pub struct SolitaireValuation<'a>(pub &'a dyn ValueFunction);

impl Valuation for SolitaireValuation<'_> {
    fn value(&self, at: &Position, player: usize) -> Result<f64, WorkError> {
        Ok(self.0.value(&at.cards[player]))
    }

    fn entries<'a>(&'a self, at: &'a Position) -> Result<EntryValuation<'a>, WorkError> {
        Ok(EntryValuation { value: Box::new(|entry| self.0.value(&at.card().with(entry))), exact: true })
    }

    fn tie_tolerance(&self) -> TieTolerance {
        self.0.tie_tolerance()
    }
}

/// The review of one player of a recorded game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Review {
    /// The number of the player in the record, from 0.
    pub player: usize,
    /// The value at the start of the game.
    pub start: f64,
    /// The player's turns.
    pub turns: Vec<ReviewedTurn>,
    /// The change of the value by the other players' turns after the player's last turn.
    pub others_after: f64,
    /// The value at the end of the record. For the objective `expected` and a finished game, it is the final score.
    pub end: f64,
    /// The player's card after the last finished turn.
    pub card: Card,
}

/// The review of one turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReviewedTurn {
    /// The card before the turn.
    pub card: Card,
    /// The number of open boxes on all cards together before the turn.
    pub open_boxes: usize,
    /// Whether the values of this turn's decisions are exact, and not estimates.
    pub exact: bool,
    /// The change of the value by the other players' turns since the player's last turn.
    pub others: f64,
    /// All rolls of the turn.
    pub rolls: Vec<ReviewedRoll>,
    /// The entry that ended the turn; `None` if the record ends before it.
    pub entry: Option<Entry>,
    /// The value after the turn.
    pub value: f64,
}

/// The review of one roll and the decisions after it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReviewedRoll {
    /// The dice.
    pub roll: Roll,
    /// The number of rolls left.
    pub rolls_left: u8,
    /// The luck of the roll: `value` minus the value before the roll.
    pub luck: f64,
    /// The variance of the luck before the dice were rolled.
    pub luck_variance: f64,
    /// The value of the best choice after the roll.
    pub value: f64,
    /// The decisions after the roll: none if the record ends here; two if the player stopped before the last roll (to
    /// keep all dice, and the choice of the box); otherwise one.
    pub decisions: Vec<Decision>,
}

/// The review of one decision.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The action that the player chose.
    pub action: Action,
    /// The value after the action.
    pub value: f64,
    /// The best action.
    pub best: Action,
    /// The value of the best action minus `value`; 0 if both count as equal.
    pub loss: f64,
    /// The rank among all choices: 1 for the best and all that are equal to it.
    pub rank: usize,
    /// The number of choices.
    pub choices: usize,
}

/// A decision and its point in the game.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The number of the player's turn, from 1.
    pub turn: usize,
    /// The number of the roll in the turn, from 1.
    pub number: usize,
    /// The roll.
    pub roll: &'a ReviewedRoll,
    /// The decision.
    pub decision: &'a Decision,
}

impl Decision {
    /// Returns whether there was more than one choice.
    pub fn is_free(&self) -> bool {
        self.choices > 1
    }
}

impl ReviewedRoll {
    /// Returns the loss of the decisions after the roll.
    pub fn loss(&self) -> f64 {
        sum(self.decisions.iter().map(|decision| decision.loss))
    }
}

impl ReviewedTurn {
    /// Returns the luck of all rolls of the turn.
    pub fn luck(&self) -> f64 {
        sum(self.rolls.iter().map(|roll| roll.luck))
    }

    /// Returns the loss of all decisions of the turn.
    pub fn loss(&self) -> f64 {
        sum(self.rolls.iter().map(ReviewedRoll::loss))
    }
}

impl fmt::Display for Review {
    /// Writes the values at the start and at the end, the luck and the loss. The changes by other players are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end, luck, loss) = (self.start, self.end, self.luck(), self.loss());
        write!(f, "start {start:.2}, luck {luck:+.2}, loss {loss:.2}, end {end:.2}")
    }
}

impl Review {
    /// Returns the luck of all rolls.
    pub fn luck(&self) -> f64 {
        sum(self.turns.iter().map(ReviewedTurn::luck))
    }

    /// Returns the loss of all decisions.
    pub fn loss(&self) -> f64 {
        sum(self.turns.iter().map(ReviewedTurn::loss))
    }

    /// Returns the change of the value by the turns of the other players.
    pub fn others(&self) -> f64 {
        sum(self.turns.iter().map(|turn| turn.others)) + self.others_after
    }

    /// Returns the number of rolls.
    pub fn rolls(&self) -> usize {
        self.turns.iter().map(|turn| turn.rolls.len()).sum()
    }

    /// Returns the number of decisions with more than one choice.
    pub fn decisions(&self) -> usize {
        self.moments().filter(|moment| moment.decision.is_free()).count()
    }

    /// Returns the mean loss per decision, over decisions with more than one choice.
    pub fn error(&self) -> f64 {
        self.loss() / self.decisions().max(1) as f64
    }

    /// Returns the number of decisions with more than one choice, and their loss, over all turns with exact values or
    /// over all others.
    pub fn decided(&self, exact: bool) -> (usize, f64) {
        let turns = || self.turns.iter().filter(|turn| turn.exact == exact);
        let decisions = turns().flat_map(|turn| &turn.rolls).flat_map(|roll| &roll.decisions);
        (decisions.filter(|decision| decision.is_free()).count(), sum(turns().map(ReviewedTurn::loss)))
    }

    /// Returns whether the player's card is full.
    pub fn is_finished(&self) -> bool {
        self.card.is_finished()
    }

    /// Returns every decision, in order.
    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        (1..).zip(&self.turns).flat_map(|(turn, of)| {
            (1..).zip(&of.rolls).flat_map(move |(number, roll)| {
                roll.decisions.iter().map(move |decision| Moment { turn, number, roll, decision })
            })
        })
    }

    /// Returns the decisions with a loss, the largest loss first.
    pub fn worst(&self) -> Vec<Moment<'_>> {
        let mut lossy: Vec<Moment<'_>> = self.moments().filter(|moment| moment.decision.loss > 0.0).collect();
        lossy.sort_by(|a, b| b.decision.loss.total_cmp(&a.decision.loss));
        lossy
    }
}

/// Returns the sum, but never a negative zero: `Iterator::sum` returns -0.0 for no values, and -0.0 + 0.0 is 0.0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.sum::<f64>() + 0.0
}
