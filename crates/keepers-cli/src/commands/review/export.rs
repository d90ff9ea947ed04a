//! Reviews for programs: JSON, an object a record; CSV, a line a decision.

use std::fmt::Write;

use keepers::Objective;
use keepers::review::Decision;
use keepers_web::views::{Done, ReviewView, reviewed};
use serde::Serialize;

use super::Judged;

/// The first line of a CSV.
pub const HEADING: &str =
    "file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices\n";

#[derive(Serialize)]
pub struct Refusal<'a> {
    file: &'a str,
    error: &'a str,
}

pub fn refusal<'a>(file: &'a str, error: &'a str) -> Refusal<'a> {
    Refusal { file, error }
}

/// A record and its reviews.
#[derive(Serialize)]
pub struct Answer<'a> {
    file: &'a str,
    #[serde(flatten)]
    review: ReviewView,
}

pub fn answer<'a>(judged: &'a Judged<'_>, objective: &Objective) -> Answer<'a> {
    let review = reviewed(judged.game.rules(), &judged.record, &judged.reviews, objective);
    Answer { file: judged.name, review }
}

/// A line a decision. The luck of a roll stands with its first decision.
pub fn csv(judged: &Judged<'_>) -> String {
    let rules = judged.game.rules();
    let written = |action| match Done::new(action, rules) {
        Done::Keep { keep } => keep,
        Done::Score { score, points, extra: 0 } => format!("{score}={points}"),
        Done::Score { score, points, extra } => format!("{score}={points}+{extra}"),
    };
    let mut out = String::new();
    for review in &judged.reviews {
        let (file, player) = (quoted(judged.name), quoted(&judged.record.players()[review.player]));
        for (turn, of) in (1..).zip(&review.turns) {
            for (number, roll) in (1..).zip(&of.rolls) {
                let (dice, left) = (roll.roll, roll.rolls_left);
                let mut line = |luck: String, rest: String| {
                    writeln!(out, "{file},{player},{turn},{number},{dice},{left},{luck},{rest}")
                        .expect("writing to a string does not fail");
                };
                if roll.decisions.is_empty() {
                    line(roll.luck.to_string(), ",,,,,".into());
                }
                for (place, made) in roll.decisions.iter().enumerate() {
                    let luck = if place == 0 { roll.luck } else { 0.0 };
                    let (action, best) = (written(made.action), written(made.best));
                    let Decision { value, loss, rank, choices, .. } = made;
                    line(luck.to_string(), format!("{action},{value},{best},{loss},{rank},{choices}"));
                }
            }
        }
    }
    out
}

/// A field that may hold commas and quotes.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
