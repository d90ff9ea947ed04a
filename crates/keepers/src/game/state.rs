//! The score states of a game: everything about a card that affects future points.
//!
//! A state is a [`Group`] (the filled boxes, and whether extra bonuses are paid) and a class of the upper section
//! ([`Upper`]). The states of a group have consecutive indices, because the turn kernel folds them as lanes. Groups are
//! ordered by the number of open boxes, full cards first, so that every entry leads to a group with a smaller index.

use std::ops::Range;

use crate::game::rules::{BoxSet, Filled, Rules};
use crate::game::upper::{Upper, UpperCounts};

/// The states with the same filled boxes. They differ only in what the upper section still needs.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The filled boxes, and whether extra bonuses are paid.
    pub filled: Filled,
    upper_set: u32,
    first: u32,
}

impl Group {
    /// Returns the filled upper boxes, as a mask over the upper boxes ([`Upper::set_of`]).
    pub fn upper_set(&self) -> usize {
        self.upper_set as usize
    }

    /// Returns the index of the group's first state.
    pub fn first(&self) -> usize {
        self.first as usize
    }
}

/// All score states of a rule set and their indices.
///
/// ```
/// use keepers::Rules;
/// use keepers::internals::state::StateSpace;
/// let space = StateSpace::new(&Rules::preset("yahtzee").unwrap());
/// assert_eq!(space.states(), 310_656); // Pawlewicz, 3.1
/// ```
#[derive(Clone, Debug)]
pub struct StateSpace {
    upper: Upper,
    boxes: usize,
    groups: Vec<Group>,
    /// `layers[n]` is the range of the groups with n open boxes.
    layers: Vec<Range<usize>>,
    /// The index of the group with a key (see `key`).
    by_key: Vec<u32>,
    states: usize,
}

/// The number of states after each of the three steps that merge upper totals (see [`crate::game::upper`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateCounts {
    /// Step 1: upper totals that the filled boxes can make.
    pub totals: usize,
    /// Step 2: totals that the open boxes can distinguish.
    pub needs: usize,
    /// Step 3: "has the bonus" and "cannot get the bonus" merged. These states are solved.
    pub states: usize,
}

impl StateSpace {
    /// Enumerates the states of a rule set.
    pub fn new(rules: &Rules) -> StateSpace {
        let upper = Upper::new(rules);
        let boxes = rules.all_boxes().len();
        let yahtzee_box = rules.extra().filter(|_| rules.extras_pay()).map(|extra| extra.of);
        let keys = if yahtzee_box.is_some() { 2 << boxes } else { 1 << boxes };
        let mut space = StateSpace {
            upper,
            boxes,
            groups: Vec::with_capacity(keys),
            layers: Vec::new(),
            by_key: vec![0; keys],
            states: 0,
        };
        for open in 0..=boxes {
            let start = space.groups.len();
            for filled in sets_of_size(boxes, boxes - open) {
                space.add_group(Filled { boxes: filled, extras_pay: false });
                if yahtzee_box.is_some_and(|yahtzee| filled.contains(yahtzee)) {
                    space.add_group(Filled { boxes: filled, extras_pay: true });
                }
            }
            space.layers.push(start..space.groups.len());
        }
        space
    }

    fn add_group(&mut self, filled: Filled) {
        let upper_set = self.upper.set_of(filled.boxes);
        let key = self.key(filled);
        self.by_key[key] = self.groups.len() as u32;
        self.groups.push(Group { filled, upper_set: upper_set as u32, first: self.states as u32 });
        self.states += self.upper.classes(upper_set);
    }

    fn key(&self, filled: Filled) -> usize {
        filled.boxes.bits() as usize | usize::from(filled.extras_pay) << self.boxes
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns all groups, full cards first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the indices of the groups with `open` open boxes.
    pub fn layer(&self, open: usize) -> Range<usize> {
        self.layers[open].clone()
    }

    /// Returns the number of boxes of the card.
    pub fn boxes(&self) -> usize {
        self.boxes
    }

    /// Returns the classes of the upper section.
    pub fn upper(&self) -> &Upper {
        &self.upper
    }

    /// Returns the group with these boxes filled. The result is meaningless if extra bonuses are paid although the
    /// Yahtzee box is open.
    ///
    /// # Panics
    /// If extra bonuses are paid, but not in these rules.
    pub fn group(&self, filled: Filled) -> &Group {
        &self.groups[self.group_index(filled)]
    }

    /// Returns the index of the group with these boxes filled, with the restrictions of [`StateSpace::group`].
    pub fn group_index(&self, filled: Filled) -> usize {
        self.by_key[self.key(filled)] as usize
    }

    /// Returns the group that contains a state.
    pub fn group_of(&self, state: usize) -> &Group {
        &self.groups[self.group_index_of(state)]
    }

    /// Returns the index of the group that contains a state.
    pub fn group_index_of(&self, state: usize) -> usize {
        self.groups.partition_point(|group| group.first() <= state) - 1
    }

    /// Returns the range of the states of a group.
    pub fn states_of(&self, group: &Group) -> Range<usize> {
        group.first()..group.first() + self.upper.classes(group.upper_set())
    }

    /// Returns the index of the state with these filled boxes and this upper total. Returns `None` if the filled boxes
    /// cannot make that total.
    pub fn index(&self, filled: Filled, upper_total: u16) -> Option<usize> {
        let group = self.group(filled);
        Some(group.first() + self.upper.class_of(group.upper_set(), upper_total)?)
    }

    /// Returns the number of states after each merging step.
    pub fn counts(&self) -> StateCounts {
        let UpperCounts { totals, needs, classes } = self.upper.counts();
        // Every set of lower boxes occurs with every set of upper boxes.
        let lower = self.states / classes;
        StateCounts { totals: totals * lower, needs: needs * lower, states: self.states }
    }
}

/// Returns the sets of `size` boxes among the first `boxes` boxes, in ascending order of their bits.
fn sets_of_size(boxes: usize, size: usize) -> impl Iterator<Item = BoxSet> {
    let first = BoxSet::first(size).bits();
    let last = first << (boxes - size);
    std::iter::successors(Some(first), move |&bits| {
        // The next larger number with the same number of one bits (Gosper's hack): move the lowest run of ones up by
        // one, then move all but its highest bit to the bottom.
        let low = bits & bits.wrapping_neg();
        let up = bits + low;
        (bits != last).then(|| up | ((bits ^ up) / low) >> 2)
    })
    .map(BoxSet::from_bits)
}
