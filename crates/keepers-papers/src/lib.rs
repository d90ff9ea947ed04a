//! Recomputes the figures of publications about the Yahtzee family of dice games, and compares them with what was
//! printed.
//!
//! A [`Document`] is a publication. Its items (a table, a figure, a claim) are functions in a file of its own. The
//! printed figures are in `papers/NAME/published.toml`, our results with their provenance in `papers/NAME/results.json`,
//! and the tables of `papers/NAME/README.md` and `docs/papers.html` are generated from both.

mod compare;
mod cremers;
mod decisions;
mod document;
mod draw;
mod felldin_sood;
mod findings;
mod page;
mod pawlewicz;
mod pawlewicz_readings;
mod perkins;
mod perkins_equilibria;
mod perkins_tournaments;
mod published;
mod results;
mod run;
mod tables;
mod verhoeff;
mod yatzy;

pub use compare::{Compared, Verdict, compare};
pub use document::{DOCUMENTS, Document, Item, document};
pub use page::page;
pub use published::{Expectation, Published, PublishedFigure, PublishedItem};
pub use results::{Figure, ItemResult, Provenance, Results, RulesUsed};
pub use run::{Options, Outcome, Run, run};
pub use tables::{Generated, generate};
