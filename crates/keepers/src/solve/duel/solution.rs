//! Stored solutions of complete two-player games, and the exact values of a turn.

use std::collections::HashMap;
use std::sync::Arc;

use super::Duel;
use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::Entry;

/// A source of solved two-player games, such as a folder of stored solutions.
pub trait Solutions: Send + Sync {
    /// Returns the expected results of a player who has just moved to each of the standings `after`, with the rival to
    /// move. Returns `None` if the game, or this part of it, is not stored.
    ///
    /// # Errors
    /// A sentence that says why a stored solution cannot be read.
    fn values(&self, game: &Game, after: &[Standing], rival: &Standing) -> Result<Option<Vec<f64>>, String>;
}

/// The exact values after each entry of one turn: from a solved duel, or from a stored solution.
#[derive(Clone)]
pub enum ExactTurn {
    /// A duel that was solved from the position, or from an earlier one.
    Solved(Arc<Duel>),
    /// Values that were read from a stored solution.
    Stored(StoredTurn),
}

/// The values of one turn that were read from a stored solution.
#[derive(Clone)]
pub struct StoredTurn {
    rival: Standing,
    after: HashMap<Standing, f64>,
    /// The value of the position for the player to move; `None` if only the values after the turn are stored.
    value: Option<f64>,
}

impl StoredTurn {
    /// Reads the values after each entry of the player to move. Returns `None` if they are not stored.
    ///
    /// # Errors
    /// A sentence that says why a stored solution cannot be read.
    pub fn read(
        solutions: &dyn Solutions,
        game: &Game,
        mover: &Standing,
        rival: &Standing,
    ) -> Result<Option<StoredTurn>, String> {
        let mut after: Vec<Standing> = Vec::new();
        game.each_entry(mover.filled, |entry: Entry| after.push(mover.after(game, entry)));
        let Some(values) = solutions.values(game, &after, rival)? else { return Ok(None) };
        // Before the turn, the rival has just moved.
        let before = solutions.values(game, std::slice::from_ref(rival), mover)?;
        let value = before.and_then(|values| Some(1.0 - values.first()?));
        Ok(Some(StoredTurn { rival: *rival, after: after.into_iter().zip(values).collect(), value }))
    }

    /// Returns the stored value of the position for the player to move; `None` if only the values after the turn are
    /// stored.
    pub fn value(&self) -> Option<f64> {
        self.value
    }
}

impl ExactTurn {
    /// Returns the expected result of the player who moves if an entry leads to the standing `card`, against a rival.
    /// Returns `None` if the position does not follow from the turn.
    pub fn after(&self, card: &Standing, rival: &Standing) -> Option<f64> {
        match self {
            ExactTurn::Solved(duel) => duel.after(card, rival),
            ExactTurn::Stored(turn) => turn.after.get(card).copied().filter(|_| turn.rival == *rival),
        }
    }

    /// Returns the solved duel, or `None` if the values were read from a stored solution.
    pub fn duel(&self) -> Option<&Arc<Duel>> {
        match self {
            ExactTurn::Solved(duel) => Some(duel),
            ExactTurn::Stored(_) => None,
        }
    }
}
