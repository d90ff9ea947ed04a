//! `rules` and `rules-list`: the rules of one game, and the list of presets.

use keepers::internals::rules::PRESETS;
use keepers::{BoxId, Observer, Rules};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::describe::{describe, title};
use crate::games::ReadyGame;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::ThemeName;

/// Asks for the list of presets.
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
    /// The name of the preset in requests.
    pub name: &'static str,
    /// Other names of the preset.
    #[schema(value_type = Vec<String>)]
    pub aliases: &'static [&'static str],
    /// The title for people to read.
    pub title: String,
    /// A description in one line.
    pub summary: String,
    /// The number of dice.
    pub dice: u8,
    /// The number of boxes on the card.
    pub boxes: usize,
    /// The best expected score; null if the game is not solved yet.
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

/// Asks for the rules of a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht" }))]
pub struct RulesRequest {
    /// The rules: the name of a preset, or TOML.
    pub rules: String,
}

/// The rules of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rules, example = json!({
    "name": "yacht", "title": "Yacht", "summary": "the game of Yacht", "toml": "name = \"yacht\"\n..", "dice": 5,
    "faces": 6, "rolls": 3, "states": 4096,
    "boxes": [{ "id": "1", "name": "Ones", "description": "the sum of all 1s", "upper": true, "face": 1,
        "possible": [0, 1, 2, 3, 4, 5] }],
    "upper_bonus": null, "extra": null, "most": 298,
    "themes": ["straights", "yahtzee", "first-turns", "last-turns"]
}))]
pub struct RulesAnswer {
    /// The name of the rules.
    pub name: String,
    /// The title for people to read.
    pub title: String,
    /// A description in one line.
    pub summary: String,
    /// The rules as TOML, which can be edited and used in requests.
    pub toml: String,
    /// The number of dice.
    pub dice: u8,
    /// The number of faces of a die.
    pub faces: u8,
    /// The number of rolls in a turn.
    pub rolls: u8,
    /// The number of score states.
    pub states: usize,
    /// The boxes, from the top down.
    pub boxes: Vec<BoxView>,
    /// The upper bonus, if the game has one.
    pub upper_bonus: Option<UpperBonusView>,
    /// The bonus and the joker for extra Yahtzees, if the game has them.
    pub extra: Option<ExtraView>,
    /// The highest final score.
    pub most: u16,
    /// The themes of training positions that the game has.
    pub themes: Vec<ThemeName>,
}

/// A box of the card.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoxView {
    /// The id of the box in cards.
    pub id: String,
    /// The name of the box.
    pub name: String,
    /// The dice that the box needs and the points that it pays.
    pub description: String,
    /// Whether the box is in the upper section.
    pub upper: bool,
    /// The face of an upper box.
    pub face: Option<u8>,
    /// All possible entries, sorted.
    pub possible: Vec<u16>,
}

/// The upper bonus, if the game has one.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UpperBonusView {
    /// The upper total that earns the bonus.
    pub threshold: u16,
    /// The points of the bonus.
    pub points: u16,
}

/// The bonus and the joker for extra Yahtzees.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExtraView {
    /// The game's name for a roll with all dice equal.
    pub name: String,
    /// The id of the box for such a roll.
    #[serde(rename = "box")]
    pub of: String,
    /// The bonus for each extra Yahtzee.
    pub points: u16,
    /// The joker rule: `none`, `forced`, `free` or `used`.
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
        themes: ThemeName::all_in(rules),
    }
}
