//! Blind tournaments (Perkins, section 3): one game each, nobody sees the others, the best score wins.

use libm::{expm1, log1p, pow};

pub use crate::game::objective::MAX_OPPONENTS;
use crate::game::objective::{Objective, ObjectiveError};
use crate::text::csv::{KEPT_PROBLEMS, data_lines};
use crate::text::quote;

/// What happens when the best scores are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// A win needs a strictly higher score than every opponent, as in the paper.
    Lose,
    /// Equal winners share the win.
    Share,
}

/// The chance of winning with each final score against `opponents` independent players whose final
/// scores have this distribution.
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
        let chance = match ties {
            // Nobody reaches it: Pr(M < s).
            Ties::Lose => pow(below, exponent),
            // The mean of 1 / (1 + equals), in closed form: the difference of up_to^(n+1) and below^(n+1)
            // over (n+1) p, written so that nothing cancels out.
            Ties::Share if up_to > below => {
                let (more, equal) = (exponent + 1.0, (p / up_to).min(1.0));
                pow(up_to, exponent) * -expm1(more * log1p(-equal)) / (more * equal)
            }
            Ties::Share => pow(below, exponent),
        };
        // More points are never worth less, whatever the last digit says.
        probabilities.push(probabilities.last().map_or(chance, |&before: &f64| chance.max(before)));
        below = up_to;
    }
    probabilities.push(pow(below, exponent));
    probabilities
}

/// The distribution of the best of so many independent players' final scores.
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

/// The expected worth of a distribution of final scores.
pub fn expected_worth(scores: &[f64], worth: &[f64]) -> f64 {
    scores.iter().enumerate().map(|(score, p)| p * worth[score.min(worth.len() - 1)]).sum()
}

/// Something wrong with a list of observed scores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoresError {
    /// Lines that are no scores, each with its number.
    #[error(
        "{}: write a whole number from 0 to {most} on each line, or with a comma how often it was seen",
        not_scores(lines, *invalid), most = u16::MAX
    )]
    NotScores {
        /// The first of them.
        lines: Vec<(usize, String)>,
        /// How many there are.
        invalid: usize,
    },
    /// No score at all.
    #[error("there is no score: write one on each line")]
    Empty,
}

/// The first invalid lines; a file of another kind has nothing else.
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

/// The distribution of observed final scores, one on each line, or each with a comma and how often it was
/// seen, as `keepers simulate --csv` writes them; a first line without digits, empty lines and lines that start
/// with `#` are passed over.
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

/// Something wrong with how opponents play.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KindsError {
    /// An objective that cannot be read.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// Shares that are not all there is, or more.
    #[error("the shares in \"{0}\" add up to {1}: they must add up to 1, like expected:0.7,reach:300:0.3")]
    Shares(String, f64),
}

/// How opponents play: an objective, or several with shares that add up to one.
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
        // The share comes last, but an objective may end in a number too.
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

/// The distribution of a player drawn from several kinds, each with its share.
pub fn mixture(kinds: &[(f64, Vec<f64>)]) -> Vec<f64> {
    let len = kinds.iter().map(|(_, scores)| scores.len()).max().unwrap_or(0);
    let at = |score: usize| kinds.iter().filter_map(|(share, scores)| Some(share * scores.get(score)?)).sum();
    (0..len).map(at).collect()
}
