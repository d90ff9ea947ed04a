//! `puzzle`: training positions in which the best choice is not obvious.

use keepers::answers::Measure;
use keepers::{Advice, Difficulty, Objective, Observer, Reason};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;
use crate::views::{Done, ReasonView, ThemeName, reasons};

/// Asks for a training position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "seed": "2026", "difficulty": "medium", "objective": "expected" }))]
pub struct PuzzleRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The seed of the puzzle; the same seed gives the same position.
    pub seed: Seed,
    /// The gap between the best choice and the second best, in points.
    #[serde(default)]
    pub difficulty: DifficultyName,
    /// What the decision is about. `rules` lists the themes of a game. Without a theme: any decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<ThemeName>,
    /// The objective; only `expected` works.
    #[serde(default = "expected")]
    pub objective: String,
    /// Whether to give the best choice and the reasons for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub why: bool,
}

/// The gap between the best choice and the second best, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Difficulty)]
pub enum DifficultyName {
    /// 2 to 8 points.
    Easy,
    /// 0.5 to 2 points.
    #[default]
    Medium,
    /// 0.1 to 0.5 points.
    Hard,
}

/// A training position.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Puzzle, example = json!({ "card": "1=3,6=18", "roll": "33566", "rolls_left": 2, "difficulty": "medium" }))]
pub struct PuzzleAnswer {
    /// The card so far.
    pub card: String,
    /// The dice on the table.
    pub roll: String,
    /// Rolls left in this turn.
    pub rolls_left: u8,
    /// The gap between the best choice and the second best, in points.
    pub difficulty: DifficultyName,
    /// The theme that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<ThemeName>,
    /// With `why`: the best choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Done>,
    /// With `why`: up to three reasons, the most useful first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonView>>,
}

impl Question for PuzzleRequest {
    type Answer = PuzzleAnswer;
    const NAME: &'static str = "puzzle";

    fn work(&self) -> String {
        "searching for a puzzle".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<PuzzleAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::new(&ready);
        let seed = fields.seed(&self.seed);
        if self.objective != "expected" {
            fields.add("objective", "must be expected: puzzles have no other objective");
        }
        let seed = fields.check(seed)?;
        let difficulty = match self.difficulty {
            DifficultyName::Easy => Difficulty::Easy,
            DifficultyName::Medium => Difficulty::Medium,
            DifficultyName::Hard => Difficulty::Hard,
        };
        let theme = self.theme.map(ThemeName::theme);
        let engine = service.engine().observed_by(observer);
        let found = engine.puzzle(ready.game(), seed, difficulty, theme).and_then(|puzzle| {
            let position = (puzzle.roll, puzzle.rolls_left);
            let values = (&Objective::Expected, Measure::Points);
            let explained =
                self.why.then(|| engine.explain(&puzzle.card, position, None, values)).transpose()?;
            Ok((puzzle, explained))
        });
        let (puzzle, explained) = found.map_err(|error| Refusal::engine(&error, "rules"))?;
        let best = |(advice, _): &(Advice, Vec<Reason>)| Done::new(advice.choices[0].action, ready.rules());
        Ok(PuzzleAnswer {
            card: puzzle.card.to_string(),
            roll: puzzle.roll.to_string(),
            rolls_left: puzzle.rolls_left,
            difficulty: self.difficulty,
            theme: self.theme,
            best: explained.as_ref().map(best),
            reasons: explained.map(|(_, found)| reasons(&found, ready.rules())),
        })
    }
}
