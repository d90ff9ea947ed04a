//! Work that takes long: how far it is, whether anybody still wants it, and how much of it goes on at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keepers::store::Watcher;

/// Locks, whatever happened to whoever held it before: what we guard is always whole.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far some work is.
#[derive(Clone, Debug, PartialEq)]
pub struct Far {
    /// What is being done.
    pub work: String,
    /// How much of it is done.
    pub done: usize,
    /// How much there is in all.
    pub all: usize,
    /// When this work began.
    pub since: Instant,
}

impl Far {
    /// The part that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.all == 0 { 0.0 } else { (self.done as f64 / self.all as f64).clamp(0.0, 1.0) }
    }

    /// The seconds that it will still take, if it goes on like this.
    pub fn seconds_left(&self) -> Option<f64> {
        let (share, past) = (self.share(), self.since.elapsed().as_secs_f64());
        // The first moments say nothing about the rest.
        (share > 0.0 && past > 0.5).then(|| past * (1.0 - share) / share)
    }
}

/// Thrown through the work when nobody wants it any more.
pub struct Stopped;

/// One piece of long work. It is told how the work goes on, and unwinds it once it is to stop.
pub struct Task {
    far: Mutex<Far>,
    stop: AtomicBool,
    /// How many others wait for something that this work makes.
    wanted: AtomicUsize,
    over: AtomicBool,
    places: Arc<Places>,
}

impl Task {
    /// Work that has not begun.
    pub fn new(work: impl Into<String>, places: &Arc<Places>) -> Task {
        let far = Far { work: work.into(), done: 0, all: 0, since: Instant::now() };
        Task {
            far: Mutex::new(far),
            stop: AtomicBool::new(false),
            wanted: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            places: Arc::clone(places),
        }
    }

    /// How far it is.
    pub fn far(&self) -> Far {
        lock(&self.far).clone()
    }

    /// Takes over how far other work is that this one waits for.
    pub fn follow(&self, other: &Task) {
        *lock(&self.far) = other.far();
    }

    /// Nobody wants it any more.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it is to stop: whoever asked for it has given up, and nobody else needs what it makes.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) && !self.is_wanted()
    }

    /// Whether others need what it makes.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// Others need what it makes, for as long as this is held.
    pub fn want(&self) -> Wanted<'_> {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        Wanted(self)
    }

    /// Unwinds if the work is to stop.
    pub fn check(&self) {
        // Tables outlive the work that made them, and may still tell it things.
        if self.is_stopped() && !self.over.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new(Stopped));
        }
    }

    /// The work has ended, in whatever way.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Waits for something that other work does, and lets others work meanwhile.
    pub fn let_others_work<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.places.leave();
        let waited = wait();
        self.places.enter(|| false);
        waited
    }

    /// Notes how far the work is.
    pub fn tell(&self, work: &str, done: usize, all: usize) {
        {
            let mut far = lock(&self.far);
            if far.work != work || done < far.done {
                *far = Far { work: work.to_string(), done, all, since: Instant::now() };
            } else {
                (far.done, far.all) = (done, all);
            }
        }
        self.check();
    }
}

/// Somebody else needs what a task makes.
pub struct Wanted<'a>(&'a Task);

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        self.0.wanted.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Watcher for Task {
    fn notice(&self, text: &str) {
        eprintln!("keepers: {text}");
    }

    fn progress(&self, work: &str, done: usize, all: usize) {
        self.tell(work, done, all);
    }
}

/// Places at which work can be done: so much of it goes on at a time.
pub struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Places {
    /// So many places.
    pub fn new(places: usize) -> Places {
        Places { free: Mutex::new(places), freed: Condvar::new() }
    }

    /// Waits for a place and takes it; not if whoever wanted it was told to stop meanwhile.
    pub fn enter(&self, stopped: impl Fn() -> bool) -> bool {
        const LOOK: Duration = Duration::from_millis(100);
        let mut free = lock(&self.free);
        while *free == 0 {
            if stopped() {
                return false;
            }
            let waited = self.freed.wait_timeout(free, LOOK);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        true
    }

    /// Gives the place back.
    pub fn leave(&self) {
        *lock(&self.free) += 1;
        self.freed.notify_one();
    }
}
