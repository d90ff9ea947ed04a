//! `solve`: solving a game, with the time that it took.

use keepers::Observer;
use keepers::internals::clock::Stopwatch;
use keepers::internals::parallel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks to solve a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "objective": "expected" }))]
pub struct SolveRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// `expected` for the best expected score, or `reach` for the best probability of every score.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach)$")]
    pub objective: String,
    /// Solve the game even if its table is stored.
    #[serde(default)]
    pub afresh: bool,
}

/// A solved game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Solved, example = json!({
    "rules": "yacht", "objective": "expected", "states": 4096, "value": 166.988118, "seconds": 0.01, "threads": 2
}))]
pub struct SolveAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The objective: `expected` or `reach`.
    pub objective: String,
    /// The number of score states.
    pub states: usize,
    /// For `expected`, the best expected score; for `reach`, the area under the reach curve of the empty card.
    pub value: f64,
    /// The seconds that this request took, storing the table included.
    pub seconds: f64,
    /// The number of threads.
    pub threads: usize,
}

impl Question for SolveRequest {
    type Answer = SolveAnswer;
    const NAME: &'static str = "solve";

    fn is_afresh(&self) -> bool {
        self.afresh
    }

    fn work(&self) -> String {
        "solving a game".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<SolveAnswer, Refusal> {
        if !["expected", "reach"].contains(&self.objective.as_str()) {
            let shown = keepers::internals::text::quote(&self.objective);
            return Err(Refusal::invalid("objective", format!("must be expected or reach, not \"{shown}\"")));
        }
        // The time includes building the game from its rules.
        let started = Stopwatch::start();
        let ready = service.game(&self.rules)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let value = match (self.objective.as_str(), self.afresh) {
            ("expected", false) => engine.expected_table(game).map(|table| table.start()),
            ("expected", true) => engine.solve_expected(game).map(|table| table.start()),
            (_, false) => engine.reach_table(game).map(|table| mean(&table)),
            (_, true) => engine.solve_reach(game).map(|table| mean(&table)),
        };
        Ok(SolveAnswer {
            rules: ready.rules().name().to_string(),
            objective: self.objective.clone(),
            states: game.space().states(),
            value: value.map_err(|error| Refusal::engine(&error, "rules"))?,
            seconds: started.seconds(),
            threads: parallel::threads(),
        })
    }
}

/// Returns the mean of the distribution whose tail is the reach curve of the empty card. No strategy achieves this
/// mean, because each score on the curve has its own strategy.
fn mean(table: &keepers::answers::ReachTable) -> f64 {
    let start = table.curve(table.game().space().states() - 1);
    let start = start.view();
    (1..=i32::from(start.most())).map(|score| f64::from(start.at(score))).sum()
}
