//! Solved things in memory: each is made once no matter how many callers ask at the same time, and all of them
//! together are limited by their size.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::Error;
use crate::work::{Observer, WorkError};

/// How long a caller that waits for another one sleeps before it looks whether it was cancelled.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The best expected scores of the rules with this fingerprint.
    Expected([u8; 32]),
    /// The reach curves.
    Reach([u8; 32]),
    /// The exact statistics of the best expected score from the empty card.
    Statistics([u8; 32]),
    /// The best expected utility, from this card on.
    Utility { rules: [u8; 32], worth: [u8; 32], card: String },
    /// A position of several players.
    Position([u8; 32], String),
    /// The player that solves duels and remembers them.
    DuelPlayer([u8; 32]),
}

type Thing = Arc<dyn Any + Send + Sync>;

/// The cache. The entry that was used last is the last one.
#[derive(Default)]
pub(super) struct Cache {
    entries: Mutex<Vec<(Key, Entry)>>,
}

#[derive(Clone)]
enum Entry {
    Making(Arc<Flight>),
    Ready { thing: Thing, bytes: usize },
}

/// Something that one caller makes while others may wait for it.
#[derive(Default)]
struct Flight {
    /// Callers that wait. While there are any, the maker is not cancelled.
    waiting: AtomicUsize,
    /// Whether the maker was cancelled: from then on it stays so, and callers that come later make the thing again.
    given_up: AtomicBool,
    state: Mutex<FlightState>,
    changed: Condvar,
}

#[derive(Default)]
struct FlightState {
    landed: bool,
    /// The last progress, for callers that wait: the work, done, all.
    progress: Option<(String, usize, usize)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// What is kept under a key, or made now. A caller that comes while another one makes it waits, receives its
    /// progress, and can be cancelled. `make` also returns the size in bytes; its observer is not cancelled while
    /// others wait. Entries that `fits` refuses are made again.
    pub fn get<T: Any + Send + Sync>(
        &self,
        key: &Key,
        observer: &dyn Observer,
        limit: usize,
        fits: impl Fn(&T) -> bool,
        make: impl FnOnce(&dyn Observer) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        loop {
            let waited_for = {
                let mut entries = lock(&self.entries);
                match take(&mut entries, key) {
                    Some(Entry::Ready { thing, bytes }) => {
                        let found: Arc<T> = downcast(&thing);
                        if fits(&found) {
                            entries.push((key.clone(), Entry::Ready { thing, bytes }));
                            return Ok(found);
                        }
                        continue;
                    }
                    Some(Entry::Making(flight)) => {
                        entries.push((key.clone(), Entry::Making(Arc::clone(&flight))));
                        flight.waiting.fetch_add(1, Ordering::Relaxed);
                        flight
                    }
                    None => {
                        if observer.is_cancelled() {
                            return Err(WorkError::Cancelled.into());
                        }
                        let flight = Arc::new(Flight::default());
                        entries.push((key.clone(), Entry::Making(Arc::clone(&flight))));
                        drop(entries);
                        return self.make(key, observer, limit, flight, make);
                    }
                }
            };
            waited_for.wait(observer)?;
        }
    }

    fn make<T: Any + Send + Sync>(
        &self,
        key: &Key,
        observer: &dyn Observer,
        limit: usize,
        flight: Arc<Flight>,
        make: impl FnOnce(&dyn Observer) -> Result<(Arc<T>, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        // If making it fails or panics, the next caller in line tries.
        let landing = Landing { cache: self, flight: &flight };
        let (thing, bytes) = make(&Relay { observer, flight: &flight })?;
        let mut entries = lock(&self.entries);
        take(&mut entries, key);
        entries.push((key.clone(), Entry::Ready { thing: Arc::clone(&thing) as Thing, bytes }));
        let newest = entries.len() - 1;
        shrink(&mut entries, limit, newest);
        drop(entries);
        drop(landing);
        Ok(thing)
    }

    /// The entry that was used last among those that `fits` accepts, which is thereby used. Nothing is made.
    pub fn find<T: Any + Send + Sync>(&self, fits: impl Fn(&Key, &T) -> bool) -> Option<Arc<T>> {
        let mut entries = lock(&self.entries);
        let fitting = |(key, entry): &(Key, Entry)| match entry {
            Entry::Ready { thing, .. } => thing.downcast_ref::<T>().is_some_and(|thing| fits(key, thing)),
            Entry::Making(_) => false,
        };
        let at = entries.iter().rposition(fitting)?;
        let found = entries.remove(at);
        let thing = match &found.1 {
            Entry::Ready { thing, .. } => downcast(thing),
            Entry::Making(_) => unreachable!("only things that were made fit"),
        };
        entries.push(found);
        Some(thing)
    }

    /// The size of everything that is kept.
    pub fn bytes(&self) -> usize {
        bytes(&lock(&self.entries))
    }

    /// Drops the entries that were not used for the longest time until the rest is no larger than `limit`.
    pub fn shrink(&self, limit: usize) {
        let mut entries = lock(&self.entries);
        let all = entries.len();
        shrink(&mut entries, limit, all);
    }
}

fn take(entries: &mut Vec<(Key, Entry)>, key: &Key) -> Option<Entry> {
    let at = entries.iter().position(|(known, _)| known == key)?;
    Some(entries.remove(at).1)
}

fn downcast<T: Any + Send + Sync>(thing: &Thing) -> Arc<T> {
    Arc::clone(thing).downcast().unwrap_or_else(|_| unreachable!("a key names things of one type"))
}

fn bytes(entries: &[(Key, Entry)]) -> usize {
    entries.iter().map(|(_, entry)| if let Entry::Ready { bytes, .. } = entry { *bytes } else { 0 }).sum()
}

/// Drops the oldest of the first `count` entries until the rest is small enough.
fn shrink(entries: &mut Vec<(Key, Entry)>, limit: usize, mut count: usize) {
    while bytes(entries) > limit {
        let ready = |(_, entry): &(Key, Entry)| matches!(entry, Entry::Ready { .. });
        let Some(at) = entries[..count].iter().position(ready) else { return };
        entries.remove(at);
        count -= 1;
    }
}

impl Flight {
    /// Waits until it has landed, in whatever way.
    fn wait(&self, observer: &dyn Observer) -> Result<(), Error> {
        let mut reported = None;
        let waited = loop {
            // First, so that a call that must not wait does not.
            if observer.is_cancelled() {
                break Err(WorkError::Cancelled.into());
            }
            let (landed, progress) = {
                let mut state = lock(&self.state);
                if !state.landed {
                    let waited = self.changed.wait_timeout(state, BETWEEN_LOOKS);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                (state.landed, state.progress.clone())
            };
            if landed {
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

/// Ends a flight. If nothing was made, its entry is removed.
struct Landing<'a> {
    cache: &'a Cache,
    flight: &'a Arc<Flight>,
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        let mut entries = lock(&self.cache.entries);
        let own = |entry: &Entry| matches!(entry, Entry::Making(flight) if Arc::ptr_eq(flight, self.flight));
        entries.retain(|(_, entry)| !own(entry));
        drop(entries);
        lock(&self.flight.state).landed = true;
        self.flight.changed.notify_all();
    }
}

/// The observer of a caller that makes something others may wait for.
struct Relay<'a> {
    observer: &'a dyn Observer,
    flight: &'a Flight,
}

impl Observer for Relay<'_> {
    fn progress(&self, work: &str, done: usize, all: usize) {
        lock(&self.flight.state).progress = Some((work.to_string(), done, all));
        self.observer.progress(work, done, all);
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }

    fn is_cancelled(&self) -> bool {
        if !self.flight.given_up.load(Ordering::Relaxed) {
            let alone = self.flight.waiting.load(Ordering::Relaxed) == 0;
            self.flight.given_up.store(alone && self.observer.is_cancelled(), Ordering::Relaxed);
        }
        self.flight.given_up.load(Ordering::Relaxed)
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

    fn kept(cache: &Cache, key: &Key) -> bool {
        cache.get(key, &NoWork, 100, |_: &u8| true, |_| unreachable!("no work may be done")).is_ok()
    }

    /// An observer that can be cancelled and remembers progress.
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

    fn somebody_waits(cache: &Cache) -> bool {
        lock(&cache.entries).iter().any(|(_, entry)| match entry {
            Entry::Making(flight) => flight.waiting.load(Ordering::Relaxed) > 0,
            Entry::Ready { .. } => false,
        })
    }

    #[test]
    fn a_maker_that_was_cancelled_stays_cancelled() {
        let flight = Flight::default();
        let caller = Caller::default();
        let relay = Relay { observer: &caller, flight: &flight };
        assert!(!relay.is_cancelled());
        caller.cancelled.store(true, Ordering::Relaxed);
        assert!(relay.is_cancelled());
        // A caller that comes now waits for the flight to land, and then makes the thing itself.
        flight.waiting.fetch_add(1, Ordering::Relaxed);
        assert!(relay.is_cancelled());
    }

    #[test]
    fn many_callers_make_a_thing_once() {
        let cache = Cache::default();
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let thing = cache.get(
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
                    assert_eq!(thing, Ok(Arc::new(7)));
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_thing_that_others_wait_for_is_made_though_its_maker_is_cancelled() {
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
                        // Cancelled by its own caller, but not before somebody else waits.
                        let mut looks = 0;
                        while !somebody_waits(&cache) {
                            looks += 1;
                            assert!(looks < 20_000, "nobody waits");
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
            let found = cache.get(&KEY, &waiter, 100, |_| true, |_| unreachable!("it is made once"));
            assert_eq!(found, Ok(Arc::new(7_u8)));
        });
        assert_eq!(lock(&waiter.progress)[0], ("making".to_string(), 1, 2));
    }

    #[test]
    fn a_caller_that_waits_can_be_cancelled_and_the_next_one_makes_what_failed() {
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
            let cancelled =
                cache.get::<u8>(&KEY, &waiter, 100, |_| true, |_| unreachable!("it is being made"));
            assert!(cancelled.unwrap_err().is_cancelled());
            end.send(()).unwrap();
        });
        assert_eq!(cache.get(&KEY, &Silent, 100, |_| true, |_| Ok((Arc::new(9_u8), 1))), Ok(Arc::new(9)));
    }

    #[test]
    fn the_entries_that_were_not_used_for_longest_make_room() {
        let cache = Cache::default();
        for nth in 0..4 {
            cache.get(&key(nth), &Silent, 100, |_| true, |_| Ok((Arc::new(nth), 30))).unwrap();
            assert!(kept(&cache, &key(0)), "used again each time");
        }
        assert_eq!([0, 1, 2, 3].map(|nth| kept(&cache, &key(nth))), [true, false, true, true]);
        assert_eq!(cache.bytes(), 90);
        // One that is larger than the limit is kept alone until the cache is shrunk.
        cache.get(&key(9), &Silent, 100, |_| true, |_| Ok((Arc::new(9_u8), 1000))).unwrap();
        assert_eq!([0, 2, 3, 9].map(|nth| kept(&cache, &key(nth))), [false, false, false, true]);
        cache.shrink(100);
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
