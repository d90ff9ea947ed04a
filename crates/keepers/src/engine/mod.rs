//! One engine for everything: it loads or solves each table once, keeps it within a limit of memory, and answers every
//! question that the program, the server and other bindings ask.
//!
//! Every method takes an [`Observer`], which receives progress and can cancel the call. Methods may be called from many
//! threads at the same time; what several of them need is solved once.
//!
//! ```
//! use std::sync::Arc;
//! use keepers::engine::{Engine, Goal};
//! use keepers::{Card, Game, Roll, Rules, Silent, Store};
//!
//! let engine = Engine::new(Store::none()); // Store::of_user() keeps what was solved
//! let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
//! let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18").unwrap();
//! let roll = Roll::parse("12344", 5, 6).unwrap();
//! let advice = engine.advise(&game, &card, &roll, 2, &Goal::Target(160), &Silent).unwrap();
//! assert!(advice.value > 0.0 && advice.value < 1.0);
//! ```

mod budget;
mod cache;
mod error;
mod goal;
mod multiplayer;
mod play;
mod solitaire;
mod tables;
mod tournament;

use std::sync::Arc;

pub use error::EngineError;
pub use goal::Goal;
pub use multiplayer::JudgedPosition;
pub use tournament::{EquilibriumRules, TournamentResult, TournamentSize};

use crate::tables::Store;
use crate::work::{Observer, gibibytes};
use budget::Budget;
use cache::Cache;

/// How much an engine may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    cache: Cache,
    budget: Budget,
    kept: usize,
}

impl Engine {
    /// An engine that keeps its tables in this store, with the default limits.
    pub fn new(store: Store) -> Engine {
        Engine::limited(store, Limits::default())
    }

    /// An engine that keeps its tables in this store, with these limits.
    pub fn limited(store: Store, limits: Limits) -> Engine {
        let budget = Budget::new(limits.working, limits.solves);
        Engine { shared: Arc::new(Shared { store, cache: Cache::default(), budget, kept: limits.kept }) }
    }

    /// Where tables are kept.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// The bytes of tables in memory.
    pub fn bytes(&self) -> usize {
        self.shared.cache.bytes()
    }

    /// Drops tables from memory, those that were not used for the longest time first, until no more than this many
    /// bytes are left. Answers that are being computed keep theirs.
    pub fn shrink(&self, bytes: usize) {
        self.shared.cache.shrink(bytes);
    }

    /// Passes on what the store found out between calls.
    fn pass_on_notices(&self, observer: &dyn Observer) {
        self.shared.store.pass_on_notices(observer);
    }
}
