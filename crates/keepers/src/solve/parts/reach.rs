//! Reach curves by parts: the recurrence of `solve/reach.rs`, with every bit of its values.
//!
//! A lane is a number of points still needed. The window of a state follows from those of its successors, which have
//! been trimmed to values strictly between 0 and 1. Values that single precision rounds to 1 or to 0 are neither computed
//! nor stored.

use std::sync::atomic::{AtomicU64, Ordering};

use super::curves::{CurveSlice, GatheredCurves, GroupCurves};
use super::{NextCurves, Recurrence};
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::workspace::{Workspace, turn_value};
use crate::solve::reach::{WIDTH, bounds_before};

/// The best probability of reaching every score, in single precision.
pub struct ReachRecurrence {
    game: Game,
    /// The number of values that were computed, including those that turned out to be 1 or 0.
    computed: AtomicU64,
}

impl ReachRecurrence {
    /// Creates the recurrence of a game.
    pub fn new(game: &Game) -> ReachRecurrence {
        ReachRecurrence { game: game.clone(), computed: AtomicU64::new(0) }
    }

    /// Returns the number of values that were computed, including those that turned out to be 1 or 0.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }
}

/// The buffers of one thread.
pub struct ReachWorkspace {
    turn: Workspace<f32, WIDTH>,
    extra_yahtzees: Vec<(u16, Entry)>,
    values: Vec<f32>,
}

impl Recurrence for ReachRecurrence {
    type Cell = f32;
    type Workspace = ReachWorkspace;

    fn workspace(&self) -> ReachWorkspace {
        ReachWorkspace { turn: Workspace::new(&self.game), extra_yahtzees: Vec::new(), values: Vec::new() }
    }

    fn outside(&self) -> [f32; 2] {
        [1.0, 0.0]
    }

    fn solve(
        &self,
        next: &NextCurves<'_, f32>,
        workspace: &mut ReachWorkspace,
        curves: &mut GroupCurves<f32>,
    ) {
        let (game, group) = (&self.game, next.group);
        let ReachWorkspace { turn, extra_yahtzees, values } = workspace;
        let Filled { boxes, .. } = group.filled;
        let is_full = game.rules().all_boxes().minus(boxes).is_empty();
        turn.start(game, group.filled, true);
        extra_yahtzees.clear();
        game.extra_yahtzee_entries(group.filled, |roll, entry| extra_yahtzees.push((roll, entry)));
        let mut after: Vec<CurveSlice<'_, f32>> = Vec::new();
        let mut computed = 0;
        for class in 0..game.space().states_of(group).len() {
            if is_full {
                // No points come: none are certain, and one is out of reach.
                curves.push(1, &[]);
                continue;
            }
            let bounds = |entry: Entry| {
                let (curve, paid) = next.after(class, entry);
                let certain = curve.first - 1 + i32::from(paid);
                (certain, certain + curve.len)
            };
            let (certain, most) = bounds_before(game, group, extra_yahtzees, bounds);
            let shifted = |&entry: &Entry| {
                let (curve, paid) = next.after(class, entry);
                curve.before(-i32::from(paid))
            };
            after.clear();
            after.extend(turn.entries().iter().map(shifted));
            values.clear();
            values.resize((most - certain) as usize, 1.0);
            for (nth, block) in values.chunks_mut(WIDTH).enumerate().rev() {
                let start = certain + 1 + (nth * WIDTH) as i32;
                let value = turn_value(game, &GatheredCurves { curves: &after, start }, turn);
                block.copy_from_slice(&value.0[..block.len()]);
                computed += block.len() as u64;
                // Curves never rise, so if every s of this block is certain, every smaller s is certain too.
                if block.iter().all(|p| *p >= 1.0) {
                    break;
                }
            }
            let ones = values.partition_point(|p| *p >= 1.0);
            let end = values.partition_point(|p| *p > 0.0);
            curves.push((certain + 1 + ones as i32) as u16, &values[ones..end]);
        }
        self.computed.fetch_add(computed, Ordering::Relaxed);
    }
}
