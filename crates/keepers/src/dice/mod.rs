//! Faces, keeps, rolls, and the lattice of all keeps.
//!
//! A keep is a multiset of 0 to n dice; a roll is a multiset of exactly n. Both are nodes of one lattice ordered by
//! inclusion: `K + d` adds a die that shows d, `K - d` removes one. Every chance step and every choice step of a turn
//! moves along one of these edges, so no table of roll probabilities is needed (Pawlewicz, appendix B).

pub mod random;

use std::cmp::Reverse;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use crate::text::quote;

/// The maximum number of faces of a die.
pub const MAX_FACES: usize = 6;

/// The maximum number of dice in a game.
pub const MAX_DICE: usize = 6;

/// One side of a die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

impl Face {
    /// Returns the face with `pips` pips, or `None` if `pips` is not 1 to 6.
    pub const fn new(pips: u8) -> Option<Face> {
        if 1 <= pips && pips as usize <= MAX_FACES { Some(Face(pips)) } else { None }
    }

    /// Returns the number of pips, 1 to 6.
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// Returns the faces of a die with `faces` faces, lowest first.
    pub fn all(faces: u8) -> impl DoubleEndedIterator<Item = Face> + Clone {
        (1..=faces.min(MAX_FACES as u8)).map(Face)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One value for each face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByFace<T>([T; MAX_FACES]);

impl<T> ByFace<T> {
    /// Returns the values in order of the faces.
    pub fn values(&self) -> &[T; MAX_FACES] {
        &self.0
    }
}

impl<T> Index<Face> for ByFace<T> {
    type Output = T;
    fn index(&self, face: Face) -> &T {
        &self.0[face.index()]
    }
}

impl<T> IndexMut<Face> for ByFace<T> {
    fn index_mut(&mut self, face: Face) -> &mut T {
        &mut self.0[face.index()]
    }
}

/// A multiset of dice, such as those that a player keeps.
///
/// ```
/// use keepers::Keep;
/// let keep: Keep = "5225".parse().unwrap();
/// assert_eq!(keep.to_string(), "2255");
/// assert_eq!(Keep::NOTHING.to_string(), "-");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Keep {
    counts: ByFace<u8>,
}

impl Keep {
    /// The empty keep, which is the start of every turn.
    pub const NOTHING: Keep = Keep { counts: ByFace([0; MAX_FACES]) };

    /// Returns the number of dice.
    pub fn len(&self) -> usize {
        self.counts.0.iter().map(|&n| n as usize).sum()
    }

    /// Returns whether there are no dice.
    pub fn is_empty(&self) -> bool {
        *self == Keep::NOTHING
    }

    /// Returns the number of dice that show `face`.
    pub fn count(&self, face: Face) -> u8 {
        self.counts[face]
    }

    /// Returns the sum of all pips.
    pub fn sum(&self) -> u16 {
        self.faces().map(|face| u16::from(face.pips())).sum()
    }

    /// Returns the face of each die, lowest first.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        Face::all(MAX_FACES as u8).flat_map(|face| (0..self.count(face)).map(move |_| face))
    }

    /// Returns the keep with one more die: `K + d`.
    #[must_use]
    pub fn with(mut self, face: Face) -> Keep {
        self.counts[face] += 1;
        self
    }

    /// Returns the keep without one die: `K - d`. Returns `None` if no die shows `face`.
    #[must_use]
    pub fn without(mut self, face: Face) -> Option<Keep> {
        self.counts[face] = self.counts[face].checked_sub(1)?;
        Some(self)
    }

    /// Returns whether `other` contains all these dice.
    pub fn is_within(&self, other: &Keep) -> bool {
        self.counts.0.iter().zip(&other.counts.0).all(|(a, b)| a <= b)
    }

    /// Returns the number of orders in which these dice can fall. Over all rolls of five dice the sum is 7,776.
    pub fn orders(&self) -> u32 {
        let factorial = |n: u32| (1..=n).product::<u32>();
        self.counts.0.iter().fold(factorial(self.len() as u32), |orders, &n| orders / factorial(u32::from(n)))
    }

    /// Returns the face that all dice show. Returns `None` if they differ or if there are none.
    pub fn all_equal(&self) -> Option<Face> {
        let mut faces = self.faces();
        let first = faces.next()?;
        faces.all(|face| face == first).then_some(first)
    }
}

impl FromIterator<Face> for Keep {
    fn from_iter<I: IntoIterator<Item = Face>>(faces: I) -> Keep {
        faces.into_iter().fold(Keep::NOTHING, Keep::with)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("-");
        }
        let digits: String = self.faces().map(|face| face.to_string()).collect();
        f.pad(&digits)
    }
}

/// The error for text that is not a roll or a keep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiceError {
    /// A character that is not a face of the dice.
    #[error("\"{text}\" is not a set of dice: write each die as a digit from 1 to {faces}, like {example}")]
    NotADie {
        /// The input.
        text: String,
        /// The number of faces of a die.
        faces: u8,
        /// Valid input of this kind.
        example: String,
    },
    /// More dice than any game uses.
    #[error("\"{text}\" has {found} dice, but no game rolls more than {MAX_DICE}")]
    TooMany {
        /// The input.
        text: String,
        /// The number of dice in the input.
        found: usize,
    },
    /// Fewer or more dice than the game uses.
    #[error("\"{text}\" has {found} {}, but this game rolls {dice}", if *found == 1 { "die" } else { "dice" })]
    WrongNumber {
        /// The input.
        text: String,
        /// The number of dice in the input.
        found: usize,
        /// The number of dice of the game.
        dice: u8,
    },
}

fn read_dice(text: &str, faces: u8) -> Option<Keep> {
    text.chars()
        .map(|c| c.to_digit(10).and_then(|pips| Face::new(pips as u8)).filter(|face| face.pips() <= faces))
        .collect()
}

impl FromStr for Keep {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Keep, DiceError> {
        let are_dice = text.bytes().all(|byte| (b'1'..=b'6').contains(&byte));
        if are_dice && text.len() > MAX_DICE {
            return Err(DiceError::TooMany { text: quote(text), found: text.len() });
        }
        match text {
            "-" => Some(Keep::NOTHING),
            "" => None,
            _ if !are_dice => None,
            digits => read_dice(digits, MAX_FACES as u8),
        }
        .ok_or_else(|| DiceError::NotADie {
            text: quote(text),
            faces: MAX_FACES as u8,
            example: "22 (- for no dice)".into(),
        })
    }
}

/// All dice of a game after they were rolled. Their order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(Keep);

impl Roll {
    /// Reads a roll of `dice` dice with `faces` faces, such as `22345`.
    ///
    /// ```
    /// use keepers::Roll;
    /// assert_eq!(Roll::parse("53422", 5, 6).unwrap().to_string(), "22345");
    /// assert!(Roll::parse("2234", 5, 6).unwrap_err().to_string().contains("rolls 5"));
    /// ```
    ///
    /// # Panics
    /// If `dice` or `faces` is not 1 to 6.
    pub fn parse(text: &str, dice: u8, faces: u8) -> Result<Roll, DiceError> {
        assert!((1..=MAX_DICE as u8).contains(&dice) && (1..=MAX_FACES as u8).contains(&faces));
        let example: String = (0..dice).map(|i| char::from(b'1' + i % faces)).collect();
        // Must run before `read_dice`: a keep counts the dice of a face in a `u8`, which longer input could overflow.
        let found = text.chars().count();
        let readable = text.chars().all(|c| ('1'..='9').contains(&c) && (c as u8 - b'0') <= faces);
        if !readable || text.is_empty() {
            return Err(DiceError::NotADie { text: quote(text), faces, example });
        }
        if found != dice as usize {
            return Err(DiceError::WrongNumber { text: quote(text), found, dice });
        }
        Ok(Roll(read_dice(text, faces).expect("every character was checked")))
    }

    /// Returns the dice as a multiset.
    pub fn dice(&self) -> &Keep {
        &self.0
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// All keeps of 0 to n dice, smallest first, with the edges between them.
///
/// Keep 0 is the empty keep, and the last `rolls().len()` keeps are the rolls, so that a roll and a keep use the same
/// index. Five dice of six faces have 462 keeps, and 252 of these are rolls.
#[derive(Clone, Debug)]
pub struct Lattice {
    dice: u8,
    faces: u8,
    keeps: Vec<Keep>,
    /// `starts[n]` is the index of the first keep of n dice; a final element holds the number of keeps.
    starts: Vec<usize>,
    /// `more[k][d]` is the index of k + d, for every keep k that is not a roll.
    more: Vec<[u16; MAX_FACES]>,
}

impl Lattice {
    /// Builds the lattice of `dice` dice with `faces` faces.
    pub fn new(dice: u8, faces: u8) -> Lattice {
        let mut keeps = vec![Keep::NOTHING];
        let mut starts = vec![0, 1];
        let mut more = Vec::new();
        for size in 0..dice as usize {
            for k in starts[size]..starts[size + 1] {
                // Every keep is created once: from the keep without its highest die.
                let highest = keeps[k].faces().last().map_or(1, Face::pips);
                keeps.extend((highest..=faces).map(|pips| keeps[k].with(Face(pips))).collect::<Vec<_>>());
            }
            starts.push(keeps.len());
            let next = &keeps[starts[size + 1]..];
            for keep in &keeps[starts[size]..starts[size + 1]] {
                let mut up = [0; MAX_FACES];
                for face in Face::all(faces) {
                    let wanted = keep.with(face);
                    let at = next.iter().position(|k| *k == wanted).expect("every sum is listed");
                    up[face.index()] = (starts[size + 1] + at) as u16;
                }
                more.push(up);
            }
        }
        Lattice { dice, faces, keeps, starts, more }
    }

    /// Returns the number of dice.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// Returns the number of faces of each die.
    pub fn faces(&self) -> u8 {
        self.faces
    }

    /// Returns all keeps: the empty keep first, the rolls last.
    pub fn keeps(&self) -> &[Keep] {
        &self.keeps
    }

    /// Returns the range of the rolls' indices.
    pub fn rolls(&self) -> std::ops::Range<usize> {
        self.starts[self.dice as usize]..self.keeps.len()
    }

    /// Returns, for every keep k that is not a roll, the index of k + d by face d.
    pub fn with_die(&self) -> &[[u16; MAX_FACES]] {
        &self.more
    }

    /// Returns, for every keep k, the indices of k - d for every face d in k. The empty keep has none.
    pub fn without_die(&self) -> Vec<Vec<u16>> {
        let mut less = vec![Vec::new(); self.keeps.len()];
        for (k, next) in self.more.iter().enumerate() {
            for &larger in &next[..self.faces as usize] {
                less[larger as usize].push(k as u16);
            }
        }
        less
    }

    /// Returns the indices of the keeps that can be kept from a roll, in ascending order.
    pub fn within(&self, roll: usize) -> impl Iterator<Item = u16> {
        let dice = self.keeps[roll];
        (0..self.keeps.len() as u16).filter(move |&k| self.keeps[usize::from(k)].is_within(&dice))
    }

    /// Returns the index of a keep. The result is meaningless if the keep has a face that the dice do not have.
    ///
    /// # Panics
    /// If the keep has more dice than the lattice.
    pub fn index_of(&self, keep: &Keep) -> usize {
        keep.faces().fold(0, |k, face| self.more[k][face.index()] as usize)
    }

    /// Returns the index of a roll.
    pub fn index_of_roll(&self, roll: &Roll) -> usize {
        self.index_of(roll.dice())
    }

    /// Returns the roll with this index.
    pub fn roll(&self, index: usize) -> Roll {
        debug_assert!(self.rolls().contains(&index));
        Roll(self.keeps[index])
    }

    /// Returns the index of the roll in which all dice show `face`.
    pub fn all_equal(&self, face: Face) -> usize {
        (0..self.dice).fold(0, |k, _| self.more[k][face.index()] as usize)
    }
}

/// Returns a sort key that ranks keeps of equal value: fewer dice first, then lower dice.
pub(crate) fn tie_rank(keep: &Keep) -> (usize, Reverse<Keep>) {
    (keep.len(), Reverse(*keep))
}

/// Returns, for each keep of a lattice, its rank by [`tie_rank`].
pub(crate) fn tie_order(lattice: &Lattice) -> Vec<u16> {
    let mut sorted: Vec<usize> = (0..lattice.keeps().len()).collect();
    sorted.sort_by_key(|&k| tie_rank(&lattice.keeps()[k]));
    let mut order = vec![0; sorted.len()];
    for (position, k) in sorted.into_iter().enumerate() {
        order[k] = position as u16;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_dice_make_252_rolls_and_462_keeps() {
        let lattice = Lattice::new(5, 6);
        assert_eq!(lattice.rolls().len(), 252);
        assert_eq!(lattice.keeps().len(), 462);
        let six = Lattice::new(6, 6);
        assert_eq!((six.rolls().len(), six.keeps().len()), (462, 924));
    }

    #[test]
    fn every_keep_finds_its_own_index() {
        for (dice, faces) in [(2, 2), (2, 3), (3, 6), (5, 6), (6, 6), (6, 2)] {
            let lattice = Lattice::new(dice, faces);
            for (k, keep) in lattice.keeps().iter().enumerate() {
                assert_eq!(lattice.index_of(keep), k);
            }
            for face in Face::all(faces) {
                assert_eq!(lattice.keeps()[lattice.all_equal(face)].all_equal(), Some(face));
            }
        }
    }

    #[test]
    fn an_edge_adds_one_die() {
        let lattice = Lattice::new(5, 6);
        for (k, up) in lattice.with_die().iter().enumerate() {
            for face in Face::all(6) {
                let sum = lattice.keeps()[up[face.index()] as usize];
                assert_eq!(sum.without(face), Some(lattice.keeps()[k]));
            }
        }
    }
}
