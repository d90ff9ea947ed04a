//! Boxes of the card, and sets of them.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The most boxes a card may have.
pub const MAX_BOXES: usize = 22;

/// A box of the card, by its place from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxId(u8);

impl BoxId {
    /// The box at this place, counted from zero.
    pub fn at(place: usize) -> BoxId {
        assert!(place < MAX_BOXES, "a card has at most {MAX_BOXES} boxes");
        BoxId(place as u8)
    }

    /// Its place from the top, counted from zero.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of boxes.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxSet(u32);

impl BoxSet {
    /// No box.
    pub const NONE: BoxSet = BoxSet(0);

    /// The first `boxes` boxes.
    pub fn first(boxes: usize) -> BoxSet {
        assert!(boxes <= MAX_BOXES, "a card has at most {MAX_BOXES} boxes");
        BoxSet((1 << boxes) - 1)
    }

    /// The set whose members are the bits of `bits`.
    pub fn from_bits(bits: u32) -> BoxSet {
        BoxSet(bits)
    }

    /// One bit for each box.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// How many boxes there are in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds no box.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds this box.
    pub fn contains(self, id: BoxId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// The set with this box too.
    #[must_use]
    pub fn with(self, id: BoxId) -> BoxSet {
        BoxSet(self.0 | 1 << id.0)
    }

    /// The set without this box.
    #[must_use]
    pub fn without(self, id: BoxId) -> BoxSet {
        BoxSet(self.0 & !(1 << id.0))
    }

    /// The boxes in this set and not in the other.
    #[must_use]
    pub fn minus(self, other: BoxSet) -> BoxSet {
        BoxSet(self.0 & !other.0)
    }

    /// The boxes in both sets.
    #[must_use]
    pub fn and(self, other: BoxSet) -> BoxSet {
        BoxSet(self.0 & other.0)
    }

    /// The boxes from the top of the card down.
    pub fn iter(self) -> impl Iterator<Item = BoxId> + Clone {
        (0..MAX_BOXES as u8).map(BoxId).filter(move |&id| self.contains(id))
    }
}

impl FromIterator<BoxId> for BoxSet {
    fn from_iter<I: IntoIterator<Item = BoxId>>(ids: I) -> BoxSet {
        ids.into_iter().fold(BoxSet::NONE, BoxSet::with)
    }
}

impl fmt::Debug for BoxSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|id| id.0)).finish()
    }
}

/// One value for each box of a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ByBox<T>(Vec<T>);

impl<T> ByBox<T> {
    /// Each box with its value, from the top of the card down.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (BoxId, &T)> + DoubleEndedIterator {
        self.0.iter().enumerate().map(|(place, value)| (BoxId(place as u8), value))
    }

    /// The values alone.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The values alone, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> FromIterator<T> for ByBox<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> ByBox<T> {
        ByBox(values.into_iter().collect())
    }
}

impl<T> Index<BoxId> for ByBox<T> {
    type Output = T;
    fn index(&self, id: BoxId) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<BoxId> for ByBox<T> {
    fn index_mut(&mut self, id: BoxId) -> &mut T {
        &mut self.0[id.index()]
    }
}
