//! `solve`: solving a game, and how long it took.

use keepers::Observer;
use keepers::internals::clock::Stopwatch;
use keepers::internals::parallel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// A game to be solved.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "objective": "expected" }))]
pub struct SolveRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// `expected` for the best expected score, or `reach` for the best probability of every score.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach)$")]
    pub objective: String,
    /// Solve it even if it was solved before.
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
    /// What it was solved for.
    pub objective: String,
    /// How many score states there are.
    pub states: usize,
    /// The best expected score, or the mean of the curve of the best probabilities.
    pub value: f64,
    /// How long it took now, storing the table included.
    pub seconds: f64,
    /// How many threads there are.
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
            return Err(Refusal::invalid(
                "objective",
                format!("it must be expected or reach, not \"{shown}\""),
            ));
        }
        // Everything that depends on the rules is part of solving them.
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

/// The mean of a distribution whose tail is the curve of the empty card. No strategy has it: each score is played for
/// alone.
fn mean(table: &keepers::answers::ReachTable) -> f64 {
    let start = table.curve(table.game().space().states() - 1);
    (1..=i32::from(start.most())).map(|score| f64::from(start.at(score))).sum()
}
