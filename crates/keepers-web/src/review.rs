//! `/review`: every decision of a recorded game with its loss, every roll with its luck.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::record::named_rules;
use keepers::review::{Alone, Review, Valuation, review as judge};
use keepers::strategy::MOST_PLAYERS;
use keepers::{Card, Objective, Record, Rules};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, PlayedFor, expected};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::jobs::{Key, Outcome, json};
use crate::progress::Accepted;
use crate::prospects::Question;
use crate::task::Task;
use crate::views::{ReviewView, reviewed};

/// The most players of a record.
const MOST_JUDGED: usize = 32;

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
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility|win)$")]
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
    let played_for = match request.objective.as_str() {
        // Everybody's cards are in the record.
        "win" => Some(PlayedFor::Win(Vec::new())),
        objective => asked.played_for(objective, request.utility.as_deref(), None, None),
    };
    let seconds = asked.seconds(request.seconds);
    let record = Record::parse(&ready.game, &request.record).map_err(|error| {
        error.problems.iter().for_each(|(line, problem)| asked.tell_line("record", *line, problem));
    });
    let played_alone = |record: &Record| !(2..=MOST_PLAYERS).contains(&record.players().len());
    if request.objective == "win" && record.as_ref().is_ok_and(played_alone) {
        let text =
            format!("win is about games of 2 to {MOST_PLAYERS} players: judge this one by another objective");
        asked.tell("objective", text);
    }
    asked.check()?;
    let record = record.expect("checked");
    if record.players().len() > MOST_JUDGED {
        let text = format!("it has more players than the {MOST_JUDGED} that are judged here");
        return Err(ApiError::impossible("record", text));
    }
    let card = Card::empty(&ready.game);
    let (played_for, seconds) = (played_for.expect("checked"), seconds.expect("checked"));
    let question = Question { ready, card, played_for, seconds };
    let is_light = app.looked_now(&question).is_some() && record.players().len() <= MOST_PLAYERS;
    let key = question.key(Key::new("review").and(&request.record));
    let (of, work) = (Arc::clone(&app), question.work());
    if is_light {
        return app.jobs.at_once(move |task| judged(&of, &question, &record, task)).await;
    }
    app.jobs.answer(key, &work, move |task| judged(&of, &question, &record, task)).await
}

/// The rules that a record is read by: TOML if it is given, else what the record names, else what is
/// given.
fn rules_of(request: &ReviewRequest) -> String {
    let given = request.rules.as_deref();
    let edited = given.filter(|rules| rules.contains(['\n', '=']));
    let named = named_rules(&request.record).filter(|name| Rules::preset(name).is_some() || given.is_none());
    edited.or(named).or(given).unwrap_or("yahtzee").to_string()
}

fn judged(app: &Shared, question: &Question, record: &Record, task: &Arc<Task>) -> Outcome {
    let game = &question.ready.game;
    let (all, work) = (record.players().len(), "judging every decision");
    let judge = |valuation: &dyn Valuation| -> Vec<Review> {
        let one = |player| {
            task.tell(work, player, all);
            judge(game, record, player, valuation)
        };
        (0..all).map(one).collect()
    };
    let (objective, reviews) = match &question.played_for {
        PlayedFor::Win(_) => {
            (Objective::Win, judge(&app.tables.against(&question.ready, question.seconds, task)?))
        }
        PlayedFor::Worth(_) => {
            (Objective::Utility("utility".into()), judge(&Alone(app.looked(question, task)?.prospect())))
        }
        PlayedFor::Plain(objective) => {
            (objective.clone(), judge(&Alone(app.looked(question, task)?.prospect())))
        }
    };
    let mut view = reviewed(game.rules(), record, &reviews, &objective);
    view.objective = question.played_for.to_string();
    json(&view)
}
