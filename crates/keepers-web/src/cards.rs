//! `/card` and `/value`: what is on a card, and what it is worth.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::rules::Entry;
use keepers::{Card, Roll, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::jobs::{Key, answered, json};
use crate::progress::Accepted;
use crate::prospects::Question;

/// A card to be looked at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "card": "1=3,6=18", "roll": "22233" }))]
pub struct CardRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The card.
    #[serde(default)]
    card: String,
    /// The dice on the table, to be told where they may go.
    #[schema(pattern = "^[1-6]{2,6}$")]
    roll: Option<String>,
}

/// What is on a card.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "card": "1=3,6=18", "total": 21, "upper_total": 21, "upper_bonus": 0, "extras": 0, "extra_points": 0,
    "boxes": { "1": 3, "6": 18, "2": null }, "open": ["2", "3"], "finished": false,
    "entries": [{ "score": "2", "points": 6, "extra": 0, "card": "1=3,2=6,6=18" }]
}))]
pub struct CardView {
    /// The card as we write it.
    card: String,
    /// Everything on it.
    total: u16,
    /// The points in the upper boxes.
    upper_total: u16,
    /// The upper bonus, if it is earned.
    upper_bonus: u16,
    /// How many bonuses for further Yahtzees there were.
    extras: u16,
    /// What they pay.
    extra_points: u16,
    /// What each box holds, by its id; nothing if it is open.
    boxes: BTreeMap<String, Option<u16>>,
    /// The boxes that are open, from the top down.
    open: Vec<String>,
    /// Whether every box is filled.
    finished: bool,
    /// With a roll: every entry that the rules allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<EntryView>>,
}

/// A way to end a turn.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "score": "fh", "points": 25, "extra": 0, "card": "1=3,6=18,fh=25" }))]
pub struct EntryView {
    /// The id of the box.
    score: String,
    /// What is written into it.
    points: u16,
    /// The bonus for a further Yahtzee that comes with it.
    extra: u16,
    /// The card after it.
    card: String,
}

impl EntryView {
    /// An entry of these dice that the rules allow.
    pub fn new(card: &Card, roll: &Roll, entry: Entry) -> EntryView {
        let after = card.enter(roll.dice(), entry.into).expect("the rules allow it");
        EntryView {
            score: card.rules().boxes()[entry.into].id.clone(),
            points: entry.points,
            extra: entry.extra,
            card: after.to_string(),
        }
    }
}

/// Look at a card
#[utoipa::path(post, path = "/card", tag = "play", operation_id = "card", request_body = CardRequest,
    responses((status = 200, description = "what is on it", body = CardView), Refusals))]
pub async fn card(State(app): State<Shared>, Body(request): Body<CardRequest>) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = asked.card("card", &request.card);
    let roll = request.roll.as_ref().map(|roll| asked.roll("roll", roll));
    asked.check()?;
    let card = card.expect("checked");
    let roll = roll.map(|roll| roll.expect("checked"));
    Ok(answered(json(&view(ready.game.rules(), &card, roll.as_ref()))))
}

fn view(rules: &Rules, card: &Card, roll: Option<&Roll>) -> CardView {
    let entries = |roll: &Roll| {
        let entries = card.entries(roll.dice()).into_iter();
        entries.map(|entry| EntryView::new(card, roll, entry)).collect()
    };
    CardView {
        card: card.to_string(),
        total: card.total(),
        upper_total: card.upper_total(),
        upper_bonus: card.upper_bonus(),
        extras: card.extras(),
        extra_points: card.extras() * rules.extra().map_or(0, |extra| extra.points),
        boxes: rules.boxes().iter().map(|(id, rule)| (rule.id.clone(), card.points(id))).collect(),
        open: card.open_boxes().iter().map(|id| rules.boxes()[id].id.clone()).collect(),
        finished: card.is_finished(),
        entries: roll.map(entries),
    }
}

/// A card to be valued.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "card": "1=3,6=18", "objective": "expected" }))]
pub struct ValueRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The card.
    #[serde(default)]
    card: String,
    /// `expected`, `reach:S`, `tournament:N`, `utility` or `win`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility|win)$")]
    objective: String,
    /// With `utility`: what scores are worth, as CSV of score,worth.
    utility: Option<String>,
    /// With `win`: the cards of the others, in the order of play after the player to move.
    #[schema(max_items = 7)]
    against: Option<Vec<String>>,
}

/// What a card is worth.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "card": "", "value": 254.5877 }))]
pub struct ValueView {
    /// The card as we write it.
    card: String,
    /// What the game is worth with it: the expected final score, or a chance, or an expected worth.
    value: f64,
}

/// Value a card
#[utoipa::path(post, path = "/value", tag = "advise", operation_id = "value", request_body = ValueRequest,
    responses(
        (status = 200, description = "what it is worth", body = ValueView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn value(
    State(app): State<Shared>,
    Body(request): Body<ValueRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = asked.card("card", &request.card);
    let against = request.against.as_deref();
    let played_for = asked.played_for(&request.objective, request.utility.as_deref(), against, card.as_ref());
    asked.check()?;
    let question = Question {
        ready,
        card: card.expect("checked"),
        played_for: played_for.expect("checked"),
        seconds: 5.0,
    };
    let view = |question: &Question, value| json(&ValueView { card: question.card.to_string(), value });
    if let Some(looked) = app.looked_now(&question) {
        return Ok(answered(view(&question, looked.value(&question.card))));
    }
    let key = question.key(Key::new("value"));
    let (of, work) = (Arc::clone(&app), question.work());
    let run = move |task: &_| {
        let looked = of.looked(&question, task)?;
        view(&question, looked.value(&question.card))
    };
    app.jobs.answer(key, &work, run).await
}
