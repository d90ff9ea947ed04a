//! `/puzzle`: positions with a real decision, for training.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use keepers::advise::{Action, Advice, advise};
use keepers::random::{Chance, GameDice};
use keepers::{Card, ExpectedTable, Roll};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Shared;
use crate::ask::{Asked, expected, yahtzee};
use crate::body::Body;
use crate::error::{ApiError, Refusals};
use crate::games::Ready;
use crate::jobs::{Key, Outcome, json};
use crate::progress::Accepted;
use crate::seed::Seed;

/// Games that are played at most until there is a position that will do.
const MOST_GAMES: u64 = 64;

fn medium() -> Difficulty {
    Difficulty::Medium
}

/// A position to be found.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yahtzee", "seed": "2026", "difficulty": "medium", "objective": "expected" }))]
pub struct PuzzleRequest {
    /// A preset's name, or TOML.
    #[serde(default = "yahtzee")]
    rules: String,
    /// The same seed gives the same position.
    seed: Seed,
    /// How close the best choice and the next one are.
    #[serde(default = "medium")]
    difficulty: Difficulty,
    /// What is played for: `expected`.
    #[serde(default = "expected")]
    objective: String,
}

/// How close the best choice and the next one are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// More than 2 points.
    Easy,
    /// 0.5 to 2 points.
    Medium,
    /// 0.1 to 0.5 points.
    Hard,
}

impl Difficulty {
    /// What the second choice loses, in points.
    fn gap(self) -> Range<f64> {
        match self {
            // With more to lose it is no puzzle.
            Difficulty::Easy => 2.0..8.0,
            Difficulty::Medium => 0.5..2.0,
            Difficulty::Hard => 0.1..0.5,
        }
    }
}

/// A position with a real decision.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "card": "1=3,6=18", "roll": "33566", "rolls_left": 2, "difficulty": "medium" }))]
pub struct PuzzleView {
    card: String,
    roll: String,
    rolls_left: u8,
    difficulty: Difficulty,
}

/// Find a position with a real decision
#[utoipa::path(post, path = "/puzzle", tag = "play", operation_id = "puzzle", request_body = PuzzleRequest,
    responses(
        (status = 200, description = "a position", body = PuzzleView),
        (status = 202, description = "that takes a while", body = Accepted),
        Refusals,
    ))]
pub async fn puzzle(
    State(app): State<Shared>,
    Body(request): Body<PuzzleRequest>,
) -> Result<Response, ApiError> {
    let ready = app.games.get(&request.rules).await?;
    let mut asked = Asked::new(&ready.game);
    let seed = asked.seed("seed", &request.seed);
    if request.objective != "expected" {
        asked.tell("objective", "puzzles are about the best expected score: write expected");
    }
    asked.check()?;
    let (seed, difficulty) = (seed.expect("checked"), request.difficulty);
    if let Some(table) = app.tables.expected_now(&ready) {
        return app.jobs.at_once(move |_| found(&ready, &table, seed, difficulty)).await;
    }
    let key = Key::new("puzzle").and(&ready.key).and(seed).and(format!("{difficulty:?}"));
    let work = format!("solving {}", ready.game.rules().name());
    let of = Arc::clone(&app);
    let run = move |task: &_| found(&ready, &of.tables.expected(&ready, task), seed, difficulty);
    app.jobs.answer(key, &work, run).await
}

fn found(ready: &Ready, table: &ExpectedTable, seed: u64, difficulty: Difficulty) -> Outcome {
    let positions = (0..MOST_GAMES).find_map(|game| {
        let mut fitting = fitting(ready, table, seed, game, difficulty);
        let which = Chance::new(seed, game).below(fitting.len().max(1) as u32) as usize;
        (!fitting.is_empty()).then(|| fitting.swap_remove(which))
    });
    positions.map_or_else(
        || Err(ApiError::impossible("difficulty", "this game has no such decisions: try another difficulty")),
        |puzzle| json(&puzzle),
    )
}

/// The positions of a well-played game that will do.
fn fitting(
    ready: &Ready,
    table: &ExpectedTable,
    seed: u64,
    nth: u64,
    difficulty: Difficulty,
) -> Vec<PuzzleView> {
    let game = &ready.game;
    let (rules, lattice) = (game.rules(), game.lattice());
    let mut dice = GameDice::new(seed, nth, rules.rolls());
    let mut card = Card::empty(game);
    let mut fitting = Vec::new();
    for turn in 0..rules.all_boxes().len() {
        dice.start_turn(turn);
        let mut keep = 0;
        for rolls_left in (0..rules.rolls()).rev() {
            let roll: Roll = lattice.roll(dice.throw(ready.throws(), keep).into());
            let Ok(advice) = advise(game, table, &card, &roll, rolls_left) else { return fitting };
            if second(&advice).is_some_and(|loss| difficulty.gap().contains(&loss)) {
                fitting.push(PuzzleView {
                    card: card.to_string(),
                    roll: roll.to_string(),
                    rolls_left,
                    difficulty,
                });
            }
            match advice.choices[0].action {
                Action::Keep(best) => keep = lattice.index_of(&best) as u16,
                Action::Score(entry) => {
                    card = card.enter(roll.dice(), entry.into).expect("the rules allow it")
                }
            }
        }
    }
    fitting
}

/// What the best of the choices that are not best loses.
fn second(advice: &Advice) -> Option<f64> {
    advice.choices.iter().map(|choice| choice.loss).find(|loss| *loss > 0.0)
}
