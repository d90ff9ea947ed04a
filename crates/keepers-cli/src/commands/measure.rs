//! `keepers measure`: measures the loss of players against perfect play (Pawlewicz, 4.2 and 4.3).

use keepers::{Observer, Player};
use keepers_api::{MeasureAnswer, MeasureRequest, MeasuredDepth};

use crate::args::Measure;
use crate::inputs::Inputs;
use crate::output::{self, escaped};
use crate::plot;
use crate::session::Session;

pub fn run(session: &Session, args: &Measure) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let strategies: Vec<String> = args.strategies.split(',').map(|name| name.trim().to_string()).collect();
    let objectives: Vec<_> = strategies
        .iter()
        .filter_map(|name| match name.parse() {
            Ok(Player::For(objective)) => Some(objective),
            _ => None,
        })
        .collect();
    let utilities = inputs.utilities("strategies", &objectives);
    let files = inputs.note("plot", plot::files(&args.plot)).unwrap_or_default();
    inputs.note("plot", plot::check_distinct(&[&args.plot]));
    let request = MeasureRequest {
        rules,
        strategies,
        utilities,
        depth: args.depth.clone(),
        games: args.games,
        seed: args.seed.into(),
        memory: args.memory,
    };
    let answer = inputs.ask(&request)?;
    report_skipped(session, &answer);
    let game = session.game(&request.rules)?;
    plot::write(&files, &args.look, || {
        let (names, measured, depths) = &answer.measured;
        plot::errors(&game, names, measured, depths.clone(), args.seed)
    })?;
    if session.json { output::json(&answer) } else { output::text(&page(&answer)) }
}

/// Reports how many positions did not fit into memory, and so are missing from the means.
fn report_skipped(session: &Session, answer: &MeasureAnswer) {
    let deepest = answer.strategies.first().and_then(|of| of.depths.last());
    if let Some(MeasuredDepth { depth, games, .. }) = deepest
        && *games < answer.games
    {
        let skipped = output::count((answer.games - games) as usize, "position", "positions");
        session.observer.notice(&format!(
            "skipped {skipped} with {depth} open boxes, which need more memory; raise it with --memory GIB"
        ));
    }
}

fn page(answer: &MeasureAnswer) -> String {
    let names: Vec<String> =
        answer.strategies.iter().map(|of| format!(">{}", escaped(&of.strategy))).collect();
    let headings: Vec<&str> = [">open boxes"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let depths = answer.strategies.first().map_or(&[][..], |of| &of.depths);
    let rows = depths.iter().enumerate().map(|(nth, MeasuredDepth { depth, .. })| {
        let cell = |of: &MeasuredDepth| output::with_error(1e5 * of.error, 1e5 * of.standard_error, 2);
        let cells = answer.strategies.iter().map(|of| cell(&of.depths[nth]));
        [depth.to_string()].into_iter().chain(cells).collect()
    });
    let games = output::count(answer.games as usize, "game", "games");
    format!(
        "mean loss per decision against perfect play, in 0.00001 games, ± one standard error\n\n{}\n\n{games}, seed {}",
        output::table(&headings, rows),
        answer.seed
    )
}
