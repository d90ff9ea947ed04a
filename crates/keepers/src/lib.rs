//! Keepers plays the Yahtzee family of dice games perfectly and explains why.

pub mod advise;
pub mod card;
pub mod dice;
pub mod game;
pub mod rules;
pub mod solve;
pub mod state;
pub mod store;
pub mod table;
pub mod turn;
pub mod upper;

pub use card::{Card, Setup};
pub use dice::{Face, Keep, Lattice, Roll};
pub use game::Game;
pub use rules::Rules;
pub use state::StateSpace;
pub use store::{ExpectedTable, Store};
