//! The statistics of simulated games: counts, and estimates derived from them.

use std::fmt;

use crate::game::Game;
use crate::game::rules::{ByBox, Entry};
use crate::players::Standing;

/// The statistics of simulated games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The number of games.
    pub games: u64,
    /// The number of games that ended with each total, from 0 on.
    pub totals: Vec<u64>,
    /// The counts of each box; empty for boxes that were filled at the start.
    pub boxes: ByBox<BoxSample>,
    /// The number of games that earned the upper bonus. It is 0 if the start card already has the bonus.
    pub upper_bonus: u64,
    /// The number of games with each number of extra bonuses (for extra Yahtzees), from 0 on. Those on the start card
    /// do not count.
    pub extras: Vec<u64>,
}

/// The counts of one box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoxSample {
    /// `points[t][n]` is the number of games in which the box got `n` points in turn `t`. Turns are numbered from the
    /// start card on, from 0.
    pub points: Vec<Vec<u64>>,
}

impl fmt::Display for Sample {
    /// Writes the number of games, the mean with its standard error, and the standard deviation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, deviation) = mean_and_deviation(&self.totals);
        let error = deviation / (self.games as f64).sqrt();
        let games = if self.games == 1 { "game" } else { "games" };
        write!(f, "{} {games}: mean {mean:.2} ± {error:.2}, standard deviation {deviation:.2}", self.games)
    }
}

impl BoxSample {
    /// Returns how often the box got each number of points, over all turns.
    pub fn counts(&self) -> Vec<u64> {
        let most = self.points.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).map(|points| self.points.iter().filter_map(|turn| turn.get(points)).sum()).collect()
    }

    /// Returns the mean and the standard deviation of the points in the box. The deviation is NaN if there was only one
    /// game.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        mean_and_deviation(&self.counts())
    }

    /// Returns how often the box was filled in each turn.
    pub fn turns(&self) -> Vec<u64> {
        self.points.iter().map(|turn| turn.iter().sum()).collect()
    }
}

impl Sample {
    /// Creates a sample of no games.
    pub(super) fn new(game: &Game) -> Sample {
        Sample {
            games: 0,
            totals: Vec::new(),
            boxes: game.rules().boxes().iter().map(|_| BoxSample::default()).collect(),
            upper_bonus: 0,
            extras: Vec::new(),
        }
    }

    /// Counts an entry of a turn.
    #[inline]
    pub(super) fn count_entry(&mut self, turn: usize, entry: Entry) {
        let turns = &mut self.boxes[entry.into].points;
        if turns.len() <= turn {
            turns.resize(turn + 1, Vec::new());
        }
        count(&mut turns[turn], entry.points.into(), 1);
    }

    /// Counts a finished game.
    #[inline]
    pub(super) fn count_game(&mut self, game: &Game, start: &Standing, end: &Standing) {
        self.games += 1;
        count(&mut self.totals, end.total.into(), 1);
        count(&mut self.extras, usize::from(end.extras - start.extras), 1);
        let earned = |threshold| start.upper_total < threshold && threshold <= end.upper_total;
        self.upper_bonus +=
            u64::from(game.rules().upper_bonus().is_some_and(|bonus| earned(bonus.threshold)));
    }

    /// Adds the games of another sample.
    pub(super) fn join(mut self, other: Sample) -> Sample {
        self.games += other.games;
        self.upper_bonus += other.upper_bonus;
        add(&mut self.totals, &other.totals);
        add(&mut self.extras, &other.extras);
        for (to, from) in self.boxes.values_mut().iter_mut().zip(other.boxes.values()) {
            if to.points.len() < from.points.len() {
                to.points.resize(from.points.len(), Vec::new());
            }
            to.points.iter_mut().zip(&from.points).for_each(|(to, from)| add(to, from));
        }
        self
    }

    /// Returns the mean of the totals.
    pub fn mean(&self) -> f64 {
        mean_and_deviation(&self.totals).0
    }

    /// Returns the standard deviation of the totals; NaN if there was only one game.
    pub fn deviation(&self) -> f64 {
        mean_and_deviation(&self.totals).1
    }

    /// Returns the standard error of the mean; NaN if there was only one game.
    pub fn error(&self) -> f64 {
        self.error_of(self.deviation())
    }

    /// Returns the standard error of the mean of a quantity with this standard deviation over all games; NaN if there
    /// was only one game.
    pub fn error_of(&self, deviation: f64) -> f64 {
        if self.games == 1 { f64::NAN } else { deviation / (self.games as f64).sqrt() }
    }

    /// Returns the standard error of a share, where `games` is the number of games that count.
    pub fn error_of_share(&self, games: u64) -> f64 {
        let share = games as f64 / self.games as f64;
        self.error_of((share * (1.0 - share)).sqrt())
    }

    /// Returns the share of games with each total, from 0 on.
    pub fn frequencies(&self) -> Vec<f64> {
        self.totals.iter().map(|&n| n as f64 / self.games as f64).collect()
    }

    /// Returns the smallest total that a share of at least `p` of games does not exceed. `percentile(0.5)` is the
    /// median.
    pub fn percentile(&self, p: f64) -> usize {
        let mut up_to = 0;
        let enough = |n: &u64| {
            up_to += n;
            up_to as f64 >= p * self.games as f64
        };
        self.totals.iter().position(enough).unwrap_or(self.most())
    }

    /// Returns the smallest total.
    pub fn least(&self) -> usize {
        self.totals.iter().position(|n| *n > 0).unwrap_or(0)
    }

    /// Returns the largest total.
    pub fn most(&self) -> usize {
        self.totals.len().saturating_sub(1)
    }

    /// Returns the mean of the points entered in each turn, without bonuses.
    pub fn mean_of_turns(&self) -> Vec<f64> {
        let turns = self.boxes.values().iter().map(|of| of.points.len()).max().unwrap_or(0);
        let paid = |turn: usize| -> u64 {
            let boxes = self.boxes.values().iter().filter_map(|of| of.points.get(turn));
            boxes.flat_map(|points| (0..).zip(points)).map(|(points, n)| points * n).sum()
        };
        (0..turns).map(|turn| paid(turn) as f64 / self.games as f64).collect()
    }
}

/// Returns the mean and the standard deviation of values, where `counts[v]` is how often `v` was observed. The
/// deviation is NaN for a single observation.
fn mean_and_deviation(counts: &[u64]) -> (f64, f64) {
    let all: u64 = counts.iter().sum();
    let sum: u64 = (0..).zip(counts).map(|(value, n)| value * n).sum();
    let mean = sum as f64 / all as f64;
    let square: f64 = (0..).zip(counts).map(|(value, &n)| n as f64 * (f64::from(value) - mean).powi(2)).sum();
    (mean, (square / (all as f64 - 1.0)).sqrt())
}

/// Adds `more` to the count at an index, and extends the list if necessary.
#[inline]
fn count(counts: &mut Vec<u64>, index: usize, more: u64) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    counts[index] += more;
}

/// Adds counts to counts.
fn add(to: &mut Vec<u64>, from: &[u64]) {
    for (index, &n) in from.iter().enumerate() {
        count(to, index, n);
    }
}
