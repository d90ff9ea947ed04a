//! Rules are data: dice, boxes with scoring patterns, bonuses and jokers.
//!
//! A new game is a new value of [`Rules`], read from TOML ([`Rules::from_toml`]) or built in Rust
//! ([`Rules::builder`]). No solver knows which game it solves.

mod boxes;
mod builder;
mod entries;
mod fingerprint;
mod pattern;
mod presets;
mod read;
mod write;

pub use boxes::{BoxId, BoxSet, ByBox, MAX_BOXES};
pub use builder::RulesBuilder;
pub use entries::{Action, Entry, Filled};
pub use pattern::{Pattern, Pays};
pub use presets::{PRESETS, Preset, UnknownPreset};
pub use read::{RulesError, RulesProblem};

use crate::dice::Face;

/// One box of the card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoxRule {
    /// What a player types: `fh`.
    pub id: String,
    /// What a player calls it: `Full House`.
    pub name: String,
    /// What it pays for.
    pub pattern: Pattern,
}

/// Points for a full upper section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpperBonus {
    /// The upper total that earns it.
    pub threshold: u16,
    /// What it is worth.
    pub points: u16,
}

/// What all dice equal are worth once their own box is filled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExtraYahtzee {
    /// The box for all dice equal (the Yahtzee box).
    pub of: BoxId,
    /// The bonus for each further one, paid when that box holds points.
    pub points: u16,
    /// Where the dice may or must go, and for how much.
    pub joker: Joker,
}

/// Where all dice equal may go once their own box is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joker {
    /// Natural scores only.
    None,
    /// Their upper box if open; else any open lower box at joker value; else any upper box for zero.
    Forced,
    /// Any box; the lower ones pay joker value once the upper box of that face is filled.
    Free,
    /// As free, but the bonus is paid only in their own upper box or once that is filled.
    Used,
}

impl Joker {
    /// Every joker rule with its name in a rules file.
    pub const ALL: [(&'static str, Joker); 4] =
        [("none", Joker::None), ("forced", Joker::Forced), ("free", Joker::Free), ("used", Joker::Used)];

    /// Its name in a rules file.
    pub fn name(self) -> &'static str {
        Joker::ALL.iter().find(|(_, joker)| *joker == self).expect("all are listed").0
    }
}

/// A game of the family.
///
/// ```
/// use keepers::Rules;
/// let rules = Rules::preset("yahtzee").unwrap();
/// assert_eq!(rules.boxes().values().len(), 13);
/// assert_eq!(Rules::from_toml(&rules.to_toml()).unwrap(), rules);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    name: String,
    title: String,
    dice: u8,
    faces: u8,
    rolls: u8,
    boxes: ByBox<BoxRule>,
    upper_bonus: Option<UpperBonus>,
    extra: Option<ExtraYahtzee>,
}

impl Rules {
    /// The name by which commands call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line that says what it is.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// How many dice are rolled.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// How many faces each die has.
    pub fn faces(&self) -> u8 {
        self.faces
    }

    /// How many times the dice are rolled in a turn.
    pub fn rolls(&self) -> u8 {
        self.rolls
    }

    /// The boxes, from the top of the card down.
    pub fn boxes(&self) -> &ByBox<BoxRule> {
        &self.boxes
    }

    /// The bonus of the upper section, if there is one.
    pub fn upper_bonus(&self) -> Option<UpperBonus> {
        self.upper_bonus
    }

    /// What further Yahtzees are worth, if anything.
    pub fn extra(&self) -> Option<&ExtraYahtzee> {
        self.extra.as_ref()
    }

    /// All boxes of the card.
    pub fn all_boxes(&self) -> BoxSet {
        BoxSet::first(self.boxes.values().len())
    }

    /// The box with this id.
    pub fn box_by_id(&self, id: &str) -> Option<BoxId> {
        self.boxes.iter().find(|(_, rule)| rule.id == id).map(|(at, _)| at)
    }

    /// The upper box of a face, if the card has one.
    pub fn upper_box(&self, face: Face) -> Option<BoxId> {
        self.boxes.iter().find(|(_, rule)| rule.pattern == Pattern::Face(face)).map(|(at, _)| at)
    }

    /// The face of an upper box; nothing for a lower one.
    pub fn upper_face(&self, id: BoxId) -> Option<Face> {
        match self.boxes[id].pattern {
            Pattern::Face(face) => Some(face),
            _ => None,
        }
    }

    /// The boxes of the upper section.
    pub fn upper_boxes(&self) -> BoxSet {
        self.all_boxes().iter().filter(|&id| self.upper_face(id).is_some()).collect()
    }

    /// Whether the future depends on what the Yahtzee box holds, not only on whether it is filled.
    pub fn extras_pay(&self) -> bool {
        self.extra.as_ref().is_some_and(|extra| extra.points > 0)
    }

    /// What the game calls all dice equal: the name of that box, or "Yahtzee".
    pub fn extra_name(&self) -> &str {
        self.extra.as_ref().map_or("Yahtzee", |extra| &self.boxes[extra.of].name)
    }
}
