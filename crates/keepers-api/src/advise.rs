//! `advise`: every choice for a roll, ranked.

use keepers::{Advice, Card, Observer, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::{Ranked, ranked};

/// Asks for every choice for a roll, ranked.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yahtzee", "card": "1=3,4=12,fh=25", "roll": "33566", "rolls_left": 2, "objective": "expected"
}))]
pub struct AdviseRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card so far, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// The dice on the table.
    #[schema(pattern = "^[1-6]{2,6}$")]
    pub roll: String,
    /// Rolls left in this turn; by default, as after the first roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_left: Option<u8>,
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

impl Default for AdviseRequest {
    fn default() -> AdviseRequest {
        AdviseRequest {
            rules: yahtzee(),
            card: String::new(),
            roll: String::new(),
            rolls_left: None,
            objective: expected(),
            utility: None,
            against: None,
            seconds: None,
        }
    }
}

/// Every choice, ranked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Advice, example = json!({
    "objective": "expected", "value": 241.52,
    "choices": [
        { "keep": "66", "value": 241.52, "loss": 0.0, "aims": [{ "score": "6", "probability": 0.52 }] },
        { "keep": "33", "value": 238.63, "loss": 2.89, "aims": [{ "score": "3", "probability": 0.61 }] }
    ]
}))]
pub struct AdviseAnswer {
    /// The objective.
    pub objective: String,
    /// The value of the best choice.
    pub value: f64,
    /// Against opponents: whether the values are exact rather than estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    /// Every choice, the best first.
    pub choices: Vec<Ranked>,
    /// The advice, the card, the roll and the rolls left, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub about: (Advice, Card, Roll, u8),
    /// The objective with everything that it needs, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub played_for: PlayedFor,
}

impl Question for AdviseRequest {
    type Answer = AdviseAnswer;
    const NAME: &'static str = "advise";
    const QUICK: bool = true;

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn work(&self) -> String {
        format!("ranking every choice for {}", keepers::internals::text::quote(&self.objective))
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<AdviseAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), None);
        let card = fields.open_card("card", &self.card);
        let roll = fields.roll("roll", &self.roll);
        let left = fields.rolls_left(self.rolls_left);
        let played_for = fields.played_for(&self.objective, self.against.as_deref(), card.as_ref());
        let seconds = fields.seconds(self.seconds, service.limits().seconds);
        let read = card.zip(roll).zip(left.zip(played_for)).zip(seconds);
        let (((card, roll), (left, played_for)), seconds) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let advice = match &played_for {
            PlayedFor::Win(others) => {
                let cards = [std::slice::from_ref(&card), others].concat();
                let advised = engine.advise_against(&cards, (roll, left), seconds);
                advised.map(|(advice, exact)| (advice, Some(exact)))
            }
            alone => alone
                .goal(&engine, game)
                .and_then(|goal| engine.advise(&card, roll, left, &goal))
                .map(|advice| (advice, None)),
        };
        let (advice, exact) = advice.map_err(|error| Refusal::engine(&error, "objective"))?;
        Ok(AdviseAnswer {
            objective: played_for.to_string(),
            value: advice.value,
            exact,
            choices: ranked(&advice, ready.rules()),
            about: (advice, card, roll, left),
            played_for,
        })
    }
}
