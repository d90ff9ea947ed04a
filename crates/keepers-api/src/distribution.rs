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

/// A strategy to be followed, or several.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "card": "", "strategy": "expected" }))]
pub struct DistributionRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card.
    #[serde(default)]
    pub card: String,
    /// What is played for: `expected`, `reach:S`, `tournament:N` or `utility`; several joined by commas, and ranges like
    /// `reach:200..260:25`, are summed up.
    #[serde(default = "expected")]
    pub strategy: String,
    /// With `utility`: the utility of scores, as CSV of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// With `utility:NAME`: utilities by their names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// Rules by whose boxes it is judged whether a box is scored well; the game's own if they are not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
}

/// What one strategy gets, or a summary of several.
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
    /// Of one strategy.
    One(Box<OneStrategy>),
    /// Of several strategies.
    Several {
        /// The strategies, in the order of the request.
        strategies: Vec<StrategySummary>,
    },
}

/// What a strategy gets, exactly.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OneStrategy {
    /// The name of the rules.
    pub rules: String,
    /// The card as Keepers writes it.
    pub card: String,
    /// What is played for.
    pub strategy: String,
    /// The mean of the final score.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The value of what is played for: a probability, an expected score or an expected utility.
    pub value: f64,
    /// The scores that 1, 5, 10, 25, 50, 75, 90, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub percentiles: BTreeMap<u8, usize>,
    /// The probability of each final score, from 0 on.
    pub probability: Vec<f64>,
    /// The probability that the upper bonus is earned on the way.
    pub upper_bonus: f64,
    /// The probability of 0, 1, 2 and so on bonuses for further Yahtzees on the way.
    pub extras: Vec<f64>,
    /// The boxes that are open, by their ids.
    #[schema(value_type = BTreeMap<String, BoxDistribution>)]
    pub boxes: ById<BoxDistribution>,
    /// The statistics, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub statistics: Arc<Statistics>,
}

/// What a strategy does with a box.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxDistribution {
    /// The name of the box.
    pub name: String,
    /// The mean of the points that it gets.
    pub mean: f64,
    /// The probability that it gets none.
    pub zero: f64,
    /// The probability of each number of points.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub points: BTreeMap<usize, f64>,
    /// The probability that it is filled in each turn.
    pub turns: Vec<f64>,
    /// The probability that it is scored well in each turn.
    pub well: Vec<f64>,
    /// The probability that it is scored badly in each turn.
    pub badly: Vec<f64>,
}

/// What a strategy gets, in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StrategySummary {
    /// What is played for.
    pub strategy: String,
    /// The mean of the final score.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The value of what is played for: a probability, an expected score or an expected utility.
    pub value: f64,
    /// The scores that 1, 5, 10, 25, 50, 75, 90, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub percentiles: BTreeMap<u8, usize>,
    /// The probability of each final score, from 0 on.
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
            fields.add(
                "judge",
                "the boxes of several strategies are not shown, so nothing is judged: leave it out",
            );
        }
        if several > service.limits().strategies {
            let most = service.limits().strategies;
            fields.add("strategy", format!("{several} strategies are too many: write up to {most}"));
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
        // Everything that is out of reach is reported before the first long solve.
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
