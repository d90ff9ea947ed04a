//! `/advise`: every choice for a roll, ranked.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::Roll;
use keepers::advise::advise as rank;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::jobs::{Key, Outcome, answered, json};
use crate::progress::Accepted;
use crate::prospects::{Looked, Question};
use crate::views::{Ranked, ranked};

/// A roll to be played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yahtzee", "card": "1=3,4=12,fh=25", "roll": "33566", "rolls_left": 2, "objective": "expected"
}))]
pub struct AdviseRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The card.
    #[serde(default)]
    card: String,
    /// The dice on the table.
    #[schema(pattern = "^[1-6]{2,6}$")]
    roll: String,
    /// How often they may still be rolled; as after the first roll, if nothing is said.
    rolls_left: Option<u8>,
    /// `expected`, `reach:S`, `tournament:N`, `utility` or `win`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility|win)$")]
    objective: String,
    /// With `utility`: what scores are worth, as CSV of score,worth.
    utility: Option<String>,
    /// With `win`: the cards of the others, in the order of play after the player to move.
    #[schema(max_items = 7)]
    against: Option<Vec<String>>,
    /// With `win`: how many seconds exact values may take before they are estimated.
    #[schema(minimum = 0, maximum = 60)]
    seconds: Option<f64>,
}

/// Every choice, ranked.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "value": 241.93, "exact": null, "objective": "expected",
    "choices": [
        { "keep": "66", "value": 241.93, "loss": 0.0, "aims": [{ "score": "6", "probability": 0.52 }] },
        { "keep": "33", "value": 240.1, "loss": 1.83, "aims": [{ "score": "3", "probability": 0.6 }] }
    ]
}))]
pub struct AdviceView {
    /// What the best choice is worth.
    value: f64,
    /// Against others: whether that is exact, or estimated.
    exact: Option<bool>,
    /// What is played for.
    objective: String,
    /// Every choice, the best first.
    choices: Vec<Ranked>,
}

/// Rank every choice for a roll
#[utoipa::path(post, path = "/advise", tag = "advise", operation_id = "advise", request_body = AdviseRequest,
    responses(
        (status = 200, description = "every choice, the best first", body = AdviceView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn advise(
    State(app): State<Shared>,
    Body(request): Body<AdviseRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = asked.open_card("card", &request.card);
    let roll = asked.roll("roll", &request.roll);
    let left = asked.rolls_left("rolls_left", request.rolls_left);
    let against = request.against.as_deref();
    let played_for = asked.played_for(&request.objective, request.utility.as_deref(), against, card.as_ref());
    let seconds = asked.seconds(request.seconds);
    asked.check()?;
    let (card, played_for) = (card.expect("checked"), played_for.expect("checked"));
    let (roll, left) = (roll.expect("checked"), left.expect("checked"));
    let question = Question { ready, card, played_for, seconds: seconds.expect("checked") };
    if let Some(looked) = app.looked_now(&question) {
        return Ok(answered(advice(&question, &looked, &roll, left)));
    }
    let key = question.key(Key::new("advise").and(roll).and(left));
    let (of, work) = (Arc::clone(&app), question.work());
    let run = move |task: &_| advice(&question, &of.looked(&question, task)?, &roll, left);
    app.jobs.answer(key, &work, run).await
}

fn advice(question: &Question, looked: &Looked, roll: &Roll, left: u8) -> Outcome {
    let game = &question.ready.game;
    let advice = rank(game, looked.prospect(), &question.card, roll, left);
    let advice = advice.map_err(|error| ApiError::impossible("card", error))?;
    json(&AdviceView {
        value: advice.value,
        exact: looked.exact(),
        objective: question.played_for.to_string(),
        choices: ranked(&advice, game.rules()),
    })
}
