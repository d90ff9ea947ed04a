//! Stored curves, from which those of single states are read.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use keepers::answers::{CurveSource, CurveStores};
use keepers::internals::Work;
use keepers::internals::solve::{
    PartCurves, PartId, ReachRecurrence, Recurrence, UtilityRecurrence, solve_group,
};
use keepers::{Card, Game};

use super::frame::Stored;
use super::{CurveStore, Curves, frame, part_name};
use crate::error::{Damage, StoreError};
use crate::lookup::first_found;
use crate::object::Index;
use crate::store::ObjectFolder;
use crate::two_player::{hex, named};

/// The bytes of decoded curves that stay in memory by default.
const CACHED_BYTES: usize = 256 << 20;

/// The curves of a complete table, read from a store as they are needed. They follow a recurrence, by which damaged ones
/// are solved again.
pub struct StoredCurves<R: Recurrence = ReachRecurrence> {
    store: CurveStore,
    /// The recurrence, and how to make it: that of a utility takes a pass over all states, and only damage needs it.
    recurrence: OnceLock<R>,
    make_recurrence: Box<dyn Fn() -> Result<R, StoreError> + Send + Sync>,
    /// The values before and after those of a curve.
    outside: [R::Cell; 2],
    /// The hash of each part, by position.
    hashes: Vec<String>,
    indices: Mutex<HashMap<PartId, Arc<Index>>>,
    groups: Mutex<Generations<R::Cell>>,
    limit: usize,
    damaged: Mutex<DamagedGroups>,
}

/// The most groups of a damaged table that are solved again. Solving one takes a fraction of a second, but if much is
/// missing, the groups that it is solved from must be solved too.
const MOST_DAMAGED: usize = 10_000;

#[derive(Default)]
struct DamagedGroups {
    groups: usize,
    notices: Vec<String>,
}

/// The latest groups that were read: those of the current generation, and of the one before. A group that is used moves
/// to the current generation; when that is full, the old one is dropped.
struct Generations<T> {
    current: HashMap<usize, Arc<PartCurves<T>>>,
    before: HashMap<usize, Arc<PartCurves<T>>>,
    bytes: usize,
}

impl<T> Default for Generations<T> {
    fn default() -> Generations<T> {
        Generations { current: HashMap::new(), before: HashMap::new(), bytes: 0 }
    }
}

impl<T: Stored> Generations<T> {
    fn get(&mut self, group: usize, limit: usize) -> Option<Arc<PartCurves<T>>> {
        if let Some(found) = self.current.get(&group) {
            return Some(Arc::clone(found));
        }
        let found = self.before.remove(&group)?;
        self.add(group, Arc::clone(&found), limit);
        Some(found)
    }

    fn add(&mut self, group: usize, curves: Arc<PartCurves<T>>, limit: usize) {
        let bytes = curves.bytes();
        if self.bytes + bytes > limit / 2 {
            self.before = std::mem::take(&mut self.current);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.current.insert(group, curves);
    }
}

impl StoredCurves {
    /// Opens the reach curves of a game.
    ///
    /// # Errors
    /// If the store has no complete table of this game, or cannot be read.
    pub fn open(folder: ObjectFolder, game: &Game) -> Result<StoredCurves, StoreError> {
        let recurrence = {
            let game = game.clone();
            move || Ok(ReachRecurrence::new(&game))
        };
        StoredCurves::of_store(CurveStore::open(folder, game)?, [1.0, 0.0], Box::new(recurrence))
    }
}

impl StoredCurves<UtilityRecurrence> {
    /// Opens the utilities of a game, from the empty card on.
    ///
    /// # Errors
    /// If the store has no complete table of this game and utility, or cannot be read.
    pub fn open_utility(
        folder: ObjectFolder,
        game: &Game,
        utility: &[f64],
    ) -> Result<StoredCurves<UtilityRecurrence>, StoreError> {
        let empty = Card::empty(game);
        let store = CurveStore::open_for(Curves::of_utility(&empty, utility), folder, game)?;
        let utility = utility.to_vec();
        // Without an observer, because the damage is found while a value is read.
        let recurrence = move || Ok(UtilityRecurrence::new(&empty, &utility, &Work::silent())?);
        StoredCurves::of_store(store, [0.0, 0.0], Box::new(recurrence))
    }
}

impl<R: Recurrence> StoredCurves<R>
where
    R::Cell: Stored,
{
    fn of_store(
        store: CurveStore,
        outside: [R::Cell; 2],
        make_recurrence: Box<dyn Fn() -> Result<R, StoreError> + Send + Sync>,
    ) -> Result<StoredCurves<R>, StoreError> {
        let (manifest, _) = store.manifest()?.ok_or_else(|| {
            StoreError::Missing(format!(
                "the table in {} is not complete: run the same `keepers solve` again to continue",
                store.folder.address()
            ))
        })?;
        let hashes = manifest.parts.into_iter().map(|part| part.hash).collect();
        let (indices, groups, damaged) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(StoredCurves {
            store,
            recurrence: OnceLock::new(),
            make_recurrence,
            outside,
            hashes,
            indices,
            groups,
            limit: CACHED_BYTES,
            damaged,
        })
    }

    /// Returns these curves with a limit for the bytes of curves that stay in memory.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> StoredCurves<R> {
        self.limit = bytes;
        self
    }

    /// Returns the store.
    pub fn store(&self) -> &CurveStore {
        &self.store
    }

    /// Returns the curves of the states of a group, given by its index. They are those of group 0 of the result. If they
    /// are damaged, they are solved again from the curves of other parts.
    ///
    /// # Errors
    /// If the store cannot be read, or if too much of it is damaged.
    pub fn group(&self, group: usize) -> Result<Arc<PartCurves<R::Cell>>, StoreError> {
        if let Some(found) = lock(&self.groups).get(group, self.limit) {
            return Ok(found);
        }
        let curves = match self.read_group(group) {
            Err(error @ StoreError::DamagedPart { .. }) => self.solve_again(group, error)?,
            read => read?,
        };
        let curves = Arc::new(curves);
        lock(&self.groups).add(group, Arc::clone(&curves), self.limit);
        Ok(curves)
    }

    /// Solves the curves of a group whose stored curves are damaged.
    fn solve_again(&self, group: usize, error: StoreError) -> Result<PartCurves<R::Cell>, StoreError> {
        {
            let mut damaged = lock(&self.damaged);
            damaged.groups += 1;
            if damaged.groups > MOST_DAMAGED {
                return Err(error);
            }
            if damaged.groups == 1 {
                damaged
                    .notices
                    .push(format!("{error}; until then, what is damaged is solved when it is needed"));
            }
        }
        let recurrence = match self.recurrence.get() {
            Some(known) => known,
            None => {
                let made = (self.make_recurrence)()?;
                self.recurrence.get_or_init(|| made)
            }
        };
        solve_group(recurrence, self.store.game(), group, |next| self.group(next))
    }

    fn read_group(&self, group: usize) -> Result<PartCurves<R::Cell>, StoreError> {
        let (part, nth) = self.store.partition.locate(group);
        let name = part_name(part);
        let damaged = |damage| StoreError::DamagedPart { name: name.clone(), damage };
        let index = self.index(part)?;
        let (_, location) = index.frames(nth..nth + 1);
        let bytes = self.store.folder.ranges([(name.as_str(), location.clone())])?.remove(0);
        let mut decompressor =
            zstd::bulk::Decompressor::new().map_err(|error| damaged(Damage(error.to_string())))?;
        let raw = index.unpack(nth, &bytes, location.start, &mut decompressor).map_err(damaged)?;
        let space = self.store.game().space();
        let curves = space.states_of(&space.groups()[group]).len();
        let values = frame::values_in::<R::Cell>(raw.len(), curves).map_err(damaged)?;
        PartCurves::read_one((curves, values), self.outside, |writer| {
            frame::decode::<R::Cell>(&raw, writer).map_err(damaged)
        })
    }

    fn index(&self, part: PartId) -> Result<Arc<Index>, StoreError> {
        if let Some(index) = lock(&self.indices).get(&part) {
            return Ok(Arc::clone(index));
        }
        let damaged = |damage| StoreError::DamagedPart { name: part_name(part), damage };
        let index = self.store.index(part)?.ok_or_else(|| damaged(Damage::missing()))?.map_err(damaged)?;
        if hex(&index.hash) != self.hashes[self.store.partition.position(part)] {
            return Err(damaged(Damage("it has another hash than in the manifest".into())));
        }
        // A frame is checked when it is read, its size here.
        self.store.sizes::<R::Cell>(part, &index).map_err(damaged)?;
        let index = Arc::new(index);
        lock(&self.indices).insert(part, Arc::clone(&index));
        Ok(index)
    }
}

impl<R: Recurrence + Send> CurveSource<R::Cell> for StoredCurves<R>
where
    R::Cell: Stored,
{
    fn group(&self, group: usize) -> Result<Arc<PartCurves<R::Cell>>, String> {
        StoredCurves::group(self, group).map_err(|error| error.to_string())
    }

    fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.damaged).notices)
    }
}

/// The curves in a folder of stores and in single stores. A store is opened when its game is first looked up.
pub struct StoredTables {
    /// A folder with one store per game, whose names end with the first digits of the fingerprints.
    folder: Option<PathBuf>,
    /// The addresses of other stores.
    stores: Vec<String>,
}

impl StoredTables {
    /// Looks for curves in the stores of a folder and in other stores.
    pub fn new(folder: Option<PathBuf>, stores: Vec<String>) -> StoredTables {
        StoredTables { folder, stores }
    }

    /// Returns the curves of a game, or `None` if no store has all of them.
    fn find(&self, game: &Game) -> Result<Option<StoredCurves>, StoreError> {
        let fingerprint = hex(game.fingerprint());
        first_found(self.addresses(&fingerprint), |address| {
            let folder = ObjectFolder::open(address)?;
            if CurveStore::fingerprint_in(&folder, Curves::Reach)?.as_deref() != Some(&fingerprint) {
                return Ok(None);
            }
            match StoredCurves::open(folder, game) {
                // A table that is being solved.
                Err(StoreError::Missing(_)) => Ok(None),
                found => found.map(Some),
            }
        })
    }
}

impl StoredTables {
    /// Returns the store of other curves of a game, if there is one.
    fn store_of(&self, curves: Curves, game: &Game) -> Result<Option<CurveStore>, StoreError> {
        let folder = self.folder_of(curves, game)?;
        folder.map(|folder| CurveStore::open_for(curves, folder, game)).transpose()
    }

    /// Returns the folder or bucket with other curves of a game, if there is one.
    fn folder_of(&self, curves: Curves, game: &Game) -> Result<Option<ObjectFolder>, StoreError> {
        let fingerprint = hex(game.fingerprint());
        first_found(self.addresses(&fingerprint), |address| {
            let folder = ObjectFolder::open(address)?;
            let found = CurveStore::fingerprint_in(&folder, curves)?;
            Ok((found.as_deref() == Some(&fingerprint)).then_some(folder))
        })
    }

    /// Returns the addresses of all stores that may belong to the rules with a fingerprint.
    fn addresses(&self, fingerprint: &str) -> Vec<String> {
        let mut addresses = self.stores.clone();
        addresses.extend(self.folder.as_deref().into_iter().flat_map(|folder| named(folder, fingerprint)));
        addresses
    }
}

impl CurveStores for StoredTables {
    fn reach(&self, game: &Game) -> Result<Option<Arc<dyn CurveSource>>, String> {
        let found = self.find(game).map_err(|error| unusable(game, "reach curves", &error))?;
        Ok(found.map(|curves| Arc::new(curves) as Arc<dyn CurveSource>))
    }

    fn distribution(&self, game: &Game) -> Result<Option<Vec<f64>>, String> {
        let read = || match self.store_of(Curves::Distribution, game)? {
            Some(store) => store.stored_distribution(),
            None => Ok(None),
        };
        read().map_err(|error| unusable(game, "distribution", &error))
    }

    fn utilities(&self, game: &Game, utility: &[f64]) -> Result<Option<Arc<dyn CurveSource<f64>>>, String> {
        let open = || {
            let curves = Curves::of_utility(&Card::empty(game), utility);
            let Some(folder) = self.folder_of(curves, game)? else { return Ok(None) };
            match StoredCurves::open_utility(folder, game, utility) {
                // A table that is being solved, or of which only the value of the start is stored.
                Err(StoreError::Missing(_)) => Ok(None),
                found => found.map(|curves| Some(Arc::new(curves) as Arc<dyn CurveSource<f64>>)),
            }
        };
        open().map_err(|error| unusable(game, "utilities", &error))
    }

    fn best_utility(&self, card: &Card, utility: &[f64]) -> Result<Option<f64>, String> {
        let game = card.game();
        let read = || match self.store_of(Curves::of_utility(card, utility), game)? {
            Some(store) => store.stored_utility(card),
            None => Ok(None),
        };
        read().map_err(|error| unusable(game, "utility", &error))
    }
}

fn unusable(game: &Game, what: &str, error: &StoreError) -> String {
    format!("the stored {what} of {} cannot be used: {error}", game.rules().name())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
