//! A solved game from which the values of many positions are read at once.

use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::Entry;
use crate::work::{Work, WorkError};

/// The solution of one complete game, or of its opening, from which the values of many positions are read at once. A
/// position is the standing of the player to move and that of the other player.
pub trait SolvedGame: Sync {
    /// Returns the game.
    fn game(&self) -> &Game;

    /// Returns whether the values of a layer are known: of all positions with this number of open boxes on both cards
    /// together.
    ///
    /// # Errors
    /// If the solution cannot be read.
    fn has_layer(&self, open: usize) -> Result<bool, SolutionError>;

    /// Returns the difference from which on two values are different, and not only inexact.
    ///
    /// # Errors
    /// If the solution cannot be read.
    fn resolution(&self) -> Result<f64, SolutionError>;

    /// Returns the expected result of the player to move in each of some positions, which all have the same number of
    /// open boxes.
    ///
    /// # Errors
    /// If the solution cannot be read, if it does not have these positions, or if the work is cancelled.
    fn values(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<Vec<f64>, SolutionError>;

    /// Returns the expected results of the player to move after each of their entries, in each of some positions, which
    /// all have the same number of open boxes.
    ///
    /// # Errors
    /// If the solution cannot be read, if it does not have these positions, or if the work is cancelled.
    fn turns(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<TurnValues, SolutionError>;
}

/// The values after each entry of the player to move, for several positions.
#[derive(Clone, Debug)]
pub struct TurnValues {
    /// The values of one position after the other, in the order of [`Game::each_entry`].
    pub values: Vec<f64>,
    /// The index of each position's first value, and the number of all values.
    pub starts: Vec<usize>,
}

impl TurnValues {
    /// Returns the values of the position with this index.
    pub fn of(&self, position: usize) -> &[f64] {
        &self.values[self.starts[position]..self.starts[position + 1]]
    }
}

/// The reason why values cannot be read from a solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// The solution cannot be read, or does not have the values: a sentence that says why.
    #[error("{0}")]
    Unreadable(String),
    /// The work was cancelled, or memory ran out.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// A duel that was solved from the start of the game with all its values ([`Retain::Everything`](super::Retain)).
impl SolvedGame for super::Duel {
    fn game(&self) -> &Game {
        self.game()
    }

    fn has_layer(&self, open: usize) -> Result<bool, SolutionError> {
        Ok(self.layers.get(open).is_some_and(Option::is_some))
    }

    fn resolution(&self) -> Result<f64, SolutionError> {
        Ok(1e-11)
    }

    fn values(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<Vec<f64>, SolutionError> {
        work.check()?;
        positions.iter().map(|[mover, other]| Ok(1.0 - value_after(self, other, mover)?)).collect()
    }

    fn turns(&self, positions: &[[Standing; 2]], work: &Work<'_>) -> Result<TurnValues, SolutionError> {
        work.check()?;
        let mut found = TurnValues { values: Vec::new(), starts: vec![0] };
        for [mover, other] in positions {
            let mut after: Vec<Standing> = Vec::new();
            self.game().each_entry(mover.filled, |entry: Entry| after.push(mover.after(self.game(), entry)));
            for card in &after {
                found.values.push(value_after(self, card, other)?);
            }
            found.starts.push(found.values.len());
        }
        Ok(found)
    }
}

fn value_after(duel: &super::Duel, card: &Standing, rival: &Standing) -> Result<f64, SolutionError> {
    let missing = || SolutionError::Unreadable("the duel does not have the values of a position".into());
    duel.after(card, rival).ok_or_else(missing)
}
