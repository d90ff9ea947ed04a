//! `/outlook`: the exact final score after each of several choices.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::advise::{Action, Prospect, advise};
use keepers::evaluate::{Chosen, Statistics, evaluate_expected_after, evaluate_utility_after};
use keepers::rules::BoxId;
use keepers::{Card, Game, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, PlayedFor, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::games::Ready;
use crate::jobs::{Key, Outcome, json};
use crate::progress::Accepted;
use crate::tables::check_statistics;
use crate::task::Task;
use crate::views::{Distributed, distributed};

/// The most choices in one request.
const MOST_CHOICES: usize = 4;

/// Choices to be compared.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "card": "1=2,2=4,3=9", "roll": "33566", "rolls_left": 2, "objective": "expected",
    "choices": [{ "keep": "66" }, { "keep": "33" }]
}))]
pub struct OutlookRequest {
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
    /// `expected`, `reach:S`, `tournament:N` or `utility`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility)$")]
    objective: String,
    /// With `utility`: what scores are worth, as CSV of score,worth.
    utility: Option<String>,
    /// The choices.
    #[schema(min_items = 1, max_items = 4)]
    choices: Vec<ChoiceRequest>,
}

/// A choice: one of the two.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged, try_from = "BTreeMap<String, String>")]
#[schema(as = Choice)]
pub enum ChoiceRequest {
    /// Keep these dice and roll the others.
    Keep(KeepChoice),
    /// End the turn.
    Score(ScoreChoice),
}

/// Keep these dice and roll the others.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepChoice {
    /// The dice that are kept, `-` for none.
    #[schema(pattern = "^(-|[1-6]{1,6})$")]
    keep: String,
}

/// End the turn.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreChoice {
    /// The id of the box.
    score: String,
}

impl TryFrom<BTreeMap<String, String>> for ChoiceRequest {
    type Error = &'static str;

    fn try_from(mut fields: BTreeMap<String, String>) -> Result<ChoiceRequest, &'static str> {
        match (fields.remove("keep"), fields.remove("score"), fields.len()) {
            (Some(keep), None, 0) => Ok(ChoiceRequest::Keep(KeepChoice { keep })),
            (None, Some(score), 0) => Ok(ChoiceRequest::Score(ScoreChoice { score })),
            _ => Err("a choice is either keep or score: write {\"keep\": \"22\"} or {\"score\": \"fh\"}"),
        }
    }
}

/// What each choice leads to.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "outlooks": [{
        "choice": { "keep": "66" }, "value": 163.2, "mean": 163.2, "sd": 30.1, "least": 15,
        "probability": [0.0001, 0.0002], "upper_bonus": null,
        "boxes": [{ "id": "1", "points": 2.0, "scored": 1.0 }], "upper_bonus_points": 0.0, "extra_points": 0.0
    }]
}))]
pub struct OutlooksView {
    /// In the order of the choices.
    outlooks: Vec<OutlookView>,
}

/// What a choice leads to, if the turn and the game are then played best for the objective.
/// The points of the boxes and the bonuses add up to the mean.
#[derive(Serialize, ToSchema)]
#[schema(as = Outlook)]
pub struct OutlookView {
    choice: ChoiceRequest,
    /// What it is worth to the objective.
    value: f64,
    /// The mean of the final score.
    mean: f64,
    /// Its standard deviation.
    sd: f64,
    /// The least score that can be.
    least: usize,
    /// The probability of that score, of the next, and so on.
    probability: Vec<f64>,
    /// The probability of having the upper bonus in the end; nothing if the game has none.
    upper_bonus: Option<f64>,
    /// Every box.
    boxes: Vec<BoxOutlook>,
    /// What the upper bonus pays on average.
    upper_bonus_points: f64,
    /// What bonuses for further Yahtzees pay on average.
    extra_points: f64,
}

/// What a box holds in the end.
#[derive(Serialize, ToSchema)]
pub struct BoxOutlook {
    id: String,
    /// The points on average.
    points: f64,
    /// The chance of more than none.
    scored: f64,
}

/// Compare choices by the final scores they lead to
#[utoipa::path(post, path = "/outlook", tag = "advise", operation_id = "outlook", request_body = OutlookRequest,
    responses(
        (status = 200, description = "what each choice leads to", body = OutlooksView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn outlook(
    State(app): State<Shared>,
    Body(request): Body<OutlookRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = asked.open_card("card", &request.card);
    let roll = asked.roll("roll", &request.roll);
    let left = asked.rolls_left("rolls_left", request.rolls_left);
    let played_for = asked.strategy("objective", &request.objective, request.utility.as_deref());
    let found = request.choices.len();
    if !(1..=MOST_CHOICES).contains(&found) {
        asked.tell("choices", format!("{found} choices cannot be compared: write 1 to {MOST_CHOICES}"));
    }
    let mut actions = Vec::new();
    if let (Some(card), Some(roll), Some(left)) = (&card, &roll, left) {
        let each =
            request.choices.iter().map(|choice| action(&mut asked, &ready.game, card, roll, left, choice));
        actions = each.collect();
    }
    asked.check()?;
    let actions: Vec<Action> = actions.into_iter().map(|action| action.expect("checked")).collect();
    let turn = Turn {
        card: card.expect("checked"),
        roll: roll.expect("checked"),
        left: left.expect("checked"),
        choices: request.choices.into_iter().zip(actions).collect(),
    };
    let played_for = played_for.expect("checked");
    let key = Key::new("outlook").and(&ready.key).and(&turn.card).and(turn.roll).and(turn.left);
    let key = played_for.key(turn.choices.iter().fold(key, |key, choice| key.and(format!("{:?}", choice.1))));
    let work = format!("following every choice of {}", ready.game.rules().name());
    let of = Arc::clone(&app);
    app.jobs.answer(key, &work, move |task| looked(&of, &ready, &turn, &played_for, task)).await
}

/// A choice that can be made.
fn action(
    asked: &mut Asked<'_>,
    game: &Game,
    card: &Card,
    roll: &Roll,
    left: u8,
    choice: &ChoiceRequest,
) -> Option<Action> {
    match choice {
        ChoiceRequest::Keep(_) if left == 0 => {
            asked.tell("choices", "there is no roll left: write a box to score in, like {\"score\": \"ch\"}");
            None
        }
        ChoiceRequest::Keep(KeepChoice { keep }) => {
            let keep = asked.keep("choices", keep)?;
            if !keep.is_within(roll.dice()) {
                asked.tell("choices", format!("{keep} cannot be kept: it is not among {roll}"));
                return None;
            }
            Some(Action::Keep(keep))
        }
        ChoiceRequest::Score(ScoreChoice { score }) => {
            let Some(into) = game.rules().box_by_id(score) else {
                let score: String = score.chars().filter(|c| !c.is_control()).take(20).collect();
                asked.tell("choices", format!("there is no box \"{score}\""));
                return None;
            };
            let entry = card.entry(roll.dice(), into).map_err(|error| asked.tell("choices", error));
            entry.ok().map(Action::Score)
        }
    }
}

/// The middle of a turn, and what may be done there.
struct Turn {
    card: Card,
    roll: Roll,
    left: u8,
    choices: Vec<(ChoiceRequest, Action)>,
}

fn looked(app: &Shared, ready: &Ready, turn: &Turn, played_for: &PlayedFor, task: &Arc<Task>) -> Outcome {
    let goal = app.goal(ready, played_for, task)?;
    let worth =
        goal.worth(&ready.game, &turn.card).map_err(|error| ApiError::impossible("objective", error))?;
    let work = format!("following every choice of {}", ready.game.rules().name());
    let progress = |done: usize, all: usize| task.tell(&work, done, all);
    let chosen = |action: &Action| Chosen { card: &turn.card, rolls_left: turn.left, action: *action };
    let view = match worth {
        None => {
            check_statistics(ready, &turn.card)?;
            let table = app.tables.expected(ready, task);
            let after = |action: &Action| evaluate_expected_after(&table, &chosen(action), &progress);
            views(&ready.game, turn, &table, after)
        }
        Some(worth) => {
            let best = app.tables.best(ready, &turn.card, &worth, task)?;
            let after = |action: &Action| evaluate_utility_after(&best, &chosen(action), &progress);
            views(&ready.game, turn, &best, after)
        }
    };
    json(&view?)
}

fn views(
    game: &Game,
    turn: &Turn,
    prospect: &dyn Prospect,
    after: impl Fn(&Action) -> Statistics,
) -> Result<OutlooksView, ApiError> {
    let Turn { card, roll, left, choices } = turn;
    let advice = advise(game, prospect, card, roll, *left);
    let advice = advice.map_err(|error| ApiError::impossible("card", error))?;
    let value = |action: &Action| match action {
        Action::Score(entry) => {
            prospect.value(&card.enter(roll.dice(), entry.into).expect("the rules allow it"))
        }
        keep => {
            let found = advice.choices.iter().find(|choice| choice.action == *keep);
            found.expect("every keep is among them").value
        }
    };
    let one = |(choice, action): &(ChoiceRequest, Action)| {
        view(game, card, choice.clone(), value(action), &after(action))
    };
    Ok(OutlooksView { outlooks: choices.iter().map(one).collect() })
}

fn view(game: &Game, card: &Card, choice: ChoiceRequest, value: f64, statistics: &Statistics) -> OutlookView {
    let rules = game.rules();
    let one = |id: BoxId| {
        let of = &statistics.boxes[id];
        let nothing = || of.distribution().first().copied().unwrap_or(0.0);
        let (points, scored) = match card.points(id) {
            Some(points) => (f64::from(points), f64::from(u8::from(points > 0))),
            None => (of.mean(), 1.0 - nothing()),
        };
        BoxOutlook { id: rules.boxes()[id].id.clone(), points, scored }
    };
    let bonus = rules.upper_bonus().map(|bonus| {
        let chance = if card.upper_bonus() > 0 { 1.0 } else { statistics.upper_bonus };
        (chance, chance * f64::from(bonus.points))
    });
    let extras: f64 = statistics.extras.iter().zip(0..).map(|(p, extras)| p * f64::from(extras)).sum();
    let pays = f64::from(rules.extra().map_or(0, |extra| extra.points));
    let Distributed { least, probability } = distributed(&statistics.probability);
    OutlookView {
        choice,
        value,
        mean: statistics.mean(),
        sd: statistics.deviation(),
        least,
        probability,
        upper_bonus: bonus.map(|(chance, _)| chance),
        boxes: rules.all_boxes().iter().map(one).collect(),
        upper_bonus_points: bonus.map_or(0.0, |(_, points)| points),
        extra_points: pays * (f64::from(card.extras()) + extras),
    }
}
