//! Solved tables, kept in memory and shared.

use std::sync::Arc;

use keepers::store::Watcher;
use keepers::{ExpectedTable, ReachTable, Store, solve};

use crate::error::ApiError;
use crate::games::Ready;
use crate::shelf::Shelf;
use crate::task::Task;

type Fingerprint = [u8; 32];

/// The tables of all games.
pub struct Tables {
    store: Store,
    expected: Shelf<Fingerprint, ExpectedTable>,
    reach: Shelf<Fingerprint, ReachTable>,
}

/// The most bytes that reach curves may take.
const MOST_BYTES: usize = 16 << 30;

impl Tables {
    /// No tables yet; what is solved is kept in the store.
    pub fn new(store: Store) -> Tables {
        Tables { store, expected: Shelf::new(1 << 30), reach: Shelf::new(3 << 30) }
    }

    fn store(&self, task: &Arc<Task>) -> Store {
        self.store.clone().watched_by(Arc::clone(task) as Arc<dyn Watcher>)
    }

    /// The best expected scores, if they are there.
    pub fn expected_now(&self, of: &Ready) -> Option<Arc<ExpectedTable>> {
        self.expected.ready(&of.fingerprint)
    }

    /// The best expected scores, solved if they are not there.
    pub fn expected(&self, of: &Ready, task: &Arc<Task>) -> Result<Arc<ExpectedTable>, ApiError> {
        self.expected.get(&of.fingerprint, task, || {
            Ok((self.store(task).expected(&of.game), of.game.space().states() * size_of::<f64>()))
        })
    }

    /// The reach curves, if they are there.
    pub fn reach_now(&self, of: &Ready) -> Option<Arc<ReachTable>> {
        self.reach.ready(&of.fingerprint)
    }

    /// The reach curves, solved if they are not there.
    pub fn reach(&self, of: &Ready, task: &Arc<Task>) -> Result<Arc<ReachTable>, ApiError> {
        self.reach.get(&of.fingerprint, task, || {
            let bytes = solve::reach_cells(&of.game) * size_of::<f32>();
            if bytes > MOST_BYTES {
                let (name, needed, most) = (of.game.rules().name(), bytes >> 30, MOST_BYTES >> 30);
                return Err(ApiError::impossible(
                    "rules",
                    format!("the reach curves of {name} would take {needed} GiB of memory, and at most {most} are tried"),
                ));
            }
            let solved = self.store(task).reach(&of.game);
            // From the file they take no memory of ours.
            Ok((self.store.known_reach(&of.game).unwrap_or(solved), bytes))
        })
    }
}
