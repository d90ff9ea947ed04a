//! `keepers tournament --opponent self`: shows the equilibrium, round by round.

use keepers::Observer;
use keepers::answers::Statistics;
use keepers_api::{EquilibriumRequest, EquilibriumRound, EquilibriumSize, Question};

use crate::args::Tournament;
use crate::commands::tournament::ties;
use crate::inputs::Inputs;
use crate::output;
use crate::plot;
use crate::progress::Terminal;
use crate::session::Session;

pub fn run(
    session: &Session,
    args: &Tournament,
    inputs: &Inputs<'_>,
    rules: String,
    opponents: Vec<u32>,
    files: &[plot::PictureFile],
) -> anyhow::Result<()> {
    let request = EquilibriumRequest {
        rules,
        opponents,
        ties: ties(args),
        gap: args.gap,
        rounds: args.rounds,
        afresh: args.afresh,
    };
    let answer = inputs.answer(&request, |request, terminal| {
        request.answer(&session.service, &Rounds { terminal, quiet: session.quiet })
    })?;
    let game = session.game(&request.rules)?;
    plot::write(files, &args.look, || plot::equilibrium(&game, &answer.expected, &answer.found))?;
    if session.json {
        return output::json(&answer);
    }
    let pages: Vec<String> = answer.sizes.iter().map(|size| page(size, &answer.expected)).collect();
    output::text(&format!("{}, all players in equilibrium\n\n{}", answer.rules, pages.join("\n\n")))
}

/// An observer that hides the notices about rounds, which are progress, if `quiet`.
struct Rounds<'a> {
    terminal: &'a Terminal,
    quiet: bool,
}

impl Observer for Rounds<'_> {
    fn progress(&self, work: &str, done: usize, all: usize) {
        self.terminal.progress(work, done, all);
    }

    fn notice(&self, text: &str) {
        let is_progress = text.starts_with("round ") || text.starts_with("continuing after ");
        if !(self.quiet && is_progress) {
            self.terminal.notice(text);
        }
    }
}

fn page(size: &EquilibriumSize, expected: &Statistics) -> String {
    let row = |(round, nth): (&EquilibriumRound, usize)| {
        vec![
            nth.to_string(),
            output::percent_in_full(round.win),
            output::percent_in_full(round.best),
            format!("{:+.4} %", 100.0 * round.advantage),
            format!("{:.2}", round.mean),
            format!("{:.2}", round.sd),
        ]
    };
    let headings =
        [">round", ">win probability", ">with best response", ">gain", ">its mean", ">its deviation"];
    let rows = size.rounds.iter().zip(1..).map(row);
    format!(
        "{}\n{}\nin equilibrium: mean {:.4}, deviation {:.4}, median {}\nplaying for the expected score: mean {:.4}, deviation {:.4}, median {}",
        output::count(size.opponents as usize, "opponent", "opponents"),
        output::table(&headings, rows),
        size.mean,
        size.sd,
        size.median,
        expected.mean(),
        expected.deviation(),
        expected.percentile(0.5),
    )
}
