//! What solved tables say: advice, outlooks, statistics, reviews, tournaments, matches and measurements.

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
