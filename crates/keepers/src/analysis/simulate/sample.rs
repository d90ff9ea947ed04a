//! What simulated games came to: counts, and what follows from them.

use std::fmt;

use crate::game::Game;
use crate::game::rules::{ByBox, Entry};
use crate::players::Standing;

/// What a number of simulated games came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// How many games were played.
    pub games: u64,
    /// How many of them ended with each total, from 0 on.
    pub totals: Vec<u64>,
    /// What became of each box that was open.
    pub boxes: ByBox<BoxSample>,
    /// How many games earned the upper bonus on the way.
    pub upper_bonus: u64,
    /// How many games had each number of bonuses for further Yahtzees on the way, from none on.
    pub extras: Vec<u64>,
}

/// What became of one box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoxSample {
    /// By turn (the first of those played is 0) and points: how often the box got these points in this
    /// turn.
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
    /// How often the box got each number of points, whatever the turn.
    pub fn counts(&self) -> Vec<u64> {
        let most = self.points.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).map(|points| self.points.iter().filter_map(|turn| turn.get(points)).sum()).collect()
    }

    /// The mean of the points in the box, and their standard deviation, which is not a number if there was one game.
    pub fn mean_and_deviation(&self) -> (f64, f64) {
        mean_and_deviation(&self.counts())
    }

    /// How often it was filled in each turn.
    pub fn turns(&self) -> Vec<u64> {
        self.points.iter().map(|turn| turn.iter().sum()).collect()
    }
}

impl Sample {
    /// No game yet.
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

    /// The mean of the totals.
    pub fn mean(&self) -> f64 {
        mean_and_deviation(&self.totals).0
    }

    /// The standard deviation of the totals; not a number if there was only one game.
    pub fn deviation(&self) -> f64 {
        mean_and_deviation(&self.totals).1
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.error_of(self.deviation())
    }

    /// The standard error of the mean of what has this deviation over all games; not a number if there was only
    /// one.
    pub fn error_of(&self, deviation: f64) -> f64 {
        if self.games == 1 { f64::NAN } else { deviation / (self.games as f64).sqrt() }
    }

    /// The standard error of the share of some of the games.
    pub fn error_of_share(&self, games: u64) -> f64 {
        let share = games as f64 / self.games as f64;
        self.error_of((share * (1.0 - share)).sqrt())
    }

    /// The share of games with each total.
    pub fn frequencies(&self) -> Vec<f64> {
        self.totals.iter().map(|&n| n as f64 / self.games as f64).collect()
    }

    /// The smallest total that at least the share `p` of games does not exceed: the median for 0.5.
    pub fn percentile(&self, p: f64) -> usize {
        let mut up_to = 0;
        let enough = |n: &u64| {
            up_to += n;
            up_to as f64 >= p * self.games as f64
        };
        self.totals.iter().position(enough).unwrap_or(self.most())
    }

    /// The smallest total.
    pub fn least(&self) -> usize {
        self.totals.iter().position(|n| *n > 0).unwrap_or(0)
    }

    /// The largest total.
    pub fn most(&self) -> usize {
        self.totals.len().saturating_sub(1)
    }

    /// The mean of what each turn paid into a box, bonuses left out.
    pub fn mean_of_turns(&self) -> Vec<f64> {
        let turns = self.boxes.values().iter().map(|of| of.points.len()).max().unwrap_or(0);
        let paid = |turn: usize| -> u64 {
            let boxes = self.boxes.values().iter().filter_map(|of| of.points.get(turn));
            boxes.flat_map(|points| (0..).zip(points)).map(|(points, n)| points * n).sum()
        };
        (0..turns).map(|turn| paid(turn) as f64 / self.games as f64).collect()
    }
}

/// The mean and the standard deviation of what was counted; the latter is not a number if that was one.
fn mean_and_deviation(counts: &[u64]) -> (f64, f64) {
    let all: u64 = counts.iter().sum();
    let sum: u64 = (0..).zip(counts).map(|(value, n)| value * n).sum();
    let mean = sum as f64 / all as f64;
    let square: f64 = (0..).zip(counts).map(|(value, &n)| n as f64 * (f64::from(value) - mean).powi(2)).sum();
    (mean, (square / (all as f64 - 1.0)).sqrt())
}

#[inline]
fn count(counts: &mut Vec<u64>, place: usize, more: u64) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += more;
}

fn add(to: &mut Vec<u64>, from: &[u64]) {
    for (place, &n) in from.iter().enumerate() {
        count(to, place, n);
    }
}
