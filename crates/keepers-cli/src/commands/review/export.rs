//! Reviews for programs: JSON, an object a record; CSV, a line a decision.

use std::fmt::Write;

use keepers::advise::Action;
use keepers::review::{Decision, Grade, Review, ReviewedRoll, ReviewedTurn};
use keepers::{Objective, Rules};
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

#[derive(Serialize)]
pub struct Answer<'a> {
    file: &'a str,
    rules: &'a str,
    objective: String,
    tags: Vec<(&'a str, &'a str)>,
    players: Vec<Player<'a>>,
}

#[derive(Serialize)]
struct Player<'a> {
    name: &'a str,
    finished: bool,
    score: u16,
    card: String,
    start: f64,
    luck: f64,
    others: f64,
    loss: f64,
    end: f64,
    rolls: usize,
    decisions: usize,
    error: f64,
    grade: Option<&'static str>,
    turns: Vec<Turn>,
}

#[derive(Serialize)]
struct Turn {
    card: String,
    others: f64,
    luck: f64,
    loss: f64,
    value: f64,
    rolls: Vec<Rolled>,
}

#[derive(Serialize)]
struct Rolled {
    roll: String,
    rolls_left: u8,
    luck: f64,
    value: f64,
    loss: f64,
    decisions: Vec<Decided>,
}

#[derive(Serialize)]
struct Decided {
    #[serde(flatten)]
    choice: Choice,
    value: f64,
    loss: f64,
    rank: usize,
    choices: usize,
    best: Choice,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice {
    Keep { keep: String },
    Score { score: String, points: u16, extra: u16 },
}

pub fn answer<'a>(judged: &'a Judged<'_>, objective: &Objective) -> Answer<'a> {
    let rules = judged.game.rules();
    let player = |review: &Review| Player {
        name: &judged.record.players()[review.player],
        finished: review.is_finished(),
        score: review.card.total(),
        card: review.card.to_string(),
        start: review.start,
        luck: review.luck(),
        others: review.others(),
        loss: review.loss(),
        end: review.end,
        rolls: review.rolls(),
        decisions: review.decisions(),
        error: review.error(),
        grade: Grade::of(objective, review.error()).map(Grade::name),
        turns: review.turns.iter().map(|turn| turn_of(turn, rules)).collect(),
    };
    Answer {
        file: judged.name,
        rules: rules.name(),
        objective: objective.to_string(),
        tags: judged.record.tags().iter().map(|(key, value)| (key.as_str(), value.as_str())).collect(),
        players: judged.reviews.iter().map(player).collect(),
    }
}

fn turn_of(turn: &ReviewedTurn, rules: &Rules) -> Turn {
    let decided = |decision: &Decision| Decided {
        choice: choice(decision.action, rules),
        value: decision.value,
        loss: decision.loss,
        rank: decision.rank,
        choices: decision.choices,
        best: choice(decision.best, rules),
    };
    let rolled = |roll: &ReviewedRoll| Rolled {
        roll: roll.roll.to_string(),
        rolls_left: roll.rolls_left,
        luck: roll.luck,
        value: roll.value,
        loss: roll.loss(),
        decisions: roll.decisions.iter().map(decided).collect(),
    };
    Turn {
        card: turn.card.to_string(),
        others: turn.others,
        luck: turn.luck(),
        loss: turn.loss(),
        value: turn.value,
        rolls: turn.rolls.iter().map(rolled).collect(),
    }
}

fn choice(action: Action, rules: &Rules) -> Choice {
    match action {
        Action::Keep(keep) => Choice::Keep { keep: keep.to_string() },
        Action::Score(entry) => Choice::Score {
            score: rules.boxes()[entry.into].id.clone(),
            points: entry.points,
            extra: entry.extra,
        },
    }
}

/// A line a decision. The luck of a roll stands with its first decision.
pub fn csv(judged: &Judged<'_>) -> String {
    let rules = judged.game.rules();
    let written = |action| match choice(action, rules) {
        Choice::Keep { keep } => keep,
        Choice::Score { score, points, extra: 0 } => format!("{score}={points}"),
        Choice::Score { score, points, extra } => format!("{score}={points}+{extra}"),
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
