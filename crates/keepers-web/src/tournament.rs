//! `/tournament`: the strategies that win against N opponents, and by how much.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::evaluate::Statistics;
use keepers::tournament::{
    MOST_OPPONENTS, Ties, expected_worth, mixture, observed_scores, read_kinds, win_chance,
};
use keepers::{Card, Game, Objective};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, PlayedFor, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::games::Ready;
use crate::jobs::{Key, Outcome, json};
use crate::progress::Accepted;
use crate::task::Task;
use crate::views::{Distributed, GridRow, distributed, grid};

/// The most sizes of a tournament in one request.
const MOST_SIZES: usize = 8;

/// The most kinds of opponents.
const MOST_KINDS: usize = 8;

fn lose() -> TiesRequest {
    TiesRequest::Lose
}

/// A tournament to be won.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "opponents": [1, 10], "opponent": "expected", "ties": "lose" }))]
pub struct TournamentRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// Numbers of opponents.
    #[schema(min_items = 1, max_items = 8)]
    opponents: Vec<u32>,
    /// How they play: `expected`, `reach:S` or `tournament:N`, or several with their shares, like
    /// `expected:0.7,reach:300:0.3`.
    opponent: Option<String>,
    /// Scores that opponents were seen to get, one on each line, instead of a strategy.
    opponent_scores: Option<String>,
    /// What equal best scores are worth.
    #[serde(default = "lose")]
    ties: TiesRequest,
}

/// What equal best scores are worth: nothing, or a share of the win.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Ties)]
pub enum TiesRequest {
    /// A win needs a strictly higher score.
    Lose,
    /// Equal winners share the win.
    Share,
}

/// The best strategies, by the number of opponents.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "sizes": [{
        "opponents": 10, "win": 0.1159, "win_if_expected": 0.0909, "advantage": 0.275, "mean": 240.1, "sd": 70.2,
        "least": 5, "probability": [0.00001, 0.00002],
        "grid": [{ "id": "1", "name": "Ones", "turns": [[0.01, 0.02]] }]
    }],
    "expected": {
        "mean": 254.5877, "sd": 59.6117, "least": 12, "probability": [0.00001, 0.00002],
        "grid": [{ "id": "1", "name": "Ones", "turns": [[0.01, 0.02]] }]
    }
}))]
pub struct TournamentView {
    /// By the number of opponents.
    sizes: Vec<SizeView>,
    /// The strategy with the best expected score.
    expected: FollowedView,
}

/// The best strategy against so many.
#[derive(Serialize, ToSchema)]
#[schema(as = TournamentSize)]
pub struct SizeView {
    opponents: u32,
    /// The best chance of winning.
    win: f64,
    /// The chance of winning with the best expected score.
    win_if_expected: f64,
    /// By how much the first is larger: 0.7 is 70 %.
    advantage: f64,
    mean: f64,
    sd: f64,
    least: usize,
    probability: Vec<f64>,
    grid: Vec<GridRow>,
}

/// What a strategy gets.
#[derive(Serialize, ToSchema)]
#[schema(as = FollowedStrategy)]
pub struct FollowedView {
    mean: f64,
    sd: f64,
    least: usize,
    probability: Vec<f64>,
    grid: Vec<GridRow>,
}

/// How opponents play.
enum Opponents {
    Kinds(Vec<(f64, Objective)>),
    Seen(Vec<f64>),
}

/// Find the strategies that win a blind tournament
#[utoipa::path(post, path = "/tournament", tag = "explore", operation_id = "tournament",
    request_body = TournamentRequest,
    responses(
        (status = 200, description = "the best strategies", body = TournamentView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn tournament(
    State(app): State<Shared>,
    Body(request): Body<TournamentRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let sizes = &request.opponents;
    if !(1..=MOST_SIZES).contains(&sizes.len()) || sizes.iter().any(|n| !(1..=MOST_OPPONENTS).contains(n)) {
        let right = format!("write 1 to {MOST_SIZES} whole numbers from 1 to {MOST_OPPONENTS}");
        asked.tell("opponents", format!("these are not numbers of opponents: {right}"));
    }
    let opponents = read_opponents(&mut asked, &request);
    asked.check()?;
    let opponents = opponents.expect("checked");
    let key = Key::new("tournament").and(&ready.key).and(format!("{:?}", (sizes, request.ties)));
    let key = key.and(request.opponent.as_deref().unwrap_or("expected"));
    let key = key.and(request.opponent_scores.as_deref().unwrap_or_default());
    let work = format!("solving {} for what scores are worth", ready.game.rules().name());
    let of = Arc::clone(&app);
    let run = move |task: &_| found(&of, &ready, &request, &opponents, task);
    app.jobs.answer(key, &work, run).await
}

fn read_opponents(asked: &mut Asked<'_>, request: &TournamentRequest) -> Option<Opponents> {
    if let Some(text) = &request.opponent_scores {
        if request.opponent.is_some() {
            asked.tell("opponent_scores", "write these or opponent, not both");
        }
        let read = observed_scores(text);
        return read.map(Opponents::Seen).map_err(|error| asked.tell("opponent_scores", error)).ok();
    }
    let text = request.opponent.clone().unwrap_or_else(expected);
    let kinds = read_kinds(&text).map_err(|error| asked.tell("opponent", error)).ok()?;
    let is_known = |objective: &Objective| !matches!(objective, Objective::Utility(_) | Objective::Win);
    if kinds.len() > MOST_KINDS || !kinds.iter().all(|(_, objective)| is_known(objective)) {
        asked.tell("opponent", format!("write up to {MOST_KINDS} of expected, reach:S and tournament:N"));
        return None;
    }
    Some(Opponents::Kinds(kinds))
}

fn found(
    app: &Shared,
    ready: &Ready,
    request: &TournamentRequest,
    opponents: &Opponents,
    task: &Arc<Task>,
) -> Outcome {
    let empty = Card::empty(&ready.game);
    let field = match opponents {
        Opponents::Seen(scores) => scores.clone(),
        Opponents::Kinds(kinds) => {
            let scores = |(share, objective): &(f64, Objective)| -> Result<(f64, Vec<f64>), ApiError> {
                let strategy = PlayedFor::Plain(objective.clone());
                Ok((*share, app.statistics(ready, &empty, &strategy, task)?.probability.clone()))
            };
            mixture(&kinds.iter().map(scores).collect::<Result<Vec<_>, _>>()?)
        }
    };
    let ties = match request.ties {
        TiesRequest::Lose => Ties::Lose,
        TiesRequest::Share => Ties::Share,
    };
    let expected = app.tables.statistics(ready, task)?;
    let one = |&opponents: &u32| -> Result<SizeView, ApiError> {
        let worth = win_chance(&field, opponents, ties);
        let best = app.tables.best_from(ready, &empty, &worth, task)?;
        let statistics = app.tables.engine(task).statistics_of(&best);
        let (win, win_if_expected) = (best.table.value(), expected_worth(&expected.probability, &worth));
        let FollowedView { mean, sd, least, probability, grid } = followed(&ready.game, &statistics);
        // Against so many that nobody has a chance there is no advantage either.
        let advantage = if win_if_expected > 0.0 { win / win_if_expected - 1.0 } else { 0.0 };
        Ok(SizeView { opponents, win, win_if_expected, advantage, mean, sd, least, probability, grid })
    };
    let sizes = request.opponents.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    json(&TournamentView { sizes, expected: followed(&ready.game, &expected) })
}

fn followed(game: &Game, statistics: &Statistics) -> FollowedView {
    let Distributed { least, probability } = distributed(&statistics.probability);
    let (mean, sd) = (statistics.mean(), statistics.deviation());
    FollowedView { mean, sd, least, probability, grid: grid(game, statistics) }
}
