//! The end of a turn: what each roll is worth when it is entered into the best open box.

use std::sync::{Mutex, MutexGuard, PoisonError};

use multiversion::multiversion;

use super::halves::Halves;
use crate::game::Game;
use crate::rules::{Entry, Filled};
use crate::turn::{Number, Row, Rows, Turn};

/// What an objective knows: the worth of an entry, for a block of lanes.
pub trait Lanes<T: Number, const W: usize> {
    /// What the game is worth after this entry, its points included.
    fn after(&self, entry: Entry) -> Row<T, W>;

    /// Whether more points in the same box are never worse: then a zero that the rules do not allow,
    /// because the dice pay, may be considered all the same, and that is quicker.
    fn more_is_better(&self) -> bool {
        true
    }
}

/// The space in which turns are worked out; one for each thread, used again and again.
pub struct Bench<T, const W: usize> {
    rows: Rows<T, W>,
    amounts: Rows<T, W>,
    parts: [Rows<T, W>; 2],
    halves: Halves,
    filled: Filled,
    special: Vec<(u16, Entry)>,
}

impl<T: Number, const W: usize> Bench<T, W> {
    /// A bench for the turns of a game.
    pub fn new(game: &Game) -> Self {
        let halves = Halves::new(game.lattice(), game.space().upper());
        Bench {
            rows: Rows::new(),
            parts: [Rows::new(), Rows::new()],
            halves,
            amounts: Rows::new(),
            filled: Filled::default(),
            special: Vec::new(),
        }
    }

    /// Makes ready for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        self.filled = filled;
        self.special.clear();
        game.special_entries(filled, |roll, entry| self.special.push((roll, entry)));
    }
}

/// A bench for each thread of the current rayon pool.
pub struct Benches<T, const W: usize>(Vec<Mutex<Bench<T, W>>>);

impl<T: Number, const W: usize> Benches<T, W> {
    /// Benches for the turns of a game.
    pub fn new(game: &Game) -> Self {
        Benches((0..rayon::current_num_threads()).map(|_| Mutex::new(Bench::new(game))).collect())
    }

    /// The bench of this thread; nobody else asks for it.
    pub fn take(&self) -> MutexGuard<'_, Bench<T, W>> {
        let bench = &self.0[rayon::current_thread_index().unwrap_or(0)];
        bench.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The value of a whole turn for a block of lanes, on a bench made ready for it.
pub fn turn_value<T: Number, const W: usize, L: Lanes<T, W>>(
    game: &Game,
    lanes: &L,
    bench: &mut Bench<T, W>,
) -> Row<T, W> {
    best_entries(game, lanes, bench);
    fold(game.turn(), &mut bench.rows)
}

/// The inside of the turn. Everything that it calls is inlined here and compiled once for each
/// instruction set; the best one that the machine has is chosen at run time.
#[multiversion(targets(
    "x86_64+avx+avx2+bmi1+bmi2+popcnt+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx+avx2+bmi1+bmi2+popcnt",
))]
fn fold<T: Number, const W: usize>(turn: &Turn, rows: &mut Rows<T, W>) -> Row<T, W> {
    turn.fold(rows)
}

/// The value of every final roll: the best entry that the rules allow.
#[multiversion(targets(
    "x86_64+avx+avx2+bmi1+bmi2+popcnt+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx+avx2+bmi1+bmi2+popcnt",
))]
fn best_entries<T: Number, const W: usize, L: Lanes<T, W>>(game: &Game, lanes: &L, bench: &mut Bench<T, W>) {
    let Bench { rows, amounts, parts, halves, filled, special } = bench;
    let open = game.rules().all_boxes().minus(filled.boxes);
    let worst = Row::of(T::from(f32::NEG_INFINITY));

    let upper = game.space().upper();
    let after = |into, points| lanes.after(Entry { into, points, extra: 0 });

    // A zero may go into any box that can pay nothing, whatever the roll: one row for all rolls.
    let mut scratch = worst;
    if lanes.more_is_better() {
        for into in open.iter().filter(|&into| game.scores()[into].amounts[0] == 0) {
            scratch = scratch.or(&after(into, 0));
        }
    }

    // The upper boxes, half by half.
    for (parts, of) in parts.iter_mut().zip(&halves.parts) {
        for part in 0..of.len {
            *parts.get_mut(part) = scratch;
        }
        for (slot, counts) in &of.boxes {
            let (into, face) = upper.in_slot(*slot);
            if open.contains(into) {
                for count in 0..=game.rules().dice() {
                    *amounts.get_mut(u16::from(count)) = after(into, u16::from(count * face.pips()));
                }
                for (part, &count) in (0..).zip(counts) {
                    let row = parts.get_mut(part);
                    *row = raise(row, amounts.get(u16::from(count)), &scratch);
                }
            }
        }
    }
    let [low_parts, high_parts] = parts;
    for &(roll, [low, high]) in &halves.rolls {
        *rows.get_mut(roll) = low_parts.get(low).or(high_parts.get(high));
    }

    // A lower box pays few different amounts over many rolls: work each out once.
    for into in open.iter().filter(|&into| upper.slot(into).is_none()) {
        let scores = &game.scores()[into];
        for (amount, &points) in (0..).zip(&scores.amounts) {
            *amounts.get_mut(amount) = after(into, points);
        }
        if lanes.more_is_better() {
            for &(roll, amount) in &scores.paying {
                let row = rows.get_mut(roll);
                *row = raise(row, amounts.get(amount), &scratch);
            }
        } else {
            for (roll, &amount) in game.lattice().rolls().zip(&scores.of_roll) {
                let row = rows.get_mut(roll as u16);
                *row = raise(row, amounts.get(amount), &scratch);
            }
        }
    }

    // Further Yahtzees follow rules of their own.
    for &(roll, _) in special.iter() {
        *rows.get_mut(roll) = worst;
    }
    for &(roll, entry) in special.iter() {
        let row = rows.get_mut(roll);
        *row = raise(row, &lanes.after(entry), &worst);
    }
}

/// The larger of a row in memory and another, neither below `least`.
///
/// The third operand changes nothing, but without it the compiler makes a masked store of "replace
/// the row where the other is larger", which costs AMD processors ten times as much as a plain one
/// (measured: the whole solve took 1.4 times as long).
#[inline(always)]
fn raise<T: Number, const W: usize>(row: &Row<T, W>, other: &Row<T, W>, least: &Row<T, W>) -> Row<T, W> {
    least.or(row).or(other)
}
