//! `/rules` and `/solve`: the games that are known, games by TOML, and solving them.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use keepers::Rules;
use keepers::rules::{BoxId, PRESETS};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::body::Body;
use crate::describe::{describe, title};
use crate::error::{ApiError, Delays, Refusal, Refusals};
use crate::games::Ready;
use crate::jobs::{Key, answered, json};
use crate::name::Name;
use crate::progress::Accepted;

/// The games that are known by name.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "rules": [{ "name": "yahtzee", "title": "Yahtzee", "summary": "Yahtzee by the official rules: forced joker" }]
}))]
pub struct RulesList {
    rules: Vec<KnownRules>,
}

/// A game that is known by name.
#[derive(Serialize, ToSchema)]
pub struct KnownRules {
    /// What to write for `rules`.
    name: String,
    /// What people call it.
    title: String,
    /// One line that says what it is.
    summary: String,
}

/// A game by its rules.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "name": "yacht", "title": "Yacht", "summary": "the game of Yacht", "toml": "name = \"yacht\"\n..", "dice": 5,
    "faces": 6, "rolls": 3, "states": 4096,
    "boxes": [{ "id": "1", "name": "Ones", "description": "the sum of all 1s", "upper": true, "face": 1,
        "possible": [0, 1, 2, 3, 4, 5] }],
    "upper_bonus": null, "extra": null, "most": 298
}))]
pub struct RulesView {
    name: String,
    /// What people call it.
    title: String,
    /// One line that says what it is.
    summary: String,
    /// The rules as TOML, to be edited and sent back.
    toml: String,
    dice: u8,
    faces: u8,
    /// How often the dice are rolled in a turn.
    rolls: u8,
    /// How many score states there are.
    states: usize,
    /// The boxes, from the top down.
    boxes: Vec<BoxView>,
    upper_bonus: Option<UpperBonusView>,
    /// What all dice equal are worth once their own box is filled.
    extra: Option<ExtraView>,
    /// The most points that a game can end with.
    most: u16,
}

/// A box of the card.
#[derive(Serialize, ToSchema)]
pub struct BoxView {
    /// What stands for it in cards.
    id: String,
    name: String,
    /// What it pays for.
    description: String,
    /// Whether it belongs to the upper section.
    upper: bool,
    /// The face of an upper box.
    face: Option<u8>,
    /// Everything that it can hold, sorted.
    possible: Vec<u16>,
}

/// Points for a full upper section.
#[derive(Serialize, ToSchema)]
pub struct UpperBonusView {
    /// The upper total that earns it.
    threshold: u16,
    points: u16,
}

/// Points and jokers for all dice equal.
#[derive(Serialize, ToSchema)]
pub struct ExtraView {
    /// What the game calls all dice equal.
    name: String,
    /// The id of the box for it.
    #[serde(rename = "box")]
    of: String,
    /// The bonus for each further one.
    points: u16,
    /// `none`, `forced`, `free` or `used`.
    joker: String,
}

/// Rules to be read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht" }))]
pub struct RulesRequest {
    /// A preset's name, or TOML.
    rules: String,
}

/// The games that are known by name
#[utoipa::path(get, path = "/rules", tag = "rules", operation_id = "list_rules",
    responses((status = 200, description = "every game", body = RulesList), Delays))]
pub async fn list_rules() -> Response {
    let known = |rules: Rules| KnownRules {
        name: rules.name().to_string(),
        title: title(&rules),
        summary: rules.title().to_string(),
    };
    let rules = PRESETS.iter().filter_map(|preset| Rules::preset(preset.name)).map(known).collect();
    answered(json(&RulesList { rules }))
}

/// A game that is known by name
#[utoipa::path(get, path = "/rules/{name}", tag = "rules", operation_id = "named_rules",
    params(("name" = String, Path, description = "its name", example = "yahtzee")),
    responses(
        (status = 200, description = "the game", body = RulesView),
        (status = 404, description = "there is no such game", body = Refusal),
        Delays,
    ))]
pub async fn named_rules(State(app): State<Shared>, Name(name): Name) -> Result<Response, ApiError> {
    if Rules::preset(&name).is_none() {
        let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        return Err(ApiError::unknown(format!("there are no rules called \"{name}\"")));
    }
    shown(app.games.get(&name).await?).await
}

/// Read rules
#[utoipa::path(post, path = "/rules", tag = "rules", operation_id = "read_rules", request_body = RulesRequest,
    responses((status = 200, description = "the game", body = RulesView), Refusals))]
pub async fn read_rules(
    State(app): State<Shared>,
    Body(request): Body<RulesRequest>,
) -> Result<Response, ApiError> {
    shown(app.games.get(&request.rules).await?).await
}

async fn shown(ready: Arc<Ready>) -> Result<Response, ApiError> {
    // The most points take a walk over all states.
    let view = tokio::task::spawn_blocking(move || json(&view(&ready))).await;
    Ok(answered(view.map_err(|_| ApiError::impossible("rules", "these rules cannot be shown"))?))
}

fn view(ready: &Ready) -> RulesView {
    let (game, rules) = (&ready.game, ready.game.rules());
    let one = |id: BoxId| BoxView {
        id: rules.boxes()[id].id.clone(),
        name: rules.boxes()[id].name.clone(),
        description: describe(&rules.boxes()[id].pattern),
        upper: rules.upper_face(id).is_some(),
        face: rules.upper_face(id).map(keepers::Face::pips),
        possible: game.possible_points(id),
    };
    RulesView {
        name: rules.name().to_string(),
        title: title(rules),
        summary: rules.title().to_string(),
        toml: ready.toml.clone(),
        dice: rules.dice(),
        faces: rules.faces(),
        rolls: rules.rolls(),
        states: game.space().states(),
        boxes: rules.all_boxes().iter().map(one).collect(),
        upper_bonus: rules
            .upper_bonus()
            .map(|bonus| UpperBonusView { threshold: bonus.threshold, points: bonus.points }),
        extra: rules.extra().map(|extra| ExtraView {
            name: rules.extra_name().to_string(),
            of: rules.boxes()[extra.of].id.clone(),
            points: extra.points,
            joker: extra.joker.name().to_string(),
        }),
        most: ready.most(),
    }
}

/// A solved game.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "rules": "yacht", "states": 4096, "value": 166.988118, "seconds": 0.01 }))]
pub struct SolvedView {
    /// The name of the rules.
    rules: String,
    /// How many score states there are.
    states: usize,
    /// The best expected score.
    value: f64,
    /// How long it took now: next to nothing if it was solved before.
    seconds: f64,
}

/// Solve a game
///
/// Works out the best expected score of every score state, if that was not done before.
#[utoipa::path(post, path = "/solve", tag = "rules", operation_id = "solve", request_body = RulesRequest,
    responses(
        (status = 200, description = "the solved game", body = SolvedView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn solve(
    State(app): State<Shared>,
    Body(request): Body<RulesRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let name = ready.game.rules().name().to_string();
    let (key, work) = (Key::new("solve").and(&ready.key), format!("solving {name}"));
    let of = Arc::clone(&app);
    let run = move |task: &_| {
        let started = Instant::now();
        let table = of.tables.expected(&ready, task);
        let (states, value) = (ready.game.space().states(), table.start());
        json(&SolvedView { rules: name, states, value, seconds: started.elapsed().as_secs_f64() })
    };
    app.jobs.answer(key, &work, run).await
}
