//! How fast this machine works out turns, to foretell what a large solve would take.

use std::time::{Duration, Instant};

use keepers::Game;
use keepers::rules::Entry;
use keepers::solve::{Bench, Lanes, turn_value};
use keepers::turn::Row;

/// Lanes of a row in double precision.
pub const LANES: usize = 8;

const GROUPS: usize = 16;
const TURNS_OF_A_GROUP: usize = 8;

/// Seconds that one core takes for a turn of a block of lanes, by the number of open boxes, found in
/// about the given time. The fastest of many passes counts, the one that was disturbed least.
pub fn seconds_a_turn(game: &Game, time: Duration) -> Vec<f64> {
    let boxes = game.space().boxes();
    let share = time / boxes as u32;
    let mut bench = Bench::new(game);
    let of_layer = |open| if open == 0 { 0.0 } else { fastest_pass(game, open, share, &mut bench) };
    (0..=boxes).map(of_layer).collect()
}

fn fastest_pass(game: &Game, open: usize, time: Duration, bench: &mut Bench<f64, LANES>) -> f64 {
    let layer = &game.space().groups()[game.space().layer(open)];
    let sample: Vec<_> = layer.iter().step_by(layer.len().div_ceil(GROUPS)).collect();
    let next = NextTurns::new();
    let (start, mut fastest) = (Instant::now(), f64::INFINITY);
    loop {
        let pass = Instant::now();
        for group in &sample {
            bench.start(game, group.filled, true);
            for _ in 0..TURNS_OF_A_GROUP {
                std::hint::black_box(turn_value(game, &next, bench));
            }
        }
        fastest = fastest.min(pass.elapsed().as_secs_f64());
        if start.elapsed() >= time {
            return fastest / (sample.len() * TURNS_OF_A_GROUP) as f64;
        }
    }
}

/// Values to go on with as a duel has them: a row of some curve from 1 to 0 for each entry.
struct NextTurns(Vec<f64>);

impl NextTurns {
    fn new() -> NextTurns {
        const CELLS: u32 = 2048;
        NextTurns((0..CELLS).map(|cell| f64::from(CELLS - cell) / f64::from(CELLS)).collect())
    }
}

impl Lanes<f64, LANES> for NextTurns {
    #[inline(always)]
    fn after(&self, _: usize, entry: Entry) -> Row<f64, LANES> {
        let points = usize::from(entry.points + entry.extra);
        let at = (97 * entry.into.place() + 3 * points) % (self.0.len() - LANES);
        Row(*self.0[at..].first_chunk().expect("a row lies before the end"))
    }
}
