//! `keepers measure`: how much players lose against perfect play (Pawlewicz, 4.2 and 4.3).

use keepers::measure::{Experiment, Measured, measure};
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
    /// Games with a position that fitted into memory.
    games: u64,
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
    let memory = usize::from(args.memory) << 30;
    let experiment = Experiment { depth: last, games: args.games, seed: args.seed, memory };
    let measured = measure(&reach, &players, experiment, &progress);
    let games_at = |depth: usize| measured[depth - 1].first().map_or(0, |measured| measured.games);
    if games_at(last) == 0 {
        let text =
            format!("depth: no position with {last} open boxes fits into the memory; --memory says how much");
        return Err(BadInput(text).into());
    }
    if games_at(last) < args.games {
        let left_out = output::count((args.games - games_at(last)) as usize, "position", "positions");
        watcher.notice(&format!(
            "{left_out} of {last} open boxes left out for want of memory; --memory says how much"
        ));
    }
    let depths = first..=last;
    plot::write(&files.unwrap_or_default(), &args.look, || {
        plot::errors(&game, &names, &measured, depths.clone(), args.seed)
    })?;
    if session.json {
        let of = |nth: usize| {
            let depth = |depth: usize| {
                let Measured { error, standard_error, games } = measured[depth - 1][nth];
                DepthAnswer { depth, error, standard_error, games }
            };
            StrategyAnswer { strategy: names[nth].to_string(), depths: depths.clone().map(depth).collect() }
        };
        let strategies = (0..names.len()).map(of).collect();
        let rules = game.rules().name().to_string();
        return output::json(&Answer { rules, games: args.games, seed: args.seed, strategies });
    }
    let headings: Vec<String> = names.iter().map(|name| format!(">{name}")).collect();
    let headings: Vec<&str> =
        [">open boxes"].into_iter().chain(headings.iter().map(String::as_str)).collect();
    let rows = depths.clone().map(|depth| {
        let cell = |of: &Measured| output::with_error(1e5 * of.error, 1e5 * of.standard_error, 2);
        [depth.to_string()].into_iter().chain(measured[depth - 1].iter().map(cell)).collect()
    });
    let games = output::count(args.games as usize, "game", "games");
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
