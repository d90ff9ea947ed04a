//! The command line: one definition for parsing, help, completions and the manual.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// Plays the Yahtzee family of dice games perfectly, and explains why.
#[derive(Parser)]
#[command(name = "keepers", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(flatten)]
    pub shared: Shared,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const AFTER_HELP: &str = "Without a command, keepers opens the web app: see keepers serve --help.";

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
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
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
    Solve(Solve),
    Reach(Reach),
    Distribution(Distribution),
    Tournament(Tournament),
    Simulate(Simulate),
    Match(Match),
    Measure(Measure),
    Duel(Duel),
    Review(Review),
    Serve(Serve),
    States(States),
    Rules(Rules),
    Cache(Cache),
    Completions(Completions),
    Man(Man),
}

/// Tell the expected final score from a card
#[derive(Args)]
pub struct Value {
    #[command(flatten)]
    pub game: Game,

    /// The card, like 1=3,6=18,y=50,extra=1 [default: an empty card]; - reads a card a line
    #[arg(value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,
}

/// Rank every choice for a roll: what to keep, or where to score
#[derive(Args)]
pub struct Advise {
    #[command(flatten)]
    pub game: Game,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// The dice on the table, like 22345
    #[arg(long, value_name = "DICE")]
    pub roll: String,

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// What to play for: expected (the best expected score), reach:S (the best chance of at least S),
    /// tournament:N (to beat N opponents) or utility:FILE (CSV of score and worth)
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,

    /// The card of somebody else at the table, who is to be beaten; once for each of them, in the order
    /// of play after you
    #[arg(long, value_name = "CARD", conflicts_with = "objective")]
    pub against: Vec<String>,

    /// With one --against: how many seconds exact values may take before they are estimated
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub time: u32,

    /// Show every choice, not only the ten best
    #[arg(long)]
    pub all: bool,
}

/// Solve a game afresh, store the table, and tell how long it took
#[derive(Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: Game,

    /// What to solve for: expected (the best expected score), or reach (the best chance of every score)
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,
}

/// Tell the best chance of every final score from a card
#[derive(Args)]
pub struct Reach {
    #[command(flatten)]
    pub game: Game,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// Solve now in double precision instead of using the stored single-precision table; takes twice
    /// the memory and more than twice the time, and gives ten digits more
    #[arg(long)]
    pub precise: bool,

    /// Show every so many points
    #[arg(long, value_name = "POINTS", default_value = "25", value_parser = clap::value_parser!(u16).range(1..))]
    pub step: u16,

    /// Print score and probability of every score as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw the curve into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Tell the exact distribution of the final score of a strategy, and what it does with each box
#[derive(Args)]
pub struct Distribution {
    #[command(flatten)]
    pub game: Game,

    /// The strategy: expected, reach:S, tournament:N or utility:FILE, as in `advise --objective`; several
    /// joined by commas, or a range like reach:50..800:50, are summed up in a table
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub strategy: String,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// Judge by the boxes of these rules whether a box is scored well
    #[arg(long, value_name = "RULES")]
    pub judge: Option<String>,

    /// Print score and probability of every score as CSV; for several strategies a line for each
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw the distribution into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    /// Draw what happens to each box in each turn into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot_grid: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

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

    /// With --opponent self: stop when a best response gains no more than this share of the chance of
    /// everybody
    #[arg(long, value_name = "SHARE", default_value = "0.001", allow_hyphen_values = true, value_parser = share)]
    pub gap: f64,

    /// With --opponent self: stop after so many rounds
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u16).range(1..=10000))]
    pub rounds: u16,

    /// With --opponent self: start again instead of going on where an earlier run stopped
    #[arg(long)]
    pub afresh: bool,

    /// Judge by the boxes of these rules whether a box is scored well, for --plot-grid
    #[arg(long, value_name = "RULES")]
    pub judge: Option<String>,

    /// Draw the advantage of playing to win against the number of opponents (with --opponent self: the scores in equilibrium) into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    /// Draw the score to beat, and the chance of winning with each score, into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot_scores: Vec<PathBuf>,

    /// Draw what the strategies do with each box in each turn into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot_grid: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is not a share: write a number from 0 to 1, like 0.001".to_string())
}

/// Let players play against each other, and tell who wins how often
#[derive(Args)]
pub struct Match {
    #[command(flatten)]
    pub game: Game,

    /// The players, 2 to 8 joined by commas: random, greedy, felldin-sood, expected, reach:S, tournament:N, utility:FILE,
    /// dyns:D, emp:D, duel, human-like:B
    #[arg(long, value_name = "PLAYER,PLAYER,..")]
    pub players: String,

    /// How many games; with --league, how many for each pair
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1")]
    pub seed: u64,

    /// Play each rotation of the seats on the same dice, so that luck cancels out
    #[arg(long)]
    pub same_dice: bool,

    /// Let every two of the players play against each other, and show a table of all
    #[arg(long)]
    pub league: bool,

    /// Write a record of every game into this directory
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

    /// Open boxes on both cards together, up to so many
    #[arg(long, value_name = "1..N", default_value = "1..8")]
    pub depth: String,

    /// How many games
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1")]
    pub seed: u64,

    /// How much memory exact values may use
    #[arg(long, value_name = "GIB", default_value = "8", value_parser = clap::value_parser!(u16).range(1..))]
    pub memory: u16,

    /// Draw the errors into this file, as SVG or PNG by its ending; may be given several times
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Play many games of a strategy with rolled dice, and tell what they came to
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
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub games: u64,

    /// The seed of the dice: the same seed gives the same games
    #[arg(long, value_name = "K", default_value = "1")]
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

/// What equal best scores are worth.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Ties {
    /// A win needs a strictly higher score
    Lose,
    /// Equal winners share the win
    Share,
}

/// Tell who wins between two players who both play perfectly, and rank every choice for a roll
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
    #[arg(long, value_name = "GIB", default_value = "8", value_parser = clap::value_parser!(u16).range(1..))]
    pub memory: u16,
}

/// Judge recorded games: the loss of every decision, the luck of every roll, and their sum
///
/// One file gives a report of every roll. Several files, or a folder with records (files that end in
/// .game), give a table of players.
#[derive(Args)]
pub struct Review {
    /// Records of games, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The rules, if they are not those that the record names: a name from `keepers rules`, or the path
    /// of a TOML file
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,

    /// What the players are taken to play for: expected, reach:S, tournament:N or utility:FILE, as in
    /// `advise`, or win: to beat the others
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,

    /// Judge this player alone
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,

    /// List so many of the worst decisions
    #[arg(long, value_name = "N", default_value = "5")]
    pub worst: usize,

    /// Print every decision as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Open the web app: advice, play, training and review in the browser
///
/// Serves the page and an HTTP interface (docs/api.md) on this machine alone, unless --host says otherwise, until
/// Ctrl-C. This is also what `keepers` does without a command.
#[derive(Args)]
pub struct Serve {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,

    /// The port to listen on [default: 4949 or, if that is taken, any that is free]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,

    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,

    /// Let pages from this origin use the HTTP interface too, like http://localhost:5173
    #[arg(long, value_name = "ORIGIN")]
    pub allow_origin: Option<String>,
}

impl Default for Serve {
    fn default() -> Serve {
        Serve { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port: None, no_open: false, allow_origin: None }
    }
}

/// Count the score states of a game, and what solving it for two players would take
#[derive(Args)]
pub struct States {
    #[command(flatten)]
    pub game: Game,

    /// How many players: 1, or 2 for the states of the game of two
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    pub players: String,
}

/// List the games that are known by name, or show the rules of one
#[derive(Args)]
pub struct Rules {
    #[command(subcommand)]
    pub action: Option<RulesAction>,
}

#[derive(Subcommand)]
pub enum RulesAction {
    /// Print rules as TOML, to be edited and given back with --rules FILE
    Show {
        /// A name from `keepers rules`, or the path of a TOML file
        #[arg(value_name = "RULES", default_value = "yahtzee")]
        rules: String,
    },
}

/// Show what is stored, tables and rounds of tournaments, checked byte by byte, or remove it
#[derive(Args)]
pub struct Cache {
    #[command(subcommand)]
    pub action: Option<CacheAction>,
}

#[derive(Subcommand)]
pub enum CacheAction {
    /// Remove every stored table, and the rounds of tournaments
    Clear,
    /// Print the directory of the stored tables
    Path,
}

/// Print completions for a shell
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Print the manual page, or write those of all commands
#[derive(Args)]
pub struct Man {
    /// Write the pages of all commands into this directory
    #[arg(long, value_name = "DIRECTORY")]
    pub dir: Option<PathBuf>,
}
