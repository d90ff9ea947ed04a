//! `keepers value`: the expected final score from a card.

use std::io::{self, BufRead, Write};

use keepers::advise::Prospect;
use keepers::{Card, ExpectedTable};
use serde::Serialize;

use crate::args::Value;
use crate::bad_input::BadInput;
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    card: String,
    value: f64,
}

#[derive(Serialize)]
struct Refusal<'a> {
    card: &'a str,
    error: String,
}

pub fn run(session: &Session, args: &Value) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    if args.card == "-" {
        return batch(session, &session.engine.expected(&game));
    }
    let card = Card::parse(&game, &args.card).map_err(|error| BadInput(format!("card: {error}")))?;
    let value = session.engine.expected(&game).value(&card);
    if session.json {
        return output::json(&Answer { card: card.to_string(), value });
    }
    let total = f64::from(card.total());
    output::text(&format!(
        "expected final score {value:.4}: {total} on the card, {:.4} to come in {}",
        value - total,
        output::count(card.open_boxes().len(), "open box", "open boxes")
    ))
}

/// A card a line in, an answer a line out. Bad lines are answered in their place too.
fn batch(session: &Session, table: &ExpectedTable) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut input = io::BufReader::new(io::stdin().lock());
    let mut problems = 0;
    let mut line = Vec::new();
    for number in 1.. {
        // Whoever waits for an answer before the next card gets it.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
        let line = line.trim_end_matches('\r');
        match Card::parse(table.game(), line) {
            Ok(card) => {
                let value = table.value(&card);
                if session.json {
                    serde_json::to_writer(&mut out, &Answer { card: card.to_string(), value })?;
                    writeln!(out)?;
                } else {
                    writeln!(out, "{value:.4}\t{card}")?;
                }
            }
            Err(error) => {
                problems += 1;
                anstream::eprintln!("keepers: line {number}: {error}");
                if session.json {
                    serde_json::to_writer(&mut out, &Refusal { card: line, error: error.to_string() })?;
                    writeln!(out)?;
                } else {
                    writeln!(out, "-\t{line}")?;
                }
            }
        }
    }
    out.flush()?;
    if problems == 0 {
        return Ok(());
    }
    let cards = output::count(problems, "card was", "cards were");
    Err(BadInput(format!("{cards} not understood; the others are answered")).into())
}
