//! Sums over games, and their means.

use super::judge::Judged;
use super::{LeadStudy, Mean, TurnStudy};

/// The width of a range of leads, in points.
const WIDTH: i32 = 20;

/// The ranges on each side of the one around 0. The outermost ranges are open.
const RANGES: i32 = 5;

/// The number of ranges of leads.
const ALL: usize = 2 * RANGES as usize + 1;

/// A sum of numbers and of their squares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Sum {
    pub fn add(&mut self, value: f64) {
        self.n += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn mean(&self) -> Mean {
        let mean = self.sum / self.n;
        let spread = (self.squares - self.sum * mean).max(0.0);
        Mean { mean, error: (spread / (self.n - 1.0) / self.n).sqrt() }
    }

    pub fn count(&self) -> u64 {
        self.n as u64
    }
}

/// The judged decisions of all games in one turn.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnTally {
    loss: Sum,
    decisions: f64,
    differs: f64,
    leads: [LeadTally; ALL],
}

#[derive(Clone, Copy, Debug, Default)]
struct LeadTally {
    games: u64,
    loss: f64,
    decisions: f64,
    differs: f64,
}

impl TurnTally {
    /// Adds the decisions of a game in which the player who moves has this lead before the turn.
    pub fn add(&mut self, lead: i32, judged: &Judged) {
        let Judged { loss, decisions, differs } = *judged;
        self.loss.add(loss);
        self.decisions += decisions;
        self.differs += differs;
        let range = &mut self.leads[range_of(lead)];
        range.games += 1;
        range.loss += loss;
        range.decisions += decisions;
        range.differs += differs;
    }

    /// Returns the means, given the number of open boxes of the player who moves. `None` if no game was judged.
    pub fn study(&self, open: usize) -> Option<TurnStudy> {
        let Mean { mean, error } = self.loss.mean();
        let games = self.loss.count();
        if games == 0 {
            return None;
        }
        let decisions = self.decisions / games as f64;
        let lead = |(nth, tally): (usize, &LeadTally)| LeadStudy {
            leads: range(nth),
            games: tally.games,
            loss: tally.loss / tally.decisions,
            differs: tally.differs / tally.decisions,
        };
        let leads = self.leads.iter().enumerate().filter(|(_, tally)| tally.games > 0).map(lead);
        Some(TurnStudy {
            open,
            games,
            loss_of_turn: Mean { mean, error },
            loss: Mean { mean: mean / decisions, error: error / decisions },
            decisions,
            differs: self.differs / self.decisions,
            leads: leads.collect(),
        })
    }
}

/// Returns the index of the range that a lead belongs to. Ranges are symmetrical: leads halfway between two ranges
/// belong to the one that is closer to 0.
fn range_of(lead: i32) -> usize {
    let away = ((lead.abs() + WIDTH / 2 - 1) / WIDTH).min(RANGES);
    (RANGES + lead.signum() * away) as usize
}

/// Returns the first and the last lead of a range.
fn range(nth: usize) -> (i32, i32) {
    let middle = (nth as i32 - RANGES) * WIDTH;
    let half = WIDTH / 2;
    (middle - half + i32::from(middle > 0), middle + half - i32::from(middle < 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_leads_are_symmetrical() {
        let range = |lead: i32| range_of(lead) as i32 - RANGES;
        assert_eq!([0, 10, 11, 30, 31, 90, 91, 500].map(range), [0, 0, 1, 1, 2, 4, 5, 5]);
        assert!((-300..300).all(|lead| range(lead) == -range(-lead)));
        for lead in -110..=110 {
            let (first, last) = super::range(range_of(lead));
            assert!((first..=last).contains(&lead), "{lead}");
        }
    }

    #[test]
    fn means_have_their_standard_errors() {
        let mut sum = Sum::default();
        [1.0, 2.0, 3.0, 4.0].iter().for_each(|&value| sum.add(value));
        let Mean { mean, error } = sum.mean();
        assert_eq!((mean, sum.count()), (2.5, 4));
        assert!((error - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
    }
}
