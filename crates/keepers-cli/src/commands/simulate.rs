//! `keepers simulate`: many games of one strategy, and what they came to.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;

use keepers::simulate::{Sample, simulate};
use keepers::strategy::{Player, Standing};
use keepers::{Card, Game};
use serde::Serialize;

use crate::args::Simulate;
use crate::bad_input::{BadInput, Problems};
use crate::output;
use crate::plot;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    strategy: String,
    games: u64,
    seed: u64,
    mean: f64,
    /// The standard error of the mean.
    error: f64,
    sd: f64,
    min: usize,
    median: usize,
    max: usize,
    percentiles: BTreeMap<u8, usize>,
    upper_bonus: f64,
    upper_bonus_error: f64,
    /// The share of games with each number of bonuses for further Yahtzees.
    extras: Vec<f64>,
    boxes: BTreeMap<String, BoxAnswer>,
    /// What each turn paid on average, bonuses left out.
    turns: Vec<f64>,
    /// How many games ended with each total.
    totals: Vec<u64>,
    seconds: f64,
    games_per_second: f64,
}

#[derive(Serialize)]
struct BoxAnswer {
    mean: f64,
    error: f64,
    sd: f64,
    /// The share of games with each number of points.
    points: BTreeMap<usize, f64>,
    /// The share of games in which it was filled in each turn.
    turns: Vec<f64>,
}

pub fn run(session: &Session, args: &Simulate) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let card = problems.note("card", Card::parse(&game, &args.card));
    let player = problems.note("strategy", args.strategy.parse::<Player>());
    let files = problems.note("plot", plot::files(&args.plot));
    problems.check()?;
    let (Some(card), Some(player)) = (card, player) else { unreachable!("all problems were told") };
    if card.is_finished() {
        return Err(BadInput("card: the card is full: there is no turn left to play".to_string()).into());
    }
    let strategy = session.solitaire(&game, &card, &player)?;
    let work = format!("playing {} games", output::grouped(args.games as usize));
    let watcher = session.engine.store().watcher();
    let started = Instant::now();
    let sample = simulate(&game, &*strategy, &Standing::of(&card), args.games, args.seed, &|done, all| {
        watcher.progress(&work, done, all);
    });
    let seconds = started.elapsed().as_secs_f64();
    watcher.progress(&work, 1, 1);
    plot::write(&files.unwrap_or_default(), &args.look, || {
        plot::histogram(&game, &card, &player.to_string(), args.seed, &sample)
    })?;
    if session.json {
        output::json(&answer(&sample, &game, &card, &player, args.seed, seconds))
    } else if args.csv {
        output::text(&csv(&sample))
    } else {
        output::text(&page(&sample, &game, &card, seconds))
    }
}

fn answer(sample: &Sample, game: &Game, card: &Card, player: &Player, seed: u64, seconds: f64) -> Answer {
    let share = |n: &u64| *n as f64 / sample.games as f64;
    let boxes = card.open_boxes().iter().map(|id| {
        let of = &sample.boxes[id];
        let (mean, sd) = of.mean_and_deviation();
        let points =
            of.counts().iter().enumerate().filter(|(_, n)| **n > 0).map(|(p, n)| (p, share(n))).collect();
        let turns = of.turns().iter().map(share).collect();
        let error = sample.error_of(sd);
        (game.rules().boxes()[id].id.clone(), BoxAnswer { mean, error, sd, points, turns })
    });
    Answer {
        rules: game.rules().name().to_string(),
        strategy: player.to_string(),
        games: sample.games,
        seed,
        mean: sample.mean(),
        error: sample.error(),
        sd: sample.deviation(),
        min: sample.least(),
        median: sample.percentile(0.5),
        max: sample.most(),
        percentiles: output::PERCENTILES
            .iter()
            .map(|&p| (p, sample.percentile(f64::from(p) / 100.0)))
            .collect(),
        upper_bonus: share(&sample.upper_bonus),
        upper_bonus_error: sample.error_of_share(sample.upper_bonus),
        extras: sample.extras.iter().map(share).collect(),
        boxes: boxes.collect(),
        turns: sample.mean_of_turns(),
        totals: sample.totals.clone(),
        seconds,
        games_per_second: sample.games as f64 / seconds,
    }
}

fn csv(sample: &Sample) -> String {
    let mut out = String::from("score,games\n");
    for (score, games) in sample.totals.iter().enumerate() {
        writeln!(out, "{score},{games}").expect("writing to a string does not fail");
    }
    out
}

fn page(sample: &Sample, game: &Game, card: &Card, seconds: f64) -> String {
    let rules = game.rules();
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let mean = output::with_error(sample.mean(), sample.error(), 4);
    line(format!("mean {mean}, standard deviation {}", output::if_known(sample.deviation(), 4)));
    let (least, median, most) = (sample.least(), sample.percentile(0.5), sample.most());
    line(format!("lowest {least}, median {median}, highest {most}"));
    let percentiles =
        output::PERCENTILES.map(|p| format!("{p} %: {}", sample.percentile(f64::from(p) / 100.0)));
    line(format!("percentiles {}", percentiles.join(", ")));
    let share = |n: u64| output::percent(n as f64 / sample.games as f64);
    if rules.upper_bonus().is_some() && card.upper_bonus() == 0 {
        let error = 100.0 * sample.error_of_share(sample.upper_bonus);
        let bonus = 100.0 * sample.upper_bonus as f64 / sample.games as f64;
        line(format!("upper bonus {} %", output::with_error(bonus, error, 3)));
    }
    if rules.extras_pay() {
        for (n, &games) in sample.extras.iter().enumerate() {
            line(format!(
                "{} for an extra {}: {}",
                output::count(n, "bonus", "bonuses"),
                rules.extra_name(),
                share(games)
            ));
        }
    }
    let rows = card.open_boxes().iter().map(|id| {
        let of = &sample.boxes[id];
        let (mean, sd) = of.mean_and_deviation();
        let turns = of.turns();
        let likeliest =
            (0..turns.len()).max_by_key(|&turn| (turns[turn], std::cmp::Reverse(turn))).unwrap_or(0);
        vec![
            rules.boxes()[id].name.clone(),
            output::with_error(mean, sample.error_of(sd), 4),
            output::if_known(sd, 4),
            share(of.counts().first().copied().unwrap_or(0)),
            (likeliest + 1).to_string(),
        ]
    });
    let boxes = output::table(&["box", ">mean", ">deviation", ">zero", ">likeliest turn"], rows);
    let within = |score: usize| sample.totals.iter().skip(score).take(25).sum::<u64>();
    let bins = || (0..sample.totals.len()).step_by(25);
    let tallest = bins().map(within).max().unwrap_or(1).max(1);
    let rows = bins().filter(|&score| score + 25 > least).map(|score| {
        let games = within(score);
        let bar = "█".repeat((30.0 * games as f64 / tallest as f64).round() as usize);
        vec![format!("{score} to {}", score + 24), output::grouped(games as usize), share(games), bar]
    });
    let scores = output::table(&[">score", ">games", ">share", ""], rows);
    let speed = output::grouped((sample.games as f64 / seconds).round() as usize);
    let games = output::count(sample.games as usize, "game", "games");
    format!(
        "{out}\n{boxes}\n\n{scores}\n\n{games} in {seconds:.2} s, {speed} a second; ± is one standard error"
    )
}
