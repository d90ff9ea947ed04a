//! Draws how the equilibrium of a tournament differs from playing for the expected score.

use keepers::Game;
use keepers::answers::{Equilibrium, Statistics};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};

use super::{points, provenance, span};
use crate::output;

/// Draws the distribution of final scores in equilibrium, of playing for the expected score and of the first best
/// response, for each number of opponents; and the gain of a best response, round by round.
pub fn equilibrium(game: &Game, expected: &Statistics, found: &[Equilibrium]) -> Picture {
    let mut picture = Picture::new(format!("Blind tournaments of {} in equilibrium", game.rules().name()))
        .subtitle("Final scores when every player's strategy is a best response to all others.")
        .description(description(found))
        .provenance(provenance(game, "computed exactly"));
    for play in found {
        let (first, _) = span(&expected.probability, 1e-3);
        let (low, last) = span(&play.average, 1e-3);
        let x = Axis::linear("final score").from(first.min(low) as f64).to(last as f64);
        let opponents = output::count(play.opponents as usize, "opponent", "opponents");
        let mut chart = Chart::new(x, Axis::linear("probability of exactly this score").percent().from(0.0))
            .title(opponents)
            .names(Names::Legend)
            .size(760.0, 360.0)
            .series(
                Series::line("playing for the expected score", points(&expected.probability))
                    .ink(Ink::Neutral)
                    .thin(),
            );
        if let Some(round) = play.rounds.first() {
            let response = Series::line("first best response", points(&round.response));
            chart = chart.series(response.ink(Ink::Series(1)).thin().dashed());
        }
        chart =
            chart.series(Series::line("in equilibrium", points(&play.average)).ink(Ink::Series(0)).filled());
        picture = picture.panel(chart);
    }
    let mut gaps = Chart::new(Axis::linear("round"), Axis::log("gain of a best response").percent())
        .title("The gain of a best response, by round")
        .names(Names::Legend)
        .size(760.0, 300.0);
    for (nth, play) in found.iter().enumerate() {
        let gains = play.rounds.iter().zip(1..).map(|(round, nth)| (f64::from(nth), round.advantage()));
        let name = output::count(play.opponents as usize, "opponent", "opponents");
        gaps = gaps
            .series(Series::line(name, gains.filter(|gain| gain.1 > 0.0)).ink(Ink::Series(nth % 7)).dotted());
    }
    picture.panel(gaps)
}

fn description(found: &[Equilibrium]) -> String {
    let one = |play: &Equilibrium| {
        let gain = play.rounds.last().map_or(0.0, |round| 100.0 * round.advantage());
        let opponents = output::count(play.opponents as usize, "opponent", "opponents");
        format!("{opponents}: after {} rounds a best response gains {gain:.4} %", play.rounds.len())
    };
    format!("{}.", found.iter().map(one).collect::<Vec<_>>().join("; "))
}
