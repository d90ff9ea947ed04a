//! The observer of one job: its progress, and whether it should stop.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use keepers::Observer;

/// Locks a mutex even if a thread panicked while it held the lock. This is safe because no critical section of this
/// crate leaves its data in an invalid state.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of some work.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskProgress {
    /// A description of the work.
    pub work: String,
    /// The number of finished units of work.
    pub done: usize,
    /// The number of all units of work.
    pub all: usize,
    /// The time when this work started.
    pub since: Instant,
}

impl TaskProgress {
    /// Returns the finished share of the work, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.all == 0 { 0.0 } else { (self.done as f64 / self.all as f64).clamp(0.0, 1.0) }
    }

    /// Returns the seconds that the rest will take at the speed so far, or `None` if it is too early to tell.
    pub fn seconds_left(&self) -> Option<f64> {
        let (share, past) = (self.share(), self.since.elapsed().as_secs_f64());
        // The speed of the first half second is not representative.
        (share > 0.0 && past > 0.5).then(|| past * (1.0 - share) / share)
    }
}

/// The observer of one job.
pub struct Task {
    progress: Mutex<TaskProgress>,
    stop: AtomicBool,
}

impl Task {
    /// Creates the observer of work that has not started.
    pub fn new(work: impl Into<String>) -> Task {
        let progress = TaskProgress { work: work.into(), done: 0, all: 0, since: Instant::now() };
        Task { progress: Mutex::new(progress), stop: AtomicBool::new(false) }
    }

    /// Returns the progress so far.
    pub fn snapshot(&self) -> TaskProgress {
        lock(&self.progress).clone()
    }

    /// Cancels the work.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Observer for Task {
    fn progress(&self, work: &str, done: usize, all: usize) {
        let mut progress = lock(&self.progress);
        if progress.work != work || done < progress.done {
            *progress = TaskProgress { work: work.to_string(), done, all, since: Instant::now() };
        } else {
            (progress.done, progress.all) = (done, all);
        }
    }

    fn notice(&self, text: &str) {
        // Unlike `eprintln!`, this does not panic if there is no reader.
        let _ = writeln!(std::io::stderr(), "keepers: {text}");
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_starts_anew_with_other_work() {
        let task = Task::new("waiting");
        task.progress("solving", 3, 4);
        assert_eq!((task.snapshot().done, task.snapshot().share()), (3, 0.75));
        task.progress("following", 1, 2);
        assert_eq!((task.snapshot().work.as_str(), task.snapshot().share()), ("following", 0.5));
    }

    #[test]
    fn a_stopped_task_cancels_its_work() {
        let task = Task::new("solving");
        assert!(!task.is_cancelled());
        task.stop();
        assert!(task.is_cancelled());
    }
}
