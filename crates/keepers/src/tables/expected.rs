//! Tables of the best expected scores.

#[cfg(feature = "store")]
use std::sync::{Arc, OnceLock};

#[cfg(feature = "store")]
use super::files::Files;
#[cfg(feature = "store")]
use super::format;
#[cfg(feature = "store")]
use super::table::Table;
use crate::game::Game;
use crate::game::card::Card;
#[cfg(feature = "store")]
use crate::solve;
#[cfg(feature = "store")]
use crate::work::Work;

/// The best expected future points of every score state of a game: solved, or read from the store. A large table is
/// mapped from its file, and solved again if its file turns out to be damaged.
pub struct ExpectedTable {
    game: Game,
    values: Values,
}

enum Values {
    Solved(Vec<f64>),
    #[cfg(feature = "store")]
    Stored {
        files: Arc<Files>,
        table: Table<f64>,
        solved_again: OnceLock<Vec<f64>>,
    },
}

impl ExpectedTable {
    pub(super) fn solved(game: &Game, values: Vec<f64>) -> ExpectedTable {
        ExpectedTable { game: game.clone(), values: Values::Solved(values) }
    }

    #[cfg(feature = "store")]
    pub(super) fn stored(game: &Game, files: &Arc<Files>, table: Table<f64>) -> ExpectedTable {
        let values = Values::Stored { files: Arc::clone(files), table, solved_again: OnceLock::new() };
        ExpectedTable { game: game.clone(), values }
    }

    /// Returns the game of the table.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the best expected future points of a state.
    #[inline]
    pub fn get(&self, state: usize) -> f64 {
        match &self.values {
            Values::Solved(values) => values[state],
            #[cfg(feature = "store")]
            Values::Stored { files, table, solved_again } => {
                if let Some(values) = solved_again.get() {
                    return values[state];
                }
                table.get(state).unwrap_or_else(|error| {
                    solved_again.get_or_init(|| {
                        files.found_damage(&error);
                        crate::parallel::on_own_pool(|| solve_again(&self.game, files))
                    })[state]
                })
            }
        }
    }

    /// Returns the best expected final score of a card, including the points already on it.
    pub fn value(&self, card: &Card) -> f64 {
        f64::from(card.total()) + self.get(card.state())
    }

    /// Returns the best expected score of a whole game.
    pub fn start(&self) -> f64 {
        self.get(self.game.space().states() - 1)
    }

    /// Returns whether the values are read from a file of the store.
    pub fn is_stored(&self) -> bool {
        match &self.values {
            Values::Solved(_) => false,
            #[cfg(feature = "store")]
            Values::Stored { solved_again, .. } => solved_again.get().is_none(),
        }
    }

    /// Returns `false` if the file of a mapped table was changed in place.
    pub fn is_unchanged(&self) -> bool {
        match &self.values {
            Values::Solved(_) => true,
            #[cfg(feature = "store")]
            Values::Stored { table, solved_again, .. } => {
                solved_again.get().is_some() || table.is_unchanged()
            }
        }
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> usize {
        self.game.space().states() * size_of::<f64>()
    }
}

/// Solves a game whose stored table is damaged. Runs without an observer, because the damage was found while a value
/// was read.
#[cfg(feature = "store")]
fn solve_again(game: &Game, files: &Files) -> Vec<f64> {
    let solved = solve::expected_scores(game, &Work::silent());
    let values = solved.expect("there is memory for the table that was mapped");
    let key = format::key(game.rules(), "expected", values.len());
    // If the file cannot be written, `files` stores the reason for the next observer.
    let _ = files.keep(&key, &[&values], files);
    values
}
