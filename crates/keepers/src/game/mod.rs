//! What a game is: its rules, its cards, its score states, what players play for, and records of games.

pub mod card;
pub mod objective;
mod ready;
pub mod record;
pub mod rules;
pub mod state;
pub mod upper;

pub use ready::{AllEqual, BoxScores, Game};
