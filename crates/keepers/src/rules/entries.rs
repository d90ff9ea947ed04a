//! What may be entered for a roll: the one definition of boxes, jokers and extra bonuses that
//! play, advice and all solvers share.

use super::{BoxId, BoxSet, Joker, Rules};
use crate::dice::Keep;

/// What decides where a roll may go: the filled boxes, and whether extras pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filled {
    /// The boxes that hold an entry.
    pub boxes: BoxSet,
    /// Whether the Yahtzee box holds points, in games where further Yahtzees then pay a bonus.
    pub extras_pay: bool,
}

/// One way to end a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The box that is filled.
    pub into: BoxId,
    /// What is written into it.
    pub points: u16,
    /// The bonus for a further Yahtzee that comes with it.
    pub extra: u16,
}

impl Filled {
    /// The state after an entry.
    #[must_use]
    pub fn after(self, rules: &Rules, entry: Entry) -> Filled {
        let earns = rules.extra().is_some_and(|extra| extra.points > 0 && extra.of == entry.into);
        Filled {
            boxes: self.boxes.with(entry.into),
            extras_pay: self.extras_pay || earns && entry.points > 0,
        }
    }
}

impl Rules {
    /// Whether a roll of all dice equal is scored by other rules than usual.
    pub fn is_special(&self, filled: Filled) -> bool {
        self.extra.as_ref().is_some_and(|extra| {
            filled.boxes.contains(extra.of) && (extra.joker != Joker::None || filled.extras_pay)
        })
    }

    /// Every way to enter these dice, from the top of the card down.
    ///
    /// ```
    /// use keepers::{Keep, Rules, rules::Filled};
    /// let rules = Rules::preset("yahtzee").unwrap();
    /// let fives: Keep = "55555".parse().unwrap();
    /// let filled = Filled { boxes: [rules.box_by_id("y").unwrap()].into_iter().collect(), extras_pay: true };
    /// let entries = rules.entries(filled, &fives); // the joker is forced into the fives
    /// assert_eq!(entries.len(), 1);
    /// assert_eq!((entries[0].points, entries[0].extra), (25, 100));
    /// ```
    pub fn entries(&self, filled: Filled, dice: &Keep) -> Vec<Entry> {
        let open = self.all_boxes().minus(filled.boxes);
        let natural = |into| Entry { into, points: self.boxes[into].pattern.points(dice), extra: 0 };
        let all_equal = dice.all_equal().filter(|_| self.is_special(filled));
        let (Some(face), Some(extra)) = (all_equal, &self.extra) else {
            return open.iter().map(natural).collect();
        };

        let own = self.upper_box(face);
        let own_is_open = own.is_some_and(|own| open.contains(own));
        let upper = self.upper_boxes();
        let as_joker =
            |into| Entry { points: self.boxes[into].pattern.joker_points(dice, self.faces), ..natural(into) };
        let bonus = if filled.extras_pay { extra.points } else { 0 };
        let paid = |entry: Entry| Entry { extra: bonus, ..entry };

        match extra.joker {
            Joker::None => open.iter().map(|into| paid(natural(into))).collect(),
            Joker::Forced => {
                let lower = open.minus(upper);
                let allowed = match own {
                    Some(own) if own_is_open => BoxSet::NONE.with(own),
                    _ if !lower.is_empty() => lower,
                    _ => open,
                };
                allowed.iter().map(|into| paid(as_joker(into))).collect()
            }
            Joker::Free | Joker::Used if !own_is_open => {
                open.iter().map(|into| paid(as_joker(into))).collect()
            }
            Joker::Free => open.iter().map(|into| paid(natural(into))).collect(),
            Joker::Used => open
                .iter()
                .map(|into| if Some(into) == own { paid(natural(into)) } else { natural(into) })
                .collect(),
        }
    }
}
