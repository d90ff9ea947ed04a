//! `/review`: every decision of a recorded game with its loss, every roll with its luck.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::record::named_rules;
use keepers::review::{Alone, review as judge};
use keepers::{Card, Objective, Record, Rules};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, Goal, expected};
use crate::body::Body;
use crate::error::{ApiError, Problems, Refusals};
use crate::jobs::{Key, Outcome, json};
use crate::progress::Accepted;
use crate::prospects::{Looked, Question};
use crate::views::{ReviewView, reviewed};

/// A record to be judged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "record": "rules: yahtzee\nplayers: Ann\n\n33566 66\n22266 fh=25\n" }))]
pub struct ReviewRequest {
    /// The text of the record.
    record: String,
    /// A preset's name, if the record names none, or the TOML of an edited game.
    rules: Option<String>,
    /// What the players are taken to play for: `expected`, `reach:S`, `tournament:N`, `utility` or `win`.
    #[serde(default = "expected")]
    objective: String,
    /// With `utility`: what scores are worth, as CSV of score,worth.
    utility: Option<String>,
    /// With `win`: how many seconds exact values may take before they are estimated.
    #[schema(minimum = 0, maximum = 60)]
    seconds: Option<f64>,
}

/// Judge a recorded game
#[utoipa::path(post, path = "/review", tag = "review", operation_id = "review", request_body = ReviewRequest,
    responses(
        (status = 200, description = "every decision and every roll", body = ReviewView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn review(
    State(app): State<Shared>,
    Body(request): Body<ReviewRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&rules_of(&request)).await?;
    let mut asked = Asked::new(&ready.game);
    let goal = match request.objective.as_str() {
        // Everybody's cards are in the record.
        "win" => Some(Goal::Win(Vec::new())),
        objective => asked.goal(objective, request.utility.as_deref(), None, None),
    };
    let seconds = asked.seconds(request.seconds);
    asked.check()?;
    let record = Record::parse(&ready.game, &request.record).map_err(|error| {
        let mut problems = Problems::default();
        error.problems.iter().for_each(|(line, problem)| problems.tell_line("record", *line, problem));
        problems.check().expect_err("there is a problem")
    })?;
    let card = Card::empty(&ready.game);
    let question = Question { ready, card, goal: goal.expect("checked"), seconds: seconds.expect("checked") };
    let key = question.key(Key::new("review").and(&request.record));
    let (of, work) = (Arc::clone(&app), question.work());
    let run = move |task: &_| judged(&question, &of.prospect(&question, task)?, &record);
    app.jobs.answer(key, &work, run).await
}

/// The rules that a record is read by: TOML if it is given, else what the record names, else what is
/// given.
fn rules_of(request: &ReviewRequest) -> String {
    let given = request.rules.as_deref();
    let edited = given.filter(|rules| rules.contains(['\n', '=']));
    let named = named_rules(&request.record).filter(|name| Rules::preset(name).is_some() || given.is_none());
    edited.or(named).or(given).unwrap_or("yahtzee").to_string()
}

fn judged(question: &Question, looked: &Looked, record: &Record) -> Outcome {
    let game = &question.ready.game;
    let players = 0..record.players().len();
    let reviews: Vec<_> =
        players.map(|player| judge(game, record, player, &Alone(looked.prospect()))).collect();
    let objective = match &question.goal {
        Goal::Plain(objective) => objective.clone(),
        Goal::Worth(_) => Objective::Utility("utility".into()),
        Goal::Win(_) => Objective::Win,
    };
    let mut view = reviewed(game.rules(), record, &reviews, &objective);
    view.objective = question.goal.to_string();
    json(&view)
}
