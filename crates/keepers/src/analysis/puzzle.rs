//! Puzzles: positions with a close decision, from games played for the best expected score.

use std::fmt;
use std::ops::Range;

use crate::analysis::advise::{Advice, Choice, advise};
use crate::analysis::theme::{Theme, has_theme};
use crate::dice::Roll;
use crate::dice::random::{GameDice, RandomStream, RerollTable};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Action;
use crate::tables::ExpectedTable;
use crate::work::{Work, WorkError};

/// The number of games that are searched for a position before giving up.
const MAX_GAMES: u64 = 64;

/// The difficulty of a puzzle: the loss of the second-best choice. Choices equal to the best do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difficulty {
    /// 2 to 8 points. With a larger loss, the best choice would be obvious.
    Easy,
    /// 0.5 to 2 points.
    Medium,
    /// 0.1 to 0.5 points.
    Hard,
}

impl Difficulty {
    /// Returns the range of the loss of the second-best choice, in points.
    fn loss_range(self) -> Range<f64> {
        match self {
            Difficulty::Easy => 2.0..8.0,
            Difficulty::Medium => 0.5..2.0,
            Difficulty::Hard => 0.1..0.5,
        }
    }
}

/// A position with a close decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Puzzle {
    /// The card.
    pub card: Card,
    /// The dice on the table.
    pub roll: Roll,
    /// The number of rolls left.
    pub rolls_left: u8,
}

impl fmt::Display for Puzzle {
    /// Writes the card, the roll and the rolls left.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Puzzle { card, roll, rolls_left } = self;
        write!(f, "card {card}, roll {roll}, rolls left {rolls_left}")
    }
}

/// Finds a position whose decision has this difficulty and, if one is given, this theme. Equal seeds give equal positions.
/// Returns `None` if there is none in 64 games.
///
/// # Errors
/// If the work is cancelled.
pub fn puzzle(
    table: &ExpectedTable,
    seed: u64,
    kind: (Difficulty, Option<Theme>),
    work: &Work<'_>,
) -> Result<Option<Puzzle>, WorkError> {
    let throws = RerollTable::new(table.game().lattice());
    for nth in 0..MAX_GAMES {
        work.check()?;
        let mut candidates = candidates(table, &throws, (seed, nth), kind);
        if !candidates.is_empty() {
            let which = RandomStream::new(seed, nth).below(candidates.len() as u32) as usize;
            return Ok(Some(candidates.swap_remove(which)));
        }
    }
    Ok(None)
}

/// Plays game `nth` of a seed for the best expected score, and returns its positions of this kind.
fn candidates(
    table: &ExpectedTable,
    throws: &RerollTable,
    (seed, nth): (u64, u64),
    (difficulty, theme): (Difficulty, Option<Theme>),
) -> Vec<Puzzle> {
    let game: &Game = table.game();
    let (rules, lattice) = (game.rules(), game.lattice());
    let mut dice = GameDice::new(seed, nth, rules.rolls());
    let mut card = Card::empty(game);
    let mut candidates = Vec::new();
    for turn in 0..rules.all_boxes().len() {
        dice.start_turn(turn);
        let mut keep = 0;
        for rolls_left in (0..rules.rolls()).rev() {
            let roll: Roll = lattice.roll(dice.throw(throws, keep).into());
            let Ok(advice) = advise(table, &card, roll, rolls_left) else { return candidates };
            let fits = |second: &Choice| {
                let actions = [advice.choices[0].action, second.action];
                difficulty.loss_range().contains(&second.loss)
                    && theme.is_none_or(|theme| has_theme(&card, roll, actions, theme))
            };
            if second_best(&advice).is_some_and(fits) {
                candidates.push(Puzzle { card: card.clone(), roll, rolls_left });
            }
            match advice.choices[0].action {
                Action::Keep(best) => keep = lattice.index_of(&best) as u16,
                Action::Score(entry) => card = card.with(entry),
            }
        }
    }
    candidates
}

/// Returns the choice with the smallest loss above 0. Returns `None` if all choices are equal.
fn second_best(advice: &Advice) -> Option<&Choice> {
    advice.choices.iter().find(|choice| choice.loss > 0.0)
}
