//! `keepers reach`: shows the best probability of every final score.

use std::fmt::Write;

use keepers::Card;
use keepers_api::ReachRequest;

use crate::args::Reach;
use crate::inputs::Inputs;
use crate::output;
use crate::plot;
use crate::session::Session;

pub fn run(session: &Session, args: &Reach) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let rolls_left = inputs.rolls_left(&rules, args.rolls_left.as_deref());
    let files = inputs.note("plot", plot::files(&args.plot)).unwrap_or_default();
    inputs.note("plot", plot::check_distinct(&[&args.plot]));
    let request = ReachRequest {
        card: args.card.clone(),
        roll: args.roll.clone(),
        rolls_left,
        precise: args.precise,
        rules,
    };
    let answer = inputs.ask(&request)?;
    let game = session.game(&request.rules)?;
    let card = Card::parse(&game, &answer.card)?;
    let roll = args.roll.as_deref();
    plot::write(&files, &args.look, || plot::reach(&game, &card, roll, &answer.reach))?;
    if session.json {
        output::json(&answer)
    } else if args.csv {
        output::text(&csv(&answer.reach))
    } else {
        output::text(&page(&answer.reach, card.total(), roll, args.step))
    }
}

fn csv(reach: &[f64]) -> String {
    let mut out = String::from("score,probability\n");
    for (score, probability) in reach.iter().enumerate() {
        writeln!(out, "{score},{probability}").expect("writing to a string does not fail");
    }
    out
}

fn page(reach: &[f64], total: u16, roll: Option<&str>, step: u16) -> String {
    let uncertain = reach.iter().position(|p| *p < 1.0).unwrap_or(reach.len());
    let scores = (0..reach.len()).step_by(step.into()).filter(|score| score + usize::from(step) > uncertain);
    let rows = scores.map(|score| {
        let bar = "█".repeat((40.0 * reach[score]).round() as usize);
        vec![score.to_string(), output::percent(reach[score]), bar]
    });
    // The mean of the distribution whose tail is the curve. No strategy achieves this mean, because each score on the
    // curve has its own strategy.
    let mean: f64 = reach[1..].iter().sum();
    let after = roll.map_or(String::new(), |roll| format!(" and {roll} on the table"));
    format!(
        "best probability of at least each final score, with {total} points on the card{after}; the highest possible is {}\n\n{}\n\
        mean of the curve {mean:.4}",
        reach.len() - 1,
        output::table(&[">score", ">probability", ""], rows),
    )
}
