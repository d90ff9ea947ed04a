//! Parsers for numbers on the command line, with errors that name the allowed range.

use std::fmt::Display;
use std::str::FromStr;

/// Parses a whole number from `least` to `most`.
fn whole<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("must be a whole number from {least} to {most}"))
}

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 1024)
}

/// Parses a number of games in a match.
pub fn games(text: &str) -> Result<u64, String> {
    whole(text, 1, 10_000_000)
}

/// Parses a number of games in a measurement, which needs two for a standard error.
pub fn judged_games(text: &str) -> Result<u64, String> {
    whole(text, 2, 10_000_000)
}

/// Parses a number of games in a simulation.
pub fn simulated_games(text: &str) -> Result<u64, String> {
    whole(text, 1, 1_000_000_000_000)
}

/// Parses a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

/// Parses an amount of memory in GiB.
pub fn gibibytes(text: &str) -> Result<u16, String> {
    whole(text, 1, u16::MAX)
}

/// Parses a number of boxes to fix.
pub fn fixed_boxes(text: &str) -> Result<usize, String> {
    whole(text, 0, 32)
}

/// Parses an amount of memory in MiB.
#[cfg(feature = "serve")]
pub fn mebibytes(text: &str) -> Result<usize, String> {
    whole(text, 0, 1 << 30)
}

/// Parses a number of rounds.
pub fn rounds(text: &str) -> Result<u16, String> {
    whole(text, 1, 10_000)
}

/// Parses a step between scores.
pub fn step(text: &str) -> Result<u16, String> {
    whole(text, 1, u16::MAX)
}

/// Parses a number of lines.
pub fn lines(text: &str) -> Result<usize, String> {
    whole(text, 0, 1_000_000)
}

/// Parses the index of a seat, a turn or a roll, starting at 0.
pub fn small(text: &str) -> Result<u8, String> {
    whole(text, 0, u8::MAX)
}

/// Parses the number of a stream of dice.
pub fn stream(text: &str) -> Result<u32, String> {
    whole(text, 0, u32::MAX)
}

/// Parses a share.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1, like 0.001".to_string())
}

/// Parses a number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "must be a number of seconds from 0 to 3600".to_string())
}
