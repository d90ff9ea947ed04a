//! The entries that the rules allow for a roll. This is the only definition of boxes, jokers and extra bonuses; play,
//! advice and all solvers share it.

use super::{BoxId, BoxSet, Joker, Rules};
use crate::dice::{Face, Keep};

/// The filled boxes, and whether extra bonuses are paid: everything about a card that decides which entries are allowed
/// and what they pay, apart from the upper bonus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Filled {
    /// The filled boxes.
    pub boxes: BoxSet,
    /// Whether extra Yahtzees earn a bonus: the Yahtzee box holds points, and the rules pay one.
    pub extras_pay: bool,
}

/// Points put into a box, which ends the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The box that is filled.
    pub into: BoxId,
    /// The points in the box.
    pub points: u16,
    /// The bonus if the roll is an extra Yahtzee that earns one, otherwise 0.
    pub extra: u16,
}

/// What a player does with a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Keep these dice and roll the others. A keep of all dice ends the rolling.
    Keep(Keep),
    /// Enter the roll into a box.
    Score(Entry),
}

impl Filled {
    /// Returns the filled boxes after an entry.
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
    /// Returns whether a roll with all dice equal is an extra Yahtzee with its own rules.
    pub fn extra_yahtzees_apply(&self, filled: Filled) -> bool {
        self.extra.as_ref().is_some_and(|extra| {
            filled.boxes.contains(extra.of) && (extra.joker != Joker::None || filled.extras_pay)
        })
    }

    /// Returns every entry that the rules allow for these dice, from the top of the card.
    ///
    /// ```
    /// use keepers::{Keep, Rules};
    /// use keepers::internals::rules::Filled;
    /// let rules = Rules::preset("yahtzee").unwrap();
    /// let fives: Keep = "55555".parse().unwrap();
    /// let filled = Filled { boxes: [rules.box_by_id("y").unwrap()].into_iter().collect(), extras_pay: true };
    /// let entries = rules.entries(filled, &fives); // the joker is forced into the fives
    /// assert_eq!(entries.len(), 1);
    /// assert_eq!((entries[0].points, entries[0].extra), (25, 100));
    /// ```
    pub fn entries(&self, filled: Filled, dice: &Keep) -> Vec<Entry> {
        let mut entries = Vec::new();
        let natural = |into| self.boxes[into].pattern.points(dice);
        match dice.all_equal().filter(|_| self.extra_yahtzees_apply(filled)) {
            None => {
                let open = self.all_boxes().minus(filled.boxes);
                entries.extend(open.iter().map(|into| Entry { into, points: natural(into), extra: 0 }));
            }
            Some(face) => {
                let joker = |into| self.boxes[into].pattern.joker_points(dice, self.faces);
                self.extra_yahtzee_entries(filled, face, natural, joker, |entry| entries.push(entry));
            }
        }
        entries
    }

    /// Calls `enter` with every entry of an extra Yahtzee whose dice show `face`. `natural` and `joker` return the
    /// points of these dice in a box, without and with a joker.
    pub(crate) fn extra_yahtzee_entries(
        &self,
        filled: Filled,
        face: Face,
        natural: impl Fn(BoxId) -> u16,
        joker: impl Fn(BoxId) -> u16,
        mut enter: impl FnMut(Entry),
    ) {
        let Some(rule) = &self.extra else { return };
        let open = self.all_boxes().minus(filled.boxes);
        let own = self.upper_box(face).filter(|&own| open.contains(own));
        let bonus = if filled.extras_pay { rule.points } else { 0 };

        let allowed = match (rule.joker, own) {
            (Joker::Forced, Some(own)) => BoxSet::NONE.with(own),
            (Joker::Forced, None) => {
                let lower = open.minus(self.upper_boxes());
                if lower.is_empty() { open } else { lower }
            }
            (Joker::None | Joker::Free | Joker::Used, _) => open,
        };
        let is_joker = rule.joker != Joker::None && own.is_none();
        for into in allowed.iter() {
            let used = own.is_none_or(|own| own == into);
            enter(Entry {
                into,
                points: if is_joker { joker(into) } else { natural(into) },
                extra: if rule.joker == Joker::Used && !used { 0 } else { bonus },
            });
        }
    }
}
