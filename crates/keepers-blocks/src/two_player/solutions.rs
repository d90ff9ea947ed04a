//! Finds the stored solution of a game, for the engine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use keepers::answers::Solutions;
use keepers::{Game, Silent, Standing};

use super::{StoredSolution, TwoPlayerStore, hex};
use crate::error::StoreError;
use crate::store::ObjectFolder;

/// The solutions in a folder of stores and in single stores. A store is opened when a position of its game is first
/// looked up.
pub struct StoredSolutions {
    /// A folder with one store per game, whose names end with the first digits of the fingerprints.
    folder: Option<PathBuf>,
    /// The addresses of other stores.
    stores: Vec<String>,
    /// The solution of each game that was looked up; `None` if there is none.
    opened: Mutex<HashMap<[u8; 32], Option<Arc<StoredSolution>>>>,
}

/// Returns the name of the store of a game in a folder of solutions.
pub fn store_name(game: &Game) -> String {
    format!("{}-{}", game.rules().name(), &hex(game.fingerprint())[..DIGITS])
}

/// The digits of the fingerprint in the name of a store.
const DIGITS: usize = 8;

impl StoredSolutions {
    /// Looks for solutions in the stores of a folder and in other stores.
    pub fn new(folder: Option<PathBuf>, stores: Vec<String>) -> StoredSolutions {
        StoredSolutions { folder, stores, opened: Mutex::default() }
    }

    /// Returns the solution of a game, or `None` if there is none.
    fn of(&self, game: &Game) -> Result<Option<Arc<StoredSolution>>, StoreError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.get(game.fingerprint()) {
            return Ok(known.clone());
        }
        let fingerprint = hex(game.fingerprint());
        let mut addresses = self.stores.clone();
        addresses.extend(self.folder.as_deref().into_iter().flat_map(|folder| named(folder, &fingerprint)));
        let mut found = None;
        for address in addresses {
            let folder = ObjectFolder::open(&address)?;
            if TwoPlayerStore::fingerprint_in(&folder)?.as_deref() == Some(&fingerprint) {
                found = Some(Arc::new(StoredSolution::open(folder, game, &Silent)?));
                break;
            }
        }
        opened.insert(*game.fingerprint(), found.clone());
        Ok(found)
    }

    fn read(
        &self,
        game: &Game,
        after: &[Standing],
        rival: &Standing,
    ) -> Result<Option<Vec<f64>>, StoreError> {
        let Some(solution) = self.of(game)? else { return Ok(None) };
        let value = |card: &Standing| Ok(solution.after(card, rival)?.map(|(value, _)| value));
        after.iter().map(value).collect()
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
        let unusable = |error: StoreError| {
            // Every position would fail in the same way.
            self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(*game.fingerprint(), None);
            format!("the stored solution of {} is not used: {error}", game.rules().name())
        };
        self.read(game, after, rival).map_err(unusable)
    }
}
