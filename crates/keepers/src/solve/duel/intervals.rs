//! Runs of totals and of leads.
//!
//! Not every total between the least and the most can occur: with only upper boxes open the total follows
//! from what the bonus still needs, but for the 100 points of each further Yahtzee. What is worked out
//! are runs of totals without wide gaps.
//!
//! A run never leads into two: all totals of a run that make the same entry lie in one run after it,
//! because what is close together stays so. The same is true of leads. So all lanes of a run find what
//! they need in one place.

use super::side::SideState;
use crate::turn::LANES;

/// From the first to the last, both included.
pub(super) type Interval = (i32, i32);

/// How many runs of totals a state has at most: those of a player with many boxes that pay far apart would
/// double with every turn, and pairs take the leads between all of them.
const MOST: usize = 16;

/// Runs in their order, each at least as far from the next as a block of lanes is wide.
#[derive(Clone, Debug, Default)]
pub(super) struct Intervals(Vec<Interval>);

impl Intervals {
    /// A single number.
    pub fn of(number: i32) -> Intervals {
        Intervals(vec![(number, number)])
    }

    pub fn all(&self) -> &[Interval] {
        &self.0
    }

    /// Adds a run; those that are close together become one.
    pub fn add(&mut self, (mut first, mut last): Interval) {
        let apart = LANES as i32;
        let from = self.0.partition_point(|interval| first - interval.1 >= apart);
        let to = from + self.0[from..].partition_point(|interval| interval.0 - last < apart);
        if let [.., highest] = &self.0[from..to] {
            first = first.min(self.0[from].0);
            last = last.max(highest.1);
        }
        if to == from + 1 {
            self.0[from] = (first, last);
        } else {
            self.0.splice(from..to, [(first, last)]);
        }
    }

    /// Closes the narrowest gaps until there are few enough. What was in one run stays so.
    pub fn limit(&mut self) {
        let Some(too_many) = self.0.len().checked_sub(MOST).filter(|too_many| *too_many > 0) else { return };
        let gap = |intervals: &[Interval]| intervals[1].0 - intervals[0].1;
        let mut gaps: Vec<i32> = self.0.windows(2).map(gap).collect();
        let (narrower, &mut widest, _) = gaps.select_nth_unstable(too_many - 1);
        // Of those that are as wide some may stay open.
        let mut as_wide = too_many - narrower.iter().filter(|gap| **gap < widest).count();
        self.0.dedup_by(|next, interval| {
            let gap = next.0 - interval.1;
            let close = gap < widest || gap == widest && as_wide > 0;
            if close {
                interval.1 = next.1;
                as_wide -= usize::from(gap == widest);
            }
            close
        });
    }

    /// Adds runs, moved by so much.
    pub fn add_all(&mut self, intervals: &Intervals, by: i32) {
        intervals.0.iter().for_each(|&(first, last)| self.add((first + by, last + by)));
    }

    pub fn contain(&self, number: i32) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&number))
    }
}

/// A run of leads of the other over the mover that is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeadInterval {
    pub first: i32,
    pub last: i32,
    /// Whether lower leads can occur next to it, with which the other has lost, and higher ones, with which
    /// he has won.
    pub below: bool,
    pub above: bool,
}

impl LeadInterval {
    /// How many leads.
    pub fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }

    /// Its cells: a row of lost ones in front and a row of won ones behind it, where such leads can occur.
    pub fn cells(&self) -> usize {
        self.in_front() + self.len() + if self.above { LANES } else { 0 }
    }

    /// The cells in front of it.
    pub fn in_front(&self) -> usize {
        if self.below { LANES } else { 0 }
    }
}

/// The leads of the other over the mover with which the duel is still open, by the least and the most points that
/// can come: with all others the leader cannot even be caught up with any more.
pub(super) fn undecided(mover: (i32, i32), other: (i32, i32)) -> Interval {
    (mover.0 - other.1, mover.1 - other.0)
}

/// Which leads of the other over the mover are worked out: those that are undecided and can occur on the
/// way from the first position (Pawlewicz, appendix D). What remains is hardly ever certain:
/// looking for certain results in it saves nothing (measured: at most one lane in a hundred).
pub(super) fn leads(mover: &SideState, other: &SideState, found: &mut Vec<LeadInterval>) {
    let (least, most) = undecided(mover.to_come, other.to_come);
    found.clear();
    let mut cut = |(first, last): Interval| {
        let (below, above) = (first < least, most < last);
        let (first, last) = (first.max(least), last.min(most));
        if first <= last {
            found.push(LeadInterval { first, last, below, above });
        }
    };
    if let ([mover], [other]) = (mover.so_far.all(), other.so_far.all()) {
        cut((other.0 - mover.1, other.1 - mover.0));
        return;
    }
    let mut possible = Intervals::default();
    for other in other.so_far.all() {
        mover.so_far.all().iter().for_each(|mover| possible.add((other.0 - mover.1, other.1 - mover.0)));
    }
    possible.0.into_iter().for_each(cut);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_close_together_become_one() {
        let mut intervals = Intervals::of(100);
        intervals.add((200, 210));
        intervals.add((0, 10));
        assert_eq!(intervals.all(), [(0, 10), (100, 100), (200, 210)]);
        intervals.add((108, 120)); // as far away as a block is wide
        assert_eq!(intervals.all(), [(0, 10), (100, 100), (108, 120), (200, 210)]);
        intervals.add((95, 98));
        assert_eq!(intervals.all(), [(0, 10), (95, 100), (108, 120), (200, 210)]);
        intervals.add((11, 193));
        assert_eq!(intervals.all(), [(0, 210)]);
        assert!(intervals.contain(210) && !intervals.contain(211));
    }

    #[test]
    fn many_runs_become_few_by_their_narrowest_gaps() {
        let mut intervals = Intervals::default();
        // Ever wider gaps, and then many of nine.
        let numbers: Vec<i32> =
            (1..=20).map(|nth| nth * nth * 10).chain((1..=20).map(|nth| 8000 - 9 * nth)).collect();
        numbers.iter().for_each(|&number| intervals.add((number, number)));
        assert_eq!(intervals.all().len(), 40);
        let before = intervals.clone();
        intervals.limit();
        assert_eq!(intervals.all().len(), MOST);
        assert!(before.all().iter().all(|&(first, last)| {
            intervals.all().iter().any(|interval| interval.0 <= first && last <= interval.1)
        }));
        // What was closed are the nineteen gaps of nine and the narrowest five of the others: 30, 50, 70, 90, 110.
        let gaps = |intervals: &Intervals| {
            intervals.all().windows(2).map(|pair| pair[1].0 - pair[0].1).collect::<Vec<i32>>()
        };
        assert_eq!(gaps(&intervals).iter().min(), Some(&130));
        let few = intervals.clone();
        intervals.limit();
        assert_eq!(intervals.all(), few.all());
        // Of gaps that are equally wide only as many are closed as must be, and all that are narrower.
        let mut intervals = Intervals::default();
        (0..18).for_each(|nth| intervals.add((nth * 20, nth * 20)));
        intervals.add((18 * 20 - 9, 18 * 20 - 9));
        intervals.limit();
        assert_eq!(gaps(&intervals), [vec![20; MOST - 1]].concat());
    }

    #[test]
    fn what_makes_the_same_entry_stays_in_one_run() {
        let mut before = Intervals::of(3);
        before.add((9, 12));
        before.add((40, 40));
        let mut after = Intervals::of(50);
        after.add_all(&before, 5);
        after.add_all(&before, 30);
        for &(first, last) in before.all() {
            for by in [5, 30] {
                assert!(
                    after.all().iter().any(|interval| interval.0 <= first + by && last + by <= interval.1)
                );
            }
        }
    }
}
