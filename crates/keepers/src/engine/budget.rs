//! The budget of running solves: how much memory they may use together, and how many may run at the same time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::error::Error;
use crate::work::{Observer, WorkError};

/// The interval at which a call that waits for budget checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The memory and the number of solves that all running solves of an engine share.
pub(super) struct Budget {
    bytes: usize,
    solves: usize,
    used: Mutex<Used>,
    released: Condvar,
}

#[derive(Default)]
struct Used {
    bytes: usize,
    solves: usize,
}

/// One solve and its memory, reserved until this is dropped.
pub(super) struct Reservation<'a> {
    budget: &'a Budget,
    bytes: usize,
}

impl Budget {
    pub fn new(bytes: usize, solves: usize) -> Budget {
        Budget { bytes, solves: solves.max(1), used: Mutex::default(), released: Condvar::new() }
    }

    /// Returns the memory that running solves may use together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether this many bytes are free now.
    pub fn has(&self, bytes: usize) -> bool {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        bytes <= self.bytes.saturating_sub(used.bytes)
    }

    /// Waits until a solve of this many bytes fits into the budget, and reserves them. A solve that exceeds the whole
    /// budget reserves all of it; callers refuse such solves beforehand.
    ///
    /// While a thread holds a reservation, it must not wait for another solve: that solve could be waiting for this
    /// reservation to be dropped.
    ///
    /// # Errors
    /// If the observer cancels the call.
    pub fn reserve(&self, bytes: usize, observer: &dyn Observer) -> Result<Reservation<'_>, Error> {
        let bytes = bytes.min(self.bytes);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if observer.is_cancelled() {
                return Err(WorkError::Cancelled.into());
            }
            if used.solves < self.solves && used.bytes + bytes <= self.bytes {
                used.solves += 1;
                used.bytes += bytes;
                return Ok(Reservation { budget: self, bytes });
            }
            let waited = self.released.wait_timeout(used, POLL_INTERVAL);
            used = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.solves -= 1;
        used.bytes -= self.bytes;
        drop(used);
        self.budget.released.notify_all();
    }
}

/// Returns the memory that the system can provide now, or `None` if that cannot be determined.
pub(super) fn available_memory() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let number = |text: String| text.trim().parse::<usize>().ok();
        let of_system = read("/proc/meminfo").and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
            Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? << 10)
        });
        // A container may be limited to less memory than its machine has.
        let limit = read("/sys/fs/cgroup/memory.max").and_then(number);
        let used = read("/sys/fs/cgroup/memory.current").and_then(number).unwrap_or(0);
        // The kernel drops cached files when memory is needed, so they count as free.
        let cached: usize = read("/sys/fs/cgroup/memory.stat").map_or(0, |text| {
            let value = |line: &str| {
                line.split_once(' ')
                    .filter(|(name, _)| name.ends_with("active_file"))
                    .map(|(_, bytes)| bytes.parse::<usize>().unwrap_or(0))
            };
            text.lines().filter_map(value).sum()
        });
        let of_container = limit.map(|limit| limit.saturating_sub(used.saturating_sub(cached)));
        of_system.into_iter().chain(of_container).min()
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::work::{NoWork, Silent};

    #[test]
    fn running_solves_never_exceed_the_budget() {
        let budget = Budget::new(100, 3);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let _reserved = budget.reserve(40, &Silent).unwrap();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn a_call_that_waits_for_budget_can_be_cancelled() {
        let budget = Budget::new(100, 1);
        let held = budget.reserve(1, &Silent).unwrap();
        assert!(matches!(budget.reserve(1, &NoWork), Err(error) if error.is_cancelled()));
        drop(held);
        assert!(budget.reserve(100, &Silent).is_ok());
    }
}
