//! Analysis with solved tables: advice, exact statistics, simulation, reviews, puzzles, matches, tournaments and
//! measurements of strategies.

pub mod advise;
pub mod equilibrium;
pub mod evaluate;
pub mod kernel_speed;
pub mod matches;
pub mod measure;
pub mod multiplayer;
pub mod puzzle;
pub mod review;
pub mod score_odds;
pub mod simulate;
pub mod tournament;
pub mod utility;
pub mod value;
