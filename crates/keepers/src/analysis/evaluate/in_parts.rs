//! Exact statistics of the strategy with the best expected score, for games whose distributions exceed memory.
//!
//! This strategy looks only at the score state, so the distribution D of the points still to come follows from those of
//! the next states: `D(x, t) = sum over entries e of p(e) D(x·e, t - paid(e))`, where p(e) is the probability that the
//! strategy makes entry e in state x. That is solved in parts (`solve/parts/`). All other statistics need only the
//! probability of each state, which a forward pass has room for.

use std::ops::Range;
use std::sync::Arc;

use super::expected::{EntryLanes, entry_lanes};
use super::pass::{BoxTally, FollowedStrategy, from_card};
use super::statistics::Statistics;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::kernel::forward::ForwardTurn;
use crate::kernel::transitions::Transitions;
use crate::solve::{GroupCurves, NextCurves, Recurrence};
use crate::tables::ExpectedTable;
use crate::turn::{LANES, Row};
use crate::work::{Work, WorkError};

/// The distribution of the points still to come, for the strategy with the best expected score. A lane is a number of
/// points; all values are `f64`.
pub struct ScoreRecurrence {
    table: Arc<ExpectedTable>,
}

impl ScoreRecurrence {
    /// Creates the recurrence of a game, given its expected scores.
    pub fn new(table: &Arc<ExpectedTable>) -> ScoreRecurrence {
        ScoreRecurrence { table: Arc::clone(table) }
    }
}

/// The buffers of one thread.
pub struct ScoreWorkspace {
    turn: ForwardTurn,
    values: Vec<f64>,
}

impl Recurrence for ScoreRecurrence {
    type Cell = f64;
    type Workspace = ScoreWorkspace;

    fn workspace(&self) -> ScoreWorkspace {
        ScoreWorkspace { turn: ForwardTurn::new(self.table.game()), values: Vec::new() }
    }

    fn outside(&self) -> [f64; 2] {
        [0.0, 0.0]
    }

    fn solve(
        &self,
        next: &NextCurves<'_, f64>,
        workspace: &mut ScoreWorkspace,
        curves: &mut GroupCurves<f64>,
    ) {
        let (game, group) = (self.table.game(), next.group);
        let ScoreWorkspace { turn, values } = workspace;
        let classes = game.space().states_of(group).len();
        if game.rules().all_boxes().minus(group.filled.boxes).is_empty() {
            // No points come.
            (0..classes).for_each(|_| curves.push(0, &[1.0]));
            return;
        }
        for start in (0..classes).step_by(LANES) {
            let lanes = LANES.min(classes - start);
            let mut mass = Row([0.0; LANES]);
            mass.0[..lanes].fill(1.0);
            let entries = entry_lanes(&self.table, group, start, &mass, turn, |_, _, _| {});
            for lane in 0..lanes {
                let made = entries.iter().filter(|(_, p)| p.0[lane] > 0.0);
                let after = |(entry, p): &EntryLanes| {
                    let (curve, paid) = next.after(start + lane, *entry);
                    (curve.before(-i32::from(paid)), p.0[lane])
                };
                let after: Vec<_> = made.map(after).collect();
                let first = after.iter().map(|(curve, _)| curve.first).min().unwrap_or(0);
                let end = after.iter().map(|(curve, _)| curve.first + curve.len).max().unwrap_or(0);
                values.clear();
                values.resize((end - first) as usize, 0.0);
                for (curve, p) in &after {
                    let cells = values[(curve.first - first) as usize..].iter_mut();
                    cells.zip(curve.values()).for_each(|(cell, value)| *cell += p * value);
                }
                curves.push(first as u16, values);
            }
        }
    }
}

/// Returns the exact statistics of the strategy with the best expected score, starting from a card. `probability` is the
/// distribution of the final total, which [`ScoreRecurrence`] gives.
///
/// # Errors
/// If the work is cancelled.
pub fn evaluate_expected_states(
    table: &ExpectedTable,
    card: &Card,
    probability: Vec<f64>,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    from_card(&States { table, probability }, card, work)
}

/// Follows the strategy without the points so far.
struct States<'a> {
    table: &'a ExpectedTable,
    probability: Vec<f64>,
}

/// The probability of reaching a state with each number of extra bonuses.
type Mass = Vec<f64>;

/// An entry made in a state.
struct StatePush {
    /// The index of the state among the reached states.
    from: usize,
    /// The next state.
    to: usize,
    is_extra: bool,
    /// The probability of the entry in this state.
    p: f64,
}

impl FollowedStrategy for States<'_> {
    type Mass = Mass;
    type Push = StatePush;
    const BLOCK: usize = 8 * LANES;
    const BLOCKS: usize = 64;

    fn game(&self) -> &Game {
        self.table.game()
    }

    fn arrive(&self, mass: &mut Mass, _: usize, _: u16, extras: usize, p: f64) {
        add(mass, extras, &[1.0], p);
    }

    fn play(
        &self,
        reached: &[(usize, Mass)],
        block: Range<usize>,
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<StatePush>,
    ) {
        let game = self.game();
        let space = game.space();
        let lanes_of = |state: usize| {
            let first = space.group_of(state).first();
            (first, (state - first) / LANES)
        };
        let mut from = block.start;
        for together in reached[block].chunk_by(|a, b| lanes_of(a.0) == lanes_of(b.0)) {
            let group = space.group_of(together[0].0);
            let start = lanes_of(together[0].0).1 * LANES;
            let mut mass = Row([0.0; LANES]);
            for (state, of) in together {
                mass.0[state - group.first() - start] = of.iter().sum();
            }
            let next = Transitions::new(game, group);
            let rolls = |roll, entry: Entry, p| tally.roll(entry.into, roll, p);
            let entries = entry_lanes(self.table, group, start, &mass, turn, rolls);
            for (entry, lanes) in entries {
                for (nth, (state, _)) in together.iter().enumerate() {
                    let lane = state - group.first() - start;
                    let p = lanes.0[lane];
                    if p > 0.0 {
                        let (to, paid) = next.state(game, group, start + lane, entry);
                        tally.entry(entry, paid > entry.points + entry.extra, p);
                        let is_extra = entry.extra > 0;
                        pushes.push(StatePush { from: from + nth, to, is_extra, p: p / mass.0[lane] });
                    }
                }
            }
            from += together.len();
        }
    }

    fn target(push: &StatePush) -> usize {
        push.to
    }

    fn push(&self, reached: &[(usize, Mass)], push: StatePush, mass: &mut Mass) {
        add(mass, push.is_extra.into(), &reached[push.from].1, push.p);
    }

    fn totals(&self, reached: &[(usize, Mass)]) -> (Vec<f64>, Vec<f64>) {
        let mut extras = Vec::new();
        reached.iter().for_each(|(_, mass)| add(&mut extras, 0, mass, 1.0));
        (self.probability.clone(), extras)
    }
}

/// Adds `weight` times `from` to `to`, starting at index `at`.
fn add(to: &mut Vec<f64>, at: usize, from: &[f64], weight: f64) {
    if to.len() < at + from.len() {
        to.resize(at + from.len(), 0.0);
    }
    to[at..].iter_mut().zip(from).for_each(|(cell, more)| *cell += weight * more);
}
