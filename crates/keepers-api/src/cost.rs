//! `cost`: the time and the memory that an answer about a card needs.

use keepers::{Goal, Objective, Observer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks how long the first answer about a card will take. Only tables that are neither in memory nor stored count.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "objective": "reach:300" }))]
pub struct CostRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card so far, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// `expected`, `reach:S`, `tournament:N`, `utility` or `win`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility|win)$")]
    pub objective: String,
    /// With `utility`: the utility of final scores, as CSV lines of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// With `win`: the cards of the opponents, in the order of play after the player to move.
    #[schema(max_items = 7)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Vec<String>>,
    /// Also the exact distribution of the strategy, as `distribution` and each size of `tournament` need it. Not with `win`.
    #[serde(default)]
    pub distribution: bool,
}

impl Default for CostRequest {
    fn default() -> CostRequest {
        let (rules, objective) = (yahtzee(), expected());
        CostRequest {
            rules,
            objective,
            card: String::new(),
            utility: None,
            against: None,
            distribution: false,
        }
    }
}

/// What an answer needs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Cost, example = json!({ "card": "", "seconds": 31.0, "bytes": 779_000_000 }))]
pub struct CostAnswer {
    /// The card in canonical notation.
    pub card: String,
    /// The estimated seconds until the tables are solved; 0 if all of them are known. With `win`, positions that are solved
    /// exactly need no table.
    pub seconds: f64,
    /// The memory of the largest table that has to be solved, in bytes.
    pub bytes: usize,
}

impl Question for CostRequest {
    type Answer = CostAnswer;
    const NAME: &'static str = "cost";

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn is_afresh(&self) -> bool {
        true
    }

    fn work(&self) -> String {
        "measuring turns".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<CostAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), None);
        let card = fields.card("card", &self.card);
        let played_for = fields.played_for(&self.objective, self.against.as_deref(), card.as_ref());
        if self.distribution && self.objective == "win" {
            fields.add("distribution", "only works for a player alone: drop it, or choose another objective");
        }
        let (card, played_for) = fields.check(card.zip(played_for))?;
        let engine = service.engine().observed_by(observer);
        let cost_for = |goal: &Goal| match self.distribution {
            true => engine.cost_of_distribution(&card, goal),
            false => engine.cost(&card, goal),
        };
        let cost = match &played_for {
            // The result of a game that is over is known.
            PlayedFor::Win(_) if card.is_finished() => engine.cost_of_reach(&[]),
            PlayedFor::Win(others) => engine.cost_of_reach(&[std::slice::from_ref(&card), others].concat()),
            PlayedFor::Plain(Objective::Tournament(_)) if !engine.knows_opponents(ready.game()) => {
                engine.cost_of_opponents(&card).and_then(|opponents| {
                    // The values of all utilities take equally long.
                    Ok(cost_for(&Goal::Utility(vec![0.0]))?.and(opponents))
                })
            }
            alone => alone.goal(&engine, ready.game()).and_then(|goal| cost_for(&goal)),
        };
        let cost = cost.map_err(|error| Refusal::engine(&error, "objective"))?;
        Ok(CostAnswer { card: card.to_string(), seconds: cost.seconds, bytes: cost.bytes })
    }
}
