//! `keepers solve`: solve afresh, and show how long it took.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use keepers::internals::table::TableKey;
use keepers::{Game, Observer};
use keepers_api::{Question, SolveAnswer, SolveRequest};

use crate::args::Solve;
use crate::inputs::Inputs;
use crate::output;
use crate::progress::Terminal;
use crate::session::Session;

pub fn run(session: &Session, args: &Solve) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let request = SolveRequest { rules, objective: args.objective.clone(), afresh: true };
    let not_stored = AtomicBool::new(false);
    let answer = inputs.answer(&request, |request, terminal| {
        request.answer(&session.service, &Storing { terminal, failed: &not_stored })
    })?;
    let game = session.game(&request.rules)?;
    let path = path_of(session, &game, &args.objective).filter(|_| !not_stored.load(Ordering::Relaxed));
    if session.json {
        output::json(&answer)?;
    } else {
        let stored = path.as_ref().map_or(String::new(), |path| format!("\nstored in {}", path.display()));
        output::text(&format!("{}{stored}", page(&answer)))?;
    }
    if path.is_none() && session.store().directory().is_some() {
        return Err(anyhow!("the game was solved, but its table could not be stored"));
    }
    Ok(())
}

fn page(answer: &SolveAnswer) -> String {
    let what =
        if answer.objective == "expected" { "best expected score" } else { "mean of the best reach curve" };
    format!(
        "{}: {what} {:.6}\n{} score states solved in {:.3} s on {}",
        answer.rules,
        answer.value,
        output::grouped(answer.states),
        answer.seconds,
        output::count(answer.threads, "thread", "threads"),
    )
}

/// Where the table of a game is stored.
fn path_of(session: &Session, game: &Game, objective: &str) -> Option<PathBuf> {
    let rules = game.rules();
    let key = TableKey {
        rules: rules.fingerprint(),
        name: rules.name().to_string(),
        objective: objective.to_string(),
        cells: 0,
    };
    Some(session.store().directory()?.join(key.file_name()))
}

/// Notes that the store could not keep the table.
struct Storing<'a> {
    terminal: &'a Terminal,
    failed: &'a AtomicBool,
}

impl Observer for Storing<'_> {
    fn progress(&self, work: &str, done: usize, all: usize) {
        self.terminal.progress(work, done, all);
    }

    fn notice(&self, text: &str) {
        if text.starts_with("the table is not kept") {
            self.failed.store(true, Ordering::Relaxed);
        }
        self.terminal.notice(text);
    }
}
