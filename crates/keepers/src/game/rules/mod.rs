//! Rules as data: dice, boxes with scoring patterns, bonuses and jokers.
//!
//! A new game is a new value of [`Rules`], read from TOML ([`Rules::from_toml`]) or built in Rust ([`Rules::builder`]).
//! No solver contains code for a particular game.

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
    /// The id that players type, such as `fh`.
    pub id: String,
    /// The name, such as `Full House`.
    pub name: String,
    /// The dice that the box pays for, and how much.
    pub pattern: Pattern,
}

/// The bonus of the upper section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpperBonus {
    /// The upper total that earns the bonus.
    pub threshold: u16,
    /// The points of the bonus.
    pub points: u16,
}

/// The rules for extra Yahtzees: rolls with all dice equal once the Yahtzee box is filled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExtraYahtzee {
    /// The Yahtzee box: the box for all dice equal.
    pub of: BoxId,
    /// The bonus for each extra Yahtzee, paid if the Yahtzee box holds points.
    pub points: u16,
    /// The boxes in which extra Yahtzees may be entered, and for how many points.
    pub joker: Joker,
}

/// The boxes in which extra Yahtzees may be entered, and for how many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joker {
    /// There are no jokers: any open box may be used, for its ordinary points.
    None,
    /// The upper box of the face must be used if it is open. Otherwise any open lower box may be used, as a joker. If
    /// no lower box is open either, any upper box may be used, for 0 points.
    Forced,
    /// Any open box may be used. The roll is a joker unless the upper box of the face is open.
    Free,
    /// As `Free`, but the extra bonus is paid only for an entry into the upper box of the face, or if that box is not
    /// open.
    Used,
}

impl Joker {
    /// Every joker rule with its name in a rules file.
    pub const ALL: [(&'static str, Joker); 4] =
        [("none", Joker::None), ("forced", Joker::Forced), ("free", Joker::Free), ("used", Joker::Used)];

    /// Returns the name of the rule in a rules file.
    pub fn name(self) -> &'static str {
        Joker::ALL.iter().find(|(_, joker)| *joker == self).expect("all are listed").0
    }
}

/// The rules of one game of the Yahtzee family.
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
    /// Returns the name that commands use for these rules.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a description of one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the number of dice.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// Returns the number of faces of each die.
    pub fn faces(&self) -> u8 {
        self.faces
    }

    /// Returns the number of rolls per turn.
    pub fn rolls(&self) -> u8 {
        self.rolls
    }

    /// Returns the boxes, from the top of the card.
    pub fn boxes(&self) -> &ByBox<BoxRule> {
        &self.boxes
    }

    /// Returns the bonus of the upper section, if there is one.
    pub fn upper_bonus(&self) -> Option<UpperBonus> {
        self.upper_bonus
    }

    /// Returns the rules for extra Yahtzees, if there are any.
    pub fn extra(&self) -> Option<&ExtraYahtzee> {
        self.extra.as_ref()
    }

    /// Returns the set of all boxes.
    pub fn all_boxes(&self) -> BoxSet {
        BoxSet::first(self.boxes.values().len())
    }

    /// Returns the box with this id, if there is one.
    pub fn box_by_id(&self, id: &str) -> Option<BoxId> {
        self.boxes.iter().find(|(_, rule)| rule.id == id).map(|(at, _)| at)
    }

    /// Returns the upper box of a face, if the card has one.
    pub fn upper_box(&self, face: Face) -> Option<BoxId> {
        self.boxes.iter().find(|(_, rule)| rule.pattern == Pattern::Face(face)).map(|(at, _)| at)
    }

    /// Returns the face of an upper box. Returns `None` for a lower box.
    pub fn upper_face(&self, id: BoxId) -> Option<Face> {
        match self.boxes[id].pattern {
            Pattern::Face(face) => Some(face),
            _ => None,
        }
    }

    /// Returns the set of the upper boxes.
    pub fn upper_boxes(&self) -> BoxSet {
        self.all_boxes().iter().filter(|&id| self.upper_face(id).is_some()).collect()
    }

    /// Returns whether there is a bonus for extra Yahtzees. If so, future points depend on whether the Yahtzee box
    /// holds points or 0, and not only on whether it is filled.
    pub fn extras_pay(&self) -> bool {
        self.extra.as_ref().is_some_and(|extra| extra.points > 0)
    }

    /// Returns the game's name for all dice equal: the name of the Yahtzee box, or "Yahtzee" without rules for extra
    /// Yahtzees.
    pub fn extra_name(&self) -> &str {
        self.extra.as_ref().map_or("Yahtzee", |extra| &self.boxes[extra.of].name)
    }
}
