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
            last_line: None,
            bar: None,
        });
        let past = underway.started.elapsed();
        if past < QUIET {
            return;
        }
        if std::io::stderr().is_terminal() {
            let bar = underway.bar.get_or_insert_with(|| new_bar(work, all, past));
            bar.set_position(done as u64);
        } else if underway.last_line.is_none_or(|last| last.elapsed() >= BETWEEN_LINES) {
            underway.last_line = Some(Instant::now());
            let left = past.as_secs_f64() * (all - done) as f64 / done.max(1) as f64;
            let percent = 100 * done / all;
            output::note(&format!("{work}: {percent} %, about {left:.0} s left"));
        }
    }
}

fn new_bar(work: &str, all: usize, past: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {percent:>3} %, {eta} left")
        .expect("the template is fixed");
    let bar = ProgressBar::new(all as u64).with_style(style).with_elapsed(past);
    bar.set_message(work.to_string());
    bar
}
