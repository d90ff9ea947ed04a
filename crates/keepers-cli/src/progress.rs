//! Shows progress and notices on stderr: a bar with the time left on a terminal, plain lines otherwise, and no progress
//! for work that takes less than a second. Write errors are ignored.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use keepers::Observer;

use crate::output;

const QUIET: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// An observer that shows progress and notices to the user.
pub struct Terminal {
    quiet: bool,
    work: Mutex<Option<Underway>>,
}

/// Work in progress.
struct Underway {
    work: String,
    started: Instant,
    /// The time of the last report in the first second, and what was done then. A solve that is continued first reports
    /// what an earlier run has done, which says nothing about the time that is left.
    base: (Duration, usize),
    last_line: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Terminal {
    /// Creates an observer that shows notices and, unless `quiet`, progress.
    pub fn new(quiet: bool) -> Terminal {
        Terminal { quiet, work: Mutex::new(None) }
    }

    /// Removes the bar, if there is one.
    pub fn clear(&self) {
        end(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Underway>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn end(work: &mut Option<Underway>) {
    if let Some(bar) = work.take().and_then(|work| work.bar) {
        bar.finish_and_clear();
    }
}

impl Observer for Terminal {
    fn notice(&self, text: &str) {
        let work = self.lock();
        match work.as_ref().and_then(|work| work.bar.as_ref()) {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }

    fn progress(&self, work: &str, done: usize, all: usize) {
        if self.quiet {
            return;
        }
        let mut underway = self.lock();
        if done >= all || underway.as_ref().is_some_and(|underway| underway.work != work) {
            end(&mut underway);
        }
        if done >= all {
            return;
        }
        let underway = underway.get_or_insert_with(|| Underway {
            work: work.to_string(),
            started: Instant::now(),
            base: (Duration::ZERO, 0),
            last_line: None,
            bar: None,
        });
        let past = underway.started.elapsed();
        if past < QUIET {
            underway.base = (past, done);
            return;
        }
        if std::io::stderr().is_terminal() {
            let bar = underway.bar.get_or_insert_with(|| new_bar(work, all, past));
            bar.set_position(done as u64);
        } else if underway.last_line.is_none_or(|last| last.elapsed() >= BETWEEN_LINES) {
            underway.last_line = Some(Instant::now());
            let percent = 100 * done / all;
            match underway.seconds_left(past, done, all) {
                Some(left) => output::note(&format!("{work}: {percent} %, about {left:.0} s left")),
                None => output::note(&format!("{work}: {percent} %")),
            }
        }
    }
}

impl Underway {
    /// Estimates the seconds that are left, by what was done since the base. Returns `None` if that is nothing.
    fn seconds_left(&self, past: Duration, done: usize, all: usize) -> Option<f64> {
        let (before, done_before) = self.base;
        let done_since = done.checked_sub(done_before).filter(|&done| done > 0)?;
        Some((past - before).as_secs_f64() * (all - done) as f64 / done_since as f64)
    }
}

fn new_bar(work: &str, all: usize, past: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {percent:>3} %, {eta} left")
        .expect("the template is fixed");
    let bar = ProgressBar::new(all as u64).with_style(style).with_elapsed(past);
    bar.set_message(work.to_string());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_does_not_count_what_an_earlier_run_has_done() {
        let seconds = Duration::from_secs;
        let mut underway = Underway {
            work: "work".into(),
            started: Instant::now(),
            base: (seconds(0), 0),
            last_line: None,
            bar: None,
        };
        assert_eq!(underway.seconds_left(seconds(10), 25, 100), Some(30.0));
        assert_eq!(underway.seconds_left(seconds(10), 0, 100), None);
        // 90 of 100 were done before.
        underway.base = (seconds(0), 90);
        assert_eq!(underway.seconds_left(seconds(10), 92, 100), Some(40.0));
        assert_eq!(underway.seconds_left(seconds(10), 90, 100), None);
    }
}
