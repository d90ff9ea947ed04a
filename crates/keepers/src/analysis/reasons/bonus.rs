//! How the upper section stands on the way to its bonus.

use super::{BonusPace, Fact};
use crate::game::card::Card;
use crate::game::rules::Entry;

/// Returns what an entry does to the upper bonus: it earns it, puts it out of reach, or changes the pace. Returns `None`
/// for entries into lower boxes, in games without a bonus, and if the bonus was decided before.
pub(super) fn after_entry(card: &Card, entry: Entry) -> Option<Fact> {
    let bonus = card.rules().upper_bonus()?;
    if card.rules().upper_face(entry.into).is_none() || !is_undecided(card) {
        return None;
    }
    let after = card.with(entry);
    if after.upper_bonus() > 0 {
        return Some(Fact::BonusEarned { points: bonus.points });
    }
    let (needed, most) = (needed(&after), most(&after));
    if needed > most {
        return Some(Fact::BonusLost { points: bonus.points, needed, most });
    }
    pace(&after, true)
}

/// Returns the pace of a card. Returns `None` if the bonus is decided or no upper box is filled.
pub(super) fn pace(card: &Card, after: bool) -> Option<Fact> {
    let bonus = card.rules().upper_bonus()?;
    let upper = card.rules().upper_boxes();
    let filled = upper.minus(card.open_boxes());
    if filled.is_empty() || !is_undecided(card) {
        return None;
    }
    let pips = |of: crate::game::rules::BoxSet| -> f64 {
        of.iter().filter_map(|id| card.rules().upper_face(id)).map(|face| f64::from(face.pips())).sum()
    };
    let due = f64::from(bonus.threshold) * pips(filled) / pips(upper);
    let ahead = f64::from(card.upper_total()) - due;
    Some(Fact::BonusPace(BonusPace { ahead, needed: needed(card), points: bonus.points, after }))
}

/// Returns whether the bonus can be earned and is not earned yet.
pub(in crate::analysis) fn is_undecided(card: &Card) -> bool {
    let needed = needed(card);
    needed > 0 && needed <= most(card)
}

/// Returns the upper points that are missing.
fn needed(card: &Card) -> u16 {
    card.rules().upper_bonus().map_or(0, |bonus| bonus.threshold.saturating_sub(card.upper_total()))
}

/// Returns the most that the open upper boxes can bring: all dice in each.
fn most(card: &Card) -> u16 {
    let rules = card.rules();
    let open = card.open_boxes().iter().filter_map(|id| rules.upper_face(id));
    open.map(|face| u16::from(face.pips()) * u16::from(rules.dice())).sum()
}
