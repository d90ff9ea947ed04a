//! Commands about players and games.

use std::path::PathBuf;

use clap::Args;

use super::{Game, Look, numbers};

/// Find the strategy that wins a blind tournament against N opponents, and its advantage
#[derive(Args)]
pub struct Tournament {
    #[command(flatten)]
    pub game: Game,

    /// How many opponents; several sizes joined by commas
    #[arg(long, value_name = "N,N,..", default_value = "1,10,100,1000,10000", allow_hyphen_values = true)]
    pub opponents: String,

    /// How the opponents play: a strategy, or several with their shares, like
    /// expected:0.7,reach:300:0.3; self finds the equilibrium, in which everybody plays best against
    /// all the others
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub opponent: String,

    /// A file of scores that opponents were seen to get, instead of a strategy: one on each line, or each with a
    /// comma and how often, as simulate --csv writes them
    #[arg(long, value_name = "FILE", conflicts_with = "opponent")]
    pub opponent_scores: Option<PathBuf>,

    /// What equal best scores are worth: nothing, or a share of the win
    #[arg(long, value_enum, default_value = "lose")]
    pub ties: Ties,

    /// With --opponent self: stop when a best response gains no more than this share of everybody's
    /// probability of winning
    #[arg(long, value_name = "SHARE", default_value = "0.001", allow_hyphen_values = true, value_parser = numbers::share)]
    pub gap: f64,

    /// With --opponent self: stop after N rounds
    #[arg(long, value_name = "N", default_value = "20", allow_hyphen_values = true, value_parser = numbers::rounds)]
    pub rounds: u16,

    /// With --opponent self: start again instead of continuing an earlier run
    #[arg(long)]
    pub afresh: bool,

    /// Judge by the boxes of these rules whether a box is scored well, for --plot-grid
    #[arg(long, value_name = "RULES")]
    pub judge: Option<String>,

    /// Draw the advantage of playing to win against the number of opponents (with --opponent self: the scores in equilibrium) into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    /// Draw the score to beat, and the probability of winning with each score, into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot_scores: Vec<PathBuf>,

    /// Draw what the strategies do with each box in each turn into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot_grid: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// What equal best scores are worth.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Ties {
    /// A win needs a strictly higher score
    Lose,
    /// Equal winners share the win
    Share,
}

/// Let players play against each other, and show who wins how often
#[derive(Args)]
pub struct Match {
    #[command(flatten)]
    pub game: Game,

    /// The players, 2 to 8 joined by commas: random, greedy, felldin-sood, expected, reach:S, tournament:N, utility:FILE,
    /// dyns:D, emp:D, duel, human-like:B
    #[arg(long, value_name = "PLAYER,PLAYER,..")]
    pub players: String,

    /// How many games; with --league, how many for each pair
    #[arg(long, value_name = "N", default_value = "100", allow_hyphen_values = true, value_parser = numbers::games)]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Play each rotation of the seats on the same dice, so that luck cancels out
    #[arg(long)]
    pub same_dice: bool,

    /// Let every two of the players play against each other, and show a table of all
    #[arg(long)]
    pub league: bool,

    /// Write a record of every game into this directory, which must not contain records of another match
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "league")]
    pub records: Option<PathBuf>,
}

/// Measure how much players lose against perfect play near the end of a game of two
#[derive(Args)]
pub struct Measure {
    #[command(flatten)]
    pub game: Game,

    /// The players, joined by commas; dyns:0..4 means all from dyns:0 to dyns:4
    #[arg(long, value_name = "PLAYER,PLAYER,..", default_value = "emp:0,emp:1,emp:2,dyns:0..4,expected")]
    pub strategies: String,

    /// Range of open boxes, both cards combined [default: 1..8, or all boxes of a smaller game]
    #[arg(long, value_name = "1..N", allow_hyphen_values = true)]
    pub depth: Option<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value = "100", allow_hyphen_values = true, value_parser = numbers::judged_games)]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// How much memory exact values may use
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,

    /// Draw the errors into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Play many games of a strategy with rolled dice, and show the scores
#[derive(Args)]
pub struct Simulate {
    #[command(flatten)]
    pub game: Game,

    /// The strategy: random, greedy, felldin-sood, expected, reach:S, tournament:N or utility:FILE
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub strategy: String,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// How many games
    #[arg(long, value_name = "N", default_value = "100000", allow_hyphen_values = true, value_parser = numbers::simulated_games)]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Print score and number of games of every score as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw a histogram into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Show who wins between two players who both play perfectly, and rank every choice for a roll
#[derive(Args)]
pub struct Duel {
    #[command(flatten)]
    pub game: Game,

    /// The card of the player to move, like 1=3,6=18,y=50,extra=1
    #[arg(long, value_name = "CARD")]
    pub to_move: String,

    /// The card of the other player
    #[arg(long, value_name = "CARD")]
    pub other: String,

    /// The dice on the table, like 22345 [default: before the first roll]
    #[arg(long, value_name = "DICE")]
    pub roll: Option<String>,

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", requires = "roll", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// Show every choice, not only the ten best
    #[arg(long)]
    pub all: bool,

    /// How much memory may be used
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,
}

/// Pose a position with a real decision, to train on
#[derive(Args)]
pub struct Puzzle {
    #[command(flatten)]
    pub game: Game,

    /// The seed: the same seed gives the same puzzle [default: a random one]
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,

    /// How close the best choice and the next one are
    #[arg(long, value_enum, default_value = "medium")]
    pub difficulty: Difficulty,

    /// Show the ranked choices too
    #[arg(long, conflicts_with = "json")]
    pub answer: bool,
}

/// How close the best choice and the next one are.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Difficulty {
    /// 2 to 8 points
    Easy,
    /// 0.5 to 2 points
    Medium,
    /// 0.1 to 0.5 points
    Hard,
}

/// List the computer players
#[derive(Args)]
pub struct Players {}

/// Let a computer player choose: what it keeps, or where it scores
#[derive(Args)]
pub struct Choose {
    #[command(flatten)]
    pub game: Game,

    /// The player, as `keepers players` lists them, like emp:1
    #[arg(long, value_name = "PLAYER", default_value = "expected")]
    pub player: String,

    /// A player's card; once per player, in the order of play
    #[arg(long, value_name = "CARD", required = true)]
    pub cards: Vec<String>,

    /// Whose turn it is, the first player being 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub mover: u8,

    /// The dice on the table, like 22345
    #[arg(long, value_name = "DICE")]
    pub roll: String,

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// The seed of the player's random choices
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,
}

/// Roll dice by a seed, as games that are played with Keepers do
#[derive(Args)]
pub struct Roll {
    #[command(flatten)]
    pub game: Game,

    /// The seed of the game: the same seed gives the same dice [default: a random one]
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,

    /// Whose dice: every player of a game has a stream of their own
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::stream)]
    pub stream: u32,

    /// The turn, the first being 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub turn: u8,

    /// The roll in this turn, the first being 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub number: u8,

    /// The dice that are kept, like 22; - for none
    #[arg(long, value_name = "DICE", default_value = "-", allow_hyphen_values = true)]
    pub keep: String,
}
