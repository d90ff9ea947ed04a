//! Progress and notices on stderr: a bar with an estimate on a terminal, plain lines otherwise,
//! nothing for work that takes less than a second.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use keepers::store::Watcher;

const QUIET: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Tells the user.
pub struct Told {
    quiet: bool,
    work: Mutex<Option<Work>>,
}

impl Told {
    /// Tells notices, and progress unless it is to be quiet.
    pub fn new(quiet: bool) -> Told {
        Told { quiet, work: Mutex::new(None) }
    }
}

struct Work {
    started: Instant,
    last_line: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Watcher for Told {
    fn notice(&self, text: &str) {
        anstream::eprintln!("keepers: {text}");
    }

    fn progress(&self, work: &str, done: usize, all: usize) {
        if self.quiet {
            return;
        }
        let mut state = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if done >= all {
            if let Some(bar) = state.take().and_then(|state| state.bar) {
                bar.finish_and_clear();
            }
            return;
        }
        let started = Instant::now();
        let state = state.get_or_insert(Work { started, last_line: None, bar: None });
        let past = state.started.elapsed();
        if past < QUIET {
            return;
        }
        if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            let bar = state.bar.get_or_insert_with(|| new_bar(work, all, past));
            bar.set_position(done as u64);
        } else if state.last_line.is_none_or(|last| last.elapsed() >= BETWEEN_LINES) {
            state.last_line = Some(Instant::now());
            let left = past.as_secs_f64() * (all - done) as f64 / done.max(1) as f64;
            let percent = 100 * done / all;
            anstream::eprintln!("keepers: {work}: {percent} %, about {left:.0} s left");
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
