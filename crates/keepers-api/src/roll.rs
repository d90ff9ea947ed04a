//! `roll`: dice by their seed, for games that are played with Keepers.

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

/// Dice to be rolled.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "seed": "2026", "stream": 0, "turn": 3, "number": 1, "keep": "22" }))]
pub struct RollRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The seed of the game.
    pub seed: Seed,
    /// Whose dice: every player of a game has a stream of their own.
    #[serde(default)]
    #[schema(maximum = 4294967295_u64)]
    pub stream: u32,
    /// The turn, the first being 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    pub turn: u8,
    /// The roll in this turn, the first being 0.
    #[serde(default)]
    #[schema(maximum = 255)]
    pub number: u8,
    /// The dice that are kept, `-` for none.
    #[serde(default = "nothing")]
    #[schema(pattern = "^(-|[1-6]{1,6})$")]
    pub keep: String,
}

/// The dice on the table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rolled, example = json!({ "roll": "22345" }))]
pub struct RollAnswer {
    /// The dice.
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
            fields.add("turn", format!("there is no turn {}: write 0 to {}", self.turn, turns - 1));
        }
        if self.number >= rules.rolls() {
            fields
                .add("number", format!("there is no roll {}: write 0 to {}", self.number, rules.rolls() - 1));
        }
        if self.number == 0 && keep.is_some_and(|keep| !keep.is_empty()) {
            fields.add("keep", "nothing can be kept before the first roll: write -");
        }
        let (keep, seed) = fields.check(keep.zip(seed))?;
        let mut dice = GameDice::new(seed, self.stream.into(), rules.rolls());
        dice.start_turn(self.turn.into());
        // Every roll has a word of its own, whatever was kept before.
        (0..self.number).for_each(|_| _ = dice.throw(ready.throws(), 0));
        let lattice = ready.game().lattice();
        let roll = lattice.roll(dice.throw(ready.throws(), lattice.index_of(&keep) as u16).into());
        Ok(RollAnswer { roll: roll.to_string() })
    }
}
