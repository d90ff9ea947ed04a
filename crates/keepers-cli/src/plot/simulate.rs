//! Draws a histogram of simulated games.

use keepers::{Card, Game, Sample};
use keepers_plot::{Axis, Chart, Ink, Picture, Series};

use super::{from_card, provenance, span};
use crate::output;

/// The number of scores per bar.
const WIDTH: usize = 5;

/// Draws the share of games with each final score as bars, with marks at the mean and the median.
pub fn histogram(game: &Game, card: &Card, strategy: &str, seed: u64, sample: &Sample) -> Picture {
    let shares = sample.frequencies();
    let (first, last) = span(&shares, 1e-4);
    let (mean, median) = (sample.mean(), sample.percentile(0.5));
    let bars = shares.chunks(WIDTH).zip((0..).step_by(WIDTH)).map(|(bar, from): (&[f64], i32)| {
        (f64::from(from) + (WIDTH as f64 - 1.0) / 2.0, bar.iter().sum::<f64>())
    });
    let x = Axis::linear("final score").from(first as f64).to(last.max(first + WIDTH) as f64);
    let chart =
        Chart::new(x, Axis::linear(format!("share of games, {WIDTH} points per bar")).percent().from(0.0))
            .series(Series::bars("", WIDTH as f64, bars).ink(Ink::Series(0)))
            .mark(median as f64, format!("median {median}"), Ink::Series(1))
            .mark(mean, format!("mean {mean:.2}"), Ink::Neutral)
            .size(760.0, 420.0);
    let games = output::count(sample.games as usize, "game", "games");
    let deviation = |digits| output::if_known(sample.deviation(), digits);
    Picture::new(format!("{games} of {} with the strategy {strategy}", game.rules().name()))
        .subtitle(format!(
            "Mean {}, standard deviation {}, {}.",
            output::with_error(mean, sample.error(), 2),
            deviation(2),
            from_card(card)
        ))
        .description(format!(
            "The share of games with each final score from {first} to {last}. The mean is {mean:.4}, the standard \
             deviation {}, the median {median}.",
            deviation(4)
        ))
        .provenance(provenance(game, &format!("simulated with seed {seed}")))
        .panel(chart)
}
