//! Long-running work: who observes it, and how it ends early.
//!
//! Every call that may take long accepts an [`Observer`]. It receives progress and notices, and it can cancel the
//! call, which then returns [`WorkError::Cancelled`]. Observers belong to one call: no table, player or cache keeps
//! one.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::text::byte_size;

/// Observes one call: receives its progress and its notices, and may cancel it. Any thread may call it.
pub trait Observer: Sync {
    /// Reports that `done` of `all` units of some work are done. `work` names the work for people, like
    /// `solving yahtzee`. For one piece of work `done` never falls, and is `all` at its end.
    fn progress(&self, work: &str, done: usize, all: usize) {
        let _ = (work, done, all);
    }

    /// Reports something that the user should know, in one line.
    fn notice(&self, text: &str) {
        let _ = text;
    }

    /// Returns whether the call should end early. It is asked every few milliseconds.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores everything and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Cancels all work at once, so that a call returns only what needs no work: an answer from tables that are in
/// memory already.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWork;

impl Observer for NoWork {
    fn is_cancelled(&self) -> bool {
        true
    }
}

/// Why work ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The observer cancelled it.
    #[error("the work was cancelled")]
    Cancelled,
    /// The system did not provide the memory.
    #[error("{} of memory could not be allocated", byte_size(*bytes as u128))]
    OutOfMemory {
        /// The size of the allocation that failed.
        bytes: usize,
    },
}

/// One piece of work with a name, as solvers see it: they report their steps here and stop when it says so.
pub struct Work<'a> {
    observer: &'a dyn Observer,
    name: Cow<'a, str>,
}

impl<'a> Work<'a> {
    /// A piece of work with this name.
    pub fn new(observer: &'a dyn Observer, name: impl Into<Cow<'a, str>>) -> Work<'a> {
        Work { observer, name: name.into() }
    }

    /// Work that nobody observes and nobody cancels.
    ///
    /// ```
    /// use keepers::{Game, Rules};
    /// use keepers::internals::{Work, solve};
    /// let game = Game::new(Rules::preset("yacht").unwrap());
    /// let values = solve::expected_scores(&game, &Work::silent()).unwrap();
    /// assert!((values.last().unwrap() - 166.988118).abs() < 1e-6);
    /// ```
    pub fn silent() -> Work<'static> {
        Work { observer: &Silent, name: Cow::Borrowed("") }
    }

    /// The observer.
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Reports progress.
    pub fn report(&self, done: usize, all: usize) {
        self.observer.progress(&self.name, done, all);
    }

    /// Returns an error if the work should end.
    #[inline]
    pub fn check(&self) -> Result<(), WorkError> {
        if self.observer.is_cancelled() { Err(WorkError::Cancelled) } else { Ok(()) }
    }

    /// Reports progress, and returns an error if the work should end.
    pub fn step(&self, done: usize, all: usize) -> Result<(), WorkError> {
        self.report(done, all);
        self.check()
    }
}

/// This many GiB in bytes, or as many bytes as the platform can address.
pub const fn gibibytes(n: usize) -> usize {
    n.saturating_mul(1 << 30)
}

/// Passes on everything but progress, to players in the middle of a game: the progress of a single turn says nothing
/// about that of many games, and several of them are played at the same time.
pub(crate) struct NoProgress<'a>(pub &'a dyn Observer);

impl Observer for NoProgress<'_> {
    fn notice(&self, text: &str) {
        self.0.notice(text);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The progress of a piece of work that several threads do together.
pub(crate) struct Progress<'a> {
    work: &'a Work<'a>,
    all: usize,
    /// The binary logarithm of the units between two reports.
    interval: u32,
    done: AtomicUsize,
    /// Held while the observer receives a report.
    reporting: Mutex<()>,
}

impl<'a> Progress<'a> {
    /// Progress that is reported about every `1 << interval` units.
    pub fn new(work: &'a Work<'a>, all: usize, interval: u32) -> Progress<'a> {
        Progress { work, all, interval, done: AtomicUsize::new(0), reporting: Mutex::new(()) }
    }

    /// Counts units that are done, reports them if a report is due, and returns an error if the work should end.
    #[inline]
    pub fn add(&self, units: usize) -> Result<(), WorkError> {
        let before = self.done.fetch_add(units, Ordering::Relaxed);
        if before >> self.interval != (before + units) >> self.interval {
            self.report();
        }
        self.work.check()
    }

    #[cold]
    fn report(&self) {
        // While another thread reports, nothing is lost: the next report counts these units too. The count is read
        // under the lock; read before, a larger one could overtake it.
        if let Ok(_reporting) = self.reporting.try_lock() {
            self.work.report(self.done.load(Ordering::Relaxed).min(self.all), self.all);
        }
    }

    /// Reports that all is done.
    pub fn finish(self) {
        self.work.report(self.all, self.all);
    }
}

/// A vector of zeros, or an error if the system has not enough memory. Pages of a large vector are taken from the
/// system when they are first written to.
pub(crate) fn zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>, WorkError> {
    let failed = |()| WorkError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) };
    bytemuck::try_zeroed_vec(len).map_err(failed)
}

/// Room for `more` further elements, or an error if the system has not enough memory.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<(), WorkError> {
    let failed = |_| WorkError::OutOfMemory { bytes: more.saturating_mul(size_of::<T>()) };
    vec.try_reserve(more).map_err(failed)
}
