//! A turn with few open boxes, written out as the means and maxima that it really takes.
//!
//! With few boxes open, most dice are alike. When only Fives and Sixes are left, a 1 is as good as a 2,
//! and a turn has 21 different final rolls instead of 252; when only Full House and Yahtzee are left, all
//! faces are alike as long as they are equally many. Nobody has to say so: values that are worked out
//! from the same values in the same way are one value, from the final rolls back to the first, and what is
//! left is a list of means and maxima, each of which stands there once. With three upper boxes open it reads
//! 37 % of the rows that the whole lattice takes; with Chance and a few others, all of them.

use std::collections::HashMap;

use super::row::{PackedRows, ROOM, Row, Rows};
use super::{MeanOfRolls, Number, means};
use crate::dice::{Lattice, MAX_FACES};

/// The better of two: where it goes, then the two.
type Better = [u16; 3];

/// A mean: where it goes, then as many as dice have faces.
type Mean = [u16; MAX_FACES + 1];

/// The best of up to four: where it goes, then the four, some perhaps twice.
type Best = [u16; 5];

/// A turn, from the worths of entries in the first rows to the value of the whole turn.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    faces: u8,
    /// The values of the final rolls.
    exits: Vec<PackedRows<1>>,
    /// For each roll but the first, from the last one back: eq. (4) and eq. (6).
    rerolls: Vec<(Vec<PackedRows<2>>, Vec<PackedRows<2>>)>,
    /// The first roll, and how many different values it has.
    mean: MeanOfRolls,
    first_values: usize,
}

/// What is worked out, in values by their number or in the rows that they have.
struct Steps {
    /// The values of the final rolls.
    exits: Vec<Better>,
    /// For each roll but the first, from the last one back.
    rerolls: Vec<Reroll>,
    /// The values of the first roll, each with the number of orders in which its dice can fall.
    orders: Vec<(u16, f32)>,
}

/// What it takes to look at the turn from before a roll.
struct Reroll {
    /// Eq. (4).
    means: Vec<Mean>,
    /// Eq. (6).
    best: Vec<Best>,
}

impl Program {
    /// The turn of a game with these dice and this many rolls. The first `inputs` values are given, each of
    /// `better` is the better of two values before it, and `of_roll` tells for each roll, in the order of
    /// the lattice, which value it has at the end of the turn. Nothing if it takes too many rows.
    pub fn new(
        lattice: &Lattice,
        rolls_in_turn: u8,
        inputs: usize,
        better: &[[u16; 2]],
        of_roll: &[u16],
    ) -> Option<Program> {
        let rolls = lattice.rolls();
        let mut next = inputs as u16;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        let exits = better.iter().map(|&[one, other]| [fresh(), one, other]).collect();
        let less = lattice.without_die();
        let mut value = vec![0; rolls.start];
        value.extend(of_roll);
        let rerolls = (1..rolls_in_turn)
            .map(|_| Reroll {
                means: write_means(lattice, &mut value, &mut fresh),
                best: write_best(&less, rolls.start, &mut value, &mut fresh),
            })
            .collect();
        let mut orders: Vec<(u16, f32)> = Vec::new();
        let mut place = HashMap::new();
        for roll in rolls {
            let count = lattice.keeps()[roll].orders() as f32;
            let at = *place.entry(value[roll]).or_insert(orders.len());
            if at == orders.len() {
                orders.push((value[roll], count));
            } else {
                orders[at].1 += count;
            }
        }
        let Steps { exits, rerolls, orders } =
            Steps { exits, rerolls, orders }.in_rows(inputs, lattice.faces())?;
        let orders: Vec<(usize, f32)> = orders.iter().map(|&(row, orders)| (row.into(), orders)).collect();
        Some(Program {
            faces: lattice.faces(),
            exits: places(&exits),
            rerolls: rerolls.iter().map(|reroll| (places(&reroll.means), places(&reroll.best))).collect(),
            mean: MeanOfRolls::new(&orders),
            first_values: orders.len(),
        })
    }

    /// How many rows it reads once the values of the final rolls are known.
    pub fn reads(&self) -> usize {
        let of_reroll =
            |(means, best): &(Vec<_>, Vec<_>)| usize::from(self.faces) * means.len() + 4 * best.len();
        self.rerolls.iter().map(of_reroll).sum::<usize>() + self.first_values
    }

    /// Runs it: worths of entries in the first rows in, value of the whole turn out.
    #[inline(always)]
    pub fn run<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) -> Row<T, W> {
        for places in &self.exits {
            let [to, one, other] = places.rows();
            rows.0[to] = rows.0[one].max(&rows.0[other]);
        }
        for (more, best) in &self.rerolls {
            means(rows, more, self.faces);
            for places in best {
                let [to, a, b, c, d] = places.rows();
                rows.0[to] = rows.0[a].max(&rows.0[b]).max(&rows.0[c]).max(&rows.0[d]);
            }
        }
        self.mean.of(rows)
    }
}

/// Steps as lists hold them.
fn places<const N: usize, const WORDS: usize>(steps: &[[u16; N]]) -> Vec<PackedRows<WORDS>> {
    steps.iter().map(|step| PackedRows::of(step.map(usize::from))).collect()
}

impl Steps {
    /// Gives values rows: a row is used again when nothing needs its value any more, so that all stays in
    /// the first-level cache. Nothing if there are not enough of them.
    fn in_rows(mut self, inputs: usize, faces: u8) -> Option<Steps> {
        // Steps in their order, to and from; a value is needed up to the last step that reads it.
        let mut steps: Vec<&mut [u16]> = self.exits.iter_mut().map(|step| step.as_mut_slice()).collect();
        for reroll in &mut self.rerolls {
            steps.extend(reroll.means.iter_mut().map(|step| &mut step[..=usize::from(faces)]));
            steps.extend(reroll.best.iter_mut().map(|step| step.as_mut_slice()));
        }
        let values = inputs + steps.len();
        let mut needed_until = vec![0; values];
        for (nth, step) in steps.iter().enumerate() {
            step[1..].iter().for_each(|&value| needed_until[usize::from(value)] = nth);
        }
        self.orders.iter().for_each(|&(value, _)| needed_until[usize::from(value)] = steps.len());
        let mut row_of: Vec<u16> = (0..values as u16).collect();
        let (mut free, mut rows) = (Vec::new(), inputs);
        for (nth, step) in steps.into_iter().enumerate() {
            for at in 1..step.len() {
                let value = step[at];
                if needed_until[usize::from(value)] == nth && !step[at + 1..].contains(&value) {
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

/// The value of every keep from those of the rolls: keeps with the same six after them are one.
fn write_means(lattice: &Lattice, value: &mut [u16], fresh: &mut impl FnMut() -> u16) -> Vec<Mean> {
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
            let mut step = [fresh(); MAX_FACES + 1];
            step[1..].copy_from_slice(&after);
            means.push(step);
            step[0]
        });
    }
    means
}

/// The value of the best keep within each roll: rolls with the same keeps to choose from are one.
fn write_best(
    less: &[Vec<u16>],
    first_roll: usize,
    value: &mut [u16],
    fresh: &mut impl FnMut() -> u16,
) -> Vec<Best> {
    let mut numbers: HashMap<u16, usize> = HashMap::new();
    let mut known: HashMap<Set, u16> = HashMap::new();
    let mut best = Vec::new();
    let mut sets: Vec<(Set, u16)> = Vec::with_capacity(value.len());
    for k in 0..value.len() {
        let number = numbers.len();
        let own = Set::of(*numbers.entry(value[k]).or_insert(number));
        let mut from: Vec<&(Set, u16)> = less[k].iter().map(|&smaller| &sets[usize::from(smaller)]).collect();
        let all = from.iter().fold(own, |all, (set, _)| all.or(set));
        let of_all = *known.entry(all).or_insert_with(|| {
            // The largest first: those that they contain add nothing.
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
                step[0] = fresh();
                step[1] = a;
                step[2..=few].copy_from_slice(&values[1..few]);
                values.splice(..few, [step[0]]);
                best.push(step);
            }
            values[0]
        });
        sets.push((all, of_all));
    }
    for (value, (_, best)) in value.iter_mut().zip(&sets).skip(first_roll) {
        *value = *best;
    }
    best
}

/// A set of numbers.
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
