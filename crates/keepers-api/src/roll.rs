//! `roll`: the dice of a seed, for games played with Keepers.

use keepers::Observer;
use keepers::internals::random::GameDice;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;

fn nothing() -> String {
    "-".to_string()
}

/// Asks for a roll of dice.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "seed": "2026", "stream": 0, "turn": 3, "number": 1, "keep": "22" }))]
pub struct RollRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The seed of the game.
    pub seed: Seed,
    /// The stream of dice: each player of a game has their own.
    #[serde(default)]
    #[schema(maximum = 4294967295_u64)]
    pub stream: u32,
    /// The index of the turn, starting at 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    pub turn: u8,
    /// The index of the roll in this turn, starting at 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    pub number: u8,
    /// The kept dice; `-` for none.
    #[serde(default = "nothing")]
    #[schema(pattern = "^(-|[1-6]{1,6})$")]
    pub keep: String,
}

/// The dice on the table after the roll.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rolled, example = json!({ "roll": "22345" }))]
pub struct RollAnswer {
    /// All dice, kept ones included.
    pub roll: String,
}

impl Question for RollRequest {
    type Answer = RollAnswer;
    const NAME: &'static str = "roll";
    const QUICK: bool = true;

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn answer(&self, service: &Service, _: &dyn Observer) -> Result<RollAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let rules = ready.rules();
        let mut fields = Fields::new(&ready);
        let keep = fields.keep("keep", &self.keep);
        let seed = fields.seed(&self.seed);
        let turns = rules.all_boxes().len();
        if usize::from(self.turn) >= turns {
            fields.add("turn", format!("must be 0 to {}, not {}", turns - 1, self.turn));
        }
        if self.number >= rules.rolls() {
            fields.add("number", format!("must be 0 to {}, not {}", rules.rolls() - 1, self.number));
        }
        if self.number == 0 && keep.is_some_and(|keep| !keep.is_empty()) {
            fields.add("keep", "must be - before the first roll");
        }
        let (keep, seed) = fields.check(keep.zip(seed))?;
        let mut dice = GameDice::new(seed, self.stream.into(), rules.rolls());
        dice.start_turn(self.turn.into());
        // Each roll of a turn has its own random word, so the rolls before it are skipped whatever was kept.
        (0..self.number).for_each(|_| _ = dice.throw(ready.throws(), 0));
        let lattice = ready.game().lattice();
        let roll = lattice.roll(dice.throw(ready.throws(), lattice.index_of(&keep) as u16).into());
        Ok(RollAnswer { roll: roll.to_string() })
    }
}
