//! Keepers plays the Yahtzee family of dice games perfectly and explains why.
//!
//! What is a card worth, and what should be kept?
//!
//! ```
//! use std::sync::Arc;
//! use keepers::advise::{Action, Prospect, advise};
//! use keepers::{Card, Game, Roll, Rules, Store};
//!
//! let game = Arc::new(Game::new(Rules::preset("yahtzee").unwrap()));
//! let table = Store::none().expected(&game); // Store::of_user() keeps what was solved
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
//! use keepers::{Game, Rules, solve};
//!
//! let yacht = Rules::preset("yacht").unwrap().to_toml();
//! let strict = Rules::from_toml(&yacht.replace("same_face = true", "same_face = false")).unwrap();
//! let values = solve::expected_scores(&Game::new(strict), &|_, _| ());
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
//! The map, in the direction that data flows: [`rules`] and [`dice`] make a [`game`] with its score states
//! ([`state`], [`upper`]); [`solve`] folds each [`turn`] back from the end of the game; [`table`] and [`store`] keep the
//! values; [`card`] is what a player holds and [`advise`](mod@advise) what a player should do, by an [`objective`];
//! [`plan`] is how a turn is played for it, and [`evaluate`] what comes of that, exactly. [`tournament`],
//! [`equilibrium`] and [`utility`] say what final scores are worth. [`strategy`] has the players, [`simulate`],
//! [`matches`](mod@matches) and [`measure`] let them play, and [`against`] judges positions of several. [`record`] is what
//! players did, and [`review`](mod@review) what that cost them. [`engine`] does all of it for whoever embeds it.

pub mod advise;
pub mod against;
mod average;
pub mod card;
mod chances;
pub mod dice;
pub mod engine;
pub mod equilibrium;
pub mod evaluate;
pub mod game;
pub mod matches;
pub mod measure;
pub mod objective;
pub mod plan;
mod quote;
pub mod random;
pub mod record;
pub mod review;
pub mod rules;
pub mod simulate;
pub mod solve;
pub mod state;
pub mod store;
pub mod strategy;
pub mod table;
pub mod tournament;
pub mod turn;
pub mod upper;
pub mod utility;

pub use card::{Card, Setup};
pub use dice::{Face, Keep, Lattice, Roll};
pub use game::Game;
pub use objective::Objective;
pub use record::Record;
pub use rules::Rules;
pub use state::StateSpace;
pub use store::{ExpectedTable, ReachTable, Store};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
