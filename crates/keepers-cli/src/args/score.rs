//! Arguments of commands about the score of one player.

use std::path::PathBuf;

use clap::Args;

use super::{Game, Look, numbers};

/// Show the value of a card: the expected final score, or the value under another objective
#[derive(Args)]
pub struct Value {
    #[command(flatten)]
    pub game: Game,

    /// The card, like 1=3,6=18,y=50,extra=1 [default: an empty card]; - reads one card per line
    #[arg(value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    #[command(flatten)]
    pub aim: Aim,
}

/// Estimate the time and the memory of an answer before it is computed
#[derive(Args)]
pub struct Cost {
    #[command(flatten)]
    pub game: Game,

    /// The card, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// Include the exact distribution of the strategy, as keepers distribution computes it, and keepers tournament
    /// for each number of opponents
    #[arg(long)]
    pub distribution: bool,

    #[command(flatten)]
    pub aim: Aim,
}

/// The objective and the opponents.
#[derive(Args)]
pub struct Aim {
    /// What to maximise: expected (the expected score), reach:S (the probability of at least S points),
    /// tournament:N (the probability of beating N opponents) or utility:FILE (the expected utility, from a
    /// CSV of score,utility) [default: expected, or win with --against]
    #[arg(long, value_name = "OBJECTIVE")]
    pub objective: Option<String>,

    /// The card of an opponent; repeat for each opponent, in the order of play after you
    #[arg(long, value_name = "CARD")]
    pub against: Vec<String>,

    /// With --against: seconds to spend on exact values before they are estimated
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_hyphen_values = true, value_parser = numbers::seconds)]
    pub time: f64,
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

    /// Rolls left in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    #[command(flatten)]
    pub aim: Aim,

    /// Show all choices, not only the ten best
    #[arg(long)]
    pub all: bool,

    /// Say why the best choice is best
    #[arg(long)]
    pub why: bool,

    /// With --why: a choice to compare with the best one, dice to keep (- for none) or a box
    /// [default: the runner-up]
    #[arg(long, value_name = "CHOICE", allow_hyphen_values = true, requires = "why")]
    pub chosen: Option<String>,
}

/// Compare choices for a roll by the exact distribution of the final score after each
#[derive(Args)]
pub struct Outlook {
    #[command(flatten)]
    pub game: Game,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// The dice on the table, like 22345
    #[arg(long, value_name = "DICE")]
    pub roll: String,

    /// Rolls left in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// The choices, joined by commas: dice to keep (- for none) or boxes to score in, like 66,33,fh. While
    /// a roll is left, digits are dice; score:6 is the box
    #[arg(long, value_name = "CHOICE,CHOICE,..", allow_hyphen_values = true)]
    pub choices: String,

    /// What to maximise after the choice: expected, reach:S, tournament:N or utility:FILE
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,
}

/// Show a card and, with a roll, every entry that the rules allow
#[derive(Args)]
pub struct Card {
    #[command(flatten)]
    pub game: Game,

    /// The card, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// The dice on the table, like 22345
    #[arg(long, value_name = "DICE")]
    pub roll: Option<String>,
}

/// Solve a game again, store its table, and show how long it took
#[derive(Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: Game,

    /// What to maximise: expected (the expected score), or reach (the probability of each score)
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,

    /// Solve part by part with at most this much memory, in GiB, and store the parts; can be interrupted and
    /// repeated. Also for --objective distribution (of the score that the strategy expected plays), tournament:N and
    /// utility:FILE
    #[arg(long, value_name = "GIB", allow_hyphen_values = true, value_parser = numbers::gibibytes)]
    pub memory: Option<u16>,

    /// With --memory: the store, a folder or s3://bucket/path [default: KEEPERS_ONE_PLAYER, or a
    /// folder in the cache of keepers]
    #[arg(long, value_name = "URL", requires = "memory")]
    pub store: Option<String>,

    /// With --memory: the number of boxes in Cremers' fixed subset [default: as few as the memory allows]
    #[arg(long, value_name = "N", requires = "memory", allow_hyphen_values = true, value_parser = numbers::fixed_boxes)]
    pub fixed: Option<usize>,

    /// With --memory and tournament:N or utility:FILE: keep all parts, not only the value of the start, so that advice,
    /// reviews and simulations can use them
    #[arg(long, requires = "memory")]
    pub keep: bool,
}

/// Show the best probability of every final score from a card
#[derive(Args)]
pub struct Reach {
    #[command(flatten)]
    pub game: Game,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// The dice on the table, like 22345 [default: before the first roll]
    #[arg(long, value_name = "DICE")]
    pub roll: Option<String>,

    /// Rolls left in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", requires = "roll", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// Solve now in double precision instead of using the stored single-precision table; needs twice the
    /// memory and more than twice the time, and gives ten more digits
    #[arg(long, conflicts_with = "roll")]
    pub precise: bool,

    /// Step between the scores shown
    #[arg(long, value_name = "POINTS", default_value = "25", allow_hyphen_values = true, value_parser = numbers::step)]
    pub step: u16,

    /// Print every score with its probability as CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw the curve; FILE ends in .svg or .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Show the exact distribution of the final score under a strategy, and its points in each box
#[derive(Args)]
pub struct Distribution {
    #[command(flatten)]
    pub game: Game,

    /// The strategy: expected, reach:S, tournament:N or utility:FILE, as in `advise --objective`. Several
    /// joined by commas, or a range like reach:50..800:50, give a table with one line each
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub strategy: String,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,

    /// The rules whose boxes decide whether a box is scored well [default: those of the game]
    #[arg(long, value_name = "RULES")]
    pub judge: Option<String>,

    /// Print every score with its probability as CSV; for several strategies, one line per strategy
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Draw the distribution; FILE ends in .svg or .png; can be repeated
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,

    /// Draw how often each box is scored well and badly in each turn; FILE ends in .svg or .png; can be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub plot_grid: Vec<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Compare how two strategies decide: in how many decisions they differ, and what the differences cost,
/// weighted exactly with how often each decision occurs
#[derive(Args)]
pub struct Likeness {
    #[command(flatten)]
    pub game: Game,

    /// The strategy that plays: expected, reach:S, tournament:N, utility:FILE, normal:S, greedy or felldin-sood
    #[arg(long, value_name = "STRATEGY", default_value = "expected")]
    pub strategy: String,

    /// The strategy that it is compared with
    #[arg(long, value_name = "STRATEGY")]
    pub other: String,

    /// The card so far, like 1=3,6=18,y=50,extra=1 [default: an empty card]
    #[arg(long, value_name = "CARD", default_value = "", hide_default_value = true)]
    pub card: String,
}
