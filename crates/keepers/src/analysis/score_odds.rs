//! [`ScoreOdds`]: the best probability of reaching each final score.

use std::fmt;

/// The best probability of reaching each final score or more. Each score has its own best strategy, so this is not the
/// distribution of one strategy's scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreOdds(Vec<f64>);

impl ScoreOdds {
    pub(crate) fn new(probabilities: Vec<f64>) -> ScoreOdds {
        ScoreOdds(probabilities)
    }

    /// Returns the best probability of a final score of at least `score`, or 0 if that is out of reach.
    pub fn at_least(&self, score: u16) -> f64 {
        self.0.get(usize::from(score)).copied().unwrap_or(0.0)
    }

    /// Returns the probabilities of all scores, from 0 to the highest that can be reached.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

impl From<ScoreOdds> for Vec<f64> {
    /// Returns the probabilities of all scores, from 0 to the highest that can be reached.
    fn from(odds: ScoreOdds) -> Vec<f64> {
        odds.0
    }
}

impl fmt::Display for ScoreOdds {
    /// Writes one line per score. The precision of the format applies to the probabilities; the default is 6 decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(6);
        self.0.iter().enumerate().try_for_each(|(score, p)| writeln!(f, "{score:>4}  {p:.decimals$}"))
    }
}
