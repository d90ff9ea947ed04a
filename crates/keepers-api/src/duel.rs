//! `duel`: the expected result of a game of two if both players play perfectly.

use keepers::internals::advise::advise;
use keepers::internals::clock::Stopwatch;
use keepers::{Advice, Card, Error, Observer, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::views::{Ranked, ranked};

/// The default memory limit in GiB.
pub(crate) fn eight() -> u16 {
    8
}

/// Asks for the value of a position of two players.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "rules": "yacht", "to_move": "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0",
    "other": "1=3,2=4,3=9,4=8,5=15,6=18,fh=20,4k=0,ls=30,bs=0", "roll": "66612", "rolls_left": 1
}))]
pub struct DuelRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card of the player to move.
    pub to_move: String,
    /// The card of the other player.
    pub other: String,
    /// The dice on the table, if the turn has started.
    #[schema(pattern = "^[1-6]{2,6}$")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// With a roll: rolls left in this turn; by default, as after the first roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolls_left: Option<u8>,
    /// The memory limit in GiB.
    #[serde(default = "eight")]
    #[schema(minimum = 1, maximum = 8)]
    pub memory: u16,
}

/// The exact value of the position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Duel, example = json!({ "value": 0.4471, "exact": true, "seconds": 0.01, "pairs": 120, "lanes": 9000 }))]
pub struct DuelAnswer {
    /// The expected result of the player to move: 1 for a win, 1/2 for a draw. With a roll: that of the best choice.
    pub value: f64,
    /// Always true.
    pub exact: bool,
    /// The seconds that solving took, or reading a stored solution.
    pub seconds: f64,
    /// Whether the values were read from a stored solution.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub stored: bool,
    /// The number of pairs of score states solved.
    pub pairs: usize,
    /// The number of values solved.
    pub lanes: usize,
    /// With a roll: the expected result before the roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_roll: Option<f64>,
    /// With a roll: every choice, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Ranked>>,
    /// The two cards, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub cards: (Card, Card),
    /// The advice, the roll and the rolls left, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub advice: Option<(Advice, Roll, u8)>,
}

impl Question for DuelRequest {
    type Answer = DuelAnswer;
    const NAME: &'static str = "duel";

    fn work(&self) -> String {
        "solving a duel".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<DuelAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let mover = match self.roll {
            Some(_) => fields.open_card("to_move", &self.to_move),
            None => fields.card("to_move", &self.to_move),
        };
        let other = fields.card("other", &self.other);
        let roll = self.roll.as_ref().map(|roll| fields.roll("roll", roll));
        let left = fields.rolls_left(self.rolls_left);
        if self.roll.is_none() && self.rolls_left.is_some() {
            fields.add("rolls_left", "needs a roll: add roll, or drop rolls_left");
        }
        let memory = fields.within("memory", self.memory, (1, service.limits().memory));
        let roll = roll.map_or(Some(None), |roll| Some(roll.zip(left)));
        let read = mover.zip(other).zip(roll.zip(memory));
        let ((mover, other), (roll, memory)) = fields.check(read)?;
        let engine = service.engine().observed_by(observer);
        let started = Stopwatch::start();
        let refused = |error: Error| Refusal::engine(&error, "rules");
        let solved = engine.duel((&mover, &other), keepers::internals::gibibytes(memory.into()));
        let duel = solved.map_err(refused)?;
        let seconds = started.seconds();
        let advice =
            roll.map(|(roll, left)| Ok::<_, Error>((advise(&duel, &mover, roll, left)?, roll, left)));
        let advice = advice.transpose().map_err(refused)?;
        Ok(DuelAnswer {
            value: advice.as_ref().map_or(duel.value(), |(advice, ..)| advice.value),
            exact: true,
            seconds,
            stored: duel.cost().is_none(),
            pairs: duel.cost().map_or(0, |cost| cost.pairs),
            lanes: duel.cost().map_or(0, |cost| cost.lanes),
            before_roll: advice.as_ref().map(|_| duel.value()),
            choices: advice.as_ref().map(|(advice, ..)| ranked(advice, ready.rules())),
            cards: (mover, other),
            advice,
        })
    }
}
