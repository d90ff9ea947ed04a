//! The engine answers every question of the program, the server and other bindings. It loads or solves each table once
//! and holds tables in memory within a limit.
//!
//! Calls may come from many threads at the same time. If several of them need the same table, one of them solves it and
//! the others wait.
//!
//! ```
//! use keepers::{Engine, Game, Objective};
//!
//! let engine = Engine::in_memory(); // Engine::cached() also stores its tables in files
//! let game = Game::preset("yacht")?;
//! let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18")?;
//! let advice = engine.advise(&card, game.roll("12344")?, 2, &Objective::Reach(160))?;
//! assert!(advice.value > 0.0 && advice.value < 1.0);
//! # Ok::<(), keepers::Error>(())
//! ```

mod budget;
mod cache;
mod error;
mod goal;
mod matches;
mod multiplayer;
mod play;
mod simulation;
mod solitaire;
mod tables;
mod tournament;

use std::borrow::Cow;
use std::sync::Arc;

pub use error::Error;
pub use goal::{Goal, ToGoal};
pub use matches::Match;
pub use multiplayer::JudgedPosition;
pub use simulation::Simulation;
pub use tournament::{EquilibriumRules, TournamentResult, TournamentSize};

use crate::tables::Store;
use crate::work::{Observer, Silent, Work, gibibytes};
use budget::{Budget, Reserved};
use cache::{Cache, Key};

/// How much an engine may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of tables that stay in memory between calls. The table that was made last stays even if it is larger,
    /// until another one is made or [`Engine::shrink`] is called.
    pub kept: usize,
    /// Bytes that running solves may take together. A single solve that needs more is refused; one that has to wait
    /// for others waits.
    pub working: usize,
    /// Solves that run at the same time.
    pub solves: usize,
}

impl Limits {
    /// Limits the tables that stay in memory between calls to this many bytes.
    #[must_use]
    pub fn with_kept(mut self, bytes: usize) -> Limits {
        self.kept = bytes;
        self
    }

    /// Limits the memory of running solves to this many bytes.
    #[must_use]
    pub fn with_working(mut self, bytes: usize) -> Limits {
        self.working = bytes;
        self
    }

    /// Limits the number of solves that run at the same time.
    #[must_use]
    pub fn with_solves(mut self, solves: usize) -> Limits {
        self.solves = solves;
        self
    }
}

/// What a machine is taken to have if that cannot be known.
const ORDINARY: usize = gibibytes(4);

impl Default for Limits {
    /// 2 GiB of tables, nearly all memory that the system can provide now, and no limit to the number of solves.
    fn default() -> Limits {
        let available = budget::available_memory().unwrap_or(ORDINARY);
        Limits { kept: gibibytes(2), working: available / 10 * 9, solves: usize::MAX }
    }
}

/// Solves, remembers and answers. Clones share everything.
///
/// A new engine reports to nobody. [`Engine::observed_by`] returns a clone whose calls report their progress to an
/// [`Observer`], which can cancel them.
#[derive(Clone)]
pub struct Engine<'o> {
    shared: Arc<Shared>,
    observer: &'o dyn Observer,
}

struct Shared {
    store: Store,
    cache: Cache,
    budget: Budget,
    kept: usize,
}

impl Engine<'static> {
    /// Creates an engine that stores its tables in the user's cache folder, with the default limits.
    #[cfg(feature = "store")]
    pub fn cached() -> Engine<'static> {
        Engine::new(Store::of_user())
    }

    /// Creates an engine that holds its tables in memory only, with the default limits.
    pub fn in_memory() -> Engine<'static> {
        Engine::new(Store::none())
    }

    /// Creates an engine that stores its tables in this store, with the default limits.
    pub fn new(store: Store) -> Engine<'static> {
        Engine::limited(store, Limits::default())
    }

    /// Creates an engine that stores its tables in this store, with these limits.
    pub fn limited(store: Store, limits: Limits) -> Engine<'static> {
        let budget = Budget::new(limits.working, limits.solves);
        let shared = Shared { store, cache: Cache::default(), budget, kept: limits.kept };
        Engine { shared: Arc::new(shared), observer: &Silent }
    }
}

impl Engine<'_> {
    /// Returns a clone whose calls report to this observer. It shares all tables with the original.
    ///
    /// ```
    /// use keepers::{Engine, Game, Observer};
    /// struct Lines;
    /// impl Observer for Lines {
    ///     fn progress(&self, work: &str, done: usize, all: usize) {
    ///         eprintln!("{work}: {done} of {all}");
    ///     }
    /// }
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let value = engine.observed_by(&Lines).value(&game.empty_card(), &keepers::Objective::Expected)?;
    /// assert!((value - 166.988).abs() < 1e-3);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    pub fn observed_by<'a>(&self, observer: &'a dyn Observer) -> Engine<'a> {
        Engine { shared: Arc::clone(&self.shared), observer }
    }

    /// Returns the store of the engine's tables.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// Returns how many bytes of tables the engine holds in memory.
    pub fn bytes(&self) -> usize {
        self.shared.cache.bytes()
    }

    /// Drops tables from memory, least recently used first, until at most `bytes` remain. Calls that are running keep
    /// their tables.
    pub fn shrink(&self, bytes: usize) {
        self.shared.cache.shrink(bytes);
    }

    /// Names a piece of work for the observer.
    fn work<'a>(&'a self, name: impl Into<Cow<'a, str>>) -> Work<'a> {
        Work::new(self.observer, name)
    }

    /// Waits until the budget for running solves has this many bytes left, and reserves them.
    fn reserve(&self, bytes: usize) -> Result<Reserved<'_>, Error> {
        self.shared.budget.reserve(bytes, self.observer)
    }

    /// Returns the cached value of a key if it `fits`, and makes it otherwise. If several callers need the same value,
    /// one of them makes it and all others wait; `make` receives an engine that reports to all of them.
    fn remembered<T: Send + Sync + 'static>(
        &self,
        key: &Key,
        fits: impl Fn(&T) -> bool,
        make: impl FnOnce(&Engine<'_>) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let Shared { cache, kept, .. } = &*self.shared;
        cache.get(key, self.observer, *kept, fits, |observer| make(&self.observed_by(observer)))
    }

    /// Reports what the store noticed between calls.
    fn pass_on_notices(&self) {
        self.shared.store.pass_on_notices(self.observer);
    }
}
