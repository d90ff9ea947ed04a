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
    if !["expected", "reach"].contains(&args.objective.as_str()) {
        let objective = &args.objective;
        return Err(BadInput(format!("\"{objective}\" cannot be solved for: use expected or reach")).into());
    }
    let threads = rayon::current_num_threads();
    let store = session.engine.store();

    // Everything that depends on the rules is part of solving them.
    let start = Instant::now();
    let game = Arc::new(Game::new(rules));
    let name = game.rules().name();
    let states = game.space().states();
    let (value, seconds, kept) = if args.objective == "expected" {
        let work = format!("solving {name}");
        let cells = solve::expected_scores(&game, &|done, all| store.watcher().progress(&work, done, all));
        let seconds = start.elapsed().as_secs_f64();
        (cells.last().copied().unwrap_or_default(), seconds, store.keep_expected(&game, &cells))
    } else {
        keepers::engine::check_size(&game, "reach curves", solve::reach_cells(&game) * size_of::<f32>())?;
        let work = format!("solving {name} for every score");
        let curves = solve::reach_curves(&game, &|done, all| store.watcher().progress(&work, done, all));
        let seconds = start.elapsed().as_secs_f64();
        let start = curves.curve(states - 1);
        let mean = (1..=i32::from(start.most())).map(|s| f64::from(start.at(s))).sum();
        (mean, seconds, store.keep_reach(&game, &curves))
    };
    if session.json {
        let objective = &args.objective;
        return output::json(&Answer { rules: name, objective, states, value, seconds, threads });
    }
    let what =
        if args.objective == "expected" { "best expected score" } else { "mean of the best reach curve" };
    output::text(&format!(
        "{name}: {what} {value:.6}\n{} score states solved in {seconds:.3} s on {threads} {}{}",
        output::grouped(states),
        if threads == 1 { "thread" } else { "threads" },
        kept.map_or(String::new(), |path| format!("\nkept in {}", path.display())),
    ))
}
