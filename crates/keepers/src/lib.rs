//! Keepers plays the Yahtzee family of dice games perfectly and explains why.
//!
//! What is a card worth, and what should be kept?
//!
//! ```
//! use std::sync::Arc;
//! use keepers::advise::{Action, advise};
//! use keepers::{Card, Game, Roll, Rules, Silent, Store};
//!
//! let game = Arc::new(Game::new(Rules::preset("yahtzee").unwrap()));
//! let table = Store::none().expected(&game, &Silent).unwrap(); // Store::of_user() keeps what was solved
//! let card = Card::parse(&game, "1=3,4=12,fh=25").unwrap();
//! assert!((table.value(&card) - 241.4293).abs() < 1e-4);
//!
//! let roll = Roll::parse("33566", 5, 6).unwrap();
//! let advice = advise(&game, &table, &card, &roll, 2).unwrap();
//! assert_eq!(advice.choices[0].action, Action::Keep("66".parse().unwrap()));
//! ```
//!
//! Rules are data: change a word, and it is another game.
//!
//! ```
//! use keepers::{Game, Rules, Work, solve};
//!
//! let yacht = Rules::preset("yacht").unwrap().to_toml();
//! let strict = Rules::from_toml(&yacht.replace("same_face = true", "same_face = false")).unwrap();
//! let values = solve::expected_scores(&Game::new(strict), &Work::silent()).unwrap();
//! assert!((values.last().unwrap() - 166.955068).abs() < 1e-6);
//! ```
//!
//! What a person types is checked, and every problem is told.
//!
//! ```
//! use keepers::{Card, Game, Rules};
//!
//! let game = Game::new(Rules::preset("yatzy").unwrap());
//! let error = Card::parse(&game, "1p=13,zz=1").unwrap_err();
//! assert_eq!(error.problems.len(), 2);
//! assert_eq!(error.setup.to_string(), "1p=13,zz=1");
//! ```
//!
//! The map, in the direction that data flows: [`dice`] and [`turn`] are the inside of a turn; [`game`](mod@game) has the
//! rules, cards, score states and records; [`solve`] folds each turn back from the end of the game, with the machinery
//! in `kernel`; [`tables`] keep the values; [`players`] play by them; [`analysis`] is what they say; and [`engine`]
//! answers everything from one place.
//!
//! # Features
//!
//! - `parallel` (default): solves on all threads of the current rayon pool; without it, on the current thread.
//! - `store` (default): keeps solved tables in files; without it, in memory only.
//!
//! Without both, the library builds for `wasm32-unknown-unknown`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod analysis;
pub mod clock;
pub mod dice;
pub mod engine;
pub mod game;
pub(crate) mod kernel;
pub mod parallel;
pub mod players;
pub mod solve;
mod stats;
pub mod tables;
pub mod text;
pub mod turn;
mod work;

pub use analysis::{
    advise, equilibrium, evaluate, matches, measure, multiplayer, review, simulate, tournament, utility,
};
pub use dice::random;
pub use game::{card, objective, record, rules, state, upper};
pub use kernel::plan;
pub use tables::store;
#[cfg(feature = "store")]
pub use tables::table;

pub use card::{Card, Setup};
pub use dice::{Face, Keep, Lattice, Roll};
pub use engine::Engine;
pub use game::Game;
pub use objective::Objective;
pub use record::Record;
pub use rules::Rules;
pub use state::StateSpace;
pub use tables::{ExpectedTable, ReachTable, Store};
pub use work::{NoWork, Observer, Silent, Work, WorkError, gibibytes};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And that of the crate's own README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
