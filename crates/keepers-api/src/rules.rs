//! `rules` and `rules-list`: one game by its rules, and the presets.

use keepers::internals::rules::PRESETS;
use keepers::{BoxId, Observer, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::describe::{describe, title};
use crate::games::ReadyGame;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

/// Asks for the presets.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesListRequest {}

/// The presets.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RulesList, example = json!({
    "rules": [{
        "name": "yahtzee", "aliases": [], "title": "Yahtzee", "summary": "Yahtzee by the official rules: forced joker",
        "dice": 5, "boxes": 13, "value": 254.5877
    }]
}))]
pub struct RulesListAnswer {
    /// The presets.
    pub rules: Vec<KnownRules>,
}

/// A preset.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnownRules {
    /// What to write for `rules`.
    pub name: &'static str,
    /// Other names for it.
    #[schema(value_type = Vec<String>)]
    pub aliases: &'static [&'static str],
    /// What people call it.
    pub title: String,
    /// One line that says what it is.
    pub summary: String,
    /// How many dice it has.
    pub dice: u8,
    /// How many boxes the card has.
    pub boxes: usize,
    /// The best expected score, if the game was solved before.
    pub value: Option<f64>,
}

impl Question for RulesListRequest {
    type Answer = RulesListAnswer;
    const NAME: &'static str = "rules-list";
    const QUICK: bool = true;

    fn answer(&self, service: &Service, _: &dyn Observer) -> Result<RulesListAnswer, Refusal> {
        let known = |preset: &keepers::internals::rules::Preset| -> Option<KnownRules> {
            let rules = Rules::preset(preset.name).ok()?;
            Some(KnownRules {
                name: preset.name,
                aliases: preset.aliases,
                title: title(&rules),
                summary: rules.title().to_string(),
                dice: rules.dice(),
                boxes: rules.boxes().values().len(),
                value: service.engine().store().known_start(&rules),
            })
        };
        Ok(RulesListAnswer { rules: PRESETS.iter().filter_map(known).collect() })
    }
}

/// Rules to be read.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht" }))]
pub struct RulesRequest {
    /// A preset's name, or TOML.
    pub rules: String,
}

/// A game by its rules.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rules, example = json!({
    "name": "yacht", "title": "Yacht", "summary": "the game of Yacht", "toml": "name = \"yacht\"\n..", "dice": 5,
    "faces": 6, "rolls": 3, "states": 4096,
    "boxes": [{ "id": "1", "name": "Ones", "description": "the sum of all 1s", "upper": true, "face": 1,
        "possible": [0, 1, 2, 3, 4, 5] }],
    "upper_bonus": null, "extra": null, "most": 298
}))]
pub struct RulesAnswer {
    /// The name of the rules.
    pub name: String,
    /// What people call the game.
    pub title: String,
    /// One line that says what it is.
    pub summary: String,
    /// The rules as TOML, to be edited and sent back.
    pub toml: String,
    /// How many dice there are.
    pub dice: u8,
    /// How many faces a die has.
    pub faces: u8,
    /// How often the dice are rolled in a turn.
    pub rolls: u8,
    /// How many score states there are.
    pub states: usize,
    /// The boxes, from the top down.
    pub boxes: Vec<BoxView>,
    /// Points for a full upper section.
    pub upper_bonus: Option<UpperBonusView>,
    /// What all dice equal are worth once their own box is filled.
    pub extra: Option<ExtraView>,
    /// The most points that a game can end with.
    pub most: u16,
}

/// A box of the card.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxView {
    /// The id of the box in cards.
    pub id: String,
    /// The name of the box.
    pub name: String,
    /// What it pays for.
    pub description: String,
    /// Whether it belongs to the upper section.
    pub upper: bool,
    /// The face of an upper box.
    pub face: Option<u8>,
    /// All points that it can hold, sorted.
    pub possible: Vec<u16>,
}

/// Points for a full upper section.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UpperBonusView {
    /// The upper total that earns it.
    pub threshold: u16,
    /// What it pays.
    pub points: u16,
}

/// Points and jokers for all dice equal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExtraView {
    /// What the game calls all dice equal.
    pub name: String,
    /// The id of the box for it.
    #[serde(rename = "box")]
    pub of: String,
    /// The bonus for each further one.
    pub points: u16,
    /// `none`, `forced`, `free` or `used`.
    pub joker: String,
}

impl Question for RulesRequest {
    type Answer = RulesAnswer;
    const NAME: &'static str = "rules";

    fn answer(&self, service: &Service, _: &dyn Observer) -> Result<RulesAnswer, Refusal> {
        Ok(shown(&*service.game(&self.rules)?))
    }
}

fn shown(ready: &ReadyGame) -> RulesAnswer {
    let (game, rules) = (ready.game(), ready.rules());
    let one = |id: BoxId| BoxView {
        id: rules.boxes()[id].id.clone(),
        name: rules.boxes()[id].name.clone(),
        description: describe(&rules.boxes()[id].pattern),
        upper: rules.upper_face(id).is_some(),
        face: rules.upper_face(id).map(keepers::Face::pips),
        possible: game.possible_points(id),
    };
    RulesAnswer {
        name: rules.name().to_string(),
        title: title(rules),
        summary: rules.title().to_string(),
        toml: ready.toml().to_string(),
        dice: rules.dice(),
        faces: rules.faces(),
        rolls: rules.rolls(),
        states: game.space().states(),
        boxes: rules.all_boxes().iter().map(one).collect(),
        upper_bonus: rules
            .upper_bonus()
            .map(|bonus| UpperBonusView { threshold: bonus.threshold, points: bonus.points }),
        extra: rules.extra().map(|extra| ExtraView {
            name: rules.extra_name().to_string(),
            of: rules.boxes()[extra.of].id.clone(),
            points: extra.points,
            joker: extra.joker.name().to_string(),
        }),
        most: ready.most(),
    }
}
