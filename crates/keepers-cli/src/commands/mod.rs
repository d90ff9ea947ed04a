//! One file a command.

pub mod advise;
pub mod cache;
mod comparison;
pub mod completions;
pub mod distribution;
pub mod duel;
pub mod equilibrium;
pub mod man;
pub mod matches;
pub mod measure;
pub mod reach;
pub mod review;
pub mod rules;
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod states;
pub mod tournament;
pub mod value;
