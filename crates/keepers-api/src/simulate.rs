//! `simulate`: random games of one strategy.

use std::collections::BTreeMap;

use keepers::internals::clock::Stopwatch;
use keepers::{BoxId, Card, Error, Observer, Sample};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, expected, yahtzee};
use crate::games::ReadyGame;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;
use crate::utilities::Utilities;
use crate::views::{ById, percentiles};

fn many() -> u64 {
    100_000
}

/// Asks for random games of one strategy.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "strategy": "expected", "games": 1000, "seed": 1 }))]
pub struct SimulateRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card to start from, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// `random`, `greedy`, `felldin-sood`, `expected`, `reach:S`, `tournament:N` or `utility`.
    #[serde(default = "expected")]
    pub strategy: String,
    /// With `utility`: the utility of final scores, as CSV lines of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// The number of games.
    #[serde(default = "many")]
    #[schema(minimum = 1, maximum = 100000000)]
    pub games: u64,
    /// The seed of the dice; the same seed gives the same games.
    #[serde(default)]
    pub seed: Seed,
}

/// The results of the games. Standard errors are null if there was only one game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Simulation, example = json!({
    "rules": "yacht", "strategy": "expected", "games": 1000, "seed": 1, "mean": 166.9, "error": 1.1, "sd": 35.2, "min": 60,
    "median": 168, "max": 270, "percentiles": { "50": 168 }, "upper_bonus": 0.0, "upper_bonus_error": 0.0,
    "extras": [1.0], "boxes": { "1": { "mean": 1.9, "error": 0.03, "sd": 1.0, "points": { "1": 0.2 }, "turns": [0.1] } },
    "turns": [14.1], "totals": [0, 1], "seconds": 0.1, "games_per_second": 10000.0
}))]
pub struct SimulateAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The mean final score.
    pub mean: f64,
    /// The standard error of the mean.
    #[schema(value_type = Option<f64>, required = true)]
    pub error: f64,
    /// The standard deviation of the final score.
    #[schema(value_type = Option<f64>, required = true)]
    pub sd: f64,
    /// The lowest score.
    pub min: usize,
    /// The median score.
    pub median: usize,
    /// The highest score.
    pub max: usize,
    /// The scores that 1, 5, 10, 25, 50, 75, 90, 95 and 99 % of games do not exceed.
    #[schema(value_type = BTreeMap<String, usize>)]
    pub percentiles: BTreeMap<u8, usize>,
    /// The share of games that earned the upper bonus.
    pub upper_bonus: f64,
    /// The standard error of `upper_bonus`.
    #[schema(value_type = Option<f64>, required = true)]
    pub upper_bonus_error: f64,
    /// The share of games with 0, 1, 2 and so on bonuses for extra Yahtzees.
    pub extras: Vec<f64>,
    /// The boxes open at the start, by their ids.
    #[schema(value_type = BTreeMap<String, BoxSampleView>)]
    pub boxes: ById<BoxSampleView>,
    /// The mean points in each turn, without bonuses.
    pub turns: Vec<f64>,
    /// The number of games with each final score, starting at 0.
    pub totals: Vec<u64>,
    /// The seconds that the games took.
    pub seconds: f64,
    /// The number of games per second.
    pub games_per_second: f64,
    /// The sample and the card, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub sample: (Sample, Card),
}

/// The results in one box. Errors and deviations are null after a single game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxSampleView {
    /// The mean points in the box.
    pub mean: f64,
    /// The standard error of the mean.
    #[schema(value_type = Option<f64>, required = true)]
    pub error: f64,
    /// The standard deviation of the points in the box.
    #[schema(value_type = Option<f64>, required = true)]
    pub sd: f64,
    /// The share of games with each number of points.
    #[schema(value_type = BTreeMap<String, f64>)]
    pub points: BTreeMap<usize, f64>,
    /// The share of games in which the box was filled, by turn.
    pub turns: Vec<f64>,
}

impl Question for SimulateRequest {
    type Answer = SimulateAnswer;
    const NAME: &'static str = "simulate";

    fn work(&self) -> String {
        format!("playing {} games", self.games)
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<SimulateAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), self.utilities.as_ref());
        let card = fields.open_card("card", &self.card);
        let player = fields.player("strategy", &self.strategy);
        let games = fields.within("games", self.games, (1, service.limits().simulated));
        let seed = fields.seed(&self.seed);
        let ((card, player), (games, seed)) = fields.check(card.zip(player).zip(games.zip(seed)))?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let strategy = match &player {
            (_, Some(played_for)) => {
                played_for.goal(&engine, game).and_then(|goal| engine.solitaire(&card, &goal))
            }
            (player, None) => engine.solitaire_player(&card, player),
        };
        let refused = |error: Error| Refusal::engine(&error, "strategy");
        let strategy = strategy.map_err(refused)?;
        let started = Stopwatch::start();
        let sample = engine
            .simulate_strategy(game, strategy)
            .from(&card)
            .games(games)
            .seed(seed)
            .run()
            .map_err(refused)?;
        Ok(shown(&ready, card, self.strategy.clone(), seed, sample, started.seconds()))
    }
}

fn shown(
    ready: &ReadyGame,
    card: Card,
    strategy: String,
    seed: u64,
    sample: Sample,
    seconds: f64,
) -> SimulateAnswer {
    let rules = ready.rules();
    let share = |n: &u64| *n as f64 / sample.games as f64;
    let one = |id: BoxId| {
        let of = &sample.boxes[id];
        let (mean, sd) = of.mean_and_deviation();
        let counts = of.counts();
        let points = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        let shown = BoxSampleView {
            mean,
            error: sample.error_of(sd),
            sd,
            points: points.map(|(points, n)| (points, share(n))).collect(),
            turns: of.turns().iter().map(share).collect(),
        };
        (rules.boxes()[id].id.clone(), shown)
    };
    SimulateAnswer {
        rules: rules.name().to_string(),
        strategy,
        games: sample.games,
        seed,
        mean: sample.mean(),
        error: sample.error(),
        sd: sample.deviation(),
        min: sample.least(),
        median: sample.percentile(0.5),
        max: sample.most(),
        percentiles: percentiles(|p| sample.percentile(p)),
        upper_bonus: share(&sample.upper_bonus),
        upper_bonus_error: sample.error_of_share(sample.upper_bonus),
        extras: sample.extras.iter().map(share).collect(),
        boxes: ById(card.open_boxes().iter().map(one).collect()),
        turns: sample.mean_of_turns(),
        totals: sample.totals.clone(),
        seconds,
        games_per_second: if seconds > 0.0 { sample.games as f64 / seconds } else { 0.0 },
        sample: (sample, card),
    }
}
