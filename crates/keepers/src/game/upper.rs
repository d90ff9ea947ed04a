//! What the upper section still needs.
//!
//! Between turns only one thing about the upper total matters: how it can still come out against
//! the threshold. So totals are merged in three steps (`docs/architecture.md`, "The score state"):
//!
//! 1. only totals that the filled boxes can make;
//! 2. totals that no remaining combination of entries tells apart are one class: what counts is the
//!    *need*, the smallest sum the open boxes can make that reaches the threshold;
//! 3. the bonus is paid at the moment the threshold is crossed, so "has it" and "cannot get it any
//!    more" have the same future: need 0, the closed class.

use std::collections::BTreeSet;

use crate::dice::Face;
use crate::game::rules::{BoxId, BoxSet, ByBox, Rules};

/// Where an upper entry leads: the next class, and whether it earns the bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The class in the upper set with that box filled.
    pub class: u16,
    /// The upper bonus, if this entry crosses the threshold; otherwise 0.
    pub bonus: u16,
}

/// The classes of the upper section for each set of filled upper boxes.
#[derive(Clone, Debug)]
pub struct Upper {
    /// The upper boxes from the top; a set of them is a mask over this list.
    boxes: Vec<(BoxId, Face)>,
    slots: ByBox<Option<u8>>,
    dice: u8,
    threshold: u16,
    bonus: u16,
    /// By set of filled upper boxes: which sums the open ones can still make.
    makeable: Vec<Vec<bool>>,
    /// By set of filled upper boxes: the needs that occur, sorted. Need 0 is the closed class.
    needs: Vec<Vec<u16>>,
    /// By set and total: the class, if the filled boxes can make that total.
    class_of: Vec<Vec<Option<u16>>>,
    /// By set, box and count of the face: where each class leads.
    steps: Vec<Vec<Step>>,
}

/// How the three steps shrink the number of upper totals, summed over all sets of filled boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpperCounts {
    /// Step 1: totals that can be made, those past the threshold counted as one.
    pub totals: usize,
    /// Step 2: needs, with "has the bonus" and "cannot get it" apart.
    pub needs: usize,
    /// Step 3: classes.
    pub classes: usize,
}

impl Upper {
    /// The upper section of a rule set.
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
                    let at = self.step_place(set, slot, count);
                    self.steps[at] = steps;
                }
            }
        }
    }

    fn makeable_by_open_boxes(&self) -> Vec<Vec<bool>> {
        (0..self.needs.len())
            .map(|set| self.sums(self.open_slots(set).map(|(slot, _)| slot).collect()))
            .collect()
    }

    /// Which sums these boxes can make.
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

    /// The open boxes of a set, each with the set in which it is filled too.
    fn open_slots(&self, set: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..self.boxes.len())
            .filter(move |slot| set >> slot & 1 == 0)
            .map(move |slot| (slot, set | 1 << slot))
    }

    fn points(&self, slot: usize, count: u8) -> u16 {
        u16::from(self.boxes[slot].1.pips()) * u16::from(count)
    }

    fn step_place(&self, set: usize, slot: usize, count: u8) -> usize {
        (set * self.boxes.len() + slot) * (self.dice as usize + 1) + count as usize
    }

    /// The set of upper boxes among the filled ones, as a mask over the upper boxes.
    pub fn set_of(&self, filled: BoxSet) -> usize {
        let bit = |(slot, &(id, _)): (usize, &(BoxId, Face))| usize::from(filled.contains(id)) << slot;
        self.boxes.iter().enumerate().map(bit).sum()
    }

    /// How many classes a set of filled upper boxes has.
    pub fn classes(&self, set: usize) -> usize {
        self.needs[set].len()
    }

    /// The class of an upper total; nothing if the filled boxes cannot make that total.
    #[inline]
    pub fn class_of(&self, set: usize, total: u16) -> Option<usize> {
        self.class_of[set].get(usize::from(total))?.map(usize::from)
    }

    fn classes_of_totals(&self, set: usize) -> Vec<Option<u16>> {
        // What is open when all the others are filled is just what is filled here.
        let others = self.needs.len() - 1 - set;
        let class = |(total, makeable): (u16, &bool)| {
            let need = class_need(&self.makeable[set], self.threshold.saturating_sub(total));
            let class = self.needs[set].binary_search(&need).ok()?;
            makeable.then_some(class as u16)
        };
        (0..).zip(&self.makeable[others]).map(class).collect()
    }

    /// The slot of an upper box among the upper boxes; nothing for a lower box.
    #[inline(always)]
    pub fn slot(&self, id: BoxId) -> Option<u8> {
        self.slots[id]
    }

    /// The slot of the upper box of a face, if there is one.
    pub fn slot_of_face(&self, face: Face) -> Option<u8> {
        self.boxes.iter().position(|(_, upper)| *upper == face).map(|slot| slot as u8)
    }

    /// The upper box in a slot, and its face.
    #[inline(always)]
    pub fn in_slot(&self, slot: u8) -> (BoxId, Face) {
        self.boxes[slot as usize]
    }

    /// Where each class of a set leads when `points` are entered into an open upper box.
    #[inline(always)]
    pub fn steps(&self, set: usize, slot: u8, points: u16) -> &[Step] {
        let count = points as u8 / self.boxes[slot as usize].1.pips();
        &self.steps[self.step_place(set, slot as usize, count)]
    }

    /// The numbers behind the three steps.
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

/// The smallest makeable sum that covers `left`, or 0 if it is covered or out of reach.
fn class_need(makeable: &[bool], left: u16) -> u16 {
    let from = left as usize;
    let sum = makeable.iter().skip(from).position(|makeable| *makeable);
    sum.map_or(0, |beyond| (from + beyond) as u16)
}
