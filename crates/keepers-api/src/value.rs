//! `value`: the value of a card.

use keepers::Observer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks for the value of a card.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "card": "1=3,6=18", "objective": "expected" }))]
pub struct ValueRequest {
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
    /// With `win`: seconds to spend on exact values before they are estimated.
    #[schema(minimum = 0, maximum = 60)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Default for ValueRequest {
    fn default() -> ValueRequest {
        let (rules, objective) = (yahtzee(), expected());
        ValueRequest { rules, objective, card: String::new(), utility: None, against: None, seconds: None }
    }
}

/// The value of a card.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CardValue, example = json!({ "card": "", "value": 254.5877 }))]
pub struct ValueAnswer {
    /// The card in canonical notation.
    pub card: String,
    /// The value under the objective: the expected final score, a probability, or an expected utility.
    pub value: f64,
}

impl Question for ValueRequest {
    type Answer = ValueAnswer;
    const NAME: &'static str = "value";
    const QUICK: bool = true;

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn work(&self) -> String {
        format!("evaluating a card for {}", keepers::internals::text::quote(&self.objective))
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<ValueAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), None);
        let card = fields.card("card", &self.card);
        let played_for = fields.played_for(&self.objective, self.against.as_deref(), card.as_ref());
        let seconds = fields.seconds(self.seconds, service.limits().seconds);
        let read = card.zip(played_for).zip(seconds);
        let ((card, played_for), seconds) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let value = match &played_for {
            PlayedFor::Win(others) => {
                let cards = [std::slice::from_ref(&card), others].concat();
                engine.position(&cards, seconds).map(|position| position.value)
            }
            alone => alone.goal(&engine, game).and_then(|goal| engine.value(&card, &goal)),
        };
        let value = value.map_err(|error| Refusal::engine(&error, "objective"))?;
        Ok(ValueAnswer { card: card.to_string(), value })
    }
}
