//! Elapsed time, where there is a clock.
//!
//! `wasm32-unknown-unknown` has none: a program for it can provide one with `set_clock`. Without a clock, limits on
//! time are estimated from the amount of work, and times in answers are 0.

use std::time::Duration;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod system {
    use std::sync::OnceLock;
    use std::time::Duration;

    pub static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    pub fn now() -> Option<Duration> {
        CLOCK.get().map(|clock| Duration::from_secs_f64(clock().max(0.0)))
    }
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod system {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    pub fn now() -> Option<Duration> {
        static START: OnceLock<Instant> = OnceLock::new();
        Some(START.get_or_init(Instant::now).elapsed())
    }
}

/// Provides the clock of a platform that has none: seconds since any fixed moment. Only the first call counts.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub fn set_clock(seconds: fn() -> f64) {
    let _ = system::CLOCK.set(seconds);
}

/// Measures elapsed time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Option<Duration>);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch(system::now())
    }

    /// The time since the start. Returns `None` if there is no clock.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(system::now()?.saturating_sub(self.0?))
    }

    /// The seconds since the start; 0 if there is no clock.
    pub fn seconds(&self) -> f64 {
        self.elapsed().unwrap_or_default().as_secs_f64()
    }
}
