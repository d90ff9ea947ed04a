//! The inside of a turn: roll, keep, roll, keep, roll, score.
//!
//! Every objective of the project runs this one fold over rows of numbers whose lanes mean different things; see
//! `docs/architecture.md`. A row holds the value of one keep of the lattice for a block of lanes. It is one cache line,
//! so the rows of a whole turn of five dice fit in the first-level cache, and operations on rows vectorise.
//!
//! For each roll still to come (Pawlewicz, appendix B):
//!
//! - chance, from large keeps to small: `keep[K] = (keep[K+1] + ... + keep[K+6]) / 6`   (4)
//! - choice, from small keeps to large: `best[K] = max(keep[K], best[K-d] for d in K)`  (6)
//!
//! A turn of three rolls starts with the values of the final rolls, takes a chance step and a choice step twice, and
//! ends with the mean over the first roll. No step uses a fused multiply-add, so every instruction set gives
//! bit-identical results.

mod program;
mod row;
mod simd;
mod triangle;

pub(crate) use program::Program;
pub use row::{Number, Row, Row32, Row64, Rows};
pub use simd::LANES;
pub(crate) use simd::{prefetch, vectorised};

use std::ops::Range;

use crate::dice::Lattice;
use row::{IN_WORD, PackedRows};
use triangle::{Triangles, in_triangle};

/// The turn kernel of a game: the edges of its lattice, in the order in which a fold follows them.
#[derive(Clone, Debug)]
pub struct Turn {
    rolls_in_turn: u8,
    faces: u8,
    /// The indices of the rolls in the lattice.
    rolls: Range<usize>,
    mean: MeanOfRolls,
    /// The number of edges that a chance step and a choice step follow together.
    edges: usize,
    /// The keeps in the order of a choice step: first those in triangles, then all others. Each keep comes after its
    /// one-die-smaller keeps and before its one-die-larger ones.
    triangles: Triangles,
    others: EdgeLists,
}

/// The number of words of indices whose rows are summed in one group by [`MeanOfRolls`].
const GROUP: usize = 4;

/// Lists of edges for the keeps that are not in triangles.
#[derive(Clone, Debug, Default)]
struct EdgeLists {
    /// `K, K+1, K+2, ...` for each keep `K` with fewer dice than a roll, from large keeps to small.
    larger: Vec<PackedRows<2>>,
    /// `K, K-d, ...` for each keep `K`, from small keeps to large, with one list per number of different faces (one or
    /// two, and three; then four, five and six), so that every loop over predecessors has a fixed length. `K-d` has at
    /// most as many different faces as `K`, so its list is not later than that of `K`.
    smaller_in_one_word: [Vec<PackedRows<1>>; 2],
    smaller_in_two_words: [Vec<PackedRows<2>>; 3],
}

/// The mean over the first roll. The weights are integers, and partial sums are taken over groups of sixteen rows: the
/// mean of rows of ones is exactly one, and single precision loses no more than with eq. (4).
#[derive(Clone, Debug)]
struct MeanOfRolls {
    /// The rows of the rolls, each with the number of orders in which its dice can fall.
    orders: Vec<(PackedRows<1>, [f32; IN_WORD])>,
    all_orders: f32,
}

impl EdgeLists {
    fn new(lattice: &Lattice, predecessors: &[Vec<u16>], included: impl Fn(usize) -> bool) -> EdgeLists {
        let mut edges = EdgeLists::default();
        for k in (0..lattice.with_die().len()).rev().filter(|&k| included(k)) {
            edges
                .larger
                .push(PackedRows::of(std::iter::once(k).chain(lattice.with_die()[k].map(usize::from))));
        }
        for k in (0..lattice.keeps().len()).filter(|&k| included(k)) {
            let mut rows: Vec<usize> = vec![k];
            rows.extend(predecessors[k].iter().map(|&smaller| usize::from(smaller)));
            if let [_, lone] = rows[..] {
                // A lone predecessor is listed twice: the compiler would turn a single `row = max(row, other)` into a
                // masked store, which is ten times as expensive on AMD processors.
                rows.push(lone);
            }
            match rows.len() - 1 {
                0 => {}
                few @ 2..=3 => edges.smaller_in_one_word[few - 2].push(PackedRows::of(rows)),
                many => edges.smaller_in_two_words[many - 4].push(PackedRows::of(rows)),
            }
        }
        edges
    }

    /// Applies the chance step, eq. (4).
    #[inline(always)]
    fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>, faces: u8) {
        means(rows, &self.larger, faces);
    }

    /// Applies the choice step, eq. (6).
    #[inline(always)]
    fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        max_over_smaller::<T, W, 1, 2>(rows, &self.smaller_in_one_word[0]);
        max_over_smaller::<T, W, 1, 3>(rows, &self.smaller_in_one_word[1]);
        max_over_smaller::<T, W, 2, 4>(rows, &self.smaller_in_two_words[0]);
        max_over_smaller::<T, W, 2, 5>(rows, &self.smaller_in_two_words[1]);
        max_over_smaller::<T, W, 2, 6>(rows, &self.smaller_in_two_words[2]);
    }
}

impl Turn {
    /// Creates the turn kernel for turns of `rolls_in_turn` rolls.
    pub fn new(lattice: &Lattice, rolls_in_turn: u8) -> Turn {
        let orders: Vec<(usize, f32)> =
            lattice.rolls().map(|roll| (roll, lattice.keeps()[roll].orders() as f32)).collect();
        let predecessors = lattice.without_die();
        let larger_edges = lattice.with_die().len() * usize::from(lattice.faces());
        Turn {
            edges: larger_edges + predecessors.iter().map(Vec::len).sum::<usize>(),
            rolls_in_turn,
            faces: lattice.faces(),
            rolls: lattice.rolls(),
            mean: MeanOfRolls::new(&orders),
            triangles: Triangles::new(lattice),
            others: EdgeLists::new(lattice, &predecessors, |k| !in_triangle(lattice, k)),
        }
    }

    /// Returns the number of orders in which all dice can fall.
    pub fn all_orders(&self) -> f64 {
        self.mean.all_orders.into()
    }

    /// Returns the number of rolls in a turn.
    pub fn rolls_in_turn(&self) -> u8 {
        self.rolls_in_turn
    }

    /// Returns how many rows a fold reads, for comparison with [`Program::reads`]. Neither counts the reads that give
    /// the final rolls their values.
    pub(crate) fn reads(&self) -> usize {
        let rerolls = usize::from(self.rolls_in_turn) - 1;
        rerolls * self.edges + self.rolls.len()
    }

    /// Returns the value of the whole turn from the values of the final rolls, which `rows` holds.
    #[inline(always)]
    pub fn fold<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) -> Row<T, W> {
        for _ in 1..self.rolls_in_turn {
            self.chance(rows);
            self.choice(rows);
        }
        self.first_roll(rows)
    }

    /// Returns the mean over the first roll: Pawlewicz, eq. (3), for the empty keep. There is no choice before the
    /// first roll, so one mean over all rolls replaces the chance step, at a fifth of the operations of eq. (4).
    #[inline(always)]
    pub fn first_roll<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Row<T, W> {
        self.mean.of(rows)
    }

    /// Applies the chance step, Pawlewicz, eq. (4): the value of a keep is the mean over the next die.
    #[inline(always)]
    pub fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) {
        self.others.chance(rows, self.faces);
        self.triangles.chance(rows);
    }

    /// Applies the choice step, Pawlewicz, eq. (6): the best keep within `K` is `K` itself or the best keep within `K`
    /// minus one die.
    #[inline(always)]
    pub fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        self.triangles.choice(rows);
        self.others.choice(rows);
    }

    /// Sets the value of each roll to that of the keep that a fixed strategy picks for it: Pawlewicz, eq. (5), without
    /// the maximum. `picks` has one keep per roll, in the order of the lattice, and each is within its roll.
    pub fn follow<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>, picks: &[u16]) {
        for (roll, &pick) in self.rolls.clone().zip(picks) {
            *rows.get_mut(roll as u16) = *rows.get(pick);
        }
    }
}

impl MeanOfRolls {
    /// Prepares the mean of rows, given as pairs of a row index and a weight.
    fn new(orders: &[(usize, f32)]) -> MeanOfRolls {
        let pack = |some: &[(usize, f32)]| {
            // The last word is padded with copies of its last row, at weight 0.
            let last = some.len() - 1;
            let row = |nth: usize| some[nth.min(last)].0;
            let weight = |nth: usize| some.get(nth).map_or(0.0, |(_, orders)| *orders);
            (PackedRows::of((0..IN_WORD).map(row)), std::array::from_fn(weight))
        };
        MeanOfRolls {
            orders: orders.chunks(IN_WORD).map(pack).collect(),
            all_orders: orders.iter().map(|(_, orders)| orders).sum(),
        }
    }

    #[inline(always)]
    fn of<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Row<T, W> {
        let zero = Row::of(T::from(0.0));
        let weighted = |(indices, orders): &(PackedRows<1>, [f32; IN_WORD]), nth: usize| {
            rows.0[indices.row(nth)].times(T::from(orders[nth]))
        };
        let mut total = zero;
        // Four groups at a time: each addition waits for the one before it, and those of other groups fill the time.
        let (fours, rest) = self.orders.as_chunks::<{ 4 * GROUP }>();
        for four in fours {
            let [mut a, mut b, mut c, mut d] = [zero; 4];
            for word in 0..GROUP {
                for nth in 0..IN_WORD {
                    a = a.plus(&weighted(&four[word], nth));
                    b = b.plus(&weighted(&four[GROUP + word], nth));
                    c = c.plus(&weighted(&four[2 * GROUP + word], nth));
                    d = d.plus(&weighted(&four[3 * GROUP + word], nth));
                }
            }
            total = total.plus(&a).plus(&b).plus(&c).plus(&d);
        }
        for group in rest.chunks(GROUP) {
            let mut sum = zero;
            for word in group {
                for nth in 0..IN_WORD {
                    sum = sum.plus(&weighted(word, nth));
                }
            }
            total = total.plus(&sum);
        }
        total.over(T::from(self.all_orders))
    }
}

/// Applies eq. (4) to a list of `K, K+1, ...`: each `K` becomes the mean of its one-die-larger keeps.
#[inline(always)]
fn means<T: Number, const W: usize>(rows: &mut Rows<T, W>, larger: &[PackedRows<2>], faces: u8) {
    match faces {
        2 => mean_over_next_die::<T, W, 2>(rows, larger),
        3 => mean_over_next_die::<T, W, 3>(rows, larger),
        4 => mean_over_next_die::<T, W, 4>(rows, larger),
        5 => mean_over_next_die::<T, W, 5>(rows, larger),
        _ => mean_over_next_die::<T, W, 6>(rows, larger),
    }
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const FACES: usize>(
    rows: &mut Rows<T, W>,
    larger: &[PackedRows<2>],
) {
    let share = T::from(1.0) / T::from(FACES as f32);
    for indices in larger {
        let mut sum = rows.0[indices.row(1)];
        for nth in 2..=FACES {
            sum = sum.plus(&rows.0[indices.row(nth)]);
        }
        rows.0[indices.row(0)] = sum.times(share);
    }
}

#[inline(always)]
fn max_over_smaller<T: Copy + PartialOrd, const W: usize, const WORDS: usize, const FACES_IN_KEEP: usize>(
    rows: &mut Rows<T, W>,
    smaller: &[PackedRows<WORDS>],
) {
    for indices in smaller {
        let own = indices.row(0);
        let mut best = rows.0[own];
        for nth in 1..=FACES_IN_KEEP {
            best = best.max(&rows.0[indices.row(nth)]);
        }
        rows.0[own] = best;
    }
}
