//! `equilibrium`: the blind tournament in which everybody plays best against all the others.

use std::sync::Arc;

use keepers::answers::{Equilibrium, EquilibriumRules, Round, Statistics};
use keepers::internals::evaluate::{mean_and_deviation, percentile};
use keepers::{Error, Observer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::tournament::TiesName;

fn thousandth() -> f64 {
    0.001
}

fn twenty() -> u16 {
    20
}

/// A tournament whose equilibrium is looked for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "opponents": [1], "ties": "share", "gap": 0.01, "rounds": 3 }))]
pub struct EquilibriumRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// Numbers of opponents.
    #[schema(min_items = 1, max_items = 8)]
    pub opponents: Vec<u32>,
    /// What equal best scores are worth.
    #[serde(default)]
    pub ties: TiesName,
    /// Stop when a best response gains no more than this share of everybody's probability of winning.
    #[serde(default = "thousandth")]
    #[schema(minimum = 0, maximum = 1)]
    pub gap: f64,
    /// Stop after this many rounds.
    #[serde(default = "twenty")]
    #[schema(minimum = 1, maximum = 100)]
    pub rounds: u16,
    /// Start again instead of continuing an earlier run.
    #[serde(default)]
    pub afresh: bool,
}

/// The equilibria, by the number of opponents.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Equilibria, example = json!({
    "rules": "yacht", "opponent": "self",
    "sizes": [{
        "opponents": 1, "win": 0.5, "gap": 0.0001, "mean": 166.8, "sd": 35.0, "median": 168,
        "rounds": [{ "win": 0.5, "best": 0.5001, "gap": 0.0001, "advantage": 0.0002, "mean": 166.8, "sd": 35.0 }],
        "probability": [0.0, 0.0001]
    }]
}))]
pub struct EquilibriumAnswer {
    /// The name of the rules.
    pub rules: String,
    /// Always `self`.
    pub opponent: &'static str,
    /// By the number of opponents.
    pub sizes: Vec<EquilibriumSize>,
    /// The equilibria, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub found: Vec<Equilibrium>,
    /// The best expected score, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub expected: Arc<Statistics>,
}

/// The equilibrium of one number of opponents.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EquilibriumSize {
    /// How many opponents each player has.
    pub opponents: u32,
    /// Everybody's probability of winning.
    pub win: f64,
    /// How much a best response would still gain.
    pub gap: f64,
    /// The mean of the final score.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// Its median.
    pub median: usize,
    /// Every round.
    pub rounds: Vec<EquilibriumRound>,
    /// The probability of each final score, from 0 on.
    pub probability: Vec<f64>,
}

/// One round: the best response to all rounds before.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EquilibriumRound {
    /// Everybody's probability of winning.
    pub win: f64,
    /// The probability of winning with the best response.
    pub best: f64,
    /// How much the best response gains.
    pub gap: f64,
    /// That gain as a share of everybody's probability.
    pub advantage: f64,
    /// The mean of the response's final score.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
}

impl Question for EquilibriumRequest {
    type Answer = EquilibriumAnswer;
    const NAME: &'static str = "equilibrium";

    fn is_afresh(&self) -> bool {
        self.afresh
    }

    fn work(&self) -> String {
        "looking for an equilibrium".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<EquilibriumAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let sizes = fields.opponents(&self.opponents, service.limits().sizes);
        let gap = fields.within("gap", self.gap, (0.0, 1.0));
        let rounds = fields.within("rounds", self.rounds, (1, service.limits().rounds));
        let ((sizes, gap), rounds) = fields.check(sizes.zip(gap).zip(rounds))?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let one = |&opponents: &u32| {
            let (ties, rounds, afresh) = (self.ties.into(), rounds.into(), self.afresh);
            engine.equilibrium(game, EquilibriumRules { opponents, ties, gap, rounds, afresh })
        };
        let refused = |error: Error| Refusal::engine(&error, "opponents");
        let found = sizes.iter().map(one).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        Ok(EquilibriumAnswer {
            rules: ready.rules().name().to_string(),
            opponent: "self",
            sizes: found.iter().map(shown).collect(),
            found,
            expected: engine.expected_statistics(game).map_err(refused)?,
        })
    }
}

fn shown(play: &Equilibrium) -> EquilibriumSize {
    let (mean, sd) = mean_and_deviation(&play.average);
    let last = play.rounds.last();
    let round = |round: &Round| {
        let (mean, sd) = mean_and_deviation(&round.response);
        let (gap, advantage) = (round.gap(), round.advantage());
        EquilibriumRound { win: round.own, best: round.best, gap, advantage, mean, sd }
    };
    EquilibriumSize {
        opponents: play.opponents,
        win: last.map_or(0.0, |round| round.own),
        gap: last.map_or(0.0, Round::gap),
        mean,
        sd,
        median: percentile(&play.average, 0.5),
        rounds: play.rounds.iter().map(round).collect(),
        probability: play.average.clone(),
    }
}
