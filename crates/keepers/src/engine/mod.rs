//! The engine answers every question of the command line, the server and other bindings. It loads or solves each table
//! once and holds tables in memory, up to a limit.
//!
//! Any number of threads may call an engine at the same time. If several calls need the same table, one of them solves
//! it and the others wait.
//!
//! ```
//! use keepers::{Engine, Game, Objective};
//!
//! let engine = Engine::in_memory(); // Engine::cached() also stores its tables in files
//! let game = Game::preset("yacht")?;
//! let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18")?;
//! let advice = engine.advise(&card, game.roll("12344")?, 2, &Objective::Expected)?;
//! assert!(advice.value > 100.0);
//! # Ok::<(), keepers::Error>(())
//! ```

mod budget;
mod cache;
mod cost;
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

pub use cost::Cost;
pub use error::Error;
pub use goal::{Goal, ToGoal};
pub use matches::Match;
pub use multiplayer::{JudgedPosition, SolvedDuel};
pub use simulation::Simulation;
pub use tournament::{EquilibriumRules, TournamentResult, TournamentSize};

use crate::solve::Solutions;
use crate::tables::{CurveStores, Store};
use crate::work::{Observer, Silent, Work, gibibytes};
use budget::{Budget, Reservation};
use cache::{Cache, Key};

/// The memory that an engine may use, and the number of solves that it runs at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of tables that stay in memory between calls. Beside them, one table that exceeds this limit alone may stay:
    /// the latest one, until another such table is made, a solve needs its memory ([`Limits::working`]), or
    /// [`Engine::shrink`] is called.
    pub kept: usize,
    /// Bytes that all running solves may use together. A solve that needs more than this is refused with
    /// [`Error::TooLarge`]; one that needs more than is free now waits. What tables have beyond [`Limits::kept`] counts
    /// too: the table that exceeds it is dropped before a solve that does not fit beside it.
    pub working: usize,
    /// The number of solves that may run at the same time; 0 counts as 1.
    pub solves: usize,
}

impl Limits {
    /// Sets [`Limits::kept`], in bytes.
    #[must_use]
    pub fn with_kept(mut self, bytes: usize) -> Limits {
        self.kept = bytes;
        self
    }

    /// Sets [`Limits::working`], in bytes.
    #[must_use]
    pub fn with_working(mut self, bytes: usize) -> Limits {
        self.working = bytes;
        self
    }

    /// Sets [`Limits::solves`].
    #[must_use]
    pub fn with_solves(mut self, solves: usize) -> Limits {
        self.solves = solves;
        self
    }
}

/// The available memory that is assumed if the system does not report it.
const ASSUMED_MEMORY: usize = gibibytes(4);

impl Default for Limits {
    /// Returns the default limits: 2 GiB of tables, 90 % of the memory available now for solves (4 GiB are assumed to
    /// be available if the system does not report it), and any number of solves at the same time.
    fn default() -> Limits {
        let available = budget::available_memory().unwrap_or(ASSUMED_MEMORY);
        Limits { kept: gibibytes(2), working: available / 10 * 9, solves: usize::MAX }
    }
}

/// The entry point of the library: answers questions about games, and solves each table that it needs once. Clones
/// share all tables.
///
/// A new engine has no observer. [`Engine::observed_by`] returns a clone whose calls report their progress to an
/// [`Observer`], which can also cancel them.
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
    /// Stored solutions of two-player games.
    solutions: Option<Arc<dyn Solutions>>,
    /// Stored reach curves of games that exceed memory.
    curves: Option<Arc<dyn CurveStores>>,
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

    /// Creates an engine with this store and the default limits.
    pub fn new(store: Store) -> Engine<'static> {
        Engine::limited(store, Limits::default())
    }

    /// Creates an engine with this store and these limits.
    pub fn limited(store: Store, limits: Limits) -> Engine<'static> {
        Engine::with_solutions(store, limits, None)
    }

    /// Creates an engine with this store, these limits, and stored solutions of two-player games, if any. Exact
    /// advice, duels, matches and reviews of two players read from them what would otherwise be solved or estimated.
    pub fn with_solutions(
        store: Store,
        limits: Limits,
        solutions: Option<Arc<dyn Solutions>>,
    ) -> Engine<'static> {
        Engine::with_stores(store, limits, solutions, None)
    }

    /// Creates an engine with this store, these limits, stored solutions of two-player games, and stored reach curves,
    /// if any. Reach curves that are not in `store` are read from the stored ones instead of solved.
    pub fn with_stores(
        store: Store,
        limits: Limits,
        solutions: Option<Arc<dyn Solutions>>,
        curves: Option<Arc<dyn CurveStores>>,
    ) -> Engine<'static> {
        let budget = Budget::new(limits.working, limits.solves);
        let shared = Shared { store, cache: Cache::default(), budget, kept: limits.kept, solutions, curves };
        Engine { shared: Arc::new(shared), observer: &Silent }
    }
}

impl Engine<'_> {
    /// Returns a clone whose calls report their progress to an observer, which can cancel them. The clone shares all
    /// tables with the original.
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

    /// Drops tables from memory until at most `bytes` remain: those that are larger than this alone, then the least recently
    /// used. Calls that are running keep their tables.
    pub fn shrink(&self, bytes: usize) {
        self.shared.cache.shrink(bytes);
    }

    /// Returns a piece of work with this name, which reports to the observer.
    fn work<'a>(&'a self, name: impl Into<Cow<'a, str>>) -> Work<'a> {
        Work::new(self.observer, name)
    }

    /// Waits until the budget of running solves has this many bytes left, and reserves them. While the reservation is
    /// held, the caller must not wait for another solve ([`Budget::reserve`]).
    fn reserve(&self, bytes: usize) -> Result<Reservation<'_>, Error> {
        let Shared { cache, budget, kept, .. } = &*self.shared;
        let beyond = cache.bytes().saturating_sub(*kept);
        if bytes > 0 && !budget.has(bytes.saturating_add(beyond)) {
            cache.drop_large(*kept);
        }
        budget.reserve(bytes, self.observer)
    }

    /// Returns the cached value of a key if `is_valid` accepts it, and makes it otherwise. If several callers need the
    /// same value, one of them makes it and the others wait. `make` receives an engine that reports to all of them, and
    /// returns the value with its size in bytes.
    fn get_or_make<T: Send + Sync + 'static>(
        &self,
        key: &Key,
        is_valid: impl Fn(&T) -> bool,
        make: impl FnOnce(&Engine<'_>) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let Shared { cache, kept, .. } = &*self.shared;
        cache.get(key, self.observer, *kept, is_valid, |observer| make(&self.observed_by(observer)))
    }

    /// Reports to the observer the notices that the store has collected since the last call.
    fn pass_on_notices(&self) {
        self.shared.store.pass_on_notices(self.observer);
    }
}
