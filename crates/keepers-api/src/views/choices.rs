//! Choices as JSON.

use keepers::{Action, Advice, BoxId, Choice, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A choice and its value.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Ranked {
    /// Keep these dice and roll the others.
    Keep {
        /// The kept dice; `-` for none.
        keep: String,
        /// The value of the position after this choice.
        value: f64,
        /// The value of the best choice minus the value of this one.
        loss: f64,
        /// The boxes in which the turn may end, the most likely first.
        aims: Vec<Aim>,
        /// The boxes that the turn may give up for 0 points, the most likely first; `aims` counts these ends, too.
        given_up: Vec<Aim>,
    },
    /// End the turn.
    Score {
        /// The id of the box.
        score: String,
        /// The points entered.
        points: u16,
        /// The bonus that the entry earns for an extra Yahtzee.
        extra: u16,
        /// The value of the position after this choice.
        value: f64,
        /// The value of the best choice minus the value of this one.
        loss: f64,
    },
}

/// A box in which the turn may end.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Aim {
    /// The id of the box.
    pub score: String,
    /// The probability that the turn ends in this box.
    pub probability: f64,
}

/// Converts all choices of an advice, the best first.
pub(crate) fn ranked(advice: &Advice, rules: &Rules) -> Vec<Ranked> {
    let id = |into: BoxId| rules.boxes()[into].id.clone();
    let aims = |ends: &[(BoxId, f64)]| -> Vec<Aim> {
        ends.iter().map(|&(into, probability)| Aim { score: id(into), probability }).collect()
    };
    let ranked = |choice: &Choice| match choice.action {
        Action::Keep(keep) => Ranked::Keep {
            keep: keep.to_string(),
            value: choice.value,
            loss: choice.loss,
            aims: aims(&choice.aims),
            given_up: aims(&choice.given_up),
        },
        Action::Score(entry) => Ranked::Score {
            score: id(entry.into),
            points: entry.points,
            extra: entry.extra,
            value: choice.value,
            loss: choice.loss,
        },
    };
    advice.choices.iter().map(ranked).collect()
}

/// A choice without its value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Done {
    /// Dice are kept.
    Keep {
        /// The kept dice; `-` for none.
        keep: String,
    },
    /// The turn ends.
    Score {
        /// The id of the box.
        score: String,
        /// The points entered.
        points: u16,
        /// The bonus that the entry earns for an extra Yahtzee.
        extra: u16,
    },
}

impl Done {
    /// Converts an action.
    pub fn new(action: Action, rules: &Rules) -> Done {
        match action {
            Action::Keep(keep) => Done::Keep { keep: keep.to_string() },
            Action::Score(entry) => Done::Score {
                score: rules.boxes()[entry.into].id.clone(),
                points: entry.points,
                extra: entry.extra,
            },
        }
    }
}
