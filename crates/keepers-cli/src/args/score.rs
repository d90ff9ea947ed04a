//! Commands about one player's score.

use std::path::PathBuf;

use clap::Args;

use super::{Game, Look, numbers};

/// Show the value of a card: the expected final score, or what another objective counts
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

/// What is played for.
#[derive(Args)]
pub struct Aim {
    /// What to play for: expected (the best expected score), reach:S (the best probability of at least S),
    /// tournament:N (to beat N opponents) or utility:FILE (CSV of score and utility) [default: expected, or
    /// win with --against]
    #[arg(long, value_name = "OBJECTIVE")]
    pub objective: Option<String>,

    /// The card of another player at the table, who is to be beaten; once per player, in the order of play
    /// after you
    #[arg(long, value_name = "CARD")]
    pub against: Vec<String>,

    /// With --against: how many seconds exact values may take before they are estimated
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

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    #[command(flatten)]
    pub aim: Aim,

    /// Show every choice, not only the ten best
    #[arg(long)]
    pub all: bool,
}

/// Compare choices for a roll by the exact final score that each leads to
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

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// The choices, joined by commas: dice to keep (- for none) or boxes to score in, like 66,33,fh. Digits
    /// are dice as long as a roll is left; score:6 is the box
    #[arg(long, value_name = "CHOICE,CHOICE,..", allow_hyphen_values = true)]
    pub choices: String,

    /// What to play for after the choice: expected, reach:S, tournament:N or utility:FILE
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,
}

/// Show a card, and with a roll every entry that the rules allow
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

/// Solve a game afresh, store the table, and show how long it took
#[derive(Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: Game,

    /// What to solve for: expected (the best expected score), or reach (the best probability of every score)
    #[arg(long, value_name = "OBJECTIVE", default_value = "expected")]
    pub objective: String,
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

    /// How often the dice may still be rolled in this turn [default: as after the first roll]
    #[arg(long, value_name = "N", requires = "roll", allow_hyphen_values = true)]
    pub rolls_left: Option<String>,

    /// Solve now in double precision instead of using the stored single-precision table; takes twice
    /// the memory and more than twice the time, and gives ten digits more
    #[arg(long, conflicts_with = "roll")]
    pub precise: bool,

    /// Step between the scores shown
    #[arg(long, value_name = "POINTS", default_value = "25", allow_hyphen_values = true, value_parser = numbers::step)]
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

/// Show the exact distribution of the final score of a strategy, and what it does with each box
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

    /// Print score and probability of every score as CSV; for several strategies one line per strategy
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
