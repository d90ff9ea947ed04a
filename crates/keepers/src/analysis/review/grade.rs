//! Names for how well a game was played.

use crate::game::objective::Objective;

/// How well a game was played, by what a decision lost on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Nothing was lost.
    Perfect,
    /// A game like few people play.
    Master,
    /// Rarely wrong, and then by little.
    Expert,
    /// Knows what the boxes are worth.
    Advanced,
    /// Plays for the bonus and for the large boxes, with gaps.
    Intermediate,
    /// Plays by feeling.
    Casual,
    /// Hardly a plan.
    Beginner,
}

impl Grade {
    /// Every grade but the last with the largest average loss, in points, that still earns it.
    ///
    /// A game of Yahtzee has about 38 decisions: an expert gives away less than six points in it.
    pub const POINTS: [(Grade, f64); 6] = [
        (Grade::Perfect, 0.0),
        (Grade::Master, 0.05),
        (Grade::Expert, 0.15),
        (Grade::Advanced, 0.35),
        (Grade::Intermediate, 0.7),
        (Grade::Casual, 1.4),
    ];

    /// How much probability a point stands for: near the middle of the distribution of final scores a
    /// point more is worth about that much chance.
    pub const CHANCE_OF_A_POINT: f64 = 0.006;

    /// The grade for an average loss in points.
    ///
    /// ```
    /// use keepers::Grade;
    /// assert_eq!(Grade::of_points(0.1), Grade::Expert);
    /// assert_eq!(Grade::of_chance(0.0001), Grade::Master);
    /// assert_eq!(Grade::Beginner.to_string(), "beginner");
    /// ```
    pub fn of_points(error: f64) -> Grade {
        let earned = Grade::POINTS.iter().find(|(_, most)| error <= *most);
        earned.map_or(Grade::Beginner, |(grade, _)| *grade)
    }

    /// The grade for an average loss in probability.
    pub fn of_chance(error: f64) -> Grade {
        Grade::of_points(error / Grade::CHANCE_OF_A_POINT)
    }

    /// The grade for an average loss in what an objective counts; nothing for worths from a file,
    /// which have a unit of their own.
    pub fn of(objective: &Objective, error: f64) -> Option<Grade> {
        match objective {
            Objective::Expected => Some(Grade::of_points(error)),
            Objective::Reach(_) | Objective::Win => Some(Grade::of_chance(error)),
            // Chances are small in a large field: what counts is the share of a fair share, as if
            // there were two players.
            Objective::Tournament(opponents) => {
                Some(Grade::of_chance(error * (f64::from(*opponents) + 1.0) / 2.0))
            }
            Objective::Utility(_) => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Perfect => "perfect",
            Grade::Master => "master",
            Grade::Expert => "expert",
            Grade::Advanced => "advanced",
            Grade::Intermediate => "intermediate",
            Grade::Casual => "casual",
            Grade::Beginner => "beginner",
        }
    }
}

impl std::fmt::Display for Grade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
