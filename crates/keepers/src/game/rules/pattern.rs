//! Scoring patterns of boxes. Each has the form "if condition then expression else 0" (Pawlewicz, eq. (2)).
//! `docs/rules.md` shows each with examples.

use crate::dice::{Face, Keep, MAX_FACES};

/// The condition under which a box pays, and the points that it pays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The sum of all dice that show one face. These boxes form the upper section.
    Face(Face),
    /// Equal dice: `of = [3]` is three of a kind, `[2, 2]` two pairs, `[3, 2]` a full house, `[5]` with five dice a
    /// Yahtzee.
    Sets {
        /// The size of each set, largest first.
        of: Vec<u8>,
        /// Whether several sets may have the same face, so that five equal dice are a full house and four equal dice
        /// are two pairs.
        same_face: bool,
        /// The points if the condition holds.
        pays: Pays,
    },
    /// Consecutive faces.
    Straight {
        /// The number of consecutive faces.
        length: u8,
        /// The lowest face of the straight; `None` allows any.
        from: Option<Face>,
        /// The points if the condition holds.
        pays: Pays,
    },
    /// The sum of all dice, without a condition.
    Chance,
    /// A pattern, and another one that pays if the condition of the first does not hold.
    Fallback {
        /// The pattern that counts first. It has a condition.
        first: Box<Pattern>,
        /// The pattern for all other dice.
        otherwise: Box<Pattern>,
    },
}

/// The points that a box pays if its condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pays {
    /// The sum of all dice.
    All,
    /// The sum of the dice that make the pattern. If there are several ways to choose them, the largest sum counts.
    Matching,
    /// This many points.
    Fixed(u16),
}

impl Pattern {
    /// Returns the points for these dice.
    ///
    /// ```
    /// use keepers::{Keep, Pattern, Pays};
    /// let two_pairs = Pattern::Sets { of: vec![2, 2], same_face: false, pays: Pays::Matching };
    /// assert_eq!(two_pairs.points(&"22551".parse::<Keep>().unwrap()), 14);
    /// assert_eq!(two_pairs.points(&"22221".parse::<Keep>().unwrap()), 0);
    /// let pair = Pattern::Sets { of: vec![2], same_face: false, pays: Pays::Matching };
    /// let either = Pattern::Fallback { first: Box::new(two_pairs), otherwise: Box::new(pair) };
    /// assert_eq!(either.points(&"22551".parse::<Keep>().unwrap()), 14);
    /// assert_eq!(either.points(&"22221".parse::<Keep>().unwrap()), 4);
    /// ```
    pub fn points(&self, dice: &Keep) -> u16 {
        match self {
            Pattern::Face(face) => u16::from(dice.count(*face)) * u16::from(face.pips()),
            Pattern::Sets { of, same_face, pays } => pays.points(dice, best_sets(of, *same_face, dice)),
            Pattern::Straight { length, from, pays } => {
                pays.points(dice, best_straight(*length, *from, |face| dice.count(face) > 0))
            }
            Pattern::Chance => dice.sum(),
            // A pattern with a condition pays 0 only if the condition does not hold.
            Pattern::Fallback { first, otherwise } => match first.points(dice) {
                0 => otherwise.points(dice),
                points => points,
            },
        }
    }

    /// Returns the points for these dice as a joker, for which the condition counts as met.
    ///
    /// `Fixed` pays in full and `All` pays the sum of the dice. `Matching` sets pay for as many of the equal dice as
    /// the sets need. A `Matching` straight pays for the highest straight that the box accepts.
    pub fn joker_points(&self, dice: &Keep, faces: u8) -> u16 {
        match self {
            Pattern::Face(_) | Pattern::Chance => self.points(dice),
            Pattern::Sets { of, pays, .. } => pays.points(dice, best_sets(of, true, dice)),
            Pattern::Straight { length, from, pays } => {
                pays.points(dice, best_straight(*length, *from, |face| face.pips() <= faces))
            }
            // A joker meets the condition of the first.
            Pattern::Fallback { first, .. } => first.joker_points(dice, faces),
        }
    }
}

impl Pays {
    /// Returns the points. `matching` is the sum of the dice that make the pattern, or `None` if the condition does not
    /// hold.
    fn points(self, dice: &Keep, matching: Option<u16>) -> u16 {
        match (matching, self) {
            (None, _) => 0,
            (Some(_), Pays::All) => dice.sum(),
            (Some(sum), Pays::Matching) => sum,
            (Some(_), Pays::Fixed(points)) => points,
        }
    }
}

/// Returns the largest sum of dice that make these sets. Returns `None` if the dice do not make them.
fn best_sets(of: &[u8], same_face: bool, dice: &Keep) -> Option<u16> {
    let Some((&size, rest)) = of.split_first() else {
        return Some(0);
    };
    Face::all(MAX_FACES as u8)
        .filter(|&face| dice.count(face) >= size)
        .filter_map(|face| {
            let taken = if same_face { size } else { dice.count(face) };
            let left = (0..taken).fold(*dice, |left, _| left.without(face).expect("counted above"));
            let others = best_sets(rest, same_face, &left)?;
            Some(others + u16::from(size) * u16::from(face.pips()))
        })
        .max()
}

/// Returns the sum of the highest straight whose faces are all `there`, if there is one.
fn best_straight(length: u8, from: Option<Face>, there: impl Fn(Face) -> bool) -> Option<u16> {
    Face::all(MAX_FACES as u8).rev().filter(|&lowest| from.is_none_or(|from| from == lowest)).find_map(
        |lowest| {
            (0..length)
                .map(|step| Face::new(lowest.pips() + step).filter(|&face| there(face)))
                .map(|face| face.map(|face| u16::from(face.pips())))
                .sum()
        },
    )
}
