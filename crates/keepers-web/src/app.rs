//! What all requests share.

use std::sync::Arc;
use std::time::Instant;

use keepers::Store;
use tokio::sync::{Semaphore, watch};

use crate::games::Games;
use crate::jobs::{JobLimits, Jobs, Key, json};
use crate::tables::Tables;

/// The state of the server, shared by all requests.
pub type Shared = Arc<App>;

/// Everything that outlives a request.
pub struct App {
    /// Games by their rules.
    pub games: Games,
    /// Solved tables.
    pub tables: Arc<Tables>,
    /// Long work.
    pub jobs: Arc<Jobs>,
    /// Places for those who listen to events.
    pub listeners: Arc<Semaphore>,
    /// When the server started.
    pub started: Instant,
    closing: watch::Sender<bool>,
}

impl App {
    /// A server that has done nothing yet, with tables from this store.
    pub fn new(store: Store, limits: JobLimits) -> App {
        App {
            games: Games::new(),
            tables: Arc::new(Tables::new(store)),
            jobs: Arc::new(Jobs::new(limits)),
            listeners: Arc::new(Semaphore::new(64)),
            started: Instant::now(),
            closing: watch::Sender::new(false),
        }
    }

    /// Solves what will be asked for first.
    pub async fn warm_up(self: &Arc<App>, rules: &str) {
        let Ok(ready) = self.games.get(rules).await else { return };
        let app = Arc::clone(self);
        let solve = move |task: &_| {
            app.tables.expected(&ready, task);
            json(&())
        };
        // If that cannot be had now, the first who needs it will ask again.
        let started = self.jobs.start(&Key::new("warm up").and(rules), &format!("solving {rules}"), solve);
        if let Ok(waiter) = started {
            waiter.comes_back();
        }
    }

    /// Ends whatever would keep the server from ending.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.jobs.stop_all();
    }

    /// Waits until the server is to end.
    pub async fn closing(&self) {
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }
}
