//! How a turn ends after a choice: the probability of each final roll and entry.

use crate::analysis::value::ValueFunction;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::{Action, Entry};
use crate::kernel::forward::spread;
use crate::kernel::plan::TurnPlan;
use crate::turn::Rows;

/// A choice in the middle of a turn.
#[derive(Clone, Copy, Debug)]
pub struct ChosenAction<'a> {
    /// The card before the turn ends.
    pub card: &'a Card,
    /// How often the dice may still be rolled.
    pub rolls_left: u8,
    /// What is done.
    pub action: Action,
}

/// One end of a turn.
pub(super) struct End {
    /// Index of the final roll, or `None` if the choice was to score at once.
    pub roll: Option<usize>,
    pub entry: Entry,
    pub p: f64,
}

/// Follows the best plan after the choice: eq. (4) forward, then the picks, as often as there are rolls.
pub(super) fn ends(game: &Game, value_fn: &dyn ValueFunction, chosen: &ChosenAction<'_>) -> Vec<End> {
    let keep = match chosen.action {
        Action::Score(entry) => return vec![End { roll: None, entry, p: 1.0 }],
        Action::Keep(keep) => keep,
    };
    let ChosenAction { card, rolls_left, .. } = *chosen;
    let worth = |entry| value_fn.value(&card.with(entry));
    let plan = TurnPlan::new(game, card.filled(), rolls_left, value_fn.tie_tolerance(), worth);
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
    ends.map(|(nth, (roll, &(entry, _)))| End { roll: Some(nth), entry, p: mass.get(roll as u16).0[0] })
        .filter(|end| end.p > 0.0)
        .collect()
}
