//! Formats the review of one game: a line per roll, a sum per turn, the ledger, and the worst decisions.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use keepers::answers::ReviewedRoll;
use keepers::internals::review::Moment;
use keepers::{Review, Rules};
use keepers_api::{ReasonView, ReviewAnswer};

use super::words::{self, Words};
use crate::commands::advise::sentences;
use crate::output::{self, escaped};

pub fn page(answer: &ReviewAnswer, words: &Words<'_>, worst: usize) -> String {
    let mut out = String::new();
    for (key, value) in &answer.tags {
        writeln!(out, "{}: {}", escaped(key), escaped(value)).expect("writing to a string does not fail");
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let players = answer.reviews.iter().map(|review| player(answer, review, words, worst));
    out + &players.collect::<Vec<_>>().join("\n\n")
}

fn player(answer: &ReviewAnswer, review: &Review, words: &Words<'_>, worst: usize) -> String {
    let rules = review.card.rules();
    let name = escaped(&answer.record.players()[review.player]);
    let bold = Style::new().bold();
    let title = format!("{bold}{name}{bold:#}: {}, playing for {}", rules.name(), words.played_for());
    let why = answer.reasons(review, worst).iter().map(explained).collect::<Vec<_>>().join("\n\n");
    let parts = [
        title,
        rolls(review, words, rules),
        ledger(review, words),
        mistakes(review, words, rules, worst),
        why,
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The style of a line.
#[derive(Clone, Copy)]
enum Look {
    Plain,
    Lossy,
    Sum,
}

fn rolls(review: &Review, words: &Words<'_>, rules: &Rules) -> String {
    let mut lines: Vec<(Look, Vec<String>)> = Vec::new();
    for (number, turn) in (1..).zip(&review.turns) {
        if turn.others != 0.0 {
            let change = words.change(turn.others);
            lines.push((Look::Plain, cells(["", "", "opponents' turns", &change, "", ""])));
        }
        for (index, roll) in turn.rolls.iter().enumerate() {
            let turn = if index == 0 { number.to_string() } else { String::new() };
            let look = if roll.loss() > 0.0 { Look::Lossy } else { Look::Plain };
            let luck = words.change(roll.luck);
            let (made, better) = choice(roll, rules);
            let line = [&turn, &roll.roll.to_string(), &made, &luck, &words.loss(roll.loss()), &better];
            lines.push((look, cells(line.map(String::as_str))));
        }
        let value = format!("value {}", words.amount(turn.value));
        let luck = words.change(turn.luck());
        lines.push((Look::Sum, cells(["", "", "", &luck, &words.loss(turn.loss()), &value])));
    }
    if review.others_after != 0.0 {
        let change = words.change(review.others_after);
        lines.push((Look::Plain, cells(["", "", "opponents' turns", &change, "", ""])));
    }
    let table = output::table(
        &[">turn", "roll", "choice", ">luck", ">loss", "best"],
        lines.iter().map(|(_, line)| line.clone()),
    );
    // The heading takes two lines.
    let looks = [Look::Plain; 2].into_iter().chain(lines.iter().map(|(look, _)| *look));
    let shown: Vec<String> = table.lines().zip(looks).map(|(line, look)| dressed(line, look)).collect();
    shown.join("\n")
}

fn cells(line: [&str; 6]) -> Vec<String> {
    line.map(str::to_string).to_vec()
}

fn dressed(line: &str, look: Look) -> String {
    let style = match look {
        Look::Plain => return line.to_string(),
        Look::Lossy => AnsiColor::Yellow.on_default(),
        Look::Sum => Style::new().dimmed(),
    };
    format!("{style}{line}{style:#}")
}

/// Describes the choice for a roll, and the best one if that was different.
fn choice(roll: &ReviewedRoll, rules: &Rules) -> (String, String) {
    let said = |action| words::action(action, rules, usize::from(rules.dice()));
    // A keep of all dice is not shown: the entry after it implies it.
    let made = roll.decisions.last().map_or(String::new(), |decision| said(decision.action));
    let lossy = roll.decisions.iter().filter(|decision| decision.loss > 0.0);
    let better: Vec<String> = lossy.map(|decision| said(decision.best)).collect();
    (made, better.join(", or "))
}

fn ledger(review: &Review, words: &Words<'_>) -> String {
    let decisions = review.decisions();
    let mut rows = vec![
        ["value at the start".to_string(), words.amount(review.start)],
        [format!("luck of {}", output::count(review.rolls(), "roll", "rolls")), words.change(review.luck())],
    ];
    if review.others() != 0.0 {
        rows.push(["opponents' turns".to_string(), words.change(review.others())]);
    }
    let lost = format!("loss of {}", output::count(decisions, "decision", "decisions"));
    rows.push([lost, words.lost(review.loss())]);
    let end = if review.is_finished() { "value at the end" } else { "value so far" };
    rows.push([end.to_string(), words.amount(review.end)]);
    let score = match review.is_finished() {
        true => format!("final score {}", review.card.total()),
        false => format!("{} points so far", review.card.total()),
    };
    let wide = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let far = rows.iter().map(|row| row[1].chars().count()).max().unwrap_or(0);
    let lines: Vec<String> =
        rows.iter().map(|[what, value]| format!(" {what:wide$}  {value:>far$}")).collect();
    let error = words.amount(review.error().abs());
    let grade = match words.grade(review.error()).as_str() {
        "-" => String::new(),
        grade => format!(": {grade}"),
    };
    let kinds = kinds(review, words);
    format!("{}\n\n{score}, {error} lost per decision{grade}{kinds}", lines.join("\n"))
}

/// Describes the decisions with exact values and those with estimates, if there are estimates.
fn kinds(review: &Review, words: &Words<'_>) -> String {
    let [(exact, lost), (estimated, maybe)] = [true, false].map(|exact| review.decided(exact));
    if estimated == 0 {
        return String::new();
    }
    let mean = |decisions: usize, loss: f64| words.amount((loss / decisions.max(1) as f64).abs());
    format!(
        "\n{} with exact values: {} lost per decision; {} with estimated values: {}",
        output::count(exact, "decision", "decisions"),
        mean(exact, lost),
        estimated,
        mean(estimated, maybe)
    )
}

/// Formats the reasons of one decision, below its turn and roll.
fn explained((moment, reasons): &(Moment<'_>, &[ReasonView])) -> String {
    let at = format!("Turn {}, roll {}:", moment.turn, moment.number);
    format!("{at}\n{}", sentences(reasons))
}

fn mistakes(review: &Review, words: &Words<'_>, rules: &Rules, worst: usize) -> String {
    let rows: Vec<Vec<String>> = review
        .worst()
        .iter()
        .take(worst)
        .map(|moment| [vec![words.amount(moment.decision.loss)], words::mistake(moment, rules)].concat())
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    output::table(&[">worst loss", ">turn", ">roll", "dice", "choice", "best", "rank"], rows)
}
