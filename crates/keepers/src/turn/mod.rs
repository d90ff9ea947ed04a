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
mod triangle;

pub(crate) use program::Program;
pub use row::{Number, Row, Row32, Row64, Rows};

use crate::dice::{Lattice, MAX_FACES};
use row::Place;
use triangle::{Triangles, above_triangles, below_triangles};

/// A keep and its neighbours with one die more: `[K, K+1, ...]`.
type Edges = [Place; MAX_FACES + 1];

/// The edges of a lattice in the order in which a turn walks them.
#[derive(Clone, Debug)]
pub struct Turn {
    rolls_in_turn: u8,
    faces: u8,
    /// Each roll with the number of orders in which its dice can fall.
    orders: Vec<(Place, f32)>,
    all_orders: f32,
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
    /// From large keeps to small.
    more: Vec<Edges>,
    /// By the number of different faces in the keep (two and fewer first), so that every loop over
    /// predecessors has a fixed length: `K, K-d, ...` of one keep after the other, from small keeps to
    /// large. A keep with a die less has as many different faces or fewer.
    less: [Vec<Place>; MAX_FACES - 1],
}

impl Edged {
    fn new(lattice: &Lattice, predecessors: &[Vec<u16>], belongs: impl Fn(usize) -> bool) -> Edged {
        let mut edged = Edged::default();
        for k in (0..lattice.more().len()).rev().filter(|&k| belongs(k)) {
            let mut edges = [Place::of(k); MAX_FACES + 1];
            edges[1..].copy_from_slice(&lattice.more()[k].map(|more| Place::of(more.into())));
            edged.more.push(edges);
        }
        for k in (0..lattice.keeps().len()).filter(|&k| belongs(k)) {
            let smaller: Vec<Place> = predecessors[k].iter().map(|&less| Place::of(less.into())).collect();
            if let Some(&any) = smaller.first() {
                let mut edges = [any; MAX_FACES + 1];
                edges[0] = Place::of(k);
                edges[1..=smaller.len()].copy_from_slice(&smaller);
                // A lone predecessor is taken twice: `row = max(row, other)` alone would become a
                // masked store, which costs AMD processors ten times as much.
                let different = smaller.len().max(2);
                edged.less[different - 2].extend(&edges[..=different]);
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
        best_with_a_die_less::<T, W, 2>(rows, &self.less[0]);
        best_with_a_die_less::<T, W, 3>(rows, &self.less[1]);
        best_with_a_die_less::<T, W, 4>(rows, &self.less[2]);
        best_with_a_die_less::<T, W, 5>(rows, &self.less[3]);
        best_with_a_die_less::<T, W, 6>(rows, &self.less[4]);
    }
}

impl Turn {
    /// The turn of a game with these dice and this many rolls.
    pub fn new(lattice: &Lattice, rolls_in_turn: u8) -> Turn {
        let orders: Vec<(Place, f32)> =
            lattice.rolls().map(|roll| (Place::of(roll), lattice.keeps()[roll].orders() as f32)).collect();
        let predecessors = lattice.less();
        let with_a_die_more = lattice.more().len() * usize::from(lattice.faces());
        Turn {
            edges: with_a_die_more + predecessors.iter().map(Vec::len).sum::<usize>(),
            rolls_in_turn,
            faces: lattice.faces(),
            all_orders: orders.iter().map(|(_, orders)| orders).sum(),
            orders,
            low: Edged::new(lattice, &predecessors, |k| below_triangles(lattice, k)),
            triangles: Triangles::new(lattice),
            high: Edged::new(lattice, &predecessors, |k| above_triangles(lattice, k)),
        }
    }

    /// In how many orders all the dice can fall.
    pub fn all_orders(&self) -> f64 {
        self.all_orders.into()
    }

    /// How many rolls a turn has.
    pub fn rolls_in_turn(&self) -> u8 {
        self.rolls_in_turn
    }

    /// How many rows a turn reads, to be compared with what a [`Program`] reads. The values of the final rolls
    /// are left out on both sides.
    pub(crate) fn reads(&self) -> usize {
        let rerolls = usize::from(self.rolls_in_turn) - 1;
        rerolls * self.edges + self.orders.len()
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
    ///
    /// The weights are whole numbers and summed group by group: a row of ones comes back as exactly
    /// one, and single precision loses no more than by eq. (4).
    #[inline(always)]
    pub fn first_roll<T: Number, const W: usize>(&self, rows: &Rows<T, W>) -> Row<T, W> {
        mean_over_rolls(rows, &self.orders, self.all_orders)
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
        for (&(roll, _), &pick) in self.orders.iter().zip(picks) {
            rows.0[roll.row()] = *rows.get(pick);
        }
    }
}

/// The mean of rows, each with its weight; the weights are whole numbers and add up to `all_orders`.
#[inline(always)]
fn mean_over_rolls<T: Number, const W: usize>(
    rows: &Rows<T, W>,
    orders: &[(Place, f32)],
    all_orders: f32,
) -> Row<T, W> {
    let zero = Row::of(T::from(0.0));
    let mut total = zero;
    for group in orders.chunks(16) {
        let mut sum = zero;
        for &(roll, orders) in group {
            sum = sum.plus(&rows.0[roll.row()].times(T::from(orders)));
        }
        total = total.plus(&sum);
    }
    total.over(T::from(all_orders))
}

/// Eq. (4), for each of a list: a row is the mean of as many others as dice have faces.
#[inline(always)]
fn means<T: Number, const W: usize>(rows: &mut Rows<T, W>, more: &[Edges], faces: u8) {
    match faces {
        2 => mean_over_next_die::<T, W, 2>(rows, more),
        3 => mean_over_next_die::<T, W, 3>(rows, more),
        4 => mean_over_next_die::<T, W, 4>(rows, more),
        5 => mean_over_next_die::<T, W, 5>(rows, more),
        _ => mean_over_next_die::<T, W, 6>(rows, more),
    }
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const FACES: usize>(rows: &mut Rows<T, W>, more: &[Edges]) {
    let share = T::from(1.0) / T::from(FACES as f32);
    for edges in more {
        let mut sum = rows.0[edges[1].row()];
        for &larger in &edges[2..=FACES] {
            sum = sum.plus(&rows.0[larger.row()]);
        }
        rows.0[edges[0].row()] = sum.times(share);
    }
}

#[inline(always)]
fn best_with_a_die_less<T: Copy + PartialOrd, const W: usize, const DIFFERENT: usize>(
    rows: &mut Rows<T, W>,
    less: &[Place],
) {
    for edges in less.chunks_exact(DIFFERENT + 1) {
        let mut best = rows.0[edges[0].row()];
        for &smaller in &edges[1..=DIFFERENT] {
            best = best.or(&rows.0[smaller.row()]);
        }
        rows.0[edges[0].row()] = best;
    }
}
