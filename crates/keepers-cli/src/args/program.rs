//! Commands about records, rules, tables and the program itself.

#[cfg(feature = "serve")]
use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

use super::{Game, numbers};

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

    /// List the N worst decisions
    #[arg(long, value_name = "N", default_value = "5", allow_hyphen_values = true, value_parser = numbers::lines)]
    pub worst: usize,

    /// Print every decision as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Answer requests of other programs: one JSON object per line
///
/// A line is {"ask": "advise", "request": {"roll": "33566"}}, with the requests of the HTTP interface (docs/api.md). Each
/// is answered on one line: with the answer, or with {"error", "problems"}. Answers are flushed, so that a program can
/// talk to keepers through pipes.
#[derive(Args)]
pub struct Ask {
    /// A file of requests, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

/// Open the web app: advice, play, training and review in the browser
///
/// Serves the page and an HTTP interface (docs/api.md) on this machine alone, unless --host says otherwise, until
/// Ctrl-C. This is also what `keepers` does without a command.
#[cfg(feature = "serve")]
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

    /// How much memory tables may occupy while nobody asks for anything
    #[arg(long, value_name = "MIB", default_value_t = IDLE_MEMORY, allow_hyphen_values = true, value_parser = numbers::mebibytes)]
    pub idle_memory: usize,
}

/// MiB of tables that an idle server keeps in memory.
#[cfg(feature = "serve")]
const IDLE_MEMORY: usize = 512;

#[cfg(feature = "serve")]
impl Default for Serve {
    fn default() -> Serve {
        Serve {
            host: IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
            port: None,
            no_open: false,
            allow_origin: None,
            idle_memory: IDLE_MEMORY,
        }
    }
}

/// Count the score states of a game, and what solving it for two players would cost
#[derive(Args)]
pub struct States {
    #[command(flatten)]
    pub game: Game,

    /// How many players: 1, or 2 for the states of the game of two
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    pub players: String,
}

/// List the presets, or show the rules of one game
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
