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

use crate::dice::{Lattice, MAX_FACES};

/// A number that a lane can hold.
pub trait Number:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + From<f32>
    + Send
    + Sync
    + 'static
{
}

impl Number for f32 {}
impl Number for f64 {}

/// One value for each of `W` lanes: a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row<T, const W: usize>(pub [T; W]);

/// Eight lanes of double precision.
pub type Row64 = Row<f64, 8>;

/// Sixteen lanes of single precision.
pub type Row32 = Row<f32, 16>;

impl<T: Number, const W: usize> Row<T, W> {
    /// The same value in every lane.
    #[inline(always)]
    pub fn of(value: T) -> Self {
        Row([value; W])
    }

    /// Lane by lane, the sum.
    #[inline(always)]
    pub fn plus(mut self, other: &Self) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] + other.0[lane];
        }
        self
    }

    /// Lane by lane, the product with one number.
    #[inline(always)]
    pub fn times(mut self, factor: T) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] * factor;
        }
        self
    }

    /// Lane by lane, the quotient by one number.
    #[inline(always)]
    pub fn over(mut self, divisor: T) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] / divisor;
        }
        self
    }
}

impl<T: Copy + PartialOrd, const W: usize> Row<T, W> {
    /// Lane by lane, the larger one. Written as a comparison because that is one instruction,
    /// while `f64::max` must also order NaN.
    #[inline(always)]
    pub fn or(mut self, other: &Self) -> Self {
        for lane in 0..W {
            self.0[lane] = if other.0[lane] > self.0[lane] { other.0[lane] } else { self.0[lane] };
        }
        self
    }
}

/// How many rows a turn has room for: the next power of two after the 924 keeps of six dice, so
/// that masking an index proves to the compiler that it is in bounds.
const ROOM: usize = 1024;

#[inline(always)]
fn at(index: u16) -> usize {
    index as usize % ROOM
}

/// The rows of all keeps during one turn.
pub struct Rows<T, const W: usize>(Box<[Row<T, W>; ROOM]>);

impl<T: Number, const W: usize> Rows<T, W> {
    /// Rows of zeros.
    pub fn new() -> Self {
        Rows::filled(T::from(0.0))
    }
}

impl<T: Copy, const W: usize> Rows<T, W> {
    /// Rows of one value.
    pub fn filled(value: T) -> Self {
        let rows = vec![Row([value; W]); ROOM].into_boxed_slice();
        Rows(rows.try_into().unwrap_or_else(|_| unreachable!("the vector has ROOM rows")))
    }

    /// The row of a keep, by its index in the lattice.
    #[inline(always)]
    pub fn get(&self, keep: u16) -> &Row<T, W> {
        &self.0[at(keep)]
    }

    /// The row of a keep, to be filled.
    #[inline(always)]
    pub fn get_mut(&mut self, keep: u16) -> &mut Row<T, W> {
        &mut self.0[at(keep)]
    }
}

impl<T: Number, const W: usize> Default for Rows<T, W> {
    fn default() -> Self {
        Rows::new()
    }
}

/// A keep and its neighbours with one die more: `[K, K+1, ...]`.
type Edges = [u16; MAX_FACES + 1];

/// The edges of a lattice in the order in which a turn walks them.
#[derive(Clone, Debug)]
pub struct Turn {
    rolls_in_turn: u8,
    faces: u8,
    /// Each roll with the number of orders in which its dice can fall.
    orders: Vec<(u16, f32)>,
    all_orders: f32,
    /// From large keeps to small.
    more: Vec<Edges>,
    /// By size of the keep, then by the number of different faces in it (two and fewer first), so that
    /// every loop over predecessors has a fixed length: `K, K-d, ...` of one keep after the other.
    less: Vec<[Vec<u16>; MAX_FACES - 1]>,
}

impl Turn {
    /// The turn of a game with these dice and this many rolls.
    pub fn new(lattice: &Lattice, rolls_in_turn: u8) -> Turn {
        let mut less: Vec<[Vec<u16>; MAX_FACES - 1]> = vec![Default::default(); lattice.dice() as usize];
        let predecessors = lattice.less();
        for (size, level) in less.iter_mut().enumerate() {
            for k in lattice.of_size(size + 1) {
                let smaller = &predecessors[k];
                let mut edges = [smaller[0]; MAX_FACES + 1];
                edges[0] = k as u16;
                edges[1..=smaller.len()].copy_from_slice(smaller);
                // A lone predecessor is taken twice: `row = max(row, other)` alone would become a
                // masked store, which costs AMD processors ten times as much.
                let different = smaller.len().max(2);
                level[different - 2].extend(&edges[..=different]);
            }
        }
        let orders: Vec<(u16, f32)> =
            lattice.rolls().map(|roll| (roll as u16, lattice.keeps()[roll].orders() as f32)).collect();
        let with_next_die = lattice.more().iter().enumerate().map(|(k, next)| {
            let mut edges = [k as u16; MAX_FACES + 1];
            edges[1..].copy_from_slice(next);
            edges
        });
        Turn {
            rolls_in_turn,
            faces: lattice.faces(),
            all_orders: orders.iter().map(|(_, orders)| orders).sum(),
            orders,
            more: with_next_die.rev().collect(),
            less,
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
        let zero = Row::of(T::from(0.0));
        let mut total = zero;
        for group in self.orders.chunks(16) {
            let mut sum = zero;
            for &(roll, orders) in group {
                sum = sum.plus(&rows.0[at(roll)].times(T::from(orders)));
            }
            total = total.plus(&sum);
        }
        total.over(T::from(self.all_orders))
    }

    /// Eq. (4): the value of keeping K is the mean over the next die.
    #[inline(always)]
    pub fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) {
        match self.faces {
            2 => mean_over_next_die::<T, W, 2>(rows, &self.more),
            3 => mean_over_next_die::<T, W, 3>(rows, &self.more),
            4 => mean_over_next_die::<T, W, 4>(rows, &self.more),
            5 => mean_over_next_die::<T, W, 5>(rows, &self.more),
            _ => mean_over_next_die::<T, W, 6>(rows, &self.more),
        }
    }

    /// Eq. (6): the best keep within K is K itself or the best within K less a die.
    #[inline(always)]
    pub fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        for level in &self.less {
            best_with_a_die_less::<T, W, 2>(rows, &level[0]);
            best_with_a_die_less::<T, W, 3>(rows, &level[1]);
            best_with_a_die_less::<T, W, 4>(rows, &level[2]);
            best_with_a_die_less::<T, W, 5>(rows, &level[3]);
            best_with_a_die_less::<T, W, 6>(rows, &level[4]);
        }
    }

    /// Each roll gets the value of the keep that a fixed strategy picks for it: eq. (5) without the
    /// maximum. `picks` has a keep within each roll, in the order of the lattice.
    pub fn follow<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>, picks: &[u16]) {
        for (&(roll, _), &pick) in self.orders.iter().zip(picks) {
            rows.0[at(roll)] = rows.0[at(pick)];
        }
    }
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const FACES: usize>(rows: &mut Rows<T, W>, more: &[Edges]) {
    let share = T::from(1.0) / T::from(FACES as f32);
    for edges in more {
        let mut sum = rows.0[at(edges[1])];
        for &larger in &edges[2..=FACES] {
            sum = sum.plus(&rows.0[at(larger)]);
        }
        rows.0[at(edges[0])] = sum.times(share);
    }
}

#[inline(always)]
fn best_with_a_die_less<T: Copy + PartialOrd, const W: usize, const DIFFERENT: usize>(
    rows: &mut Rows<T, W>,
    less: &[u16],
) {
    for edges in less.chunks_exact(DIFFERENT + 1) {
        let mut best = rows.0[at(edges[0])];
        for &smaller in &edges[1..=DIFFERENT] {
            best = best.or(&rows.0[at(smaller)]);
        }
        rows.0[at(edges[0])] = best;
    }
}
