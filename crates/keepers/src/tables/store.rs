//! The store: solved tables in a directory, or on a shelf where there are no files. A table that is missing or damaged is
//! solved again.
//!
//! With [`Store::none`] nothing is stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "store")]
pub use super::files::Stored;
#[cfg(feature = "store")]
use super::files::{self, Files};
use super::format;
use super::format::TableKey;
use super::shelf::Shelf;
use super::{ExpectedTable, ReachTable};
use crate::game::Game;
use crate::game::rules::Rules;
use crate::solve::{self, ReachCurves};
use crate::work::{Observer, Work, WorkError};

/// The folder or shelf of solved tables.
#[derive(Clone, Debug, Default)]
pub struct Store {
    #[cfg(feature = "store")]
    files: Option<Arc<Files>>,
    shelf: Option<Arc<dyn Shelf>>,
}

impl Store {
    /// Creates a store that stores nothing.
    pub fn none() -> Store {
        Store::default()
    }

    /// Creates a store whose tables of expected scores, their statistics and tournaments are kept on a shelf. Reach curves
    /// are not kept there: those of a whole game have hundreds of megabytes.
    pub fn on_shelf(shelf: Arc<dyn Shelf>) -> Store {
        let mut store = Store::none();
        store.shelf = Some(shelf);
        store
    }

    /// Returns the directory. Returns `None` for [`Store::none`].
    pub fn directory(&self) -> Option<&Path> {
        #[cfg(feature = "store")]
        return self.files.as_deref().map(Files::directory);
        #[cfg(not(feature = "store"))]
        return None;
    }

    /// Returns the best expected scores of a game, read from the store or solved.
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

    /// Solves a game for the best expected score, even if the store has its table, and stores the table.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve_expected(&self, game: &Game, observer: &dyn Observer) -> Result<ExpectedTable, WorkError> {
        let work = Work::new(observer, format!("solving {}", game.rules().name()));
        let values = solve::expected_scores(game, &work)?;
        self.keep_expected(game, &values, observer)?;
        Ok(ExpectedTable::solved(game, values))
    }

    /// Returns the best expected scores of a game if the store has them. Never solves.
    pub fn known_expected(&self, game: &Game, observer: &dyn Observer) -> Option<ExpectedTable> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let states = game.space().states();
            let table = files.open(&format::key(game.rules(), "expected", states), true, observer)?;
            return Some(ExpectedTable::stored(game, files, table));
        }
        let key = format::key(game.rules(), "expected", game.space().states());
        Some(ExpectedTable::solved(game, self.on_the_shelf(&key, true, observer)?))
    }

    /// Returns the reach curves of a game, read from the store or solved.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn reach(&self, game: &Game, observer: &dyn Observer) -> Result<ReachTable, WorkError> {
        match self.known_reach(game, observer) {
            Some(table) => Ok(table),
            None => self.solve_reach(game, observer),
        }
    }

    /// Solves the reach curves of a game, even if the store has them, and stores them.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve_reach(&self, game: &Game, observer: &dyn Observer) -> Result<ReachTable, WorkError> {
        let work = Work::new(observer, format!("solving {} for every score", game.rules().name()));
        let curves = solve::reach_curves(game, &work)?;
        self.keep_reach(game, &curves, observer)?;
        Ok(ReachTable::solved(game, curves))
    }

    /// Returns the reach curves of a game if the store has them. Never solves.
    pub fn known_reach(&self, game: &Game, observer: &dyn Observer) -> Option<ReachTable> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let words = super::reach::first_probability(game.space().states());
            let table = files.open(&format::key(game.rules(), "reach", words), false, observer)?;
            return Some(ReachTable::stored(game, files, table));
        }
        let _ = (game, observer);
        None
    }

    /// Returns the expected score of a whole game if the store has its table in a file. Never solves. Returns `None` for a
    /// shelf, which has only whole tables.
    pub fn known_start(&self, rules: &Rules) -> Option<f64> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return files.last_value(&format::key(rules, "expected", 1));
        }
        let _ = rules;
        None
    }

    /// Writes solved expected scores to the store. Returns the path if they were written.
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
            return files.keep(&format::key(game.rules(), "expected", values.len()), &[values], observer);
        }
        self.put_on_the_shelf(&format::key(game.rules(), "expected", values.len()), values);
        let _ = observer;
        Ok(None)
    }

    /// Writes solved reach curves to the store. Returns the path if they were written.
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

    /// Returns other numbers of a rule set if the store has them. `name` has at most 16 bytes.
    pub(crate) fn known_numbers(
        &self,
        rules: &Rules,
        name: &str,
        observer: &dyn Observer,
    ) -> Option<Vec<f64>> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            let table = files.open::<f64>(&format::key(rules, name, 0), false, observer)?;
            return table.slice(0..table.len()).ok().map(<[f64]>::to_vec);
        }
        self.on_the_shelf(&format::key(rules, name, 0), false, observer)
    }

    /// Writes other numbers of a rule set to the store. Returns the path if they were written.
    pub(crate) fn keep_numbers(
        &self,
        rules: &Rules,
        name: &str,
        numbers: &[f64],
        observer: &dyn Observer,
    ) -> Result<Option<PathBuf>, WorkError> {
        #[cfg(feature = "store")]
        if let Some(files) = &self.files {
            return files.keep(&format::key(rules, name, numbers.len()), &[numbers], observer);
        }
        self.put_on_the_shelf(&format::key(rules, name, numbers.len()), numbers);
        let _ = observer;
        Ok(None)
    }

    /// Returns the values of a table on the shelf. If it cannot be used, reports that and returns `None`.
    fn on_the_shelf(&self, key: &TableKey, exact: bool, observer: &dyn Observer) -> Option<Vec<f64>> {
        let table = self.shelf.as_ref()?.read(&key.file_name())?;
        match format::decode(&table, key, exact) {
            Ok(values) => Some(values),
            Err(error) => {
                let name = key.file_name();
                observer.notice(&format!("solving again: the table {name} cannot be used, {error}"));
                None
            }
        }
    }

    fn put_on_the_shelf(&self, key: &TableKey, values: &[f64]) {
        if let Some(shelf) = &self.shelf {
            shelf.write(&key.file_name(), format::encode(key, values));
        }
    }

    /// Passes on the notices that no observer has received yet. A damaged mapped table is solved again where its values
    /// are read, and no observer is present there.
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
    /// Creates a store in this directory, which need not exist yet.
    pub fn at(directory: impl Into<PathBuf>) -> Store {
        Store { files: Some(Arc::new(Files::at(directory.into()))), ..Store::none() }
    }

    /// Returns the store of the current user: `KEEPERS_CACHE`, or `keepers` in the platform's cache directory. Without
    /// such a directory, the store stores nothing.
    pub fn of_user() -> Store {
        files::user_directory().map_or_else(Store::none, Store::at)
    }

    /// Limits the size of the store: if a new table would exceed it, the least recently used tables are removed. The
    /// default is 10 GiB.
    #[must_use]
    pub fn limited_to(self, bytes: u64) -> Store {
        let limit = |files: Arc<Files>| Arc::new(files.limited_to(bytes));
        Store { files: self.files.map(limit), ..self }
    }

    /// Checks every byte of all table files in the store. Returns the files, sorted by name.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn list(&self) -> std::io::Result<Vec<Stored>> {
        self.files.as_ref().map_or_else(|| Ok(Vec::new()), |files| files.list())
    }

    /// Removes all tables and the temporary files of crashed processes. Returns the number of bytes freed.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn clear(&self) -> std::io::Result<u64> {
        self.files.as_ref().map_or(Ok(0), |files| files.clear())
    }
}
