//! Parallel loops. This is the only file that uses rayon.
//!
//! Without the feature `parallel`, everything runs on the current thread. Results never depend on the number of
//! threads: maps preserve the order, and folds are used only where the order does not matter.

use std::ops::Range;

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The threads that do a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// All threads of the current rayon pool.
    #[default]
    All,
    /// The current thread only, for callers that run many such pieces of work in parallel.
    One,
}

/// Returns the number of threads of [`Threads::All`].
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return 1;
}

/// Runs a closure on a new thread with its own pool. A worker of the current pool must not wait for work in the same
/// pool that may itself wait for this worker.
#[cfg(feature = "store")]
pub(crate) fn on_own_pool<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    return std::thread::scope(|scope| {
        let threads = threads();
        let running =
            scope.spawn(move || match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(run),
                Err(_) => run(),
            });
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    #[cfg(not(feature = "parallel"))]
    return run();
}

impl Threads {
    /// Returns the number of threads.
    pub(crate) fn count(self) -> usize {
        if self == Threads::All { threads() } else { 1 }
    }

    /// Calls `each` with every item until one call fails. A thread takes at most `at_most` items at a time.
    #[cfg_attr(not(feature = "parallel"), expect(unused_variables))]
    pub(crate) fn try_for_each<T: Send, E: Send>(
        self,
        items: Vec<T>,
        at_most: usize,
        each: impl Fn(T) -> Result<(), E> + Send + Sync,
    ) -> Result<(), E> {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            return items.into_par_iter().with_max_len(at_most).try_for_each(each);
        }
        items.into_iter().try_for_each(each)
    }

    /// Returns the results of `each` in order, or the first error.
    pub(crate) fn try_map<R: Send, E: Send>(
        self,
        range: Range<usize>,
        each: impl Fn(usize) -> Result<R, E> + Send + Sync,
    ) -> Result<Vec<R>, E> {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            return range.into_par_iter().with_max_len(1).map(each).collect();
        }
        range.map(each).collect()
    }

    /// Returns the results of `each` in order. `init` creates the workspace of each thread.
    pub(crate) fn map_with<S, R: Send>(
        self,
        range: Range<usize>,
        init: impl Fn() -> S + Send + Sync,
        each: impl Fn(&mut S, usize) -> R + Send + Sync,
    ) -> Vec<R> {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            return range.into_par_iter().map_init(init, each).collect();
        }
        let mut workspace = init();
        range.map(|nth| each(&mut workspace, nth)).collect()
    }

    /// Folds parts of a range and joins the results in any order.
    pub(crate) fn try_fold<A: Send, E: Send>(
        self,
        range: Range<usize>,
        init: impl Fn() -> A + Send + Sync,
        fold: impl Fn(A, usize) -> Result<A, E> + Send + Sync,
        join: impl Fn(A, A) -> A + Send + Sync,
    ) -> Result<A, E> {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            return range
                .into_par_iter()
                .try_fold(&init, &fold)
                .try_reduce(&init, |one, other| Ok(join(one, other)));
        }
        let _ = join;
        range.into_iter().try_fold(init(), fold)
    }

    /// Sorts items by a key; equal items may change their order.
    pub(crate) fn sort_unstable_by_key<T: Send, K: Ord>(self, items: &mut [T], key: impl Fn(&T) -> K + Sync) {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            return items.par_sort_unstable_by_key(key);
        }
        items.sort_unstable_by_key(key);
    }
}

/// Returns the index of the current thread in its pool.
pub(crate) fn thread_index() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_thread_index().unwrap_or(0);
    #[cfg(not(feature = "parallel"))]
    return 0;
}
