//! Draws the study of a solved game: losses by turn, differences by lead, and the value of moving first.

use keepers::internals::study::{LeadStudy, Mean, Study};
use keepers::{Game, Player};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Point, Series};

use super::provenance;
use crate::commands::study::both_seats;

/// The number of distinct colours.
const COLOURS: usize = 7;

/// Ranges of leads with fewer games are not drawn.
const FEWEST: u64 = 30;

/// A study, and what it is about.
pub struct Studied<'a> {
    pub game: &'a Game,
    pub names: &'a [Player],
    pub study: &'a Study,
    pub seed: u64,
}

impl Studied<'_> {
    fn boxes(&self) -> usize {
        self.game.space().boxes()
    }

    fn provenance(&self) -> String {
        provenance(self.game, &format!("a solved game, seed {}", self.seed))
    }

    /// Returns the axis of open boxes: the game runs from left to right.
    fn turn_axis(&self) -> Axis {
        Axis::linear("turn").from(1.0).to(self.boxes().max(2) as f64)
    }

    /// Returns the number of a turn, given the own open boxes before it.
    fn turn(&self, open: usize) -> f64 {
        (self.boxes() + 1 - open) as f64
    }
}

/// Draws the mean loss per decision of each player by turn (Pawlewicz, figures 4 and 5, for a whole game), and the share
/// of decisions that are not best choices.
pub fn study_errors(studied: &Studied<'_>) -> Picture {
    let Study { strategies, .. } = studied.study;
    let mut losses = Chart::new(studied.turn_axis(), Axis::log("loss per decision, in games"))
        .title("The mean loss per decision")
        .names(Names::Legend)
        .size(760.0, 420.0);
    let mut shares = Chart::new(studied.turn_axis(), Axis::linear("decisions").percent().from(0.0))
        .title("Decisions that are not best choices")
        .names(Names::Legend)
        .size(760.0, 320.0);
    for (nth, (name, seats)) in studied.names.iter().zip(strategies).enumerate() {
        let turns = (1..=studied.boxes()).rev().filter_map(|open| Some((open, both_seats(seats, open)?)));
        let turns: Vec<_> = turns.collect();
        let loss = turns.iter().filter(|(_, (loss, _))| loss.mean > 1e-9).map(|(open, (loss, _))| {
            let Mean { mean, error } = *loss;
            Point::with_error(studied.turn(*open), mean, (2.0 * error).min(0.9 * mean))
        });
        let share = turns.iter().map(|(open, (_, differs))| (studied.turn(*open), *differs));
        let style = |series: Series| {
            let series = series.ink(Ink::Series(nth % COLOURS)).dotted();
            if nth < COLOURS { series } else { series.dashed() }
        };
        losses = losses.series(style(Series::line(name.to_string(), loss)));
        shares = shares.series(style(Series::line(name.to_string(), share)));
    }
    Picture::new(format!("Losses against exact play in whole games of {}", studied.game.rules().name()))
        .subtitle(
            "Each player against exact play, as first and as second player. Bars are two standard errors.",
        )
        .description(format!("{} players in {} turns.", studied.names.len(), studied.boxes()))
        .provenance(studied.provenance())
        .panel(losses)
        .panel(shares)
}

/// Draws how often the expected-score choice is not a best one in games of exact play, by lead, one line per turn.
pub fn study_leads(studied: &Studied<'_>) -> Picture {
    let mut shares = Chart::new(
        Axis::linear("lead before the turn, in points"),
        Axis::linear("decisions").percent().from(0.0),
    )
    .title("Decisions in which the expected-score choice is not a best one")
    .names(Names::Legend)
    .size(760.0, 420.0);
    let mut losses =
        Chart::new(Axis::linear("lead before the turn, in points"), Axis::log("loss per decision, in games"))
            .title("The mean loss of the expected-score choice per decision")
            .names(Names::Legend)
            .size(760.0, 420.0);
    let [first, second] = &studied.study.exact.compared;
    let turns = first.len().max(2);
    for (nth, turn) in first.iter().enumerate() {
        let of_second = second.iter().filter(|other| other.open == turn.open).flat_map(|turn| &turn.leads);
        let leads = both(turn.leads.iter().chain(of_second));
        let name = format!("turn {}", studied.turn(turn.open));
        let line = |points: Vec<(f64, f64)>| {
            Series::line(name.clone(), points).ink(Ink::Ramp(nth as f64 / (turns - 1) as f64)).thin().dotted()
        };
        shares = shares.series(line(leads.iter().map(|lead| (lead.0, lead.1)).collect()));
        let positive = leads.iter().filter(|lead| lead.2 > 1e-9);
        losses = losses.series(line(positive.map(|lead| (lead.0, lead.2)).collect()));
    }
    Picture::new(format!(
        "Where exact play of {} differs from playing for the expected score",
        studied.game.rules().name()
    ))
    .subtitle(
        "In games of exact play against itself, by turn and by the lead of the player to move; both players.",
    )
    .description(format!("{} turns.", studied.boxes()))
    .provenance(studied.provenance())
    .panel(shares)
    .panel(losses)
}

/// Returns the middle, the share of differing decisions and the mean loss of each range of leads, over both players.
/// Ranges with few games are left out.
fn both<'a>(leads: impl Iterator<Item = &'a LeadStudy>) -> Vec<(f64, f64, f64)> {
    let mut leads: Vec<&LeadStudy> = leads.collect();
    leads.sort_by_key(|lead| lead.leads);
    let same = leads.chunk_by(|a, b| a.leads == b.leads);
    let one = |same: &[&LeadStudy]| {
        let games: u64 = same.iter().map(|lead| lead.games).sum();
        let mean = |of: fn(&LeadStudy) -> f64| {
            same.iter().map(|lead| lead.games as f64 * of(lead)).sum::<f64>() / games as f64
        };
        let middle = f64::from(same[0].leads.0 + same[0].leads.1) / 2.0;
        (games >= FEWEST).then(|| (middle.round(), mean(|lead| lead.differs), mean(|lead| lead.loss)))
    };
    same.filter_map(one).collect()
}

/// Draws the value of moving first if both players have the same card, by turn.
pub fn study_start(studied: &Studied<'_>) -> Picture {
    let points = studied.study.exact.equal_cards.iter().map(|turn| {
        let Mean { mean, error } = turn.value;
        let error = if error.is_nan() { 0.0 } else { error };
        Point::with_error(studied.turn(turn.open), mean, 2.0 * error)
    });
    let chart = Chart::new(studied.turn_axis(), Axis::linear("expected result of the player to move"))
        .series(Series::line("", points).ink(Ink::Series(0)).dotted())
        .size(760.0, 340.0);
    Picture::new(format!("The value of moving first in {}", studied.game.rules().name()))
        .subtitle("If both players have the same card before a turn; cards of exact play. Bars are two standard errors.")
        .description(format!("The value at the start is {:.6}.", studied.study.value))
        .provenance(studied.provenance())
        .panel(chart)
}
