//! The toy games: two to five dice of two to six faces, two to five boxes.

use super::Joker::{self, Forced, Free, Used};
use super::Pay::{All, Fixed, Matching};
use super::Shape::{self, Face, RandomStream, Sets, Straight};
use super::Toy;

const fn toy(name: &'static str, dice: u8, faces: u8, boxes: &'static [(&'static str, Shape)]) -> Toy {
    Toy { name, dice, faces, boxes, bonus: None, extra: None }
}

const ONES: (&str, Shape) = ("1", Face(1));
const TWOS: (&str, Shape) = ("2", Face(2));
const THREES: (&str, Shape) = ("3", Face(3));
const CHANCE: (&str, Shape) = ("ch", RandomStream);
const PAIR: (&str, Shape) = ("1p", Sets(&[2], false, Matching));
const TWO_EQUAL: (&str, Shape) = ("y", Sets(&[2], false, Fixed(20)));
const THREE_EQUAL: (&str, Shape) = ("y", Sets(&[3], false, Fixed(50)));
const FOUR_EQUAL: (&str, Shape) = ("y", Sets(&[4], false, Fixed(30)));
const FIVE_EQUAL: (&str, Shape) = ("y", Sets(&[5], false, Fixed(50)));

/// The extra bonus is small here, so that a player who may give it up for the other box does so.
const EVERYTHING: Toy = Toy {
    bonus: Some((7, 9)),
    ..toy(
        "",
        3,
        3,
        &[
            ONES,
            THREES,
            ("ss", Straight(2, None, Fixed(12))),
            ("3k", Sets(&[3], false, Fixed(25))),
            THREE_EQUAL,
        ],
    )
};
/// Boxes that pay more for three equal dice as a joker than otherwise, and few upper boxes.
const LOWER: Toy = toy(
    "",
    3,
    3,
    &[THREE_EQUAL, ("ls", Straight(3, Some(1), Fixed(40))), TWOS, ("3k", Sets(&[3], true, All))],
);
/// Jokers with `matching`: a straight pays for its best row, two pairs for four of the equal dice.
const MATCHING: Toy = Toy {
    bonus: Some((5, 3)),
    ..toy(
        "",
        4,
        2,
        &[FOUR_EQUAL, TWOS, ("2p", Sets(&[2, 2], false, Matching)), ("ss", Straight(2, None, Matching))],
    )
};

pub const TOYS: &[Toy] = &[
    toy("upper without bonus", 2, 2, &[ONES, TWOS]),
    Toy { bonus: Some((4, 7)), ..toy("upper with bonus", 2, 2, &[ONES, TWOS]) },
    Toy { bonus: Some((8, 10)), ..toy("three upper boxes", 2, 3, &[ONES, TWOS, THREES]) },
    // Only the threes can reach the threshold, so most totals cannot earn the bonus any more.
    Toy { bonus: Some((9, 30)), ..toy("a bonus hard to get", 3, 3, &[ONES, THREES, CHANCE]) },
    Toy { bonus: Some((5, 6)), ..toy("a pair and chance", 3, 2, &[ONES, TWOS, PAIR, CHANCE]) },
    // Three dice may contain two straights of two dice; the better one counts.
    toy("lower boxes alone", 3, 3, &[CHANCE, PAIR, ("ss", Straight(2, None, Matching))]),
    Toy {
        bonus: Some((6, 4)),
        ..toy("a straight from two", 3, 3, &[("ls", Straight(2, Some(2), Matching)), THREES, ONES, CHANCE])
    },
    Toy { extra: Some((50, Joker::None)), ..toy("extras of 50", 2, 3, &[CHANCE, TWO_EQUAL, ONES, TWOS]) },
    Toy { name: "everything, no extras", ..EVERYTHING },
    Toy { name: "everything, none", extra: Some((10, Joker::None)), ..EVERYTHING },
    Toy { name: "everything, forced", extra: Some((10, Forced)), ..EVERYTHING },
    Toy { name: "everything, free", extra: Some((10, Free)), ..EVERYTHING },
    Toy { name: "everything, used", extra: Some((10, Used)), ..EVERYTHING },
    // Jokers without a bonus: it only matters whether the Yahtzee box is filled.
    Toy { name: "forced without bonus", extra: Some((0, Forced)), ..EVERYTHING },
    Toy { name: "free without bonus", extra: Some((0, Free)), ..EVERYTHING },
    Toy { name: "used without bonus", extra: Some((0, Used)), ..LOWER },
    // Ones and threes have no upper box here, so nothing has to be filled before they are jokers.
    Toy { name: "few upper boxes, forced", extra: Some((100, Forced)), ..LOWER },
    Toy { name: "few upper boxes, free", extra: Some((100, Free)), ..LOWER },
    Toy { name: "few upper boxes, used", extra: Some((100, Used)), ..LOWER },
    Toy { name: "matching, none", extra: Some((50, Joker::None)), ..MATCHING },
    Toy { name: "matching, forced", extra: Some((50, Forced)), ..MATCHING },
    Toy { name: "matching, free", extra: Some((50, Free)), ..MATCHING },
    toy("two pairs of four equal", 4, 2, &[ONES, ("2p", Sets(&[2, 2], true, Matching)), PAIR]),
    Toy {
        extra: Some((50, Free)),
        ..toy("the best row", 3, 3, &[THREE_EQUAL, ONES, ("ss", Straight(2, None, Matching))])
    },
    // Upper totals with more classes than a block has lanes.
    Toy {
        bonus: Some((19, 20)),
        ..toy("many needs", 3, 4, &[ONES, TWOS, THREES, ("4", Face(4)), THREE_EQUAL])
    },
    Toy {
        extra: Some((100, Used)),
        ..toy("a full house", 5, 2, &[("fh", Sets(&[3, 2], false, All)), FIVE_EQUAL, ONES])
    },
    Toy {
        bonus: Some((12, 5)),
        extra: Some((50, Free)),
        ..toy("six faces", 2, 6, &[("6", Face(6)), TWO_EQUAL, TWOS, ("ls", Straight(2, None, Fixed(9)))])
    },
];
