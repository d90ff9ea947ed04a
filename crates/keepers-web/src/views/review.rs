//! Reviews as JSON.

use keepers::review::{Decision, Grade, Review, ReviewedRoll, ReviewedTurn};
use keepers::{Objective, Record, Rules};
use serde::Serialize;
use utoipa::ToSchema;

use super::Done;

/// A recorded game, judged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "rules": "yahtzee", "objective": "expected", "tags": [["place", "home"]],
    "players": [{
        "name": "Ann", "finished": false, "score": 25, "card": "fh=25", "start": 254.58773, "luck": -0.67853,
        "others": 0.0, "loss": 0.0, "end": 253.90919, "rolls": 1, "decisions": 1, "error": 0.0, "grade": "perfect",
        "turns": []
    }]
}))]
pub struct ReviewView {
    /// The name of the rules.
    pub rules: String,
    /// What the players are taken to play for.
    pub objective: String,
    /// What the header of the record says besides.
    #[schema(value_type = Vec<Vec<String>>)]
    pub tags: Vec<(String, String)>,
    /// Everybody who was judged.
    pub players: Vec<PlayerView>,
}

/// One player's side of it. start + luck + others - loss = end, exactly.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedPlayer)]
pub struct PlayerView {
    name: String,
    finished: bool,
    /// The points on the card.
    score: u16,
    card: String,
    /// What the game was worth at its start.
    start: f64,
    luck: f64,
    others: f64,
    loss: f64,
    /// What the game is worth at the end of the record.
    end: f64,
    /// How many rolls there were.
    rolls: usize,
    /// How many decisions there were with anything to choose from.
    decisions: usize,
    /// What a decision lost on average.
    error: f64,
    /// A name for that.
    grade: Option<&'static str>,
    turns: Vec<TurnView>,
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
struct TurnView {
    /// The card before the turn.
    card: String,
    others: f64,
    luck: f64,
    loss: f64,
    /// What the game is worth after it.
    value: f64,
    rolls: Vec<RollView>,
}

/// One roll.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedRoll)]
struct RollView {
    roll: String,
    rolls_left: u8,
    luck: f64,
    /// What the game was worth after it, with the best choice.
    value: f64,
    loss: f64,
    decisions: Vec<DecisionView>,
}

/// One decision.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedDecision)]
struct DecisionView {
    #[serde(flatten)]
    choice: Done,
    value: f64,
    loss: f64,
    /// Its place among all choices: 1 for the best and its equals.
    rank: usize,
    /// How many choices there were.
    choices: usize,
    best: Done,
}

/// The reviews of a record, as JSON.
pub fn reviewed(rules: &Rules, record: &Record, reviews: &[Review], objective: &Objective) -> ReviewView {
    let player = |review: &Review| PlayerView {
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
        grade: Grade::of(objective, review.error()).map(Grade::name),
        turns: review.turns.iter().map(|turn| turn_of(turn, rules)).collect(),
    };
    ReviewView {
        rules: rules.name().to_string(),
        objective: objective.to_string(),
        tags: record.tags().to_vec(),
        players: reviews.iter().map(player).collect(),
    }
}

fn turn_of(turn: &ReviewedTurn, rules: &Rules) -> TurnView {
    let decided = |decision: &Decision| DecisionView {
        choice: Done::new(decision.action, rules),
        value: decision.value,
        loss: decision.loss,
        rank: decision.rank,
        choices: decision.choices,
        best: Done::new(decision.best, rules),
    };
    let rolled = |roll: &ReviewedRoll| RollView {
        roll: roll.roll.to_string(),
        rolls_left: roll.rolls_left,
        luck: roll.luck,
        value: roll.value,
        loss: roll.loss(),
        decisions: roll.decisions.iter().map(decided).collect(),
    };
    TurnView {
        card: turn.card.to_string(),
        others: turn.others,
        luck: turn.luck(),
        loss: turn.loss(),
        value: turn.value,
        rolls: turn.rolls.iter().map(rolled).collect(),
    }
}
