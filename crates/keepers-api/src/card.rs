//! `card`: the contents of a card, and every entry that a roll allows.

use keepers::{Card, Entry, Observer, Roll, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::ById;

/// Asks for the contents of a card.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "card": "1=3,6=18", "roll": "22233" }))]
pub struct CardRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card so far, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// The dice on the table, to list the entries that they allow.
    #[schema(pattern = "^[1-6]{2,6}$")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
}

/// The contents of a card.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Card, example = json!({
    "card": "1=3,6=18", "total": 21, "upper_total": 21, "upper_bonus": 0, "extras": 0, "extra_points": 0,
    "boxes": { "1": 3, "2": null, "6": 18 }, "open": ["2", "3"], "finished": false,
    "entries": [{ "score": "2", "points": 6, "extra": 0, "card": "1=3,2=6,6=18" }]
}))]
pub struct CardAnswer {
    /// The card in canonical notation.
    pub card: String,
    /// The sum of all points, bonuses included.
    pub total: u16,
    /// The sum of the upper boxes, without the bonus.
    pub upper_total: u16,
    /// The upper bonus; 0 if it is not earned.
    pub upper_bonus: u16,
    /// The number of bonuses for extra Yahtzees.
    pub extras: u16,
    /// The points of all bonuses for extra Yahtzees.
    pub extra_points: u16,
    /// The points in each box, by the id of the box; null if the box is open.
    #[schema(value_type = std::collections::BTreeMap<String, Option<u16>>)]
    pub boxes: ById<Option<u16>>,
    /// The ids of the open boxes, from the top down.
    pub open: Vec<String>,
    /// Whether every box is filled.
    pub finished: bool,
    /// With a roll: every entry that the rules allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<EntryView>>,
}

/// An entry, which ends a turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(example = json!({ "score": "fh", "points": 25, "extra": 0, "card": "1=3,6=18,fh=25" }))]
pub struct EntryView {
    /// The id of the box.
    pub score: String,
    /// The points entered.
    pub points: u16,
    /// The bonus that the entry earns for an extra Yahtzee.
    pub extra: u16,
    /// The card after the entry.
    pub card: String,
}

impl EntryView {
    /// Describes an entry. The rules must allow it for these dice.
    pub(crate) fn new(card: &Card, roll: &Roll, entry: Entry) -> EntryView {
        let after = card.enter(roll.dice(), entry.into).expect("the rules allow it");
        EntryView {
            score: card.rules().boxes()[entry.into].id.clone(),
            points: entry.points,
            extra: entry.extra,
            card: after.to_string(),
        }
    }
}

impl Question for CardRequest {
    type Answer = CardAnswer;
    const NAME: &'static str = "card";
    const QUICK: bool = true;

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn answer(&self, service: &Service, _: &dyn Observer) -> Result<CardAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let card = fields.card("card", &self.card);
        let roll = self.roll.as_ref().map(|roll| fields.roll("roll", roll));
        let read = card.zip(roll.map_or(Some(None), |roll| roll.map(Some)));
        let (card, roll) = fields.check(read)?;
        Ok(shown(ready.rules(), &card, roll.as_ref()))
    }
}

fn shown(rules: &Rules, card: &Card, roll: Option<&Roll>) -> CardAnswer {
    let entries = |roll: &Roll| {
        let entries = card.entries(roll.dice()).into_iter();
        entries.map(|entry| EntryView::new(card, roll, entry)).collect()
    };
    CardAnswer {
        card: card.to_string(),
        total: card.total(),
        upper_total: card.upper_total(),
        upper_bonus: card.upper_bonus(),
        extras: card.extras(),
        extra_points: card.extras() * rules.extra().map_or(0, |extra| extra.points),
        boxes: ById(rules.boxes().iter().map(|(id, rule)| (rule.id.clone(), card.points(id))).collect()),
        open: card.open_boxes().iter().map(|id| rules.boxes()[id].id.clone()).collect(),
        finished: card.is_finished(),
        entries: roll.map(entries),
    }
}
