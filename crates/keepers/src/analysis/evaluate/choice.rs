//! The ways in which a turn can end after a choice, with the probability of each final roll and its entry.

use crate::analysis::value::ValueFunction;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::{Action, Entry};
use crate::kernel::forward::spread;
use crate::kernel::plan::TurnPlan;
use crate::turn::Rows;

/// An action in the middle of a turn.
#[derive(Clone, Copy, Debug)]
pub struct ChosenAction<'a> {
    /// The card before the turn.
    pub card: &'a Card,
    /// The number of rolls left.
    pub rolls_left: u8,
    /// The action: a keep or an entry.
    pub action: Action,
}

/// One way in which a turn can end.
pub(super) struct TurnEnd {
    /// The index of the final roll, or `None` if the choice was to score at once.
    pub roll: Option<usize>,
    pub entry: Entry,
    /// Its probability.
    pub p: f64,
}

/// Returns the ways in which the turn can end if the best plan is followed after the action: the mass of keeps is
/// spread over the next rolls (Pawlewicz, eq. (4), in reverse), then moved to the picks of the plan, once per roll
/// left.
pub(super) fn turn_ends(
    game: &Game,
    value_fn: &dyn ValueFunction,
    chosen: &ChosenAction<'_>,
) -> Vec<TurnEnd> {
    let keep = match chosen.action {
        Action::Score(entry) => return vec![TurnEnd { roll: None, entry, p: 1.0 }],
        Action::Keep(keep) => keep,
    };
    let ChosenAction { card, rolls_left, .. } = *chosen;
    let value = |entry| value_fn.value(&card.with(entry));
    let plan = TurnPlan::new(game, card.filled(), rolls_left, value_fn.tie_tolerance(), value);
    let lattice = game.lattice();
    let mut mass: Rows<f64, 1> = Rows::new();
    mass.get_mut(lattice.index_of(&keep) as u16).0[0] = 1.0;
    spread(game, &mut mass);
    for picks in plan.picks().iter().rev() {
        for (roll, &pick) in lattice.rolls().zip(picks) {
            let here = std::mem::take(&mut mass.get_mut(roll as u16).0[0]);
            mass.get_mut(pick).0[0] += here;
        }
        spread(game, &mut mass);
    }
    let ends = lattice.rolls().zip(plan.ends()).enumerate();
    ends.map(|(nth, (roll, &(entry, _)))| TurnEnd { roll: Some(nth), entry, p: mass.get(roll as u16).0[0] })
        .filter(|end| end.p > 0.0)
        .collect()
}
