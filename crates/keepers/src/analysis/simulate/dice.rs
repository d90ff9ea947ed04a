//! The dice of simulated games.

use crate::dice::random::GameDice;
use crate::game::Game;

/// Games are shared out in parcels of this size.
pub(super) const PARCEL: u64 = 256;

/// The dice of game `nth` of a seed.
pub(super) fn dice_of(game: &Game, seed: u64, nth: u64) -> GameDice {
    GameDice::new(seed, nth, game.rules().rolls())
}
