//! Rows of lanes: what a turn keeps of each set of dice.

/// A number that a lane can hold.
pub trait Number:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + From<f32>
    + bytemuck::Zeroable
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
    /// while `f64::max` must also order NaN; and the other row comes second, because that is the
    /// operand that the instruction can take from memory.
    #[inline(always)]
    pub fn max(self, other: &Self) -> Self {
        let other = *other;
        Row(std::array::from_fn(|lane| {
            let (a, b) = (self.0[lane], other.0[lane]);
            if a > b { a } else { b }
        }))
    }
}

/// How many rows there are: the next power of two after the 924 keeps of six dice.
pub(super) const ROOM: usize = 1 << (16 - SHIFT);

/// Rows beyond them that nothing uses, so that a few places after any row are proved to be in bounds.
const BEYOND: usize = 16;

/// A row is a cache line: its index times 64 is what an address takes.
const SHIFT: u32 = 6;

/// Places of up to four rows among [`Rows`] in each word, as lists hold them: 16 bits each, the index times 64. So
/// every value is in bounds, and an address takes a shift and a mask. A turn is bound by loads, and this way the places
/// of four rows are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedRows<const WORDS: usize>([u64; WORDS]);

/// How many places a word has.
pub(super) const IN_WORD: usize = 4;

impl<const WORDS: usize> PackedRows<WORDS> {
    /// The places of so many rows; those that are missing are the first row.
    pub fn of(rows: impl IntoIterator<Item = usize>) -> Self {
        let mut words = [0; WORDS];
        for (nth, row) in rows.into_iter().enumerate() {
            assert!(row < ROOM && nth < WORDS * IN_WORD);
            words[nth / IN_WORD] |= (row as u64) << (16 * (nth % IN_WORD) + SHIFT as usize);
        }
        PackedRows(words)
    }

    /// The index of the row at one of the places.
    #[inline(always)]
    pub fn row(&self, nth: usize) -> usize {
        usize::from((self.0[nth / IN_WORD] >> (16 * (nth % IN_WORD))) as u16 >> SHIFT)
    }

    /// The indices of the first rows.
    #[inline(always)]
    pub fn rows<const N: usize>(&self) -> [usize; N] {
        std::array::from_fn(|nth| self.row(nth))
    }
}

/// The rows of all keeps during one turn.
pub struct Rows<T, const W: usize>(pub(super) Box<[Row<T, W>; ROOM + BEYOND]>);

impl<T: Number, const W: usize> Rows<T, W> {
    /// Rows of zeros.
    pub fn new() -> Self {
        Rows::filled(T::from(0.0))
    }
}

impl<T: Copy, const W: usize> Rows<T, W> {
    /// Rows of one value.
    pub fn filled(value: T) -> Self {
        let rows = vec![Row([value; W]); ROOM + BEYOND].into_boxed_slice();
        Rows(rows.try_into().unwrap_or_else(|_| unreachable!("the vector has as many rows")))
    }

    /// The row of a keep, by its index in the lattice.
    #[inline(always)]
    pub fn get(&self, keep: u16) -> &Row<T, W> {
        &self.0[usize::from(keep) % ROOM]
    }

    /// The rows of several keeps, to be filled.
    #[inline(always)]
    pub fn all_mut(&mut self, keeps: std::ops::Range<usize>) -> &mut [Row<T, W>] {
        &mut self.0[keeps]
    }

    /// The row of a keep, to be filled.
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
