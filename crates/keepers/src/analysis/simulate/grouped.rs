//! Games of strategies that look at the points so far: turn by turn, all games in the same score state
//! together, so that one plan serves all with the same points, and eight plans are made in one go.

use std::sync::{Mutex, PoisonError};

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

/// How many games go side by side.
const BATCH: u64 = 1 << 20;

/// One game on its way.
#[derive(Clone, Copy)]
struct Underway {
    own: Standing,
    state: u32,
    nth: u64,
}

pub(super) fn simulate(
    game: &Game,
    table: &UtilityTable,
    start: &Standing,
    games: u64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    let throws = RerollTable::new(game.lattice());
    let turns = start.open_boxes(game).len();
    let mut sample = Sample::new(game);
    for first in (0..games).step_by(BATCH as usize) {
        let state = start.state(game) as u32;
        let mut underway: Vec<Underway> =
            (first..games.min(first + BATCH)).map(|nth| Underway { own: *start, state, nth }).collect();
        for turn in 0..turns {
            work.check()?;
            Threads::All.sort_unstable_by_key(&mut underway, |one| (one.state, one.own.total, one.nth));
            let groups: Vec<Mutex<&mut [Underway]>> =
                underway.chunk_by_mut(|a, b| a.state == b.state).map(Mutex::new).collect();
            let entered = Threads::All.try_fold(
                0..groups.len(),
                || Thread::new(game, seed),
                |mut thread, group| {
                    work.check()?;
                    // Each group is played by one thread; the lock only proves it.
                    let mut group = groups[group].lock().unwrap_or_else(PoisonError::into_inner);
                    thread.play(game, table, &throws, turn, &mut group);
                    Ok::<_, WorkError>(thread)
                },
                |one, other| Thread { sample: one.sample.join(other.sample), ..other },
            )?;
            sample = sample.join(entered.sample);
            let done = first as usize * turns + (turn + 1) * underway.len();
            work.report(done, games as usize * turns);
        }
        underway.iter().for_each(|one| sample.count_game(game, start, &one.own));
    }
    Ok(sample)
}

/// What each thread needs.
struct Thread {
    planner: Planner<LANES>,
    dice: GameDice,
    sample: Sample,
}

impl Thread {
    fn new(game: &Game, seed: u64) -> Thread {
        let planner = Planner::new(game, game.rules().rolls() - 1);
        Thread { planner, dice: dice_of(game, seed, 0), sample: Sample::new(game) }
    }

    /// Plays a turn of games in the same state, sorted by their points.
    fn play(
        &mut self,
        game: &Game,
        table: &UtilityTable,
        throws: &RerollTable,
        turn: usize,
        group: &mut [Underway],
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
                let place = self.planner.ends()[usize::from(roll - first_roll)][lane];
                let entry = self.planner.entries()[usize::from(place)];
                self.sample.count_entry(turn, entry);
                one.own = one.own.after(game, entry);
                one.state = one.own.state(game) as u32;
            }
        }
    }
}
