//! Reads utilities: CSV files that give each final score a utility.
//!
//! Each line has a score and its utility, and scores must increase. A heading, empty lines and lines that start with
//! `#` are skipped. Between two scores the utility is interpolated linearly; if the first line is the word `step`, it
//! stays constant up to the next score. Scores below the first have the utility of the first, scores above the last
//! that of the last.

use std::fmt;

use crate::text::csv::{KEPT_PROBLEMS, data_lines};
use crate::text::quote;

/// The highest score that a file may contain.
const MOST: u16 = u16::MAX;

/// The largest absolute utility: sums over all rolls must not overflow.
const MOST_UTILITY: f64 = 1e100;

/// All problems of a utility file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UtilityError {
    /// The problems, each with the number of its line.
    pub problems: Vec<(usize, String)>,
}

impl fmt::Display for UtilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = |(line, text): &(usize, String)| format!("line {line}: {text}");
        f.write_str(&self.problems.iter().map(problem).collect::<Vec<_>>().join("; "))
    }
}

/// Returns the utility of each final score, starting at 0. Higher scores have the utility of the last one.
///
/// ```
/// let utility = keepers::internals::utility::parse("score,utility\n1,0\n3,1").unwrap();
/// assert_eq!(utility, [0.0, 0.0, 0.5, 1.0]);
/// let utility = keepers::internals::utility::parse("step\n1,0\n3,1").unwrap();
/// assert_eq!(utility, [0.0, 0.0, 0.0, 1.0]);
/// ```
pub fn parse(text: &str) -> Result<Vec<f64>, UtilityError> {
    let mut problems = Vec::new();
    let mut points: Vec<(u16, f64)> = Vec::new();
    let (step, lines) = data_lines(text, Some("step"));
    for (number, line) in lines {
        if problems.len() == KEPT_PROBLEMS {
            break;
        }
        let read = line.split_once(',').and_then(|(score, utility)| {
            let utility =
                utility.trim().parse::<f64>().ok().filter(|utility| utility.abs() <= MOST_UTILITY)?;
            Some((score.trim().parse::<u16>().ok()?, utility))
        });
        match read {
            None => {
                let line = quote(line);
                let right = format!(
                    "write score,utility with a whole score from 0 to {MOST} and a utility from -1e100 to 1e100"
                );
                problems.push((
                    number,
                    format!("\"{line}\" is not a score and its utility: {right}, like 300,1"),
                ));
            }
            Some((score, _)) if points.last().is_some_and(|(last, _)| score <= *last) => {
                problems.push((
                    number,
                    format!("{score} is not higher than the score before it: scores must increase"),
                ));
            }
            Some(point) => points.push(point),
        }
    }
    if points.is_empty() && problems.is_empty() {
        problems.push((1, "the file has no scores: write score,utility on a line, like 300,1".to_string()));
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
