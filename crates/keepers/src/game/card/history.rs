//! Whether a card can have come about.
//!
//! Bonuses for further Yahtzees and points that only a joker makes need a past that the rules allow.
//! So entries are taken back one by one: a card without its last entry must again be a card, and the
//! entry one that the rules allow there. Everything that any roll can make by itself can have come
//! before the Yahtzee box was filled, and then nothing more is to be explained.

use std::collections::HashSet;

use super::Card;
use crate::dice::{Face, Keep};
use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet, Entry, Filled};

/// Beyond so many different pasts a card gets the benefit of the doubt. No card of a game known by
/// name has as many.
const MOST_PASTS: usize = 50_000;

/// Whether these filled boxes can have come with so many extra bonuses. The Yahtzee box is filled.
pub(super) fn can_have_happened(game: &Game, card: &Card, extras: u16) -> bool {
    let Some(yahtzee) = game.rules().extra().map(|extra| extra.of) else { return extras == 0 };
    let filled = card.filled();
    let history = History::new(game, card);
    let mut seen = HashSet::from([(filled.boxes, extras)]);
    let mut pasts = vec![(filled.boxes, extras)];
    while let Some((boxes, left)) = pasts.pop() {
        if left == 0 && boxes.without(yahtzee).minus(history.natural).is_empty() || seen.len() > MOST_PASTS {
            return true;
        }
        for into in boxes.without(yahtzee).iter() {
            let before = Filled { boxes: boxes.without(into), ..filled };
            // An ordinary roll in an upper box: taken back only to have that box open earlier on.
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

/// What the entries of a card can have been made with.
struct History<'a> {
    game: &'a Game,
    card: &'a Card,
    all_equal: Vec<Keep>,
    /// The boxes whose points some roll makes by itself.
    natural: BoxSet,
    /// The upper boxes whose points a roll with different dice makes.
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

    /// For each way in which a further Yahtzee can have made the entry, whether it paid a bonus.
    fn paid(&self, before: Filled, into: BoxId) -> impl Iterator<Item = bool> {
        let fits = move |entry: &Entry| entry.into == into && Some(entry.points) == self.card.points(into);
        self.all_equal
            .iter()
            .flat_map(move |dice| self.game.rules().entries(before, dice))
            .filter(fits)
            .map(|entry| entry.extra > 0)
    }
}
