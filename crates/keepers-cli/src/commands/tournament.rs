//! `keepers tournament`: the strategy that wins against N opponents, and by how much.

use std::sync::Arc;

use keepers::evaluate::Statistics;
use keepers::tournament::{Ties, best_of, expected_worth, win_chance};
use keepers::{Card, Game};
use serde::Serialize;

use crate::args::{self, Tournament};
use crate::bad_input::BadInput;
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    rules: String,
    sizes: Vec<Size>,
}

#[derive(Serialize)]
struct Size {
    opponents: u32,
    win: f64,
    win_if_expected: f64,
    advantage: f64,
    mean: f64,
    sd: f64,
    median_to_beat: usize,
    probability: Vec<f64>,
}

pub fn run(session: &Session, args: &Tournament) -> anyhow::Result<()> {
    let sizes = read_sizes(&args.opponents)?;
    let game = session::game(&args.game.rules)?;
    let ties = match args.ties {
        args::Ties::Lose => Ties::Lose,
        args::Ties::Share => Ties::Share,
    };
    let others = session.statistics_of_expected(&game, &Card::empty(&game));
    let sizes = sizes.into_iter().map(|n| one_size(session, &game, &others, n, ties)).collect();
    let answer = Answer { rules: game.rules().name().to_string(), sizes };
    if session.json { output::json(&answer) } else { output::text(&page(&answer, &others)) }
}

fn read_sizes(text: &str) -> Result<Vec<u32>, BadInput> {
    let read = |part: &str| part.trim().parse::<u32>().ok().filter(|n| (1..=1_000_000_000).contains(n));
    text.split(',').map(read).collect::<Option<Vec<u32>>>().ok_or_else(|| {
        let wanted = "write one or more whole numbers from 1 to 1000000000, like 1,10,100";
        BadInput(format!("opponents: \"{text}\" is not a list of numbers of opponents: {wanted}"))
    })
}

fn one_size(session: &Session, game: &Arc<Game>, others: &Statistics, opponents: u32, ties: Ties) -> Size {
    let worth = win_chance(&others.probability, opponents, ties);
    let table = session.best(game, &Card::empty(game), &worth);
    let best = session.statistics_of(game, &table);
    let win_if_expected = expected_worth(&others.probability, &worth);
    let to_beat = best_of(&others.probability, opponents);
    Size {
        opponents,
        win: table.value(),
        win_if_expected,
        advantage: table.value() / win_if_expected - 1.0,
        mean: best.mean(),
        sd: best.deviation(),
        median_to_beat: median(&to_beat),
        probability: best.probability,
    }
}

fn median(probability: &[f64]) -> usize {
    let mut below = 0.0;
    let half = probability.iter().position(|p| {
        below += p;
        below >= 0.5
    });
    half.unwrap_or(0)
}

fn page(answer: &Answer, others: &Statistics) -> String {
    let rows = answer.sizes.iter().map(|size| {
        vec![
            output::grouped(size.opponents as usize),
            output::percent(size.win),
            output::percent(size.win_if_expected),
            format!("{:+.2} %", 100.0 * size.advantage),
            format!("{:.2}", size.mean),
            format!("{:.2}", size.sd),
            size.median_to_beat.to_string(),
        ]
    });
    let headings = [
        ">opponents",
        ">best chance",
        ">if expected",
        ">advantage",
        ">mean",
        ">deviation",
        ">median to beat",
    ];
    format!(
        "{}: against opponents who play for the best expected score (mean {:.2}, deviation {:.2})\n\n{}",
        answer.rules,
        others.mean(),
        others.deviation(),
        output::table(&headings, rows)
    )
}
