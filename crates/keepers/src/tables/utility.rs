//! Utility tables that exceed memory and are read from a store.

use std::sync::Arc;

use super::curve_source::CurveSource;
use crate::game::Game;

/// The best expected utility of the final score for every state and number of points so far, read group by group.
pub struct StoredUtility {
    game: Game,
    source: Arc<dyn CurveSource<f64>>,
}

impl StoredUtility {
    /// Returns a table whose values are read from a source as they are needed.
    pub fn read_from(game: &Game, source: Arc<dyn CurveSource<f64>>) -> StoredUtility {
        StoredUtility { game: game.clone(), source }
    }

    /// Returns the expected utility from a state with `points` points so far.
    ///
    /// # Panics
    /// If no game reaches the state with as many points, or if the source cannot be read any more.
    pub fn get(&self, state: usize, points: u16) -> f64 {
        let space = self.game.space();
        let group = space.group_index_of(state);
        let curves = self.source.group(group).unwrap_or_else(|error| panic!("{error}"));
        let (class, view) = (state - space.groups()[group].first(), curves.group(0));
        view.values(class)[usize::from(points - view.windows()[class].first)]
    }

    /// Returns the messages of the source that the user should read.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        self.source.take_notices()
    }
}
