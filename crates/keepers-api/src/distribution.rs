//! `distribution`: the exact distribution of the final score of one strategy or several.

use std::collections::BTreeMap;
use std::sync::Arc;

use keepers::answers::Statistics;
use keepers::{BoxId, Card, Error, Observer, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::games::ReadyGame;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::utilities::Utilities;
use crate::views::{ById, grid, percentiles};

/// Asks for the distribution of the final score under one strategy or several.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "card": "", "strategy": "expected" }))]
pub struct DistributionRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card to start from, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// The strategy, by its objective: `expected`, `reach:S`, `tournament:N` or `utility`. Several joined by commas, or a
    /// range like `reach:200..260:25`, return one summary each.
    #[serde(default = "expected")]
    pub strategy: String,
    /// With `utility`: the utility of final scores, as CSV lines of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// The rules whose boxes decide whether a box is scored well; by default, those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
}

/// The distribution under one strategy, or a summary for each of several.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Distribution, example = json!({
    "rules": "yahtzee", "card": "", "strategy": "expected", "mean": 254.5877, "sd": 59.6117, "value": 254.5877,
    "percentiles": { "50": 248 }, "probability": [0.0, 0.0001, 0.0002], "upper_bonus": 0.68, "extras": [0.92, 0.07],
    "boxes": { "1": {
        "name": "Ones", "mean": 2.11, "zero": 0.11, "points": { "0": 0.11 }, "turns": [0.05, 0.06], "well": [0.01, 0.02],
        "badly": [0.04, 0.04]
    } }
}))]
pub enum DistributionAnswer {
    /// The result of one strategy.
    One(Box<OneStrategy>),
    /// The results of several strategies.
    Several {
        /// The strategies, in the order of the request.
        strategies: Vec<StrategySummary>,
    },
}

/// The exact results of one strategy.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OneStrategy {
    /// The name of the rules.
    pub rules: String,
    /// The card in canonical notation.
    pub card: String,
    /// The objective.
    pub strategy: String,
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The value under the objective: an expected score, a probability or an expected utility.
    pub value: f64,
    /// The scores that 1, 5, 10, 25, 50, 75, 90, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub percentiles: BTreeMap<u8, usize>,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
    /// The probability of earning the upper bonus from this card on.
    pub upper_bonus: f64,
    /// The probability of 0, 1, 2 and so on bonuses for extra Yahtzees from this card on.
    pub extras: Vec<f64>,
    /// The open boxes, by their ids.
    #[schema(value_type = BTreeMap<String, BoxDistribution>)]
    pub boxes: ById<BoxDistribution>,
    /// The statistics, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub statistics: Arc<Statistics>,
}

/// The results of a strategy in one box.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxDistribution {
    /// The name of the box.
    pub name: String,
    /// The mean points in the box.
    pub mean: f64,
    /// The probability of 0 points.
    pub zero: f64,
    /// The probability of each number of points.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub points: BTreeMap<usize, f64>,
    /// The probability that the box is filled, by turn.
    pub turns: Vec<f64>,
    /// The probability that the box is scored well, by turn.
    pub well: Vec<f64>,
    /// The probability that the box is scored badly, by turn.
    pub badly: Vec<f64>,
}

/// A summary of the results of a strategy.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StrategySummary {
    /// The objective.
    pub strategy: String,
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The value under the objective: an expected score, a probability or an expected utility.
    pub value: f64,
    /// The scores that 1, 5, 10, 25, 50, 75, 90, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub percentiles: BTreeMap<u8, usize>,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
}

impl Question for DistributionRequest {
    type Answer = DistributionAnswer;
    const NAME: &'static str = "distribution";

    fn work(&self) -> String {
        format!("following the strategy {}", keepers::internals::text::quote(&self.strategy))
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<DistributionAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), self.utilities.as_ref());
        let card = fields.card("card", &self.card);
        let strategies = fields.strategies("strategy", &self.strategy);
        let judge = fields.judge(self.judge.as_deref());
        let several = strategies.as_ref().map_or(0, Vec::len);
        if several > 1 && self.judge.is_some() {
            fields.add("judge", "needs a single strategy: drop judge, or all strategies but one");
        }
        if several > service.limits().strategies {
            let most = service.limits().strategies;
            fields.add("strategy", format!("{several} strategies are too many: use up to {most}"));
        }
        let read = card.zip(strategies).zip(judge);
        let ((card, strategies), judge) = fields.check(read)?;
        let refused = |error: Error| Refusal::engine(&error, "strategy");
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        if let [strategy] = &strategies[..] {
            let goal = strategy.goal(&engine, game).map_err(refused)?;
            let (statistics, value) = engine.distribution(&card, &goal).map_err(refused)?;
            let one = one(&ready, &card, strategy, value, statistics, &judge);
            return Ok(DistributionAnswer::One(Box::new(one)));
        }
        // Unreachable targets are reported before the first long solve.
        let (mut goals, mut problems) = (Vec::new(), Vec::new());
        for strategy in &strategies {
            let goal = strategy.goal(&engine, game);
            let checked = goal.and_then(|goal| goal.utility(game, &card).map(|_| goal));
            match checked.map_err(refused) {
                Ok(goal) => goals.push(goal),
                Err(refusal) if refusal.problems.is_empty() => return Err(refusal),
                Err(refusal) => problems.extend(refusal.problems),
            }
        }
        if !problems.is_empty() {
            return Err(Refusal::of(problems));
        }
        let mut summaries = Vec::new();
        for (strategy, goal) in strategies.iter().zip(&goals) {
            let (statistics, value) = engine.distribution(&card, goal).map_err(refused)?;
            summaries.push(StrategySummary {
                strategy: strategy.to_string(),
                mean: statistics.mean(),
                sd: statistics.deviation(),
                value,
                percentiles: percentiles(|p| statistics.percentile(p)),
                probability: statistics.probability.clone(),
            });
        }
        Ok(DistributionAnswer::Several { strategies: summaries })
    }
}

fn one(
    ready: &ReadyGame,
    card: &Card,
    strategy: &PlayedFor,
    value: f64,
    statistics: Arc<Statistics>,
    judge: &Rules,
) -> OneStrategy {
    let rules = ready.rules();
    let rows = grid(ready.game(), &statistics, judge);
    let one = |id: BoxId| {
        let (of, rule) = (&statistics.boxes[id], &rules.boxes()[id]);
        let points = of.distribution();
        let turns = &rows.iter().find(|row| row.id == rule.id).expect("a row per box").turns;
        let of_box = BoxDistribution {
            name: rule.name.clone(),
            mean: of.mean(),
            zero: points.first().copied().unwrap_or(0.0),
            points: points.into_iter().enumerate().filter(|(_, p)| *p > 0.0).collect(),
            turns: of.turns(),
            well: turns.iter().map(|turn| turn[0]).collect(),
            badly: turns.iter().map(|turn| turn[1]).collect(),
        };
        (rule.id.clone(), of_box)
    };
    OneStrategy {
        rules: rules.name().to_string(),
        card: card.to_string(),
        strategy: strategy.to_string(),
        mean: statistics.mean(),
        sd: statistics.deviation(),
        value,
        percentiles: percentiles(|p| statistics.percentile(p)),
        probability: statistics.probability.clone(),
        upper_bonus: statistics.upper_bonus,
        extras: statistics.extras.clone(),
        boxes: ById(card.open_boxes().iter().map(one).collect()),
        statistics,
    }
}
