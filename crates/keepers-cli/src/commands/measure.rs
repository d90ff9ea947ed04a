//! `keepers measure`: how much players lose against perfect play (Pawlewicz, 4.2 and 4.3).

use keepers::measure::{Measured, measure};
use keepers::strategy::{Player, Strategy};
use serde::Serialize;

use crate::args::Measure;
use crate::bad_input::{BadInput, Problems};
use crate::output;
use crate::plot;
use crate::session::{self, Session};

/// Beyond, even one position takes too long.
const MOST_DEPTH: usize = 16;

#[derive(Serialize)]
struct Answer {
    rules: String,
    games: u64,
    seed: u64,
    strategies: Vec<StrategyAnswer>,
}

#[derive(Serialize)]
struct StrategyAnswer {
    strategy: String,
    depths: Vec<DepthAnswer>,
}

#[derive(Serialize)]
struct DepthAnswer {
    depth: usize,
    /// The mean loss of a decision.
    error: f64,
    standard_error: f64,
}

pub fn run(session: &Session, args: &Measure) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let names = problems.note("strategies", read_players(&args.strategies));
    let depths = problems.note("depth", read_depths(&args.depth, 2 * game.space().boxes()));
    let files = problems.note("plot", plot::files(&args.plot));
    problems.check()?;
    let (Some(names), Some((first, last))) = (names, depths) else { unreachable!("all problems were told") };
    let players = session.players(&game, &names)?;
    let players: Vec<&dyn Strategy> = players.iter().map(|player| &**player).collect();
    let reach = session.engine.reach(&game)?;
    let watcher = session.engine.store().watcher();
    let work = format!("judging {} games", output::grouped(args.games as usize));
    let progress = |done, all| watcher.progress(&work, done, all);
    let measured = measure(&reach, &players, last, args.games, args.seed, &progress);
    let depths = first..=last;
    let games = measured[0].first().map_or(0, |measured| measured.games);
    if games == 0 {
        let text =
            format!("depth: the exact values with {last} open boxes would take too much memory; write less");
        return Err(BadInput(text).into());
    }
    if games < args.games {
        let left_out = output::count((args.games - games) as usize, "game is", "games are");
        watcher.notice(&format!(
            "{left_out} left out: with {last} open boxes the exact values would take too much memory; try fewer --threads"
        ));
    }
    plot::write(&files.unwrap_or_default(), &args.look, || {
        plot::errors(&game, &names, &measured, depths.clone(), args.seed)
    })?;
    if session.json {
        let of = |nth: usize| {
            let depth = |depth: usize| {
                let Measured { error, standard_error, .. } = measured[depth - 1][nth];
                DepthAnswer { depth, error, standard_error }
            };
            StrategyAnswer { strategy: names[nth].to_string(), depths: depths.clone().map(depth).collect() }
        };
        let strategies = (0..names.len()).map(of).collect();
        let rules = game.rules().name().to_string();
        return output::json(&Answer { rules, games, seed: args.seed, strategies });
    }
    let headings: Vec<String> = names.iter().map(|name| format!(">{name}")).collect();
    let headings: Vec<&str> =
        [">open boxes"].into_iter().chain(headings.iter().map(String::as_str)).collect();
    let rows = depths.clone().map(|depth| {
        let cell = |of: &Measured| output::with_error(1e5 * of.error, 1e5 * of.standard_error, 2);
        [depth.to_string()].into_iter().chain(measured[depth - 1].iter().map(cell)).collect()
    });
    let games = output::count(games as usize, "game", "games");
    output::text(&format!(
        "the mean loss of a decision against perfect play, in 0.00001 games, with its standard error\n\n{}\n\n{games}, seed {}",
        output::table(&headings, rows),
        args.seed
    ))
}

/// Players joined by commas; `dyns:0..4` are all from the first depth to the last.
fn read_players(text: &str) -> Result<Vec<Player>, String> {
    let mut players = Vec::new();
    for name in text.split(',').map(str::trim) {
        let range = name.split_once(':').and_then(|(kind, depths)| Some((kind, depths.split_once("..")?)));
        match range {
            Some((kind @ ("emp" | "dyns"), (first, last))) => {
                let read = |depth: &str| depth.parse::<u8>().ok();
                let (Some(first), Some(last)) = (read(first), read(last)) else {
                    return Err(format!("\"{name}\" is not a range of depths: write {kind}:0..4"));
                };
                if first > last {
                    return Err(format!(
                        "\"{name}\" is not a range of depths: the first is the smaller one, like {kind}:0..4"
                    ));
                }
                for depth in first..=last {
                    players.push(
                        format!("{kind}:{depth}").parse::<Player>().map_err(|error| error.to_string())?,
                    );
                }
            }
            _ => {
                players.push(name.parse().map_err(|error: keepers::strategy::PlayerError| error.to_string())?)
            }
        }
    }
    Ok(players)
}

/// `1..8`, or `8` alone.
fn read_depths(text: &str, boxes: usize) -> Result<(usize, usize), String> {
    let most = boxes.min(MOST_DEPTH);
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let read = |depth: &str| depth.trim().parse::<usize>().ok().filter(|depth| (1..=most).contains(depth));
    match (read(first), read(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err(format!(
            "\"{text}\" is not a range of open boxes: write two numbers from 1 to {most}, like 1..8"
        )),
    }
}
