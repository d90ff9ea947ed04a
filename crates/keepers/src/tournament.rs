//! Blind tournaments (Perkins, section 3): one game each, nobody sees the others, the best score wins.

use crate::objective::{Objective, ObjectiveError};
use crate::quote::quote;

/// The most opponents that a tournament may have.
pub const MOST_OPPONENTS: u32 = 1_000_000_000;

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
/// use keepers::tournament::{Ties, win_chance};
/// let coin = [0.5, 0.5]; // a score of 0 or 1
/// assert_eq!(win_chance(&coin, 2, Ties::Lose), [0.0, 0.25, 1.0]);
/// let shared = win_chance(&coin, 1, Ties::Share);
/// assert!((shared[1] - 0.75).abs() < 1e-15); // half the ties
/// assert!(win_chance(&[0.6, 0.4 - 1e-12, 1e-12], 10_000, Ties::Share).is_sorted());
/// ```
pub fn win_chance(scores: &[f64], opponents: u32, ties: Ties) -> Vec<f64> {
    let exponent = f64::from(opponents);
    let mut below = 0.0_f64;
    let mut chances = Vec::with_capacity(scores.len() + 1);
    for &p in scores {
        let up_to = (below + p).min(1.0);
        let chance = match ties {
            // Nobody reaches it: Pr(M < s).
            Ties::Lose => below.powf(exponent),
            // The mean of 1 / (1 + equals), in closed form: the difference of up_to^(n+1) and below^(n+1)
            // over (n+1) p, written so that nothing cancels out.
            Ties::Share if up_to > below => {
                let (more, equal) = (exponent + 1.0, (p / up_to).min(1.0));
                up_to.powf(exponent) * -(more * (-equal).ln_1p()).exp_m1() / (more * equal)
            }
            Ties::Share => below.powf(exponent),
        };
        // More points are never worth less, whatever the last digit says.
        chances.push(chances.last().map_or(chance, |&before: &f64| chance.max(before)));
        below = up_to;
    }
    chances.push(below.powf(exponent));
    chances
}

/// The distribution of the best of so many independent players' final scores.
pub fn best_of(scores: &[f64], players: u32) -> Vec<f64> {
    let mut up_to = 0.0_f64;
    let mut before = 0.0;
    scores
        .iter()
        .map(|p| {
            up_to = (up_to + p).min(1.0);
            let now = up_to.powf(f64::from(players));
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
    #[error("{}: write a whole number from 0 to {most} on each line, or with a comma how often it was seen", not_scores(.0), most = u16::MAX)]
    NotScores(Vec<(usize, String)>),
    /// No score at all.
    #[error("there is no score: write one on each line")]
    Empty,
}

/// The first lines that are no scores; a file of another kind has nothing else.
fn not_scores(lines: &[(usize, String)]) -> String {
    const MOST: usize = 8;
    let mut told: Vec<String> = lines
        .iter()
        .take(MOST)
        .map(|(number, line)| format!("line {number}: \"{line}\" is not a score"))
        .collect();
    if lines.len() > MOST {
        told.push(format!("and so are {} more lines", lines.len() - MOST));
    }
    told.join("; ")
}

/// The distribution of observed final scores, one on each line, or each with a comma and how often it was
/// seen, as `keepers simulate --csv` writes them; a first line without digits, empty lines and lines that start
/// with `#` are passed over.
///
/// ```
/// use keepers::tournament::observed_scores;
/// assert_eq!(observed_scores("2\n0\n2\n2\n").unwrap(), [0.25, 0.0, 0.75]);
/// assert_eq!(observed_scores("score,games\n0,1\n1,0\n2,3").unwrap(), [0.25, 0.0, 0.75]);
/// ```
pub fn observed_scores(text: &str) -> Result<Vec<f64>, ScoresError> {
    let mut counts: Vec<f64> = Vec::new();
    let mut wrong = Vec::new();
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    lines.next_if(|(_, line)| line.contains(',') && !line.contains(|c: char| c.is_ascii_digit()));
    for (number, line) in lines {
        let (score, times) = line.split_once(',').unwrap_or((line, "1"));
        let (Ok(score), Ok(times)) = (score.trim().parse::<u16>(), times.trim().parse::<u32>()) else {
            wrong.push((number, quote(line)));
            continue;
        };
        if counts.len() <= score.into() {
            counts.resize(usize::from(score) + 1, 0.0);
        }
        counts[usize::from(score)] += f64::from(times);
    }
    if !wrong.is_empty() {
        return Err(ScoresError::NotScores(wrong));
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
/// use keepers::{Objective, tournament::read_kinds};
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
