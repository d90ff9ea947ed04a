//! Intervals of totals and of leads.
//!
//! Not every total between the least and the most can occur: with only upper boxes open, the state determines the total
//! up to the 100 points of each extra Yahtzee. Only totals in a few intervals without wide gaps are solved.
//!
//! All totals of one interval that make the same entry fall into one interval of the next state, because an entry
//! shifts them all by the same points, and intervals of the next state only grow by merging. The same holds for leads.
//! All lanes of an interval therefore read from a single interval after each entry.

use super::side::SideState;
use crate::turn::LANES;

/// The first and the last number, both included.
pub(super) type Interval = (i32, i32);

/// The most intervals of totals that a state has. For a player with many boxes whose amounts are far apart, the number
/// would otherwise double with every turn, and a pair has the leads between all intervals of both players.
const MAX_INTERVALS: usize = 16;

/// Intervals in ascending order. The first number of each is at least [`LANES`] above the last number of the one
/// before.
#[derive(Clone, Debug, Default)]
pub(super) struct Intervals(Vec<Interval>);

impl Intervals {
    /// Returns the interval of a single number.
    pub fn of(number: i32) -> Intervals {
        Intervals(vec![(number, number)])
    }

    pub fn all(&self) -> &[Interval] {
        &self.0
    }

    /// Adds an interval and merges it with all that are closer to it than [`LANES`].
    pub fn add(&mut self, (mut first, mut last): Interval) {
        let min_gap = LANES as i32;
        let from = self.0.partition_point(|interval| first - interval.1 >= min_gap);
        let to = from + self.0[from..].partition_point(|interval| interval.0 - last < min_gap);
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

    /// Closes the narrowest gaps until at most [`MAX_INTERVALS`] intervals remain. No interval is split.
    pub fn limit(&mut self) {
        let Some(surplus) = self.0.len().checked_sub(MAX_INTERVALS).filter(|surplus| *surplus > 0) else {
            return;
        };
        let gap = |intervals: &[Interval]| intervals[1].0 - intervals[0].1;
        let mut gaps: Vec<i32> = self.0.windows(2).map(gap).collect();
        let (narrower, &mut widest, _) = gaps.select_nth_unstable(surplus - 1);
        // The number of gaps of width `widest` to close; the rest stay open.
        let mut to_close = surplus - narrower.iter().filter(|gap| **gap < widest).count();
        self.0.dedup_by(|next, interval| {
            let gap = next.0 - interval.1;
            let close = gap < widest || gap == widest && to_close > 0;
            if close {
                interval.1 = next.1;
                to_close -= usize::from(gap == widest);
            }
            close
        });
    }

    /// Adds intervals, shifted by `by`.
    pub fn add_all(&mut self, intervals: &Intervals, by: i32) {
        intervals.0.iter().for_each(|&(first, last)| self.add((first + by, last + by)));
    }

    pub fn contain(&self, number: i32) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&number))
    }
}

/// An interval of leads to solve: the other player's points minus the mover's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeadInterval {
    pub first: i32,
    pub last: i32,
    /// Whether leads just below `first` can occur, at which the other player has lost, and leads just above `last`, at
    /// which they have won.
    pub lost_below: bool,
    pub won_above: bool,
}

impl LeadInterval {
    /// Returns the number of leads.
    pub fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }

    /// Returns the number of cells in rows of `W` lanes: the leads, after a row of lost games and before a row of won
    /// games where such leads can occur.
    pub fn cells<const W: usize>(&self) -> usize {
        self.padding_below::<W>() + self.len() + if self.won_above { W } else { 0 }
    }

    /// Returns the number of cells before that of `first`.
    pub fn padding_below<const W: usize>(&self) -> usize {
        if self.lost_below { W } else { 0 }
    }
}

/// Returns the leads of the other player at which the duel is still open, given the points that are certain to come and
/// the most that can come for each player. At any lower lead the mover can force a win, at any higher lead the other
/// player can: even a draw is out of reach for their opponent.
pub(super) fn undecided(mover: (i32, i32), other: (i32, i32)) -> Interval {
    (mover.0 - other.1, mover.1 - other.0)
}

/// Finds the intervals of leads to solve: those that are undecided and can occur on the way from the first position
/// (Pawlewicz, appendix D). Few of the remaining results are certain, and detecting them saves nothing (measured: at
/// most one lane in a hundred).
pub(super) fn leads(mover: &SideState, other: &SideState, found: &mut Vec<LeadInterval>) {
    let (least, most) = undecided(mover.to_come, other.to_come);
    found.clear();
    let mut cut = |(first, last): Interval| {
        let (lost_below, won_above) = (first < least, most < last);
        let (first, last) = (first.max(least), last.min(most));
        if first <= last {
            found.push(LeadInterval { first, last, lost_below, won_above });
        }
    };
    if let ([mover], [other]) = (mover.totals.all(), other.totals.all()) {
        cut((other.0 - mover.1, other.1 - mover.0));
        return;
    }
    differences(other.totals.all(), mover.totals.all()).into_iter().for_each(cut);
}

/// Returns the intervals of all differences of a number of `minuends` and one of `subtrahends`, merged as by
/// [`Intervals::add`]. Both lists are in ascending order, so the differences with one minuend are in descending order:
/// lists are merged, which is several times as fast as adding the intervals one by one.
fn differences(minuends: &[Interval], subtrahends: &[Interval]) -> Vec<Interval> {
    let mut merged: Vec<Interval> = Vec::with_capacity(2 * MAX_INTERVALS);
    let mut before: Vec<Interval> = Vec::with_capacity(2 * MAX_INTERVALS);
    for minuend in minuends {
        std::mem::swap(&mut merged, &mut before);
        merged.clear();
        let mut one = before.iter().copied().peekable();
        let mut two =
            subtrahends.iter().rev().map(|less| (minuend.0 - less.1, minuend.1 - less.0)).peekable();
        loop {
            let next = match (one.peek(), two.peek()) {
                (Some(first), Some(second)) if first.0 <= second.0 => one.next(),
                (_, Some(_)) => two.next(),
                (_, None) => one.next(),
            };
            let Some((first, last)) = next else { break };
            match merged.last_mut() {
                Some(highest) if first - highest.1 < LANES as i32 => highest.1 = highest.1.max(last),
                _ => merged.push((first, last)),
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::random::RandomStream;

    #[test]
    fn close_intervals_are_merged() {
        let mut intervals = Intervals::of(100);
        intervals.add((200, 210));
        intervals.add((0, 10));
        assert_eq!(intervals.all(), [(0, 10), (100, 100), (200, 210)]);
        intervals.add((108, 120)); // exactly `LANES` away
        assert_eq!(intervals.all(), [(0, 10), (100, 100), (108, 120), (200, 210)]);
        intervals.add((95, 98));
        assert_eq!(intervals.all(), [(0, 10), (95, 100), (108, 120), (200, 210)]);
        intervals.add((11, 193));
        assert_eq!(intervals.all(), [(0, 210)]);
        assert!(intervals.contain(210) && !intervals.contain(211));
    }

    #[test]
    fn differences_are_merged_as_if_added_one_by_one() {
        let mut random = RandomStream::new(5, 4);
        let mut number = |most: i32| (random.unit() * f64::from(most)) as i32;
        for _ in 0..500 {
            let mut list = || {
                let mut intervals = Intervals::default();
                for _ in 0..=number(MAX_INTERVALS as i32) {
                    let first = number(900);
                    intervals.add((first, first + number(12)));
                }
                intervals
            };
            let (minuends, subtrahends) = (list(), list());
            let mut expected = Intervals::default();
            for minuend in minuends.all() {
                subtrahends
                    .all()
                    .iter()
                    .for_each(|less| expected.add((minuend.0 - less.1, minuend.1 - less.0)));
            }
            assert_eq!(differences(minuends.all(), subtrahends.all()), expected.all());
        }
    }

    #[test]
    fn the_narrowest_gaps_are_closed_first() {
        let mut intervals = Intervals::default();
        // Gaps that become wider and wider, then many gaps of nine.
        let numbers: Vec<i32> =
            (1..=20).map(|nth| nth * nth * 10).chain((1..=20).map(|nth| 8000 - 9 * nth)).collect();
        numbers.iter().for_each(|&number| intervals.add((number, number)));
        assert_eq!(intervals.all().len(), 40);
        let before = intervals.clone();
        intervals.limit();
        assert_eq!(intervals.all().len(), MAX_INTERVALS);
        assert!(before.all().iter().all(|&(first, last)| {
            intervals.all().iter().any(|interval| interval.0 <= first && last <= interval.1)
        }));
        // The closed gaps are the nineteen gaps of nine and the narrowest five of the others: 30, 50, 70, 90, 110.
        let gaps = |intervals: &Intervals| {
            intervals.all().windows(2).map(|pair| pair[1].0 - pair[0].1).collect::<Vec<i32>>()
        };
        assert_eq!(gaps(&intervals).iter().min(), Some(&130));
        let few = intervals.clone();
        intervals.limit();
        assert_eq!(intervals.all(), few.all());
        // All narrower gaps are closed; of equally wide gaps, only as many as necessary.
        let mut intervals = Intervals::default();
        (0..18).for_each(|nth| intervals.add((nth * 20, nth * 20)));
        intervals.add((18 * 20 - 9, 18 * 20 - 9));
        intervals.limit();
        assert_eq!(gaps(&intervals), [vec![20; MAX_INTERVALS - 1]].concat());
    }

    #[test]
    fn totals_that_make_the_same_entry_stay_in_one_interval() {
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
