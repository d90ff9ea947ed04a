//! Parallel loops. This is the only file that uses rayon.
//!
//! Without the feature `parallel`, everything runs on the current thread. Results never depend on the number of
//! threads: maps preserve the order, and folds are used only where the order does not matter.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

    /// Calls `each` with every number below `len` until one call returns `false`. A thread takes at most `at_most` of them
    /// at a time.
    ///
    /// All other loops are built on this one. It is not generic, so rayon's code is compiled once and not for every loop, which
    /// makes the WebAssembly module smaller.
    #[cfg_attr(not(feature = "parallel"), expect(unused_variables))]
    fn run(self, len: usize, at_most: usize, each: &(dyn Fn(usize) -> bool + Sync)) {
        #[cfg(feature = "parallel")]
        if self == Threads::All {
            let range = (0..len).into_par_iter().with_max_len(at_most);
            let _ = range.try_for_each(|nth| each(nth).then_some(()));
            return;
        }
        let _ = (0..len).all(each);
    }

    /// Calls `each` with every item until one call fails. A thread takes at most `at_most` items at a time.
    pub(crate) fn try_for_each<T: Send, E: Send>(
        self,
        items: Vec<T>,
        at_most: usize,
        each: impl Fn(T) -> Result<(), E> + Send + Sync,
    ) -> Result<(), E> {
        let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        let failure = Failure::default();
        self.run(items.len(), at_most, &|nth| {
            let item = lock(&items[nth]).take();
            failure.of(item.map_or(Ok(()), &each)).is_some()
        });
        failure.result()
    }

    /// Returns the results of `each` in order, or an error that one of the calls returned.
    pub(crate) fn try_map<R: Send, E: Send>(
        self,
        range: Range<usize>,
        each: impl Fn(usize) -> Result<R, E> + Send + Sync,
    ) -> Result<Vec<R>, E> {
        let (results, failure) = (slots(range.len()), Failure::default());
        self.run(range.len(), 1, &|nth| {
            let result = failure.of(each(range.start + nth));
            let succeeded = result.is_some();
            *lock(&results[nth]) = result;
            succeeded
        });
        failure.result().map(|()| taken(results))
    }

    /// Returns the results of `each` in order. `init` creates a workspace for each thread.
    pub(crate) fn map_with<S: Send, R: Send>(
        self,
        range: Range<usize>,
        init: impl Fn() -> S + Send + Sync,
        each: impl Fn(&mut S, usize) -> R + Send + Sync,
    ) -> Vec<R> {
        let (results, idle) = (slots(range.len()), Mutex::new(Vec::new()));
        self.run(range.len(), usize::MAX, &|nth| {
            let found = lock(&idle).pop();
            let mut workspace = found.unwrap_or_else(&init);
            *lock(&results[nth]) = Some(each(&mut workspace, range.start + nth));
            lock(&idle).push(workspace);
            true
        });
        taken(results)
    }

    /// Folds parts of a range and joins the results in any order.
    pub(crate) fn try_fold<A: Send, E: Send>(
        self,
        range: Range<usize>,
        init: impl Fn() -> A + Send + Sync,
        fold: impl Fn(A, usize) -> Result<A, E> + Send + Sync,
        join: impl Fn(A, A) -> A,
    ) -> Result<A, E> {
        let (folded, failure) = (Mutex::new(Vec::new()), Failure::default());
        self.run(range.len(), usize::MAX, &|nth| {
            let found = lock(&folded).pop();
            let result = failure.of(fold(found.unwrap_or_else(&init), range.start + nth));
            let succeeded = result.is_some();
            lock(&folded).extend(result);
            succeeded
        });
        failure.result()?;
        let folded = folded.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(folded.into_iter().reduce(join).unwrap_or_else(init))
    }

    /// Sorts items by a key; equal items may change their order. WebAssembly sorts on one thread, for a smaller module.
    pub(crate) fn sort_unstable_by_key<T: Send, K: Ord>(self, items: &mut [T], key: impl Fn(&T) -> K + Sync) {
        #[cfg(all(feature = "parallel", not(target_arch = "wasm32")))]
        if self == Threads::All {
            return items.par_sort_unstable_by_key(key);
        }
        items.sort_unstable_by_key(key);
    }
}

/// The error of a loop that failed, if it did.
struct Failure<E>(Mutex<Option<E>>);

impl<E> Default for Failure<E> {
    fn default() -> Failure<E> {
        Failure(Mutex::new(None))
    }
}

impl<E> Failure<E> {
    /// Returns the value of a result. Stores an error and returns `None`.
    fn of<T>(&self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| *lock(&self.0) = Some(error)).ok()
    }

    /// Returns the last error that was stored.
    fn result(self) -> Result<(), E> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Returns this many empty places for results. Each is locked by one thread only, so no thread waits.
fn slots<T>(len: usize) -> Vec<Mutex<Option<T>>> {
    (0..len).map(|_| Mutex::new(None)).collect()
}

fn taken<T>(slots: Vec<Mutex<Option<T>>>) -> Vec<T> {
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the index of the current thread in its pool.
pub(crate) fn thread_index() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_thread_index().unwrap_or(0);
    #[cfg(not(feature = "parallel"))]
    return 0;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for threads in [Threads::All, Threads::One] {
            let squares = threads.try_map(3..1000, |nth| Ok::<_, ()>(nth * nth)).unwrap();
            assert_eq!(squares, (3..1000).map(|nth| nth * nth).collect::<Vec<_>>());
            let workspace = || vec![0; 4];
            let doubled = threads.map_with(5..500, workspace, |buffer, nth| {
                buffer[0] = 2 * nth;
                buffer[0]
            });
            assert_eq!(doubled, (5..500).map(|nth| 2 * nth).collect::<Vec<_>>());
            let sum = threads.try_fold(1..101, || 0, |sum, nth| Ok::<_, ()>(sum + nth), |a, b| a + b);
            assert_eq!(sum, Ok(5050));
            assert_eq!(threads.try_fold(7..7, || 3, |sum, _| Ok::<_, ()>(sum), |a, b| a + b), Ok(3));
        }
    }

    #[test]
    fn every_item_is_taken_once_and_an_error_ends_the_loop() {
        for threads in [Threads::All, Threads::One] {
            let taken = AtomicUsize::new(0);
            let items: Vec<String> = (0..1000).map(|nth| nth.to_string()).collect();
            let count = |item: String| {
                taken.fetch_add(item.parse().unwrap_or(0), Ordering::Relaxed);
                Ok::<_, String>(())
            };
            threads.try_for_each(items.clone(), 8, count).unwrap();
            assert_eq!(taken.into_inner(), 499_500);

            let taken = AtomicUsize::new(0);
            let fail = |item: String| {
                taken.fetch_add(1, Ordering::Relaxed);
                if item == "17" { Err(item) } else { Ok(()) }
            };
            assert_eq!(threads.try_for_each(items, 8, fail), Err("17".to_string()));
            assert!(taken.into_inner() <= 1000);
            assert_eq!(threads.try_map(0..100, |nth| if nth == 50 { Err(nth) } else { Ok(nth) }), Err(50));
            let fails =
                threads.try_fold(0..9, || 0, |sum, nth| if nth == 4 { Err(nth) } else { Ok(sum) }, |a, _| a);
            assert_eq!(fails, Err(4));
        }
    }
}
