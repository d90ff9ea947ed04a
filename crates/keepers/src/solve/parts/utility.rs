//! The best expected utility by parts: the recurrence of `solve/utility.rs`, with every bit of its values.
//!
//! A lane is a number of points so far. Only points so far that can occur on the way from the given card are solved.

use super::curves::{CurveSlice, GatheredCurves, GroupCurves};
use super::{NextCurves, Recurrence};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::kernel::workspace::{Workspace, turn_value};
use crate::solve::utility::ranges_so_far;
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// The best expected utility of the final score, in double precision.
pub struct UtilityRecurrence {
    game: Game,
    /// The fewest and the most points so far with which each state can be reached. A state that cannot be reached has
    /// more of the first.
    ranges: Vec<(u16, u16)>,
    utility: Vec<f64>,
    more_is_better: bool,
}

impl UtilityRecurrence {
    /// Creates the recurrence for a game that continues from a card. `utility[s]` is the utility of the final score s;
    /// scores beyond its end have the utility of the last.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    ///
    /// # Panics
    /// If `utility` is empty.
    pub fn new(card: &Card, utility: &[f64], work: &Work<'_>) -> Result<UtilityRecurrence, WorkError> {
        assert!(!utility.is_empty(), "a utility has at least one score");
        let game = card.game();
        Ok(UtilityRecurrence {
            game: game.clone(),
            ranges: ranges_so_far(game, card, work)?,
            utility: utility.to_vec(),
            more_is_better: utility.is_sorted(),
        })
    }
}

/// The buffers of one thread.
pub struct UtilityWorkspace {
    turn: Workspace<f64, LANES>,
    values: Vec<f64>,
}

impl Recurrence for UtilityRecurrence {
    type Cell = f64;
    type Workspace = UtilityWorkspace;

    fn workspace(&self) -> UtilityWorkspace {
        UtilityWorkspace { turn: Workspace::new(&self.game), values: Vec::new() }
    }

    fn outside(&self) -> [f64; 2] {
        // Never read for points that can occur.
        [0.0, 0.0]
    }

    fn solve(
        &self,
        next: &NextCurves<'_, f64>,
        workspace: &mut UtilityWorkspace,
        curves: &mut GroupCurves<f64>,
    ) {
        let (game, group) = (&self.game, next.group);
        let UtilityWorkspace { turn, values } = workspace;
        let is_full = game.rules().all_boxes().minus(group.filled.boxes).is_empty();
        turn.start(game, group.filled, self.more_is_better);
        let mut after: Vec<CurveSlice<'_, f64>> = Vec::new();
        for (class, state) in game.space().states_of(group).enumerate() {
            let (least, most) = self.ranges[state];
            if most < least {
                curves.push(0, &[]);
                continue;
            }
            values.clear();
            if is_full {
                let last = self.utility.len() - 1;
                values.extend((least..=most).map(|score| self.utility[usize::from(score).min(last)]));
                curves.push(least, values);
                continue;
            }
            let shifted = |&entry: &Entry| {
                let (curve, paid) = next.after(class, entry);
                curve.before(paid.into())
            };
            after.clear();
            after.extend(turn.entries().iter().map(shifted));
            values.resize(usize::from(most - least) + 1, 0.0);
            for (nth, block) in values.chunks_mut(LANES).enumerate() {
                let start = i32::from(least) + (nth * LANES) as i32;
                let value = turn_value(game, &GatheredCurves { curves: &after, start }, turn);
                block.copy_from_slice(&value.0[..block.len()]);
            }
            curves.push(least, values);
        }
    }
}
