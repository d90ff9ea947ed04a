//! How fast this machine works out turns, to estimate what a large solve would take.

use std::time::Duration;

use crate::clock::Stopwatch;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::{EntryValues, Workspace, turn_value};
use crate::turn::{LANES, Row64};
use crate::work::{Work, WorkError};

const GROUPS: usize = 16;
const TURNS_OF_A_GROUP: usize = 8;

/// Seconds that one core takes for a turn of a block of [`LANES`] lanes, by the number of open boxes, measured in about
/// the given time. The fastest of many passes counts, the one that was disturbed least.
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
    let sample: Vec<_> = layer.iter().step_by(layer.len().div_ceil(GROUPS)).collect();
    let next = NextTurns::new();
    let (start, mut fastest) = (Stopwatch::start(), f64::INFINITY);
    loop {
        let pass = Stopwatch::start();
        for group in &sample {
            workspace.start(game, group.filled, true);
            for _ in 0..TURNS_OF_A_GROUP {
                std::hint::black_box(turn_value(game, &next, workspace));
            }
        }
        fastest = fastest.min(pass.seconds());
        if start.elapsed().is_none_or(|elapsed| elapsed >= time) {
            return fastest / (sample.len() * TURNS_OF_A_GROUP) as f64;
        }
    }
}

/// Values of the next turns as a duel has them: a row of some curve from 1 to 0 for each entry.
struct NextTurns(Vec<f64>);

impl NextTurns {
    fn new() -> NextTurns {
        const CELLS: u32 = 2048;
        NextTurns((0..CELLS).map(|cell| f64::from(CELLS - cell) / f64::from(CELLS)).collect())
    }
}

impl EntryValues<f64, LANES> for NextTurns {
    #[inline(always)]
    fn after(&self, _: usize, entry: Entry) -> Row64 {
        let points = usize::from(entry.points + entry.extra);
        let at = (97 * entry.into.index() + 3 * points) % (self.0.len() - LANES);
        crate::turn::Row(*self.0[at..].first_chunk().expect("a row ends before the last cell"))
    }
}
