//! Formats reviews for programs: refusals as JSON, and CSV with one line per decision.

use std::fmt::Write;

use keepers::answers::Decision;
use keepers::internals::text::csv_field;
use keepers_api::{Done, Problem, Refusal, ReviewAnswer};
use serde::Serialize;

/// The heading of the CSV.
pub const HEADING: &str =
    "file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices,open_boxes,exact\n";

/// A record that was refused.
#[derive(Serialize)]
pub struct Refused<'a> {
    file: &'a str,
    error: &'a str,
    problems: &'a [Problem],
}

pub fn refusal<'a>(file: &'a str, refusal: &'a Refusal) -> Refused<'a> {
    Refused { file, error: &refusal.error, problems: &refusal.problems }
}

/// Formats one line per decision. The luck of a roll is on the line of its first decision.
pub fn csv(file: &str, answer: &ReviewAnswer) -> String {
    let mut out = String::new();
    for review in &answer.reviews {
        let rules = review.card.rules();
        let written = |action| match Done::new(action, rules) {
            Done::Keep { keep } => keep,
            Done::Score { score, points, extra: 0 } => format!("{score}={points}"),
            Done::Score { score, points, extra } => format!("{score}={points}+{extra}"),
        };
        let (file, player) = (csv_field(file), csv_field(&answer.record.players()[review.player]));
        for (turn, of) in (1..).zip(&review.turns) {
            for (number, roll) in (1..).zip(&of.rolls) {
                let (dice, left) = (roll.roll, roll.rolls_left);
                let mut line = |luck: String, rest: String| {
                    let (open, exact) = (of.open_boxes, of.exact);
                    writeln!(
                        out,
                        "{file},{player},{turn},{number},{dice},{left},{luck},{rest},{open},{exact}"
                    )
                    .expect("writing to a string does not fail");
                };
                if roll.decisions.is_empty() {
                    line(roll.luck.to_string(), ",,,,,".into());
                }
                for (nth, made) in roll.decisions.iter().enumerate() {
                    let luck = if nth == 0 { roll.luck } else { 0.0 };
                    let (action, best) = (written(made.action), written(made.best));
                    let Decision { value, loss, rank, choices, .. } = made;
                    line(luck.to_string(), format!("{action},{value},{best},{loss},{rank},{choices}"));
                }
            }
        }
    }
    out
}
