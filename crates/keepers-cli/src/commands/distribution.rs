//! `keepers distribution`: shows the exact distribution of the final score under a strategy.

use std::fmt::Write;

use keepers::{Card, Game, Objective, Rules};
use keepers_api::{DistributionAnswer, DistributionRequest, OneStrategy};

use crate::args::Distribution;
use crate::commands::strategies;
use crate::inputs::{Inputs, read_rules};
use crate::output;
use crate::plot;
use crate::session::Session;

pub fn run(session: &Session, args: &Distribution) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let judge = inputs.judge(args.judge.as_deref());
    let objectives = Objective::list(&args.strategy);
    let strategy = match &objectives {
        Ok(_) => args.strategy.clone(),
        Err(errors) => {
            errors.iter().for_each(|error| inputs.add("strategy", error));
            "expected".to_string()
        }
    };
    let objectives = objectives.unwrap_or_default();
    let utilities = inputs.utilities("strategy", &objectives);
    let curve = inputs.note("plot", plot::files(&args.plot)).unwrap_or_default();
    let grid = inputs.note("plot-grid", plot::files(&args.plot_grid)).unwrap_or_default();
    inputs.note("plot", plot::check_distinct(&[&args.plot, &args.plot_grid]));
    if objectives.len() > 1 && !args.plot_grid.is_empty() {
        inputs.add("plot-grid", "needs a single strategy: drop plot-grid, or all strategies but one");
    }
    let request =
        DistributionRequest { rules, card: args.card.clone(), strategy, utility: None, utilities, judge };
    let answer = inputs.ask(&request)?;
    let game = session.game(&request.rules)?;
    let card = Card::parse(&game, &args.card)?;
    let one = match &answer {
        DistributionAnswer::One(one) => one,
        DistributionAnswer::Several { strategies } => {
            plot::write(&curve, &args.look, || {
                let scores = strategies.iter().map(|of| (of.strategy.as_str(), &of.probability[..]));
                plot::comparison(&game, &card, &scores.collect::<Vec<_>>())
            })?;
            return if session.json {
                output::json(&answer)
            } else if args.csv {
                output::text(&strategies::csv(strategies))
            } else {
                output::text(&strategies::page(strategies))
            };
        }
    };
    let (name, statistics) = (&one.strategy, &one.statistics);
    plot::write(&curve, &args.look, || plot::distribution(&game, &card, name, statistics))?;
    let judge = request.judge.as_deref().and_then(read_rules);
    let judge = judge.as_ref().unwrap_or(game.rules());
    plot::write(&grid, &args.look, || plot::strategy_grid(&game, &card, judge, name, statistics))?;
    if session.json {
        output::json(&answer)
    } else if args.csv {
        output::text(&csv(one))
    } else {
        output::text(&page(one, &game, &card))
    }
}

fn csv(one: &OneStrategy) -> String {
    let mut out = String::from("score,probability,at_least\n");
    for (score, probability) in one.probability.iter().enumerate() {
        let at_least = one.statistics.at_least(score);
        writeln!(out, "{score},{probability},{at_least}").expect("writing to a string does not fail");
    }
    out
}

fn page(one: &OneStrategy, game: &Game, card: &Card) -> String {
    let mut lines = vec![
        format!("mean {:.4}, standard deviation {:.4}", one.mean, one.sd),
        output::percentiles(&one.percentiles),
    ];
    lines.extend(bonuses(one, game.rules(), card));
    format!("{}\n\n{}\n\n{}", lines.join("\n"), boxes(one), scores(one))
}

/// Lists the upper bonus, unless the card has it, and the bonuses for extra Yahtzees.
fn bonuses(one: &OneStrategy, rules: &Rules, card: &Card) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(bonus) = rules.upper_bonus().filter(|_| card.upper_bonus() == 0) {
        let (probability, points) = (one.upper_bonus, f64::from(bonus.points));
        let percent = output::percent(probability);
        lines.push(format!("upper bonus {percent}, {:.4} points on average", probability * points));
    }
    if rules.extras_pay() {
        let name = rules.extra_name();
        for (n, probability) in one.extras.iter().enumerate().filter(|(_, p)| **p >= 5e-6) {
            let bonuses = output::count(n, "bonus", "bonuses");
            lines.push(format!("{bonuses} for an extra {name}: {}", output::percent(*probability)));
        }
    }
    lines
}

fn boxes(one: &OneStrategy) -> String {
    let rows = one.boxes.0.iter().map(|(_, of)| {
        let turns = &of.turns;
        let likeliest = (0..turns.len()).max_by(|&a, &b| turns[a].total_cmp(&turns[b])).unwrap_or(0);
        vec![
            of.name.clone(),
            format!("{:.4}", of.mean),
            output::percent(of.zero),
            output::percent(of.well.iter().sum()),
            (likeliest + 1).to_string(),
        ]
    });
    output::table(&["box", ">mean", ">zero", ">scored well", ">most likely turn"], rows)
}

fn scores(one: &OneStrategy) -> String {
    let (probability, statistics) = (&one.probability, &one.statistics);
    let bins = || (0..probability.len()).step_by(25);
    let first = probability.iter().position(|p| *p > 0.0).unwrap_or(0);
    let within = |score: usize| probability.iter().skip(score).take(25).sum::<f64>();
    let tallest = bins().map(within).fold(0.0, f64::max);
    let shown = bins().filter(|&score| statistics.at_least(score) >= 5e-7 && score + 25 > first);
    let rows = shown.map(|score| {
        let within = within(score);
        let bar = "█".repeat((30.0 * within / tallest).round() as usize);
        let at_least = output::percent(statistics.at_least(score));
        vec![format!("{score} to {}", score + 24), output::percent(within), at_least, bar]
    });
    output::table(&[">score", ">probability", ">at least", ""], rows)
}
