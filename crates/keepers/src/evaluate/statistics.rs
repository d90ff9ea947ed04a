//! What a strategy gets: the final total, each box, the bonuses.

use crate::rules::ByBox;

/// The exact statistics of a strategy from a card on.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The probability of every final total, from 0 on.
    pub probability: Vec<f64>,
    /// What happens to the boxes that were open.
    pub boxes: ByBox<BoxStatistics>,
    /// The probability that the upper bonus is earned on the way.
    pub upper_bonus: f64,
    /// The probability of each number of bonuses for further Yahtzees on the way, from none on.
    pub extras: Vec<f64>,
}

/// What a strategy does with one box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxStatistics {
    /// By turn (the first of those played is 0) and final roll, in the order of the lattice: the
    /// probability that this roll is entered into the box in this turn.
    pub rolls: Vec<Vec<f64>>,
    /// By turn and points: the probability that the box gets these points in this turn.
    pub points: Vec<Vec<f64>>,
}

impl BoxStatistics {
    /// The mean of the points that the box gets.
    pub fn mean(&self) -> f64 {
        let weighted =
            |turn: &Vec<f64>| turn.iter().zip(0..).map(|(p, points)| p * f64::from(points)).sum::<f64>();
        self.points.iter().map(weighted).sum()
    }

    /// The probability of each number of points, whatever the turn.
    pub fn distribution(&self) -> Vec<f64> {
        let most = self.points.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).map(|points| self.points.iter().filter_map(|turn| turn.get(points)).sum()).collect()
    }

    /// The probability that the box is filled in each turn.
    pub fn turns(&self) -> Vec<f64> {
        self.points.iter().map(|turn| turn.iter().sum()).collect()
    }
}

impl Statistics {
    /// The mean of the final total.
    pub fn mean(&self) -> f64 {
        self.probability.iter().zip(0..).map(|(p, total)| p * f64::from(total)).sum()
    }

    /// The standard deviation of the final total.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let spread = |(p, total): (&f64, i32)| p * (f64::from(total) - mean).powi(2);
        self.probability.iter().zip(0..).map(spread).sum::<f64>().sqrt()
    }

    /// The probability of a final total of at least `score`.
    pub fn at_least(&self, score: usize) -> f64 {
        self.probability.iter().skip(score).rev().sum()
    }

    /// The smallest total that at most the share `p` of games stays below: the median for 0.5.
    pub fn percentile(&self, p: f64) -> usize {
        let mut below = 0.0;
        let reached = self.probability.iter().position(|mass| {
            below += mass;
            below >= p
        });
        reached.unwrap_or(self.probability.len().saturating_sub(1))
    }
}
