//! What every command needs: the options they share, the service that answers, and the observer that shows progress.

use anyhow::anyhow;
use keepers::{Engine, Game, Store};
use keepers_api::{Kind, Refusal, Service};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::progress::Terminal;

/// One run of the program.
pub struct Session {
    /// Whether output is JSON.
    pub json: bool,
    /// Whether progress is not to be shown.
    pub quiet: bool,
    /// What answers.
    pub service: Service,
    /// What shows progress and notices.
    pub observer: Terminal,
}

impl Session {
    /// Prepares what the shared options ask for.
    pub fn new(shared: &Shared) -> anyhow::Result<Session> {
        if let Some(threads) = shared.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()
                .map_err(|error| anyhow!("{threads} threads cannot be started: {error}"))?;
        }
        let store = if shared.no_cache { Store::none() } else { Store::of_user() };
        Ok(Session {
            json: shared.json,
            quiet: shared.quiet,
            service: Service::new(Engine::new(store)),
            observer: Terminal::new(shared.quiet),
        })
    }

    /// Where tables are stored.
    pub fn store(&self) -> &Store {
        self.service.engine().store()
    }

    /// The game by the rules of a request that was answered.
    pub fn game(&self, rules: &str) -> anyhow::Result<Game> {
        let ready = self.service.game(rules).map_err(|refusal| refused(&refusal, str::to_string))?;
        Ok(ready.game().clone())
    }
}

/// A refusal in one sentence, with the names that its fields have on the command line. What the user can mend is bad
/// input.
pub fn refused(refusal: &Refusal, name: impl Fn(&str) -> String) -> anyhow::Error {
    let sentence = refusal.with_fields(name);
    match refusal.kind {
        Kind::Invalid | Kind::Malformed | Kind::Unknown => BadInput(sentence).into(),
        Kind::OutOfMemory | Kind::Cancelled => anyhow!(sentence),
    }
}
