//! `keepers value`: shows the value of a card.

use std::io::{self, BufRead, Write};

use keepers::{Card, Objective};
use keepers_api::{Kind, Question, Refusal, ValueRequest};
use serde::Serialize;

use crate::args::Value;
use crate::bad_input::BadInput;
use crate::commands::advise::aim;
use crate::inputs::Inputs;
use crate::output::{self, escaped};
use crate::session::Session;
use crate::words;

pub fn run(session: &Session, args: &Value) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let (aim, against) = aim(&mut inputs, &args.aim);
    let objective = &aim.shown;
    let mut request = ValueRequest {
        rules,
        card: args.card.clone(),
        objective: aim.objective,
        utility: aim.utility,
        against,
        seconds: Some(args.aim.time),
    };
    if args.card == "-" {
        request.card = String::new();
        return batch(session, &inputs, request, objective);
    }
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let game = session.game(&request.rules)?;
    let card = Card::parse(&game, &answer.card)?;
    output::text(&page(&card, objective, answer.value))
}

fn page(card: &Card, objective: &Objective, value: f64) -> String {
    let total = f64::from(card.total());
    let open = output::count(card.open_boxes().len(), "open box", "open boxes");
    match objective {
        Objective::Expected => format!(
            "expected final score {value:.4}: {total} on the card, {:.4} to come in {open}",
            value - total
        ),
        Objective::Win => {
            let result = output::percent(value);
            format!("expected result {result} (a draw is half a win), with {total} on the card and {open}")
        }
        objective => format!("{}, with {total} on the card and {open}", words::promise(objective, value)),
    }
}

/// A line that could not be answered.
#[derive(Serialize)]
struct Refused<'a> {
    card: &'a str,
    error: String,
}

/// Reads one card per line and prints one answer per line, also for lines that are refused.
fn batch(
    session: &Session,
    inputs: &Inputs<'_>,
    mut request: ValueRequest,
    objective: &Objective,
) -> anyhow::Result<()> {
    // Problems of all lines are reported once. The objective is not checked, because it may be unreachable for some cards
    // only.
    let every =
        ValueRequest { objective: "expected".into(), utility: None, against: None, ..request.clone() };
    inputs.check(&every)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut input = io::BufReader::new(io::stdin().lock());
    let mut refused = 0;
    let mut line = Vec::new();
    for number in 1.. {
        // The other program may wait for its answer before it sends the next card.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
        let line = line.trim_end_matches('\r');
        request.card = line.to_string();
        match request.answer(&session.service, &session.observer) {
            Ok(answer) if session.json => {
                serde_json::to_writer(&mut out, &answer)?;
                writeln!(out)?;
            }
            Ok(answer) => {
                let value = match objective {
                    Objective::Expected => format!("{:.4}", answer.value),
                    objective => words::written(objective)(answer.value),
                };
                writeln!(out, "{value}\t{}", answer.card)?;
            }
            Err(refusal) if refusal.kind != Kind::Invalid => return Err(inputs.refused(&refusal)),
            Err(refusal) => {
                refused += 1;
                let error = sentence(&refusal);
                output::note(&format!("line {number}: {error}"));
                if session.json {
                    serde_json::to_writer(&mut out, &Refused { card: line, error })?;
                    writeln!(out)?;
                } else {
                    writeln!(out, "-\t{}", escaped(line))?;
                }
            }
        }
    }
    out.flush()?;
    session.observer.clear();
    if refused == 0 {
        return Ok(());
    }
    let cards = output::count(refused, "card was", "cards were");
    Err(BadInput(format!("{cards} refused; all others were answered")).into())
}

/// Formats a refusal, without the name of the field if all problems are about the card.
fn sentence(refusal: &Refusal) -> String {
    if refusal.problems.iter().any(|problem| problem.field != "card") {
        return refusal.error.clone();
    }
    refusal.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
}
