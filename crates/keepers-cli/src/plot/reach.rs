//! Draws the best probability of every final score.

use keepers::{Card, Game};
use keepers_plot::{Axis, Chart, Ink, Picture, Series};

use super::{from_card, points, provenance};
use crate::output;

/// The probabilities at which the curve has a label.
const NOTED: [f64; 4] = [0.9, 0.5, 0.1, 0.01];

/// Draws the curve twice: on a linear scale, and on a logarithmic scale up to the highest possible score.
pub fn reach(game: &Game, card: &Card, roll: Option<&str>, reach: &[f64]) -> Picture {
    let title = format!("The best probability of every final score of {}", game.rules().name());
    let most = reach.len() - 1;
    let first = reach.iter().rposition(|p| *p >= 1.0 - 1e-4).unwrap_or(0);
    let last = reach.iter().rposition(|p| *p >= 1e-4).unwrap_or(most).max(first + 1);
    let color = Ink::Series(0);
    let curve = || Series::line("", points(reach)).ink(color);
    let mut linear = Chart::new(
        Axis::linear("final score").from(first as f64).to(last as f64),
        Axis::linear("best probability of at least this score").percent().from(0.0).to(1.0),
    )
    .title("From nearly certain to one in ten thousand")
    .series(curve().filled())
    .size(760.0, 380.0);
    let mut noted = Vec::new();
    for probability in NOTED {
        // The highest score with at least this probability.
        let score = reach.iter().rposition(|p| *p >= probability).unwrap_or(0);
        if (first..=last).contains(&score) && score > 0 && reach[score] < 1.0 {
            noted.push(format!("{score} with {}", output::percent(reach[score])));
            let text = format!("{score}: {}", short_percent(reach[score]));
            linear = linear.note(score as f64, reach[score], text, color);
        }
    }
    let all = Chart::new(
        Axis::linear("final score").to(most as f64),
        Axis::log("best probability of at least this score").percent(),
    )
    .title("All scores, on a logarithmic scale")
    .series(curve())
    .size(760.0, 300.0);
    Picture::new(title)
        .subtitle(format!(
            "Each score with its own best strategy, {}{}; the highest possible is {}.",
            from_card(card),
            roll.map_or(String::new(), |roll| format!(" with the roll {roll}")),
            output::grouped(most)
        ))
        .description(format!(
            "A falling curve of the best probability of at least each final score: {}.",
            noted.join(", ")
        ))
        .provenance(provenance(game, "computed, not simulated"))
        .panel(linear)
        .panel(all)
}

/// Formats a probability with three digits.
fn short_percent(probability: f64) -> String {
    let percent = 100.0 * probability;
    let decimals = (2.0 - percent.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{percent:.decimals$} %")
}
