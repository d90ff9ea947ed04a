//! The exact value of a duel if it can be had in time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Duel, DuelCost, DuelError, DuelTask, Kept};
use crate::card::Card;
use crate::game::Game;

/// What came of a limited time.
pub enum Within {
    /// The duel is solved.
    Exact(Box<Duel>),
    /// It takes too long or too much memory: this is what it would take, if that could be counted.
    /// Whoever needs an answer all the same has to estimate the value.
    NotExact(Option<DuelCost>),
}

/// Solves a duel if that takes no longer than `time` and no more memory than `bytes`. What is
/// hopeless is not tried.
///
/// # Errors
/// If it cannot be the mover's turn.
pub fn duel_within(
    game: &Arc<Game>,
    mover: &Card,
    other: &Card,
    kept: Kept,
    time: Duration,
    bytes: usize,
) -> Result<Within, DuelError> {
    let deadline = Instant::now() + time;
    let task = match DuelTask::new(game, mover, other) {
        Err(DuelError::TooManyBoxes(_)) => return Ok(Within::NotExact(None)),
        task => task?,
    };
    let cost = task.cost(kept);
    if cost.bytes > bytes || least_time(game, cost) > time {
        return Ok(Within::NotExact(Some(cost)));
    }
    let solved = task.solve(kept, &|_, _| (), &|| Instant::now() >= deadline);
    Ok(solved.map_or(Within::NotExact(Some(cost)), |duel| Within::Exact(Box::new(duel))))
}

/// Less time than any machine of today needs: a nanosecond for each keep of each turn, where we
/// measure ten.
fn least_time(game: &Game, cost: DuelCost) -> Duration {
    let steps = cost.turns.saturating_mul(game.lattice().keeps().len());
    Duration::from_nanos(steps as u64) / rayon::current_num_threads() as u32
}
