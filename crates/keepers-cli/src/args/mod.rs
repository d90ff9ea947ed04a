//! The command line. Parsing, help, completions and manual pages are all derived from these types.

mod numbers;
pub mod papers;
mod play;
mod program;
pub mod score;
mod study;
pub mod two_player;

use clap::{Args, Parser, Subcommand};

pub use play::{
    Choose, Difficulty, Duel, Match, Measure, Players, Puzzle, PuzzleTheme, Roll, Simulate, Ties, Tournament,
};
#[cfg(feature = "serve")]
pub use program::Serve;
pub use program::{Ask, Cache, CacheAction, Compare, Completions, Man, Review, Rules, RulesAction, States};
pub use score::{Advise, Card, Cost, Distribution, Likeness, Outlook, Reach, Solve, Value};
pub use study::StudyTwoPlayer;

/// Plays Yahtzee and similar dice games perfectly, and explains its choices
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

/// Options of all commands.
#[derive(Args)]
pub struct Shared {
    /// Print JSON and nothing else on standard output
    #[arg(long, global = true)]
    pub json: bool,

    /// Neither read nor write stored tables: solve in memory
    #[arg(long, global = true)]
    pub no_cache: bool,

    /// Do not show progress
    #[arg(long, short, global = true, env = "KEEPERS_QUIET", value_parser = clap::builder::FalseyValueParser::new())]
    pub quiet: bool,

    /// Number of threads [default: one per core]
    #[arg(long, global = true, value_name = "N", allow_hyphen_values = true, value_parser = numbers::threads)]
    pub threads: Option<usize>,
}

/// The game.
#[derive(Args)]
pub struct Game {
    /// The rules: a preset listed by `keepers rules`, or the path of a TOML file
    #[arg(long, value_name = "RULES", default_value = "yahtzee")]
    pub rules: String,
}

/// The look of pictures.
#[derive(Args)]
pub struct Look {
    /// Colours of pictures
    #[arg(long, value_enum, value_name = "THEME", default_value = "light")]
    pub plot_theme: Theme,
}

/// The colours of pictures.
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
    Cost(Cost),
    Advise(Advise),
    Outlook(Outlook),
    Card(Card),
    Solve(Solve),
    Reach(Reach),
    Distribution(Distribution),
    Likeness(Likeness),
    Tournament(Tournament),
    Simulate(Simulate),
    Match(Match),
    Measure(Measure),
    Duel(Duel),
    Review(Review),
    Compare(Compare),
    Puzzle(Puzzle),
    Players(Players),
    Choose(Choose),
    Roll(Roll),
    Ask(Ask),
    #[cfg(feature = "serve")]
    Serve(Serve),
    States(States),
    TwoPlayer(two_player::TwoPlayer),
    Papers(papers::Papers),
    Rules(Rules),
    Cache(Cache),
    Completions(Completions),
    Man(Man),
}
