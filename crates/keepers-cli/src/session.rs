//! The parts that all commands share: global options, the service, and the observer that shows progress.

use anyhow::anyhow;
use keepers::{Engine, Game, Store};
use keepers_api::{Kind, Refusal, Service};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::output;
use crate::progress::Terminal;

/// One run of the program.
pub struct Session {
    /// Whether to print JSON.
    pub json: bool,
    /// Whether to hide progress.
    pub quiet: bool,
    /// The service that answers requests.
    pub service: Service,
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
        Ok(Session {
            json: shared.json,
            quiet: shared.quiet,
            service: Service::new(Engine::new(store)),
            observer: Terminal::new(shared.quiet),
        })
    }

    /// Returns the store of tables.
    pub fn store(&self) -> &Store {
        self.service.engine().store()
    }

    /// Returns the default folder for the solution of the two-player game. `None` without a cache.
    pub fn two_player_folder(&self, game: &Game) -> Option<String> {
        let fingerprint = output::fingerprint(game.rules());
        let name = format!("{}-{}", game.rules().name(), &fingerprint[..8]);
        Some(self.store().directory()?.join("two-player").join(name).display().to_string())
    }

    /// Returns the game with the rules of an answered request.
    pub fn game(&self, rules: &str) -> anyhow::Result<Game> {
        let ready = self.service.game(rules).map_err(|refusal| refused(&refusal, str::to_string))?;
        Ok(ready.game().clone())
    }
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
