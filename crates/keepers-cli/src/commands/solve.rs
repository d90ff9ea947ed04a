//! `keepers solve`: solve afresh, and tell how long it took.

use std::sync::Arc;
use std::time::Instant;

use keepers::{Game, solve};
use serde::Serialize;

use crate::args::Solve;
use crate::bad_input::BadInput;
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer<'a> {
    rules: &'a str,
    objective: &'a str,
    states: usize,
    value: f64,
    seconds: f64,
    threads: usize,
}

pub fn run(session: &Session, args: &Solve) -> anyhow::Result<()> {
    let rules = session::rules(&args.game.rules)?;
    session::check_objective(&args.objective).map_err(|error| BadInput(format!("objective: {error}")))?;
    let threads = rayon::current_num_threads();

    // Everything that depends on the rules is part of solving them.
    let start = Instant::now();
    let game = Arc::new(Game::new(rules));
    let name = game.rules().name();
    let cells = solve::expected_scores(&game, &|done, all| session.store.watcher().progress(name, done, all));
    let seconds = start.elapsed().as_secs_f64();

    let states = cells.len();
    let value = cells.last().copied().unwrap_or_default();
    let kept = session.store.keep_expected(&game, &cells);
    if session.json {
        return output::json(&Answer {
            rules: name,
            objective: &args.objective,
            states,
            value,
            seconds,
            threads,
        });
    }
    output::text(&format!(
        "{name}: best expected score {value:.6}\n{} score states solved in {seconds:.3} s on {threads} {}{}",
        output::grouped(states),
        if threads == 1 { "thread" } else { "threads" },
        kept.map_or(String::new(), |path| format!("\nkept in {}", path.display())),
    ))
}
