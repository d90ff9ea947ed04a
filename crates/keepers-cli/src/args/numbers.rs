//! Numbers on the command line: what is not one, or out of range, is refused with what is allowed.

use std::fmt::Display;
use std::str::FromStr;

/// A whole number from `least` to `most`.
fn whole<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
}

/// How many threads.
pub fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, 1024)
}

/// How many games of a match.
pub fn games(text: &str) -> Result<u64, String> {
    whole(text, 1, 10_000_000)
}

/// How many games are judged.
pub fn judged_games(text: &str) -> Result<u64, String> {
    whole(text, 2, 10_000_000)
}

/// How many games are simulated.
pub fn simulated_games(text: &str) -> Result<u64, String> {
    whole(text, 1, 1_000_000_000_000)
}

/// A seed.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(text, 0, u64::MAX)
}

/// GiB of memory.
pub fn gibibytes(text: &str) -> Result<u16, String> {
    whole(text, 1, u16::MAX)
}

/// MiB of memory.
#[cfg(feature = "serve")]
pub fn mebibytes(text: &str) -> Result<usize, String> {
    whole(text, 0, 1 << 30)
}

/// How many rounds.
pub fn rounds(text: &str) -> Result<u16, String> {
    whole(text, 1, 10_000)
}

/// A step between scores.
pub fn step(text: &str) -> Result<u16, String> {
    whole(text, 1, u16::MAX)
}

/// How many lines of a list.
pub fn lines(text: &str) -> Result<usize, String> {
    whole(text, 0, 1_000_000)
}

/// A number that counts from 0: a seat, a turn, a roll.
pub fn small(text: &str) -> Result<u8, String> {
    whole(text, 0, u8::MAX)
}

/// A stream of dice.
pub fn stream(text: &str) -> Result<u32, String> {
    whole(text, 0, u32::MAX)
}

/// A share.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is not a share: write a number from 0 to 1, like 0.001".to_string())
}

/// Seconds that exact values may take.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "it must be a number of seconds from 0 to 3600".to_string())
}
