//! The dice that a player had, compared with what is expected.

use crate::analysis::review::Review;
use crate::dice::{Face, Keep};
use crate::game::rules::Action;

/// The dice of some games of one player.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DiceStatistics {
    /// The number of rolls.
    pub rolls: usize,
    /// The luck of all rolls. It is 0 on average.
    pub luck: f64,
    /// The standard deviation of the luck of these rolls, from the exact variance of each.
    pub deviation: f64,
    /// How often each face was thrown.
    pub faces: Vec<FaceCount>,
}

/// How often a face was thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FaceCount {
    /// The face.
    pub face: Face,
    /// The number of thrown dice that showed it.
    pub count: usize,
    /// The number that is expected.
    pub expected: f64,
    /// The standard deviation of the number.
    pub deviation: f64,
}

impl DiceStatistics {
    /// Sums up the dice of some games with the same rules.
    pub(super) fn of<'a>(reviews: impl Iterator<Item = &'a Review>) -> DiceStatistics {
        let (mut rolls, mut luck, mut variance, mut counts) = (0, 0.0, 0.0, Vec::new());
        for review in reviews {
            let faces = Face::all(review.card.rules().faces());
            counts.resize(faces.clone().count(), 0);
            for turn in &review.turns {
                let mut kept = Keep::NOTHING;
                for roll in &turn.rolls {
                    rolls += 1;
                    luck += roll.luck;
                    variance += roll.luck_variance;
                    for (count, face) in counts.iter_mut().zip(faces.clone()) {
                        *count += usize::from(roll.roll.dice().count(face) - kept.count(face));
                    }
                    if let Some(Action::Keep(keep)) = roll.decisions.first().map(|decision| decision.action) {
                        kept = keep;
                    }
                }
            }
        }
        let (thrown, share) = (counts.iter().sum::<usize>() as f64, 1.0 / counts.len().max(1) as f64);
        let face = |(face, count): (Face, &usize)| FaceCount {
            face,
            count: *count,
            expected: thrown * share,
            deviation: (thrown * share * (1.0 - share)).sqrt(),
        };
        let faces = Face::all(counts.len() as u8).zip(&counts).map(face).collect();
        DiceStatistics { rolls, luck, deviation: variance.sqrt(), faces }
    }

    /// Returns the luck in standard deviations. Returns `None` if no roll could be lucky or unlucky.
    pub fn score(&self) -> Option<f64> {
        (self.deviation > 0.0).then(|| self.luck / self.deviation)
    }
}
