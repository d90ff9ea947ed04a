//! `keepers distribution` for several strategies: a line for each.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use keepers::{Card, Game, Objective};
use serde::Serialize;

use crate::args::Distribution;
use crate::bad_input::{BadInput, Problems};
use crate::output;
use crate::plot::{self, PictureFile};
use crate::session::Session;

#[derive(Serialize)]
struct Answer {
    strategies: Vec<Summary>,
}

#[derive(Serialize)]
struct Summary {
    strategy: String,
    mean: f64,
    sd: f64,
    /// The best value of what is played for: a chance, an expected score or worth.
    value: f64,
    percentiles: BTreeMap<u8, usize>,
    probability: Vec<f64>,
}

pub fn run(
    session: &Session,
    args: &Distribution,
    game: &Arc<Game>,
    card: &Card,
    strategies: &[Objective],
    files: &[PictureFile],
) -> anyhow::Result<()> {
    let mut problems = Problems::default();
    if args.judge.is_some() {
        let error = "the boxes of several strategies are not shown, so nothing is judged: leave it out";
        problems.note("judge", Err::<(), _>(error));
    }
    if !args.plot_grid.is_empty() {
        let error = "the boxes of several strategies are not drawn: name one strategy";
        problems.note("plot-grid", Err::<(), _>(error));
    }
    // All that is out of reach is told before the first long solve.
    let worths: Vec<Option<Option<Vec<f64>>>> = strategies
        .iter()
        .map(|strategy| problems.note("strategy", worth(session, game, card, strategy)))
        .collect();
    problems.check()?;
    let summaries = strategies.iter().zip(worths.into_iter().flatten());
    let summaries = summaries.map(|(strategy, worth)| summary(session, game, card, strategy, worth));
    let strategies = summaries.collect::<Result<Vec<Summary>, BadInput>>()?;
    plot::write(files, &args.look, || {
        let scores = strategies.iter().map(|of| (of.strategy.as_str(), &of.probability[..]));
        plot::comparison(game, card, &scores.collect::<Vec<_>>())
    })?;
    if session.json {
        output::json(&Answer { strategies })
    } else if args.csv {
        output::text(&csv(&strategies))
    } else {
        output::text(&page(&strategies))
    }
}

fn worth(
    session: &Session,
    game: &Arc<Game>,
    card: &Card,
    strategy: &Objective,
) -> Result<Option<Vec<f64>>, BadInput> {
    Ok(session.goal(game, strategy)?.worth(game, card)?)
}

fn summary(
    session: &Session,
    game: &Arc<Game>,
    card: &Card,
    strategy: &Objective,
    worth: Option<Vec<f64>>,
) -> Result<Summary, BadInput> {
    let (value, statistics) = match worth {
        None => (None, session.engine.statistics(game, card, &keepers::engine::Goal::Score)?),
        Some(worth) => {
            let best = session.engine.best(game, card, &worth)?;
            (Some(best.table.value()), Arc::new(session.engine.statistics_of(&best)))
        }
    };
    let percentile = |&p: &u8| (p, statistics.percentile(f64::from(p) / 100.0));
    Ok(Summary {
        strategy: strategy.to_string(),
        mean: statistics.mean(),
        sd: statistics.deviation(),
        value: value.unwrap_or_else(|| statistics.mean()),
        percentiles: output::PERCENTILES.iter().map(percentile).collect(),
        probability: statistics.probability.clone(),
    })
}

fn csv(strategies: &[Summary]) -> String {
    let percentiles = output::PERCENTILES.map(|p| format!(",p{p}")).concat();
    let mut out = format!("strategy,mean,sd,value{percentiles}\n");
    for Summary { strategy, mean, sd, value, percentiles, .. } in strategies {
        // Only file names can need quotes.
        let strategy = match strategy.contains([',', '"', '\n']) {
            true => format!("\"{}\"", strategy.replace('"', "\"\"")),
            false => strategy.clone(),
        };
        let percentiles: String = percentiles.values().map(|score| format!(",{score}")).collect();
        writeln!(out, "{strategy},{mean},{sd},{value}{percentiles}")
            .expect("writing to a string does not fail");
    }
    out
}

fn page(strategies: &[Summary]) -> String {
    let percentiles = output::PERCENTILES.map(|p| format!(">{p} %"));
    let mut headings = vec!["strategy", ">mean", ">deviation", ">best value"];
    headings.extend(percentiles.iter().map(String::as_str));
    let rows = strategies.iter().map(|of| {
        let is_chance = of.strategy.starts_with("reach:") || of.strategy.starts_with("tournament:");
        let value = if is_chance { output::percent(of.value) } else { format!("{:.4}", of.value) };
        let mut row = vec![of.strategy.clone(), format!("{:.4}", of.mean), format!("{:.4}", of.sd), value];
        row.extend(of.percentiles.values().map(usize::to_string));
        row
    });
    output::table(&headings, rows)
}
