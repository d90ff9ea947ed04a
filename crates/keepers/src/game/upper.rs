//! Classes of upper totals: what the upper section still needs for the bonus.
//!
//! Future points depend on the upper total only through the threshold of the bonus. So upper totals are merged in three
//! steps (`docs/architecture.md`, "The score state"):
//!
//! 1. Only totals that the filled boxes can make are counted.
//! 2. Totals for which the same future entries earn the bonus form one class. It is identified by its *need*: the
//!    smallest sum that the open boxes can make and that reaches the threshold.
//! 3. The bonus is paid by the entry that reaches the threshold. So "has the bonus" and "cannot get the bonus" have the
//!    same future points and share need 0, the closed class.

use std::collections::BTreeSet;

use crate::dice::Face;
use crate::game::rules::{BoxId, BoxSet, ByBox, Rules};

/// The result of an upper entry: the next class, and the bonus that it earns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The class after the entry, in the set with that box filled.
    pub class: u16,
    /// The upper bonus if this entry reaches the threshold, otherwise 0.
    pub bonus: u16,
}

/// The classes of the upper section for each set of filled upper boxes.
#[derive(Clone, Debug)]
pub struct Upper {
    /// The upper boxes from the top of the card. A set of them is a mask over this list, and an index in it is a slot.
    boxes: Vec<(BoxId, Face)>,
    slots: ByBox<Option<u8>>,
    dice: u8,
    threshold: u16,
    bonus: u16,
    /// By set of filled upper boxes and sum: whether the open upper boxes can make that sum.
    makeable: Vec<Vec<bool>>,
    /// By set of filled upper boxes: the needs that occur, sorted. The index of a need is its class.
    needs: Vec<Vec<u16>>,
    /// By set and total: the class, or `None` if the filled boxes cannot make that total.
    class_of: Vec<Vec<Option<u16>>>,
    /// By set, slot and number of dice that show the face: the result for each class.
    steps: Vec<Vec<Step>>,
}

/// The number of upper totals after each of the three steps, summed over all sets of filled boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpperCounts {
    /// Step 1: totals that can occur; all that reach the threshold count as one.
    pub totals: usize,
    /// Step 2: needs, with "has the bonus" and "cannot get the bonus" counted separately.
    pub needs: usize,
    /// Step 3: classes.
    pub classes: usize,
}

impl Upper {
    /// Finds the classes of a rule set and the results of all entries.
    pub fn new(rules: &Rules) -> Upper {
        let boxes: Vec<(BoxId, Face)> = rules
            .upper_boxes()
            .iter()
            .map(|id| (id, rules.upper_face(id).expect("it is an upper box")))
            .collect();
        let slot = |id| boxes.iter().position(|(upper, _)| *upper == id).map(|slot| slot as u8);
        let bonus = rules.upper_bonus();
        let mut upper = Upper {
            slots: rules.boxes().iter().map(|(id, _)| slot(id)).collect(),
            dice: rules.dice(),
            threshold: bonus.map_or(0, |bonus| bonus.threshold),
            bonus: bonus.map_or(0, |bonus| bonus.points),
            makeable: Vec::new(),
            needs: vec![Vec::new(); 1 << boxes.len()],
            class_of: Vec::new(),
            steps: vec![Vec::new(); (1 << boxes.len()) * boxes.len() * (rules.dice() as usize + 1)],
            boxes,
        };
        upper.makeable = upper.makeable_by_open_boxes();
        upper.find_classes();
        upper.class_of = (0..upper.needs.len()).map(|set| upper.classes_of_totals(set)).collect();
        upper.find_steps();
        upper
    }

    fn find_classes(&mut self) {
        let mut found: Vec<BTreeSet<u16>> = vec![BTreeSet::new(); self.needs.len()];
        found[0].insert(class_need(&self.makeable[0], self.threshold));
        for set in 0..found.len() {
            for (slot, next) in self.open_slots(set) {
                for &need in &found[set].clone() {
                    for count in 0..=self.dice {
                        let left = need.saturating_sub(self.points(slot, count));
                        found[next].insert(class_need(&self.makeable[next], left));
                    }
                }
            }
        }
        self.needs = found.into_iter().map(|needs| needs.into_iter().collect()).collect();
    }

    fn find_steps(&mut self) {
        for set in 0..self.needs.len() {
            for (slot, next) in self.open_slots(set).collect::<Vec<_>>() {
                for count in 0..=self.dice {
                    let points = self.points(slot, count);
                    let step = |&need: &u16| {
                        let left = need.saturating_sub(points);
                        let next_need = class_need(&self.makeable[next], left);
                        Step {
                            class: self.needs[next].binary_search(&next_need).expect("found before") as u16,
                            bonus: if need > 0 && left == 0 { self.bonus } else { 0 },
                        }
                    };
                    let steps = self.needs[set].iter().map(step).collect();
                    let index = self.step_index(set, slot, count);
                    self.steps[index] = steps;
                }
            }
        }
    }

    fn makeable_by_open_boxes(&self) -> Vec<Vec<bool>> {
        (0..self.needs.len())
            .map(|set| self.sums(self.open_slots(set).map(|(slot, _)| slot).collect()))
            .collect()
    }

    /// Returns, for every sum, whether the boxes in these slots can make it.
    fn sums(&self, slots: Vec<usize>) -> Vec<bool> {
        let mut sums = vec![true];
        for slot in slots {
            let most = self.points(slot, self.dice) as usize;
            let mut more = vec![false; sums.len() + most];
            for (sum, _) in sums.iter().enumerate().filter(|(_, makeable)| **makeable) {
                for count in 0..=self.dice {
                    more[sum + self.points(slot, count) as usize] = true;
                }
            }
            sums = more;
        }
        sums
    }

    /// Returns the open slots of a set, each with the set after that box is filled.
    fn open_slots(&self, set: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..self.boxes.len())
            .filter(move |slot| set >> slot & 1 == 0)
            .map(move |slot| (slot, set | 1 << slot))
    }

    fn points(&self, slot: usize, count: u8) -> u16 {
        u16::from(self.boxes[slot].1.pips()) * u16::from(count)
    }

    fn step_index(&self, set: usize, slot: usize, count: u8) -> usize {
        (set * self.boxes.len() + slot) * (self.dice as usize + 1) + count as usize
    }

    /// Returns the filled upper boxes as a mask over the slots.
    pub fn set_of(&self, filled: BoxSet) -> usize {
        let bit = |(slot, &(id, _)): (usize, &(BoxId, Face))| usize::from(filled.contains(id)) << slot;
        self.boxes.iter().enumerate().map(bit).sum()
    }

    /// Returns the number of classes of a set of filled upper boxes.
    pub fn classes(&self, set: usize) -> usize {
        self.needs[set].len()
    }

    /// Returns the class of an upper total. Returns `None` if the filled boxes cannot make that total.
    #[inline]
    pub fn class_of(&self, set: usize, total: u16) -> Option<usize> {
        self.class_of[set].get(usize::from(total))?.map(usize::from)
    }

    /// Returns the smallest upper total of a class.
    pub fn total_of(&self, set: usize, class: usize) -> Option<u16> {
        let total = self.class_of[set].iter().position(|of| of.map(usize::from) == Some(class))?;
        Some(total as u16)
    }

    fn classes_of_totals(&self, set: usize) -> Vec<Option<u16>> {
        // The complement of a set has exactly these boxes open, so its makeable sums are the totals of this set.
        let others = self.needs.len() - 1 - set;
        let class = |(total, makeable): (u16, &bool)| {
            let need = class_need(&self.makeable[set], self.threshold.saturating_sub(total));
            let class = self.needs[set].binary_search(&need).ok()?;
            makeable.then_some(class as u16)
        };
        (0..).zip(&self.makeable[others]).map(class).collect()
    }

    /// Returns the slot of an upper box. Returns `None` for a lower box.
    #[inline(always)]
    pub fn slot(&self, id: BoxId) -> Option<u8> {
        self.slots[id]
    }

    /// Returns the slot of the upper box of a face, if the card has one.
    pub fn slot_of_face(&self, face: Face) -> Option<u8> {
        self.boxes.iter().position(|(_, upper)| *upper == face).map(|slot| slot as u8)
    }

    /// Returns the upper box in a slot, and its face.
    #[inline(always)]
    pub fn in_slot(&self, slot: u8) -> (BoxId, Face) {
        self.boxes[slot as usize]
    }

    /// Returns, for each class of a set, the result of entering `points` into an open upper box.
    #[inline(always)]
    pub fn steps(&self, set: usize, slot: u8, points: u16) -> &[Step] {
        let count = points as u8 / self.boxes[slot as usize].1.pips();
        &self.steps[self.step_index(set, slot as usize, count)]
    }

    /// Counts the upper totals after each step.
    pub fn counts(&self) -> UpperCounts {
        let mut counts = UpperCounts { totals: 0, needs: 0, classes: 0 };
        for set in 0..self.needs.len() {
            let filled = (0..self.boxes.len()).filter(|slot| set >> slot & 1 == 1).collect();
            let totals: BTreeSet<u16> = self
                .sums(filled)
                .iter()
                .enumerate()
                .filter(|(_, makeable)| **makeable)
                .map(|(total, _)| self.threshold.min(total as u16))
                .collect();
            let needs: BTreeSet<(bool, u16)> = totals
                .iter()
                .map(|&total| {
                    (total == self.threshold, class_need(&self.makeable[set], self.threshold - total))
                })
                .collect();
            counts.totals += totals.len();
            counts.needs += needs.len();
            counts.classes += self.classes(set);
        }
        counts
    }
}

/// Returns the smallest makeable sum that is at least `left`. Returns 0 if `left` is 0 or no sum is large enough.
fn class_need(makeable: &[bool], left: u16) -> u16 {
    let from = left as usize;
    let sum = makeable.iter().skip(from).position(|makeable| *makeable);
    sum.map_or(0, |beyond| (from + beyond) as u16)
}
