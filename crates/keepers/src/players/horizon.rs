//! Pawlewicz's evaluations of a position from the reach curves of the players (section 4.1, 4.3).

use std::sync::Arc;

use crate::solve::{Curve, Horizon};
use crate::tables::ReachTable;
use crate::turn::{LANES, vectorised};

/// Which evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// EvalEMP: the reach curve of each player is taken for the distribution of what he gets, and these for
    /// independent of each other.
    Emp,
    /// EvalDynS: the best score to play for, when the rivals try to reach the same one.
    DynS,
}

/// Reach curves hardly matter where they are smaller than this.
const NOTHING: f32 = 1e-13;

/// The expected result of a player who leads by `first`, `first + 1`, .. against a rival, by their curves.
pub fn results(evaluation: Evaluation, own: &Curve<'_>, rival: &Curve<'_>, first: i32, results: &mut [f64]) {
    match evaluation {
        Evaluation::Emp => {
            // Points still to come, and how likely: C(x) - C(x + 1).
            let least = i32::from(own.first) - 1;
            let tail = own.cells.partition_point(|p| *p >= NOTHING);
            let chance = |x: i32| f64::from(own.at(x)) - f64::from(own.at(x + 1));
            let probabilities: Vec<f64> = (least..least + tail as i32 + 1).map(chance).collect();
            // The rival gets less than t, or t exactly and that is half a win: 1 - (C(t) + C(t + 1)) / 2.
            let beaten = |t: i32| 1.0 - 0.5 * (f64::from(rival.at(t)) + f64::from(rival.at(t + 1)));
            let from = first + least;
            let length = (probabilities.len() + results.len() + LANES) as i32;
            let beaten: Vec<f64> = (from..from + length).map(beaten).collect();
            combine(&probabilities, &beaten, results, |sum, p, q| sum + p * q);
            results.iter_mut().for_each(|result| *result = result.clamp(0.0, 1.0));
        }
        Evaluation::DynS => {
            // Eq. (1): reach s, and the rival does not; the best s.
            let tail = own.cells.partition_point(|p| *p >= NOTHING);
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
    /// `results[i]` is the sum (or maximum) over x of `own[x]` and `rival[i + x]`, a block of results at a time.
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

/// The evaluation of two players beyond the turns that are searched.
pub(super) struct ReachHorizon {
    pub reach: Arc<ReachTable>,
    pub evaluation: Evaluation,
    /// Whether the player who has just moved is the one whose choice it is. EvalDynS is not the same from both
    /// sides.
    pub own: bool,
}

impl Horizon for ReachHorizon {
    fn to_come(&self, state: usize) -> (i32, i32) {
        let curve = self.reach.curve(state);
        (i32::from(curve.first) - 1, i32::from(curve.most()))
    }

    fn results(&self, state: usize, rival: usize, first: i32, into: &mut [f64]) {
        let (own, rival) = (self.reach.curve(state), self.reach.curve(rival));
        if self.own || self.evaluation == Evaluation::Emp {
            return results(self.evaluation, &own, &rival, first, into);
        }
        // From the other side the leads run the other way.
        let last = first + into.len() as i32 - 1;
        results(self.evaluation, &rival, &own, -last, into);
        into.reverse();
        into.iter_mut().for_each(|result| *result = 1.0 - *result);
    }
}
