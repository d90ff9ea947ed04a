//! The score states of a game: everything about a card that matters for the turns to come.
//!
//! A state is a [`Group`] (which boxes are filled, whether extras pay) and a class of the upper
//! section ([`Upper`]). The states of a group stand side by side, as the lanes of the turn kernel;
//! the groups are ordered by the number of open boxes, finished cards first, so that everything a
//! group leads to stands before it.

use std::ops::Range;

use crate::game::rules::{BoxSet, Filled, Rules};
use crate::game::upper::{Upper, UpperCounts};

/// The states that differ only in what the upper section still needs.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Which boxes are filled, and whether extras pay.
    pub filled: Filled,
    upper_set: u32,
    first: u32,
}

impl Group {
    /// The filled upper boxes, as [`Upper`] counts them.
    pub fn upper_set(&self) -> usize {
        self.upper_set as usize
    }

    /// The index of the first state.
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
    /// `layers[n]` are the groups with n open boxes.
    layers: Vec<Range<usize>>,
    /// The group of a key (see `key`).
    by_key: Vec<u32>,
    states: usize,
}

/// How many states there are before and after each step that merges them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateCounts {
    /// Upper totals that the filled boxes can make.
    pub totals: usize,
    /// Totals that the open boxes can tell apart.
    pub needs: usize,
    /// "Has the bonus" and "cannot get it" merged: the states that are solved.
    pub states: usize,
}

impl StateSpace {
    /// The states of a rule set.
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

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The groups, finished cards first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The indices of the groups with `open` open boxes.
    pub fn layer(&self, open: usize) -> Range<usize> {
        self.layers[open].clone()
    }

    /// How many boxes the card has.
    pub fn boxes(&self) -> usize {
        self.boxes
    }

    /// The upper section.
    pub fn upper(&self) -> &Upper {
        &self.upper
    }

    /// The group with these boxes filled.
    ///
    /// # Panics
    /// If extras pay although the Yahtzee box is open or the rules have none.
    pub fn group(&self, filled: Filled) -> &Group {
        &self.groups[self.by_key[self.key(filled)] as usize]
    }

    /// The group of a state.
    pub fn group_of(&self, state: usize) -> &Group {
        &self.groups[self.groups.partition_point(|group| group.first() <= state) - 1]
    }

    /// The states of a group.
    pub fn states_of(&self, group: &Group) -> Range<usize> {
        group.first()..group.first() + self.upper.classes(group.upper_set())
    }

    /// The index of a state by what is filled and the upper total so far; nothing if the filled
    /// boxes cannot make that total.
    pub fn index(&self, filled: Filled, upper_total: u16) -> Option<usize> {
        let group = self.group(filled);
        Some(group.first() + self.upper.class_of(group.upper_set(), upper_total)?)
    }

    /// How the number of states shrinks from step to step.
    pub fn counts(&self) -> StateCounts {
        let UpperCounts { totals, needs, classes } = self.upper.counts();
        // Every set of lower boxes goes with every set of upper ones.
        let lower = self.states / classes;
        StateCounts { totals: totals * lower, needs: needs * lower, states: self.states }
    }
}

/// The sets of `size` among the first `boxes` boxes, in the order of their bits.
fn sets_of_size(boxes: usize, size: usize) -> impl Iterator<Item = BoxSet> {
    let first = BoxSet::first(size).bits();
    let last = first << (boxes - size);
    std::iter::successors(Some(first), move |&bits| {
        // The next number with as many ones: move the lowest run up, drop its rest to the bottom.
        let low = bits & bits.wrapping_neg();
        let up = bits + low;
        (bits != last).then(|| up | ((bits ^ up) / low) >> 2)
    })
    .map(BoxSet::from_bits)
}
