//! Decides whether a card can occur in a game.
//!
//! A card with extra bonuses, or with points that only a joker makes, must have a possible history. The search removes
//! entries one at a time: the rules must allow the removed entry on the card without it. The search succeeds when no
//! extra bonus is left and every other box holds points that some roll makes without a joker, because those boxes can
//! have been filled before the Yahtzee box.

use std::collections::HashSet;

use super::Card;
use crate::dice::{Face, Keep};
use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet, Entry, Filled};

/// The number of partial histories after which a card is accepted unchecked. No card of a preset has as many.
const MAX_PASTS: usize = 50_000;

/// Returns whether these filled boxes can occur with this number of extra bonuses. The Yahtzee box must be filled.
pub(super) fn can_have_happened(game: &Game, card: &Card, extras: u16) -> bool {
    let Some(yahtzee) = game.rules().extra().map(|extra| extra.of) else { return extras == 0 };
    let filled = card.filled();
    let history = History::new(game, card);
    let mut seen = HashSet::from([(filled.boxes, extras)]);
    let mut pasts = vec![(filled.boxes, extras)];
    while let Some((boxes, left)) = pasts.pop() {
        if left == 0 && boxes.without(yahtzee).minus(history.natural).is_empty() || seen.len() > MAX_PASTS {
            return true;
        }
        for into in boxes.without(yahtzee).iter() {
            let before = Filled { boxes: boxes.without(into), ..filled };
            // An upper entry of an ordinary roll is removed only because the box must have been open at an earlier
            // joker.
            let ordinary = history.ordinary.contains(into).then_some(left);
            let as_joker = history.paid(before, into).filter_map(|paid| left.checked_sub(u16::from(paid)));
            for left in as_joker.chain(ordinary) {
                if seen.insert((before.boxes, left)) {
                    pasts.push((before.boxes, left));
                }
            }
        }
    }
    false
}

/// The ways in which the entries of a card can have been made.
struct History<'a> {
    game: &'a Game,
    card: &'a Card,
    all_equal: Vec<Keep>,
    /// The filled boxes whose points some roll makes without a joker.
    natural: BoxSet,
    /// The filled upper boxes whose points some roll makes whose dice are not all equal.
    ordinary: BoxSet,
}

impl History<'_> {
    fn new<'a>(game: &'a Game, card: &'a Card) -> History<'a> {
        let rules = game.rules();
        let filled = card.filled().boxes;
        let makes = |into: BoxId, ordinary: bool| {
            let scores = &game.scores()[into];
            let rolls = game.lattice().rolls().zip(&scores.of_roll);
            rolls
                .filter(|(roll, _)| !ordinary || game.lattice().keeps()[*roll].all_equal().is_none())
                .any(|(_, &amount)| Some(scores.amounts[amount as usize]) == card.points(into))
        };
        History {
            game,
            card,
            all_equal: Face::all(rules.faces())
                .map(|face| (0..rules.dice()).map(|_| face).collect())
                .collect(),
            natural: filled.iter().filter(|&into| makes(into, false)).collect(),
            ordinary: filled.and(rules.upper_boxes()).iter().filter(|&into| makes(into, true)).collect(),
        }
    }

    /// Returns, for each extra Yahtzee that could have made this entry, whether it paid a bonus.
    fn paid(&self, before: Filled, into: BoxId) -> impl Iterator<Item = bool> {
        let fits = move |entry: &Entry| entry.into == into && Some(entry.points) == self.card.points(into);
        self.all_equal
            .iter()
            .flat_map(move |dice| self.game.rules().entries(before, dice))
            .filter(fits)
            .map(|entry| entry.extra > 0)
    }
}
