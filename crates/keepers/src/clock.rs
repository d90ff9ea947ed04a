//! Elapsed time, on platforms with a clock.
//!
//! `wasm32-unknown-unknown` has no clock; a program can provide one with `set_clock`. Without a clock, time limits are
//! estimated from the amount of work, and times in answers are 0.

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

/// Sets the clock of a platform that has none: a function that returns the seconds since any fixed moment. Only the
/// first call has an effect.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub fn set_clock(seconds: fn() -> f64) {
    let _ = system::CLOCK.set(seconds);
}

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Option<Duration>);

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Stopwatch {
        Stopwatch(system::now())
    }

    /// Returns the time since the start. Returns `None` if there is no clock.
    pub fn elapsed(&self) -> Option<Duration> {
        Some(system::now()?.saturating_sub(self.0?))
    }

    /// Returns the seconds since the start, or 0 if there is no clock.
    pub fn seconds(&self) -> f64 {
        self.elapsed().unwrap_or_default().as_secs_f64()
    }
}
