//! What the pictures of all publications share.

use keepers::internals::evaluate::percentile;
use keepers_plot::{Axis, Chart, Ink, Picture, Series};

/// Returns the line at the foot of a picture.
pub fn provenance(rules: &str, more: &str) -> String {
    format!("keepers {}, rules {rules}, {more}", env!("CARGO_PKG_VERSION"))
}

/// Converts values by score to points.
pub fn points(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    values.iter().zip(0..).map(|(value, score)| (f64::from(score), *value))
}

/// Draws the distribution of the final score.
pub fn distribution(title: &str, rules: &str, probability: &[f64]) -> Picture {
    let [first, last] = [1e-4, 1.0 - 1e-4].map(|p| percentile(probability, p));
    let x = Axis::linear("final score").from(first as f64).to(last.max(first + 1) as f64);
    let chart = Chart::new(x, Axis::linear("probability of exactly this score").percent().from(0.0))
        .series(Series::line("", points(probability)).ink(Ink::Series(0)).thin().filled())
        .size(760.0, 360.0);
    Picture::new(title)
        .description(format!("The probability of each final score from {first} to {last}."))
        .provenance(provenance(rules, "computed exactly"))
        .panel(chart)
}

/// Formats a number for CSV, with all its digits.
pub fn cell(value: f64) -> String {
    format!("{value}")
}
