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
        /// The dice that are kept, `-` for none.
        keep: String,
        /// What the game is then worth.
        value: f64,
        /// How much less that is than the best.
        loss: f64,
        /// The boxes that the turn may end in, the likeliest first.
        aims: Vec<Aim>,
    },
    /// End the turn.
    Score {
        /// The id of the box.
        score: String,
        /// The points that are written into it.
        points: u16,
        /// The bonus for a further Yahtzee that comes with it.
        extra: u16,
        /// What the game is then worth.
        value: f64,
        /// How much less that is than the best.
        loss: f64,
    },
}

/// A box that the turn may end in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Aim {
    /// The id of the box.
    pub score: String,
    /// How likely that is.
    pub probability: f64,
}

/// Every choice of an advice, the best first.
pub(crate) fn ranked(advice: &Advice, rules: &Rules) -> Vec<Ranked> {
    let id = |into: BoxId| rules.boxes()[into].id.clone();
    let ranked = |choice: &Choice| match choice.action {
        Action::Keep(keep) => Ranked::Keep {
            keep: keep.to_string(),
            value: choice.value,
            loss: choice.loss,
            aims: choice
                .aims
                .iter()
                .map(|&(into, probability)| Aim { score: id(into), probability })
                .collect(),
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

/// What was done, or would be best.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Done {
    /// These dice were kept.
    Keep {
        /// The dice that are kept, `-` for none.
        keep: String,
    },
    /// The turn was ended.
    Score {
        /// The id of the box.
        score: String,
        /// The points that are written into it.
        points: u16,
        /// The bonus for a further Yahtzee that comes with it.
        extra: u16,
    },
}

impl Done {
    /// An action by the id of its box.
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
