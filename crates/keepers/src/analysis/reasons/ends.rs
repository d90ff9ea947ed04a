//! Where a turn ends after a keep: the probability of each final roll if the plan of the turn is followed.

use crate::game::Game;
use crate::game::card::{Card, Standing};
use crate::game::rules::ByBox;
use crate::kernel::forward::spread;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::turn::{Row, Rows};

/// Where a turn ends after a keep, with the best play.
pub(super) struct Ends {
    pub by_box: ByBox<EndsIn>,
    /// The expected points of the turn, bonuses included.
    pub points: f64,
}

/// The ends of a turn in one box.
#[derive(Clone, Copy, Default)]
pub(super) struct EndsIn {
    /// The probability that the turn ends in the box.
    pub share: f64,
    /// The probability that it ends there with points, if only those of an extra bonus.
    pub scored: f64,
    /// The probability that it ends there with points, but worse than an average turn.
    pub below: f64,
    /// The probability that it ends there without points, and worse than an average turn.
    pub given_up: f64,
    /// The value above that of an average turn, where it is above it: its sum over all ends in the box.
    pub gain: f64,
    /// The difference to the value of an average turn: its sum over all ends in the box.
    pub change: f64,
}

/// Follows the plan from two keeps, by their index in the lattice. The plan looks ahead over the rolls left; `before` is
/// the value before the turn, and the tolerance decides which values count as equal to it.
pub(super) fn ends(
    card: &Card,
    plan: &TurnPlan,
    (before, tolerance): (f64, TieTolerance),
    keeps: [usize; 2],
) -> [Ends; 2] {
    let game = card.game();
    let masses = final_rolls(game, plan, keeps);
    let (standing, total) = (Standing::of(card), f64::from(card.total()));
    let mut ends = [(); 2].map(|()| Ends {
        by_box: game.rules().boxes().iter().map(|_| EndsIn::default()).collect(),
        points: 0.0,
    });
    for (roll, &(entry, value)) in game.lattice().rolls().zip(plan.ends()) {
        let equal = tolerance.rank(value) == tolerance.rank(before);
        let change = if equal { 0.0 } else { value - before };
        let paid = f64::from(standing.after(game, entry).total) - total;
        for (ends, mass) in ends.iter_mut().zip(masses.get(roll as u16).0) {
            if mass == 0.0 {
                continue;
            }
            let here = &mut ends.by_box[entry.into];
            here.share += mass;
            let scores = entry.points + entry.extra > 0;
            here.scored += if scores { mass } else { 0.0 };
            match (change < 0.0, scores) {
                (true, true) => here.below += mass,
                (true, false) => here.given_up += mass,
                (false, _) => {}
            }
            here.gain += mass * change.max(0.0);
            here.change += mass * change;
            ends.points += mass * paid;
        }
    }
    ends
}

/// Returns the probability of every final roll, one lane per keep.
fn final_rolls(game: &Game, plan: &TurnPlan, keeps: [usize; 2]) -> Rows<f64, 2> {
    let mut masses: Rows<f64, 2> = Rows::new();
    for (lane, keep) in keeps.into_iter().enumerate() {
        masses.get_mut(keep as u16).0[lane] = 1.0;
    }
    spread(game, &mut masses);
    for picks in plan.picks().iter().rev() {
        for (roll, &pick) in game.lattice().rolls().zip(picks) {
            // A pick may be the roll itself, so its mass is taken away before it is added.
            let here = std::mem::replace(masses.get_mut(roll as u16), Row([0.0; 2]));
            let there = masses.get_mut(pick);
            *there = there.plus(&here);
        }
        spread(game, &mut masses);
    }
    masses
}
