//! The end of a turn: what each roll is worth when it is entered into the best open box.

use multiversion::multiversion;

use crate::game::Game;
use crate::rules::{Entry, Filled};
use crate::turn::{Number, Row, Rows};

/// What an objective knows: the worth of an entry, for a block of lanes.
pub trait Lanes<T: Number, const W: usize> {
    /// What the game is worth after this entry, its points included.
    fn after(&self, entry: Entry) -> Row<T, W>;
}

/// The space in which a turn is worked out; one for each thread, used again and again.
pub struct Bench<T, const W: usize> {
    rows: Rows<T, W>,
    amounts: Vec<Row<T, W>>,
}

impl<T: Number, const W: usize> Bench<T, W> {
    /// An empty bench.
    pub fn new() -> Self {
        Bench { rows: Rows::new(), amounts: Vec::new() }
    }
}

impl<T: Number, const W: usize> Default for Bench<T, W> {
    fn default() -> Self {
        Bench::new()
    }
}

/// The value of a whole turn that starts with these boxes filled, for a block of lanes.
///
/// Everything below is inlined here and compiled once for each instruction set; the best one that
/// the machine has is chosen at run time.
#[multiversion(targets(
    "x86_64+avx+avx2+bmi1+bmi2+popcnt+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx+avx2+bmi1+bmi2+popcnt",
))]
pub fn turn_value<T: Number, const W: usize, L: Lanes<T, W>>(
    game: &Game,
    filled: Filled,
    lanes: &L,
    bench: &mut Bench<T, W>,
) -> Row<T, W> {
    best_entries(game, filled, lanes, bench);
    game.turn().fold(&mut bench.rows);
    *bench.rows.get(0)
}

/// The value of every final roll: the best entry that the rules allow.
#[inline(always)]
fn best_entries<T: Number, const W: usize, L: Lanes<T, W>>(
    game: &Game,
    filled: Filled,
    lanes: &L,
    bench: &mut Bench<T, W>,
) {
    let open = game.rules().all_boxes().minus(filled.boxes);
    let rows = &mut bench.rows;

    // A zero may go into any box that can pay nothing, whatever the roll: one row for all rolls.
    let mut scratch = Row::of(T::from(f32::NEG_INFINITY));
    for into in open.iter() {
        if game.scores()[into].amounts[0] == 0 {
            scratch = scratch.or(&lanes.after(Entry { into, points: 0, extra: 0 }));
        }
    }
    for roll in game.lattice().rolls() {
        *rows.get_mut(roll as u16) = scratch;
    }

    // A box pays few different amounts over many rolls: work each out once.
    for into in open.iter() {
        let scores = &game.scores()[into];
        bench.amounts.clear();
        bench
            .amounts
            .extend(scores.amounts.iter().map(|&points| lanes.after(Entry { into, points, extra: 0 })));
        for &(roll, amount) in &scores.paying {
            let row = rows.get_mut(roll);
            *row = row.or(&bench.amounts[amount as usize]);
        }
    }

    // Further Yahtzees follow rules of their own.
    if game.rules().is_special(filled) {
        for &(roll, _) in game.all_equal() {
            let dice = &game.lattice().keeps()[roll as usize];
            let entries = game.rules().entries(filled, dice);
            let worst = Row::of(T::from(f32::NEG_INFINITY));
            *rows.get_mut(roll) = entries.into_iter().fold(worst, |best, entry| best.or(&lanes.after(entry)));
        }
    }
}
