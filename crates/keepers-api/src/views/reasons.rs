//! Reasons as JSON: the numbers of each fact, and an English sentence.

use keepers::answers::{Closeness, Comparison};
use keepers::{BoxId, Fact, Reason, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Aim, Done};

/// A reason for a choice.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Reason, example = json!({
    "kind": "bonus_pace", "ahead": 3.0, "needed": 27, "points": 35, "after": false,
    "text": "You are 3 ahead of the bonus pace."
}))]
pub struct ReasonView {
    /// The fact and its numbers.
    #[serde(flatten)]
    pub fact: FactView,
    /// The fact as an English sentence.
    pub text: String,
}

/// What is true about a position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = Fact)]
pub enum FactView {
    /// There is no other choice.
    OnlyChoice {
        /// The id of the box that must be used.
        score: String,
        /// Whether it is the only open box; otherwise the rules for extra Yahtzees require it.
        only_open: bool,
    },
    /// What a keep plays for.
    PlaysFor {
        /// The kept dice; `-` for none.
        keep: String,
        /// The boxes in which the turn may end better than an average turn: those that add most to the value, the
        /// likeliest first, with the probability that the turn ends there with points.
        boxes: Vec<Aim>,
        /// The box in which the turn most likely ends with points, but worse than an average turn, with the probability
        /// that it ends there with points; null if that is unlikely.
        fallback: Option<Aim>,
        /// The box that the turn most likely gives up for 0 points, with the probability; null if that is
        /// unlikely.
        gives_up: Option<Aim>,
    },
    /// What another choice costs, compared with the best one.
    Costs {
        /// The other choice.
        choice: Done,
        /// The best choice.
        best: Done,
        /// Whether the request named the other choice; otherwise it is the runner-up.
        chosen: bool,
        /// The value of the best choice minus that of the other one.
        loss: f64,
        /// How close the decision is; null for utilities.
        closeness: Option<ClosenessName>,
        /// For the expected score: points of this turn minus those of the best choice; otherwise null.
        now: Option<f64>,
        /// For the expected score: points of later turns minus those of the best choice; otherwise null.
        later: Option<f64>,
        /// A box in which the turn ends clearly less often with points; null if there is none.
        shift: Option<ShiftView>,
    },
    /// Other choices that are just as good as the best one.
    Equal {
        /// The other choices.
        choices: Vec<Done>,
        /// Whether no choice is worse.
        all: bool,
    },
    /// The best entry gives up a box.
    GivesUp {
        /// The id of the box.
        score: String,
        /// The points that it gets.
        points: u16,
        /// The value before the turn minus the value after the entry.
        cost: f64,
    },
    /// The best entry earns the upper bonus.
    BonusEarned {
        /// The points of the bonus.
        points: u16,
    },
    /// After the best entry, the upper bonus is out of reach.
    BonusLost {
        /// The points of the bonus.
        points: u16,
        /// The upper points that are missing after the entry.
        needed: u16,
        /// The most that the open upper boxes can still bring.
        most: u16,
    },
    /// How the upper section stands on the way to its bonus.
    BonusPace {
        /// The points above the pace; negative if below it. The pace is the part of the threshold that belongs to the
        /// filled upper boxes, in proportion to their faces.
        ahead: f64,
        /// The upper points that are missing.
        needed: u16,
        /// The points of the bonus.
        points: u16,
        /// Whether this holds after the best entry rather than now.
        after: bool,
    },
    /// How far the target is.
    Target {
        /// The target.
        target: u16,
        /// The points that are missing.
        needed: u16,
        /// The number of open boxes.
        boxes: usize,
    },
}

/// How close a decision is, by what the other choice loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Closeness)]
pub enum ClosenessName {
    /// Less than half a point, or the like.
    Close,
    /// Anything between.
    Between,
    /// At least three points, or the like.
    Clear,
}

/// A box in which the turn ends less often.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Shift)]
pub struct ShiftView {
    /// The id of the box.
    pub score: String,
    /// The probability that the turn ends there with points after the best choice.
    pub best: f64,
    /// The probability after the other choice.
    pub other: f64,
}

/// Converts reasons, the most useful first.
pub(crate) fn reasons(reasons: &[Reason], rules: &Rules) -> Vec<ReasonView> {
    let view =
        |reason: &Reason| Some(ReasonView { fact: fact(&reason.fact, rules)?, text: reason.to_string() });
    reasons.iter().filter_map(view).collect()
}

/// Converts a fact. Returns `None` for facts of later versions of the library.
fn fact(fact: &Fact, rules: &Rules) -> Option<FactView> {
    let id = |into: BoxId| rules.boxes()[into].id.clone();
    let aim = |&(into, probability): &(BoxId, f64)| Aim { score: id(into), probability };
    Some(match fact {
        Fact::OnlyChoice { into, only_open } => {
            FactView::OnlyChoice { score: id(*into), only_open: *only_open }
        }
        Fact::PlaysFor { keep, boxes, fallback, gives_up } => FactView::PlaysFor {
            keep: keep.to_string(),
            boxes: boxes.iter().map(aim).collect(),
            fallback: fallback.as_ref().map(aim),
            gives_up: gives_up.as_ref().map(aim),
        },
        Fact::Costs(of) => costs(of, rules),
        Fact::Equal { actions, all } => FactView::Equal {
            choices: actions.iter().map(|action| Done::new(*action, rules)).collect(),
            all: *all,
        },
        Fact::GivesUp { into, points, cost } => {
            FactView::GivesUp { score: id(*into), points: *points, cost: *cost }
        }
        Fact::BonusEarned { points } => FactView::BonusEarned { points: *points },
        Fact::BonusLost { points, needed, most } => {
            FactView::BonusLost { points: *points, needed: *needed, most: *most }
        }
        Fact::BonusPace(pace) => FactView::BonusPace {
            ahead: pace.ahead,
            needed: pace.needed,
            points: pace.points,
            after: pace.after,
        },
        Fact::Target { target, needed, boxes } => {
            FactView::Target { target: *target, needed: *needed, boxes: *boxes }
        }
        _ => return None,
    })
}

fn costs(of: &Comparison, rules: &Rules) -> FactView {
    FactView::Costs {
        choice: Done::new(of.action, rules),
        best: Done::new(of.best, rules),
        chosen: of.chosen,
        loss: of.loss,
        closeness: of.closeness.map(|closeness| match closeness {
            Closeness::Close => ClosenessName::Close,
            Closeness::Between => ClosenessName::Between,
            Closeness::Clear => ClosenessName::Clear,
        }),
        now: of.split.map(|split| split.now),
        later: of.split.map(|split| split.later),
        shift: of.shift.map(|shift| ShiftView {
            score: rules.boxes()[shift.into].id.clone(),
            best: shift.best,
            other: shift.other,
        }),
    }
}
