//! Value functions: the value of a card between turns, under each objective.

use std::sync::Arc;

use crate::game::Game;
use crate::game::card::Card;
use crate::kernel::plan::TieTolerance;
use crate::solve::UtilityTable;
use crate::tables::{ExpectedTable, ReachTable, StoredUtility};

/// A value function: the value of a card for its player between turns, under some objective.
pub trait ValueFunction {
    /// Returns the value of a card before its next turn.
    fn value(&self, card: &Card) -> f64;

    /// Returns the rule by which two values count as equal.
    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::DoublePrecision
    }
}

impl ValueFunction for ExpectedTable {
    /// Returns the expected final total, including the points on the card.
    fn value(&self, card: &Card) -> f64 {
        self.value(card)
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::Points
    }
}

impl<P: ValueFunction + ?Sized> ValueFunction for Arc<P> {
    fn value(&self, card: &Card) -> f64 {
        (**self).value(card)
    }

    fn tie_tolerance(&self) -> TieTolerance {
        (**self).tie_tolerance()
    }
}

/// The best probability of a final total of at least a target.
pub struct ReachValue {
    /// The reach curves of the game.
    pub table: Arc<ReachTable>,
    /// The target.
    pub target: u16,
}

impl ValueFunction for ReachValue {
    /// Returns the best probability of reaching the target.
    fn value(&self, card: &Card) -> f64 {
        let curve = self.table.of(card);
        f64::from(curve.at(i32::from(self.target) - i32::from(card.total())))
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::SinglePrecision
    }
}

/// The best expected utility of the final score, for the card that the table was solved for and all that follow from
/// it.
pub struct UtilityValue {
    /// The game.
    pub game: Game,
    /// The expected utility for every state and number of points so far.
    pub table: Arc<UtilityTable>,
}

impl UtilityValue {
    /// Returns whether the table has the value of a card. It then also has those of all cards that follow from it.
    pub fn knows(&self, card: &Card) -> bool {
        self.table.knows(card.state(), card.total())
    }
}

impl ValueFunction for UtilityValue {
    /// Returns the best expected utility.
    ///
    /// # Panics
    /// If the table does not have the value of the card ([`UtilityValue::knows`]).
    fn value(&self, card: &Card) -> f64 {
        self.table.get(card.state(), card.total())
    }
}

impl ValueFunction for StoredUtility {
    /// Returns the best expected utility.
    ///
    /// # Panics
    /// If the store cannot be read any more.
    fn value(&self, card: &Card) -> f64 {
        self.get(card.state(), card.total())
    }
}
