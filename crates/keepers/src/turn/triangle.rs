//! Keeps in triangles, for dice with six faces: the means and maxima of the plain edge lists, with fewer loads.
//!
//! A fold is bound by loads, of rows and of the indices that locate them. The lattice stores keeps with the same low
//! dice (1 to 3) and the same number of high dice (4 to 6) next to each other. Such keeps form a triangle. This is a
//! triangle of three high dice, without its low dice; on the right are the offsets of its keeps from the first one:
//!
//! ```text
//! line 0             444                        0
//! line 1          445   446                   1   2
//! line 2       455   456   466              3   4   5
//! line 3    555   556   566   666         6   7   8   9
//! ```
//!
//! Let `p` be the offset of a keep in line `m`. Adding a 4, 5 or 6 leads to offset `p`, `p + m + 1` or `p + m + 2` of
//! the triangle with one more high die ("above"). Removing a 4, 5 or 6 leads to offset `p`, `p - m` or `p - m - 1` of
//! the triangle with one high die less ("below"). Adding or removing a low die leads to offset `p` of another triangle.
//! One index therefore locates a whole triangle, and rows of the triangle above or below that several keeps need are
//! loaded once.

use super::Number;
use super::row::{PackedRows, Row, Rows};
use crate::dice::{Face, Keep, Lattice};

/// The largest number of high dice in a triangle: with five dice, all keeps are in triangles. The module for
/// WebAssembly, which is downloaded, is 12 kB smaller without the largest ones.
const LARGEST: usize = if cfg!(target_arch = "wasm32") { 3 } else { 5 };

/// The largest number of high dice in a triangle with two or three different low dice. Larger ones occur with six dice
/// only, and are few.
const LARGEST_WITH_LOW_DICE: usize = 3;

/// The faces that differ within a triangle, and those that all its keeps have in common.
const HIGH: std::ops::RangeInclusive<u8> = 4..=6;
const LOW: std::ops::RangeInclusive<u8> = 1..=3;

/// All triangles of a lattice. Element `h` of an array has the triangles of `h` high dice.
///
/// Triangles are ordered by high dice and then by low dice, not by the size of the keep. That makes a few long loops
/// instead of many short ones, whose ends are hard to predict for the processor.
#[derive(Clone, Debug, Default)]
pub(super) struct Triangles {
    /// The first rows of each triangle, of the one above, and of those with a 1, 2 or 3 added, from many low dice to
    /// few. Rolls are not listed.
    larger: [Vec<PackedRows<2>>; 6],
    smaller: [SmallerLists; 6],
}

/// The first rows of each triangle, of the one below, and of those with a low die removed, from few low dice to many.
/// There is one list per number of different low dice; triangles without low dice are in `one`. Keeps without high dice
/// have nothing below, and that index is not used.
#[derive(Clone, Debug, Default)]
struct SmallerLists {
    one: Vec<PackedRows<1>>,
    two: Vec<PackedRows<1>>,
    three: Vec<PackedRows<2>>,
}

impl Triangles {
    /// Finds the triangles of a lattice. There are none unless dice have six faces.
    pub fn new(lattice: &Lattice) -> Triangles {
        let mut triangles = Triangles::default();
        let lowest_high = Face::new(*HIGH.start()).expect("4 is a face");
        // Finds the first row of a triangle.
        let first_row = |low: &Keep, high: usize| {
            lattice.index_of(&(0..high).fold(*low, |keep, _| keep.with(lowest_high)))
        };
        // The lattice lists keeps from small to large.
        for k in (0..lattice.keeps().len()).filter(|&k| in_triangle(lattice, k)) {
            let keep = &lattice.keeps()[k];
            let low: Keep = keep.faces().filter(|face| LOW.contains(&face.pips())).collect();
            let high = keep.len() - low.len();
            if k != first_row(&low, high) {
                continue;
            }
            let low_faces = || Face::all(*LOW.end());
            if keep.len() < lattice.dice() as usize {
                let with_low = low_faces().map(|face| first_row(&low.with(face), high));
                triangles.larger[high]
                    .push(PackedRows::of([k, first_row(&low, high + 1)].into_iter().chain(with_low)));
            }
            let mut without_low: Vec<usize> =
                low_faces().filter_map(|face| Some(first_row(&low.without(face)?, high))).collect();
            if without_low.is_empty() {
                // The maximum with its own rows changes nothing, and keeps the compiler from emitting masked stores.
                without_low.push(k);
            }
            let SmallerLists { one, two, three } = &mut triangles.smaller[high];
            let different = without_low.len();
            let below = high.checked_sub(1).map_or(k, |high| first_row(&low, high));
            let rows = [k, below].into_iter().chain(without_low);
            match different {
                1 => one.push(PackedRows::of(rows)),
                2 => two.push(PackedRows::of(rows)),
                _ => three.push(PackedRows::of(rows)),
            }
        }
        triangles.larger.iter_mut().for_each(|larger| larger.reverse());
        triangles
    }

    /// Applies the chance step, eq. (4), to the keeps in triangles.
    #[inline(always)]
    pub fn chance<T: Number, const W: usize>(&self, rows: &mut Rows<T, W>) {
        if LARGEST == 5 {
            mean_over_next_die::<T, W, 5>(rows, &self.larger[5]);
            mean_over_next_die::<T, W, 4>(rows, &self.larger[4]);
        }
        mean_over_next_die::<T, W, 3>(rows, &self.larger[3]);
        mean_over_next_die::<T, W, 2>(rows, &self.larger[2]);
        mean_over_next_die::<T, W, 1>(rows, &self.larger[1]);
        mean_over_next_die::<T, W, 0>(rows, &self.larger[0]);
    }

    /// Applies the choice step, eq. (6), to the keeps in triangles.
    #[inline(always)]
    pub fn choice<T: Copy + PartialOrd, const W: usize>(&self, rows: &mut Rows<T, W>) {
        self.smaller[0].choice::<T, W, 0>(rows);
        self.smaller[1].choice::<T, W, 1>(rows);
        self.smaller[2].choice::<T, W, 2>(rows);
        self.smaller[3].choice::<T, W, 3>(rows);
        if LARGEST == 5 {
            self.smaller[4].choice::<T, W, 4>(rows);
            self.smaller[5].choice::<T, W, 5>(rows);
        }
    }
}

impl SmallerLists {
    #[inline(always)]
    fn choice<T: Copy + PartialOrd, const W: usize, const HIGH: usize>(&self, rows: &mut Rows<T, W>) {
        max_over_smaller::<T, W, 1, HIGH, 1>(rows, &self.one);
        if HIGH <= LARGEST_WITH_LOW_DICE {
            max_over_smaller::<T, W, 1, HIGH, 2>(rows, &self.two);
            max_over_smaller::<T, W, 2, HIGH, 3>(rows, &self.three);
        }
    }
}

/// Returns whether a keep is in a triangle. None is, unless dice have six faces.
pub(super) fn in_triangle(lattice: &Lattice, k: usize) -> bool {
    let keep = &lattice.keeps()[k];
    let high = keep.faces().filter(|face| HIGH.contains(&face.pips())).count();
    let different_low = Face::all(*LOW.end()).filter(|&face| keep.count(face) > 0).count();
    let largest = if different_low > 1 { LARGEST_WITH_LOW_DICE } else { LARGEST };
    lattice.faces() == *HIGH.end() && high <= largest
}

/// Returns the offset of the first keep of a line.
const fn line_start(line: usize) -> usize {
    line * (line + 1) / 2
}

#[inline(always)]
fn mean_over_next_die<T: Number, const W: usize, const HIGH: usize>(
    rows: &mut Rows<T, W>,
    larger: &[PackedRows<2>],
) {
    for indices in larger {
        // Lines are unrolled, because only constant indices into `shared` keep its rows in registers.
        let edges = indices.rows();
        let mut shared = [rows.0[edges[1]]; LARGEST + 2];
        line::<T, W, 0>(rows, edges, &mut shared);
        if HIGH >= 1 {
            line::<T, W, 1>(rows, edges, &mut shared);
        }
        if HIGH >= 2 {
            line::<T, W, 2>(rows, edges, &mut shared);
        }
        if HIGH >= 3 {
            line::<T, W, 3>(rows, edges, &mut shared);
        }
        if HIGH >= 4 {
            line::<T, W, 4>(rows, edges, &mut shared);
        }
        if HIGH >= 5 {
            line::<T, W, 5>(rows, edges, &mut shared);
        }
    }

    /// Computes one line. `shared` holds that line of the triangle above, and its next line on return.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "rows at constant indices stay in registers")]
    fn line<T: Number, const W: usize, const LINE: usize>(
        rows: &mut Rows<T, W>,
        [own, above, with_1, with_2, with_3]: [usize; 5],
        shared: &mut [Row<T, W>; LARGEST + 2],
    ) {
        let sixth = T::from(1.0) / T::from(6.0);
        let mut with_5 = rows.0[above + line_start(LINE + 1)];
        for nth in 0..=LINE {
            let offset = line_start(LINE) + nth;
            let low = rows.0[with_1 + offset].plus(&rows.0[with_2 + offset]).plus(&rows.0[with_3 + offset]);
            let with_4 = shared[nth];
            let with_6 = rows.0[above + offset + LINE + 2];
            rows.0[own + offset] = low.plus(&with_4).plus(&with_5).plus(&with_6).times(sixth);
            shared[nth] = with_5;
            with_5 = with_6;
        }
        shared[LINE + 1] = with_5;
    }
}

#[inline(always)]
fn max_over_smaller<
    T: Copy + PartialOrd,
    const W: usize,
    const WORDS: usize,
    const HIGH: usize,
    const LOW: usize,
>(
    rows: &mut Rows<T, W>,
    smaller: &[PackedRows<WORDS>],
) {
    for indices in smaller {
        let [own, below_first] = indices.rows();
        let without_low: [usize; LOW] = std::array::from_fn(|nth| indices.row(2 + nth));
        let below: [Row<T, W>; line_start(LARGEST)] = std::array::from_fn(|offset| {
            rows.0[if offset < line_start(HIGH) { below_first + offset } else { below_first }]
        });
        line::<T, W, HIGH, LOW, 0>(rows, own, without_low, &below);
        if HIGH >= 1 {
            line::<T, W, HIGH, LOW, 1>(rows, own, without_low, &below);
        }
        if HIGH >= 2 {
            line::<T, W, HIGH, LOW, 2>(rows, own, without_low, &below);
        }
        if HIGH >= 3 {
            line::<T, W, HIGH, LOW, 3>(rows, own, without_low, &below);
        }
        if HIGH >= 4 {
            line::<T, W, HIGH, LOW, 4>(rows, own, without_low, &below);
        }
        if HIGH >= 5 {
            line::<T, W, HIGH, LOW, 5>(rows, own, without_low, &below);
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
            let offset = line_start(LINE) + nth;
            let mut best = rows.0[own + offset];
            for without_die in without_low {
                best = best.max(&rows.0[without_die + offset]);
            }
            if LINE < HIGH {
                best = best.max(&below[offset]); // without a 4
            }
            if nth < LINE {
                best = best.max(&below[offset - LINE]); // without a 5
            }
            if nth > 0 {
                best = best.max(&below[offset - LINE - 1]); // without a 6
            }
            rows.0[own + offset] = best;
        }
    }
}
