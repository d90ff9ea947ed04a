//! `keepers distribution`: the exact distribution of a strategy's final score.

use std::collections::BTreeMap;
use std::fmt::Write;

use keepers::evaluate::{BoxStatistics, Statistics};
use keepers::rules::BoxRule;
use keepers::{Card, Game, Objective, Rules};
use serde::Serialize;

use crate::args::Distribution;
use crate::bad_input::Problems;
use crate::commands::comparison;
use crate::output;
use crate::plot::{self, judged};
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    card: String,
    strategy: String,
    mean: f64,
    sd: f64,
    percentiles: BTreeMap<u8, usize>,
    probability: Vec<f64>,
    upper_bonus: f64,
    extras: Vec<f64>,
    boxes: BTreeMap<String, BoxAnswer>,
}

#[derive(Serialize)]
struct BoxAnswer {
    mean: f64,
    /// The probability of each number of points.
    points: BTreeMap<usize, f64>,
    /// The probability of being filled in each turn.
    turns: Vec<f64>,
    /// The probability of being scored well, and badly, in each turn.
    well: Vec<f64>,
    badly: Vec<f64>,
}

pub fn run(session: &Session, args: &Distribution) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let card = problems.note("card", Card::parse(&game, &args.card));
    let strategies = problems.note_all("strategy", Objective::list(&args.strategy));
    let judge = problems.note("judge", session::judge(&game, args.judge.as_deref()));
    let curve = problems.note("plot", plot::files(&args.plot));
    let grid = problems.note("plot-grid", plot::files(&args.plot_grid));
    problems.note("plot", plot::check_distinct(&[&args.plot, &args.plot_grid]));
    problems.check()?;
    let (Some(card), Some(strategies), Some(judge)) = (card, strategies, judge) else {
        unreachable!("all problems were told")
    };
    let (curve, grid) = (curve.unwrap_or_default(), grid.unwrap_or_default());
    let [strategy] = &strategies[..] else {
        return comparison::run(session, args, &game, &card, &strategies, &curve);
    };

    let statistics = session.statistics(&game, &card, strategy)?;
    let strategy = &args.strategy;
    plot::write(&curve, &args.look, || plot::distribution(&game, &card, strategy, &statistics))?;
    plot::write(&grid, &args.look, || plot::strategy_grid(&game, &card, &judge, strategy, &statistics))?;
    if session.json {
        output::json(&answer(&statistics, &game, &card, strategy, &judge))
    } else if args.csv {
        output::text(&csv(&statistics))
    } else {
        output::text(&page(&statistics, &game, &card, &judge))
    }
}

fn open<'a>(
    statistics: &'a Statistics,
    rules: &'a Rules,
    card: &'a Card,
) -> impl Iterator<Item = (&'a BoxRule, &'a BoxStatistics)> {
    card.open_boxes().iter().map(|id| (&rules.boxes()[id], &statistics.boxes[id]))
}

fn answer(statistics: &Statistics, game: &Game, card: &Card, strategy: &str, judge: &Rules) -> Answer {
    let boxes = open(statistics, game.rules(), card).map(|(rule, of)| {
        let grid = of.well_and_badly(game, judged(rule, judge));
        let points = of.distribution().into_iter().enumerate().filter(|(_, p)| *p > 0.0).collect();
        (
            rule.id.clone(),
            BoxAnswer {
                mean: of.mean(),
                points,
                turns: of.turns(),
                well: grid.iter().map(|turn| turn[0]).collect(),
                badly: grid.iter().map(|turn| turn[1]).collect(),
            },
        )
    });
    let percentile = |&p: &u8| (p, statistics.percentile(f64::from(p) / 100.0));
    Answer {
        rules: game.rules().name().to_string(),
        card: card.to_string(),
        strategy: strategy.to_string(),
        mean: statistics.mean(),
        sd: statistics.deviation(),
        percentiles: output::PERCENTILES.iter().map(percentile).collect(),
        probability: statistics.probability.clone(),
        upper_bonus: statistics.upper_bonus,
        extras: statistics.extras.clone(),
        boxes: boxes.collect(),
    }
}

fn csv(statistics: &Statistics) -> String {
    let mut out = String::from("score,probability,at_least\n");
    for (score, probability) in statistics.probability.iter().enumerate() {
        let at_least = statistics.at_least(score);
        writeln!(out, "{score},{probability},{at_least}").expect("writing to a string does not fail");
    }
    out
}

fn page(statistics: &Statistics, game: &Game, card: &Card, judge: &Rules) -> String {
    let rules = game.rules();
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("mean {:.4}, standard deviation {:.4}", statistics.mean(), statistics.deviation()));
    let percentiles =
        output::PERCENTILES.map(|p| format!("{p} %: {}", statistics.percentile(f64::from(p) / 100.0)));
    line(format!("percentiles {}", percentiles.join(", ")));
    if let Some(bonus) = rules.upper_bonus().filter(|_| card.upper_bonus() == 0) {
        let (chance, points) = (statistics.upper_bonus, f64::from(bonus.points));
        line(format!("upper bonus {}, {:.4} points on average", output::percent(chance), chance * points));
    }
    if rules.extras_pay() {
        let name = rules.extra_name();
        for (n, chance) in statistics.extras.iter().enumerate().filter(|(_, chance)| **chance >= 5e-6) {
            let bonuses = output::count(n, "bonus", "bonuses");
            line(format!("{bonuses} for an extra {name}: {}", output::percent(*chance)));
        }
    }
    let rows = open(statistics, rules, card).map(|(rule, of)| {
        let turns = of.turns();
        let likeliest = (0..turns.len()).max_by(|&a, &b| turns[a].total_cmp(&turns[b])).unwrap_or(0);
        let zero = of.distribution().first().copied().unwrap_or(0.0);
        let well: f64 = of.well_and_badly(game, judged(rule, judge)).iter().map(|turn| turn[0]).sum();
        vec![
            rule.name.clone(),
            format!("{:.4}", of.mean()),
            output::percent(zero),
            output::percent(well),
            (likeliest + 1).to_string(),
        ]
    });
    let boxes = output::table(&["box", ">mean", ">zero", ">well", ">likeliest turn"], rows);
    let most = statistics.probability.len();
    let scores = (0..most).step_by(25).filter(|&score| statistics.at_least(score) >= 5e-7);
    let first = (0..most).find(|&score| statistics.probability[score] > 0.0).unwrap_or(0);
    let within = |score: usize| statistics.probability.iter().skip(score).take(25).sum::<f64>();
    let tallest = (0..most).step_by(25).map(within).fold(0.0, f64::max);
    let rows = scores.filter(|score| score + 25 > first).map(|score| {
        let within = within(score);
        let bar = "█".repeat((30.0 * within / tallest).round() as usize);
        vec![
            format!("{score} to {}", score + 24),
            output::percent(within),
            output::percent(statistics.at_least(score)),
            bar,
        ]
    });
    let scores = output::table(&[">score", ">chance", ">at least", ""], rows);
    format!("{out}\n{boxes}\n\n{scores}")
}
