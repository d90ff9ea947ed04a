//! The curves of a group and of a part. Each curve is padded, so that any row of lanes of it is one load.

use crate::game::rules::Entry;
use crate::kernel::workspace::EntryValues;
use crate::parallel::Threads;
use crate::turn::{Number, Row};
use crate::work::{WorkError, reserve, zeroed};

/// The cells before and after each curve. No row has more lanes.
const PAD: usize = 16;

/// The lanes of one curve, and where its cells are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurveWindow {
    /// The index of the first padded cell among the cells of the group.
    offset: u32,
    /// The lane of the first value.
    pub first: u16,
    /// The number of values.
    pub len: u16,
}

/// The curves of the states of a group, in their order.
#[derive(Clone, Debug)]
pub struct GroupCurves<T> {
    outside: [T; 2],
    windows: Vec<CurveWindow>,
    cells: Vec<T>,
}

impl<T: Number> GroupCurves<T> {
    /// Creates a group without curves. `outside` are the values before the first and after the last lane of a curve.
    pub fn new(outside: [T; 2]) -> GroupCurves<T> {
        GroupCurves { outside, windows: Vec::new(), cells: Vec::new() }
    }

    /// Adds the curve of the next state: its first lane, and its values.
    pub fn push(&mut self, first: u16, values: &[T]) {
        let offset = self.cells.len() as u32;
        self.windows.push(CurveWindow { offset, first, len: values.len() as u16 });
        self.cells.extend([self.outside[0]; PAD]);
        self.cells.extend_from_slice(values);
        self.cells.extend([self.outside[1]; PAD]);
    }

    /// Returns the curves.
    pub fn view(&self) -> GroupView<'_, T> {
        GroupView { windows: &self.windows, cells: &self.cells }
    }
}

/// The curves of the states of a group, in their order.
#[derive(Clone, Copy, Debug)]
pub struct GroupView<'a, T> {
    windows: &'a [CurveWindow],
    cells: &'a [T],
}

impl<'a, T: Number> GroupView<'a, T> {
    /// Returns the lanes of all curves.
    pub fn windows(&self) -> &'a [CurveWindow] {
        self.windows
    }

    /// Returns the values of a curve.
    pub fn values(&self, class: usize) -> &'a [T] {
        let window = self.windows[class];
        let from = window.offset as usize + PAD;
        &self.cells[from..from + usize::from(window.len)]
    }

    #[inline]
    pub(crate) fn slice(&self, class: usize) -> CurveSlice<'a, T> {
        let CurveWindow { offset, first, len } = self.windows[class];
        let from = offset as usize;
        CurveSlice {
            cells: &self.cells[from..from + usize::from(len) + 2 * PAD],
            first: i32::from(first),
            len: i32::from(len),
        }
    }
}

/// One padded curve.
#[derive(Clone, Copy)]
pub(crate) struct CurveSlice<'a, T> {
    cells: &'a [T],
    /// The lane of the first value.
    pub first: i32,
    /// The number of values.
    pub len: i32,
}

impl<'a, T: Number> CurveSlice<'a, T> {
    /// Returns this curve in the lanes from before an entry that increases the lane by `paid`.
    #[inline]
    pub fn before(self, paid: i32) -> CurveSlice<'a, T> {
        CurveSlice { first: self.first - paid, ..self }
    }

    /// Returns the row of lanes from `start` on. Rows that are outside of the curve are all padding.
    #[inline(always)]
    pub fn row<const W: usize>(&self, start: i32) -> Row<T, W> {
        const { assert!(W <= PAD) }
        let at = (start - self.first + PAD as i32).clamp(0, self.len + PAD as i32) as usize;
        let lanes = self.cells[at..].first_chunk::<W>();
        Row(*lanes.expect("a curve is followed by enough cells for a full row"))
    }

    /// Returns the values.
    #[inline]
    pub fn values(&self) -> &'a [T] {
        &self.cells[PAD..PAD + self.len as usize]
    }
}

/// A block of lanes from `start` on: the curve after each entry, already shifted.
pub(crate) struct GatheredCurves<'a, T> {
    pub curves: &'a [CurveSlice<'a, T>],
    pub start: i32,
}

impl<T: Number, const W: usize> EntryValues<T, W> for GatheredCurves<'_, T> {
    #[inline(always)]
    fn after(&self, nth: usize, _: Entry) -> Row<T, W> {
        self.curves[nth].row(self.start)
    }
}

/// The curves of all groups of a part, in their order.
#[derive(Debug)]
pub struct PartCurves<T> {
    /// For each group, the index of its first window and of its first cell; and the ends.
    groups: Vec<(usize, usize)>,
    windows: Vec<CurveWindow>,
    cells: Vec<T>,
}

impl<T: Number> PartCurves<T> {
    /// Joins the curves of all groups of a part.
    pub(super) fn join(groups: Vec<GroupCurves<T>>) -> Result<PartCurves<T>, WorkError> {
        let sizes = groups.iter().map(|group| (group.windows.len(), group.cells.len()));
        let mut part = PartCurves::allocate(sizes)?;
        for (nth, group) in groups.into_iter().enumerate() {
            let (windows, cells) = part.groups[nth];
            part.windows[windows..windows + group.windows.len()].copy_from_slice(&group.windows);
            part.cells[cells..cells + group.cells.len()].copy_from_slice(&group.cells);
        }
        Ok(part)
    }

    /// Reads the curves of all groups of a part in parallel. `sizes` has the numbers of curves and of values of each
    /// group. `read` receives the index of a group and must write its curves.
    ///
    /// # Errors
    /// If `read` fails, or if there is not enough memory.
    pub fn read<E: From<WorkError> + Send>(
        sizes: &[(usize, usize)],
        outside: [T; 2],
        read: impl Fn(usize, &mut CurveWriter<'_, T>) -> Result<(), E> + Send + Sync,
    ) -> Result<PartCurves<T>, E> {
        let padded = sizes.iter().map(|&(curves, values)| (curves, values + 2 * PAD * curves));
        let mut part = PartCurves::allocate(padded.clone())?;
        let (mut windows, mut cells) = (part.windows.as_mut_slice(), part.cells.as_mut_slice());
        let mut writers = Vec::with_capacity(sizes.len());
        for (nth, size) in padded.enumerate() {
            let (of_group, more_windows) = windows.split_at_mut(size.0);
            let (group_cells, more_cells) = cells.split_at_mut(size.1);
            (windows, cells) = (more_windows, more_cells);
            writers.push((nth, CurveWriter { outside, windows: of_group, cells: group_cells, offset: 0 }));
        }
        Threads::All.try_for_each(writers, 16, |(nth, mut writer)| read(nth, &mut writer))?;
        Ok(part)
    }

    /// Reads the curves of one group, on the current thread.
    ///
    /// # Errors
    /// If `read` fails, or if there is not enough memory.
    pub fn read_one<E: From<WorkError>>(
        size: (usize, usize),
        outside: [T; 2],
        read: impl FnOnce(&mut CurveWriter<'_, T>) -> Result<(), E>,
    ) -> Result<PartCurves<T>, E> {
        let mut part = PartCurves::allocate(std::iter::once((size.0, size.1 + 2 * PAD * size.0)))?;
        read(&mut CurveWriter { outside, windows: &mut part.windows, cells: &mut part.cells, offset: 0 })?;
        Ok(part)
    }

    fn allocate(sizes: impl Iterator<Item = (usize, usize)>) -> Result<PartCurves<T>, WorkError> {
        let mut groups = vec![(0, 0)];
        let (mut windows, mut cells) = (0, 0);
        for size in sizes {
            windows += size.0;
            cells += size.1;
            groups.push((windows, cells));
        }
        let mut all = Vec::new();
        reserve(&mut all, windows)?;
        all.resize(windows, CurveWindow::default());
        Ok(PartCurves { groups, windows: all, cells: zeroed(cells)? })
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len() - 1
    }

    /// Returns the curves of a group.
    pub fn group(&self, nth: usize) -> GroupView<'_, T> {
        let (from, to) = (self.groups[nth], self.groups[nth + 1]);
        GroupView { windows: &self.windows[from.0..to.0], cells: &self.cells[from.1..to.1] }
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.groups) + size_of_val(&*self.windows) + size_of_val(&*self.cells)
    }

    /// Returns the number of values, without padding.
    pub fn values(&self) -> usize {
        self.cells.len() - 2 * PAD * self.windows.len()
    }

    /// Returns the size in memory of a part with this many states and values, in bytes.
    pub(super) fn bytes_of(states: usize, values: usize) -> usize {
        size_of::<T>() * (values + 2 * PAD * states) + size_of::<CurveWindow>() * states
    }
}

/// Receives the curves of a group, in the order of its states.
pub struct CurveWriter<'a, T> {
    outside: [T; 2],
    windows: &'a mut [CurveWindow],
    cells: &'a mut [T],
    offset: usize,
}

impl<T: Number> CurveWriter<'_, T> {
    /// Adds the next curve, and returns the place for its values. Returns `None` if the group has fewer curves or values.
    pub fn push(&mut self, first: u16, len: u16) -> Option<&mut [T]> {
        let cells = self.cells.get_mut(self.offset..self.offset + usize::from(len) + 2 * PAD)?;
        let (window, rest) = std::mem::take(&mut self.windows).split_first_mut()?;
        *window = CurveWindow { offset: self.offset as u32, first, len };
        self.windows = rest;
        self.offset += cells.len();
        let (before, cells) = cells.split_at_mut(PAD);
        let (values, after) = cells.split_at_mut(usize::from(len));
        before.fill(self.outside[0]);
        after.fill(self.outside[1]);
        Some(values)
    }

    /// Returns whether all curves and values of the group were written.
    pub fn is_complete(&self) -> bool {
        self.windows.is_empty() && self.offset == self.cells.len()
    }
}
