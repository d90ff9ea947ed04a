//! `states`: the number of states of a game, for one player or two.

use std::iter::zip;

use keepers::Observer;
use keepers::answers::TwoPlayerCount;
use keepers::internals::turn::LANES;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;

fn one() -> u8 {
    1
}

/// Asks for the number of states of a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "players": 1 }))]
pub struct StatesRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The number of players: 1 or 2.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 2)]
    pub players: u8,
}

/// The numbers of states.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = States, example = json!({ "states": 310656, "upper_totals": 536448, "upper_needs": 314880 }))]
pub enum StatesAnswer {
    /// The states of one player.
    One(OnePlayerStates),
    /// The states of two players.
    Two(TwoPlayerStates),
}

/// The score states of one player, after each step that merges them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OnePlayerStates {
    /// The score states: all merging done.
    pub states: usize,
    /// The states before merging: each set of filled boxes with each upper total that it can have.
    pub upper_totals: usize,
    /// The states after merging upper totals that make no difference to the open boxes.
    pub upper_needs: usize,
}

/// The states of the game of two players. The times are estimates.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TwoPlayerStates {
    /// The states: pairs of score states, each with every score difference that leaves the result open.
    #[schema(value_type = u64)]
    pub states: u128,
    /// The pairs of score states that can occur in one game.
    #[schema(value_type = u64)]
    pub pairs: u128,
    /// The bytes that all values need in double precision.
    #[schema(value_type = u64)]
    pub bytes: u128,
    /// The turns that the kernel would have to evaluate.
    #[schema(value_type = u64)]
    pub turns: u128,
    /// The estimated seconds per turn on one core of this machine.
    pub seconds_a_turn: f64,
    /// The estimated days to solve the game on one core.
    pub core_days: f64,
}

impl Question for StatesRequest {
    type Answer = StatesAnswer;
    const NAME: &'static str = "states";

    fn work(&self) -> String {
        "counting states".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<StatesAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let players = fields.within("players", self.players, (1, 2));
        let players = fields.check(players)?;
        if players == 1 {
            let counts = ready.game().space().counts();
            return Ok(StatesAnswer::One(OnePlayerStates {
                states: counts.states,
                upper_totals: counts.totals,
                upper_needs: counts.needs,
            }));
        }
        let counted = service.engine().observed_by(observer).two_player_count(ready.game());
        let (size, seconds) = counted.map_err(|error| Refusal::engine(&error, "rules"))?;
        Ok(StatesAnswer::Two(estimated(&size, &seconds)))
    }
}

fn estimated(size: &TwoPlayerCount, seconds_per_turn: &[f64]) -> TwoPlayerStates {
    // Finished games need no turn.
    let layers = || zip(&size.layers, seconds_per_turn).skip(1);
    let turns = layers().map(|(layer, _)| layer.turns(LANES as u128)).sum();
    let seconds: f64 = layers().map(|(layer, seconds)| layer.turns(LANES as u128) as f64 * seconds).sum();
    TwoPlayerStates {
        states: size.states(),
        pairs: size.pairs(),
        bytes: size.states() * size_of::<f64>() as u128,
        turns,
        seconds_a_turn: seconds / turns as f64,
        core_days: seconds / 86_400.0,
    }
}
