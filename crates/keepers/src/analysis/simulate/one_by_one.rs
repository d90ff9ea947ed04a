//! Simulation of strategies whose decisions may depend on everything: every turn of every game gets its own plan.

use super::Dice;
use super::dice::{CHUNK, dice_of};
use super::sample::Sample;
use crate::analysis::matches::play_turn;
use crate::dice::random::{RandomStream, RerollTable};
use crate::game::Game;
use crate::parallel::Threads;
use crate::players::{Standing, Strategy, TurnContext};
use crate::work::{NoProgress, Progress, Work, WorkError};

/// Combined with the seed of the dice into the seed of the strategy's own random numbers.
const STRATEGY_SEED: u64 = 0x05EE_D0FA_5714_7E61;

pub(super) fn simulate(
    game: &Game,
    strategy: &dyn Strategy,
    start: &Standing,
    Dice { games, seed, watch }: Dice<'_>,
    work: &Work<'_>,
) -> Result<Sample, WorkError> {
    let throws = RerollTable::new(game.lattice());
    let progress = Progress::new(work, games as usize, 0);
    let observer = NoProgress(work.observer());
    let sample = Threads::All.try_fold(
        0..games.div_ceil(CHUNK) as usize,
        || Sample::new(game),
        |mut sample, chunk| {
            let chunk = chunk as u64;
            let mut dice = dice_of(game, seed, 0);
            let nths = chunk * CHUNK..games.min((chunk + 1) * CHUNK);
            for nth in nths.clone() {
                work.check()?;
                dice.restart(nth);
                let mut random = RandomStream::new(seed ^ STRATEGY_SEED, nth);
                let mut standings = [*start];
                for turn in 0..start.open_boxes(game).len() {
                    dice.start_turn(turn);
                    let context = TurnContext { game, standings: &standings, mover: 0, observer: &observer };
                    let mut plan = strategy.plan(&context)?;
                    let entry = play_turn(game, &throws, &mut *plan, &mut dice, &mut random).entry;
                    drop(plan);
                    sample.count_entry(turn, entry);
                    standings[0] = standings[0].after(game, entry);
                }
                sample.count_game(game, start, &standings[0]);
                watch(nth, standings[0].total);
            }
            progress.add((nths.end - nths.start) as usize)?;
            Ok(sample)
        },
        Sample::join,
    )?;
    progress.finish();
    Ok(sample)
}
