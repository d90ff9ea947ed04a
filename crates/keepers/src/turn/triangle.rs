//! Keeps in triangles, for dice of six faces: the same sums and maxima with fewer loads.
//!
//! A turn is bound by loads: of rows, and of the indices that find them. Keeps with the same low dice
//! (1 to 3) and the same number of high ones (4 to 6) stand side by side in the lattice; without
//! their low dice, and with the places that they have among themselves:
//!
//! ```text
//! line 0             444                        0
//! line 1          445   446                   1   2
//! line 2       455   456   466              3   4   5
//! line 3    555   556   566   666         6   7   8   9
//! ```
//!
//! The keep at place p of line m has with a 4, a 5 or a 6 more the places p, p + m + 1 and p + m + 2
//! of the triangle above, and with one less the places p, p - m and p - m - 1 of the one below. With
//! a low die more or less it has the same place p of another triangle. So one index finds a whole
//! triangle, and what several of its keeps need of the triangle above or below is loaded once.

use super::Number;
use super::row::{PackedRows, Row, Rows};
use crate::dice::{Face, Keep, Lattice};

/// How many high dice the keeps of a triangle have at most: the rows that are shared must fit the
/// registers, and larger triangles are few.
const LARGEST: usize = 3;

/// The faces that make the places in a triangle, and those that all its keeps share.
const HIGH: std::ops::RangeInclusive<u8> = 4..=6;
const LOW: std::ops::RangeInclusive<u8> = 1..=3;

/// All triangles. Lists are by the number of high dice less one.
///
/// The order is by high dice and then by low ones, not by the size of the keep: a few long loops instead
/// of many short ones, whose ends the processor cannot foresee.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangles {
    /// Each triangle with the one above, and those with another 1, 2 and 3; none for rolls. From many low
    /// dice to few.
    more: [Vec<PackedRows<2>>; LARGEST],
    less: [Less; LARGEST],
}

/// By the number of different low dice: each triangle with the one below, and those with a low die less. From few low
/// dice to many.
#[derive(Clone, Debug, Default)]
struct Less {
    one: Vec<PackedRows<1>>,
    two: Vec<PackedRows<1>>,
    three: Vec<PackedRows<2>>,
}

impl Triangles {
    /// The triangles of a lattice; dice without six faces have none.
    pub fn new(lattice: &Lattice) -> Triangles {
        let mut triangles = Triangles::default();
        let first = Face::new(*HIGH.start()).expect("a face");
        // A triangle is found by its first keep.
        let find =
            |low: &Keep, high: usize| lattice.index_of(&(0..high).fold(*low, |keep, _| keep.with(first)));
        // Keeps stand in the lattice from small to large.
        for k in (0..lattice.keeps().len()).filter(|&k| in_triangle(lattice, k)) {
            let keep = &lattice.keeps()[k];
            let low: Keep = keep.faces().filter(|face| LOW.contains(&face.pips())).collect();
            let high = keep.len() - low.len();
            if k != find(&low, high) {
                continue;
            }
            let low_faces = || Face::all(*LOW.end());
            if keep.len() < lattice.dice() as usize {
                let with_low = low_faces().map(|face| find(&low.with(face), high));
                triangles.more[high - 1]
                    .push(PackedRows::of([k, find(&low, high + 1)].into_iter().chain(with_low)));
            }
            let mut others: Vec<usize> =
                low_faces().filter_map(|face| Some(find(&low.without(face)?, high))).collect();
            if others.is_empty() {
                // Its own rows change nothing, and keep the compiler from making masked stores.
                others.push(k);
            }
            let Less { one, two, three } = &mut triangles.less[high - 1];
            let different = others.len();
            let rows = [k, find(&low, high - 1)].into_iter().chain(others);
            match different {
                1 => one.push(PackedRows::of(rows)),
                2 => two.push(PackedRows::of(rows)),
                _ => three.push(PackedRows::of(rows)),
            }
        }
        triangles.more.iter_mut().for_each(|more| more.reverse());
        triangles
    }

    /// Eq. (4) for the keeps in triangles.
    #[inline(always)]
    pub fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) {
        mean_over_next_die::<T, W, 3>(rows, &self.more[2]);
        mean_over_next_die::<T, W, 2>(rows, &self.more[1]);
        mean_over_next_die::<T, W, 1>(rows, &self.more[0]);
    }

    /// Eq. (6) for the keeps in triangles.
    #[inline(always)]
    pub fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        let [one, two, three] = &self.less;
        one.choice::<T, W, 1>(rows);
        two.choice::<T, W, 2>(rows);
        three.choice::<T, W, 3>(rows);
    }
}

impl Less {
    #[inline(always)]
    fn choice<T: Copy + PartialOrd, const W: usize, const HIGH: usize>(&self, rows: &mut Rows<T, W>) {
        best_with_a_die_less::<T, W, 1, HIGH, 1>(rows, &self.one);
        best_with_a_die_less::<T, W, 1, HIGH, 2>(rows, &self.two);
        best_with_a_die_less::<T, W, 2, HIGH, 3>(rows, &self.three);
    }
}

/// Whether a keep belongs to a triangle.
fn in_triangle(lattice: &Lattice, k: usize) -> bool {
    !below_triangles(lattice, k) && !above_triangles(lattice, k)
}

/// Whether a keep has no high dice, or the dice make no triangles.
pub(super) fn below_triangles(lattice: &Lattice, k: usize) -> bool {
    lattice.faces() != *HIGH.end() || high_dice(lattice, k) == 0
}

/// Whether a keep has more high dice than triangles have.
pub(super) fn above_triangles(lattice: &Lattice, k: usize) -> bool {
    !below_triangles(lattice, k) && high_dice(lattice, k) > LARGEST
}

fn high_dice(lattice: &Lattice, k: usize) -> usize {
    lattice.keeps()[k].faces().filter(|face| HIGH.contains(&face.pips())).count()
}

/// The first place of a line.
const fn line_start(line: usize) -> usize {
    line * (line + 1) / 2
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const HIGH: usize>(
    rows: &mut Rows<T, W>,
    more: &[PackedRows<2>],
) {
    for places in more {
        // Lines are written out, not looped over, so that the shared rows stay in registers.
        let edges = places.rows();
        let mut shared = [rows.0[edges[1]]; LARGEST + 2];
        line::<T, W, 0>(rows, edges, &mut shared);
        line::<T, W, 1>(rows, edges, &mut shared);
        if HIGH >= 2 {
            line::<T, W, 2>(rows, edges, &mut shared);
        }
        if HIGH >= 3 {
            line::<T, W, 3>(rows, edges, &mut shared);
        }
    }

    /// `shared` is the same line of the triangle above, and the next one when this is done.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "rows with constant places stay in registers")]
    fn line<T: Number, const W: usize, const LINE: usize>(
        rows: &mut Rows<T, W>,
        [own, above, with_1, with_2, with_3]: [usize; 5],
        shared: &mut [Row<T, W>; LARGEST + 2],
    ) {
        let sixth = T::from(1.0) / T::from(6.0);
        let mut with_5 = rows.0[above + line_start(LINE + 1)];
        for nth in 0..=LINE {
            let place = line_start(LINE) + nth;
            let low = rows.0[with_1 + place].plus(&rows.0[with_2 + place]).plus(&rows.0[with_3 + place]);
            let with_4 = shared[nth];
            let with_6 = rows.0[above + place + LINE + 2];
            rows.0[own + place] = low.plus(&with_4).plus(&with_5).plus(&with_6).times(sixth);
            shared[nth] = with_5;
            with_5 = with_6;
        }
        shared[LINE + 1] = with_5;
    }
}

#[inline(always)]
fn best_with_a_die_less<
    T: Copy + PartialOrd,
    const W: usize,
    const WORDS: usize,
    const HIGH: usize,
    const LOW: usize,
>(
    rows: &mut Rows<T, W>,
    less: &[PackedRows<WORDS>],
) {
    for places in less {
        let [own, first] = places.rows();
        let without_low: [usize; LOW] = std::array::from_fn(|nth| places.row(2 + nth));
        let below: [Row<T, W>; line_start(LARGEST)] =
            std::array::from_fn(|place| rows.0[if place < line_start(HIGH) { first + place } else { first }]);
        line::<T, W, HIGH, LOW, 0>(rows, own, without_low, &below);
        line::<T, W, HIGH, LOW, 1>(rows, own, without_low, &below);
        if HIGH >= 2 {
            line::<T, W, HIGH, LOW, 2>(rows, own, without_low, &below);
        }
        if HIGH >= 3 {
            line::<T, W, HIGH, LOW, 3>(rows, own, without_low, &below);
        }
    }

    #[inline(always)]
    fn line<T: Copy + PartialOrd, const W: usize, const HIGH: usize, const LOW: usize, const LINE: usize>(
        rows: &mut Rows<T, W>,
        own: usize,
        without_low: [usize; LOW],
        below: &[Row<T, W>; line_start(LARGEST)],
    ) {
        for nth in 0..=LINE {
            let place = line_start(LINE) + nth;
            let mut best = rows.0[own + place];
            for without_die in without_low {
                best = best.max(&rows.0[without_die + place]);
            }
            if LINE < HIGH {
                best = best.max(&below[place]); // without a 4
            }
            if nth < LINE {
                best = best.max(&below[place - LINE]); // without a 5
            }
            if nth > 0 {
                best = best.max(&below[place - LINE - 1]); // without a 6
            }
            rows.0[own + place] = best;
        }
    }
}
