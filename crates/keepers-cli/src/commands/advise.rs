//! `keepers advise`: every choice for a roll, ranked.

use keepers::advise::advise;
use keepers::{Card, Objective, Roll};
use serde::Serialize;

use crate::args::Advise;
use crate::bad_input::{BadInput, Problems};
use crate::choices::{Page, Ranked, check_open, ranked, read_rolls_left};
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    value: f64,
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
    problems.check()?;
    let (Some(card), Some(roll), Some(rolls_left), Some(objective)) = (card, roll, rolls_left, objective)
    else {
        unreachable!("all problems were told")
    };

    let prospect = session.prospect(&game, &card, &objective)?;
    let advice =
        advise(&game, &*prospect, &card, &roll, rolls_left).map_err(|error| BadInput(error.to_string()))?;
    if session.json {
        output::json(&Answer { value: advice.value, choices: ranked(&advice, rules) })
    } else {
        let shown = if args.all { usize::MAX } else { 10 };
        let page = Page {
            rules,
            card: &card,
            roll: &roll,
            rolls_left,
            heading: heading(&objective),
            written: written(&objective),
            promise: promise(&objective, advice.value),
        };
        output::text(&page.show(&advice, shown))
    }
}

fn heading(objective: &Objective) -> &'static str {
    match objective {
        Objective::Expected | Objective::Utility(_) => ">value",
        Objective::Reach(_) | Objective::Tournament(_) => ">chance",
    }
}

fn written(objective: &Objective) -> fn(f64) -> String {
    match objective {
        Objective::Expected => |value| format!("{value:.3}"),
        Objective::Reach(_) | Objective::Tournament(_) => output::percent,
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
        Objective::Utility(_) => format!("Expected worth: {value:.6}"),
    }
}
