//! Finds the stored solution of a game, for the engine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keepers::answers::Solutions;
use keepers::{Game, Silent, Standing};

use super::{StoredSolution, TwoPlayerStore, hex};
use crate::error::StoreError;
use crate::lookup::first_found;
use crate::store::ObjectFolder;

/// The solutions in a folder of stores and in single stores. A store is opened when a position of its game is first
/// looked up.
pub struct StoredSolutions {
    /// A folder with one store per game, whose names end with the first digits of the fingerprints.
    folder: Option<PathBuf>,
    /// The addresses of other stores.
    stores: Vec<String>,
    /// What is known of each game that was looked up. A game has a lock of its own, so that a store that does not answer
    /// delays no other game.
    games: Mutex<HashMap<[u8; 32], Arc<Mutex<Known>>>>,
    /// How long a solution is not used after it could not be read.
    pause: Duration,
}

/// What is known of the solution of a game.
#[derive(Default)]
enum Known {
    #[default]
    Nothing,
    /// No store has a solution.
    Absent,
    Open(Arc<StoredSolution>),
    /// The stores could not be read at this time. They may be later.
    Unusable(Instant),
}

/// How long a solution is not used after it could not be read. Until then, other positions would most likely fail, too.
const PAUSE: Duration = Duration::from_secs(60);

/// Returns the name of the store of a game in a folder of solutions.
pub fn store_name(game: &Game) -> String {
    format!("{}-{}", game.rules().name(), &hex(game.fingerprint())[..DIGITS])
}

/// The digits of the fingerprint in the name of a store.
const DIGITS: usize = 8;

impl StoredSolutions {
    /// Looks for solutions in the stores of a folder and in other stores.
    pub fn new(folder: Option<PathBuf>, stores: Vec<String>) -> StoredSolutions {
        StoredSolutions { folder, stores, games: Mutex::default(), pause: PAUSE }
    }

    /// Uses a solution again this long after it could not be read, instead of after a minute.
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> StoredSolutions {
        self.pause = pause;
        self
    }

    fn known(&self, game: &Game) -> Arc<Mutex<Known>> {
        Arc::clone(lock(&self.games).entry(*game.fingerprint()).or_default())
    }

    /// Returns the solution of a game, or `None` if there is none, or if it could not be read a short time ago.
    fn of(&self, game: &Game) -> Result<Option<Arc<StoredSolution>>, StoreError> {
        let known = self.known(game);
        let mut known = lock(&known);
        match &*known {
            Known::Open(solution) => return Ok(Some(Arc::clone(solution))),
            Known::Absent => return Ok(None),
            Known::Unusable(since) if since.elapsed() < self.pause => return Ok(None),
            Known::Nothing | Known::Unusable(_) => {}
        }
        let found = self.find(game);
        *known = match &found {
            Ok(Some(solution)) => Known::Open(Arc::clone(solution)),
            Ok(None) => Known::Absent,
            // The user named a store that has no such game: that is reported once.
            Err(error) if error.is_bad_input() => Known::Absent,
            Err(_) => Known::Unusable(Instant::now()),
        };
        found
    }

    /// Opens the solution of a game.
    fn find(&self, game: &Game) -> Result<Option<Arc<StoredSolution>>, StoreError> {
        let open = |address: &str| StoredSolution::open(ObjectFolder::open(address)?, game, &Silent);
        // A store that the user named should have this game. A folder may have games that nobody has begun to solve.
        let named_stores = first_found(self.stores.clone(), |address| open(address).map(Some));
        if let Ok(Some(solution)) = named_stores {
            return Ok(Some(Arc::new(solution)));
        }
        let fingerprint = hex(game.fingerprint());
        let in_folder = self.folder.as_deref().map(|folder| named(folder, &fingerprint)).unwrap_or_default();
        let in_folder = first_found(in_folder, |address| {
            let folder = ObjectFolder::open(address)?;
            let found = TwoPlayerStore::fingerprint_in(&folder)?;
            if found.as_deref() == Some(&fingerprint) { open(address).map(Some) } else { Ok(None) }
        });
        match in_folder {
            Ok(None) => named_stores.map(|_| None),
            found => found.map(|solution| solution.map(Arc::new)),
        }
    }

    fn read(
        &self,
        game: &Game,
        after: &[Standing],
        rival: &Standing,
    ) -> Result<Option<Vec<f64>>, StoreError> {
        let Some(solution) = self.of(game)? else { return Ok(None) };
        let value = |card: &Standing| Ok(solution.after(card, rival)?.map(|(value, _)| value));
        let values: Result<Option<Vec<f64>>, StoreError> = after.iter().map(value).collect();
        if values.is_err() {
            *lock(&self.known(game)) = Known::Unusable(Instant::now());
        }
        values
    }
}

/// Returns the stores of a folder whose names end with the first digits of a fingerprint.
pub(crate) fn named(folder: &Path, fingerprint: &str) -> Vec<String> {
    let end = format!("-{}", &fingerprint[..DIGITS]);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path().display().to_string()));
    let mut found: Vec<String> = paths.filter(|path| path.ends_with(&end)).collect();
    found.sort();
    found
}

impl Solutions for StoredSolutions {
    fn values(&self, game: &Game, after: &[Standing], rival: &Standing) -> Result<Option<Vec<f64>>, String> {
        let unusable = |error| format!("no stored solution of {} is used: {error}", game.rules().name());
        self.read(game, after, rival).map_err(unusable)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
