//! Analysis with solved tables: advice, exact statistics, simulation, reviews, puzzles, matches, tournaments and
//! measurements of strategies.

pub mod advise;
pub mod compare;
pub mod equilibrium;
pub mod evaluate;
pub mod kernel_speed;
pub mod likeness;
pub mod matches;
pub mod measure;
pub mod multiplayer;
pub mod normal;
pub mod puzzle;
pub mod reasons;
pub mod review;
pub mod same_dice;
pub mod score_odds;
pub mod simulate;
pub mod study;
pub mod theme;
pub mod tournament;
pub mod utility;
pub mod value;
