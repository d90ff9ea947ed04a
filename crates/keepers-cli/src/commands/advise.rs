//! `keepers advise`: every choice for a roll, ranked.

use std::time::Duration;

use keepers::advise::{Prospect, advise};
use keepers::against::check_seats;
use keepers::strategy::Standing;
use keepers::{Card, Objective, Roll};
use keepers_web::views::{Ranked, ranked};
use serde::Serialize;

use crate::args::Advise;
use crate::bad_input::{BadInput, Problems};
use crate::choices::{Page, check_open, read_rolls_left};
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    value: f64,
    /// Against others: whether that is exact, or estimated by EMP.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
    choices: Vec<Ranked>,
}

pub fn run(session: &Session, args: &Advise) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let rules = game.rules();
    let mut problems = Problems::default();
    let card = problems.note("card", Card::parse(&game, &args.card));
    let roll = problems.note("roll", Roll::parse(&args.roll, rules.dice(), rules.faces()));
    let objective = problems.note("objective", args.objective.parse::<Objective>());
    let rolls_left = problems.note("rolls-left", read_rolls_left(args.rolls_left.as_deref(), rules));
    problems.note("card", card.as_ref().map_or(Ok(()), check_open));
    let rivals: Vec<Option<Card>> =
        args.against.iter().map(|text| problems.note("against", Card::parse(&game, text))).collect();
    let rivals: Vec<Card> = rivals.into_iter().flatten().collect();
    if let Some(card) = card.as_ref().filter(|_| !rivals.is_empty()) {
        problems.note("against", check_seats(card, &rivals));
    }
    let objective = if rivals.is_empty() { objective } else { Some(Objective::Win) };
    problems.check()?;
    let (Some(card), Some(roll), Some(rolls_left), Some(objective)) = (card, roll, rolls_left, objective)
    else {
        unreachable!("all problems were told")
    };

    let (prospect, exact) = match &rivals[..] {
        [] => (session.engine.prospect(&game, &card, &session.goal(&game, &objective)?)?, None),
        rivals => {
            let standings: Vec<Standing> = [&card].into_iter().chain(rivals).map(Standing::of).collect();
            let judged = session.engine.judged(&game, Duration::from_secs(args.time.into()), &standings)?;
            let exact = judged.exact;
            (Box::new(judged) as Box<dyn Prospect + Send + Sync>, Some(exact))
        }
    };
    let advice =
        advise(&game, &*prospect, &card, &roll, rolls_left).map_err(|error| BadInput(error.to_string()))?;
    if session.json {
        output::json(&Answer { value: advice.value, exact, choices: ranked(&advice, rules) })
    } else {
        let shown = if args.all { usize::MAX } else { 10 };
        let page = Page {
            rules,
            card: &card,
            roll: &roll,
            rolls_left,
            heading: heading(&objective),
            written: written(&objective),
            promise: exact.map_or_else(
                || promise(&objective, advice.value),
                |exact| result(advice.value, rivals.len(), exact),
            ),
        };
        output::text(&page.show(&advice, shown))
    }
}

/// What the best choice promises against others, and how that is known.
fn result(value: f64, rivals: usize, exact: bool) -> String {
    let how = if exact { "exact" } else { "estimated by EMP" };
    if rivals == 1 {
        return format!("Expected result: {} ({how}; a draw is half a win)", output::percent(value));
    }
    let rank = 1.0 + rivals as f64 * (1.0 - value);
    format!("Expected rank among {}: {rank:.3} ({how})", rivals + 1)
}

fn heading(objective: &Objective) -> &'static str {
    match objective {
        Objective::Expected | Objective::Utility(_) => ">value",
        Objective::Reach(_) | Objective::Tournament(_) => ">chance",
        Objective::Win => ">result",
    }
}

fn written(objective: &Objective) -> fn(f64) -> String {
    match objective {
        Objective::Expected => |value| format!("{value:.3}"),
        Objective::Reach(_) | Objective::Tournament(_) | Objective::Win => output::percent,
        Objective::Utility(_) => |value| format!("{value:.6}"),
    }
}

fn promise(objective: &Objective, value: f64) -> String {
    match objective {
        Objective::Expected => format!("Expected final score: {value:.2}"),
        Objective::Reach(target) => format!("Chance of at least {target}: {}", output::percent(value)),
        Objective::Tournament(opponents) => {
            let all = output::count(*opponents as usize, "opponent", "opponents");
            format!("Chance of beating {all}: {}", output::percent(value))
        }
        Objective::Win => format!("Expected result: {}", output::percent(value)),
        Objective::Utility(_) => format!("Expected worth: {value:.6}"),
    }
}
