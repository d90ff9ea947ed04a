//! The parts in memory. The order in which parts are solved is known in advance, so the part that is dropped first is the
//! one whose next use is the furthest away (Belady), which no other rule beats.

use std::collections::HashMap;
use std::sync::Arc;

use keepers::internals::solve::{PartCurves, PartId};
use serde::Serialize;

use super::frame::Stored;

/// How often inputs of parts were found in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CacheSummary {
    /// Inputs that were in memory, and their values.
    pub hits: u64,
    /// Values of inputs that were in memory.
    pub hit_values: u64,
    /// Inputs that were read from the store, and their values.
    pub misses: u64,
    /// Values of inputs that were read from the store.
    pub missed_values: u64,
    /// The most bytes of curves that were in the cache at the same time.
    pub most_bytes: usize,
    /// The most values of a part and its inputs together.
    pub most_needed_values: u64,
}

pub(super) struct PartCache<T> {
    held: HashMap<PartId, Arc<PartCurves<T>>>,
    bytes: usize,
    limit: usize,
    pub summary: CacheSummary,
}

impl<T: Stored> PartCache<T> {
    /// Creates an empty cache that drops parts when it has more than `limit` bytes.
    pub fn new(limit: usize) -> PartCache<T> {
        PartCache { held: HashMap::new(), bytes: 0, limit, summary: CacheSummary::default() }
    }

    pub fn get(&mut self, part: PartId) -> Option<Arc<PartCurves<T>>> {
        let found = self.held.get(&part).cloned()?;
        self.summary.hits += 1;
        self.summary.hit_values += found.values() as u64;
        Some(found)
    }

    /// Adds a part, and drops others until all fit. `next_use` returns when a part is needed next, and `None` if it is
    /// never needed again. Parts that are in use stay in memory until their users drop them, too.
    pub fn add(
        &mut self,
        part: PartId,
        curves: &Arc<PartCurves<T>>,
        next_use: impl Fn(PartId) -> Option<usize>,
    ) {
        self.bytes += curves.bytes();
        self.held.insert(part, Arc::clone(curves));
        self.summary.most_bytes = self.summary.most_bytes.max(self.bytes);
        let order = |id: &PartId| (next_use(*id).unwrap_or(usize::MAX), *id);
        let unused: Vec<PartId> = self.held.keys().copied().filter(|&id| next_use(id).is_none()).collect();
        unused.into_iter().for_each(|id| self.drop_part(id));
        while self.bytes > self.limit {
            let Some(last) = self.held.keys().copied().max_by_key(order) else { return };
            self.drop_part(last);
        }
    }

    fn drop_part(&mut self, part: PartId) {
        if let Some(curves) = self.held.remove(&part) {
            self.bytes -= curves.bytes();
        }
    }

    /// Counts a part that was read from the store.
    pub fn count_miss(&mut self, curves: &PartCurves<T>) {
        self.summary.misses += 1;
        self.summary.missed_values += curves.values() as u64;
    }
}
