//! Perkins (2019), section 9: opponents who adapt too. The symmetric equilibrium of tournaments against N opponents, and
//! what it changes.

use keepers::answers::EquilibriumRules;
use keepers::internals::evaluate::percentile;
use keepers::internals::tournament::{best_of, expected_utility};
use keepers::{Objective, Ties};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Series};
use serde::{Deserialize, Serialize};

use crate::draw::{cell, points, provenance};
use crate::perkins::SIZES;
use crate::run::Run;

const RULES: &str = "buddies-published";

/// Fictitious play stops when a best response gains no more than this share, or after this many rounds.
const GAP: f64 = 0.002;
const ROUNDS: usize = 12;

/// The equilibrium against one number of opponents.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    opponents: u32,
    rounds: usize,
    /// How much more often a best response wins.
    gap: f64,
    /// The probability of winning for each player.
    win: f64,
    /// How much more often a player wins against opponents who play for the score.
    advantage: f64,
    /// How much less often a player wins in equilibrium who plays for the score, and one who plays as if all others did.
    expected: f64,
    as_if_alone: f64,
    /// The distribution of a player's score.
    scores: Vec<f64>,
}

impl Found {
    fn mean(&self) -> f64 {
        (0_u32..).zip(&self.scores).map(|(score, p)| f64::from(score) * p).sum()
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |(score, p): (u32, &f64)| (f64::from(score) - mean).powi(2) * p;
        (0_u32..).zip(&self.scores).map(square).sum::<f64>().sqrt()
    }
}

/// Finds the equilibria. The rounds of each are stored in the cache folder too, so that a stopped run continues within a
/// number of opponents.
pub(crate) fn equilibria(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(RULES)?;
    let (expected, _) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
    let parts: Vec<Found> = run.parts(SIZES.len() as u64, |run, nth| {
        let opponents = SIZES[nth as usize];
        let rules = EquilibriumRules { opponents, ties: Ties::Lose, gap: GAP, rounds: ROUNDS, afresh: false };
        let play = run.engine().equilibrium(&game, rules)?;
        let (first, last) = (&play.rounds[0], &play.rounds[play.rounds.len() - 1]);
        let utility = play.utility();
        let loses = |scores: &[f64]| 1.0 - expected_utility(scores, &utility) / last.own;
        Ok(Found {
            opponents,
            rounds: play.rounds.len(),
            gap: last.advantage(),
            win: last.own,
            advantage: first.advantage(),
            expected: loses(&expected.probability),
            as_if_alone: loses(&first.response),
            scores: play.average.clone(),
        })
    })?;
    for found in &parts {
        let n = found.opponents;
        run.exact(format!("rounds-{n}"), found.rounds as f64);
        run.exact(format!("gap-{n}"), 100.0 * found.gap);
        run.exact(format!("win-{n}"), 100.0 * found.win);
        run.exact(format!("mean-{n}"), found.mean());
        run.exact(format!("deviation-{n}"), found.deviation());
        run.exact(format!("median-to-beat-{n}"), percentile(&best_of(&found.scores, n), 0.5) as f64);
        run.exact(format!("advantage-{n}"), 100.0 * found.advantage);
        run.exact(format!("expected-loses-{n}"), 100.0 * found.expected);
        run.exact(format!("as-if-alone-loses-{n}"), 100.0 * found.as_if_alone);
    }
    if parts.len() < SIZES.len() {
        return Ok(());
    }
    let longest = parts.iter().map(|found| found.scores.len()).max().unwrap_or(0);
    let at = |scores: &[f64], score: usize| cell(scores.get(score).copied().unwrap_or(0.0));
    let rows: Vec<Vec<String>> = (0..longest)
        .map(|score| {
            let mut row = vec![score.to_string(), at(&expected.probability, score)];
            row.extend(parts.iter().map(|found| at(&found.scores, score)));
            row
        })
        .collect();
    run.csv("equilibria", &["score", "expected", "1", "10", "100", "1000", "10000"], &rows)?;
    run.picture("equilibria", &picture(&expected.probability, &parts))
}

/// Draws one player's score, and the score to beat, for players who adapt and for players who do not.
fn picture(expected: &[f64], parts: &[Found]) -> Picture {
    let mut scores = Chart::new(
        Axis::linear("score").from(50.0).to(550.0),
        Axis::linear("probability of at least this score").percent().from(0.0).to(1.0),
    )
    .title("One player's score in equilibrium")
    .names(Names::Legend)
    .size(520.0, 340.0)
    .series(Series::line("for the score", points(&at_least(expected))).ink(Ink::Neutral).dashed());
    for (nth, found) in parts.iter().enumerate() {
        let name = format!("{} opponents", found.opponents);
        let ink = Ink::Ramp(nth as f64 / (parts.len() - 1).max(1) as f64);
        scores = scores.series(Series::line(name, points(&at_least(&found.scores))).ink(ink));
    }
    let median = |scores: &[f64], n: u32| (f64::from(n), percentile(&best_of(scores, n), 0.5) as f64);
    let adapted = parts.iter().map(|found| median(&found.scores, found.opponents));
    let plain = parts.iter().map(|found| median(expected, found.opponents));
    let to_beat = Chart::new(Axis::log("opponents"), Axis::linear("median of the best opponent"))
        .title("The score to beat")
        .names(Names::Legend)
        .size(400.0, 340.0)
        .series(Series::line("for the score", plain).ink(Ink::Neutral).dashed().dotted())
        .series(Series::line("in equilibrium", adapted).ink(Ink::Series(1)).dotted());
    Picture::new("If all players of a blind tournament play to win")
        .description(
            "The scores of players in equilibrium, and the score that wins, by the number of opponents.",
        )
        .provenance(provenance(RULES, "approximated by fictitious play, scores computed exactly"))
        .columns(2)
        .panel(scores)
        .panel(to_beat)
}

fn at_least(probability: &[f64]) -> Vec<f64> {
    let mut sums = probability.to_vec();
    for score in (0..sums.len().saturating_sub(1)).rev() {
        sums[score] += sums[score + 1];
    }
    sums
}
