//! Rows of lanes: the values that a fold holds for each keep.

/// A number that a lane can hold.
pub trait Number:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + From<f32>
    + Into<f64>
    + bytemuck::Pod
    + Send
    + Sync
    + 'static
{
    /// Returns the number nearest to `value`.
    fn nearest(value: f64) -> Self;
}

impl Number for f32 {
    fn nearest(value: f64) -> f32 {
        value as f32
    }
}

impl Number for f64 {
    fn nearest(value: f64) -> f64 {
        value
    }
}

/// One value for each of `W` lanes, in one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row<T, const W: usize>(pub [T; W]);

/// Eight lanes of double precision.
pub type Row64 = Row<f64, 8>;

/// Sixteen lanes of single precision.
pub type Row32 = Row<f32, 16>;

impl<T: Number, const W: usize> Row<T, W> {
    /// Returns a row with `value` in every lane.
    #[inline(always)]
    pub fn of(value: T) -> Self {
        Row([value; W])
    }

    /// Returns the sum, lane by lane.
    #[inline(always)]
    pub fn plus(mut self, other: &Self) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] + other.0[lane];
        }
        self
    }

    /// Returns the row with every lane multiplied by `factor`.
    #[inline(always)]
    pub fn times(mut self, factor: T) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] * factor;
        }
        self
    }

    /// Returns the row with every lane divided by `divisor`.
    #[inline(always)]
    pub fn over(mut self, divisor: T) -> Self {
        for lane in 0..W {
            self.0[lane] = self.0[lane] / divisor;
        }
        self
    }
}

impl<T: Copy + PartialOrd, const W: usize> Row<T, W> {
    /// Returns the maximum, lane by lane. A comparison compiles to one instruction, whereas `f64::max` must also handle
    /// NaN. `other` is the second operand because that is the one that the instruction can read from memory.
    #[inline(always)]
    pub fn max(self, other: &Self) -> Self {
        let other = *other;
        Row(std::array::from_fn(|lane| {
            let (a, b) = (self.0[lane], other.0[lane]);
            if a > b { a } else { b }
        }))
    }
}

/// The number of rows that have an index: the smallest power of two that holds the 924 keeps of six dice.
pub(super) const ROOM: usize = 1 << (16 - SHIFT);

/// Unused rows after those. An index below [`ROOM`] plus an offset within a triangle (at most 27) is therefore in
/// bounds, and the compiler can prove it.
const BEYOND: usize = 32;

/// The binary logarithm of the size of a row in bytes: a row is a cache line of 64 bytes.
const SHIFT: u32 = 6;

/// Row indices, in words of four. Each is stored as index × 64, the byte offset of a 64-byte row: every bit pattern is in
/// bounds, so no bounds check is needed, and an address takes one load and one mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedRows<const WORDS: usize>([[u16; IN_WORD]; WORDS]);

/// The number of indices in a word.
pub(super) const IN_WORD: usize = 4;

impl<const WORDS: usize> PackedRows<WORDS> {
    /// Packs row indices. Unused fields hold index 0.
    pub fn of(rows: impl IntoIterator<Item = usize>) -> Self {
        let mut words = [[0; IN_WORD]; WORDS];
        for (nth, row) in rows.into_iter().enumerate() {
            assert!(row < ROOM && nth < WORDS * IN_WORD);
            words[nth / IN_WORD][nth % IN_WORD] = (row as u16) << SHIFT;
        }
        PackedRows(words)
    }

    /// Returns the `nth` index.
    #[inline(always)]
    pub fn row(&self, nth: usize) -> usize {
        usize::from(self.0[nth / IN_WORD][nth % IN_WORD] >> SHIFT)
    }

    /// Returns the first `N` indices.
    #[inline(always)]
    pub fn rows<const N: usize>(&self) -> [usize; N] {
        std::array::from_fn(|nth| self.row(nth))
    }
}

/// The rows of all keeps during one turn, by their indices in the lattice.
pub struct Rows<T, const W: usize>(pub(super) Box<[Row<T, W>; ROOM + BEYOND]>);

impl<T: Number, const W: usize> Rows<T, W> {
    /// Creates rows of zeros.
    pub fn new() -> Self {
        Rows::filled(T::from(0.0))
    }
}

impl<T: Copy, const W: usize> Rows<T, W> {
    /// Creates rows with `value` in every lane.
    pub fn filled(value: T) -> Self {
        let rows = vec![Row([value; W]); ROOM + BEYOND].into_boxed_slice();
        Rows(rows.try_into().unwrap_or_else(|_| unreachable!("the vector has ROOM + BEYOND rows")))
    }

    /// Returns the row of a keep, by its index in the lattice.
    #[inline(always)]
    pub fn get(&self, keep: u16) -> &Row<T, W> {
        &self.0[usize::from(keep) % ROOM]
    }

    /// Returns the rows of a range of keeps.
    #[inline(always)]
    pub fn all(&self, keeps: std::ops::Range<usize>) -> &[Row<T, W>] {
        &self.0[keeps]
    }

    /// Returns the rows of a range of keeps for writing.
    #[inline(always)]
    pub fn all_mut(&mut self, keeps: std::ops::Range<usize>) -> &mut [Row<T, W>] {
        &mut self.0[keeps]
    }

    /// Returns the row of a keep for writing, by its index in the lattice.
    #[inline(always)]
    pub fn get_mut(&mut self, keep: u16) -> &mut Row<T, W> {
        &mut self.0[usize::from(keep) % ROOM]
    }
}

impl<T: Number, const W: usize> Default for Rows<T, W> {
    fn default() -> Self {
        Rows::new()
    }
}
