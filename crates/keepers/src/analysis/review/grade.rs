//! Grades for how well a game was played.

use crate::game::objective::Objective;

/// A grade for how well a game was played, by the mean loss per decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Every decision was among the best.
    Perfect,
    /// Few people play this well.
    Master,
    /// Mistakes are rare and small.
    Expert,
    /// The value of each box is well understood.
    Advanced,
    /// Plays for the bonus and the large boxes, with some mistakes.
    Intermediate,
    /// Plays by feeling.
    Casual,
    /// Plays without much of a plan.
    Beginner,
}

impl Grade {
    /// The largest mean loss per decision, in points, that earns each grade. [`Grade::Beginner`] has no limit.
    ///
    /// A game of Yahtzee has about 38 decisions, so an expert loses less than six points in a game.
    pub const POINTS: [(Grade, f64); 6] = [
        (Grade::Perfect, 0.0),
        (Grade::Master, 0.05),
        (Grade::Expert, 0.15),
        (Grade::Advanced, 0.35),
        (Grade::Intermediate, 0.7),
        (Grade::Casual, 1.4),
    ];

    /// The probability that is graded like one point: near the middle of the distribution of final scores, one more
    /// point raises the probability of reaching a score by about this much.
    pub const PROBABILITY_OF_A_POINT: f64 = 0.006;

    /// Returns the grade for a mean loss per decision in points.
    ///
    /// ```
    /// use keepers::Grade;
    /// assert_eq!(Grade::of_points(0.1), Grade::Expert);
    /// assert_eq!(Grade::of_probability(0.0001), Grade::Master);
    /// assert_eq!(Grade::Beginner.to_string(), "beginner");
    /// ```
    pub fn of_points(error: f64) -> Grade {
        let earned = Grade::POINTS.iter().find(|(_, most)| error <= *most);
        earned.map_or(Grade::Beginner, |(grade, _)| *grade)
    }

    /// Returns the grade for a mean loss per decision in probability.
    pub fn of_probability(error: f64) -> Grade {
        Grade::of_points(error / Grade::PROBABILITY_OF_A_POINT)
    }

    /// Returns the grade for a mean loss per decision in the unit of an objective. Returns `None` for
    /// [`Objective::Utility`], whose unit is unknown.
    pub fn of(objective: &Objective, error: f64) -> Option<Grade> {
        match objective {
            Objective::Expected => Some(Grade::of_points(error)),
            Objective::Reach(_) | Objective::Win => Some(Grade::of_probability(error)),
            // With N opponents, the probability of winning is about 1 / (N + 1). The loss is scaled to a field in which
            // it is 1/2, as with two players.
            Objective::Tournament(opponents) => {
                Some(Grade::of_probability(error * (f64::from(*opponents) + 1.0) / 2.0))
            }
            Objective::Utility(_) => None,
        }
    }

    /// Returns the name of the grade in lower case.
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
