//! Puzzles: positions of well-played games with a real decision.

use std::fmt;
use std::ops::Range;

use crate::analysis::advise::{Advice, advise};
use crate::dice::Roll;
use crate::dice::random::{GameDice, RandomStream, RerollTable};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Action;
use crate::tables::ExpectedTable;
use crate::work::{Work, WorkError};

/// Games that are played at most until there is a position that fits.
const MOST_GAMES: u64 = 64;

/// How close the best choice and the next one are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difficulty {
    /// 2 to 8 points: with more to lose it is no puzzle.
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
            Difficulty::Easy => 2.0..8.0,
            Difficulty::Medium => 0.5..2.0,
            Difficulty::Hard => 0.1..0.5,
        }
    }
}

/// A position with a real decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Puzzle {
    /// The card.
    pub card: Card,
    /// The dice on the table.
    pub roll: Roll,
    /// How often they may still be rolled.
    pub rolls_left: u8,
}

impl fmt::Display for Puzzle {
    /// Writes the card, the roll and the rolls left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Puzzle { card, roll, rolls_left } = self;
        write!(f, "card {card}, roll {roll}, rolls left {rolls_left}")
    }
}

/// Finds a position by its seed: the same seed gives the same position. Returns `None` if no position of many games
/// has such a decision.
///
/// # Errors
/// If the work is cancelled.
pub fn puzzle(
    table: &ExpectedTable,
    seed: u64,
    difficulty: Difficulty,
    work: &Work<'_>,
) -> Result<Option<Puzzle>, WorkError> {
    let throws = RerollTable::new(table.game().lattice());
    for nth in 0..MOST_GAMES {
        work.check()?;
        let mut fitting = fitting(table, &throws, seed, nth, difficulty);
        if !fitting.is_empty() {
            let which = RandomStream::new(seed, nth).below(fitting.len() as u32) as usize;
            return Ok(Some(fitting.swap_remove(which)));
        }
    }
    Ok(None)
}

/// The positions of a well-played game that fit.
fn fitting(
    table: &ExpectedTable,
    throws: &RerollTable,
    seed: u64,
    nth: u64,
    difficulty: Difficulty,
) -> Vec<Puzzle> {
    let game: &Game = table.game();
    let (rules, lattice) = (game.rules(), game.lattice());
    let mut dice = GameDice::new(seed, nth, rules.rolls());
    let mut card = Card::empty(game);
    let mut fitting = Vec::new();
    for turn in 0..rules.all_boxes().len() {
        dice.start_turn(turn);
        let mut keep = 0;
        for rolls_left in (0..rules.rolls()).rev() {
            let roll: Roll = lattice.roll(dice.throw(throws, keep).into());
            let Ok(advice) = advise(table, &card, roll, rolls_left) else { return fitting };
            if second(&advice).is_some_and(|loss| difficulty.gap().contains(&loss)) {
                fitting.push(Puzzle { card: card.clone(), roll, rolls_left });
            }
            match advice.choices[0].action {
                Action::Keep(best) => keep = lattice.index_of(&best) as u16,
                Action::Score(entry) => card = card.with(entry),
            }
        }
    }
    fitting
}

/// What the best of the choices that are not best loses.
fn second(advice: &Advice) -> Option<f64> {
    advice.choices.iter().map(|choice| choice.loss).find(|loss| *loss > 0.0)
}
