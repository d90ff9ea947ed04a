//! `keepers reach`: the best chance of every final score.

use std::fmt::Write;

use anyhow::Context;
use keepers::Card;
use keepers::engine::check_size;
use keepers::solve;
use serde::Serialize;

use crate::args::Reach;
use crate::bad_input::Problems;
use crate::output;
use crate::plot;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    card: String,
    reach: Vec<f64>,
}

pub fn run(session: &Session, args: &Reach) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let mut problems = Problems::default();
    let card = problems.note("card", Card::parse(&game, &args.card));
    let files = problems.note("plot", plot::files(&args.plot));
    problems.note("plot", plot::check_distinct(&[&args.plot]));
    problems.check()?;
    let (Some(card), Some(files)) = (card, files) else { unreachable!("all problems were told") };
    let reach = if args.precise {
        let bytes = solve::reach_cells(&game) * size_of::<f64>();
        check_size(&game, "precise reach curves", bytes)?;
        let watcher = session.engine.store().watcher();
        let work = format!("solving {} for every score, precisely", game.rules().name());
        let curves = solve::reach_curves_f64(&game, &|done, all| watcher.progress(&work, done, all));
        let state = game.space().index(card.filled(), card.upper_total()).context("a card has a state")?;
        curves.curve(state).chances(&card)
    } else {
        session.engine.reach(&game)?.of(&card).chances(&card)
    };
    plot::write(&files, &args.look, || plot::reach(&game, &card, &reach))?;
    if session.json {
        return output::json(&Answer {
            rules: game.rules().name().to_string(),
            card: card.to_string(),
            reach,
        });
    }
    if args.csv {
        return output::text(&csv(&reach));
    }
    output::text(&page(&reach, card.total(), args.step))
}

fn csv(reach: &[f64]) -> String {
    let mut out = String::from("score,probability\n");
    for (score, probability) in reach.iter().enumerate() {
        writeln!(out, "{score},{probability}").expect("writing to a string does not fail");
    }
    out
}

fn page(reach: &[f64], total: u16, step: u16) -> String {
    let uncertain = reach.iter().position(|p| *p < 1.0).unwrap_or(reach.len());
    let scores = (0..reach.len()).step_by(step.into()).filter(|score| score + usize::from(step) > uncertain);
    let rows = scores.map(|score| {
        let bar = "█".repeat((40.0 * reach[score]).round() as usize);
        vec![score.to_string(), output::percent(reach[score]), bar]
    });
    // The mean of a distribution whose tail is the curve. No strategy has it: each score is played for alone.
    let mean: f64 = reach[1..].iter().sum();
    format!(
        "the best chance of each final score, from {total} points on the card; at most {} can be reached\n\n{}\n\
         mean of the curve {mean:.4}",
        reach.len() - 1,
        output::table(&[">score", ">chance", ""], rows),
    )
}
