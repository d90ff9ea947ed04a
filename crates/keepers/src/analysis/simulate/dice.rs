//! The dice of simulated games.

use crate::dice::random::GameDice;
use crate::game::Game;

/// The number of games that a thread plays in one piece.
pub(super) const CHUNK: u64 = 256;

/// Returns the dice of game `nth` of a seed.
pub(super) fn dice_of(game: &Game, seed: u64, nth: u64) -> GameDice {
    GameDice::new(seed, nth, game.rules().rolls())
}
