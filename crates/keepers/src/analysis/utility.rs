//! Reading what final scores are worth.
//!
//! A CSV of score and worth, scores rising; a heading, empty lines and lines that start with `#` are
//! passed over. Between two scores the worth is on the straight line between them; with the word
//! `step` alone on the first line it stays as it was until the next score. Before the first score it
//! is that of the first, after the last that of the last.

use std::fmt;

use crate::text::csv::{KEPT_PROBLEMS, data_lines};
use crate::text::quote;

/// The highest score that a file may name.
const MOST: u16 = u16::MAX;

/// The largest worth either way: sums over all rolls must not overflow.
const MOST_WORTH: f64 = 1e100;

/// Everything wrong with a file of worths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UtilityError {
    /// Each problem with its line.
    pub problems: Vec<(usize, String)>,
}

impl fmt::Display for UtilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = |(line, text): &(usize, String)| format!("line {line}: {text}");
        f.write_str(&self.problems.iter().map(problem).collect::<Vec<_>>().join("; "))
    }
}

/// What each final score from 0 on is worth; scores past the end are worth as much as the last.
///
/// ```
/// let worth = keepers::internals::utility::parse("score,worth\n1,0\n3,1").unwrap();
/// assert_eq!(worth, [0.0, 0.0, 0.5, 1.0]);
/// let worth = keepers::internals::utility::parse("step\n1,0\n3,1").unwrap();
/// assert_eq!(worth, [0.0, 0.0, 0.0, 1.0]);
/// ```
pub fn parse(text: &str) -> Result<Vec<f64>, UtilityError> {
    let mut problems = Vec::new();
    let mut points: Vec<(u16, f64)> = Vec::new();
    let (step, lines) = data_lines(text, Some("step"));
    for (number, line) in lines {
        if problems.len() == KEPT_PROBLEMS {
            break;
        }
        let read = line.split_once(',').and_then(|(score, worth)| {
            let worth = worth.trim().parse::<f64>().ok().filter(|worth| worth.abs() <= MOST_WORTH)?;
            Some((score.trim().parse::<u16>().ok()?, worth))
        });
        match read {
            None => {
                let line = quote(line);
                let right = format!(
                    "write score,worth with a whole score from 0 to {MOST} and a worth from -1e100 to 1e100"
                );
                problems
                    .push((number, format!("\"{line}\" is not a score and its worth: {right}, like 300,1")));
            }
            Some((score, _)) if points.last().is_some_and(|(last, _)| score <= *last) => {
                problems.push((
                    number,
                    format!("{score} is not higher than the score before it: scores must rise"),
                ));
            }
            Some(point) => points.push(point),
        }
    }
    if points.is_empty() && problems.is_empty() {
        problems.push((1, "there is no score: write score,worth on a line, like 300,1".to_string()));
    }
    if problems.is_empty() { Ok(every_score(&points, step)) } else { Err(UtilityError { problems }) }
}

fn every_score(points: &[(u16, f64)], step: bool) -> Vec<f64> {
    let (last, _) = points[points.len() - 1];
    (0..=last)
        .map(|score| match points.partition_point(|(known, _)| *known <= score) {
            0 => points[0].1,
            next if step || next == points.len() => points[next - 1].1,
            next => {
                let ((from, before), (to, after)) = (points[next - 1], points[next]);
                before + (after - before) * f64::from(score - from) / f64::from(to - from)
            }
        })
        .collect()
}
