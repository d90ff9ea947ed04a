//! `/roll`: dice for games that are played here.

use axum::extract::State;
use axum::response::Response;
use keepers::random::GameDice;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::jobs::{answered, json};
use crate::seed::Seed;

fn nothing() -> String {
    "-".to_string()
}

/// Dice to be rolled.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "seed": "2026", "stream": 0, "turn": 3, "number": 1, "keep": "22" }))]
pub struct RollRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The seed of the game.
    seed: Seed,
    /// Whose dice: every player of a game has a stream of his own.
    #[serde(default)]
    #[schema(maximum = 4294967295_u64)]
    stream: u32,
    /// The turn, the first being 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    turn: u8,
    /// The roll in this turn, the first being 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    number: u8,
    /// The dice that are kept, `-` for none.
    #[serde(default = "nothing")]
    #[schema(pattern = "^(-|[1-6]{1,6})$")]
    keep: String,
}

/// The dice on the table.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "roll": "22345" }))]
pub struct RollView {
    roll: String,
}

/// Roll the dice
///
/// The dice of `keepers match --seed`: the same request always gets the same roll.
#[utoipa::path(post, path = "/roll", tag = "play", operation_id = "roll", request_body = RollRequest,
    responses((status = 200, description = "the dice", body = RollView), Refusals))]
pub async fn roll(State(app): State<Shared>, Body(request): Body<RollRequest>) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let rules = ready.game.rules();
    let mut asked = Asked::new(&ready.game);
    let keep = asked.keep("keep", &request.keep);
    let seed = asked.seed("seed", &request.seed);
    let turns = rules.all_boxes().len();
    if usize::from(request.turn) >= turns {
        asked.tell("turn", format!("there is no turn {}: write 0 to {}", request.turn, turns - 1));
    }
    if request.number >= rules.rolls() {
        asked
            .tell("number", format!("there is no roll {}: write 0 to {}", request.number, rules.rolls() - 1));
    }
    if request.number == 0 && keep.is_some_and(|keep| !keep.is_empty()) {
        asked.tell("keep", "nothing can be kept before the first roll: write -");
    }
    asked.check()?;
    let mut dice = GameDice::new(seed.expect("checked"), request.stream.into(), rules.rolls());
    dice.start_turn(request.turn.into());
    // Every roll has a word of its own, whatever was kept before.
    (0..request.number).for_each(|_| _ = dice.throw(ready.throws(), 0));
    let keep = ready.game.lattice().index_of(&keep.expect("checked"));
    let roll = ready.game.lattice().roll(dice.throw(ready.throws(), keep as u16).into());
    Ok(answered(json(&RollView { roll: roll.to_string() })))
}
