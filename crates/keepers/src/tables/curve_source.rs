//! One-player tables that another crate stores, such as reach curves that were solved in parts because they exceed memory.

use std::sync::Arc;

use crate::game::Game;
use crate::game::card::Card;
use crate::solve::PartCurves;

/// The stored curves of one game: reach curves in single precision, utilities in double precision.
pub trait CurveSource<T = f32>: Send + Sync {
    /// Returns the curves of all states of a group, given by its index. They are those of group 0 of the result.
    ///
    /// # Errors
    /// A sentence that says why they cannot be read.
    fn group(&self, group: usize) -> Result<Arc<PartCurves<T>>, String>;

    /// Returns the messages that the user should read since the last call.
    fn take_notices(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Finds one-player tables that were solved in parts. All methods return `None` if there is no such table, and an error
/// is a sentence that says why a store cannot be used.
pub trait CurveStores: Send + Sync {
    /// Returns the reach curves of a game.
    ///
    /// # Errors
    /// If a store cannot be used.
    fn reach(&self, game: &Game) -> Result<Option<Arc<dyn CurveSource>>, String>;

    /// Returns the distribution of the final score, from 0 on, if the strategy with the best expected score plays from the
    /// empty card.
    ///
    /// # Errors
    /// If a store cannot be used.
    fn distribution(&self, game: &Game) -> Result<Option<Vec<f64>>, String> {
        let _ = game;
        Ok(None)
    }

    /// Returns the best expected utility of the final score for every state, with the points so far as lanes. `utility[s]` is
    /// the utility of the final score s; scores beyond its end have the utility of the last.
    ///
    /// # Errors
    /// If a store cannot be used.
    fn utilities(&self, game: &Game, utility: &[f64]) -> Result<Option<Arc<dyn CurveSource<f64>>>, String> {
        let _ = (game, utility);
        Ok(None)
    }

    /// Returns the best expected utility of the final score from a card, if only this value is stored.
    ///
    /// # Errors
    /// If a store cannot be used.
    fn best_utility(&self, card: &Card, utility: &[f64]) -> Result<Option<f64>, String> {
        let _ = (card, utility);
        Ok(None)
    }
}
