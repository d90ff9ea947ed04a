//! `keepers puzzle`: shows a training position.

use std::hash::{BuildHasher, RandomState};

use keepers::{Card, Objective, Roll};
use keepers_api::{AdviseRequest, DifficultyName, PuzzleAnswer, PuzzleRequest, ThemeName};

use crate::args::{Difficulty, Puzzle, PuzzleTheme};
use crate::choices;
use crate::commands::{advise, card};
use crate::dice_art;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Puzzle) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let seed = seed_of(session, args.seed);
    let request = PuzzleRequest {
        rules: rules.clone(),
        seed: seed.into(),
        difficulty: match args.difficulty {
            Difficulty::Easy => DifficultyName::Easy,
            Difficulty::Medium => DifficultyName::Medium,
            Difficulty::Hard => DifficultyName::Hard,
        },
        theme: args.theme.map(|theme| match theme {
            PuzzleTheme::Bonus => ThemeName::Bonus,
            PuzzleTheme::Straights => ThemeName::Straights,
            PuzzleTheme::Yahtzee => ThemeName::Yahtzee,
            PuzzleTheme::FirstTurns => ThemeName::FirstTurns,
            PuzzleTheme::LastTurns => ThemeName::LastTurns,
        }),
        objective: "expected".to_string(),
        why: session.json && args.answer,
    };
    let puzzle = inputs.ask(&request)?;
    if session.json {
        return output::json(&puzzle);
    }
    let position = position(session, &rules, &puzzle)?;
    let PuzzleAnswer { card, roll, rolls_left, .. } = puzzle;
    if !args.answer {
        let question = if rolls_left == 0 { "Where would you score?" } else { "What would you keep?" };
        let hint = format!("for the ranked choices, add --seed {seed} --answer");
        return output::text(&format!("{position}\n\n{question}\n\n{hint}"));
    }
    let rolls_left = Some(rolls_left);
    let request = AdviseRequest { rules, card, roll, rolls_left, why: true, ..AdviseRequest::default() };
    let advice = inputs.ask(&request)?;
    let advice = advise::page(&advice, &Objective::Expected, 0, false);
    output::text(&format!("{position}\n\n{advice}"))
}

fn position(session: &Session, rules: &str, puzzle: &PuzzleAnswer) -> anyhow::Result<String> {
    let game = session.game(rules)?;
    let card = Card::parse(&game, &puzzle.card)?;
    let roll = Roll::parse(&puzzle.roll, game.rules().dice(), game.rules().faces())?;
    let (dice, words) = (dice_art::dice(&roll, None), choices::position(&card, puzzle.rolls_left));
    Ok(format!("{}\n\n{dice}\n\n{words}", card::table(&card)))
}

/// Returns the given seed, or a random one that is short enough to type. JSON answers do not contain the seed, so with
/// JSON a random seed is printed on stderr.
pub fn seed_of(session: &Session, given: Option<u64>) -> u64 {
    given.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(0) % 1_000_000;
        if session.json {
            output::note(&format!("the seed is {seed}"));
        }
        seed
    })
}
