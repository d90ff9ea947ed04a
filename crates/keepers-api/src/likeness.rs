//! `likeness`: how similarly two strategies decide, weighted exactly with how often the decisions occur.

use keepers::answers::{Disagreement, Likeness};
use keepers::{Error, Observer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::utilities::Utilities;

/// Asks in how many decisions two strategies differ. The first one is followed to the end of the game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "strategy": "reach:200", "other": "expected" }))]
pub struct LikenessRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The card to start from, like `1=3,6=18`.
    #[serde(default)]
    pub card: String,
    /// The strategy that plays, by its objective: `expected`, `reach:S`, `tournament:N` or `utility:NAME`.
    #[serde(default = "expected")]
    pub strategy: String,
    /// The strategy that it is compared with.
    pub other: String,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
}

/// The differences between two strategies.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Likeness, example = json!({
    "rules": "yacht", "card": "", "strategy": "reach:200", "other": "expected", "decisions": 36,
    "game": { "differs": 9.2, "worse": 8.1, "loss": 6.4, "other_loss": 0.3 },
    "after_rolls": [{ "differs": 3.1, "worse": 2.8, "loss": 1.9, "other_loss": 0.1 }],
    "turns": [{ "differs": 0.7, "worse": 0.6, "loss": 0.5, "other_loss": 0.02 }]
}))]
pub struct LikenessAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The card in canonical notation.
    pub card: String,
    /// The strategy that plays.
    pub strategy: String,
    /// The strategy that it is compared with.
    pub other: String,
    /// The number of decisions of a game.
    pub decisions: usize,
    /// All decisions of a game together.
    pub game: DisagreementView,
    /// By roll of a turn: all turns together. The last one is about the box, all others about the dice to keep.
    pub after_rolls: Vec<DisagreementView>,
    /// By turn: all rolls together.
    pub turns: Vec<DisagreementView>,
}

/// How two strategies differ. All numbers are expected values for one game.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = Disagreement)]
pub struct DisagreementView {
    /// The number of decisions in which the other strategy acts differently.
    pub differs: f64,
    /// The number of decisions that are not best by the other strategy's values.
    pub worse: f64,
    /// What these decisions lose, by the other strategy's values.
    pub loss: f64,
    /// What the other strategy's actions would lose, by the values of the strategy that plays.
    pub other_loss: f64,
}

impl From<Disagreement> for DisagreementView {
    fn from(of: Disagreement) -> DisagreementView {
        DisagreementView { differs: of.differs, worse: of.worse, loss: of.loss, other_loss: of.other_loss }
    }
}

impl Question for LikenessRequest {
    type Answer = LikenessAnswer;
    const NAME: &'static str = "likeness";

    fn rules(&self) -> Option<&str> {
        Some(&self.rules)
    }

    fn work(&self) -> String {
        "comparing strategies".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<LikenessAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, None, self.utilities.as_ref());
        let card = fields.open_card("card", &self.card);
        let strategy = fields.strategy("strategy", &self.strategy);
        let other = fields.strategy("other", &self.other);
        let (card, (strategy, other)) = fields.check(card.zip(strategy.zip(other)))?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let refused = |field: &'static str| move |error: Error| Refusal::engine(&error, field);
        let followed = strategy.goal(&engine, game).map_err(refused("strategy"))?;
        let compared = other.goal(&engine, game).map_err(refused("other"))?;
        // Targets that are out of reach are reported before the first long solve.
        followed.utility(game, &card).map_err(refused("strategy"))?;
        compared.utility(game, &card).map_err(refused("other"))?;
        let found: Likeness = engine.likeness(&card, &followed, &compared).map_err(refused("strategy"))?;
        let turn = |turn: &Vec<Disagreement>| {
            let sum = |of: fn(&Disagreement) -> f64| turn.iter().map(of).sum();
            DisagreementView {
                differs: sum(|of| of.differs),
                worse: sum(|of| of.worse),
                loss: sum(|of| of.loss),
                other_loss: sum(|of| of.other_loss),
            }
        };
        let rolls = usize::from(game.rules().rolls());
        Ok(LikenessAnswer {
            rules: ready.rules().name().to_string(),
            card: card.to_string(),
            strategy: strategy.to_string(),
            other: other.to_string(),
            decisions: found.decisions(),
            game: found.game().into(),
            after_rolls: (0..rolls).map(|nth| found.after_roll(nth).into()).collect(),
            turns: found.turns.iter().map(turn).collect(),
        })
    }
}
