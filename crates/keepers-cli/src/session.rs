//! The parts that all commands share: global options, the service, and the observer that shows progress.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use keepers::answers::{CurveStores, Solutions};
use keepers::{Engine, Game, Limits, Store};
use keepers_api::{Kind, Refusal, Service};
use keepers_blocks::one_player::StoredTables;
use keepers_blocks::two_player::{self, StoredSolutions};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::progress::Terminal;

/// One run of the program.
pub struct Session {
    /// Whether to print JSON.
    pub json: bool,
    /// Whether to hide progress.
    pub quiet: bool,
    /// The service that answers requests.
    pub service: Service,
    /// Stored solutions of two-player games.
    pub solutions: Arc<dyn Solutions>,
    /// Stored reach curves of games that exceed memory.
    pub curves: Arc<dyn CurveStores>,
    /// The observer that shows progress and notices.
    pub observer: Terminal,
}

impl Session {
    /// Applies the shared options.
    pub fn new(shared: &Shared) -> anyhow::Result<Session> {
        if let Some(threads) = shared.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .map_err(|error| anyhow!("cannot start {threads} threads: {error}"))?;
        }
        let store = if shared.no_cache { Store::none() } else { Store::of_user() };
        let stores = std::env::var("KEEPERS_TWO_PLAYER").into_iter().collect();
        let solutions: Arc<dyn Solutions> = Arc::new(StoredSolutions::new(solutions_folder(&store), stores));
        let stores = std::env::var("KEEPERS_ONE_PLAYER").into_iter().collect();
        let curves: Arc<dyn CurveStores> = Arc::new(StoredTables::new(curves_folder(&store), stores));
        let engine = Engine::with_stores(
            store,
            Limits::default(),
            Some(Arc::clone(&solutions)),
            Some(Arc::clone(&curves)),
        );
        Ok(Session {
            json: shared.json,
            quiet: shared.quiet,
            service: Service::new(engine),
            solutions,
            curves,
            observer: Terminal::new(shared.quiet),
        })
    }

    /// Returns the store of tables.
    pub fn store(&self) -> &Store {
        self.service.engine().store()
    }

    /// Returns the default folder for the solution of the two-player game. `None` without a cache.
    pub fn two_player_folder(&self, game: &Game) -> Option<String> {
        let folder = solutions_folder(self.store())?;
        Some(folder.join(two_player::store_name(game)).display().to_string())
    }

    /// Returns the folder of one-player tables that are solved in parts. `None` without a cache.
    pub fn curves_folder(&self) -> Option<PathBuf> {
        curves_folder(self.store())
    }

    /// Returns the game with the rules of an answered request.
    pub fn game(&self, rules: &str) -> anyhow::Result<Game> {
        let ready = self.service.game(rules).map_err(|refusal| refused(&refusal, str::to_string))?;
        Ok(ready.game().clone())
    }
}

/// Returns the folder of two-player solutions beside the tables. `None` without a cache.
fn solutions_folder(store: &Store) -> Option<PathBuf> {
    Some(store.directory()?.join("two-player"))
}

/// Returns the folder of one-player tables that are solved in parts, beside the other tables. `None` without a cache.
fn curves_folder(store: &Store) -> Option<PathBuf> {
    Some(store.directory()?.join("one-player"))
}

/// Converts a refusal to an error in one sentence, in which `name` replaces the names of fields. Refusals that the user
/// can fix become [`BadInput`].
pub fn refused(refusal: &Refusal, name: impl Fn(&str) -> String) -> anyhow::Error {
    let sentence = refusal.with_fields(name);
    match refusal.kind {
        Kind::Invalid | Kind::Malformed | Kind::Unknown => BadInput(sentence).into(),
        Kind::OutOfMemory | Kind::Cancelled => anyhow!(sentence),
    }
}
