//! `/reach` and `/distribution`: what a game can come to, and what it comes to.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::engine::Goal;
use keepers::evaluate::{Statistics, evaluate_expected};
use keepers::rules::BoxId;
use keepers::{Card, ReachTable, Roll, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::{App, Shared};
use crate::ask::{Asked, PlayedFor, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::games::Ready;
use crate::jobs::{Key, Outcome, answered, json};
use crate::progress::Accepted;
use crate::tables::check_statistics;
use crate::task::Task;
use crate::views::{Distributed, distributed};

/// A card to start from.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "card": "1=3,6=18" }))]
pub struct ReachRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The card.
    #[serde(default)]
    card: String,
    /// The dice on the table, if the turn has begun.
    #[schema(pattern = "^[1-6]{2,6}$")]
    roll: Option<String>,
    /// With a roll: how often the dice may still be rolled; as after the first roll, if nothing is said.
    rolls_left: Option<u8>,
}

/// The best chance of every final score.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "card": "1=3,6=18", "reach": [1.0, 1.0, 0.999, 0.0001] }))]
pub struct ReachView {
    /// The card as we write it.
    card: String,
    /// The best chance of a final score of at least 0, 1, 2 and so on, each played for alone.
    reach: Vec<f64>,
}

/// Tell the best chance of every final score
#[utoipa::path(post, path = "/reach", tag = "explore", operation_id = "reach", request_body = ReachRequest,
    responses(
        (status = 200, description = "the best chance of every final score", body = ReachView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn reach(
    State(app): State<Shared>,
    Body(request): Body<ReachRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = match request.roll {
        Some(_) => asked.open_card("card", &request.card),
        None => asked.card("card", &request.card),
    };
    let roll = request.roll.as_ref().map(|roll| asked.roll("roll", roll));
    let left = asked.rolls_left("rolls_left", request.rolls_left);
    if request.roll.is_none() && request.rolls_left.is_some() {
        asked.tell("rolls_left", "it is for a roll: write one, or leave this out");
    }
    asked.check()?;
    let card = card.expect("checked");
    let after = roll.map(|roll| (roll.expect("checked"), left.expect("checked")));
    if let Some(table) = app.tables.reach_now(&ready) {
        return Ok(answered(chances(&table, &card, after)));
    }
    let work = format!("solving {} for every score", ready.game.rules().name());
    let key = Key::new("reach").and(&ready.key).and(&card).and(format!("{after:?}"));
    let of = Arc::clone(&app);
    let run = move |task: &_| chances(&*of.tables.reach(&ready, task)?, &card, after);
    app.jobs.answer(key, &work, run).await
}

fn chances(table: &ReachTable, card: &Card, after: Option<(Roll, u8)>) -> Outcome {
    let reach = match after {
        Some((roll, left)) => table.chances_after(card, &roll, left),
        None => table.of(card).chances(card),
    };
    json(&ReachView { card: card.to_string(), reach })
}

/// A strategy to be followed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "card": "", "strategy": "expected" }))]
pub struct DistributionRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The card.
    #[serde(default)]
    card: String,
    /// What it plays for: `expected`, `reach:S`, `tournament:N` or `utility`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility)$")]
    strategy: String,
    /// With `utility`: what scores are worth, as CSV of score,worth.
    utility: Option<String>,
}

/// What a strategy gets, exactly.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "strategy": "expected", "mean": 254.5877, "sd": 59.6117, "percentiles": { "50": 248 }, "least": 12,
    "probability": [0.0001, 0.0002], "upper_bonus": 0.68, "extras": [0.92, 0.07],
    "boxes": [{ "id": "1", "name": "Ones", "mean": 2.11, "zero": 0.11, "turns": [0.05, 0.06] }]
}))]
pub struct DistributionView {
    /// What it plays for.
    strategy: String,
    /// The mean of the final score.
    mean: f64,
    /// Its standard deviation.
    sd: f64,
    /// The scores that 1, 5, 25, 50, 75, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    percentiles: BTreeMap<u8, usize>,
    /// The least score that can be.
    least: usize,
    /// The probability of that score, of the next, and so on.
    probability: Vec<f64>,
    /// The probability that the upper bonus is earned on the way.
    upper_bonus: f64,
    /// The probability of 0, 1, 2 and so on bonuses for further Yahtzees on the way.
    extras: Vec<f64>,
    /// The boxes that are open.
    boxes: Vec<BoxFate>,
}

/// What a strategy does with a box.
#[derive(Serialize, ToSchema)]
pub struct BoxFate {
    id: String,
    name: String,
    /// The mean of the points that it gets.
    mean: f64,
    /// The probability that it gets none.
    zero: f64,
    /// The probability that it is filled in each turn.
    turns: Vec<f64>,
}

/// Tell what a strategy gets, exactly
#[utoipa::path(post, path = "/distribution", tag = "explore", operation_id = "distribution",
    request_body = DistributionRequest,
    responses(
        (status = 200, description = "the exact distribution of the final score", body = DistributionView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn distribution(
    State(app): State<Shared>,
    Body(request): Body<DistributionRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let card = asked.card("card", &request.card);
    let strategy = asked.strategy("strategy", &request.strategy, request.utility.as_deref());
    asked.check()?;
    let (card, strategy) = (card.expect("checked"), strategy.expect("checked"));
    let work = format!("following the strategy {strategy}");
    let key = strategy.key(Key::new("distribution").and(&ready.key).and(&card));
    let of = Arc::clone(&app);
    let run = move |task: &_| {
        let statistics = of.statistics(&ready, &card, &strategy, task)?;
        json(&view(ready.game.rules(), &card, strategy.to_string(), &statistics))
    };
    app.jobs.answer(key, &work, run).await
}

impl App {
    /// The exact statistics of whoever plays for something, from a card on.
    pub fn statistics(
        &self,
        ready: &Ready,
        card: &Card,
        strategy: &PlayedFor,
        task: &Arc<Task>,
    ) -> Result<Arc<Statistics>, ApiError> {
        let game = &ready.game;
        let goal = self.goal(ready, strategy, task)?;
        if goal == Goal::Score && *card == Card::empty(game) {
            return self.tables.statistics(ready, task);
        }
        let progress = |done, all| task.tell("following the strategy expected", done, all);
        let worth = goal.worth(game, card).map_err(|error| ApiError::impossible("strategy", error))?;
        Ok(Arc::new(match worth {
            None => {
                check_statistics(ready, card)?;
                evaluate_expected(&self.tables.expected(ready, task), card, &progress)
            }
            Some(worth) => {
                let best = self.tables.best_from(ready, card, &worth, task)?;
                self.tables.engine(task).statistics_of(&best)
            }
        }))
    }

    /// What somebody who is alone plays for, with all that it takes to judge by it.
    pub fn goal(&self, ready: &Ready, played_for: &PlayedFor, task: &Arc<Task>) -> Result<Goal, ApiError> {
        match played_for {
            PlayedFor::Plain(objective) => self.tables.goal(ready, objective, task),
            PlayedFor::Worth(worth) => Ok(Goal::Worth(worth.clone())),
            PlayedFor::Win(_) => {
                Err(ApiError::impossible("objective", "win takes others whose cards can be seen"))
            }
        }
    }
}

fn view(rules: &Rules, card: &Card, strategy: String, statistics: &Statistics) -> DistributionView {
    const PERCENTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];
    let percentile = |p: u8| (p, statistics.percentile(f64::from(p) / 100.0));
    let fate = |id: BoxId| {
        let of = &statistics.boxes[id];
        BoxFate {
            id: rules.boxes()[id].id.clone(),
            name: rules.boxes()[id].name.clone(),
            mean: of.mean(),
            zero: of.distribution().first().copied().unwrap_or(0.0),
            turns: of.turns(),
        }
    };
    let Distributed { least, probability } = distributed(&statistics.probability);
    DistributionView {
        strategy,
        mean: statistics.mean(),
        sd: statistics.deviation(),
        percentiles: PERCENTILES.into_iter().map(percentile).collect(),
        least,
        probability,
        upper_bonus: statistics.upper_bonus,
        extras: statistics.extras.clone(),
        boxes: card.open_boxes().iter().map(fate).collect(),
    }
}
