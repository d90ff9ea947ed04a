//! `keepers simulate`: plays random games of one strategy.

use std::fmt::Write;

use keepers::{Card, Player, Rules};
use keepers_api::{SimulateAnswer, SimulateRequest};

use crate::args::Simulate;
use crate::inputs::Inputs;
use crate::output::{self, escaped};
use crate::plot;
use crate::session::Session;

pub fn run(session: &Session, args: &Simulate) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let objective = match args.strategy.parse() {
        Ok(Player::For(objective)) => Some(objective),
        _ => None,
    };
    let utilities = inputs.utilities("strategy", &objective);
    let files = inputs.note("plot", plot::files(&args.plot)).unwrap_or_default();
    inputs.note("plot", plot::check_distinct(&[&args.plot]));
    let request = SimulateRequest {
        rules,
        card: args.card.clone(),
        strategy: args.strategy.clone(),
        utility: None,
        utilities,
        games: args.games,
        seed: args.seed.into(),
    };
    let answer = inputs.ask(&request)?;
    let game = session.game(&request.rules)?;
    let (sample, card) = &answer.sample;
    plot::write(&files, &args.look, || {
        plot::histogram(&game, card, &escaped(&answer.strategy), args.seed, sample)
    })?;
    if session.json {
        output::json(&answer)
    } else if args.csv {
        output::text(&csv(&answer.totals))
    } else {
        output::text(&page(&answer, game.rules()))
    }
}

fn csv(totals: &[u64]) -> String {
    let mut out = String::from("score,games\n");
    for (score, games) in totals.iter().enumerate() {
        writeln!(out, "{score},{games}").expect("writing to a string does not fail");
    }
    out
}

fn page(answer: &SimulateAnswer, rules: &Rules) -> String {
    let mean = output::with_error(answer.mean, answer.error, 4);
    let mut lines = vec![
        format!("mean {mean}, standard deviation {}", output::if_known(answer.sd, 4)),
        format!("lowest {}, median {}, highest {}", answer.min, answer.median, answer.max),
        output::percentiles(&answer.percentiles),
    ];
    lines.extend(bonuses(answer, rules, &answer.sample.1));
    let speed = output::grouped(answer.games_per_second.round());
    let games = output::count(answer.games as usize, "game", "games");
    format!(
        "{}\n\n{}\n\n{}\n\n{games} in {:.2} s, {speed} per second; ± is one standard error",
        lines.join("\n"),
        boxes(answer, rules),
        scores(answer),
        answer.seconds
    )
}

/// Lists the upper bonus, unless the card has it, and the bonuses for extra Yahtzees.
fn bonuses(answer: &SimulateAnswer, rules: &Rules, card: &Card) -> Vec<String> {
    let mut lines = Vec::new();
    if rules.upper_bonus().is_some() && card.upper_bonus() == 0 {
        let (share, error) = (100.0 * answer.upper_bonus, 100.0 * answer.upper_bonus_error);
        lines.push(format!("upper bonus {} %", output::with_error(share, error, 3)));
    }
    if rules.extras_pay() {
        for (n, &share) in answer.extras.iter().enumerate() {
            let (bonuses, name) = (output::count(n, "bonus", "bonuses"), rules.extra_name());
            lines.push(format!("{bonuses} for an extra {name}: {}", output::percent(share)));
        }
    }
    lines
}

fn boxes(answer: &SimulateAnswer, rules: &Rules) -> String {
    let rows = answer.boxes.0.iter().map(|(id, of)| {
        let name = rules.box_by_id(id).map_or(id, |id| &rules.boxes()[id].name);
        // The first, if several turns are equally likely.
        let likeliest = (0..of.turns.len()).rev().max_by(|&a, &b| of.turns[a].total_cmp(&of.turns[b]));
        vec![
            name.clone(),
            output::with_error(of.mean, of.error, 4),
            output::if_known(of.sd, 4),
            output::percent(of.points.get(&0).copied().unwrap_or(0.0)),
            (likeliest.unwrap_or(0) + 1).to_string(),
        ]
    });
    output::table(&["box", ">mean", ">deviation", ">zero", ">most likely turn"], rows)
}

fn scores(answer: &SimulateAnswer) -> String {
    let within = |score: usize| answer.totals.iter().skip(score).take(25).sum::<u64>();
    let bins = || (0..answer.totals.len()).step_by(25);
    let tallest = bins().map(within).max().unwrap_or(1).max(1);
    let rows = bins().filter(|&score| score + 25 > answer.min).map(|score| {
        let games = within(score);
        let bar = "█".repeat((30.0 * games as f64 / tallest as f64).round() as usize);
        let share = output::percent(games as f64 / answer.games as f64);
        vec![format!("{score} to {}", score + 24), output::grouped(games), share, bar]
    });
    output::table(&[">score", ">games", ">share", ""], rows)
}
