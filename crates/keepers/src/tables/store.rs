//! The store: solved tables in a directory. A table that is missing or damaged is solved again.
//!
//! Without the feature `store`, or with [`Store::none`], nothing is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "store")]
pub use super::files::Stored;
#[cfg(feature = "store")]
use super::files::{self, Files};
use super::{ExpectedTable, ReachTable};
use crate::game::Game;
use crate::game::rules::Rules;
use crate::solve::{self, ReachCurves};
use crate::work::{Observer, Work, WorkError};

/// Where solved tables are kept.
#[derive(Clone, Debug, Default)]
pub struct Store {
    #[cfg(feature = "store")]
    files: Option<Arc<Files>>,
}

impl Store {
    /// A store that keeps nothing.
    pub fn none() -> Store {
        Store::default()
    }

    /// The directory, if tables are kept.
    pub fn directory(&self) -> Option<&Path> {
        #[cfg(feature = "store")]
        return self.files.as_deref().map(Files::directory);
        #[cfg(not(feature = "store"))]
        return None;
    }

    /// The best expected scores of a game, from the store or solved now.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Game, Rules, Silent, Store};
    /// let game = Game::new(Rules::preset("yacht").unwrap());
    /// let table = Store::none().expected(&game, &Silent).unwrap();
    /// assert!((table.start() - 166.988).abs() < 0.001);
    /// ```
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn expected(&self, game: &Game, observer: &dyn Observer) -> Result<ExpectedTable, WorkError> {
        match self.known_expected(game, observer) {
            Some(table) => Ok(table),
            None => self.solve_expected(game, observer),
        }
    }

    /// Solves a game for the best expected score, whether or not the store has its table, and keeps the table.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve_expected(&self, game: &Game, observer: &dyn Observer) -> Result<ExpectedTable, WorkError> {
        let work = Work::new(observer, format!("solving {}", game.rules().name()));
        let values = solve::expected_scores(game, &work)?;
        self.keep_expected(game, &values, observer)?;
        Ok(ExpectedTable::solved(game, values))
    }

    /// The best expected scores of a game, if the store has them. Nothing is solved.
    pub fn known_expected(&self, game: &Game, observer: &dyn Observer) -> Option<ExpectedTable> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let states = game.space().states();
            let table = files.open(&files::key(game.rules(), "expected", states), true, observer)?;
            return Some(ExpectedTable::stored(game, files, table));
        }
        let _ = (game, observer);
        None
    }

    /// The reach curves of a game, from the store or solved now.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn reach(&self, game: &Game, observer: &dyn Observer) -> Result<ReachTable, WorkError> {
        match self.known_reach(game, observer) {
            Some(table) => Ok(table),
            None => self.solve_reach(game, observer),
        }
    }

    /// Solves a game for every score, whether or not the store has its curves, and keeps them.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve_reach(&self, game: &Game, observer: &dyn Observer) -> Result<ReachTable, WorkError> {
        let work = Work::new(observer, format!("solving {} for every score", game.rules().name()));
        let curves = solve::reach_curves(game, &work)?;
        self.keep_reach(game, &curves, observer)?;
        Ok(ReachTable::solved(game, curves))
    }

    /// The reach curves of a game, if the store has them. Nothing is solved.
    pub fn known_reach(&self, game: &Game, observer: &dyn Observer) -> Option<ReachTable> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let words = super::reach::first_probability(game.space().states());
            let table = files.open(&files::key(game.rules(), "reach", words), false, observer)?;
            return Some(ReachTable::stored(game, files, table));
        }
        let _ = (game, observer);
        None
    }

    /// The expected score of a whole game, if the store has its table. Nothing is solved.
    pub fn known_start(&self, rules: &Rules) -> Option<f64> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return files.last_value(&files::key(rules, "expected", 1));
        }
        let _ = rules;
        None
    }

    /// Keeps expected scores that were solved. Returns the path if they were kept.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn keep_expected(
        &self,
        game: &Game,
        values: &[f64],
        observer: &dyn Observer,
    ) -> Result<Option<PathBuf>, WorkError> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return files.keep(&files::key(game.rules(), "expected", values.len()), &[values], observer);
        }
        let _ = (game, values, observer);
        Ok(None)
    }

    /// Keeps reach curves that were solved. Returns the path if they were kept.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn keep_reach(
        &self,
        game: &Game,
        curves: &ReachCurves,
        observer: &dyn Observer,
    ) -> Result<Option<PathBuf>, WorkError> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return super::reach::keep(game, curves, files, observer);
        }
        let _ = (game, curves, observer);
        Ok(None)
    }

    /// Numbers of some other kind that belong to a rule set, if the store has them: `name` has at most 16 bytes.
    pub(crate) fn known_numbers(
        &self,
        rules: &Rules,
        name: &str,
        observer: &dyn Observer,
    ) -> Option<Vec<f64>> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let table = files.open::<f64>(&files::key(rules, name, 0), false, observer)?;
            return table.slice(0..table.len()).ok().map(<[f64]>::to_vec);
        }
        let _ = (rules, name, observer);
        None
    }

    /// Keeps numbers of some other kind that belong to a rule set. Returns the path if they were kept.
    pub(crate) fn keep_numbers(
        &self,
        rules: &Rules,
        name: &str,
        numbers: &[f64],
        observer: &dyn Observer,
    ) -> Result<Option<PathBuf>, WorkError> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return files.keep(&files::key(rules, name, numbers.len()), &[numbers], observer);
        }
        let _ = (rules, name, numbers, observer);
        Ok(None)
    }

    /// Passes on the notices that no observer has received yet: a mapped table that turns out to be damaged is
    /// solved again wherever its values are read, and no call observes that.
    pub fn pass_on_notices(&self, observer: &dyn Observer) {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            files.pass_on_notices(observer);
        }
        let _ = observer;
    }
}

#[cfg(feature = "store")]
impl Store {
    /// A store in this directory, which need not exist yet.
    pub fn at(directory: impl Into<PathBuf>) -> Store {
        Store { files: Some(Arc::new(Files::at(directory.into()))) }
    }

    /// The store of this user: `KEEPERS_CACHE`, or `keepers` in the platform's cache directory. It keeps nothing if
    /// there is no such directory.
    pub fn of_user() -> Store {
        files::user_directory().map_or_else(Store::none, Store::at)
    }

    /// Limits the size of the store: tables that were not used for the longest time are removed when a new one would
    /// exceed it. The default is 10 GiB.
    #[must_use]
    pub fn limited_to(self, bytes: u64) -> Store {
        let limit = |files: Arc<Files>| Arc::new(files.limited_to(bytes));
        Store { files: self.files.map(limit) }
    }

    /// The table files in the store, by name, each checked byte by byte.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn list(&self) -> std::io::Result<Vec<Stored>> {
        self.files.as_ref().map_or_else(|| Ok(Vec::new()), |files| files.list())
    }

    /// Removes every table, and what crashed solves left behind. Returns how many bytes that freed.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> std::io::Result<u64> {
        self.files.as_ref().map_or(Ok(0), |files| files.clear())
    }
}
