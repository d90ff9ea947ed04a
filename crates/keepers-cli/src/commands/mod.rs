//! One file per command.

pub mod advise;
pub mod ask;
pub mod cache;
pub mod card;
pub mod choose;
pub mod compare;
pub mod completions;
pub mod cost;
pub mod distribution;
pub mod duel;
mod equilibrium;
pub mod likeness;
pub mod man;
pub mod matches;
pub mod measure;
pub mod outlook;
pub mod papers;
pub mod players;
pub mod puzzle;
pub mod reach;
pub mod review;
pub mod roll;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod solve_in_parts;
pub mod states;
mod strategies;
pub mod study;
mod study_files;
pub mod tournament;
pub mod two_player;
pub mod value;
