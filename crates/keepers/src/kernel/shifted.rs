//! The curves that entries lead to, moved by what the entries pay.
//!
//! Whatever the lanes of an objective are, an entry leads from one curve to another and moves along it
//! by the points that it pays: points still needed shrink, points so far and leads grow. Which curve and
//! how far is found once for all blocks of lanes of a state.

use crate::game::rules::Entry;
use crate::kernel::workspace::EntryValues;
use crate::turn::{Number, Row};

/// Where a curve lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurveView {
    /// Where its cells start.
    pub offset: usize,
    /// The lane that the first cell is for.
    pub first: i32,
    /// The last cell that a whole row of lanes starts from. What lies further out on either side is
    /// like the row there.
    pub last: i32,
}

/// A block of lanes: all curves, those that the entries lead to, and the first lane.
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
    /// The same curve, seen from before an entry that makes the lanes grow by so much.
    pub fn before(self, paid: i32) -> CurveView {
        CurveView { first: self.first - paid, ..self }
    }

    /// The lanes from `start` on.
    #[inline(always)]
    pub fn row<T: Number, const W: usize>(&self, cells: &[T], start: i32) -> Row<T, W> {
        let at = (start - self.first).clamp(0, self.last) as usize;
        let lanes = cells[self.offset + at..].first_chunk::<W>();
        Row(*lanes.expect("a curve has room for a whole row everywhere"))
    }

    /// One lane.
    #[inline(always)]
    pub fn lane<T: Number>(&self, cells: &[T], lane: i32) -> T {
        cells[self.offset + (lane - self.first).clamp(0, self.last) as usize]
    }
}
