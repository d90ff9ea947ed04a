//! Arguments of `keepers two-player`.

use clap::{Args, Subcommand, ValueEnum};

use super::{Game, StudyTwoPlayer, numbers};

/// Solve the complete game of two players into a store, and use the solution
///
/// A solution is divided into tasks. Any number of machines may run tasks of a layer at the same time; `solve` runs all
/// of them on this machine. Solved tasks are never run again, so every command can be interrupted and repeated.
#[derive(Args)]
pub struct TwoPlayer {
    #[command(subcommand)]
    pub action: TwoPlayerAction,
}

#[derive(Subcommand)]
pub enum TwoPlayerAction {
    /// Estimate tasks, bytes and core-hours of a game by timing tasks of every layer
    Plan(PlanTwoPlayer),
    /// Run one task, or some tasks of a layer
    Run(RunTask),
    /// Run all tasks on this machine
    Solve(SolveTwoPlayer),
    /// Check hashes, bounds and monotonicity, and solve a sample of every layer again
    Verify(VerifyTwoPlayer),
    /// Show what a store has
    Status(StoreOfGame),
    /// Compare all values with those of another store of the same game
    Compare(CompareTwoPlayer),
    /// Copy the layers of the opening to another store
    Publish(PublishTwoPlayer),
    /// Study a solution: what players lose against exact play, and where
    Study(StudyTwoPlayer),
}

/// A game and its store.
#[derive(Args)]
pub struct StoreOfGame {
    #[command(flatten)]
    pub game: Game,

    /// The store: a folder, or s3://bucket/path [default: a folder in the cache of keepers]
    #[arg(long, value_name = "URL", env = "KEEPERS_TWO_PLAYER")]
    pub store: Option<String>,
}

/// How values are computed and stored.
#[derive(Args)]
pub struct Precision {
    /// How values are stored: in double or single precision, or as differences of 16 bits [default: f32, or
    /// that of the store]
    #[arg(long, value_enum)]
    pub values: Option<Values>,

    /// The numbers in which values are computed [default: f64 for --values f64, else f32]
    #[arg(long, value_enum)]
    pub lanes: Option<Lanes>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Values {
    /// Double precision
    F64,
    /// Single precision
    F32,
    /// Differences of 16 bits
    D16,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Lanes {
    /// Double precision
    F64,
    /// Single precision, about twice as fast
    F32,
    /// Single precision; values closer than 4e-6 to 0 or 1 become 0 or 1, and some turns need not be computed
    F32Settled,
}

#[derive(Args)]
pub struct PlanTwoPlayer {
    #[command(flatten)]
    pub game: Game,

    #[command(flatten)]
    pub precision: Precision,

    /// Time to spend on the tasks of each layer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", allow_hyphen_values = true, value_parser = numbers::seconds)]
    pub seconds: f64,
}

#[derive(Args)]
pub struct RunTask {
    #[command(flatten)]
    pub store: StoreOfGame,

    #[command(flatten)]
    pub precision: Precision,

    /// The layer: the number of open boxes on both cards together
    #[arg(long, value_name = "L", required_unless_present = "stdin")]
    pub layer: Option<usize>,

    /// The task, or a range such as 0..64
    #[arg(long, value_name = "K", required_unless_present = "stdin")]
    pub task: Option<String>,

    /// Read layers and tasks from standard input until it ends, a batch per line, such as `7 0..64`: batches of the same
    /// layer then share what they read. With --json, prints a line per batch
    #[arg(long, conflicts_with_all = ["layer", "task"])]
    pub stdin: bool,

    /// Memory limit, in GiB
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,
}

#[derive(Args)]
pub struct SolveTwoPlayer {
    #[command(flatten)]
    pub store: StoreOfGame,

    #[command(flatten)]
    pub precision: Precision,

    /// Memory limit, in GiB
    #[arg(long, value_name = "GIB", default_value = "8", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: u16,

    /// Remove the values of layers below this one as soon as no other layer needs them
    #[arg(long, value_name = "LAYER", default_value = "0")]
    pub keep_from: usize,
}

#[derive(Args)]
pub struct VerifyTwoPlayer {
    #[command(flatten)]
    pub store: StoreOfGame,

    /// Number of blocks of each layer to solve again from the layer below
    #[arg(long, value_name = "N", default_value = "20", allow_hyphen_values = true, value_parser = numbers::lines)]
    pub blocks: usize,

    /// Number of positions of each layer to solve again to the end of the game, like `keepers duel`
    #[arg(long, value_name = "N", default_value = "5", allow_hyphen_values = true, value_parser = numbers::lines)]
    pub duels: usize,

    /// Seed of the samples
    #[arg(long, value_name = "K", default_value = "1", allow_hyphen_values = true, value_parser = numbers::seed)]
    pub seed: u64,
}

#[derive(Args)]
pub struct CompareTwoPlayer {
    #[command(flatten)]
    pub store: StoreOfGame,

    /// The other store
    #[arg(value_name = "URL")]
    pub other: String,
}

#[derive(Args)]
pub struct PublishTwoPlayer {
    #[command(flatten)]
    pub store: StoreOfGame,

    /// The lowest layer to copy
    #[arg(long, value_name = "LAYER")]
    pub from: usize,

    /// How to store the copied values
    #[arg(long, value_enum, default_value = "d16")]
    pub values: Values,

    /// The store to write
    #[arg(value_name = "URL")]
    pub to: String,
}
