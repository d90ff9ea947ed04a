//! Perkins (2019): optimal strategies in blind Yahtzee tournaments.

use keepers::answers::{BoxStatistics, Statistics};
use keepers::internals::evaluate::percentile;
use keepers::internals::tournament::{best_of, expected_utility, win_probability};
use keepers::{BoxId, Game, Goal, Objective, Pattern, Rules, Ties};
use keepers_plot::{Axis, Chart, Grid, Ink, Names, Picture, Series};
use serde::{Deserialize, Serialize};

use crate::document::Item;
use crate::draw::{cell, points, provenance};
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "sizes", quick: true, run: sizes },
    Item { id: "expected-score", quick: true, run: expected_score },
    Item { id: "score-to-beat", quick: true, run: score_to_beat },
    Item { id: "tournaments", quick: false, run: |run| tournaments(run, "buddies-published") },
    Item { id: "tournaments-as-stated", quick: false, run: |run| tournaments(run, "buddies") },
    Item { id: "mean-and-deviation", quick: false, run: mean_and_deviation },
];

/// The rules that give the printed figures, and those that the paper states.
const BOTH: [&str; 2] = ["buddies-published", "buddies"];

/// The numbers of opponents.
const SIZES: [u32; 5] = [1, 10, 100, 1_000, 10_000];

/// Section 5: the numbers of states.
fn sizes(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game("buddies")?;
    let rules = game.rules();
    let boxes: Vec<(BoxId, Vec<u16>)> =
        rules.boxes().iter().map(|(id, _)| (id, game.possible_points(id))).collect();
    let counted: u128 = boxes.iter().map(|(_, points)| points.len() as u128 + 1).product();
    run.exact("joint-counted", counted as f64);
    // The printed product: 26 states of Three of a Kind, 27 of Four of a Kind, 28 of Chance.
    let joint = 7_u128.pow(6) * 26 * 27 * 3_u128.pow(4) * 28;
    run.exact("joint", joint as f64);
    run.exact("with-extras", (13 * joint) as f64);
    let rolls = game.lattice().rolls().len() as u128;
    let all = 13 * joint * (1 + 3 * rolls);
    run.exact("all", all as f64);
    run.exact("petabytes", (all * 8) as f64 / 1e15);
    run.exact("used-states", (3 << (boxes.len() - 1)) as f64);
    // The tables: for each set of used boxes, with the Yahtzee box used with or without points, all upper totals, all
    // lower totals with extra bonuses, and all states of the dice.
    let yahtzee = rules.extra().map(|extra| extra.of);
    let extra = rules.extra().map_or(0, |extra| u128::from(extra.points));
    let lattice = game.lattice();
    // The most points of a box, and the most that go to the lower section if extra Yahtzees pay.
    let most = |points: &[u16]| u128::from(points.last().copied().unwrap_or(0));
    let most_with_extra = |id: BoxId| {
        let rule = &rules.boxes()[id];
        let lower = rules.upper_face(id).is_none();
        let paid = |roll: usize| {
            let dice = &lattice.keeps()[roll];
            let points = if lower { u128::from(rule.pattern.points(dice)) } else { 0 };
            points + if dice.all_equal().is_some() { extra } else { 0 }
        };
        lattice.rolls().map(paid).max().unwrap_or(0)
    };
    let (mut entries, mut highest_bottom) = (0_u128, 0);
    for used in 0_u32..1 << boxes.len() {
        let is_used = |id: BoxId| used >> id.index() & 1 == 1;
        for scored in [false, true] {
            if scored && !yahtzee.is_some_and(is_used) {
                continue;
            }
            let (mut top, mut bottom) = (0, 0);
            for (id, points) in boxes.iter().filter(|(id, _)| is_used(*id)) {
                let is_upper = rules.upper_face(*id).is_some();
                top += if is_upper { most(points) } else { 0 };
                bottom += match (scored, Some(*id) == yahtzee) {
                    (true, true) => most(points),
                    (false, true) => 0,
                    (true, false) => most_with_extra(*id),
                    (false, false) => {
                        if is_upper {
                            0
                        } else {
                            most(points)
                        }
                    }
                };
            }
            let dice = if used.count_ones() as usize == boxes.len() { 1 } else { 1 + 3 * rolls };
            entries += (top + 1) * (bottom + 1) * dice;
            highest_bottom = highest_bottom.max(bottom);
        }
    }
    run.exact("entries", entries as f64);
    let upper = rules.boxes().iter().filter(|(id, _)| rules.upper_face(*id).is_some());
    let top: u128 = upper.map(|(id, _)| most(&game.possible_points(id))).sum();
    run.exact("top", top as f64);
    run.exact("highest", f64::from(keepers::internals::solve::max_points(&game, &game.empty_card())));
    let least: u16 = boxes.iter().map(|(_, points)| points.first().copied().unwrap_or(0)).sum();
    run.exact("lowest", f64::from(least));
    run.exact("bottom", highest_bottom as f64);
    Ok(())
}

/// Returns the probabilities of scoring a box well and badly in each turn, judged by other rules.
fn grid(game: &Game, of: &BoxStatistics, id: BoxId, judge: &Rules) -> Vec<[f64; 2]> {
    let rule = &game.rules().boxes()[id];
    let pattern: &Pattern = judge.box_by_id(&rule.id).map_or(&rule.pattern, |id| &judge.boxes()[id].pattern);
    of.well_and_badly(game, pattern)
}

/// The probabilities of a strategy that sections 7 and 8 mention, in percent.
struct Shares {
    yahtzee: f64,
    yahtzee_turns: Vec<[f64; 2]>,
    four_well: f64,
    four_badly: f64,
    ones_badly: f64,
    large_straight_badly: Vec<f64>,
    four_turns: Vec<[f64; 2]>,
}

fn shares(game: &Game, statistics: &Statistics, judge: &Rules) -> Shares {
    let of = |id: &str| {
        let id = game.rules().box_by_id(id).expect("a box of the game");
        grid(game, &statistics.boxes[id], id, judge)
    };
    let sum = |turns: &[[f64; 2]], which: usize| 100.0 * turns.iter().map(|turn| turn[which]).sum::<f64>();
    let percent = |turns: Vec<[f64; 2]>| turns.iter().map(|turn| turn.map(|p| 100.0 * p)).collect();
    let (yahtzee, four, ones, straight) = (of("y"), of("4k"), of("1"), of("ls"));
    Shares {
        yahtzee: sum(&yahtzee, 0),
        four_well: sum(&four, 0),
        four_badly: sum(&four, 1),
        ones_badly: sum(&ones, 1),
        large_straight_badly: straight.iter().map(|turn| 100.0 * turn[1]).collect(),
        yahtzee_turns: percent(yahtzee),
        four_turns: percent(four),
    }
}

/// Section 7, and what section 8 reports about the strategy for the expected score.
fn expected_score(run: &mut Run<'_>) -> anyhow::Result<()> {
    let judge = Rules::preset("buddies")?;
    for rules in BOTH {
        let game = run.game(rules)?;
        let (statistics, mean) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
        let own = |id: &str| if rules == "buddies" { format!("{id}-as-stated") } else { id.to_string() };
        run.exact(own("mean"), mean);
        run.exact(own("deviation"), statistics.deviation());
        let found = shares(&game, &statistics, &judge);
        run.exact(own("yahtzee"), found.yahtzee);
        run.exact(own("four-sacrificed"), found.four_badly);
        run.exact(own("four-scored"), found.four_well);
        run.exact(own("ones-poor"), found.ones_badly);
        let last = found.yahtzee_turns.len() - 1;
        run.exact(own("yahtzee-last"), found.yahtzee_turns[last][0]);
        run.exact(own("yahtzee-scratched-last"), found.yahtzee_turns[last][1]);
        let first = &found.yahtzee_turns[..5];
        let (least, most) = (first.iter().map(|turn| turn[0]).fold(f64::MAX, f64::min), first[0][0]);
        run.exact(own("yahtzee-first-turn"), most);
        run.exact(own("yahtzee-fifth-turn"), first[4][0]);
        run.claim(own("yahtzee-3-to-4"), (2.5..4.5).contains(&least) && (2.5..4.5).contains(&most));
        run.claim(own("no-early-scratch"), first.iter().all(|turn| turn[1] < 0.5));
    }
    Ok(())
}

/// Figure 2A: the distribution of the highest of N scores, and its median.
fn score_to_beat(run: &mut Run<'_>) -> anyhow::Result<()> {
    for rules in BOTH {
        let game = run.game(rules)?;
        let (statistics, _) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
        let own = |id: &str| if rules == "buddies" { format!("{id}-as-stated") } else { id.to_string() };
        let mut chart = Chart::new(
            Axis::linear("score").from(100.0).to(650.0),
            Axis::linear("probability").percent().from(0.0),
        )
        .names(Names::Legend)
        .size(700.0, 340.0)
        .series(Series::line("one player", points(&statistics.probability)).ink(Ink::Neutral).thin());
        let mut rows: Vec<Vec<String>> = (0..statistics.probability.len())
            .map(|s| vec![s.to_string(), cell(statistics.probability[s])])
            .collect();
        for (nth, players) in SIZES.into_iter().enumerate().skip(1) {
            let best = best_of(&statistics.probability, players);
            run.exact(own(&format!("median-{players}")), percentile(&best, 0.5) as f64);
            let name = format!("best of {players}");
            chart = chart.series(Series::line(name, points(&best)).ink(Ink::Series(nth - 1)).thin());
            rows.iter_mut().zip(&best).for_each(|(row, p)| row.push(cell(*p)));
            if players == 10_000 {
                run.exact(own("modes"), modes(&best) as f64);
            }
        }
        if rules == "buddies-published" {
            run.csv(
                "figure-2a",
                &["score", "one", "best of 10", "best of 100", "best of 1000", "best of 10000"],
                &rows,
            )?;
            let picture = Picture::new("Figure 2A: the score to beat")
                .description("The distribution of one score, and of the best of 10 to 10,000.")
                .provenance(provenance(rules, "computed exactly"))
                .panel(chart);
            run.picture("figure-2a", &picture)?;
        }
    }
    Ok(())
}

/// Counts the modes of a distribution: maxima of its smoothed form that stand out by a twentieth of the highest.
fn modes(probability: &[f64]) -> usize {
    const HALF: usize = 4;
    let smooth: Vec<f64> = (0..probability.len())
        .map(|at| {
            let window = &probability[at.saturating_sub(HALF)..(at + HALF + 1).min(probability.len())];
            window.iter().sum::<f64>() / window.len() as f64
        })
        .collect();
    let least = smooth.iter().copied().fold(0.0, f64::max) / 20.0;
    // A mode counts when the curve has fallen by `least` on both sides of it.
    let (mut count, mut low, mut high, mut rising) = (0, 0.0_f64, 0.0_f64, true);
    for value in smooth {
        if rising {
            high = high.max(value);
            if value < high - least {
                count += 1;
                (rising, low) = (false, value);
            }
        } else {
            low = low.min(value);
            if value > low + least {
                (rising, high) = (true, value);
            }
        }
    }
    count
}

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
    /// The probabilities of scoring each box well and badly, by turn.
    grid: Vec<(String, Vec<[f64; 2]>)>,
}

/// Section 8: the best strategies against N opponents, figures 2B, 3 and 4.
fn tournaments(run: &mut Run<'_>, rules: &str) -> anyhow::Result<()> {
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
        ]);
    }
    let name = if rules == "buddies" { "-as-stated" } else { "" };
    let headings =
        ["opponents", "win", "win if expected", "advantage", "mean", "deviation", "median to beat"];
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
    run.claim(
        "scratch-only-last",
        parts[3..].iter().all(|size| size.yahtzee_scratched.iter().rev().skip(1).sum::<f64>() < 2.0),
    );
    run.claim("four-kept-open", parts.windows(2).all(|two| two[0].four_turn < two[1].four_turn + 0.05));
    let straight = &parts[4].grid.iter().find(|(name, _)| name == "Large Straight");
    let by_turn_9: f64 = straight.map_or(0.0, |(_, turns)| turns[..9].iter().map(|turn| turn[1]).sum());
    run.exact("large-straight-by-turn-9", 100.0 * by_turn_9);
    run.picture(&format!("figure-3{name}"), &figure_3(rules, &parts))?;
    run.picture(&format!("figure-4{name}"), &figure_4(rules, &parts))
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
fn mean_and_deviation(run: &mut Run<'_>) -> anyhow::Result<()> {
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
        let best = engine.value(&empty, &Goal::Utility(truth.clone()))?;
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
