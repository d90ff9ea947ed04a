//! How much work the engine does at a time: the memory that running solves may take together, and their number.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::error::Error;
use crate::work::{Observer, WorkError};

/// How long a call that waits for its turn sleeps before it looks whether it was cancelled.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What may be used.
pub(super) struct Budget {
    bytes: usize,
    calls: usize,
    used: Mutex<Used>,
    released: Condvar,
}

#[derive(Default)]
struct Used {
    bytes: usize,
    calls: usize,
}

/// A part of the budget, until it is dropped.
pub(super) struct Reserved<'a> {
    budget: &'a Budget,
    bytes: usize,
}

impl Budget {
    pub fn new(bytes: usize, calls: usize) -> Budget {
        Budget { bytes, calls: calls.max(1), used: Mutex::default(), released: Condvar::new() }
    }

    /// The memory that running solves may take together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Waits until there is room for a solve of this many bytes. A caller must not wait for anything else that is
    /// solved while it holds a part of the budget.
    pub fn reserve(&self, bytes: usize, observer: &dyn Observer) -> Result<Reserved<'_>, Error> {
        let bytes = bytes.min(self.bytes);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if observer.is_cancelled() {
                return Err(WorkError::Cancelled.into());
            }
            if used.calls < self.calls && used.bytes + bytes <= self.bytes {
                used.calls += 1;
                used.bytes += bytes;
                return Ok(Reserved { budget: self, bytes });
            }
            let waited = self.released.wait_timeout(used, BETWEEN_LOOKS);
            used = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.calls -= 1;
        used.bytes -= self.bytes;
        drop(used);
        self.budget.released.notify_all();
    }
}

/// The memory that the system can provide at the moment, as far as it can be known.
pub(super) fn available_memory() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let number = |text: String| text.trim().parse::<usize>().ok();
        let of_system = read("/proc/meminfo").and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
            Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? << 10)
        });
        // A container may have less than its machine.
        let limit = read("/sys/fs/cgroup/memory.max").and_then(number);
        let used = read("/sys/fs/cgroup/memory.current").and_then(number).unwrap_or(0);
        // Cached files are given up when memory is needed.
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
    fn no_more_is_used_than_the_budget_has() {
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
    fn a_call_that_waits_for_its_turn_can_be_cancelled() {
        let budget = Budget::new(100, 1);
        let held = budget.reserve(1, &Silent).unwrap();
        assert!(matches!(budget.reserve(1, &NoWork), Err(error) if error.is_cancelled()));
        drop(held);
        assert!(budget.reserve(100, &Silent).is_ok());
    }
}
