//! `advise`: every choice for a roll, ranked.

use std::time::Duration;

use keepers::answers::Measure;
use keepers::{Action, Advice, Card, Engine, Error, Game, Observer, Reason, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::outlook::{ChoiceRequest, action};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::{Ranked, ReasonView, ranked, reasons as reasons_view};

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
    /// Whether to give reasons.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub why: bool,
    /// With `why`: a choice to compare with the best one. By default, that is the runner-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<ChoiceRequest>,
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
            why: false,
            chosen: None,
        }
    }
}

/// Every choice, ranked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Advice, example = json!({
    "objective": "expected", "value": 241.52,
    "choices": [
        { "keep": "66", "value": 241.52, "loss": 0.0, "aims": [{ "score": "6", "probability": 0.52 }], "given_up": [] },
        { "keep": "33", "value": 238.63, "loss": 2.89, "aims": [{ "score": "3", "probability": 0.61 }], "given_up": [] }
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
    /// With `why`: up to three reasons, the most useful first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonView>>,
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
        let position = card.zip(roll).zip(left);
        let chosen = self.chosen(&mut fields, ready.game(), position.as_ref());
        let read = position.zip(played_for).zip(seconds.zip(chosen));
        let ((((card, roll), left), played_for), (seconds, chosen)) = fields.check(read)?;
        let engine = service.engine().observed_by(observer);
        let asked = Asked { card: &card, roll, left, chosen, why: self.why, seconds };
        let (advice, reasons, exact) =
            asked.answered(&engine, &played_for).map_err(|error| Refusal::engine(&error, "objective"))?;
        Ok(AdviseAnswer {
            objective: played_for.to_string(),
            value: advice.value,
            exact,
            reasons: self.why.then(|| reasons_view(&reasons, ready.rules())),
            choices: ranked(&advice, ready.rules()),
            about: (advice, card, roll, left),
            played_for,
        })
    }
}

impl AdviseRequest {
    /// Reads the chosen action. Returns `None` if it is invalid.
    fn chosen(
        &self,
        fields: &mut Fields<'_>,
        game: &Game,
        position: Option<&((Card, Roll), u8)>,
    ) -> Option<Option<Action>> {
        let Some(choice) = &self.chosen else { return Some(None) };
        if !self.why {
            fields.add("chosen", "only works with why: add \"why\": true, or drop chosen");
            return None;
        }
        let ((card, roll), left) = position?;
        if *left > 0 && matches!(choice, ChoiceRequest::Score(_)) {
            fields.add("chosen", "must be dice to keep while rolls are left: keep all dice to stop rolling");
            return None;
        }
        action(fields, ("chosen", game), (card, roll, *left), choice).map(Some)
    }
}

/// A valid request.
struct Asked<'a> {
    card: &'a Card,
    roll: Roll,
    left: u8,
    chosen: Option<Action>,
    why: bool,
    seconds: Duration,
}

impl Asked<'_> {
    /// Returns the advice, the reasons if they were asked for, and, against opponents, whether values are exact.
    fn answered(
        &self,
        engine: &Engine<'_>,
        played_for: &PlayedFor,
    ) -> Result<(Advice, Vec<Reason>, Option<bool>), Error> {
        let Asked { card, roll, left, chosen, why, seconds } = *self;
        match (played_for, why) {
            (PlayedFor::Win(others), _) => {
                let cards = [std::slice::from_ref(card), others].concat();
                if why {
                    let explained = engine.explain_against(&cards, (roll, left), chosen, seconds)?;
                    return Ok((explained.0, explained.1, Some(explained.2)));
                }
                let (advice, exact) = engine.advise_against(&cards, (roll, left), seconds)?;
                Ok((advice, Vec::new(), Some(exact)))
            }
            (alone, true) => {
                let goal = alone.goal(engine, card.game())?;
                let measure = Measure::of(&alone.objective());
                let (advice, reasons) = engine.explain(card, (roll, left), chosen, (&goal, measure))?;
                Ok((advice, reasons, None))
            }
            (alone, false) => {
                let goal = alone.goal(engine, card.game())?;
                Ok((engine.advise(card, roll, left, &goal)?, Vec::new(), None))
            }
        }
    }
}
