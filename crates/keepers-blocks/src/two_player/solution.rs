//! A stored solution, from which the values of positions are read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use keepers::internals::card::Standing;
use keepers::internals::solve::{Location, TaskId};
use keepers::{Game, Observer};

use super::{Manifest, TwoPlayerStore, object_name};
use crate::error::StoreError;
use crate::object::Index;
use crate::store::ObjectFolder;

/// The bytes of decoded blocks that stay in memory.
const CACHED_BYTES: usize = 64 << 20;

/// The values of a solved two-player game, read from a store as they are needed.
pub struct StoredSolution {
    pub(super) store: TwoPlayerStore,
    /// The manifest of each layer; `None` for layers that are not stored.
    manifests: Vec<Mutex<Option<Option<Arc<Manifest>>>>>,
    indices: Mutex<HashMap<TaskId, Arc<Index>>>,
    blocks: Mutex<Blocks>,
}

/// The latest blocks that were read.
#[derive(Default)]
struct Blocks {
    known: HashMap<(TaskId, usize), Arc<Vec<f64>>>,
    bytes: usize,
}

impl StoredSolution {
    /// Opens the solution of a game.
    ///
    /// # Errors
    /// If the store has no solution of this game, or cannot be read.
    pub fn open(
        folder: ObjectFolder,
        game: &Game,
        observer: &dyn Observer,
    ) -> Result<StoredSolution, StoreError> {
        let store = TwoPlayerStore::open(folder, game, observer)?;
        let manifests = (0..store.complete.layers()).map(|_| Mutex::default()).collect();
        Ok(StoredSolution { store, manifests, indices: Mutex::default(), blocks: Mutex::default() })
    }

    /// Returns the store.
    pub fn store(&self) -> &TwoPlayerStore {
        &self.store
    }

    /// Returns the expected result of a player who has just moved, and a bound on its error. Returns `None` if the
    /// position cannot occur, or if its layer is not stored.
    ///
    /// # Errors
    /// If the store cannot be read, or if an object is damaged.
    pub fn after(&self, card: &Standing, rival: &Standing) -> Result<Option<(f64, f64)>, StoreError> {
        match self.store.complete.locate(rival, card) {
            None => Ok(None),
            Some(Location::Decided(result)) => Ok(Some((result, 0.0))),
            Some(Location::Stored { task, mover, index }) => {
                let Some(manifest) = self.manifest(task.layer)? else { return Ok(None) };
                let block = self.block(&manifest, task, mover)?;
                Ok(Some((block[index], manifest.error_bound)))
            }
        }
    }

    /// Returns whether the values of a layer are stored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn has_layer(&self, layer: usize) -> Result<bool, StoreError> {
        Ok(self.manifest(layer)?.is_some())
    }

    /// Returns the largest error by which the encoding changed a value of the layers that are stored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn encoding_error(&self) -> Result<f64, StoreError> {
        let mut largest = 0.0_f64;
        for layer in 0..self.manifests.len() {
            largest = largest.max(self.manifest(layer)?.map_or(0.0, |manifest| manifest.encoding_error));
        }
        Ok(largest)
    }

    pub(super) fn manifest(&self, layer: usize) -> Result<Option<Arc<Manifest>>, StoreError> {
        let mut known = self.manifests[layer].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(manifest) = &*known {
            return Ok(manifest.clone());
        }
        let manifest = self.store.manifest(layer)?.map(|(manifest, _)| manifest);
        // The objects of a layer may have been removed. An object that is damaged is reported when it is read.
        let first = object_name(TaskId { layer, other: 0 });
        let is_stored = manifest.is_some() && self.store.folder.tails(&[first], 1)?[0].is_some();
        let manifest = manifest.filter(|_| is_stored).map(Arc::new);
        *known = Some(manifest.clone());
        Ok(manifest)
    }

    fn block(&self, manifest: &Manifest, task: TaskId, mover: usize) -> Result<Arc<Vec<f64>>, StoreError> {
        let lock = || self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = lock().known.get(&(task, mover)) {
            return Ok(Arc::clone(block));
        }
        let index = self.index(manifest, task)?;
        let name = object_name(task);
        let bytes = self.store.folder.ranges([(name.as_str(), index.frames(mover..mover + 1).1)])?;
        let mut block = Vec::new();
        let encoding = self.store.settings.encoding;
        index
            .decode(encoding, mover..mover + 1, &bytes[0], |_, values: &[f64], _| block = values.to_vec())
            .map_err(|damage| self.store.damaged(&name, damage))?;
        let block = Arc::new(block);
        let mut blocks = lock();
        let size = size_of_val(block.as_slice());
        if blocks.bytes + size > CACHED_BYTES {
            *blocks = Blocks::default();
        }
        blocks.bytes += size;
        blocks.known.insert((task, mover), Arc::clone(&block));
        Ok(block)
    }

    pub(super) fn index(&self, manifest: &Manifest, task: TaskId) -> Result<Arc<Index>, StoreError> {
        let lock = || self.indices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = lock().get(&task) {
            return Ok(Arc::clone(index));
        }
        let name = object_name(task);
        let index = self.store.indices_of(std::slice::from_ref(&name))?.remove(0);
        let index = self
            .store
            .in_manifest(manifest, task.other, index)
            .map_err(|damage| self.store.damaged(&name, damage))?;
        let index = Arc::new(index);
        lock().insert(task, Arc::clone(&index));
        Ok(index)
    }
}
