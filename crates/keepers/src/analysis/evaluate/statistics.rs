//! Exact statistics of a strategy: the distributions of the final total, of each box and of the bonuses.

use std::fmt;

use crate::game::Game;
use crate::game::rules::{ByBox, Joker, Pattern, Rules};
use crate::tables::Store;
use crate::work::{Observer, WorkError};

/// The exact statistics of a strategy, starting from a card.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// The probability of every final total, from 0 on.
    pub probability: Vec<f64>,
    /// The statistics of each box. For boxes that were filled at the start, all probabilities are 0.
    pub boxes: ByBox<BoxStatistics>,
    /// The probability that the upper bonus is earned. It is 0 if the card already has the bonus.
    pub upper_bonus: f64,
    /// The probability of each number of extra bonuses (for extra Yahtzees), from 0 on. Those on the card do not count.
    pub extras: Vec<f64>,
}

/// The exact statistics of one box.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BoxStatistics {
    /// `rolls[t][r]` is the probability that final roll `r`, in the order of the lattice, is entered into the box in
    /// turn `t`. Turns are numbered from the start card on, from 0.
    pub rolls: Vec<Vec<f64>>,
    /// `points[t][n]` is the probability that the box gets `n` points in turn `t`.
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
    /// Returns the mean of the points in the box.
    pub fn mean(&self) -> f64 {
        let weighted =
            |turn: &Vec<f64>| turn.iter().zip(0..).map(|(p, points)| p * f64::from(points)).sum::<f64>();
        self.points.iter().map(weighted).sum()
    }

    /// Returns the probability of each number of points, over all turns.
    pub fn distribution(&self) -> Vec<f64> {
        let most = self.points.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).map(|points| self.points.iter().filter_map(|turn| turn.get(points)).sum()).collect()
    }

    /// Returns, for each turn, the probabilities of scoring well and of scoring badly in the box, as Perkins defines
    /// them. A score is good in an upper box if more than half of the dice count, in Chance if the sum is above the
    /// mean of a roll, and in any other box if the dice match its pattern, which is given as `judge`. With jokers, all
    /// dice equal are good in any such box.
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

    /// Returns the probability that the box is filled in each turn.
    pub fn turns(&self) -> Vec<f64> {
        self.points.iter().map(|turn| turn.iter().sum()).collect()
    }
}

impl Statistics {
    /// Returns the mean of the final total.
    pub fn mean(&self) -> f64 {
        mean_and_deviation(&self.probability).0
    }

    /// Returns the standard deviation of the final total.
    pub fn deviation(&self) -> f64 {
        mean_and_deviation(&self.probability).1
    }

    /// Returns the probability of a final total of at least `score`.
    pub fn at_least(&self, score: usize) -> f64 {
        self.probability.iter().skip(score).rev().sum()
    }

    /// Returns the smallest total that a share of at least `p` of games does not exceed. `percentile(0.5)` is the
    /// median.
    pub fn percentile(&self, p: f64) -> usize {
        percentile(&self.probability, p)
    }
}

/// The version of the encoding of stored statistics. It must change if the computation gives other bits.
const ENCODING: f64 = 1.0;

/// The name of statistics in the store: those of the strategy with the best expected score, from the empty card.
const STORED_NAME: &str = "statistics";

impl Statistics {
    /// Returns the stored statistics of the strategy with the best expected score, from the empty card. Returns `None` if
    /// the store has none that can be used.
    pub(crate) fn known(store: &Store, rules: &Rules, observer: &dyn Observer) -> Option<Statistics> {
        Statistics::decode(&store.known_numbers(rules, STORED_NAME, observer)?, rules.boxes().values().len())
    }

    /// Writes these statistics to the store as those of the strategy with the best expected score, from the empty card.
    ///
    /// # Errors
    /// If the observer cancels the work.
    pub(crate) fn keep(
        &self,
        store: &Store,
        rules: &Rules,
        observer: &dyn Observer,
    ) -> Result<(), WorkError> {
        store.keep_numbers(rules, STORED_NAME, &self.encode(), observer).map(|_| ())
    }

    /// Returns all numbers in one list: the version of the encoding, the probability of the upper bonus, then lists that each
    /// follow their length: the final totals, the extras, and for each box the rolls and then the points of all turns. From
    /// the empty card, there are as many turns as boxes.
    fn encode(&self) -> Vec<f64> {
        let mut numbers = vec![ENCODING, self.upper_bonus];
        let boxes = self.boxes.values().iter().flat_map(|of| of.rolls.iter().chain(&of.points));
        for list in [&self.probability, &self.extras].into_iter().chain(boxes) {
            numbers.push(list.len() as f64);
            numbers.extend(list);
        }
        numbers
    }

    /// Reads the list that [`Statistics::encode`] returns, for this many boxes. Returns `None` if it has another version or
    /// another length.
    fn decode(numbers: &[f64], boxes: usize) -> Option<Statistics> {
        let (&[version, upper_bonus], mut rest) = numbers.split_first_chunk()?;
        let mut list = || {
            let (&len, after) = rest.split_first()?;
            let (list, after) = after.split_at_checked(len as usize)?;
            rest = after;
            Some(list.to_vec())
        };
        let (probability, extras) = (list()?, list()?);
        let mut turns = || (0..boxes).map(|_| list()).collect::<Option<Vec<_>>>();
        let of_boxes = (0..boxes).map(|_| Some(BoxStatistics { rolls: turns()?, points: turns()? }));
        let statistics =
            Statistics { probability, boxes: of_boxes.collect::<Option<_>>()?, upper_bonus, extras };
        (version == ENCODING && rest.is_empty()).then_some(statistics)
    }
}

/// Returns the mean and the standard deviation of a distribution of scores.
pub fn mean_and_deviation(probability: &[f64]) -> (f64, f64) {
    let mean: f64 = probability.iter().zip(0..).map(|(p, total)| p * f64::from(total)).sum();
    let spread = |(p, total): (&f64, i32)| p * (f64::from(total) - mean).powi(2);
    (mean, probability.iter().zip(0..).map(spread).sum::<f64>().sqrt())
}

/// Returns the smallest score that a share of at least `p` of a distribution does not exceed.
pub fn percentile(probability: &[f64], p: f64) -> usize {
    let mut up_to = 0.0;
    let reached = probability.iter().position(|mass| {
        up_to += mass;
        up_to >= p
    });
    reached.unwrap_or(probability.len().saturating_sub(1))
}
