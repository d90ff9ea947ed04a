//! What a box pays for: one closed list of patterns, each "if condition then expression else 0"
//! (Pawlewicz, eq. 2). `docs/rules.md` shows each with examples.

use crate::dice::{Face, Keep, MAX_FACES};

/// What the dice must show for a box to pay, and what it then pays.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The sum of all dice that show one face. Such boxes make up the upper section.
    Face(Face),
    /// Equal dice: `of = [3]` is three of a kind, `[2, 2]` two pairs, `[3, 2]` a full house, `[5]`
    /// with five dice a Yahtzee.
    Sets {
        /// The size of each set, largest first.
        of: Vec<u8>,
        /// Whether one face may make more than one of the sets: five equal dice a full house, four
        /// equal dice two pairs.
        same_face: bool,
        /// What it pays.
        pays: Pays,
    },
    /// Dice in a row.
    Straight {
        /// How many faces in a row.
        length: u8,
        /// The lowest face of the row, or anywhere.
        from: Option<Face>,
        /// What it pays.
        pays: Pays,
    },
    /// Anything at all: the sum of all dice.
    Chance,
}

/// What a box pays when its condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pays {
    /// The sum of all dice.
    All,
    /// The sum of the dice that make the pattern, the best choice if there are several.
    Matching,
    /// Always the same.
    Fixed(u16),
}

impl Pattern {
    /// The points for these dice.
    ///
    /// ```
    /// use keepers::{Keep, Pattern, Pays};
    /// let two_pairs = Pattern::Sets { of: vec![2, 2], same_face: false, pays: Pays::Matching };
    /// assert_eq!(two_pairs.points(&"22551".parse::<Keep>().unwrap()), 14);
    /// assert_eq!(two_pairs.points(&"22221".parse::<Keep>().unwrap()), 0);
    /// ```
    pub fn points(&self, dice: &Keep) -> u16 {
        match self {
            Pattern::Face(face) => u16::from(dice.count(*face)) * u16::from(face.pips()),
            Pattern::Sets { of, same_face, pays } => pays.points(dice, best_sets(of, *same_face, dice)),
            Pattern::Straight { length, from, pays } => {
                pays.points(dice, best_straight(*length, *from, |face| dice.count(face) > 0))
            }
            Pattern::Chance => dice.sum(),
        }
    }

    /// The points for these dice used as a joker: the condition counts as met.
    ///
    /// A fixed amount is paid in full, "all" pays the sum of the dice, matching sets pay as many of
    /// the dice as they ask for, a matching straight pays the highest one that the box accepts.
    pub fn joker_points(&self, dice: &Keep, faces: u8) -> u16 {
        match self {
            Pattern::Face(_) | Pattern::Chance => self.points(dice),
            Pattern::Sets { of, pays, .. } => pays.points(dice, best_sets(of, true, dice)),
            Pattern::Straight { length, from, pays } => {
                pays.points(dice, best_straight(*length, *from, |face| face.pips() <= faces))
            }
        }
    }
}

impl Pays {
    /// `matching` is the sum of the dice that make the pattern, if they do.
    fn points(self, dice: &Keep, matching: Option<u16>) -> u16 {
        match (matching, self) {
            (None, _) => 0,
            (Some(_), Pays::All) => dice.sum(),
            (Some(sum), Pays::Matching) => sum,
            (Some(_), Pays::Fixed(points)) => points,
        }
    }
}

/// The most pips that dice making these sets can have, or nothing if they do not make them.
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

/// The sum of the highest row of faces that are all there.
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
