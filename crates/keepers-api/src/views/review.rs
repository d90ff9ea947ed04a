//! Reviews as JSON.

use std::sync::Arc;

use keepers::answers::{Decision, ReviewedRoll, ReviewedTurn};
use keepers::internals::review::Moment;
use keepers::internals::theme::themes;
use keepers::{Action, Card, Error, Grade, Reason, Record, Review, Roll, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Done, ReasonView, ThemeName, reasons};
use crate::fields::PlayedFor;

/// The review of a recorded game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Review, example = json!({
    "rules": "yahtzee", "objective": "expected", "tags": [["place", "home"]],
    "players": [{
        "name": "Ann", "finished": false, "score": 25, "card": "fh=25", "start": 254.58773, "luck": -0.67853,
        "others": 0.0, "loss": 0.0, "end": 253.90919, "rolls": 1, "decisions": 1, "error": 0.0, "grade": "perfect",
        "turns": []
    }]
}))]
pub struct ReviewAnswer {
    /// The file that the request named, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The name of the rules.
    pub rules: String,
    /// The objective by which all decisions are valued.
    pub objective: String,
    /// All other lines of the record's header.
    #[schema(value_type = Vec<Vec<String>>)]
    pub tags: Vec<(String, String)>,
    /// The reviewed players.
    pub players: Vec<ReviewedPlayer>,
    /// The reviews, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub reviews: Vec<Review>,
    /// The record, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub record: Arc<Record>,
}

/// The review of one player. start + luck + others - loss = end, exactly.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedPlayer)]
pub struct ReviewedPlayer {
    /// The name of the player.
    pub name: String,
    /// Whether every box is filled.
    pub finished: bool,
    /// The points on the card.
    pub score: u16,
    /// The card at the end of the record.
    pub card: String,
    /// The value at the start of the game.
    pub start: f64,
    /// The luck of all rolls.
    pub luck: f64,
    /// The change of the value by the turns of other players.
    pub others: f64,
    /// The loss of all decisions.
    pub loss: f64,
    /// The value at the end of the record.
    pub end: f64,
    /// The number of rolls.
    pub rolls: usize,
    /// The number of decisions with more than one choice.
    pub decisions: usize,
    /// The mean loss per decision.
    pub error: f64,
    /// A grade for the mean loss.
    pub grade: Option<&'static str>,
    /// With the objective `win`: the decisions whose values are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<DecidedView>,
    /// With the objective `win`: the decisions whose values are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated: Option<DecidedView>,
    /// The turns, in order.
    pub turns: Vec<ReviewedTurnView>,
}

/// Decisions of one kind.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Decided)]
pub struct DecidedView {
    /// The number of decisions with more than one choice.
    pub decisions: usize,
    /// Their loss.
    pub loss: f64,
    /// Their mean loss.
    pub error: f64,
}

/// One turn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedTurn, example = json!({
    "card": "", "others": 0.0, "luck": -0.65245, "loss": 0.0, "value": 253.93528,
    "rolls": [{
        "roll": "33566", "rolls_left": 2, "luck": -0.65245, "value": 253.93528, "loss": 0.0,
        "decisions": [{ "keep": "66", "value": 253.93528, "loss": 0.0, "rank": 1, "choices": 18, "best": { "keep": "66" } }]
    }]
}))]
pub struct ReviewedTurnView {
    /// The card before the turn.
    pub card: String,
    /// With the objective `win`: the number of open boxes on all cards together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_boxes: Option<usize>,
    /// With the objective `win`: whether the values of this turn are exact, and not estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// The change of the value by the turns of other players before this one.
    pub others: f64,
    /// The luck of the rolls in this turn.
    pub luck: f64,
    /// The loss of the decisions in this turn.
    pub loss: f64,
    /// The value after the turn.
    pub value: f64,
    /// The rolls, in order.
    pub rolls: Vec<ReviewedRollView>,
}

/// One roll.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedRoll)]
pub struct ReviewedRollView {
    /// The dice on the table.
    pub roll: String,
    /// Rolls left in this turn.
    pub rolls_left: u8,
    /// The luck of the roll.
    pub luck: f64,
    /// The value after the roll, with the best choice.
    pub value: f64,
    /// The loss of the decisions after this roll.
    pub loss: f64,
    /// The decisions after this roll: a keep, an entry, or both.
    pub decisions: Vec<ReviewedDecisionView>,
}

/// One decision.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedDecision)]
pub struct ReviewedDecisionView {
    #[serde(flatten)]
    /// The choice that was made.
    pub choice: Done,
    /// The value after the choice.
    pub value: f64,
    /// The value of the best choice minus the value of this one.
    pub loss: f64,
    /// The rank among all choices: 1 for the best and all equally good ones.
    pub rank: usize,
    /// The number of choices.
    pub choices: usize,
    /// The best choice.
    pub best: Done,
    /// With `why`, for a decision with a loss: up to three reasons, the most useful first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonView>>,
    /// With `why`, for a decision with a loss: what the choice between it and the best one is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub themes: Option<Vec<ThemeName>>,
}

/// Converts the reviews of a record.
pub(crate) fn reviewed(
    rules: &Rules,
    record: Record,
    reviews: Vec<Review>,
    played_for: &PlayedFor,
    file: Option<String>,
) -> ReviewAnswer {
    let objective = played_for.objective();
    let against = matches!(played_for, PlayedFor::Win(_));
    let decided = |review: &Review, exact: bool| {
        let (decisions, loss) = review.decided(exact);
        against.then(|| DecidedView { decisions, loss, error: loss / decisions.max(1) as f64 })
    };
    let player = |review: &Review| ReviewedPlayer {
        name: record.players()[review.player].clone(),
        finished: review.is_finished(),
        score: review.card.total(),
        card: review.card.to_string(),
        start: review.start,
        luck: review.luck(),
        others: review.others(),
        loss: review.loss(),
        end: review.end,
        rolls: review.rolls(),
        decisions: review.decisions(),
        error: review.error(),
        grade: Grade::of(&objective, review.error()).map(Grade::name),
        exact: decided(review, true),
        estimated: decided(review, false),
        turns: review.turns.iter().map(|turn| turn_of(turn, rules, against)).collect(),
    };
    ReviewAnswer {
        file,
        rules: rules.name().to_string(),
        objective: played_for.to_string(),
        tags: record.tags().to_vec(),
        players: reviews.iter().map(player).collect(),
        reviews,
        record: Arc::new(record),
    }
}

impl ReviewAnswer {
    /// Returns the worst decisions of a review of this answer with their reasons. Decisions without reasons are left
    /// out.
    pub fn reasons(&self, review: &Review, worst: usize) -> Vec<(Moment<'_>, &[ReasonView])> {
        let Some(nth) = self.reviews.iter().position(|of| of.player == review.player) else {
            return Vec::new();
        };
        let views =
            self.players[nth].turns.iter().flat_map(|turn| &turn.rolls).flat_map(|roll| &roll.decisions);
        let mut explained: Vec<(Moment<'_>, &[ReasonView])> = self.reviews[nth]
            .moments()
            .zip(views)
            .filter_map(|(moment, view)| Some((moment, view.reasons.as_deref()?)))
            .collect();
        explained.sort_by(|a, b| b.0.decision.loss.total_cmp(&a.0.decision.loss));
        explained.truncate(worst);
        explained
    }
}

/// Adds the reasons and the themes of every decision with a loss. `explain` receives the card before the turn, the roll, the rolls left
/// and the decision.
pub(crate) fn explained(
    answer: &mut ReviewAnswer,
    rules: &Rules,
    mut explain: impl FnMut(&Card, (Roll, u8), &Decision) -> Result<Vec<Reason>, Error>,
) -> Result<(), Error> {
    for (player, review) in answer.players.iter_mut().zip(&answer.reviews) {
        for (turn, reviewed) in player.turns.iter_mut().zip(&review.turns) {
            for (roll, rolled) in turn.rolls.iter_mut().zip(&reviewed.rolls) {
                for (view, decision) in roll.decisions.iter_mut().zip(&rolled.decisions) {
                    if decision.loss > 0.0 {
                        // Which box to score in is decided as if no rolls were left.
                        let left = match decision.action {
                            Action::Score(_) => 0,
                            Action::Keep(_) => rolled.rolls_left,
                        };
                        let found = explain(&reviewed.card, (rolled.roll, left), decision)?;
                        view.reasons = Some(reasons(&found, rules));
                        let actions = [decision.best, decision.action];
                        view.themes = Some(ThemeName::of(&themes(&reviewed.card, rolled.roll, actions)));
                    }
                }
            }
        }
    }
    Ok(())
}

fn turn_of(turn: &ReviewedTurn, rules: &Rules, against: bool) -> ReviewedTurnView {
    let decided = |decision: &Decision| ReviewedDecisionView {
        choice: Done::new(decision.action, rules),
        value: decision.value,
        loss: decision.loss,
        rank: decision.rank,
        choices: decision.choices,
        best: Done::new(decision.best, rules),
        reasons: None,
        themes: None,
    };
    let rolled = |roll: &ReviewedRoll| ReviewedRollView {
        roll: roll.roll.to_string(),
        rolls_left: roll.rolls_left,
        luck: roll.luck,
        value: roll.value,
        loss: roll.loss(),
        decisions: roll.decisions.iter().map(decided).collect(),
    };
    ReviewedTurnView {
        card: turn.card.to_string(),
        open_boxes: against.then_some(turn.open_boxes),
        exact: against.then_some(turn.exact),
        others: turn.others,
        luck: turn.luck(),
        loss: turn.loss(),
        value: turn.value,
        rolls: turn.rolls.iter().map(rolled).collect(),
    }
}
