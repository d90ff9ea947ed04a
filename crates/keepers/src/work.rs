//! Long-running work: how it is observed and cancelled.
//!
//! Every call that may take long accepts an [`Observer`]. The observer receives progress and notices, and it can cancel
//! the call, which then returns [`WorkError::Cancelled`]. An observer belongs to one call: no table, player or cache
//! stores it.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::text::byte_size;

/// Receives the progress and the notices of one call, and can cancel it. Any thread may call its methods.
pub trait Observer: Sync {
    /// Reports that `done` of `all` units are done. `work` describes the work to people, such as `solving yahtzee`. For
    /// one piece of work `done` never decreases, and equals `all` at the end.
    fn progress(&self, work: &str, done: usize, all: usize) {
        let _ = (work, done, all);
    }

    /// Reports a message of one line that the user should read.
    fn notice(&self, text: &str) {
        let _ = text;
    }

    /// Returns whether the call should end early. Called every few milliseconds.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that ignores everything and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// An observer that cancels all work at once, so that a call returns only answers that need no work because their
/// tables are in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWork;

impl Observer for NoWork {
    fn is_cancelled(&self) -> bool {
        true
    }
}

/// The reason why work ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// The observer cancelled the work.
    #[error("the work was cancelled")]
    Cancelled,
    /// A memory allocation failed.
    #[error("{} of memory could not be allocated", byte_size(*bytes as u128))]
    OutOfMemory {
        /// The size of the allocation that failed.
        bytes: usize,
    },
}

/// A named piece of work. Solvers report their progress to it and stop when [`Work::check`] fails.
pub struct Work<'a> {
    observer: &'a dyn Observer,
    name: Cow<'a, str>,
}

impl<'a> Work<'a> {
    /// Names a piece of work for an observer.
    pub fn new(observer: &'a dyn Observer, name: impl Into<Cow<'a, str>>) -> Work<'a> {
        Work { observer, name: name.into() }
    }

    /// Creates work without an observer.
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

    /// Returns the observer.
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

/// Converts GiB to bytes; the result is limited to `usize::MAX`.
pub const fn gibibytes(n: usize) -> usize {
    n.saturating_mul(1 << 30)
}

/// Passes on everything but progress. For players in the middle of a game: several games are played at the same time,
/// and the progress of one turn does not show that of all games.
pub(crate) struct NoProgress<'a>(pub &'a dyn Observer);

impl Observer for NoProgress<'_> {
    fn notice(&self, text: &str) {
        self.0.notice(text);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The progress of one piece of work that several threads share.
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
    /// Creates progress that is reported about every `1 << interval` units.
    pub fn new(work: &'a Work<'a>, all: usize, interval: u32) -> Progress<'a> {
        Progress { work, all, interval, done: AtomicUsize::new(0), reporting: Mutex::new(()) }
    }

    /// Adds units that are done, reports progress if a report is due, and returns an error if the work should end.
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
        // If another thread is reporting, skip: the next report includes these units. The count must be read under the
        // lock, because a count read earlier could be reported after a larger one.
        if let Ok(_reporting) = self.reporting.try_lock() {
            self.work.report(self.done.load(Ordering::Relaxed).min(self.all), self.all);
        }
    }

    /// Reports that all units are done.
    pub fn finish(self) {
        self.work.report(self.all, self.all);
    }
}

/// Allocates a vector of zeros. The system provides the pages of a large vector when they are first written.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn zeroed<T: bytemuck::Zeroable>(len: usize) -> Result<Vec<T>, WorkError> {
    let failed = |()| WorkError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) };
    bytemuck::try_zeroed_vec(len).map_err(failed)
}

/// Reserves room for `more` elements.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<(), WorkError> {
    let failed = |_| WorkError::OutOfMemory { bytes: more.saturating_mul(size_of::<T>()) };
    vec.try_reserve(more).map_err(failed)
}
