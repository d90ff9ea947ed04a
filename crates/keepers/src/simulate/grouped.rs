//! Games of strategies that look at the points so far: turn by turn, all games in the same score state
//! together, so that one plan serves all with the same points, and eight plans are made in one go.

use rayon::prelude::*;

use super::{Sample, dice_of};
use crate::game::Game;
use crate::plan::Plans;
use crate::random::{GameDice, Throws};
use crate::solve::utility::W;
use crate::solve::{Progress, UtilityTable};
use crate::strategy::Standing;

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
    progress: Progress<'_>,
) -> Sample {
    let throws = Throws::new(game.lattice());
    let turns = start.open_boxes(game).len();
    let mut sample = Sample::new(game);
    for first in (0..games).step_by(BATCH as usize) {
        let state = start.state(game) as u32;
        let mut underway: Vec<Underway> =
            (first..games.min(first + BATCH)).map(|nth| Underway { own: *start, state, nth }).collect();
        for turn in 0..turns {
            underway.par_sort_unstable_by_key(|one| (one.state, one.own.total, one.nth));
            let groups: Vec<&mut [Underway]> = underway.chunk_by_mut(|a, b| a.state == b.state).collect();
            let entered = groups
                .into_par_iter()
                .fold(
                    || Thread::new(game, seed),
                    |mut thread, group| {
                        thread.play(game, table, &throws, turn, group);
                        thread
                    },
                )
                .map(|thread| thread.sample)
                .reduce(|| Sample::new(game), Sample::join);
            sample = sample.join(entered);
            let done = first as usize * turns + (turn + 1) * underway.len();
            progress(done, games as usize * turns);
        }
        underway.iter().for_each(|one| sample.count_game(game, start, &one.own));
    }
    sample
}

/// What each thread needs.
struct Thread {
    plans: Plans<W>,
    dice: GameDice,
    sample: Sample,
}

impl Thread {
    fn new(game: &Game, seed: u64) -> Thread {
        let plans = Plans::new(game, game.rules().rolls() - 1);
        Thread { plans, dice: dice_of(game, seed, 0), sample: Sample::new(game) }
    }

    /// Plays a turn of games in the same state, sorted by their points.
    fn play(
        &mut self,
        game: &Game,
        table: &UtilityTable,
        throws: &Throws,
        turn: usize,
        group: &mut [Underway],
    ) {
        let first_roll = game.lattice().rolls().start as u16;
        let mut rest = group;
        while let Some(first) = rest.first().map(|one| one.own) {
            table.plan_points(game, &first, &mut self.plans);
            let together = rest.partition_point(|one| usize::from(one.own.total - first.total) < W);
            let (block, more) = rest.split_at_mut(together);
            rest = more;
            for one in block {
                let lane = usize::from(one.own.total - first.total);
                self.dice.restart(one.nth);
                self.dice.start_turn(turn);
                let mut roll = self.dice.throw(throws, 0);
                for rolls_left in (1..game.rules().rolls()).rev() {
                    let keep = self.plans.picks(rolls_left)[usize::from(roll - first_roll)][lane];
                    roll = self.dice.throw(throws, keep);
                }
                let place = self.plans.ends()[usize::from(roll - first_roll)][lane];
                let entry = self.plans.entries()[usize::from(place)];
                self.sample.count_entry(turn, entry);
                one.own = one.own.after(game, entry);
                one.state = one.own.state(game) as u32;
            }
        }
    }
}
