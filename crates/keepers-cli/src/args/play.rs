//! Arguments of commands about several players or whole games.

use std::path::PathBuf;

use clap::Args;

use super::{Game, Look, numbers};

/// Find the strategy that wins blind tournaments most often against N opponents
#[derive(Args)]
pub struct Tournament {
    #[command(flatten)]
    pub game: Game,

    /// Number of opponents; several numbers joined by commas; or a field of given opponents, like
    /// expected*7,reach:300*3
    #[arg(long, value_name = "N,N,..", default_value = "1,10,100,1000,10000", allow_hyphen_values = true)]
    pub opponents: String,

    /// The strategy of the opponents, or several with their shares, like expected:0.7,reach:300:0.3;
    /// self finds the equilibrium, in which every player's strategy is a best response to all others
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub opponent: String,

    /// A file with observed scores of opponents, instead of a strategy: one score per line, or
    /// score,count as written by simulate --csv
    #[arg(long, value_name = "FILE", conflicts_with = "opponent")]
    pub opponent_scores: Option<PathBuf>,

    /// Result of a tie for the best score
    #[arg(long, value_enum, default_value = "lose")]
    pub ties: Ties,

    /// With --opponent self: stop when a best response increases the probability of winning by no more
    /// than this share
    #[arg(long, value_name = "SHARE", default_value = "0.001", allow_hyphen_values = true, value_parser = numbers::share)]
    pub gap: f64,

    /// With --opponent self: stop after N rounds
    #[arg(long, value_name = "N", default_value = "20", allow_hyphen_values = true, value_parser = numbers::rounds)]
    pub rounds: u16,

    /// With --opponent self: start over instead of continuing a stored run
    #[arg(long)]
    pub afresh: bool,

    /// Also play N tournaments in which all players have the same dice
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = numbers::simulated_games)]
    pub same_dice: Option<u64>,

    /// With --same-dice: the seed of the dice [default: 1]
    #[arg(long, value_name = "K", requires = "same_dice", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,

    /// For --plot-grid: the rules whose boxes decide whether a box is scored well
    #[arg(long, value_name = "RULES")]
    pub judge: Option<String>,

    /// Draw the advantage of playing to win by number of opponents, or with --opponent self the scores
    /// in equilibrium; FILE ends in .svg or .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    /// Draw the score to beat and the probability of winning with each score; FILE ends in .svg or .png;
    /// can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot_scores: Vec<PathBuf>,

    /// Draw how often the strategies score each box well and badly in each turn; FILE ends in .svg or
    /// .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot_grid: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// The result of a tie for the best score.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Ties {
    /// A tie loses
    Lose,
    /// Tied players share the win
    Share,
}

/// Play computer players against each other, and show how often each wins
#[derive(Args)]
pub struct Match {
    #[command(flatten)]
    pub game: Game,

    /// The players, 2 to 8 joined by commas: random, greedy, felldin-sood, expected, reach:S,
    /// tournament:N, utility:FILE, dyns:D (dynamic fixed score), emp:D (expected match points), duel,
    /// human-like:B
    #[arg(long, value_name = "PLAYER,PLAYER,..")]
    pub players: String,

    /// Number of games; with --league, per pair of players
    #[arg(long, value_name = "N", default_value = "100", allow_hyphen_values = true, value_parser = numbers::games)]
    pub games: u64,

    /// Seed of the dice; the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Play the same dice with every rotation of the seats, which cancels out most of the luck
    #[arg(long)]
    pub same_dice: bool,

    /// Play a match between each pair of players, and show a table of all results
    #[arg(long)]
    pub league: bool,

    /// Write a record of every game to this directory, which must not contain other records
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "league")]
    pub records: Option<PathBuf>,
}

/// Measure the loss of players against perfect play near the end of a game of two
#[derive(Args)]
pub struct Measure {
    #[command(flatten)]
    pub game: Game,

    /// The players, joined by commas; emp is expected match points, dyns is dynamic fixed score, and
    /// dyns:0..4 means all from dyns:0 to dyns:4
    #[arg(long, value_name = "PLAYER,PLAYER,..", default_value = "emp:0,emp:1,emp:2,dyns:0..4,expected")]
    pub strategies: String,

    /// Range of open boxes on both cards together [default: 1..8, or all boxes of a smaller game]
    #[arg(long, value_name = "1..N", allow_hyphen_values = true)]
    pub depth: Option<String>,

    /// Number of games
    #[arg(long, value_name = "N", default_value = "100", allow_hyphen_values = true, value_parser = numbers::judged_games)]
    pub games: u64,

    /// Seed of the dice; the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Memory limit for exact values, in GiB
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,

    /// Draw the losses; FILE ends in .svg or .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Play random games of a strategy, and show the scores
#[derive(Args)]
pub struct Simulate {
    #[command(flatten)]
    pub game: Game,

    /// The strategy: random, greedy, felldin-sood, expected, reach:S, tournament:N or utility:FILE
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub strategy: String,

    /// The card to start from, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// Number of games
    #[arg(long, value_name = "N", default_value = "100000", allow_hyphen_values = true, value_parser = numbers::simulated_games)]
    pub games: u64,

    /// Seed of the dice; the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,

    /// Print every score with its number of games as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw a histogram; FILE ends in .svg or .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Show the expected result of a game of two if both play perfectly, and rank every choice for a roll
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

    /// Rolls left in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", requires = "roll", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// Show all choices, not only the ten best
    #[arg(long)]
    pub all: bool,

    /// Memory limit, in GiB
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,
}

/// Show a training position in which the best choice is not obvious
#[derive(Args)]
pub struct Puzzle {
    #[command(flatten)]
    pub game: Game,

    /// Seed; the same seed gives the same puzzle [default: random]
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,

    /// Gap between the best choice and the second best
    #[arg(long, value_enum, default_value = "medium")]
    pub difficulty: Difficulty,

    /// What the decision is about [default: anything]
    #[arg(long, value_enum)]
    pub theme: Option<PuzzleTheme>,

    /// Also show the ranked choices
    #[arg(long, conflicts_with = "json")]
    pub answer: bool,
}

/// The gap between the best choice and the second best.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Difficulty {
    /// 2 to 8 points
    Easy,
    /// 0.5 to 2 points
    Medium,
    /// 0.1 to 0.5 points
    Hard,
}

/// What a decision is about.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum PuzzleTheme {
    /// The upper bonus: which face to collect, or whether to collect one
    Bonus,
    /// Straights
    Straights,
    /// The Yahtzee box and jokers
    Yahtzee,
    /// The first quarter of the turns
    FirstTurns,
    /// The last quarter of the turns
    LastTurns,
}

/// List the computer players
#[derive(Args)]
pub struct Players {}

/// Show what a computer player keeps, or where it scores
#[derive(Args)]
pub struct Choose {
    #[command(flatten)]
    pub game: Game,

    /// The player, by a name from `keepers players`, like emp:1
    #[arg(long, value_name = "PLAYER", default_value = "expected")]
    pub player: String,

    /// The card of a player; repeat for each player, in the order of play
    #[arg(long, value_name = "CARD", required = true)]
    pub cards: Vec<String>,

    /// Index of the player to move, starting at 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub mover: u8,

    /// The dice on the table, like 22345
    #[arg(long, value_name = "DICE")]
    pub roll: String,

    /// Rolls left in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// Seed of the player's random choices
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,
}

/// Roll dice from a seed, as games played with Keepers do
#[derive(Args)]
pub struct Roll {
    #[command(flatten)]
    pub game: Game,

    /// Seed of the game; the same seed gives the same dice [default: random]
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: Option<u64>,

    /// Stream of dice; each player of a game has their own
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::stream)]
    pub stream: u32,

    /// Index of the turn, starting at 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub turn: u8,

    /// Index of the roll in this turn, starting at 0
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = numbers::small)]
    pub number: u8,

    /// The kept dice, like 22; - for none
    #[arg(long, value_name = "DICE", default_value = "-", allow_hyphen_values = true)]
    pub keep: String,
}
