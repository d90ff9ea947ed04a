//! `reach`: the best probability of every final score.

use keepers::Observer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks for the best probability of every final score from a card.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "card": "1=3,6=18" }))]
pub struct ReachRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card so far, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// The dice on the table, if the turn has started.
    #[schema(pattern = "^[1-6]{2,6}$")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// With a roll: rolls left in this turn; by default, as after the first roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_left: Option<u8>,
    /// Solve now in double precision instead of using the stored single-precision curves. Does not work with a roll.
    #[serde(default)]
    pub precise: bool,
}

/// The best probability of every final score.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Reach, example = json!({ "rules": "yacht", "card": "1=3,6=18", "reach": [1.0, 1.0, 0.999, 0.0001] }))]
pub struct ReachAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The card in canonical notation.
    pub card: String,
    /// The best probability of a final score of at least 0, 1, 2 and so on, each with its own strategy.
    pub reach: Vec<f64>,
}

impl Question for ReachRequest {
    type Answer = ReachAnswer;
    const NAME: &'static str = "reach";

    fn work(&self) -> String {
        "solving for the probability of every score".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<ReachAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let card = match self.roll {
            Some(_) => fields.open_card("card", &self.card),
            None => fields.card("card", &self.card),
        };
        let roll = self.roll.as_ref().map(|roll| fields.roll("roll", roll));
        let left = fields.rolls_left(self.rolls_left);
        if self.roll.is_none() && self.rolls_left.is_some() {
            fields.add("rolls_left", "needs a roll: add roll, or drop rolls_left");
        }
        if self.roll.is_some() && self.precise {
            fields.add("precise", "cannot be combined with a roll: drop one of them");
        }
        let after = roll.map_or(Some(None), |roll| Some(roll.zip(left)));
        let (card, after) = fields.check(card.zip(after))?;
        let engine = service.engine().observed_by(observer);
        let reach = match after {
            _ if self.precise => engine.precise_reach(&card),
            Some((roll, left)) => engine.reach_after(&card, roll, left),
            None => engine.reach(&card),
        };
        let reach = reach.map_err(|error| Refusal::engine(&error, "rules"))?;
        Ok(ReachAnswer {
            rules: ready.rules().name().to_string(),
            card: card.to_string(),
            reach: reach.into(),
        })
    }
}
