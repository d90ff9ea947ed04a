//! `equilibrium`: the blind tournament in which every player's strategy is a best response to all others.

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

/// Asks for the equilibrium of a tournament.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "opponents": [1], "ties": "share", "gap": 0.01, "rounds": 3 }))]
pub struct EquilibriumRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The numbers of opponents, one result each.
    #[schema(min_items = 1, max_items = 8)]
    pub opponents: Vec<u32>,
    /// Whether a tie for the best score loses or shares the win.
    #[serde(default)]
    pub ties: TiesName,
    /// Stop when a best response increases the probability of winning by no more than this share.
    #[serde(default = "thousandth")]
    #[schema(minimum = 0, maximum = 1)]
    pub gap: f64,
    /// Stop after this many rounds.
    #[serde(default = "twenty")]
    #[schema(minimum = 1, maximum = 100)]
    pub rounds: u16,
    /// Start over instead of continuing a stored run.
    #[serde(default)]
    pub afresh: bool,
}

/// The equilibria, one per number of opponents.
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
    /// One result per number of opponents.
    pub sizes: Vec<EquilibriumSize>,
    /// The equilibria, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub found: Vec<Equilibrium>,
    /// The results of playing for the expected score, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub expected: Arc<Statistics>,
}

/// The equilibrium for one number of opponents.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EquilibriumSize {
    /// The number of opponents of each player.
    pub opponents: u32,
    /// Each player's probability of winning if all play alike.
    pub win: f64,
    /// The probability of winning that a best response would still gain.
    pub gap: f64,
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The median of the final score.
    pub median: usize,
    /// The rounds, in order.
    pub rounds: Vec<EquilibriumRound>,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
}

/// One round: a best response to the average of all rounds before.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EquilibriumRound {
    /// Each player's probability of winning if all play alike.
    pub win: f64,
    /// The probability of winning with the best response.
    pub best: f64,
    /// The probability of winning that the best response gains.
    pub gap: f64,
    /// The gain as a share of `win`.
    pub advantage: f64,
    /// The mean final score of the best response.
    pub mean: f64,
    /// The standard deviation of the best response's final score.
    pub sd: f64,
}

impl Question for EquilibriumRequest {
    type Answer = EquilibriumAnswer;
    const NAME: &'static str = "equilibrium";

    fn is_afresh(&self) -> bool {
        self.afresh
    }

    fn work(&self) -> String {
        "searching for an equilibrium".to_string()
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
