//! Evaluations of a position by the reach curves of the players (Pawlewicz, 4.1 and 4.3): EMP (expected match points)
//! and DynS (dynamic fixed score).

use std::sync::Arc;

use crate::solve::{Curve, Horizon};
use crate::tables::ReachTable;
use crate::turn::{LANES, vectorised};

/// An evaluation of positions by reach curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// EvalEMP (expected match points): treats the reach curve of each player as the distribution of their score,
    /// independent of the other players.
    Emp,
    /// EvalDynS (dynamic fixed score): chooses the one score to play for that beats the most rivals, if they play for
    /// it too.
    DynS,
}

/// Probabilities below this are ignored.
const NEGLIGIBLE: f32 = 1e-13;

/// Writes the expected results of a player who leads by `first`, `first + 1`, and so on against a rival, by their reach
/// curves.
pub fn results(evaluation: Evaluation, own: &Curve<'_>, rival: &Curve<'_>, first: i32, results: &mut [f64]) {
    match evaluation {
        Evaluation::Emp => {
            // The probability of exactly x more points is C(x) - C(x + 1).
            let least = i32::from(own.first) - 1;
            let tail = own.cells.partition_point(|p| *p >= NEGLIGIBLE);
            let exactly = |x: i32| f64::from(own.at(x)) - f64::from(own.at(x + 1));
            let probabilities: Vec<f64> = (least..least + tail as i32 + 1).map(exactly).collect();
            // The rival scores less than t, or exactly t, which is half a win: 1 - (C(t) + C(t + 1)) / 2.
            let beaten = |t: i32| 1.0 - 0.5 * (f64::from(rival.at(t)) + f64::from(rival.at(t + 1)));
            let from = first + least;
            let length = (probabilities.len() + results.len() + LANES) as i32;
            let beaten: Vec<f64> = (from..from + length).map(beaten).collect();
            combine(&probabilities, &beaten, results, |sum, p, q| sum + p * q);
            results.iter_mut().for_each(|result| *result = result.clamp(0.0, 1.0));
        }
        Evaluation::DynS => {
            // Pawlewicz, eq. (1): the maximum over s of the probability that the player reaches s and the rival does
            // not.
            let tail = own.cells.partition_point(|p| *p >= NEGLIGIBLE);
            let least = i32::from(own.first) - 1;
            let reached: Vec<f64> = (least..least + tail as i32 + 1).map(|x| own.at(x).into()).collect();
            let from = first + least;
            let length = (reached.len() + results.len() + LANES) as i32;
            let missed: Vec<f64> = (from..from + length).map(|t| 1.0 - f64::from(rival.at(t))).collect();
            combine(&reached, &missed, results, |best, p, q| if p * q > best { p * q } else { best });
        }
    }
}

vectorised! {
    /// Sets `results[i]` to the sum (or maximum) over x of `own[x] * rival[i + x]`, one block of results at a time.
    fn combine<F: Fn(f64, f64, f64) -> f64>(own: &[f64], rival: &[f64], results: &mut [f64], with: F) {
        for (block, start) in results.chunks_mut(LANES).zip((0..).step_by(LANES)) {
            let mut all = [0.0; LANES];
            for (p, rival) in own.iter().zip(rival[start..].windows(LANES)) {
                for lane in 0..LANES {
                    all[lane] = with(all[lane], *p, rival[lane]);
                }
            }
            block.copy_from_slice(&all[..block.len()]);
        }
    }
}

/// Returns EvalEMP as an estimate of the results of a game of two.
pub fn emp_estimate(reach: &Arc<ReachTable>) -> Arc<dyn Horizon> {
    Arc::new(ReachHorizon { reach: Arc::clone(reach), evaluation: Evaluation::Emp, own: true })
}

/// The evaluation of a game of two after the searched turns.
pub(super) struct ReachHorizon {
    pub reach: Arc<ReachTable>,
    pub evaluation: Evaluation,
    /// Whether the player who moved last is the one who searches. EvalDynS favours the player for whom it is computed,
    /// so it is always computed for the searching player.
    pub own: bool,
}

impl Horizon for ReachHorizon {
    fn to_come(&self, state: usize) -> (i32, i32) {
        let curve = self.reach.curve(state);
        let curve = curve.view();
        (i32::from(curve.first) - 1, i32::from(curve.most()))
    }

    fn results(&self, state: usize, rival: usize, first: i32, into: &mut [f64]) {
        let (own, rival) = (self.reach.curve(state), self.reach.curve(rival));
        let (own, rival) = (own.view(), rival.view());
        if self.own || self.evaluation == Evaluation::Emp {
            return results(self.evaluation, &own, &rival, first, into);
        }
        // For the rival, leads have the opposite sign, and the result is the complement.
        let last = first + into.len() as i32 - 1;
        results(self.evaluation, &rival, &own, -last, into);
        into.reverse();
        into.iter_mut().for_each(|result| *result = 1.0 - *result);
    }
}
