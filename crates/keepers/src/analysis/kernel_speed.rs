//! Measures how fast this machine folds turns, to estimate the time of a large solve.

use std::time::Duration;

use crate::clock::Stopwatch;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::{Workspace, turn_value};
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// The most groups measured per layer.
const MAX_GROUPS: usize = 16;
const TURNS_PER_GROUP: usize = 8;

/// Measures the time, in seconds, that one core needs to fold one turn for a block of [`LANES`] lanes. Element `n` of
/// the result is for `n` open boxes. The measurement takes about `time` in total; of many passes, the fastest counts,
/// because other programs disturbed it least.
///
/// # Errors
/// If the work is cancelled.
pub fn seconds_per_turn(game: &Game, time: Duration, work: &Work<'_>) -> Result<Vec<f64>, WorkError> {
    let boxes = game.space().boxes();
    let share = time / boxes as u32;
    let mut workspace = Workspace::new(game);
    let mut seconds = vec![0.0];
    for open in 1..=boxes {
        work.step(open - 1, boxes)?;
        seconds.push(fastest_pass(game, open, share, &mut workspace));
    }
    work.report(boxes, boxes);
    Ok(seconds)
}

fn fastest_pass(game: &Game, open: usize, time: Duration, workspace: &mut Workspace<f64, LANES>) -> f64 {
    let layer = &game.space().groups()[game.space().layer(open)];
    let sample: Vec<_> = layer.iter().step_by(layer.len().div_ceil(MAX_GROUPS)).collect();
    let cells = sample_cells();
    let (start, mut fastest) = (Stopwatch::start(), f64::INFINITY);
    loop {
        let pass = Stopwatch::start();
        for group in &sample {
            workspace.start(game, group.filled, true);
            let curves: Vec<CurveView> = workspace.entries().iter().map(sample_curve).collect();
            let next = ShiftedCurves { cells: &cells, curves: &curves, start: 0 };
            for _ in 0..TURNS_PER_GROUP {
                std::hint::black_box(turn_value(game, &next, workspace));
            }
        }
        fastest = fastest.min(pass.seconds());
        if start.elapsed().is_none_or(|elapsed| elapsed >= time) {
            return fastest / (sample.len() * TURNS_PER_GROUP) as f64;
        }
    }
}

/// The number of values of the curve that all turns are measured with.
const CELLS: usize = 2048;

/// Returns a curve that falls from 1 to 0, like one of a duel.
fn sample_cells() -> Vec<f64> {
    (0..CELLS).map(|cell| (CELLS - cell) as f64 / CELLS as f64).collect()
}

/// Returns a part of the sample curve for an entry. Different entries have different parts.
fn sample_curve(entry: &Entry) -> CurveView {
    let points = usize::from(entry.points + entry.extra);
    let offset = (97 * entry.into.index() + 3 * points) % (CELLS - LANES);
    CurveView { offset, first: 0, last: 0 }
}
