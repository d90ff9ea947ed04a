//! The tables and players that an engine holds in memory. Each is made once, no matter how many callers need it at the
//! same time, and their total size is limited.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::Error;
use crate::work::{Observer, WorkError};

/// The interval at which a caller that waits for another one checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The identity of a cached value. Rule sets are identified by their fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The expected scores of a rule set.
    Expected([u8; 32]),
    /// The reach curves of a rule set.
    Reach([u8; 32]),
    /// The reach curves of some score states and of all states that they can lead to.
    ReachFrom { rules: [u8; 32], states: Vec<usize> },
    /// The exact statistics of the strategy with the best expected score, from the empty card.
    Statistics([u8; 32]),
    /// The best expected utility starting from a card. `utility` is a hash of the utility.
    Utility { rules: [u8; 32], utility: [u8; 32], card: String },
    /// The best expected utility of all cards of a rule set, read from a store.
    StoredUtility { rules: [u8; 32], utility: [u8; 32] },
    /// A judged position of several players: the time limit and all cards, as text.
    Position([u8; 32], String),
    /// The positions that the player `duel` has solved.
    ExactDuels([u8; 32]),
}

type AnyValue = Arc<dyn Any + Send + Sync>;

/// The cache. Entries are ordered by their last use, the most recent last.
#[derive(Default)]
pub(super) struct Cache {
    entries: Mutex<Vec<(Key, Entry)>>,
}

#[derive(Clone)]
enum Entry {
    Pending(Arc<Pending>),
    Ready { value: AnyValue, bytes: usize },
}

impl Entry {
    /// Returns the size of the value in bytes, which is 0 as long as it is made.
    fn bytes(&self) -> usize {
        match self {
            Entry::Pending(_) => 0,
            Entry::Ready { bytes, .. } => *bytes,
        }
    }
}

/// A value that one caller makes while others may wait for it.
#[derive(Default)]
struct Pending {
    /// The number of callers that wait. While there are any, the maker is not cancelled.
    waiting: AtomicUsize,
    /// Whether the maker was cancelled. Once set, it stays set even if callers start to wait: the maker may already
    /// have stopped, so these callers make the value themselves.
    cancelled: AtomicBool,
    state: Mutex<PendingState>,
    changed: Condvar,
}

#[derive(Default)]
struct PendingState {
    finished: bool,
    /// The last progress, reported to the callers that wait: the name of the work, the units done, and all units.
    progress: Option<(String, usize, usize)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// Returns the cached value of a key, or makes it. If another caller is making the value, this one waits for it,
    /// receives its progress, and can still be cancelled. An entry for which `is_valid` is false is made again.
    ///
    /// `make` returns the value and its size in bytes. The observer that it receives does not cancel while other
    /// callers wait. Afterwards, other entries are dropped, least recently used first, until all fit into `limit`
    /// bytes. Of the entries that exceed `limit` alone, the most recently used one stays beside those that fit, so that
    /// a small value never drops a large one.
    ///
    /// # Errors
    /// If `make` fails, or if the observer cancels the call.
    pub fn get<T: Any + Send + Sync>(
        &self,
        key: &Key,
        observer: &dyn Observer,
        limit: usize,
        is_valid: impl Fn(&T) -> bool,
        make: impl FnOnce(&dyn Observer) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        loop {
            let pending = {
                let mut entries = lock(&self.entries);
                match take(&mut entries, key) {
                    Some(Entry::Ready { value, bytes }) => {
                        let found: Arc<T> = downcast(&value);
                        if is_valid(&found) {
                            entries.push((key.clone(), Entry::Ready { value, bytes }));
                            return Ok(found);
                        }
                        continue;
                    }
                    Some(Entry::Pending(pending)) => {
                        entries.push((key.clone(), Entry::Pending(Arc::clone(&pending))));
                        pending.waiting.fetch_add(1, Ordering::Relaxed);
                        pending
                    }
                    None => {
                        if observer.is_cancelled() {
                            return Err(WorkError::Cancelled.into());
                        }
                        let pending = Arc::new(Pending::default());
                        entries.push((key.clone(), Entry::Pending(Arc::clone(&pending))));
                        drop(entries);
                        return self.make(key, observer, limit, pending, make);
                    }
                }
            };
            pending.wait(observer)?;
        }
    }

    fn make<T: Any + Send + Sync>(
        &self,
        key: &Key,
        observer: &dyn Observer,
        limit: usize,
        pending: Arc<Pending>,
        make: impl FnOnce(&dyn Observer) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        // If `make` fails or panics, the guard removes the pending entry, and one of the waiting callers tries next.
        let guard = PendingGuard { cache: self, pending: &pending };
        let (value, bytes) = make(&SharedObserver { observer, pending: &pending })?;
        let mut entries = lock(&self.entries);
        take(&mut entries, key);
        entries.push((key.clone(), Entry::Ready { value: Arc::clone(&value) as AnyValue, bytes }));
        let large = entries.iter().rposition(|(_, entry)| entry.bytes() > limit);
        shrink(&mut entries, limit, large);
        drop(entries);
        drop(guard);
        Ok(value)
    }

    /// Returns the most recently used value for which `matches` is true, and marks it as used. Never makes a value.
    pub fn find<T: Any + Send + Sync>(&self, matches: impl Fn(&Key, &T) -> bool) -> Option<Arc<T>> {
        let mut entries = lock(&self.entries);
        let matching = |(key, entry): &(Key, Entry)| match entry {
            Entry::Ready { value, .. } => value.downcast_ref::<T>().is_some_and(|value| matches(key, value)),
            Entry::Pending(_) => false,
        };
        let index = entries.iter().rposition(matching)?;
        let found = entries.remove(index);
        let value = match &found.1 {
            Entry::Ready { value, .. } => downcast(value),
            Entry::Pending(_) => unreachable!("only ready entries match"),
        };
        entries.push(found);
        Some(value)
    }

    /// Returns the size of all cached values, in bytes.
    pub fn bytes(&self) -> usize {
        bytes(&lock(&self.entries))
    }

    /// Drops values until at most `limit` bytes remain: those that exceed the limit alone, then the least recently used.
    /// Pending entries stay.
    pub fn shrink(&self, limit: usize) {
        shrink(&mut lock(&self.entries), limit, None);
    }

    /// Drops the values that exceed `limit` bytes alone, except those that a call uses: dropping these would free nothing.
    pub fn drop_large(&self, limit: usize) {
        let is_unused = |value: &AnyValue| Arc::strong_count(value) == 1;
        let drops = |entry: &Entry| matches!(entry, Entry::Ready { value, bytes } if *bytes > limit && is_unused(value));
        lock(&self.entries).retain(|(_, entry)| !drops(entry));
    }
}

fn take(entries: &mut Vec<(Key, Entry)>, key: &Key) -> Option<Entry> {
    let index = entries.iter().position(|(known, _)| known == key)?;
    Some(entries.remove(index).1)
}

fn downcast<T: Any + Send + Sync>(value: &AnyValue) -> Arc<T> {
    Arc::clone(value)
        .downcast()
        .unwrap_or_else(|_| unreachable!("all values of one kind of key have the same type"))
}

fn bytes(entries: &[(Key, Entry)]) -> usize {
    entries.iter().map(|(_, entry)| entry.bytes()).sum()
}

/// Drops entries until at most `limit` bytes remain: those that exceed the limit alone, then the least recently used. The
/// entry with the index `beside` stays and does not count.
fn shrink(entries: &mut Vec<(Key, Entry)>, limit: usize, beside: Option<usize>) {
    let stays = |index: usize| Some(index) == beside;
    let sizes = entries.iter().map(|(_, entry)| entry.bytes()).enumerate();
    let mut left: usize =
        sizes.filter(|&(index, bytes)| bytes <= limit && !stays(index)).map(|(_, bytes)| bytes).sum();
    let mut index = 0;
    entries.retain(|(_, entry)| {
        let bytes = entry.bytes();
        let is_ready = matches!(entry, Entry::Ready { .. });
        let drops = is_ready && !stays(index) && (bytes > limit || left > limit);
        if drops && bytes <= limit {
            left -= bytes;
        }
        index += 1;
        !drops
    });
}

impl Pending {
    /// Waits until the value was made, or until making it failed.
    ///
    /// # Errors
    /// If the observer cancels the call.
    fn wait(&self, observer: &dyn Observer) -> Result<(), Error> {
        let mut reported = None;
        let waited = loop {
            // Checked before waiting: a call with the observer `NoWork` must return at once.
            if observer.is_cancelled() {
                break Err(WorkError::Cancelled.into());
            }
            let (finished, progress) = {
                let mut state = lock(&self.state);
                if !state.finished {
                    let waited = self.changed.wait_timeout(state, POLL_INTERVAL);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                (state.finished, state.progress.clone())
            };
            if finished {
                break Ok(());
            }
            if let Some((work, done, all)) = progress.as_ref().filter(|_| progress != reported) {
                observer.progress(work, *done, *all);
            }
            reported = progress;
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        waited
    }
}

/// Wakes the callers that wait for a pending value when dropped, and removes the entry if no value was made.
struct PendingGuard<'a> {
    cache: &'a Cache,
    pending: &'a Arc<Pending>,
}

impl Drop for PendingGuard<'_> {
    fn drop(&mut self) {
        let mut entries = lock(&self.cache.entries);
        let own =
            |entry: &Entry| matches!(entry, Entry::Pending(pending) if Arc::ptr_eq(pending, self.pending));
        entries.retain(|(_, entry)| !own(entry));
        drop(entries);
        lock(&self.pending.state).finished = true;
        self.pending.changed.notify_all();
    }
}

/// The observer of the caller that makes a value. It shares progress with the callers that wait, and ignores a
/// cancellation while there are any.
struct SharedObserver<'a> {
    observer: &'a dyn Observer,
    pending: &'a Pending,
}

impl Observer for SharedObserver<'_> {
    fn progress(&self, work: &str, done: usize, all: usize) {
        lock(&self.pending.state).progress = Some((work.to_string(), done, all));
        self.observer.progress(work, done, all);
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }

    fn is_cancelled(&self) -> bool {
        if !self.pending.cancelled.load(Ordering::Relaxed) {
            let alone = self.pending.waiting.load(Ordering::Relaxed) == 0;
            self.pending.cancelled.store(alone && self.observer.is_cancelled(), Ordering::Relaxed);
        }
        self.pending.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::work::{NoWork, Silent};

    const KEY: Key = Key::Expected([7; 32]);

    fn key(nth: u8) -> Key {
        Key::Reach([nth; 32])
    }

    fn is_cached(cache: &Cache, key: &Key) -> bool {
        cache.get(key, &NoWork, 100, |_: &u8| true, |_| unreachable!("no work may be done")).is_ok()
    }

    /// An observer that can be cancelled and records progress.
    #[derive(Default)]
    struct Caller {
        cancelled: AtomicBool,
        progress: Mutex<Vec<(String, usize, usize)>>,
    }

    impl Observer for Caller {
        fn progress(&self, work: &str, done: usize, all: usize) {
            lock(&self.progress).push((work.to_string(), done, all));
        }

        fn is_cancelled(&self) -> bool {
            self.cancelled.load(Ordering::Relaxed)
        }
    }

    fn a_caller_waits(cache: &Cache) -> bool {
        lock(&cache.entries).iter().any(|(_, entry)| match entry {
            Entry::Pending(pending) => pending.waiting.load(Ordering::Relaxed) > 0,
            Entry::Ready { .. } => false,
        })
    }

    #[test]
    fn a_maker_that_was_cancelled_stays_cancelled() {
        let pending = Pending::default();
        let caller = Caller::default();
        let shared = SharedObserver { observer: &caller, pending: &pending };
        assert!(!shared.is_cancelled());
        caller.cancelled.store(true, Ordering::Relaxed);
        assert!(shared.is_cancelled());
        // A caller that starts to wait now does not undo the cancellation.
        pending.waiting.fetch_add(1, Ordering::Relaxed);
        assert!(shared.is_cancelled());
    }

    #[test]
    fn many_callers_make_a_value_once() {
        let cache = Cache::default();
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let value = cache.get(
                        &KEY,
                        &Silent,
                        100,
                        |_| true,
                        |_| {
                            made.fetch_add(1, Ordering::Relaxed);
                            std::thread::sleep(Duration::from_millis(50));
                            Ok((Arc::new(7_u8), 1))
                        },
                    );
                    assert_eq!(value, Ok(Arc::new(7)));
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_value_that_others_wait_for_is_made_though_its_maker_is_cancelled() {
        let cache = Cache::default();
        let (maker, waiter) = (Caller::default(), Caller::default());
        let (begun, begins) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let made = cache.get(
                    &KEY,
                    &maker,
                    100,
                    |_| true,
                    |observer| {
                        begun.send(()).unwrap();
                        observer.progress("making", 1, 2);
                        // The maker's own caller cancels, but not before another caller waits.
                        let mut looks = 0;
                        while !a_caller_waits(&cache) {
                            looks += 1;
                            assert!(looks < 20_000, "no caller waits");
                            std::thread::sleep(Duration::from_millis(1));
                        }
                        maker.cancelled.store(true, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(100));
                        assert!(!observer.is_cancelled());
                        Ok((Arc::new(7_u8), 1))
                    },
                );
                assert_eq!(made, Ok(Arc::new(7)));
            });
            begins.recv().unwrap();
            let found = cache.get(&KEY, &waiter, 100, |_| true, |_| unreachable!("the value is made once"));
            assert_eq!(found, Ok(Arc::new(7_u8)));
        });
        assert_eq!(lock(&waiter.progress)[0], ("making".to_string(), 1, 2));
    }

    #[test]
    fn a_waiting_caller_can_be_cancelled_and_a_failed_value_is_made_again() {
        let cache = Cache::default();
        let waiter = Caller::default();
        waiter.cancelled.store(true, Ordering::Relaxed);
        let (begun, begins) = mpsc::channel();
        let (end, ends) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let failed = cache.get::<u8>(
                    &KEY,
                    &Silent,
                    100,
                    |_| true,
                    move |_| {
                        begun.send(()).unwrap();
                        ends.recv().unwrap();
                        Err(Error::NoPuzzle)
                    },
                );
                assert_eq!(failed, Err(Error::NoPuzzle));
            });
            begins.recv().unwrap();
            let cancelled = cache.get::<u8>(
                &KEY,
                &waiter,
                100,
                |_| true,
                |_| unreachable!("another caller is making the value"),
            );
            assert!(cancelled.unwrap_err().is_cancelled());
            end.send(()).unwrap();
        });
        assert_eq!(cache.get(&KEY, &Silent, 100, |_| true, |_| Ok((Arc::new(9_u8), 1))), Ok(Arc::new(9)));
    }

    #[test]
    fn the_least_recently_used_entries_are_dropped_first() {
        let cache = Cache::default();
        for nth in 0..4 {
            cache.get(&key(nth), &Silent, 100, |_| true, |_| Ok((Arc::new(nth), 30))).unwrap();
            assert!(is_cached(&cache, &key(0)), "used again each time");
        }
        assert_eq!([0, 1, 2, 3].map(|nth| is_cached(&cache, &key(nth))), [true, false, true, true]);
        assert_eq!(cache.bytes(), 90);
        cache.shrink(50);
        assert_eq!([0, 2, 3].map(|nth| is_cached(&cache, &key(nth))), [false, false, true]);
        assert_eq!(cache.bytes(), 30);
    }

    #[test]
    fn one_entry_beyond_the_limit_stays_beside_those_that_fit() {
        let cache = Cache::default();
        let make = |nth, bytes| {
            cache.get(&key(nth), &Silent, 100, |_| true, |_| Ok((Arc::new(nth), bytes))).unwrap()
        };
        let cached = || [0, 1, 2, 3, 8, 9].map(|nth| is_cached(&cache, &key(nth)));
        make(0, 60);
        make(8, 1000);
        assert_eq!(cached(), [true, false, false, false, true, false]);
        (1..4).for_each(|nth| _ = make(nth, 40));
        assert_eq!(cached(), [false, false, true, true, true, false]);
        assert_eq!(cache.bytes(), 1080);
        // The next large value drops the first.
        let large = make(9, 2000);
        assert_eq!(cached(), [false, false, true, true, false, true]);
        assert_eq!(cache.bytes(), 2080);
        // A value in use stays when memory is needed.
        cache.drop_large(100);
        assert_eq!(cache.bytes(), 2080);
        drop(large);
        cache.drop_large(100);
        assert_eq!(cached(), [false, false, true, true, false, false]);
        make(8, 1000);
        cache.shrink(100);
        assert_eq!(cached(), [false, false, true, true, false, false]);
        cache.shrink(0);
        assert_eq!(cache.bytes(), 0);
    }

    #[test]
    fn a_panic_while_making_leaves_the_cache_usable() {
        let cache = Cache::default();
        let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = cache.get::<u8>(&KEY, &Silent, 100, |_| true, |_| panic!("a bug"));
        }));
        assert!(thrown.is_err());
        assert_eq!(cache.get(&KEY, &Silent, 100, |_| true, |_| Ok((Arc::new(1_u8), 1))), Ok(Arc::new(1)));
    }
}
