//! How the losses of a player change from game to game, by kind of decision.

use crate::analysis::review::{Moment, Review};
use crate::game::rules::Action;

/// A kind of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// Every decision.
    All,
    /// What to keep with this many rolls left.
    Keep {
        /// The rolls left.
        rolls_left: u8,
    },
    /// Which box to score in.
    Score,
}

/// The losses of one kind of decision, game by game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trend {
    /// The kind of decision.
    pub kind: DecisionKind,
    /// The loss in each game, in the order of the games.
    pub losses: Vec<f64>,
    /// The change of the loss from game to game (least squares), and its standard error; `None` for fewer than three
    /// games.
    pub slope: Option<(f64, f64)>,
}

impl Trend {
    /// Returns the mean loss per game.
    pub fn mean(&self) -> f64 {
        self.losses.iter().sum::<f64>() / self.losses.len().max(1) as f64
    }
}

/// Returns the trends of finished games: of all decisions first, then by kind, in the order of a turn. There are none
/// without games.
pub(super) fn trends(reviews: &[&Review]) -> Vec<Trend> {
    let Some(rolls) = reviews.first().map(|review| review.card.rules().rolls()) else { return Vec::new() };
    let keeps = (1..rolls).rev().map(|rolls_left| DecisionKind::Keep { rolls_left });
    let kinds = [DecisionKind::All].into_iter().chain(keeps).chain([DecisionKind::Score]);
    let trend = |kind| {
        let losses: Vec<f64> = reviews.iter().map(|review| loss_of(review, kind)).collect();
        let slope = slope(&losses);
        Trend { kind, losses, slope }
    };
    kinds.map(trend).collect()
}

/// Returns the loss of all decisions of a kind in one game.
fn loss_of(review: &Review, kind: DecisionKind) -> f64 {
    let counts = |moment: &Moment<'_>| match (kind, moment.decision.action) {
        (DecisionKind::All, _) | (DecisionKind::Score, Action::Score(_)) => true,
        (DecisionKind::Keep { rolls_left }, Action::Keep(_)) => rolls_left == moment.roll.rolls_left,
        _ => false,
    };
    review.moments().filter(counts).map(|moment| moment.decision.loss).fold(0.0, |sum, loss| sum + loss)
}

/// Returns the slope of a line through values at 0, 1, 2, .. and its standard error.
fn slope(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len() as f64;
    if values.len() < 3 {
        return None;
    }
    let (middle, mean) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
    let at = |nth: usize| nth as f64 - middle;
    let spread: f64 = (0..values.len()).map(|nth| at(nth).powi(2)).sum();
    let slope = values.iter().enumerate().map(|(nth, value)| at(nth) * value).sum::<f64>() / spread;
    let rest = |(nth, value): (usize, &f64)| (value - mean - slope * at(nth)).powi(2);
    let rest: f64 = values.iter().enumerate().map(rest).sum();
    Some((slope, (rest / (n - 2.0) / spread).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_line_has_its_slope_and_no_error() {
        let (slope_, error) = slope(&[5.0, 3.0, 1.0, -1.0]).unwrap();
        assert!((slope_ + 2.0).abs() < 1e-12 && error < 1e-12);
        // By hand: slope 1/2, residuals 1/6, -1/3, 1/6, spread 2.
        let (slope_, error) = slope(&[0.0, 0.0, 1.0]).unwrap();
        assert!((slope_ - 0.5).abs() < 1e-12);
        assert!((error - (1.0_f64 / 6.0 / 2.0).sqrt()).abs() < 1e-12);
        assert_eq!(slope(&[1.0, 2.0]), None);
    }
}
