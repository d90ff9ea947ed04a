//! Cremers' formulas for the size of a cache and its misses (*How best to beat high scores in Yahtzee*, 2002, section 5.4).
//!
//! He considers tables with an element for every subset of the set A (the boxes of a card) and every element of a set B,
//! divided by a fixed subset G of A. His program reads all classes that a class depends on before it computes the class,
//! and drops them afterwards. Here, all numbers are in units of |B|.

use serde::Serialize;

/// The parameters of a division: |A| and |G|.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cremers {
    /// The number of boxes, |A|.
    pub boxes: u32,
    /// The number of boxes in the fixed subset, |G|.
    pub fixed: u32,
}

/// What the formulas give for a division.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CremersFigures {
    /// The number of classes.
    pub classes: u64,
    /// Formula (5.8) as a fraction of the table: the class that is computed, and those that it depends on.
    pub cache: f64,
    /// Formula (5.11): the values that are read for each value of the table.
    pub misses: f64,
}

impl Cremers {
    /// Returns the number of classes: 2^|G| (|A \ G| + 1).
    pub fn classes(self) -> u64 {
        (1 << self.fixed) * u64::from(self.others() + 1)
    }

    fn others(self) -> u32 {
        self.boxes - self.fixed
    }

    /// Formula (5.8): the most elements that are in the cache at the same time. If G = A, this is one more than there
    /// are, because no class depends on one with fewer other boxes.
    pub fn cache(self) -> u64 {
        let (fixed, others) = (u64::from(self.fixed), self.others());
        (fixed + 1) * binomial(others, others / 2) + binomial(others, others.saturating_sub(1) / 2)
    }

    /// Formula (5.10): the number of elements that are read.
    pub fn reads(self) -> u64 {
        // (|G| + 2) 2^(|A| - 1), also for |A| = 0.
        ((u64::from(self.fixed) + 2) << self.boxes) / 2 - (1 << self.fixed)
    }

    /// Formula (5.11): the number of elements that are read for each element of the table.
    pub fn misses(self) -> f64 {
        1.0 + f64::from(self.fixed) / 2.0 - 0.5_f64.powi(self.others() as i32)
    }

    /// Returns all figures.
    pub fn figures(self) -> CremersFigures {
        CremersFigures {
            classes: self.classes(),
            cache: self.cache() as f64 / (1_u64 << self.boxes) as f64,
            misses: self.misses(),
        }
    }
}

fn binomial(n: u32, k: u32) -> u64 {
    (0..u64::from(k)).fold(1, |product, nth| product * (u64::from(n) - nth) / (nth + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;

    /// A class: the elements of G in the set, and the size of the set.
    type Class = (u32, u32);

    /// Counts by the definitions (5.4) and (5.7): the classes with their sizes, the most elements of a class and of those
    /// that it depends on, and the elements of all classes, each as often as another class depends on it.
    fn count(boxes: u32, fixed: u32) -> (u64, u64, u64) {
        let class = |set: u32| -> Class { (set & ((1 << fixed) - 1), set.count_ones()) };
        let mut sizes: HashMap<Class, u64> = HashMap::new();
        let mut needs: HashMap<Class, BTreeSet<Class>> = HashMap::new();
        for set in 0..1_u32 << boxes {
            *sizes.entry(class(set)).or_default() += 1;
            let needs = needs.entry(class(set)).or_default();
            needs.extend((0..boxes).filter(|a| set >> a & 1 == 1).map(|a| class(set & !(1 << a))));
        }
        let of = |needs: &BTreeSet<Class>| needs.iter().map(|class| sizes[class]).sum::<u64>();
        let cache = needs.iter().map(|(class, needs)| sizes[class] + of(needs)).max().unwrap();
        (sizes.len() as u64, cache, needs.values().map(of).sum())
    }

    #[test]
    fn the_formulas_agree_with_counting() {
        for boxes in 0..=11 {
            for fixed in 0..=boxes {
                let cremers = Cremers { boxes, fixed };
                let (classes, cache, reads) = count(boxes, fixed);
                assert_eq!((cremers.classes(), cremers.reads()), (classes, reads), "{cremers:?}");
                let misses = reads as f64 / (1_u64 << boxes) as f64;
                assert!((cremers.misses() - misses).abs() < 1e-12, "{cremers:?}");
                // With G = A, formula (5.8) counts a class that does not exist.
                assert_eq!(cremers.cache() - u64::from(fixed == boxes), cache, "{cremers:?}");
            }
        }
    }

    #[test]
    fn the_case_study_has_the_published_figures() {
        // Section 5.4.3: |B| = 51,200 values of 8 bytes; |G| = 5 needs 186 MB and has 288 classes. The table has 3.2 GB.
        let yahtzee = |fixed| Cremers { boxes: 13, fixed };
        let megabytes = |elements: u64| (elements * 51_200 * 8) as f64 / f64::from(1 << 20);
        assert_eq!(megabytes(1 << 13), 3200.0);
        assert_eq!((yahtzee(5).classes(), yahtzee(5).cache()), (288, 6 * 70 + 56));
        assert_eq!(megabytes(yahtzee(5).cache()).round(), 186.0);
        assert!(megabytes(yahtzee(4).cache()) > 256.0);
    }
}
