//! The command line: one definition for parsing, help, completions and the manual.

mod numbers;
mod play;
mod program;
pub mod score;

use clap::{Args, Parser, Subcommand};

pub use play::{Choose, Difficulty, Duel, Match, Measure, Players, Puzzle, Roll, Simulate, Ties, Tournament};
#[cfg(feature = "serve")]
pub use program::Serve;
pub use program::{Ask, Cache, CacheAction, Completions, Man, Review, Rules, RulesAction, States};
pub use score::{Advise, Card, Distribution, Outlook, Reach, Solve, Value};

/// Plays the Yahtzee family of dice games perfectly, and explains why.
#[derive(Parser)]
#[command(name = "keepers", version, max_term_width = 100)]
#[cfg_attr(
    feature = "serve",
    command(after_help = "Without a command, keepers opens the web app: see keepers serve --help.")
)]
pub struct Cli {
    #[command(flatten)]
    pub shared: Shared,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options that every command takes.
#[derive(Args)]
pub struct Shared {
    /// Print JSON on standard output, and nothing else there
    #[arg(long, global = true)]
    pub json: bool,

    /// Solve in memory: neither read nor write stored tables
    #[arg(long, global = true)]
    pub no_cache: bool,

    /// Show no progress
    #[arg(long, short, global = true, env = "KEEPERS_QUIET", value_parser = clap::builder::FalseyValueParser::new())]
    pub quiet: bool,

    /// How many threads to solve with [default: one for each core]
    #[arg(long, global = true, value_name = "N", allow_hyphen_values = true, value_parser = numbers::threads)]
    pub threads: Option<usize>,
}

/// Which game.
#[derive(Args)]
pub struct Game {
    /// The rules: a name from `keepers rules`, or the path of a TOML file
    #[arg(long, value_name = "RULES", default_value = "yahtzee")]
    pub rules: String,
}

/// How pictures look.
#[derive(Args)]
pub struct Look {
    /// Draw pictures dark on light, or light on dark
    #[arg(long, value_enum, value_name = "THEME", default_value = "light")]
    pub plot_theme: Theme,
}

/// Light or dark.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Theme {
    /// Dark on white
    Light,
    /// Light on near-black
    Dark,
}

#[derive(Subcommand)]
pub enum Command {
    Value(Value),
    Advise(Advise),
    Outlook(Outlook),
    Card(Card),
    Solve(Solve),
    Reach(Reach),
    Distribution(Distribution),
    Tournament(Tournament),
    Simulate(Simulate),
    Match(Match),
    Measure(Measure),
    Duel(Duel),
    Review(Review),
    Puzzle(Puzzle),
    Players(Players),
    Choose(Choose),
    Roll(Roll),
    Ask(Ask),
    #[cfg(feature = "serve")]
    Serve(Serve),
    States(States),
    Rules(Rules),
    Cache(Cache),
    Completions(Completions),
    Man(Man),
}
