//! Simulation of strategies whose decisions depend on the score state and the points so far. All games play their next
//! turn before any plays the one after. Games in the same score state are played together: games with equal points
//! share a plan, and the plans for eight consecutive numbers of points are computed at once.

use std::sync::{Mutex, PoisonError};

use super::Dice;
use super::dice::dice_of;
use super::sample::Sample;
use crate::dice::random::{GameDice, RerollTable};
use crate::game::Game;
use crate::kernel::plan::Planner;
use crate::parallel::Threads;
use crate::players::Standing;
use crate::solve::UtilityTable;
use crate::turn::LANES;
use crate::work::{Work, WorkError};

/// The number of games that are played at the same time.
const BATCH: u64 = 1 << 20;

/// A game between two turns.
#[derive(Clone, Copy)]
struct RunningGame {
    own: Standing,
    state: u32,
    nth: u64,
}

pub(super) fn simulate(
    game: &Game,
    table: &UtilityTable,
    start: &Standing,
    Dice { games, seed, watch }: Dice<'_>,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    let throws = RerollTable::new(game.lattice());
    let turns = start.open_boxes(game).len();
    let mut sample = Sample::new(game);
    for first in (0..games).step_by(BATCH as usize) {
        let state = start.state(game) as u32;
        let mut running: Vec<RunningGame> =
            (first..games.min(first + BATCH)).map(|nth| RunningGame { own: *start, state, nth }).collect();
        for turn in 0..turns {
            work.check()?;
            Threads::All.sort_unstable_by_key(&mut running, |one| (one.state, one.own.total, one.nth));
            let groups: Vec<Mutex<&mut [RunningGame]>> =
                running.chunk_by_mut(|a, b| a.state == b.state).map(Mutex::new).collect();
            let entered = Threads::All.try_fold(
                0..groups.len(),
                || Worker::new(game, seed),
                |mut worker, group| {
                    work.check()?;
                    // The lock is never contended: exactly one thread plays each group.
                    let mut group = groups[group].lock().unwrap_or_else(PoisonError::into_inner);
                    worker.play(game, table, &throws, turn, &mut group);
                    Ok::<_, WorkError>(worker)
                },
                |one, other| Worker { sample: one.sample.join(other.sample), ..other },
            )?;
            sample = sample.join(entered.sample);
            let done = first as usize * turns + (turn + 1) * running.len();
            work.report(done, games as usize * turns);
        }
        for one in &running {
            sample.count_game(game, start, &one.own);
            watch(one.nth, one.own.total);
        }
    }
    Ok(sample)
}

/// The buffers and the counts of one thread.
struct Worker {
    planner: Planner<LANES>,
    dice: GameDice,
    sample: Sample,
}

impl Worker {
    fn new(game: &Game, seed: u64) -> Worker {
        let planner = Planner::new(game, game.rules().rolls() - 1);
        Worker { planner, dice: dice_of(game, seed, 0), sample: Sample::new(game) }
    }

    /// Plays a turn of games that are in the same score state and sorted by their points.
    fn play(
        &mut self,
        game: &Game,
        table: &UtilityTable,
        throws: &RerollTable,
        turn: usize,
        group: &mut [RunningGame],
    ) {
        let first_roll = game.lattice().rolls().start as u16;
        let mut rest = group;
        while let Some(first) = rest.first().map(|one| one.own) {
            table.plan_points(game, &first, &mut self.planner);
            let together = rest.partition_point(|one| usize::from(one.own.total - first.total) < LANES);
            let (block, more) = rest.split_at_mut(together);
            rest = more;
            for one in block {
                let lane = usize::from(one.own.total - first.total);
                self.dice.restart(one.nth);
                self.dice.start_turn(turn);
                let mut roll = self.dice.throw(throws, 0);
                for rolls_left in (1..game.rules().rolls()).rev() {
                    let keep = self.planner.picks(rolls_left)[usize::from(roll - first_roll)][lane];
                    roll = self.dice.throw(throws, keep);
                }
                let index = self.planner.ends()[usize::from(roll - first_roll)][lane];
                let entry = self.planner.entries()[usize::from(index)];
                self.sample.count_entry(turn, entry);
                one.own = one.own.after(game, entry);
                one.state = one.own.state(game) as u32;
            }
        }
    }
}
