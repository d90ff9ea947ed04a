//! Arguments of commands about records, rules, tables and the program itself.

#[cfg(feature = "serve")]
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

use super::{Game, numbers};

/// Review recorded games: show the loss of every decision and the luck of every roll
///
/// For one file, shows every roll. For several files, or a folder of records (files that end in .game), shows a table
/// of players.
#[derive(Args)]
pub struct Review {
    /// Recorded games, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Rules that replace those named in the record: a preset listed by `keepers rules`, or the path of a
    /// TOML file
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,

    /// The objective by which decisions are valued: expected, reach:S, tournament:N or utility:FILE, as
    /// in `advise`, or win, to beat the opponents
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,

    /// Review only this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,

    /// List the N worst decisions
    #[arg(long, value_name = "N", default_value = "5", allow_hyphen_values = true, value_parser = numbers::lines)]
    pub worst: usize,

    /// Say why the worst decisions lost something
    #[arg(long, conflicts_with = "csv")]
    pub why: bool,

    /// Print every decision as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// Compare the players of recorded games: who is better, by how much, and how sure that is
///
/// Compares scores and losses. Both estimate the same difference, but losses do not contain the luck of the dice, so they
/// need far fewer games. Also shows the results of games that two players played together, how the losses change from
/// game to game, and the dice so far.
#[derive(Args)]
pub struct Compare {
    /// Recorded games in the order of play, folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Rules that replace those named in the records: a preset listed by `keepers rules`, or the path of a
    /// TOML file
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
}

/// Answer requests from other programs, one JSON object per line
///
/// A line looks like {"ask": "advise", "request": {"roll": "33566"}}, with the requests of the HTTP API (docs/api.md).
/// The output has one line per request: the answer, or {"error", "problems"}. Each line is flushed, so programs can
/// talk to keepers through pipes.
#[derive(Args)]
pub struct Ask {
    /// A file of requests, or - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

/// Open the web app: advice, play, training and review in the browser
///
/// Serves the web app and the HTTP API (docs/api.md) until Ctrl-C. Other machines cannot connect unless --phone or
/// --host allows it. Running `keepers` without a command does the same.
#[cfg(feature = "serve")]
#[derive(Args)]
pub struct Serve {
    /// Address to listen on [default: 127.0.0.1, or 0.0.0.0 with --phone]
    #[arg(long, value_name = "ADDRESS")]
    pub host: Option<IpAddr>,

    /// Let a phone in the same network use the web app: prints its address with an access token, as a QR
    /// code. Nobody can use the server without the token
    #[arg(long)]
    pub phone: bool,

    /// Port to listen on [default: 4949, or any free port if that is in use]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,

    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,

    /// Allow pages from this origin to use the HTTP API, like http://localhost:5173
    #[arg(long, value_name = "ORIGIN")]
    pub allow_origin: Option<String>,

    /// Memory limit for tables while the server is idle, in MiB
    #[arg(long, value_name = "MIB", default_value_t = IDLE_MEMORY, allow_hyphen_values = true, value_parser = numbers::mebibytes)]
    pub idle_memory: usize,
}

/// The default memory limit for the tables of an idle server, in MiB.
#[cfg(feature = "serve")]
const IDLE_MEMORY: usize = 512;

#[cfg(feature = "serve")]
impl Serve {
    /// Returns the address to listen on: this machine alone, unless the user asks for more.
    pub fn host(&self) -> IpAddr {
        let usual = if self.phone { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        self.host.unwrap_or(IpAddr::V4(usual))
    }
}

#[cfg(feature = "serve")]
impl Default for Serve {
    fn default() -> Serve {
        Serve {
            host: None,
            phone: false,
            port: None,
            no_open: false,
            allow_origin: None,
            idle_memory: IDLE_MEMORY,
        }
    }
}

/// Count the score states of a game, and estimate the cost of solving it for two players
#[derive(Args)]
pub struct States {
    #[command(flatten)]
    pub game: Game,

    /// Number of players: 1 or 2
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
    /// Print rules as TOML, which can be edited and used with --rules FILE
    Show {
        /// A preset listed by `keepers rules`, or the path of a TOML file
        #[arg(value_name = "RULES", default_value = "yahtzee")]
        rules: String,
    },
}

/// Check and list the stored tables and tournament rounds, or remove them
#[derive(Args)]
pub struct Cache {
    #[command(subcommand)]
    pub action: Option<CacheAction>,
}

#[derive(Subcommand)]
pub enum CacheAction {
    /// Remove all stored tables and tournament rounds, except tables that were solved in parts
    Clear,
    /// Print the directory with the stored tables
    Path,
}

/// Print shell completions
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a directory
#[derive(Args)]
pub struct Man {
    /// Write the manual pages of all commands to this directory
    #[arg(long, value_name = "DIRECTORY")]
    pub dir: Option<PathBuf>,
}
