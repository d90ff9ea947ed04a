//! `measure`: the loss of players against perfect play (Pawlewicz, 4.2 and 4.3).

use std::ops::RangeInclusive;

use keepers::answers::{Experiment, Measured};
use keepers::{Error, Observer, Player};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::duel::eight;
use crate::fields::{Fields, PlayedFor, yahtzee};
use crate::matches::{hundred, make_players};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;
use crate::utilities::Utilities;

/// The most open boxes on both cards: with more, even one position takes too long.
const MAX_OPEN_BOXES: usize = 16;

/// The default for the most open boxes, in games that have as many.
const USUAL_DEPTH: usize = 8;

fn usual_strategies() -> Vec<String> {
    ["emp:0", "emp:1", "emp:2", "dyns:0..2", "expected"].map(String::from).to_vec()
}

/// Asks for the losses of players against perfect play.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "strategies": ["greedy"], "depth": "1..3", "games": 4, "seed": 1 }))]
pub struct MeasureRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The players; `dyns:0..4` means all from `dyns:0` to `dyns:4`.
    #[serde(default = "usual_strategies")]
    pub strategies: Vec<String>,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// The range of open boxes on both cards together, like `1..8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// The number of games.
    #[serde(default = "hundred")]
    #[schema(minimum = 2, maximum = 100000)]
    pub games: u64,
    /// The seed of the dice; the same seed gives the same games.
    #[serde(default)]
    pub seed: Seed,
    /// The memory limit for exact values, in GiB.
    #[serde(default = "eight")]
    #[schema(minimum = 1, maximum = 8)]
    pub memory: u16,
}

/// The mean losses per decision.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Measurement, example = json!({
    "rules": "yacht", "games": 4, "seed": 1,
    "strategies": [{ "strategy": "greedy", "depths": [{ "depth": 1, "error": 0.001, "standard_error": 0.0002, "differs": 0.1, "games": 4 }] }]
}))]
pub struct MeasureAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The players.
    pub strategies: Vec<MeasuredStrategy>,
    /// The players, the measurements by number of open boxes and player, and the range of open boxes, for callers in
    /// Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub measured: (Vec<Player>, Vec<Vec<Measured>>, RangeInclusive<usize>),
}

/// The losses of one player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeasuredStrategy {
    /// The player.
    pub strategy: String,
    /// The losses by number of open boxes.
    pub depths: Vec<MeasuredDepth>,
}

/// The loss of one player at one number of open boxes. Values are null where too few games were measured.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeasuredDepth {
    /// The open boxes on both cards together.
    pub depth: usize,
    /// The mean loss per decision, in games.
    #[schema(value_type = Option<f64>, required = true)]
    pub error: f64,
    /// The standard error of `error`.
    #[schema(value_type = Option<f64>, required = true)]
    pub standard_error: f64,
    /// The share of decisions in which the player does not make a best choice.
    #[schema(value_type = Option<f64>, required = true)]
    pub differs: f64,
    /// The number of games with a position that fit into memory.
    pub games: u64,
}

impl Question for MeasureRequest {
    type Answer = MeasureAnswer;
    const NAME: &'static str = "measure";

    fn work(&self) -> String {
        format!("measuring {} games", self.games)
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<MeasureAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, None, self.utilities.as_ref());
        let limits = service.limits();
        let players = self.read_players(&mut fields);
        if let Some(players) = &players {
            fields.check_depths("strategies", players.iter().map(|(player, _)| player), 2, limits);
            if !(1..=limits.strategies).contains(&players.len()) {
                let text = format!("must be 1 to {} players, not {}", limits.strategies, players.len());
                fields.add("strategies", text);
            }
        }
        let boxes = 2 * ready.game().space().boxes();
        let depths = fields.note("depth", read_depths(self.depth.as_deref(), boxes));
        let games = fields.within("games", self.games, (2, limits.games));
        let memory = fields.within("memory", self.memory, (1, limits.memory));
        let seed = fields.seed(&self.seed);
        let read = players.zip(depths).zip(games.zip(memory)).zip(seed);
        let (((players, depths), (games, memory)), seed) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let refused = |error: Error| Refusal::engine(&error, "strategies");
        let strategies = make_players(service, game, &players, observer).map_err(refused)?;
        let experiment = Experiment {
            depth: *depths.end(),
            games,
            seed,
            memory: keepers::internals::gibibytes(memory.into()),
        };
        let measured = engine.measure(game, &strategies, experiment).map_err(refused)?;
        let games_at = |depth: usize| measured[depth - 1].first().map_or(0, |measured| measured.games);
        if games_at(*depths.end()) == 0 {
            let text = format!(
                "no position with {} open boxes fits into {memory} GiB: raise memory, or lower depth",
                depths.end()
            );
            return Err(Refusal::invalid("memory", text));
        }
        let names: Vec<Player> = players.into_iter().map(|(player, _)| player).collect();
        let strategy = |(nth, name): (usize, &Player)| {
            let depth = |depth: usize| {
                let Measured { error, standard_error, differs, games, .. } = measured[depth - 1][nth];
                MeasuredDepth { depth, error, standard_error, differs, games }
            };
            MeasuredStrategy { strategy: name.to_string(), depths: depths.clone().map(depth).collect() }
        };
        Ok(MeasureAnswer {
            rules: ready.rules().name().to_string(),
            games,
            seed,
            strategies: names.iter().enumerate().map(strategy).collect(),
            measured: (names, measured, depths),
        })
    }
}

impl MeasureRequest {
    fn read_players(&self, fields: &mut Fields<'_>) -> Option<Vec<(Player, Option<PlayedFor>)>> {
        const MOST_NAMES: usize = 1000;
        if self.strategies.len() > MOST_NAMES {
            fields.add(
                "strategies",
                format!("must be up to {MOST_NAMES} names, not {}", self.strategies.len()),
            );
            return None;
        }
        let names: Vec<Option<Vec<String>>> =
            self.strategies.iter().map(|name| fields.note("strategies", range(name.trim()))).collect();
        let names: Vec<String> = names.into_iter().collect::<Option<Vec<_>>>()?.concat();
        let players: Vec<_> = names.iter().map(|name| fields.player("strategies", name)).collect();
        players.into_iter().collect()
    }
}

/// Expands a name: `dyns:0..4` means all from `dyns:0` to `dyns:4`.
fn range(name: &str) -> Result<Vec<String>, String> {
    let range = name.split_once(':').and_then(|(kind, depths)| Some((kind, depths.split_once("..")?)));
    let Some((kind @ ("emp" | "dyns"), (first, last))) = range else { return Ok(vec![name.to_string()]) };
    let read = |depth: &str| depth.parse::<u8>().ok();
    match (read(first), read(last)) {
        (Some(first), Some(last)) if first <= last && last <= keepers::internals::players::MAX_DEPTH => {
            Ok((first..=last).map(|depth| format!("{kind}:{depth}")).collect())
        }
        _ => {
            let shown = keepers::internals::text::quote(name);
            let most = keepers::internals::players::MAX_DEPTH;
            Err(format!(
                "\"{shown}\" is not a range of depths from 0 to {most}: write it like {kind}:0..4, the smaller depth first"
            ))
        }
    }
}

/// Reads a range of open boxes, like `1..8` or `8`; `None` stands for the default.
///
/// # Errors
/// Fails if the text is not a range within the boxes on both cards, of which there are `boxes`.
pub fn read_depths(text: Option<&str>, boxes: usize) -> Result<RangeInclusive<usize>, String> {
    let most = boxes.min(MAX_OPEN_BOXES);
    let Some(text) = text else { return Ok(1..=most.min(USUAL_DEPTH)) };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let read = |depth: &str| depth.trim().parse::<usize>().ok().filter(|depth| (1..=most).contains(depth));
    match (read(first), read(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => {
            let (shown, like) = (keepers::internals::text::quote(text), most.min(USUAL_DEPTH));
            Err(format!(
                "\"{shown}\" is not a range of open boxes: use two numbers from 1 to {most}, like 1..{like}"
            ))
        }
    }
}
