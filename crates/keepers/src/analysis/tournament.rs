//! Blind tournaments (Perkins, section 3): every player plays one game without seeing the other cards, and the highest
//! score wins.

use libm::{expm1, log1p, pow};

pub use crate::game::objective::MAX_OPPONENTS;
use crate::game::objective::{Objective, ObjectiveError};
use crate::text::csv::{KEPT_PROBLEMS, data_lines};
use crate::text::quote;

/// How a tie for the highest score counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// A win needs a strictly higher score than every opponent (as in Perkins).
    Lose,
    /// All players with the highest score share the win equally.
    Share,
}

/// Returns the probability of winning with each final score, against `opponents` independent players whose final scores
/// have the distribution `scores`. The last element is for all scores above those of the distribution.
///
/// ```
/// use keepers::Ties;
/// use keepers::internals::tournament::win_probability;
/// let coin = [0.5, 0.5]; // a score of 0 or 1
/// assert_eq!(win_probability(&coin, 2, Ties::Lose), [0.0, 0.25, 1.0]);
/// let shared = win_probability(&coin, 1, Ties::Share);
/// assert!((shared[1] - 0.75).abs() < 1e-15); // half the ties
/// assert!(win_probability(&[0.6, 0.4 - 1e-12, 1e-12], 10_000, Ties::Share).is_sorted());
/// ```
pub fn win_probability(scores: &[f64], opponents: u32, ties: Ties) -> Vec<f64> {
    let exponent = f64::from(opponents);
    let mut below = 0.0_f64;
    let mut probabilities = Vec::with_capacity(scores.len() + 1);
    for &p in scores {
        let up_to = (below + p).min(1.0);
        let probability = match ties {
            // The probability that every opponent has less, Pr(M < s).
            Ties::Lose => pow(below, exponent),
            // With k opponents on the same score and all others below it, the share is 1 / (1 + k). Its mean is
            // (up_to^(n+1) - below^(n+1)) / ((n+1) p), here written without the cancellation of nearly equal numbers.
            Ties::Share if up_to > below => {
                let (more, equal) = (exponent + 1.0, (p / up_to).min(1.0));
                pow(up_to, exponent) * -expm1(more * log1p(-equal)) / (more * equal)
            }
            Ties::Share => pow(below, exponent),
        };
        // More points never win less often: rounding must not make the sequence fall.
        probabilities.push(probabilities.last().map_or(probability, |&before: &f64| probability.max(before)));
        below = up_to;
    }
    probabilities.push(pow(below, exponent));
    probabilities
}

/// Returns the distribution of the highest final score of `players` independent players, each with the distribution
/// `scores`.
pub fn best_of(scores: &[f64], players: u32) -> Vec<f64> {
    let mut up_to = 0.0_f64;
    let mut before = 0.0;
    scores
        .iter()
        .map(|p| {
            up_to = (up_to + p).min(1.0);
            let now = pow(up_to, f64::from(players));
            let here = now - before;
            before = now;
            here
        })
        .collect()
}

/// Opponents of one kind: their number, and the distribution of the final score of each.
pub type Opponents<'a> = (u32, &'a [f64]);

/// The most opponents of a given field. Shared ties are integrated exactly up to this number.
pub const MAX_GIVEN: u32 = 100;

/// Returns the probability of winning with each final score, against a given field of independent opponents of several
/// kinds. The last element is for all scores above those of the distributions.
///
/// ```
/// use keepers::Ties;
/// use keepers::internals::tournament::{win_probability, win_probability_among};
/// let (coin, die) = ([0.5, 0.5], [0.25, 0.25, 0.5]);
/// let field: [(u32, &[f64]); 2] = [(2, &coin), (1, &die)];
/// assert_eq!(win_probability_among(&field, Ties::Lose), [0.0, 0.0625, 0.5, 1.0]);
/// let share = win_probability_among(&[(3, &coin)], Ties::Share);
/// let equal = win_probability(&coin, 3, Ties::Share);
/// assert!(share.iter().zip(&equal).all(|(one, other)| (one - other).abs() < 1e-14));
/// ```
///
/// # Panics
/// If there are more than [`MAX_GIVEN`] opponents.
pub fn win_probability_among(field: &[Opponents<'_>], ties: Ties) -> Vec<f64> {
    assert!(field.iter().map(|(number, _)| number).sum::<u32>() <= MAX_GIVEN, "too many opponents");
    let len = field.iter().map(|(_, scores)| scores.len()).max().unwrap_or(0);
    let mut below = vec![0.0_f64; field.len()];
    let mut probabilities = Vec::with_capacity(len + 1);
    let product = |values: &mut dyn Iterator<Item = (u32, f64)>| -> f64 {
        values.map(|(number, p)| pow(p.min(1.0), f64::from(number))).product()
    };
    let at = |scores: &[f64], score: usize| scores.get(score).copied().unwrap_or(0.0);
    for score in 0..len {
        let of = |share: f64| {
            let kinds = field.iter().zip(&below);
            product(&mut kinds.map(|((number, scores), below)| (*number, below + share * at(scores, score))))
        };
        let probability = match ties {
            Ties::Lose => of(0.0),
            // With k opponents on the same score and all others below it, the share is 1 / (1 + k), the integral of
            // t^k from 0 to 1. Its mean is the integral of a polynomial whose degree is the number of opponents, which
            // Gauss's rule with 51 nodes integrates exactly up to degree 101.
            Ties::Share => gauss_legendre(51).iter().map(|(t, weight)| weight * of(*t)).sum(),
        };
        probabilities.push(probabilities.last().map_or(probability, |&before: &f64| probability.max(before)));
        for (below, (_, scores)) in below.iter_mut().zip(field) {
            *below = (*below + at(scores, score)).min(1.0);
        }
    }
    probabilities.push(product(&mut field.iter().zip(&below).map(|((number, _), below)| (*number, *below))));
    probabilities
}

/// Returns the distribution of the highest final score of a given field.
pub fn best_of_field(field: &[Opponents<'_>]) -> Vec<f64> {
    let len = field.iter().map(|(_, scores)| scores.len()).max().unwrap_or(0);
    let mut up_to = vec![0.0_f64; field.len()];
    let mut before = 0.0;
    let mut best = Vec::with_capacity(len);
    for score in 0..len {
        let mut now = 1.0;
        for (up_to, (number, scores)) in up_to.iter_mut().zip(field) {
            *up_to = (*up_to + scores.get(score).copied().unwrap_or(0.0)).min(1.0);
            now *= pow(*up_to, f64::from(*number));
        }
        best.push(now - before);
        before = now;
    }
    best
}

/// Returns the nodes and weights of Gauss's rule for integrals from 0 to 1: the zeros of a Legendre polynomial, by
/// Newton's method.
fn gauss_legendre(nodes: usize) -> Vec<(f64, f64)> {
    let n = nodes as f64;
    let node = |nth: usize| {
        let mut x = libm::cos(std::f64::consts::PI * (nth as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        for _ in 0..20 {
            // The recurrence of Legendre polynomials: (k + 1) P(k + 1) = (2 k + 1) x P(k) - k P(k - 1).
            let (mut last, mut this) = (1.0, x);
            for k in 1..nodes {
                let k = k as f64;
                (last, this) = (this, ((2.0 * k + 1.0) * x * this - k * last) / (k + 1.0));
            }
            slope = n * (x * this - last) / (x * x - 1.0);
            let step = this / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        ((1.0 + x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..nodes).map(node).collect()
}

/// The reason why a given field of opponents cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// An objective cannot be read.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// A number of opponents cannot be read.
    #[error("\"{0}\" is not a strategy and its number of players: write it like reach:300*3")]
    Number(String),
    /// There are too many opponents.
    #[error("{0} opponents are too many for a given field: give 1 to {MAX_GIVEN}")]
    Many(u32),
}

/// Reads a given field of opponents: strategies, each with its number of players.
///
/// ```
/// use keepers::Objective;
/// use keepers::internals::tournament::read_field;
/// let field = read_field("expected*7,reach:300*3").unwrap();
/// assert_eq!(field, [(7, Objective::Expected), (3, Objective::Reach(300))]);
/// assert!(read_field("expected").is_err() && read_field("expected*101").is_err());
/// ```
pub fn read_field(text: &str) -> Result<Vec<(u32, Objective)>, FieldError> {
    let kind = |part: &str| {
        let split = part.trim().rsplit_once('*');
        let number = split.and_then(|(_, number)| number.trim().parse::<u32>().ok()).filter(|n| *n > 0);
        let (Some((objective, _)), Some(number)) = (split, number) else {
            return Err(FieldError::Number(quote(part.trim())));
        };
        Ok((number, objective.trim().parse::<Objective>()?))
    };
    let field = text.split(',').map(kind).collect::<Result<Vec<_>, _>>()?;
    let all = field.iter().fold(0_u32, |all, (number, _)| all.saturating_add(*number));
    if all > MAX_GIVEN { Err(FieldError::Many(all)) } else { Ok(field) }
}

/// Returns the expected utility of a distribution of final scores. Scores beyond the end of `utility` have the utility
/// of its last element.
pub fn expected_utility(scores: &[f64], utility: &[f64]) -> f64 {
    scores.iter().enumerate().map(|(score, p)| p * utility[score.min(utility.len() - 1)]).sum()
}

/// The reason why a list of observed scores cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoresError {
    /// Some lines are not scores.
    #[error(
        "{}: write one score from 0 to {most} per line, or a score, a comma and how often it occurred",
        not_scores(lines, *invalid), most = u16::MAX
    )]
    NotScores {
        /// The first invalid lines, each with its number.
        lines: Vec<(usize, String)>,
        /// The number of all invalid lines.
        invalid: usize,
    },
    /// There is no score.
    #[error("there is no score: write one per line")]
    Empty,
}

/// Lists the first invalid lines and counts the others: a file of another kind consists of nothing else.
fn not_scores(lines: &[(usize, String)], invalid: usize) -> String {
    const SHOWN: usize = 8;
    let line = |(number, line): &(usize, String)| format!("line {number}: \"{line}\" is not a score");
    let shown: Vec<String> = lines.iter().take(SHOWN).map(line).collect();
    let more = match invalid.saturating_sub(SHOWN) {
        0 => String::new(),
        1 => " (and 1 more invalid line)".to_string(),
        more => format!(" (and {more} more invalid lines)"),
    };
    format!("{}{more}", shown.join("; "))
}

/// Reads observed final scores and returns their distribution. The text has one score per line, or a score, a comma and
/// how often it occurred, as `keepers simulate --csv` writes them. A heading (a first line with a comma and without
/// digits), empty lines and lines that start with `#` are skipped.
///
/// ```
/// use keepers::internals::tournament::observed_scores;
/// assert_eq!(observed_scores("2\n0\n2\n2\n").unwrap(), [0.25, 0.0, 0.75]);
/// assert_eq!(observed_scores("score,games\n0,1\n1,0\n2,3").unwrap(), [0.25, 0.0, 0.75]);
/// ```
pub fn observed_scores(text: &str) -> Result<Vec<f64>, ScoresError> {
    let mut counts: Vec<f64> = Vec::new();
    let (mut wrong, mut invalid) = (Vec::new(), 0);
    let (_, lines) = data_lines(text, None);
    for (number, line) in lines {
        let (score, times) = line.split_once(',').unwrap_or((line, "1"));
        let (Ok(score), Ok(times)) = (score.trim().parse::<u16>(), times.trim().parse::<u32>()) else {
            if wrong.len() < KEPT_PROBLEMS {
                wrong.push((number, quote(line)));
            }
            invalid += 1;
            continue;
        };
        if counts.len() <= score.into() {
            counts.resize(usize::from(score) + 1, 0.0);
        }
        counts[usize::from(score)] += f64::from(times);
    }
    if !wrong.is_empty() {
        return Err(ScoresError::NotScores { lines: wrong, invalid });
    }
    let all: f64 = counts.iter().sum();
    if all == 0.0 {
        return Err(ScoresError::Empty);
    }
    Ok(counts.into_iter().map(|count| count / all).collect())
}

/// The reason why a description of opponents cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KindsError {
    /// An objective cannot be read.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// The shares do not add up to 1.
    #[error("the shares in \"{0}\" add up to {1}: they must add up to 1, like expected:0.7,reach:300:0.3")]
    Shares(String, f64),
}

/// Reads how opponents play: one objective, or several with shares that add up to 1.
///
/// ```
/// use keepers::Objective;
/// use keepers::internals::tournament::read_kinds;
/// let kinds = read_kinds("expected:0.7,reach:300:0.3").unwrap();
/// assert_eq!(kinds, [(0.7, Objective::Expected), (0.3, Objective::Reach(300))]);
/// assert!(read_kinds("expected:0.7").is_err());
/// ```
pub fn read_kinds(text: &str) -> Result<Vec<(f64, Objective)>, KindsError> {
    let kind = |part: &str| -> Result<(f64, Objective), ObjectiveError> {
        // A part may end in its share or, without a share, in a number of the objective, as in reach:300. It has a
        // share only if the text before the last colon is an objective.
        let with_share = part.rsplit_once(':').and_then(|(objective, share)| {
            let share = share.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share))?;
            Some((share, objective.parse().ok()?))
        });
        with_share.map_or_else(|| Ok((1.0, part.parse()?)), Ok)
    };
    let kinds = text.split(',').map(|part| kind(part.trim())).collect::<Result<Vec<_>, _>>()?;
    let all: f64 = kinds.iter().map(|(share, _)| share).sum();
    if (all - 1.0).abs() > 1e-9 {
        return Err(KindsError::Shares(quote(text), all));
    }
    Ok(kinds)
}

/// Returns the distribution of the score of an opponent who is of each kind with the probability of its share.
pub fn mixture(kinds: &[(f64, Vec<f64>)]) -> Vec<f64> {
    let len = kinds.iter().map(|(_, scores)| scores.len()).max().unwrap_or(0);
    let at = |score: usize| kinds.iter().filter_map(|(share, scores)| Some(share * scores.get(score)?)).sum();
    (0..len).map(at).collect()
}
