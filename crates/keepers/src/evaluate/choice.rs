//! How a turn ends after a choice: the probability of each final roll and entry.

use crate::advise::{Action, Prospect};
use crate::card::Card;
use crate::dice::Keep;
use crate::game::Game;
use crate::plan::TurnPlan;
use crate::rules::Entry;

/// A choice in the middle of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// The card before the turn ends.
    pub card: &'a Card,
    /// How often the dice may still be rolled.
    pub rolls_left: u8,
    /// What is done.
    pub action: Action,
}

/// One end of a turn.
pub(super) struct End {
    /// The final roll by its place among the rolls; not known to matter if the turn is just being scored.
    pub roll: Option<usize>,
    pub entry: Entry,
    pub p: f64,
}

/// Follows the best plan after the choice: eq. (4) turned around, then the picks, as often as there are rolls.
pub(super) fn ends(game: &Game, prospect: &dyn Prospect, chosen: &Chosen<'_>) -> Vec<End> {
    let keep = match chosen.action {
        Action::Score(entry) => return vec![End { roll: None, entry, p: 1.0 }],
        Action::Keep(keep) => keep,
    };
    let Chosen { card, rolls_left, .. } = *chosen;
    let worth = |entry| prospect.value(&card.with(entry));
    let plan = TurnPlan::new(game, card.filled(), rolls_left, prospect.equal(), worth);
    let first = game.lattice().rolls().start;
    let mut mass = roll_on(game, &keep);
    for picks in plan.picks().iter().rev() {
        let mut next = vec![0.0; mass.len()];
        for (&p, &pick) in mass.iter().zip(picks).filter(|(p, _)| **p > 0.0) {
            for (to, more) in next.iter_mut().zip(roll_on(game, &game.lattice().keeps()[usize::from(pick)])) {
                *to += p * more;
            }
        }
        mass = next;
    }
    debug_assert_eq!(mass.len(), game.lattice().keeps().len() - first);
    let end = |(roll, (&p, &(entry, _)))| End { roll: Some(roll), entry, p };
    mass.iter().zip(plan.ends()).enumerate().map(end).filter(|end| end.p > 0.0).collect()
}

/// The probability of each roll after a keep.
fn roll_on(game: &Game, keep: &Keep) -> Vec<f64> {
    let lattice = game.lattice();
    let faces = lattice.faces() as usize;
    let mut mass = vec![0.0; lattice.keeps().len()];
    mass[lattice.index_of(keep)] = 1.0;
    for (k, next) in lattice.more().iter().enumerate() {
        let share = mass[k] / faces as f64;
        if share > 0.0 {
            next[..faces].iter().for_each(|&larger| mass[usize::from(larger)] += share);
        }
    }
    mass.split_off(lattice.rolls().start)
}
