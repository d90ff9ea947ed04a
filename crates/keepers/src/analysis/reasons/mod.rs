//! Reasons: why a choice is best, as facts with their numbers and as sentences.
//!
//! Every fact is computed from the values of the position, for any rules and any objective. The sentences are the
//! `Display` of [`Reason`]; the numbers behind them are in [`Fact`], so that other languages can be written from them.
//!
//! | fact | what it compares |
//! |---|---|
//! | [`Fact::PlaysFor`] | the end of the turn after a keep, under the best play, with an average turn |
//! | [`Fact::Costs`] | another choice with the best one: the loss, and where the turn then ends or when the points are lost |
//! | [`Fact::GivesUp`] | the value after a low entry with the value before the turn |
//! | [`Fact::BonusPace`] | the upper total with an equal share of the bonus threshold for each pip of the filled boxes |
//!
//! An average turn is the value of the card before the first roll of the turn: the mean over everything that the dice
//! and the best play can make of the turn.

mod bonus;
mod ends;
mod find;
mod measure;
mod words;

pub(in crate::analysis) use bonus::is_undecided as bonus_is_undecided;
pub use find::{Turn, explain};
pub use measure::{Closeness, Measure};

use crate::dice::Keep;
use crate::game::Game;
use crate::game::rules::{Action, BoxId};

/// The largest number of reasons for one decision.
pub const MAX_REASONS: usize = 3;

/// A reason for a choice. Its `Display` is one English sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reason {
    /// What is true about the position, with its numbers.
    pub fact: Fact,
    /// What the values of the fact measure.
    pub measure: Measure,
    game: Game,
}

/// What is true about a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fact {
    /// There is no other choice.
    OnlyChoice {
        /// The box that must be used.
        into: BoxId,
        /// Whether it is the only open box; otherwise the rules for extra Yahtzees require it.
        only_open: bool,
    },
    /// What a keep plays for.
    PlaysFor {
        /// The dice that are kept.
        keep: Keep,
        /// Up to three boxes in which the turn may end better than an average turn: those that add most to the value,
        /// the likeliest first. Each has the probability that the turn ends there with points.
        boxes: Vec<(BoxId, f64)>,
        /// Another box: the one in which the turn most likely ends with points, but worse than an average turn, and the
        /// probability that it ends there with points.
        fallback: Option<(BoxId, f64)>,
        /// The box that the turn most likely gives up for 0 points, and the probability.
        gives_up: Option<(BoxId, f64)>,
    },
    /// What another choice costs, compared with the best one.
    Costs(Comparison),
    /// Other choices that count as equal to the best one.
    Equal {
        /// The other choices.
        actions: Vec<Action>,
        /// Whether no choice is worse.
        all: bool,
    },
    /// The best entry gives up a box.
    GivesUp {
        /// The box.
        into: BoxId,
        /// The points that it gets.
        points: u16,
        /// The value before the turn minus the value after the entry.
        cost: f64,
    },
    /// The best entry reaches the threshold of the upper bonus.
    BonusEarned {
        /// The points of the bonus.
        points: u16,
    },
    /// After the best entry, the upper bonus can no longer be reached.
    BonusLost {
        /// The points of the bonus.
        points: u16,
        /// The upper points that are missing after the entry.
        needed: u16,
        /// The most that the open upper boxes can still bring.
        most: u16,
    },
    /// How the upper section stands on the way to its bonus.
    BonusPace(BonusPace),
    /// How far a target is.
    Target {
        /// The target.
        target: u16,
        /// The points that are missing, bonuses included.
        needed: u16,
        /// The number of open boxes.
        boxes: usize,
    },
}

/// Another choice, compared with the best one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The other choice.
    pub action: Action,
    /// The best choice.
    pub best: Action,
    /// Whether the player made the other choice. Otherwise it is the runner-up: no other choice that loses something
    /// loses less.
    pub chosen: bool,
    /// The value of the best choice minus that of the other choice.
    pub loss: f64,
    /// Whether the decision is close or clear, by the loss; `None` for utilities, whose unit is unknown.
    pub closeness: Option<Closeness>,
    /// For the expected score, by when the points come; otherwise `None`.
    pub split: Option<Split>,
    /// For keeps: the box with the largest loss of value in which the turn ends clearly less often with points.
    pub shift: Option<Shift>,
}

/// A difference of expected scores, by when the points come. Both parts add up to minus the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Split {
    /// The points of this turn, bonuses included, minus those of the best choice.
    pub now: f64,
    /// The points of later turns minus those of the best choice.
    pub later: f64,
}

/// A box in which the turn ends less often.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shift {
    /// The box.
    pub into: BoxId,
    /// The probability that the turn ends there with points after the best choice.
    pub best: f64,
    /// The probability after the other choice.
    pub other: f64,
}

/// The upper section on its way to the bonus. The pace is the share of the threshold that belongs to the filled upper
/// boxes, in proportion to their faces: for 63 points over six faces, three dice of each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BonusPace {
    /// The points above the pace; negative if below it.
    pub ahead: f64,
    /// The upper points that are missing.
    pub needed: u16,
    /// The points of the bonus.
    pub points: u16,
    /// Whether this holds after the best entry rather than now.
    pub after: bool,
}
