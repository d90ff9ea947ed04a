//! `emp:immediate`: EMP(0) (expected match points) as Pawlewicz words it (4.1): the evaluation is applied at once to the
//! state that each choice leads to, in the middle of a turn too.
//!
//! The state after a keep has a reach curve of its own: for each score, the best probability of reaching it from there.
//! Different scores may need different choices later in the turn, so the evaluation is too optimistic, and more so for
//! some keeps than for others. `emp:0` instead evaluates after the entry and looks ahead exactly to the end of the turn.

use std::sync::Arc;

use super::horizon::{Evaluation, results};
use super::{Standing, Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::plan::{Planner, TieTolerance};
use crate::tables::{ReachTable, TableCurve};
use crate::turn::{LANES, Row};
use crate::work::{Work, WorkError};

/// A player that evaluates every choice at once by the reach curves of all players.
pub struct Immediate {
    reach: Arc<ReachTable>,
}

impl Immediate {
    /// Creates the player.
    pub fn new(reach: &Arc<ReachTable>) -> Immediate {
        Immediate { reach: Arc::clone(reach) }
    }
}

/// The values of all choices of a turn.
struct ImmediateTurn {
    game: Game,
    /// The best entry of each final roll.
    entries: Vec<Entry>,
    /// `keeps[n - 1]` has the value of each keep with n rolls to come.
    keeps: Vec<Vec<f64>>,
}

impl Strategy for Immediate {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let game = self.reach.game();
        let work = Work::new(context.observer, "evaluating choices");
        let own = *context.own();
        let rivals: Vec<&Standing> = (0..context.standings.len())
            .filter(|player| *player != context.mover)
            .map(|player| &context.standings[player])
            .collect();
        let rolls = game.rules().rolls();
        let mut planner: Planner<LANES> = Planner::new(game, rolls - 1);
        planner.start(game, own.filled);
        let next: Vec<(i32, TableCurve<'_>)> = planner
            .entries()
            .iter()
            .map(|&entry| {
                let after = own.after(game, entry);
                (i32::from(after.total), self.reach.curve(after.state(game)))
            })
            .collect();
        let most = next.iter().map(|(total, curve)| total + i32::from(curve.most())).max().unwrap_or(0);
        let least =
            next.iter().map(|(total, curve)| total + i32::from(curve.view().first)).min().unwrap_or(0) - 1;
        // The share of rivals that a final score beats; a draw counts half.
        let beaten = |score: i32| {
            let one = |rival: &&Standing| {
                let curve = self.reach.curve(rival.state(game));
                let needed = score - i32::from(rival.total);
                1.0 - 0.5 * (f64::from(curve.at(needed)) + f64::from(curve.at(needed + 1)))
            };
            rivals.iter().map(one).sum::<f64>() / rivals.len().max(1) as f64
        };
        let shares: Vec<f64> = (least..=most + 1).map(beaten).collect();
        // The expected share is the sum over scores s of P(at least s) (share(s) - share(s - 1)).
        let mut keeps = vec![vec![shares[0]; game.lattice().keeps().len()]; usize::from(rolls) - 1];
        for first in (least + 1..=most).step_by(LANES) {
            work.check()?;
            let rows: Vec<Row<f64, LANES>> = next
                .iter()
                .map(|(total, curve)| {
                    let curve = curve.view();
                    Row(std::array::from_fn(|lane| curve.at(first + lane as i32 - total).into()))
                })
                .collect();
            let lists: Vec<Vec<f64>> =
                (0..LANES).map(|lane| rows.iter().map(|row| row.0[lane]).collect()).collect();
            let lists: Vec<&[f64]> = lists.iter().map(Vec::as_slice).collect();
            planner.plan_lanes(game, TieTolerance::SinglePrecision, &lists);
            for (n, values) in (1..rolls).zip(keeps.iter_mut()) {
                for (keep, value) in (0..).zip(values.iter_mut()) {
                    let row = planner.keeps(n).get(keep);
                    for (lane, p) in row.0.iter().enumerate() {
                        let at = (first + lane as i32 - least) as usize;
                        if at < shares.len() {
                            *value += p * (shares[at] - shares[at - 1]);
                        }
                    }
                }
            }
        }
        // After the last roll, the state after an entry is evaluated.
        let mut values = Vec::new();
        for (total, curve) in &next {
            let view = curve.view();
            let mut sum = 0.0;
            for rival in &rivals {
                let mut result = [0.0];
                let lead = total - i32::from(rival.total);
                let other = self.reach.curve(rival.state(game));
                results(Evaluation::Emp, &view, &other.view(), lead, &mut result);
                sum += result[0];
            }
            values.push(sum / rivals.len().max(1) as f64);
        }
        planner.plan_lanes(game, TieTolerance::DoublePrecision, &[&values]);
        let entries = planner.ends().iter().map(|ends| planner.entries()[usize::from(ends[0])]).collect();
        Ok(Box::new(ImmediateTurn { game: game.clone(), entries, keeps }))
    }
}

impl TurnPolicy for ImmediateTurn {
    fn keep(&mut self, roll: Roll, rolls_left: u8, _: &mut RandomStream) -> Keep {
        let lattice = self.game.lattice();
        let values = &self.keeps[usize::from(rolls_left) - 1];
        let rank = |keep: u16| {
            let value = TieTolerance::SinglePrecision.rank(values[usize::from(keep)]);
            (value, std::cmp::Reverse(self.game.tie_order()[usize::from(keep)]))
        };
        let best = lattice.within(lattice.index_of_roll(&roll)).max_by_key(|&keep| rank(keep));
        lattice.keeps()[usize::from(best.expect("nothing can always be kept"))]
    }

    fn enter(&mut self, roll: Roll, _: &mut RandomStream) -> Entry {
        let lattice = self.game.lattice();
        self.entries[lattice.index_of_roll(&roll) - lattice.rolls().start]
    }
}
