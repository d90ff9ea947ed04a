//! Values after an entry, for objectives whose lanes are points: the curve of the next state, shifted by the points
//! that the entry pays.
//!
//! The values of a state for consecutive lanes form a curve. An entry leads to a lane of another curve: points still
//! needed fall by the points that it pays; points so far and leads rise by them. The curve and its shift are the same
//! for all blocks of lanes of a state and are found once.

use crate::game::rules::Entry;
use crate::kernel::workspace::EntryValues;
use crate::turn::{Number, Row, prefetch};

/// The location of a curve in an array of cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveView {
    /// The index of its first cell.
    pub offset: usize,
    /// The lane of the first cell.
    pub first: i32,
    /// Last offset at which a full row can be loaded. Reads beyond either end are clamped to the first or last row.
    pub last: i32,
}

/// A block of lanes from `start` on: the values of all solved curves, and the curve after each entry, already shifted.
pub(crate) struct ShiftedCurves<'a, T> {
    pub cells: &'a [T],
    pub curves: &'a [CurveView],
    pub start: i32,
}

impl<T: Number, const W: usize> EntryValues<T, W> for ShiftedCurves<'_, T> {
    #[inline(always)]
    fn after(&self, nth: usize, _: Entry) -> Row<T, W> {
        self.curves[nth].row(self.cells, self.start)
    }
}

impl CurveView {
    /// Returns this curve in the lanes from before an entry that increases the lane by `paid`.
    pub fn before(self, paid: i32) -> CurveView {
        CurveView { first: self.first - paid, ..self }
    }

    /// Returns the row of lanes from `start` on, clamped as a whole to the ends of the curve.
    #[inline(always)]
    pub fn row<T: Number, const W: usize>(&self, cells: &[T], start: i32) -> Row<T, W> {
        let at = (start - self.first).clamp(0, self.last) as usize;
        let lanes = cells[self.offset + at..].first_chunk::<W>();
        Row(*lanes.expect("a curve is followed by enough cells for a full row at `last`"))
    }

    /// Prefetches the cell of a lane.
    #[inline(always)]
    pub fn prefetch<T>(&self, cells: &[T], lane: i32) {
        prefetch(cells, self.offset + (lane - self.first).clamp(0, self.last) as usize);
    }

    /// Returns the value of one lane, clamped to cells 0 to `last`.
    #[inline(always)]
    pub fn lane<T: Number>(&self, cells: &[T], lane: i32) -> T {
        cells[self.offset + (lane - self.first).clamp(0, self.last) as usize]
    }
}
