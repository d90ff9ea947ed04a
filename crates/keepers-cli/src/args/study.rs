//! Arguments of `keepers two-player study`.

use std::path::PathBuf;

use clap::Args;

use super::numbers;
use super::two_player::StoreOfGame;

#[derive(Args)]
pub struct StudyTwoPlayer {
    #[command(flatten)]
    pub store: StoreOfGame,

    /// Players that play against exact play, first as first player and then as second player
    #[arg(long, value_name = "P,P,...", default_value = "expected,emp:0,emp:1,dyns:0,human-like:100")]
    pub players: String,

    /// Number of games of each player in each seat: one number, or one per player
    #[arg(long, value_name = "N,N,...", default_value = "1000")]
    pub games: String,

    /// Number of games of exact play against itself
    #[arg(long, value_name = "N", default_value = "100000", allow_hyphen_values = true, value_parser = numbers::judged_games)]
    pub exact_games: u64,

    /// Number of those games in which the expected-score choices are compared with the best ones
    #[arg(long, value_name = "N", default_value = "10000", allow_hyphen_values = true, value_parser = numbers::judged_games)]
    pub compared: u64,

    /// Seed of the dice
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Write all numbers (JSON, CSV), tables (Markdown) and pictures (SVG) to this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
}
