//! Compiled turns: a turn with few open boxes, reduced to a list of distinct means and maxima.
//!
//! With few boxes open, many rolls have the same value. When only Fives and Sixes are open, a 1 is as good as a 2, and
//! a turn has 21 different final rolls instead of 252. When only Full House and Yahtzee are open, only the counts of
//! equal dice matter, not the faces. No special cases are needed. Operations are hash-consed, from the final rolls back
//! to the first: two values computed by the same operation from the same inputs are one value. What remains is a list
//! in which each distinct mean or maximum occurs once. With three upper boxes open it reads 37 % of the rows that the
//! whole lattice needs; with Chance and a few others open, all of them.

use std::collections::HashMap;

use super::row::{PackedRows, ROOM, Row, Rows};
use super::{MeanOfRolls, Number, means};
use crate::dice::{Lattice, MAX_FACES};

/// The maximum of two values: the number of the result, then those of the operands.
type Max2 = [u16; 3];

/// A mean: the number of the result, then those of the operands, as many as dice have faces.
type Mean = [u16; MAX_FACES + 1];

/// The maximum of two to four values: the number of the result, then those of four operands, some of which may be
/// equal.
type Max4 = [u16; 5];

/// A compiled turn. It computes the value of the whole turn from the values of entries, which the first rows hold.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    faces: u8,
    /// The maxima of entries that give the final rolls their values.
    entry_maxima: Vec<PackedRows<1>>,
    /// The means of eq. (4) and the maxima of eq. (6) for each roll but the first, from the last roll back.
    rerolls: Vec<(Vec<PackedRows<2>>, Vec<PackedRows<2>>)>,
    /// The mean over the first roll, and its number of different values.
    mean: MeanOfRolls,
    first_values: usize,
}

/// The operations of a turn. Operands and results are numbers of values at first, then indices of rows
/// ([`Steps::assign_rows`]).
struct Steps {
    /// The maxima of entries that give the final rolls their values.
    entry_maxima: Vec<Max2>,
    /// For each roll but the first, from the last roll back.
    rerolls: Vec<Reroll>,
    /// The different values of the first roll, each with the number of orders in which its dice can fall.
    orders: Vec<(u16, f32)>,
}

/// The operations that lead from the values after a roll to those before it.
struct Reroll {
    /// Eq. (4).
    means: Vec<Mean>,
    /// Eq. (6).
    maxima: Vec<Max4>,
}

impl Program {
    /// Compiles the turn of a game with these dice and this many rolls. Values 0 to `inputs - 1` are given; each pair
    /// of `maxima` adds a value, the maximum of two earlier ones; and `of_roll` has the final value of each roll, in
    /// the order of the lattice. Returns `None` if the turn needs more than [`ROOM`] rows.
    pub fn new(
        lattice: &Lattice,
        rolls_in_turn: u8,
        inputs: usize,
        maxima: &[[u16; 2]],
        of_roll: &[u16],
    ) -> Option<Program> {
        let rolls = lattice.rolls();
        let mut next = inputs as u16;
        let mut new_value = || {
            next += 1;
            next - 1
        };
        let entry_maxima = maxima.iter().map(|&[one, other]| [new_value(), one, other]).collect();
        let smaller = lattice.without_die();
        let mut value = vec![0; rolls.start];
        value.extend(of_roll);
        let rerolls = (1..rolls_in_turn)
            .map(|_| Reroll {
                means: compile_means(lattice, &mut value, &mut new_value),
                maxima: compile_maxima(&smaller, rolls.start, &mut value, &mut new_value),
            })
            .collect();
        let mut orders: Vec<(u16, f32)> = Vec::new();
        let mut index_of = HashMap::new();
        for roll in rolls {
            let count = lattice.keeps()[roll].orders() as f32;
            let index = *index_of.entry(value[roll]).or_insert(orders.len());
            if index == orders.len() {
                orders.push((value[roll], count));
            } else {
                orders[index].1 += count;
            }
        }
        let Steps { entry_maxima, rerolls, orders } =
            Steps { entry_maxima, rerolls, orders }.assign_rows(inputs, lattice.faces())?;
        let orders: Vec<(usize, f32)> = orders.iter().map(|&(row, orders)| (row.into(), orders)).collect();
        Some(Program {
            faces: lattice.faces(),
            entry_maxima: pack(&entry_maxima),
            rerolls: rerolls.iter().map(|reroll| (pack(&reroll.means), pack(&reroll.maxima))).collect(),
            mean: MeanOfRolls::new(&orders),
            first_values: orders.len(),
        })
    }

    /// Returns how many rows a run reads once the final rolls have their values.
    pub fn reads(&self) -> usize {
        let of_reroll =
            |(means, maxima): &(Vec<_>, Vec<_>)| usize::from(self.faces) * means.len() + 4 * maxima.len();
        self.rerolls.iter().map(of_reroll).sum::<usize>() + self.first_values
    }

    /// Returns the value of the whole turn from the values of entries, which the first rows hold.
    #[inline(always)]
    pub fn run<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) -> Row<T, W> {
        for indices in &self.entry_maxima {
            let [to, one, other] = indices.rows();
            rows.0[to] = rows.0[one].max(&rows.0[other]);
        }
        for (larger, maxima) in &self.rerolls {
            means(rows, larger, self.faces);
            for indices in maxima {
                let [to, a, b, c, d] = indices.rows();
                rows.0[to] = rows.0[a].max(&rows.0[b]).max(&rows.0[c]).max(&rows.0[d]);
            }
        }
        self.mean.of(rows)
    }
}

/// Packs the row indices of operations.
fn pack<const N: usize, const WORDS: usize>(steps: &[[u16; N]]) -> Vec<PackedRows<WORDS>> {
    steps.iter().map(|step| PackedRows::of(step.map(usize::from))).collect()
}

impl Steps {
    /// Replaces the numbers of values by indices of rows. A row is reused once no later step reads its value, so that
    /// all rows stay in the first-level cache. Returns `None` if more than [`ROOM`] rows are needed.
    fn assign_rows(mut self, inputs: usize, faces: u8) -> Option<Steps> {
        // All steps in execution order, each as a result and its operands. A value is live until its last reader.
        let mut steps: Vec<&mut [u16]> =
            self.entry_maxima.iter_mut().map(|step| step.as_mut_slice()).collect();
        for reroll in &mut self.rerolls {
            steps.extend(reroll.means.iter_mut().map(|step| &mut step[..=usize::from(faces)]));
            steps.extend(reroll.maxima.iter_mut().map(|step| step.as_mut_slice()));
        }
        let values = inputs + steps.len();
        let mut last_reader = vec![0; values];
        for (nth, step) in steps.iter().enumerate() {
            step[1..].iter().for_each(|&value| last_reader[usize::from(value)] = nth);
        }
        self.orders.iter().for_each(|&(value, _)| last_reader[usize::from(value)] = steps.len());
        let mut row_of: Vec<u16> = (0..values as u16).collect();
        let (mut free, mut rows) = (Vec::new(), inputs);
        for (nth, step) in steps.into_iter().enumerate() {
            for index in 1..step.len() {
                let value = step[index];
                if last_reader[usize::from(value)] == nth && !step[index + 1..].contains(&value) {
                    free.push(row_of[usize::from(value)]);
                }
            }
            let to = step[0];
            row_of[usize::from(to)] = free.pop().unwrap_or_else(|| {
                rows += 1;
                (rows - 1) as u16
            });
            step.iter_mut().for_each(|value| *value = row_of[usize::from(*value)]);
        }
        if rows > ROOM {
            return None;
        }
        self.orders.iter_mut().for_each(|(value, _)| *value = row_of[usize::from(*value)]);
        Some(self)
    }
}

/// Compiles eq. (4): sets the value of every keep from those of the rolls. Keeps whose one-die-larger keeps have the
/// same values share one mean.
fn compile_means(lattice: &Lattice, value: &mut [u16], new_value: &mut impl FnMut() -> u16) -> Vec<Mean> {
    let faces = usize::from(lattice.faces());
    let mut known: HashMap<[u16; MAX_FACES], u16> = HashMap::new();
    let mut means = Vec::new();
    for k in (0..lattice.with_die().len()).rev() {
        let mut after = [0; MAX_FACES];
        for (after, &larger) in after[..faces].iter_mut().zip(&lattice.with_die()[k]) {
            *after = value[usize::from(larger)];
        }
        after[..faces].sort_unstable();
        value[k] = *known.entry(after).or_insert_with(|| {
            let mut step = [new_value(); MAX_FACES + 1];
            step[1..].copy_from_slice(&after);
            means.push(step);
            step[0]
        });
    }
    means
}

/// Compiles eq. (6): sets the value of every roll to the maximum over its keeps. Rolls whose keeps have the same set of
/// values share one maximum.
fn compile_maxima(
    smaller: &[Vec<u16>],
    first_roll: usize,
    value: &mut [u16],
    new_value: &mut impl FnMut() -> u16,
) -> Vec<Max4> {
    let mut numbers: HashMap<u16, usize> = HashMap::new();
    let mut known: HashMap<Set, u16> = HashMap::new();
    let mut maxima = Vec::new();
    let mut sets: Vec<(Set, u16)> = Vec::with_capacity(value.len());
    for k in 0..value.len() {
        let number = numbers.len();
        let own = Set::of(*numbers.entry(value[k]).or_insert(number));
        let mut from: Vec<&(Set, u16)> =
            smaller[k].iter().map(|&smaller| &sets[usize::from(smaller)]).collect();
        let all = from.iter().fold(own, |all, (set, _)| all.or(set));
        let of_all = *known.entry(all).or_insert_with(|| {
            // Largest sets first, so that sets which they cover add no operand.
            from.sort_by_key(|(set, _)| std::cmp::Reverse(set.len()));
            let mut covered = Set::default();
            let mut values: Vec<u16> = Vec::new();
            for (set, value) in from.into_iter().chain([&(own, value[k])]) {
                if covered.or(set) != covered {
                    covered = covered.or(set);
                    values.push(*value);
                }
            }
            while let &[a, b, ..] = values.as_slice() {
                let few = values.len().min(4);
                let mut step = [b; 5];
                step[0] = new_value();
                step[1] = a;
                step[2..=few].copy_from_slice(&values[1..few]);
                values.splice(..few, [step[0]]);
                maxima.push(step);
            }
            values[0]
        });
        sets.push((all, of_all));
    }
    for (value, (_, best)) in value.iter_mut().zip(&sets).skip(first_roll) {
        *value = *best;
    }
    maxima
}

/// A set of numbers below [`ROOM`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Set([u64; ROOM / 64]);

impl Set {
    fn of(number: usize) -> Set {
        let mut set = Set::default();
        set.0[number / 64] |= 1 << (number % 64);
        set
    }

    fn or(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
        self
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }
}
