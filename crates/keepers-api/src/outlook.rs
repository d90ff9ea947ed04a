//! `outlook`: the exact distribution of the final score after each of several choices.

use std::collections::BTreeMap;

use keepers::answers::Statistics;
use keepers::{Action, BoxId, Card, Game, Observer, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks for a comparison of choices.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "card": "1=2,2=4,3=9", "roll": "33566", "rolls_left": 2, "objective": "expected",
    "choices": [{ "keep": "66" }, { "keep": "33" }]
}))]
pub struct OutlookRequest {
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
    /// `expected`, `reach:S`, `tournament:N` or `utility`.
    #[serde(default = "expected")]
    #[schema(pattern = "^(expected|reach:[0-9]{1,5}|tournament:[0-9]{1,10}|utility)$")]
    pub objective: String,
    /// With `utility`: the utility of final scores, as CSV lines of score,utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<String>,
    /// The choices to compare.
    #[schema(min_items = 1, max_items = 4)]
    pub choices: Vec<ChoiceRequest>,
}

/// A choice: dice to keep, or a box to score in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged, try_from = "BTreeMap<String, String>")]
#[schema(as = Choice)]
pub enum ChoiceRequest {
    /// Keep these dice and roll the others.
    Keep(KeepChoice),
    /// End the turn.
    Score(ScoreChoice),
}

/// Keep these dice and roll the others.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepChoice {
    /// The kept dice; `-` for none.
    #[schema(pattern = "^(-|[1-6]{1,6})$")]
    pub keep: String,
}

/// End the turn.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreChoice {
    /// The id of the box.
    pub score: String,
}

impl TryFrom<BTreeMap<String, String>> for ChoiceRequest {
    type Error = &'static str;

    fn try_from(mut fields: BTreeMap<String, String>) -> Result<ChoiceRequest, &'static str> {
        match (fields.remove("keep"), fields.remove("score"), fields.len()) {
            (Some(keep), None, 0) => Ok(ChoiceRequest::Keep(KeepChoice { keep })),
            (None, Some(score), 0) => Ok(ChoiceRequest::Score(ScoreChoice { score })),
            _ => {
                Err("a choice has one field, keep or score: write {\"keep\": \"22\"} or {\"score\": \"fh\"}")
            }
        }
    }
}

/// The outlook of each choice.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Outlooks, example = json!({
    "outlooks": [{
        "choice": { "keep": "66" }, "value": 163.2, "mean": 163.2, "sd": 30.1, "probability": [0.0, 0.0001, 0.0002],
        "upper_bonus": null, "boxes": [{ "id": "1", "points": 2.0, "scored": 1.0 }], "upper_bonus_points": 0.0,
        "extra_points": 0.0
    }]
}))]
pub struct OutlookAnswer {
    /// The outlooks, in the order of the choices.
    pub outlooks: Vec<Outlook>,
}

/// The results of a choice if the rest of the game is played best for the objective. The points of the boxes and the
/// bonuses add up to the mean.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Outlook {
    /// The choice.
    pub choice: ChoiceRequest,
    /// The value under the objective.
    pub value: f64,
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
    /// The probability of having the upper bonus at the end of the game; null if the game has none.
    pub upper_bonus: Option<f64>,
    /// All boxes, from the top of the card down.
    pub boxes: Vec<BoxOutlook>,
    /// The mean points from the upper bonus.
    pub upper_bonus_points: f64,
    /// The mean points from bonuses for extra Yahtzees.
    pub extra_points: f64,
}

/// A box at the end of the game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxOutlook {
    /// The id of the box.
    pub id: String,
    /// The mean points in the box.
    pub points: f64,
    /// The probability of more than 0 points.
    pub scored: f64,
}

impl Question for OutlookRequest {
    type Answer = OutlookAnswer;
    const NAME: &'static str = "outlook";

    fn work(&self) -> String {
        "computing the results of each choice".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<OutlookAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, self.utility.as_deref(), None);
        let card = fields.open_card("card", &self.card);
        let roll = fields.roll("roll", &self.roll);
        let left = fields.rolls_left(self.rolls_left);
        let played_for = fields.strategy("objective", &self.objective);
        let (found, most) = (self.choices.len(), service.limits().choices);
        if found == 0 {
            fields.add("choices", "must have at least one choice, like {\"keep\": \"66\"}");
        } else if found > most {
            fields.add("choices", format!("must be up to {most} choices, not {found}"));
        }
        let position = card.zip(roll).zip(left);
        let actions = position.as_ref().and_then(|((card, roll), left)| {
            let each = |choice| action(&mut fields, ("choices", ready.game()), (card, roll, *left), choice);
            let actions: Vec<Option<Action>> = self.choices.iter().map(each).collect();
            actions.into_iter().collect::<Option<Vec<Action>>>()
        });
        let read = position.zip(played_for.zip(actions));
        let (((card, roll), left), (played_for, actions)) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let outlooks = played_for
            .goal(&engine, game)
            .and_then(|goal| engine.outlooks(&card, (roll, left), &actions, &goal))
            .map_err(|error| Refusal::engine(&error, "objective"))?;
        let one = |(choice, (value, statistics)): (&ChoiceRequest, &(f64, Statistics))| {
            shown(game, &card, choice.clone(), *value, statistics)
        };
        Ok(OutlookAnswer { outlooks: self.choices.iter().zip(&outlooks).map(one).collect() })
    }
}

/// Reads a choice and checks that it is possible in this position.
pub(crate) fn action(
    fields: &mut Fields<'_>,
    (field, game): (&str, &Game),
    (card, roll, left): (&Card, &Roll, u8),
    choice: &ChoiceRequest,
) -> Option<Action> {
    match choice {
        ChoiceRequest::Keep(_) if left == 0 => {
            fields.add(field, "no roll is left: choose a box to score in, like {\"score\": \"ch\"}");
            None
        }
        ChoiceRequest::Keep(KeepChoice { keep }) => {
            let keep = fields.keep(field, keep)?;
            if !keep.is_within(roll.dice()) {
                fields.add(field, format!("{keep} cannot be kept: the roll is {roll}"));
                return None;
            }
            Some(Action::Keep(keep))
        }
        ChoiceRequest::Score(ScoreChoice { score }) => {
            let Some(into) = game.rules().box_by_id(score) else {
                fields.add(field, format!("there is no box \"{}\"", keepers::internals::text::quote(score)));
                return None;
            };
            fields.note(field, card.entry(roll.dice(), into)).map(Action::Score)
        }
    }
}

fn shown(game: &Game, card: &Card, choice: ChoiceRequest, value: f64, statistics: &Statistics) -> Outlook {
    let rules = game.rules();
    let one = |id: BoxId| {
        let of = &statistics.boxes[id];
        let nothing = || of.distribution().first().copied().unwrap_or(0.0);
        let (points, scored) = match card.points(id) {
            Some(points) => (f64::from(points), f64::from(u8::from(points > 0))),
            None => (of.mean(), 1.0 - nothing()),
        };
        BoxOutlook { id: rules.boxes()[id].id.clone(), points, scored }
    };
    let bonus = rules.upper_bonus().map(|bonus| {
        let probability = if card.upper_bonus() > 0 { 1.0 } else { statistics.upper_bonus };
        (probability, probability * f64::from(bonus.points))
    });
    let extras: f64 = statistics.extras.iter().zip(0..).map(|(p, extras)| p * f64::from(extras)).sum();
    let pays = f64::from(rules.extra().map_or(0, |extra| extra.points));
    Outlook {
        choice,
        value,
        mean: statistics.mean(),
        sd: statistics.deviation(),
        probability: statistics.probability.clone(),
        upper_bonus: bonus.map(|(probability, _)| probability),
        boxes: rules.all_boxes().iter().map(one).collect(),
        upper_bonus_points: bonus.map_or(0.0, |(_, points)| points),
        extra_points: pays * (f64::from(card.extras()) + extras),
    }
}
