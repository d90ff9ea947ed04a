//! Perkins (2019), sections 8 and 9: the best strategies against N opponents, on independent and on the same dice, and
//! whether the mean and the deviation of the opponents' scores are enough to find them.

use keepers::internals::evaluate::percentile;
use keepers::internals::tournament::{best_of, expected_utility, win_probability};
use keepers::{BoxId, Goal, Objective, Rules, Ties};
use keepers_plot::{Axis, Chart, Grid, Ink, Picture, Series};
use serde::{Deserialize, Serialize};

use crate::draw::{cell, provenance};
use crate::perkins::{SIZES, grid, shares};
use crate::run::Run;

/// The number of tournaments on the same dice, and their seed: the year.
const SAME_DICE: u64 = 200_000;
const SEED: u64 = 2019;

/// The result against one number of opponents.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Size {
    opponents: u32,
    win: f64,
    win_if_expected: f64,
    mean: f64,
    deviation: f64,
    median: usize,
    /// The median of the best of N players who all play this strategy.
    median_of_risky: usize,
    yahtzee: f64,
    yahtzee_scratched: Vec<f64>,
    four_well: f64,
    four_turn: f64,
    straight_turn: f64,
    /// On the same dice as the opponents: the share of tournaments won and tied, and the standard error of the first.
    same_dice: [f64; 3],
    /// The probabilities of scoring each box well and badly, by turn.
    grid: Vec<(String, Vec<[f64; 2]>)>,
}

/// Section 8: the best strategies against N opponents, figures 2B, 3 and 4.
pub(crate) fn tournaments(run: &mut Run<'_>, rules: &str) -> anyhow::Result<()> {
    let judge = Rules::preset("buddies")?;
    let game = run.game(rules)?;
    let (expected, _) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
    let parts = run.parts(SIZES.len() as u64, |run, nth| {
        let opponents = SIZES[nth as usize];
        let result = run.engine().tournament(&game, &expected.probability, &[opponents], Ties::Lose)?;
        let size = &result.sizes[0];
        let found = shares(&game, &size.statistics, &judge);
        let mean_turn = |turns: &[f64]| {
            let all: f64 = turns.iter().sum();
            (1..).zip(turns).map(|(turn, p): (u32, _)| f64::from(turn) * p).sum::<f64>() / all.max(1e-300)
        };
        let four: Vec<f64> = found.four_turns.iter().map(|turn| turn[1]).collect();
        let engine = run.engine();
        let player = engine.solitaire(&game.empty_card(), &Goal::Utility(size.utility.clone()))?;
        let field = [(opponents, engine.solitaire(&game.empty_card(), &Goal::Score)?)];
        let same = engine.same_dice(&game, &*player, &field, (SAME_DICE, SEED), Ties::Lose)?;
        let named = |(id, rule): (BoxId, &keepers::answers::BoxRule)| {
            (rule.name.clone(), grid(&game, &size.statistics.boxes[id], id, &judge))
        };
        Ok(Size {
            opponents,
            win: size.win,
            win_if_expected: size.win_if_expected,
            mean: size.statistics.mean(),
            deviation: size.statistics.deviation(),
            median: size.median_to_beat,
            median_of_risky: percentile(&best_of(&size.statistics.probability, opponents), 0.5),
            yahtzee: found.yahtzee,
            yahtzee_scratched: found.yahtzee_turns.iter().map(|turn| turn[1]).collect(),
            four_well: found.four_well,
            four_turn: mean_turn(&four),
            straight_turn: mean_turn(&found.large_straight_badly),
            same_dice: [same.win, same.tied, same.win_error],
            grid: game.rules().boxes().iter().map(named).collect(),
        })
    })?;
    let mut rows = Vec::new();
    for size in &parts {
        let n = size.opponents;
        run.exact(format!("win-{n}"), 100.0 * size.win);
        run.exact(format!("win-if-expected-{n}"), 100.0 * size.win_if_expected);
        run.exact(format!("advantage-{n}"), 100.0 * (size.win / size.win_if_expected - 1.0));
        run.exact(format!("mean-{n}"), size.mean);
        run.exact(format!("deviation-{n}"), size.deviation);
        run.exact(format!("median-{n}"), size.median as f64);
        run.exact(format!("median-of-risky-{n}"), size.median_of_risky as f64);
        run.exact(format!("yahtzee-{n}"), size.yahtzee);
        run.exact(format!("four-{n}"), size.four_well);
        run.exact(format!("four-turn-{n}"), size.four_turn);
        run.estimate(format!("same-dice-{n}"), 100.0 * size.same_dice[0], 100.0 * size.same_dice[2]);
        run.exact(format!("same-dice-tied-{n}"), 100.0 * size.same_dice[1]);
        let early: f64 = size.yahtzee_scratched.iter().rev().skip(1).sum();
        run.exact(format!("yahtzee-scratched-early-{n}"), early);
        rows.push(vec![
            n.to_string(),
            cell(size.win),
            cell(size.win_if_expected),
            cell(size.win / size.win_if_expected - 1.0),
            cell(size.mean),
            cell(size.deviation),
            size.median.to_string(),
            cell(size.same_dice[0]),
            cell(size.same_dice[1]),
        ]);
    }
    let name = if rules == "buddies" { "-as-stated" } else { "" };
    let headings = [
        "opponents",
        "win",
        "win if expected",
        "advantage",
        "mean",
        "deviation",
        "median to beat",
        "win on same dice",
        "tied on same dice",
    ];
    run.played(SAME_DICE, SEED);
    run.csv(&format!("figure-3{name}"), &headings, &rows)?;
    if parts.len() < SIZES.len() {
        return Ok(());
    }
    let many = &parts[1..];
    run.claim("yahtzee-over-40", many.iter().all(|size| size.yahtzee > 40.0));
    run.claim("gap-grows", parts.windows(2).all(|two| advantage(&two[0]) < advantage(&two[1])));
    run.claim(
        "riskier",
        parts.windows(2).all(|two| two[0].mean > two[1].mean && two[0].deviation < two[1].deviation),
    );
    for size in &parts[3..] {
        let early: f64 = size.yahtzee_scratched.iter().rev().skip(1).sum();
        run.claim(format!("scratch-only-last-{}", size.opponents), early < 2.0);
    }
    run.claim("four-kept-open", parts.windows(2).all(|two| two[0].four_turn < two[1].four_turn + 0.05));
    let straight = &parts[4].grid.iter().find(|(name, _)| name == "Large Straight");
    let by_turn_9: f64 = straight.map_or(0.0, |(_, turns)| turns[..9].iter().map(|turn| turn[1]).sum());
    run.exact("large-straight-by-turn-9", 100.0 * by_turn_9);
    run.picture(&format!("figure-3{name}"), &figure_3(rules, &parts))?;
    run.picture(&format!("figure-4{name}"), &figure_4(rules, &parts))
}

/// How much the choice among equal choices matters against many opponents: with the boxes in the opposite order, the
/// box lower down is filled instead of the one higher up.
pub(crate) fn ties(run: &mut Run<'_>) -> anyhow::Result<()> {
    let judge = Rules::preset("buddies")?;
    let game = run.game("buddies-published")?;
    let (expected, _) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
    let reversed = run.game(&in_opposite_order(game.rules()))?;
    for (order, game) in [("higher", game), ("lower", reversed)] {
        let result = run.engine().tournament(&game, &expected.probability, &[1_000, 10_000], Ties::Lose)?;
        for size in &result.sizes {
            let found = shares(&game, &size.statistics, &judge);
            let early: f64 = found.yahtzee_turns.iter().rev().skip(1).map(|turn| turn[1]).sum();
            run.exact(format!("scratched-early-{}-{order}", size.opponents), early);
            run.exact(format!("win-{}-{order}", size.opponents), 100.0 * size.win);
            if size.opponents == 10_000 {
                run.exact(format!("four-well-{order}"), found.four_well);
                run.exact(format!("mean-{order}"), size.statistics.mean());
            }
        }
    }
    Ok(())
}

/// Returns rules in TOML with the boxes from last to first.
fn in_opposite_order(rules: &Rules) -> String {
    let toml = rules.to_toml().replacen(rules.name(), &format!("{}-from-below", rules.name()), 1);
    let mut parts = toml.split("[[box]]\n");
    let head = parts.next().unwrap_or_default();
    let boxes: Vec<String> = parts.map(|text| format!("[[box]]\n{}\n", text.trim_end())).collect();
    head.to_string() + &boxes.into_iter().rev().collect::<Vec<_>>().join("\n")
}

fn advantage(size: &Size) -> f64 {
    size.win / size.win_if_expected
}

fn figure_3(rules: &str, sizes: &[Size]) -> Picture {
    let of = |value: fn(&Size) -> f64| sizes.iter().map(move |size| (f64::from(size.opponents), value(size)));
    let x = || Axis::log("opponents");
    let (best, plain) = (Ink::Series(1), Ink::Series(0));
    Picture::new("Figure 3: playing to win blind tournaments")
        .description("The probability of winning, the advantage, and the mean and deviation of the score.")
        .provenance(provenance(rules, "computed exactly"))
        .columns(3)
        .panel(
            Chart::new(x(), Axis::log("probability of winning").percent())
                .title("A: the probability of winning")
                .series(Series::line("for the score", of(|size| size.win_if_expected)).ink(plain).dotted())
                .series(Series::line("to win", of(|size| size.win)).ink(best).dotted())
                .size(330.0, 320.0),
        )
        .panel(
            Chart::new(x(), Axis::linear("wins more often by").percent())
                .title("B: the advantage")
                .series(Series::line("", of(|size| advantage(size) - 1.0)).ink(best).dotted().filled())
                .size(320.0, 320.0),
        )
        .panel(
            Chart::new(x(), Axis::linear("points").from(0.0))
                .title("C: the score")
                .series(Series::line("mean", of(|size| size.mean)).ink(best).dotted())
                .series(Series::line("deviation", of(|size| size.deviation)).ink(Ink::Series(2)).dotted())
                .size(320.0, 320.0),
        )
}

fn figure_4(rules: &str, sizes: &[Size]) -> Picture {
    let mut picture = Picture::new("Figure 4: when each box is filled")
        .subtitle("Green: scored well in this turn; red: badly. Each row is scaled to its largest value.")
        .description("A grid of boxes and turns for each number of opponents.")
        .provenance(provenance(rules, "scored well by the rules buddies, computed exactly"))
        .columns(2);
    for size in sizes {
        let mut grid = Grid::new((1..=13).map(|turn| turn.to_string()))
            .titles("turn", "whole game")
            .names("scored well", "scored badly")
            .title(format!("Against {} opponents", size.opponents))
            .cell_size(21.0, 20.0);
        for (name, turns) in &size.grid {
            grid = grid.row(name.clone(), turns.iter().copied());
        }
        picture = picture.panel(grid);
    }
    picture
}

/// Section 9: whether the mean and the deviation of the scores are enough. The opponents' scores are replaced by a normal
/// distribution with the same mean and deviation, and the best strategy against it plays against the true scores.
pub(crate) fn mean_and_deviation(run: &mut Run<'_>) -> anyhow::Result<()> {
    const SIZES: [u32; 3] = [10, 100, 10_000];
    let game = run.game("buddies-published")?;
    let empty = game.empty_card();
    let (expected, _) = run.engine().distribution(&empty, &Objective::Expected)?;
    let (mean, deviation) = (expected.mean(), expected.deviation());
    let normal = |score: f64| 0.5 * libm::erfc(-(score - mean) / deviation * std::f64::consts::FRAC_1_SQRT_2);
    let most = keepers::internals::solve::max_points(&game, &empty);
    let field: Vec<f64> =
        (0..=most).map(|score| normal(f64::from(score) + 0.5) - normal(f64::from(score) - 0.5)).collect();
    let parts = run.parts(SIZES.len() as u64, |run, nth| {
        let opponents = SIZES[nth as usize];
        let engine = run.engine();
        let assumed = win_probability(&field, opponents, Ties::Lose);
        let (played, _) = engine.distribution(&empty, &Goal::Utility(assumed))?;
        let truth = win_probability(&expected.probability, opponents, Ties::Lose);
        // The item `tournaments` has the best probability of winning, if it was computed.
        let best = match run.stored("tournaments", &format!("win-{opponents}")) {
            Some(percent) => percent / 100.0,
            None => engine.value(&empty, &Goal::Utility(truth.clone()))?,
        };
        let with_normal = expected_utility(&played.probability, &truth);
        let plain = expected_utility(&expected.probability, &truth);
        Ok([with_normal, best, plain])
    })?;
    for (opponents, [with_normal, best, plain]) in SIZES.iter().zip(parts) {
        run.exact(format!("normal-{opponents}"), 100.0 * (with_normal / plain - 1.0));
        run.exact(format!("best-{opponents}"), 100.0 * (best / plain - 1.0));
        run.exact(format!("share-{opponents}"), 100.0 * (with_normal - plain) / (best - plain));
    }
    Ok(())
}
