//! Value functions: what a card is worth under each objective.

use std::sync::Arc;

use crate::game::Game;
use crate::game::card::Card;
use crate::kernel::plan::TieTolerance;
use crate::solve::{Duel, UtilityTable};
use crate::tables::{ExpectedTable, ReachTable};

/// A value function: what a card is worth to its player between turns, under some objective.
pub trait ValueFunction {
    /// What the game is worth to the player with this card, before the next turn.
    fn value(&self, card: &Card) -> f64;

    /// When two values count as equal.
    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::DoublePrecision
    }
}

impl ValueFunction for ExpectedTable {
    /// The expected final total, what is on the card included.
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

/// The best chance of a final total of at least a target.
pub struct ReachValue {
    /// The reach curves of the game.
    pub table: Arc<ReachTable>,
    /// The target.
    pub target: u16,
}

impl ValueFunction for ReachValue {
    /// The best probability of reaching the target.
    fn value(&self, card: &Card) -> f64 {
        let curve = self.table.of(card);
        f64::from(curve.at(i32::from(self.target) - i32::from(card.total())))
    }

    fn tie_tolerance(&self) -> TieTolerance {
        TieTolerance::SinglePrecision
    }
}

/// The best expected worth of the final score, for cards that follow from the one it was solved for.
pub struct UtilityValue {
    /// The game.
    pub game: Game,
    /// What it is worth from every state and number of points.
    pub table: Arc<UtilityTable>,
}

impl UtilityValue {
    /// Whether a card, and with it all that follow from it, can be valued.
    pub fn knows(&self, card: &Card) -> bool {
        self.table.knows(card.state(), card.total())
    }
}

impl ValueFunction for UtilityValue {
    /// The best expected worth.
    fn value(&self, card: &Card) -> f64 {
        self.table.get(card.state(), card.total())
    }
}

/// The best expected result against one rival, who moves next: win 1, draw 1/2, loss 0.
pub struct DuelValue<'a> {
    /// A solved position of the two.
    pub duel: &'a Duel,
    /// The rival's card.
    pub rival: &'a Card,
}

impl ValueFunction for DuelValue<'_> {
    /// The expected result for a card after an entry.
    fn value(&self, card: &Card) -> f64 {
        self.duel.value_after(card, self.rival).expect("the card follows from the solved position")
    }
}
