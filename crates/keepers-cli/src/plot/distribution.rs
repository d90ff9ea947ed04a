//! Draws the exact distribution of the final score.

use keepers::answers::Statistics;
use keepers::internals::evaluate::percentile;
use keepers::{Card, Game};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};

use super::{from_card, points, provenance, span};

/// Draws the probability of every final score, with marks at the mean and the median.
pub fn distribution(game: &Game, card: &Card, strategy: &str, statistics: &Statistics) -> Picture {
    let (mean, median) = (statistics.mean(), statistics.percentile(0.5));
    let (first, last) = span(&statistics.probability, 1e-4);
    let deviation = statistics.deviation();
    let x = Axis::linear("final score").from(first as f64).to(last.max(first + 1) as f64);
    let chart = Chart::new(x, Axis::linear("probability of exactly this score").percent().from(0.0))
        .series(Series::line("", points(&statistics.probability)).ink(Ink::Series(0)).thin().filled())
        .mark(median as f64, format!("median {median}"), Ink::Series(1))
        .mark(mean, format!("mean {mean:.2}"), Ink::Neutral)
        .size(760.0, 420.0);
    Picture::new(format!("The final score of {} with the strategy {strategy}", game.rules().name()))
        .subtitle(format!("Standard deviation {deviation:.2}, {}.", from_card(card)))
        .description(format!(
            "The probability of each final score from {first} to {last}. The mean is {mean:.4}, the standard \
             deviation {deviation:.4}, the median {median}."
        ))
        .provenance(provenance(game, "computed exactly"))
        .panel(chart)
}

/// Draws the distributions of several strategies in one chart.
pub fn comparison(game: &Game, card: &Card, strategies: &[(&str, &[f64])]) -> Picture {
    let spans = strategies.iter().map(|(_, scores)| span(scores, 1e-3));
    let (first, last) =
        spans.fold((usize::MAX, 0), |(first, last), (from, to)| (first.min(from), last.max(to)));
    let x = Axis::linear("final score").from(first as f64).to(last.max(first + 1) as f64);
    // Up to three names fit beside their curves.
    let names = if strategies.len() <= 3 { Names::AtPeak } else { Names::Legend };
    let mut chart = Chart::new(x, Axis::linear("probability of exactly this score").percent().from(0.0))
        .names(names)
        .size(760.0, 420.0);
    for (n, (name, scores)) in strategies.iter().enumerate() {
        // There are seven distinct colours. More strategies are most likely a range like reach:50..800:50.
        let ink = match strategies.len() {
            len if len > 7 => Ink::Ramp(n as f64 / (len - 1) as f64),
            _ => Ink::Series(n),
        };
        chart = chart.series(Series::line(*name, points(scores)).ink(ink).thin());
    }
    let medians = strategies.iter().map(|(name, scores)| format!("{name} {}", percentile(scores, 0.5)));
    Picture::new(format!("The final score of {} with several strategies", game.rules().name()))
        .subtitle(format!("The probability of each final score, {}.", from_card(card)))
        .description(format!("The medians are: {}.", medians.collect::<Vec<_>>().join(", ")))
        .provenance(provenance(game, "computed exactly"))
        .panel(chart)
}
