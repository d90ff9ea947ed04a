//! Blind tournaments in which all players have the same dice (Perkins, section 9). Their scores are not independent, so
//! whole tournaments are simulated.
//!
//! On the same dice, players of the same strategy have the same score: a field of any number of them is as hard to beat
//! as one, but ties are the rule.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::analysis::simulate::{Dice, simulate_watched};
use crate::analysis::tournament::Ties;
use crate::game::Game;
use crate::players::{Standing, Strategy};
use crate::stats::mean_and_error;
use crate::work::{Work, WorkError, reserve};

/// The results of one player in tournaments on the same dice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SameDice {
    /// The number of tournaments.
    pub games: u64,
    /// The share of tournaments that the player wins; shared wins count in part.
    pub win: f64,
    /// The standard error of `win`.
    pub win_error: f64,
    /// The share of tournaments in which the player has the highest score together with others.
    pub tied: f64,
    /// The median of the highest score among the opponents.
    pub median_to_beat: u16,
}

/// Plays tournaments in which all players have the same dice: a player against given numbers of opponents of each
/// strategy.
///
/// ```
/// use keepers::internals::players::{Expected, Greedy};
/// use keepers::internals::same_dice::play_on_same_dice;
/// use keepers::internals::Work;
/// use keepers::{Game, Silent, Store, Strategy, Ties};
/// use std::sync::Arc;
/// let game = Game::preset("yacht")?;
/// let best = Expected(Arc::new(Store::none().expected(&game, &Silent)?));
/// let field: [(u32, &dyn Strategy); 1] = [(1000, &Greedy)];
/// let work = Work::silent();
/// let same = play_on_same_dice(&game, &best, &field, (2_000, 1), Ties::Lose, &work)?;
/// // A thousand opponents of one strategy are no harder to beat than one of them.
/// assert!(same.win > 0.6 && same.tied < 0.1);
/// # Ok::<(), keepers::Error>(())
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn play_on_same_dice(
    game: &Game,
    player: &dyn Strategy,
    field: &[(u32, &dyn Strategy)],
    (games, seed): (u64, u64),
    ties: Ties,
    work: &Work<'_>,
) -> Result<SameDice, WorkError> {
    let own = scores(game, player, games, seed, work)?;
    let mut highest = vec![0_u16; own.len()];
    let mut holders = vec![0_u32; own.len()];
    for (number, strategy) in field {
        let theirs = scores(game, *strategy, games, seed, work)?;
        for ((highest, holders), score) in highest.iter_mut().zip(&mut holders).zip(theirs) {
            if score > *highest {
                (*highest, *holders) = (score, 0);
            }
            *holders += if score == *highest { *number } else { 0 };
        }
    }
    let result = |((own, highest), holders): ((&u16, &u16), &u32)| match (own.cmp(highest), ties) {
        (std::cmp::Ordering::Greater, _) => 1.0,
        (std::cmp::Ordering::Equal, Ties::Share) => 1.0 / (1.0 + f64::from(*holders)),
        _ => 0.0,
    };
    let wins: Vec<f64> = own.iter().zip(&highest).zip(&holders).map(result).collect();
    let (win, win_error) = mean_and_error(&wins);
    let tied = own.iter().zip(&highest).filter(|(own, highest)| own == highest).count();
    highest.sort_unstable();
    let median_to_beat = highest[(highest.len() - 1) / 2];
    Ok(SameDice { games, win, win_error, tied: tied as f64 / games as f64, median_to_beat })
}

/// Returns the score of a strategy in each game.
fn scores(
    game: &Game,
    strategy: &dyn Strategy,
    games: u64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Vec<u16>, WorkError> {
    let mut scores: Vec<AtomicU16> = Vec::new();
    reserve(&mut scores, games as usize)?;
    scores.resize_with(games as usize, AtomicU16::default);
    let watch = |nth: u64, total: u16| scores[nth as usize].store(total, Ordering::Relaxed);
    simulate_watched(game, strategy, &Standing::default(), Dice { games, seed, watch: &watch }, work)?;
    Ok(scores.into_iter().map(AtomicU16::into_inner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::{Expected, Greedy};
    use crate::tables::Store;
    use crate::work::Silent;
    use std::sync::Arc;

    #[test]
    fn equal_strategies_tie_on_the_same_dice() {
        let game = Game::preset("yacht").unwrap();
        let work = Work::silent();
        let best = Expected(Arc::new(Store::none().expected(&game, &Silent).unwrap()));
        let play = |field: &[(u32, &dyn Strategy)], ties| {
            play_on_same_dice(&game, &best, field, (3_000, 7), ties, &work).unwrap()
        };
        let same = play(&[(3, &best)], Ties::Lose);
        assert_eq!((same.win, same.tied), (0.0, 1.0));
        assert_eq!(play(&[(3, &best)], Ties::Share).win, 0.25);
        // Wins do not depend on the number of opponents of one strategy, shared ties do.
        let [one, many] = [1, 50].map(|number| play(&[(number, &Greedy)], Ties::Lose));
        assert_eq!(one, many);
        let [one, many] = [1, 50].map(|number| play(&[(number, &Greedy)], Ties::Share).win);
        assert!(one > many && many > play(&[(50, &Greedy)], Ties::Lose).win);
        // A field of two strategies is at least as hard as each of them.
        let both = play(&[(1, &Greedy), (1, &best)], Ties::Share);
        assert!(both.win <= 0.5 && both.median_to_beat >= same.median_to_beat);
    }
}
