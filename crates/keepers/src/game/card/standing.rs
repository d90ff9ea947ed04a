//! Standings: the part of a card that decisions depend on.

use super::Card;
use crate::game::Game;
use crate::game::rules::{BoxSet, Entry, Filled};

/// The part of a card that decisions depend on, small enough to be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The filled boxes, and whether extra bonuses are paid.
    pub filled: Filled,
    /// The points in the upper boxes, without the bonus.
    pub upper_total: u16,
    /// All points on the card, bonuses included.
    pub total: u16,
    /// The number of extra bonuses.
    pub extras: u16,
}

impl Standing {
    /// Returns the standing of a card.
    pub fn of(card: &Card) -> Standing {
        let (upper_total, total) = (card.upper_total(), card.total());
        Standing { filled: card.filled(), upper_total, total, extras: card.extras() }
    }

    /// Returns the standing after an entry that the rules allow.
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

    /// Returns the open boxes.
    pub fn open_boxes(&self, game: &Game) -> BoxSet {
        game.rules().all_boxes().minus(self.filled.boxes)
    }

    /// Returns the index of the score state.
    pub fn state(&self, game: &Game) -> usize {
        game.space().index(self.filled, self.upper_total).expect("a card has a state")
    }
}
