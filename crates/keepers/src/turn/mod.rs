//! The inside of a turn: roll, keep, roll, keep, roll, score.
//!
//! Every objective of the project is this one fold applied to rows of numbers ("lanes") that mean
//! different things; see `docs/architecture.md`. A row belongs to one keep of the lattice and holds
//! the value of that keep for a block of lanes: one cache line, so that a whole turn of five dice
//! stays in the first-level cache and vectorises.
//!
//! Per roll still to come (Pawlewicz, appendix B):
//!
//! - chance, from large keeps to small: `keep[K] = (keep[K+1] + ... + keep[K+6]) / 6`   (4)
//! - choice, from small keeps to large: `best[K] = max(keep[K], best[K-d] for d in K)`  (6)
//!
//! A turn of three rolls is chance, choice, chance, choice from the values of the final rolls back to
//! those of the first, then the mean over the first roll. There is no fused multiply-add, so every
//! instruction set gives bit-identical results.

mod program;
mod row;
mod simd;
mod triangle;

pub(crate) use program::Program;
pub use row::{Number, Row, Row32, Row64, Rows};
pub use simd::LANES;
pub(crate) use simd::vectorised;

use std::ops::Range;

use crate::dice::Lattice;
use row::{IN_WORD, PackedRows};
use triangle::{Triangles, above_triangles, below_triangles};

/// The edges of a lattice in the order in which a turn walks them.
#[derive(Clone, Debug)]
pub struct Turn {
    rolls_in_turn: u8,
    faces: u8,
    /// Where the rolls stand in the lattice.
    rolls: Range<usize>,
    mean: MeanOfRolls,
    /// Edges of the lattice, to a die more and to a die less.
    edges: usize,
    /// Keeps without high dice, then triangles, then keeps with more high dice than triangles have: what
    /// a keep has with a die less stands before it, what it has with a die more after it. Without
    /// triangles all keeps are in the first part.
    low: Edged,
    triangles: Triangles,
    high: Edged,
}

/// Keeps that are not in triangles, edge by edge.
#[derive(Clone, Debug, Default)]
struct Edged {
    /// `K, K+1, ...`, from large keeps to small.
    more: Vec<PackedRows<2>>,
    /// By the number of different faces in the keep (two and fewer, and three; then four to six), so that every loop
    /// over predecessors has a fixed length: `K, K-d, ...`, from small keeps to large. A keep with a die less has as
    /// many different faces or fewer.
    less_of_few: [Vec<PackedRows<1>>; 2],
    less_of_many: [Vec<PackedRows<2>>; 3],
}

/// The mean over rolls. The weights are whole numbers and summed group by group: a row of ones comes back as exactly
/// one, and single precision loses no more than by eq. (4).
#[derive(Clone, Debug)]
struct MeanOfRolls {
    /// Rolls with the number of orders in which their dice can fall.
    orders: Vec<(PackedRows<1>, [f32; IN_WORD])>,
    all_orders: f32,
}

impl Edged {
    fn new(lattice: &Lattice, predecessors: &[Vec<u16>], belongs: impl Fn(usize) -> bool) -> Edged {
        let mut edged = Edged::default();
        for k in (0..lattice.with_die().len()).rev().filter(|&k| belongs(k)) {
            edged.more.push(PackedRows::of(std::iter::once(k).chain(lattice.with_die()[k].map(usize::from))));
        }
        for k in (0..lattice.keeps().len()).filter(|&k| belongs(k)) {
            let mut rows: Vec<usize> = vec![k];
            rows.extend(predecessors[k].iter().map(|&less| usize::from(less)));
            if let [_, lone] = rows[..] {
                // It is taken twice: `row = max(row, other)` alone would become a masked store, which costs AMD
                // processors ten times as much.
                rows.push(lone);
            }
            match rows.len() - 1 {
                0 => {}
                few @ 2..=3 => edged.less_of_few[few - 2].push(PackedRows::of(rows)),
                many => edged.less_of_many[many - 4].push(PackedRows::of(rows)),
            }
        }
        edged
    }

    /// Eq. (4).
    #[inline(always)]
    fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>, faces: u8) {
        means(rows, &self.more, faces);
    }

    /// Eq. (6).
    #[inline(always)]
    fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        best_with_a_die_less::<T, W, 1, 2>(rows, &self.less_of_few[0]);
        best_with_a_die_less::<T, W, 1, 3>(rows, &self.less_of_few[1]);
        best_with_a_die_less::<T, W, 2, 4>(rows, &self.less_of_many[0]);
        best_with_a_die_less::<T, W, 2, 5>(rows, &self.less_of_many[1]);
        best_with_a_die_less::<T, W, 2, 6>(rows, &self.less_of_many[2]);
    }
}

impl Turn {
    /// The turn of a game with these dice and this many rolls.
    pub fn new(lattice: &Lattice, rolls_in_turn: u8) -> Turn {
        let orders: Vec<(usize, f32)> =
            lattice.rolls().map(|roll| (roll, lattice.keeps()[roll].orders() as f32)).collect();
        let predecessors = lattice.without_die();
        let with_a_die_more = lattice.with_die().len() * usize::from(lattice.faces());
        Turn {
            edges: with_a_die_more + predecessors.iter().map(Vec::len).sum::<usize>(),
            rolls_in_turn,
            faces: lattice.faces(),
            rolls: lattice.rolls(),
            mean: MeanOfRolls::new(&orders),
            low: Edged::new(lattice, &predecessors, |k| below_triangles(lattice, k)),
            triangles: Triangles::new(lattice),
            high: Edged::new(lattice, &predecessors, |k| above_triangles(lattice, k)),
        }
    }

    /// In how many orders all the dice can fall.
    pub fn all_orders(&self) -> f64 {
        self.mean.all_orders.into()
    }

    /// How many rolls a turn has.
    pub fn rolls_in_turn(&self) -> u8 {
        self.rolls_in_turn
    }

    /// How many rows a turn reads, to be compared with what a [`Program`] reads. The values of the final rolls
    /// are left out on both sides.
    pub(crate) fn reads(&self) -> usize {
        let rerolls = usize::from(self.rolls_in_turn) - 1;
        rerolls * self.edges + self.rolls.len()
    }

    /// Values of the final rolls in, value of the whole turn out.
    #[inline(always)]
    pub fn fold<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) -> Row<T, W> {
        for _ in 1..self.rolls_in_turn {
            self.chance(rows);
            self.choice(rows);
        }
        self.first_roll(rows)
    }

    /// Eq. (3) for the empty keep: the first roll leaves no choice open, so it is one mean over all
    /// rolls, at a fifth of the operations of eq. (4).
    #[inline(always)]
    pub fn first_roll<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Row<T, W> {
        self.mean.of(rows)
    }

    /// Eq. (4): the value of keeping K is the mean over the next die.
    #[inline(always)]
    pub fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) {
        self.high.chance(rows, self.faces);
        self.triangles.chance(rows);
        self.low.chance(rows, self.faces);
    }

    /// Eq. (6): the best keep within K is K itself or the best within K less a die.
    #[inline(always)]
    pub fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        self.low.choice(rows);
        self.triangles.choice(rows);
        self.high.choice(rows);
    }

    /// Each roll gets the value of the keep that a fixed strategy picks for it: eq. (5) without the
    /// maximum. `picks` has a keep within each roll, in the order of the lattice.
    pub fn follow<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>, picks: &[u16]) {
        for (roll, &pick) in self.rolls.clone().zip(picks) {
            *rows.get_mut(roll as u16) = *rows.get(pick);
        }
    }
}

impl MeanOfRolls {
    /// The mean of rows, each with its weight.
    fn new(orders: &[(usize, f32)]) -> MeanOfRolls {
        let of_word = |some: &[(usize, f32)]| {
            // What is missing has the weight nothing.
            let last = some.len() - 1;
            let row = |nth: usize| some[nth.min(last)].0;
            let weight = |nth: usize| some.get(nth).map_or(0.0, |(_, orders)| *orders);
            (PackedRows::of((0..IN_WORD).map(row)), std::array::from_fn(weight))
        };
        MeanOfRolls {
            orders: orders.chunks(IN_WORD).map(of_word).collect(),
            all_orders: orders.iter().map(|(_, orders)| orders).sum(),
        }
    }

    #[inline(always)]
    fn of<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Row<T, W> {
        let zero = Row::of(T::from(0.0));
        let mut total = zero;
        for group in self.orders.chunks(4) {
            let mut sum = zero;
            for (places, orders) in group {
                for (row, orders) in places.rows::<IN_WORD>().into_iter().zip(orders) {
                    sum = sum.plus(&rows.0[row].times(T::from(*orders)));
                }
            }
            total = total.plus(&sum);
        }
        total.over(T::from(self.all_orders))
    }
}

/// Eq. (4), for each of a list: a row is the mean of as many others as dice have faces.
#[inline(always)]
fn means<T: Number, const W: usize>(rows: &mut Rows<T, W>, more: &[PackedRows<2>], faces: u8) {
    match faces {
        2 => mean_over_next_die::<T, W, 2>(rows, more),
        3 => mean_over_next_die::<T, W, 3>(rows, more),
        4 => mean_over_next_die::<T, W, 4>(rows, more),
        5 => mean_over_next_die::<T, W, 5>(rows, more),
        _ => mean_over_next_die::<T, W, 6>(rows, more),
    }
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const FACES: usize>(
    rows: &mut Rows<T, W>,
    more: &[PackedRows<2>],
) {
    let share = T::from(1.0) / T::from(FACES as f32);
    for places in more {
        let mut sum = rows.0[places.row(1)];
        for nth in 2..=FACES {
            sum = sum.plus(&rows.0[places.row(nth)]);
        }
        rows.0[places.row(0)] = sum.times(share);
    }
}

#[inline(always)]
fn best_with_a_die_less<T: Copy + PartialOrd, const W: usize, const WORDS: usize, const DIFFERENT: usize>(
    rows: &mut Rows<T, W>,
    less: &[PackedRows<WORDS>],
) {
    for places in less {
        let own = places.row(0);
        let mut best = rows.0[own];
        for nth in 1..=DIFFERENT {
            best = best.max(&rows.0[places.row(nth)]);
        }
        rows.0[own] = best;
    }
}
