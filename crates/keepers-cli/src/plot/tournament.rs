//! Draws blind tournaments (Perkins, figures 2, 3 and 4).

use keepers::answers::{TournamentResult, TournamentSize};
use keepers::{Card, Game, Rules};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};

use super::boxes::{EXPLAINED, grid, judged_by};
use super::{points, provenance, span};
use crate::output;

/// A tournament and its results.
pub struct Field<'a> {
    /// The game.
    pub game: &'a Game,
    /// The strategy of the opponents, in words.
    pub opponent: &'a str,
    /// The distribution of one opponent's final score.
    pub scores: &'a [f64],
    /// The best strategies.
    pub result: &'a TournamentResult,
}

impl Field<'_> {
    fn provenance(&self, more: &str) -> String {
        provenance(self.game, &format!("opponents play {}, {more}computed exactly", self.opponent))
    }

    /// Returns the ink of the n-th number of opponents. A single opponent is neutral, for comparison.
    fn ink(&self, n: usize) -> Ink {
        if self.result.sizes[n].opponents == 1 { Ink::Neutral } else { Ink::Series(n) }
    }

    fn rules(&self) -> &str {
        self.game.rules().name()
    }
}

/// Draws the score to beat, and the probability of winning with each score (figure 2).
pub fn scores(field: &Field) -> Picture {
    let spans = field.result.sizes.iter().map(|size| span(&size.to_beat, 5e-4));
    let (first, last) = spans
        .chain([span(field.scores, 5e-4)])
        .fold((usize::MAX, 0), |(first, last), (from, to)| (first.min(from), last.max(to)));
    let x = || Axis::linear("final score").from(first as f64).to(last.max(first + 1) as f64);
    let mut to_beat = Chart::new(x(), Axis::linear("probability of exactly this score").percent().from(0.0))
        .title("The score of one opponent, and the highest of several")
        .names(Names::AtPeak)
        .series(Series::line("one opponent", points(field.scores)).thin())
        .size(760.0, 360.0);
    let mut winning = Chart::new(x(), Axis::linear("probability of winning").percent().from(0.0).to(1.0))
        .title("The probability of winning with each final score")
        .size(760.0, 340.0);
    for (n, size) in field.result.sizes.iter().enumerate() {
        let (ink, many) = (field.ink(n), output::grouped(size.opponents as usize));
        if size.opponents > 1 {
            let name = format!("best of {many}");
            to_beat = to_beat.series(Series::line(name, points(&size.to_beat)).ink(ink).thin());
        }
        let most = last.max(size.utility.len());
        let utility = (0..=most).map(|score| {
            let utility = size.utility.get(score).or(size.utility.last()).copied().unwrap_or(0.0);
            (score as f64, utility)
        });
        winning = winning.series(Series::line(format!("against {many}"), utility).ink(ink));
    }
    let medians =
        field.result.sizes.iter().map(|size| {
            format!("{} against {}", size.median_to_beat, output::grouped(size.opponents as usize))
        });
    Picture::new(format!("The score to beat in blind tournaments of {}", field.rules()))
        .description(format!("The median score to beat is {}.", medians.collect::<Vec<_>>().join(", ")))
        .provenance(field.provenance(""))
        .panel(to_beat)
        .panel(winning)
}

/// Draws the gain from playing to win, and its effect on the score (figure 3).
pub fn advantage(field: &Field) -> Picture {
    let of = |value: fn(&TournamentSize) -> f64| {
        field.result.sizes.iter().map(move |size| (f64::from(size.opponents), value(size)))
    };
    let x = || Axis::log("opponents");
    let (best, plain) = (Ink::Series(1), Ink::Series(0));
    let probability = Chart::new(x(), Axis::log("probability of winning").percent())
        .title("The probability of winning when playing")
        .series(Series::line("for the expected score", of(|size| size.win_if_expected)).ink(plain).dotted())
        .series(Series::line("to win", of(|size| size.win)).ink(best).dotted())
        .size(340.0, 340.0);
    let gain = Chart::new(x(), Axis::linear("wins more often by").percent())
        .title("The advantage")
        .series(Series::line("", of(|size| size.advantage)).ink(best).dotted().filled())
        .size(320.0, 340.0);
    let score = Chart::new(x(), Axis::linear("points").from(0.0))
        .title("The score when playing to win")
        .series(Series::line("mean", of(|size| size.statistics.mean())).ink(best).dotted())
        .series(
            Series::line("standard deviation", of(|size| size.statistics.deviation()))
                .ink(Ink::Series(2))
                .dotted(),
        )
        .size(320.0, 340.0);
    let wins = field.result.sizes.iter().map(|size| {
        format!(
            "against {} {} instead of {}",
            output::grouped(size.opponents as usize),
            output::percent(size.win),
            output::percent(size.win_if_expected)
        )
    });
    Picture::new(format!("Playing to win blind tournaments of {}", field.rules()))
        .description(format!("The probability of winning is {}.", wins.collect::<Vec<_>>().join("; ")))
        .provenance(field.provenance(""))
        .columns(3)
        .panel(probability)
        .panel(gain)
        .panel(score)
}

/// Draws how often each strategy scores each box well and badly in each turn (figure 4).
pub fn grids(field: &Field, judge: &Rules) -> Picture {
    let empty = Card::empty(field.game);
    let mut picture = Picture::new(format!("When each box of {} is filled", field.rules()))
        .subtitle(EXPLAINED)
        .description("A grid of boxes and turns for each strategy.")
        .provenance(field.provenance(&judged_by(field.game, judge)))
        .columns(2);
    let strategies = [("Playing for the expected score".to_string(), &*field.result.expected)]
        .into_iter()
        .chain(field.result.sizes.iter().map(|size| {
            let opponents = output::count(size.opponents as usize, "opponent", "opponents");
            (format!("Playing to beat {opponents}"), &size.statistics)
        }));
    for (n, (name, statistics)) in strategies.enumerate() {
        let grid = grid(field.game, &empty, judge, statistics).title(name).cell_size(21.0, 20.0);
        picture = picture.panel(if n % 2 == 0 { grid } else { grid.without_row_names() });
    }
    picture
}
