//! Shows how fast tasks of the complete two-player game are solved, with 8 lanes of double precision and with 16 and 32
//! lanes of single precision: nanoseconds on one core per value. The last line of each layer has 16 lanes, and counts values
//! closer than 2^-18 to 0 or 1 as certain. The layer below is estimated by reach curves.
//!
//! `cargo run --release -p keepers --example task_speed -- yahtzee 14 20`

use std::sync::Arc;
use std::time::Duration;

use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::players::emp_estimate;
use keepers::internals::solve::{CompleteGame, Horizon, TaskId, TaskSolver};
use keepers::internals::turn::Number;
use keepers::{Engine, Error, Game};

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let game = Game::preset(&args.next().unwrap_or_else(|| "yahtzee".into()))?;
    let reach = Engine::cached().reach_table(&game)?;
    let estimate = emp_estimate(&reach);
    let complete = CompleteGame::new(&game, &Work::silent()).expect("silent work is not cancelled");
    for layer in args.map(|layer| layer.parse().expect("layers are numbers")) {
        for _ in 0..2 {
            time::<f64, 8>(&complete, layer, &estimate, 0.0);
            time::<f32, 16>(&complete, layer, &estimate, 0.0);
            time::<f32, 32>(&complete, layer, &estimate, 0.0);
            time::<f32, 16>(&complete, layer, &estimate, 0.5_f64.powi(18));
        }
    }
    Ok(())
}

/// Solves some blocks of the task in the middle of a layer, spread over its box sets.
fn time<T: Number, const W: usize>(
    complete: &CompleteGame,
    layer: usize,
    estimate: &Arc<dyn Horizon>,
    settled: f64,
) {
    let task = TaskId { layer, other: complete.tasks(layer) / 2 };
    const BLOCKS: usize = 5;
    let blocks = complete.blocks(layer);
    let movers: Vec<usize> = (0..BLOCKS).map(|nth| (2 * nth + 1) * blocks / (2 * BLOCKS)).collect();
    let solver: TaskSolver<'_, T, W> = TaskSolver::new(complete, Threads::One).settling(settled);
    let mut started = time_on_core();
    let solved = solver.solve(task, &movers, &Work::silent(), |below: TaskId, values: &mut Vec<T>| {
        let filled = complete.filled(below);
        if movers.iter().any(|&mover| complete.filled_by_mover(layer, mover).minus(filled).is_empty()) {
            complete.estimate(below, task.other, &**estimate, settled, values);
        }
        started = time_on_core();
        Ok::<_, Error>(())
    });
    let (seconds, values) =
        ((time_on_core() - started).as_secs_f64(), solved.expect("a task is solved").values);
    let certain = values.iter().filter(|value| matches!((**value).into(), 0.0 | 1.0)).count();
    println!(
        "layer {layer}, {W} lanes of {} bytes: {:.1} ns per value, {:.0} % of {} values certain",
        size_of::<T>(),
        1e9 * seconds / values.len() as f64,
        100.0 * certain as f64 / values.len() as f64,
        values.len()
    );
}

/// Returns the time that this thread has spent on a core, which Linux reports in nanoseconds.
fn time_on_core() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this needs Linux");
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number of schedstat is the time on a core"))
}
