//! `keepers duel`: shows the expected result of a game of two if both players play perfectly.

use keepers::Card;
use keepers_api::{DuelAnswer, DuelRequest, Question, Refusal};

use crate::args::Duel;
use crate::choices::Page;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Duel) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let rolls_left = inputs.rolls_left(&rules, args.rolls_left.as_deref());
    let request = DuelRequest {
        rules,
        to_move: args.to_move.clone(),
        other: args.other.clone(),
        roll: args.roll.clone(),
        rolls_left,
        memory: args.memory,
    };
    let answer = inputs.answer(&request, |request, observer| {
        request.answer(&session.service, observer).map_err(with_hint)
    })?;
    if session.json { output::json(&answer) } else { output::text(&page(&answer, args.all)) }
}

/// Adds the option that raises the limit to a refusal for lack of memory.
fn with_hint(mut refusal: Refusal) -> Refusal {
    for problem in refusal.problems.iter_mut().filter(|problem| problem.field == "memory") {
        problem.message += "; raise it with --memory GIB";
    }
    refusal
}

fn page(answer: &DuelAnswer, all: bool) -> String {
    let (mover, other) = &answer.cards;
    let position = position_in_words(mover, other, answer.before_roll.unwrap_or(answer.value));
    let cost = cost(answer);
    let Some((advice, roll, rolls_left)) = &answer.advice else { return format!("{position}\n{cost}") };
    let page = Page {
        rules: mover.rules(),
        card: mover,
        roll,
        rolls_left: *rolls_left,
        heading: ">result",
        written: output::percent,
        promise: format!("Expected result: {}", output::percent(answer.value)),
        reasons: String::new(),
    };
    let page = page.show(advice, if all { usize::MAX } else { 10 });
    format!("{page}\n\nbefore this roll: {position}\n{cost}")
}

/// Describes the position and its value.
fn position_in_words(mover: &Card, other: &Card, value: f64) -> String {
    let [mine, theirs] = [mover, other].map(|card| {
        let open = output::count(card.open_boxes().len(), "open box", "open boxes");
        format!("{} points and {open}", card.total())
    });
    format!(
        "{mine} against {theirs}: expected result {} for the player to move (a draw is half a win)",
        output::percent(value)
    )
}

fn cost(answer: &DuelAnswer) -> String {
    if answer.stored {
        return format!("exact: read from a stored solution in {:.2} s", answer.seconds);
    }
    let pairs = output::count(answer.pairs, "pair of states", "pairs of states");
    let values = output::count(answer.lanes, "value", "values");
    format!("exact: {pairs}, {values}, {:.2} s", answer.seconds)
}
