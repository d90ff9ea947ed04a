//! The difference of two means, with its confidence interval.

use std::collections::BTreeMap;

use super::student::two_sided_quantile;
use crate::stats::mean_and_error;

/// The probability with which the interval of a [`Difference`] contains the true difference.
pub const CONFIDENCE: f64 = 0.95;

/// The largest number of additional games that is reported as needed.
pub const MAX_GAMES_NEEDED: usize = 1_000_000;

/// The difference of the means of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The first player's mean minus the second player's.
    pub mean: f64,
    /// The standard error of the mean; `None` if a player has too few games.
    pub error: Option<f64>,
    /// The interval that contains the true difference with probability [`CONFIDENCE`]; `None` if a player has too few
    /// games.
    pub interval: Option<(f64, f64)>,
    /// Whether games that both players finished are compared one by one. Otherwise all games of both players are
    /// compared as two independent samples (Welch).
    pub paired: bool,
    /// The number of games that both players still have to play until the interval is expected to exclude 0, if the
    /// difference and the spread stay as they are; 0 if it excludes 0 already. `None` if that is not known or more than
    /// [`MAX_GAMES_NEEDED`].
    pub games_needed: Option<usize>,
}

impl Difference {
    /// Returns the difference of two samples, each with the number of the game. Games are paired if both players have
    /// exactly the same games. Returns `None` if a sample is empty.
    pub(super) fn between(samples: [BTreeMap<usize, f64>; 2]) -> Option<Difference> {
        let [first, second] = &samples;
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let paired = first.keys().eq(second.keys());
        let values = |of: &BTreeMap<usize, f64>| of.values().copied().collect::<Vec<f64>>();
        let sample = if paired {
            let differences: Vec<f64> = first.iter().map(|(nth, value)| value - second[nth]).collect();
            Spread::paired(&differences)
        } else {
            Spread::independent(&values(first), &values(second))
        };
        let mean = match paired {
            true => {
                mean_and_error(&first.iter().map(|(nth, value)| value - second[nth]).collect::<Vec<_>>()).0
            }
            false => mean_and_error(&values(first)).0 - mean_and_error(&values(second)).0,
        };
        let error = sample.map(|spread| spread.error(0));
        let interval = sample.map(|spread| {
            let half = spread.half_width(0);
            (mean - half, mean + half)
        });
        let games_needed = sample.and_then(|spread| spread.games_needed(mean.abs()));
        Some(Difference { mean, error, interval, paired, games_needed })
    }

    /// Returns whether the interval excludes 0: one player is better, as far as the games show.
    pub fn is_decided(&self) -> bool {
        self.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }
}

/// How much samples vary: their variances and sizes. A paired sample has the variance of the differences first, and no
/// second part.
#[derive(Clone, Copy)]
struct Spread {
    first: (f64, usize),
    second: Option<(f64, usize)>,
}

impl Spread {
    /// Returns `None` for fewer than two games.
    fn paired(differences: &[f64]) -> Option<Spread> {
        let variance = |values: &[f64]| mean_and_error(values).1.powi(2) * values.len() as f64;
        (differences.len() > 1)
            .then(|| Spread { first: (variance(differences), differences.len()), second: None })
    }

    /// Returns `None` if one sample has fewer than two games.
    fn independent(first: &[f64], second: &[f64]) -> Option<Spread> {
        let [first, second] = [first, second].map(Spread::paired);
        Some(Spread { first: first?.first, second: Some(second?.first) })
    }

    /// Returns the standard error of the difference after this many more games of both players.
    fn error(&self, more: usize) -> f64 {
        self.squares(more).iter().sum::<f64>().sqrt()
    }

    /// Returns the square of the standard error of each mean.
    fn squares(&self, more: usize) -> [f64; 2] {
        let square = |(variance, games): (f64, usize)| variance / (games + more) as f64;
        [square(self.first), self.second.map_or(0.0, square)]
    }

    /// Returns half the width of the confidence interval (Welch's degrees of freedom).
    fn half_width(&self, more: usize) -> f64 {
        let squares = self.squares(more);
        let all: f64 = squares.iter().sum();
        if all == 0.0 {
            return 0.0;
        }
        let freedom = |(_, games): (f64, usize)| (games + more - 1) as f64;
        let [first, second] = squares;
        let parts = first * first / freedom(self.first)
            + self.second.map_or(0.0, |sample| second * second / freedom(sample));
        two_sided_quantile(CONFIDENCE, (all * all / parts).max(1.0)) * all.sqrt()
    }

    /// Returns how many more games of both players make the interval narrow enough to exclude 0.
    fn games_needed(&self, difference: f64) -> Option<usize> {
        let enough = |more| self.half_width(more) < difference;
        if enough(0) {
            return Some(0);
        }
        // The width falls with the number of games, so the smallest sufficient number is found by bisection.
        let mut high = 1;
        while !enough(high) {
            high *= 2;
            if high > MAX_GAMES_NEEDED {
                return None;
            }
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = (low + high) / 2;
            if enough(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}
