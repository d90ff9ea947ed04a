//! Games of strategies that see everything: a plan for each turn of each game.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{PARCEL, Sample, dice_of};
use crate::game::Game;
use crate::matches::play_turn;
use crate::random::{Chance, Throws};
use crate::solve::Progress;
use crate::strategy::{Seats, Standing, Strategy};

/// Whatever a strategy draws is drawn from another seed than the dice.
const WHIM: u64 = 0x05EE_D0FA_5714_7E61;

pub(super) fn simulate(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    games: u64,
    seed: u64,
    progress: Progress<'_>,
) -> Sample {
    let throws = Throws::new(game.lattice());
    let done = AtomicU64::new(0);
    (0..games.div_ceil(PARCEL))
        .into_par_iter()
        .map(|parcel| {
            let mut sample = Sample::new(game);
            let mut dice = dice_of(game, seed, 0);
            for nth in parcel * PARCEL..games.min((parcel + 1) * PARCEL) {
                dice.restart(nth);
                let mut chance = Chance::new(seed ^ WHIM, nth);
                let mut standings = [*start];
                for turn in 0..start.open_boxes(game).len() {
                    dice.start_turn(turn);
                    let seats = Seats { game, standings: &standings, mover: 0 };
                    let mut plan = strategy.plan(&seats);
                    let entry = play_turn(game, &throws, &mut *plan, &mut dice, &mut chance).entry;
                    drop(plan);
                    sample.count_entry(turn, entry);
                    standings[0] = standings[0].after(game, entry);
                }
                sample.count_game(game, start, &standings[0]);
            }
            progress(done.fetch_add(sample.games, Ordering::Relaxed) as usize, games as usize);
            sample
        })
        .reduce(|| Sample::new(game), Sample::join)
}
