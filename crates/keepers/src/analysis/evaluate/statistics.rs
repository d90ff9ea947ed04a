//! What a strategy gets: the final total, each box, the bonuses.

use std::fmt;

use crate::game::Game;
use crate::game::rules::{ByBox, Joker, Pattern};

/// The exact statistics of a strategy from a card on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct BoxStatistics {
    /// By turn (the first of those played is 0) and final roll, in the order of the lattice: the
    /// probability that this roll is entered into the box in this turn.
    pub rolls: Vec<Vec<f64>>,
    /// By turn and points: the probability that the box gets these points in this turn.
    pub points: Vec<Vec<f64>>,
}

impl fmt::Display for Statistics {
    /// Writes the mean and the standard deviation of the final total.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, deviation) = mean_and_deviation(&self.probability);
        write!(f, "mean {mean:.4}, standard deviation {deviation:.4}")
    }
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

    /// For each turn, the probability of scoring well and of scoring badly in the box, as Perkins
    /// defines it: an upper box well with more than half of the dice, chance with more than the mean
    /// of a roll, any other box when the dice meet its condition. `judge` is the pattern to meet.
    pub fn well_and_badly(&self, game: &Game, judge: &Pattern) -> Vec<[f64; 2]> {
        let rules = game.rules();
        let has_jokers = rules.extra().is_some_and(|extra| extra.joker != Joker::None);
        let (dice, faces) = (u16::from(rules.dice()), u16::from(rules.faces()));
        let is_well = |roll: usize| {
            let roll = &game.lattice().keeps()[game.lattice().rolls().start + roll];
            match judge {
                Pattern::Face(face) => 2 * u16::from(roll.count(*face)) > dice,
                Pattern::Chance => 2 * roll.sum() > (faces + 1) * dice,
                _ => judge.points(roll) > 0 || has_jokers && roll.all_equal().is_some(),
            }
        };
        let turn = |rolls: &Vec<f64>| {
            let mut both = [0.0; 2];
            rolls.iter().enumerate().for_each(|(roll, p)| both[usize::from(!is_well(roll))] += p);
            both
        };
        self.rolls.iter().map(turn).collect()
    }

    /// The probability that the box is filled in each turn.
    pub fn turns(&self) -> Vec<f64> {
        self.points.iter().map(|turn| turn.iter().sum()).collect()
    }
}

impl Statistics {
    /// The mean of the final total.
    pub fn mean(&self) -> f64 {
        mean_and_deviation(&self.probability).0
    }

    /// The standard deviation of the final total.
    pub fn deviation(&self) -> f64 {
        mean_and_deviation(&self.probability).1
    }

    /// The probability of a final total of at least `score`.
    pub fn at_least(&self, score: usize) -> f64 {
        self.probability.iter().skip(score).rev().sum()
    }

    /// The smallest total that at least the share `p` of games does not exceed: the median for 0.5.
    pub fn percentile(&self, p: f64) -> usize {
        percentile(&self.probability, p)
    }
}

/// The mean and the standard deviation of a distribution of scores.
pub fn mean_and_deviation(probability: &[f64]) -> (f64, f64) {
    let mean: f64 = probability.iter().zip(0..).map(|(p, total)| p * f64::from(total)).sum();
    let spread = |(p, total): (&f64, i32)| p * (f64::from(total) - mean).powi(2);
    (mean, probability.iter().zip(0..).map(spread).sum::<f64>().sqrt())
}

/// The smallest score that at least the share `p` of a distribution does not exceed.
pub fn percentile(probability: &[f64], p: f64) -> usize {
    let mut up_to = 0.0;
    let reached = probability.iter().position(|mass| {
        up_to += mass;
        up_to >= p
    });
    reached.unwrap_or(probability.len().saturating_sub(1))
}
