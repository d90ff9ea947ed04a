//! `likeness`: how similarly two strategies decide, weighted exactly with how often the decisions occur.

use std::sync::Arc;

use keepers::answers::Disagreement;
use keepers::internals::players::DependsOn;
use keepers::{Error, Goal, Objective, Observer, Player, Strategy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
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
    /// The strategy that plays: `expected`, `reach:S`, `tournament:N`, `utility:NAME`, `normal:S`, `greedy` or
    /// `felldin-sood`.
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
    /// The number of decisions that are not best by the other strategy's values; null if it has none (`greedy`,
    /// `felldin-sood`).
    pub worse: Option<f64>,
    /// What these decisions lose, by the other strategy's values.
    pub loss: Option<f64>,
    /// What the other strategy's actions would lose, by the values of the strategy that plays; null if it has none.
    pub other_loss: Option<f64>,
}

impl DisagreementView {
    fn new(of: Disagreement, [own, other]: [bool; 2]) -> DisagreementView {
        DisagreementView {
            differs: of.differs,
            worse: other.then_some(of.worse),
            loss: other.then_some(of.loss),
            other_loss: own.then_some(of.other_loss),
        }
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
        let strategy = fields.player("strategy", &self.strategy);
        let other = fields.player("other", &self.other);
        let (card, (strategy, other)) = fields.check(card.zip(strategy.zip(other)))?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        // Targets that are out of reach are reported before the first long solve.
        for (field, (player, _)) in [("strategy", &strategy), ("other", &other)] {
            if let Player::For(Objective::Reach(target)) = player {
                let goal = Goal::Target(*target);
                goal.utility(game, &card).map_err(|error| Refusal::engine(&error, field))?;
            }
        }
        let made = |(player, played_for): &(Player, Option<PlayedFor>), field: &'static str| {
            let strategy = match played_for {
                Some(played_for) => {
                    played_for.goal(&engine, game).and_then(|goal| engine.solitaire(&card, &goal))
                }
                None => engine.solitaire_player(&card, player),
            };
            let comparable =
                |strategy: &Arc<dyn Strategy>| !matches!(strategy.depends_on(), DependsOn::Everything);
            strategy
                .and_then(|one| if comparable(&one) { Ok(one) } else { Err(Error::NotComparable) })
                .map_err(|error| Refusal::engine(&error, field))
        };
        let followed = made(&strategy, "strategy")?;
        let compared = made(&other, "other")?;
        let found = engine
            .likeness_of(&card, &*followed, &*compared)
            .map_err(|error| Refusal::engine(&error, "strategy"))?;
        let view = |of: Disagreement| DisagreementView::new(of, found.have_values);
        let rolls = usize::from(game.rules().rolls());
        Ok(LikenessAnswer {
            rules: ready.rules().name().to_string(),
            card: card.to_string(),
            strategy: name(&strategy),
            other: name(&other),
            decisions: found.decisions(),
            game: view(found.game()),
            after_rolls: (0..rolls).map(|nth| view(found.after_roll(nth))).collect(),
            turns: (0..found.turns.len()).map(|nth| view(found.turn(nth))).collect(),
        })
    }
}

/// Returns the name of a strategy as the request writes it.
fn name((player, played_for): &(Player, Option<PlayedFor>)) -> String {
    played_for.as_ref().map_or_else(|| player.to_string(), PlayedFor::to_string)
}
