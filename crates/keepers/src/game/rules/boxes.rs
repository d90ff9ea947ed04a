//! Boxes of the card, and sets of them.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The maximum number of boxes on a card.
pub const MAX_BOXES: usize = 22;

/// A box of the card, identified by its index from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxId(u8);

impl BoxId {
    /// Returns the box with this index, counted from 0 at the top of the card.
    pub fn at(index: usize) -> BoxId {
        assert!(index < MAX_BOXES, "a card has at most {MAX_BOXES} boxes");
        BoxId(index as u8)
    }

    /// Returns the index of the box, counted from 0 at the top of the card.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of boxes.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxSet(u32);

impl BoxSet {
    /// The empty set.
    pub const NONE: BoxSet = BoxSet(0);

    /// Returns the first `boxes` boxes.
    pub fn first(boxes: usize) -> BoxSet {
        assert!(boxes <= MAX_BOXES, "a card has at most {MAX_BOXES} boxes");
        BoxSet((1 << boxes) - 1)
    }

    /// Returns the set with one bit per box: bit i is box i.
    pub fn from_bits(bits: u32) -> BoxSet {
        BoxSet(bits)
    }

    /// Returns the set as bits: bit i is box i.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Returns the number of boxes in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains this box.
    pub fn contains(self, id: BoxId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// Returns the set with this box added.
    #[must_use]
    pub fn with(self, id: BoxId) -> BoxSet {
        BoxSet(self.0 | 1 << id.0)
    }

    /// Returns the set with this box removed.
    #[must_use]
    pub fn without(self, id: BoxId) -> BoxSet {
        BoxSet(self.0 & !(1 << id.0))
    }

    /// Returns the boxes that are in this set and not in `other`.
    #[must_use]
    pub fn minus(self, other: BoxSet) -> BoxSet {
        BoxSet(self.0 & !other.0)
    }

    /// Returns the boxes in both sets.
    #[must_use]
    pub fn and(self, other: BoxSet) -> BoxSet {
        BoxSet(self.0 & other.0)
    }

    /// Returns the boxes in order, from the top of the card.
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

/// One value per box of a card.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ByBox<T>(Vec<T>);

impl<T> ByBox<T> {
    /// Returns each box with its value, from the top of the card.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (BoxId, &T)> + DoubleEndedIterator {
        self.0.iter().enumerate().map(|(index, value)| (BoxId(index as u8), value))
    }

    /// Returns the values, from the top of the card.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// Returns the values as a mutable slice.
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
