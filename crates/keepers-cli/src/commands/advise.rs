//! `keepers advise`: ranks every choice for a roll.

use keepers::Objective;
use keepers_api::{AdviseAnswer, AdviseRequest, ReasonView};

use crate::args::{self, Advise};
use crate::choices::Page;
use crate::commands::outlook::choice;
use crate::inputs::{Aim, Inputs};
use crate::output::{self, escaped};
use crate::session::Session;
use crate::words;

pub fn run(session: &Session, args: &Advise) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let (aim, against) = aim(&mut inputs, &args.aim);
    let rolls_left = inputs.rolls_left(&rules, args.rolls_left.as_deref());
    let answer = inputs.ask(&AdviseRequest {
        rules,
        card: args.card.clone(),
        roll: args.roll.clone(),
        rolls_left,
        objective: aim.objective,
        utility: aim.utility,
        against,
        seconds: Some(args.aim.time),
        why: args.why,
        chosen: args.chosen.as_deref().map(|item| choice(item.trim(), rolls_left)),
    })?;
    if session.json {
        return output::json(&answer);
    }
    output::text(&page(&answer, &aim.shown, args.aim.against.len(), args.all))
}

/// Reads the objective, and returns it with the field `against` of a request.
pub fn aim(inputs: &mut Inputs<'_>, args: &args::score::Aim) -> (Aim, Option<Vec<String>>) {
    let against = Some(args.against.clone()).filter(|against| !against.is_empty());
    let objective = args.objective.as_deref().unwrap_or(if against.is_some() { "win" } else { "expected" });
    if objective == "win" && against.is_none() {
        inputs.add("objective", "win needs the opponents' cards: add --against CARD");
        return (inputs.aim("objective", "expected"), None);
    }
    (inputs.aim("objective", objective), against)
}

/// Formats an advice. `rivals` is the number of opponents.
pub fn page(answer: &AdviseAnswer, objective: &Objective, rivals: usize, all: bool) -> String {
    let (advice, card, roll, rolls_left) = &answer.about;
    let page = Page {
        rules: card.rules(),
        card,
        roll,
        rolls_left: *rolls_left,
        heading: words::heading(objective),
        written: words::written(objective),
        promise: match answer.exact {
            None => words::promise(objective, answer.value),
            Some(exact) => result(answer.value, rivals, exact),
        },
        reasons: sentences(answer.reasons.as_deref().unwrap_or_default()),
    };
    page.show(advice, if all { usize::MAX } else { 10 })
}

/// Joins the sentences of reasons; empty without reasons.
pub fn sentences(reasons: &[ReasonView]) -> String {
    reasons.iter().map(|reason| escaped(&reason.text)).collect::<Vec<_>>().join("\n")
}

/// Describes the expected result against opponents, and whether it is exact.
fn result(value: f64, rivals: usize, exact: bool) -> String {
    let how = if exact { "exact" } else { "estimated by EMP (expected match points)" };
    if rivals == 1 {
        return format!("Expected result: {} ({how}; a draw is half a win)", output::percent(value));
    }
    let rank = 1.0 + rivals as f64 * (1.0 - value);
    format!("Expected rank among {}: {rank:.3} ({how})", rivals + 1)
}
