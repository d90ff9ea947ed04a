//! Small games and a turn by its definition, written from docs/rules.md without any code of the library.
//!
//! A position is what the future depends on: for each player the filled boxes, the points in the upper boxes and whether
//! extra Yahtzees pay, and the lead in points. The upper bonus is paid when its threshold is crossed.

#![allow(dead_code)] // Every test file uses a part of it.

pub mod store;

use std::collections::HashMap;
use std::rc::Rc;

use keepers::answers::BoxSet;
use keepers::internals::rules::Filled;
use keepers::{Game, Rules, Standing};

#[derive(Clone, Copy, PartialEq)]
pub enum Pays {
    Points(u32),
    AllDice,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Face(u8),
    Equal(u8, Pays),
    FullHouse(u32),
    /// This number of consecutive faces.
    Straight(u8, u32),
    Chance,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joker {
    None,
    Forced,
    Free,
    Used,
}

pub const JOKERS: [Joker; 4] = [Joker::None, Joker::Forced, Joker::Free, Joker::Used];

#[derive(Clone, Copy)]
pub struct Toy {
    pub name: &'static str,
    pub dice: u8,
    pub faces: u8,
    pub rolls: u8,
    pub boxes: &'static [(&'static str, Shape)],
    /// Threshold and points.
    pub bonus: Option<(u32, u32)>,
    /// Points and joker; the Yahtzee box is `y`.
    pub extra: Option<(u32, Joker)>,
}

/// All features: an upper bonus, extra Yahtzees with a joker, and a box that never pays zero.
pub const fn everything(joker: Joker) -> Toy {
    Toy {
        name: "everything",
        dice: 3,
        faces: 3,
        rolls: 2,
        boxes: &[
            ("3", Shape::Face(3)),
            ("s", Shape::Straight(3, 12)),
            // Pays more than the upper box of the same dice: jokers differ in what they allow and pay.
            ("p", Shape::Equal(2, Pays::Points(25))),
            ("y", Shape::Equal(3, Pays::Points(15))),
            ("c", Shape::Chance),
        ],
        bonus: Some((6, 9)),
        extra: Some((10, joker)),
    }
}

/// Six faces, which the kernel has its own loops for, three rolls, and amounts far apart: a pair has several intervals
/// of leads.
pub const SIX_FACES: Toy = Toy {
    name: "six faces",
    dice: 2,
    faces: 6,
    rolls: 3,
    boxes: &[
        ("6", Shape::Face(6)),
        ("2", Shape::Face(2)),
        ("y", Shape::Equal(2, Pays::Points(100))),
        ("s", Shape::Straight(2, 40)),
    ],
    bonus: Some((10, 35)),
    extra: Some((60, Joker::Free)),
};

/// Every box pays at least one point, so that leads are decided before the last turn.
pub const NEVER_ZERO: Toy = Toy {
    name: "never zero",
    dice: 2,
    faces: 4,
    rolls: 2,
    boxes: &[("a", Shape::Chance), ("b", Shape::Chance), ("c", Shape::Chance)],
    bonus: None,
    extra: None,
};

/// All features in three boxes.
pub const SMALL: Toy = Toy {
    name: "small",
    dice: 2,
    faces: 3,
    rolls: 2,
    boxes: &[("3", Shape::Face(3)), ("y", Shape::Equal(2, Pays::Points(5))), ("c", Shape::Chance)],
    bonus: Some((6, 4)),
    extra: Some((3, Joker::Forced)),
};

/// Two upper boxes, a bonus and nothing else; a draw is frequent.
pub const UPPER: Toy = Toy {
    name: "upper",
    dice: 2,
    faces: 2,
    rolls: 2,
    boxes: &[("1", Shape::Face(1)), ("2", Shape::Face(2))],
    bonus: Some((4, 7)),
    extra: None,
};

pub const YAHTZEE: Toy = Toy {
    name: "yahtzee",
    dice: 5,
    faces: 6,
    rolls: 3,
    boxes: &[
        ("1", Shape::Face(1)),
        ("2", Shape::Face(2)),
        ("3", Shape::Face(3)),
        ("4", Shape::Face(4)),
        ("5", Shape::Face(5)),
        ("6", Shape::Face(6)),
        ("3k", Shape::Equal(3, Pays::AllDice)),
        ("4k", Shape::Equal(4, Pays::AllDice)),
        ("fh", Shape::FullHouse(25)),
        ("ss", Shape::Straight(4, 30)),
        ("ls", Shape::Straight(5, 40)),
        ("y", Shape::Equal(5, Pays::Points(50))),
        ("ch", Shape::Chance),
    ],
    bonus: Some((63, 35)),
    extra: Some((100, Joker::Forced)),
};

/// What the future of one player depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    pub filled: u32,
    pub upper: u32,
    pub extras_pay: bool,
}

/// An entry: the box, its points and the extra bonus.
pub type Entry = (usize, u32, u32);

impl Toy {
    /// The rules as the library reads them.
    pub fn toml(&self) -> String {
        let mut out = format!(
            "name = \"{}\"\ndice = {}\nfaces = {}\nrolls = {}\n",
            self.name.replace(' ', "-"),
            self.dice,
            self.faces,
            self.rolls
        );
        if let Some((threshold, points)) = self.bonus {
            out += &format!("[upper_bonus]\nthreshold = {threshold}\npoints = {points}\n");
        }
        if let Some((points, joker)) = self.extra {
            let joker = format!("{joker:?}").to_lowercase();
            out += &format!("[extra]\nbox = \"y\"\npoints = {points}\njoker = \"{joker}\"\n");
        }
        for (id, shape) in self.boxes {
            out += &format!("[[box]]\nid = \"{id}\"\n");
            out += &match *shape {
                Shape::Face(face) => format!("pattern = \"face\"\nface = {face}\n"),
                Shape::Equal(dice, Pays::Points(points)) => {
                    format!("pattern = \"sets\"\nof = [{dice}]\npays = {points}\n")
                }
                Shape::Equal(dice, Pays::AllDice) => {
                    format!("pattern = \"sets\"\nof = [{dice}]\npays = \"all\"\n")
                }
                Shape::FullHouse(points) => format!("pattern = \"sets\"\nof = [3, 2]\npays = {points}\n"),
                Shape::Straight(length, points) => {
                    format!("pattern = \"straight\"\nlength = {length}\npays = {points}\n")
                }
                Shape::Chance => "pattern = \"chance\"\n".to_string(),
            };
        }
        out
    }

    pub fn game(&self) -> Game {
        Game::new(Rules::from_toml(&self.toml()).unwrap())
    }

    fn all_boxes(&self) -> u32 {
        (1 << self.boxes.len()) - 1
    }

    /// The points of dice in a box by their pattern alone.
    fn natural(&self, shape: Shape, dice: &[u8]) -> u32 {
        let count = |face: u8| dice.iter().filter(|&&die| die == face).count();
        let counts: Vec<usize> = (1..=self.faces).map(count).collect();
        let all: u32 = dice.iter().map(|&die| u32::from(die)).sum();
        match shape {
            Shape::Face(face) => count(face) as u32 * u32::from(face),
            Shape::Chance => all,
            Shape::Equal(wanted, pays) if counts.iter().any(|&found| found >= usize::from(wanted)) => {
                match pays {
                    Pays::Points(points) => points,
                    Pays::AllDice => all,
                }
            }
            Shape::FullHouse(points) if counts.contains(&3) && counts.contains(&2) => points,
            Shape::Straight(length, points)
                if (1..=self.faces + 1 - length)
                    .any(|from| (from..from + length).all(|face| count(face) > 0)) =>
            {
                points
            }
            _ => 0,
        }
    }

    /// The points of equal dice in a lower box whose condition counts as met.
    fn as_joker(&self, shape: Shape, dice: &[u8]) -> u32 {
        match shape {
            Shape::Equal(_, Pays::Points(points)) | Shape::FullHouse(points) | Shape::Straight(_, points) => {
                points
            }
            Shape::Equal(_, Pays::AllDice) | Shape::Chance => dice.iter().map(|&die| u32::from(die)).sum(),
            Shape::Face(_) => unreachable!("an upper box"),
        }
    }

    /// Every entry of these dice that the rules allow.
    pub fn entries(&self, hand: Hand, dice: &[u8]) -> Vec<Entry> {
        let open: Vec<usize> = (0..self.boxes.len()).filter(|&at| hand.filled >> at & 1 == 0).collect();
        let natural = |at: usize| self.natural(self.boxes[at].1, dice);
        let is_upper = |at: usize| matches!(self.boxes[at].1, Shape::Face(_));
        let yahtzee_is_filled =
            self.boxes.iter().position(|(id, _)| *id == "y").is_some_and(|at| hand.filled >> at & 1 == 1);
        let all_equal = dice.iter().all(|die| *die == dice[0]);
        let Some((points, joker)) = self.extra.filter(|_| yahtzee_is_filled && all_equal) else {
            return open.into_iter().map(|at| (at, natural(at), 0)).collect();
        };
        let points = if hand.extras_pay { points } else { 0 };
        let own = open.iter().copied().find(|&at| self.boxes[at].1 == Shape::Face(dice[0]));
        let in_box = |at: usize| {
            if is_upper(at) || own.is_some() { natural(at) } else { self.as_joker(self.boxes[at].1, dice) }
        };
        match (joker, own) {
            (Joker::None, _) => open.into_iter().map(|at| (at, natural(at), points)).collect(),
            (Joker::Forced, Some(own)) => vec![(own, natural(own), points)],
            (Joker::Forced, None) => {
                let lower: Vec<usize> = open.iter().copied().filter(|&at| !is_upper(at)).collect();
                let allowed = if lower.is_empty() { open } else { lower };
                allowed.into_iter().map(|at| (at, in_box(at), points)).collect()
            }
            (Joker::Free, _) => open.into_iter().map(|at| (at, in_box(at), points)).collect(),
            (Joker::Used, _) => {
                let bonus = |at: usize| if own.is_none() || own == Some(at) { points } else { 0 };
                open.into_iter().map(|at| (at, in_box(at), bonus(at))).collect()
            }
        }
    }

    /// A hand after an entry, and the points that it adds to the total.
    pub fn after(&self, hand: Hand, (at, points, extra): Entry) -> (Hand, i32) {
        let (id, shape) = self.boxes[at];
        let mut next = Hand { filled: hand.filled | 1 << at, ..hand };
        let mut gained = points + extra;
        if let Shape::Face(_) = shape {
            next.upper += points;
            gained += self.bonus.map_or(0, |(threshold, points)| {
                if hand.upper < threshold && threshold <= next.upper { points } else { 0 }
            });
        }
        next.extras_pay |= id == "y" && points > 0 && self.extra.is_some_and(|(bonus, _)| bonus > 0);
        (next, gained as i32)
    }

    /// A standing of the library.
    pub fn standing(&self, hand: Hand, total: i32) -> Standing {
        Standing {
            filled: Filled { boxes: BoxSet::from_bits(hand.filled), extras_pay: hand.extras_pay },
            upper_total: hand.upper as u16,
            total: total as u16,
            extras: 0,
        }
    }

    pub fn hand(&self, standing: &Standing) -> Hand {
        Hand {
            filled: standing.filled.boxes.bits(),
            upper: standing.upper_total.into(),
            extras_pay: standing.filled.extras_pay,
        }
    }
}

/// The dice of a turn: for each roll, what can be kept, and for each keep, the odds of every roll.
pub struct Turn {
    rerolls: u8,
    pub rolls: Vec<Vec<u8>>,
    /// The odds of each first roll.
    first: Vec<f64>,
    /// The odds of each roll after a keep.
    odds: Vec<Vec<(usize, f64)>>,
    /// The keeps of each roll.
    keeps: Vec<Vec<usize>>,
}

/// Every ordered outcome of a number of dice.
fn outcomes(dice: usize, faces: u8) -> Vec<Vec<u8>> {
    (0..dice).fold(vec![vec![]], |shorter: Vec<Vec<u8>>, _| {
        shorter
            .iter()
            .flat_map(|dice| (1..=faces).map(move |face| [dice.as_slice(), &[face]].concat()))
            .collect()
    })
}

fn sorted(mut dice: Vec<u8>) -> Vec<u8> {
    dice.sort_unstable();
    dice
}

impl Turn {
    pub fn new(toy: &Toy) -> Turn {
        let dice = usize::from(toy.dice);
        let mut rolls: Vec<Vec<u8>> = outcomes(dice, toy.faces).into_iter().map(sorted).collect();
        rolls.sort();
        rolls.dedup();
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut odds, mut keeps) = (Vec::new(), Vec::new());
        let odds_after = |kept: &[u8]| {
            let fresh = outcomes(dice - kept.len(), toy.faces);
            let each = 1.0 / fresh.len() as f64;
            let mut odds: HashMap<usize, f64> = HashMap::new();
            for fresh in fresh {
                let roll = sorted([kept, &fresh].concat());
                *odds.entry(rolls.binary_search(&roll).unwrap()).or_default() += each;
            }
            let mut odds: Vec<(usize, f64)> = odds.into_iter().collect();
            odds.sort_by_key(|(roll, _)| *roll);
            odds
        };
        for roll in &rolls {
            let mut ways: Vec<usize> = Vec::new();
            for mask in 0_u32..1 << dice {
                let kept: Vec<u8> = (0..dice).filter(|&at| mask >> at & 1 == 1).map(|at| roll[at]).collect();
                let next = known.len();
                let nth = *known.entry(kept.clone()).or_insert(next);
                if nth == next {
                    odds.push(odds_after(&kept));
                }
                ways.push(nth);
            }
            ways.sort_unstable();
            ways.dedup();
            keeps.push(ways);
        }
        let mut first = vec![0.0; rolls.len()];
        odds_after(&[]).into_iter().for_each(|(roll, odds)| first[roll] = odds);
        Turn { rerolls: toy.rolls - 1, rolls, first, odds, keeps }
    }

    /// The mean of a turn with best play, given the value of each final roll.
    pub fn mean(&self, mut values: Vec<f64>) -> f64 {
        for _ in 0..self.rerolls {
            let mean = |odds: &Vec<(usize, f64)>| odds.iter().map(|&(roll, odds)| odds * values[roll]).sum();
            let of_keeps: Vec<f64> = self.odds.iter().map(mean).collect();
            let best = |keeps: &Vec<usize>| keeps.iter().map(|&keep| of_keeps[keep]).fold(0.0, f64::max);
            values = self.keeps.iter().map(best).collect();
        }
        values.iter().zip(&self.first).map(|(value, odds)| value * odds).sum()
    }
}

/// For each roll, every hand that an entry leads to, with the points that it pays.
type EntriesOfRolls = Vec<Vec<(Hand, i32)>>;

/// A game of two by its definition.
pub struct Brute<'a> {
    toy: &'a Toy,
    turn: Turn,
    /// The hands and points after each entry of each roll, by hand.
    entries: HashMap<Hand, Rc<EntriesOfRolls>>,
    /// The expected result of the mover, by mover, other player, and the lead of the mover.
    pub values: HashMap<(Hand, Hand, i32), f64>,
    /// A pair of totals that occurs in a game for every position that occurs in a game.
    pub totals: HashMap<(Hand, Hand, i32), (i32, i32)>,
}

impl<'a> Brute<'a> {
    pub fn new(toy: &'a Toy) -> Brute<'a> {
        Brute {
            toy,
            turn: Turn::new(toy),
            entries: HashMap::new(),
            values: HashMap::new(),
            totals: HashMap::new(),
        }
    }

    /// Follows all games from the start, and returns the expected result of the player who starts.
    pub fn solve(&mut self) -> f64 {
        let start = Hand { filled: 0, upper: 0, extras_pay: false };
        // Positions that occur, layer by layer, before values: a value does not depend on how it is reached.
        let mut layer = vec![((start, start, 0), (0, 0))];
        while !layer.is_empty() {
            let mut next = HashMap::new();
            for ((mover, other, lead), (own, theirs)) in layer {
                self.totals.insert((mover, other, lead), (own, theirs));
                for &(after, gained) in self.after_rolls(mover).iter().flatten() {
                    next.insert((other, after, -lead - gained), (theirs, own + gained));
                }
            }
            layer = next.into_iter().collect();
        }
        self.value(start, start, 0)
    }

    /// The hands and points after each entry of each roll.
    fn after_rolls(&mut self, hand: Hand) -> Rc<Vec<Vec<(Hand, i32)>>> {
        let (toy, turn) = (self.toy, &self.turn);
        let of = |dice: &Vec<u8>| {
            let entries = if hand.filled == toy.all_boxes() { Vec::new() } else { toy.entries(hand, dice) };
            entries.into_iter().map(|entry| toy.after(hand, entry)).collect()
        };
        let new = || Rc::new(turn.rolls.iter().map(of).collect());
        Rc::clone(self.entries.entry(hand).or_insert_with(new))
    }

    /// The expected result of the mover, who leads by `lead`.
    pub fn value(&mut self, mover: Hand, other: Hand, lead: i32) -> f64 {
        let key = (mover, other, lead);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let value = if mover.filled == self.toy.all_boxes() {
            match lead {
                ..0 => 0.0,
                0 => 0.5,
                1.. => 1.0,
            }
        } else {
            let mut of_rolls = Vec::with_capacity(self.turn.rolls.len());
            for entries in self.after_rolls(mover).iter() {
                let mut best = 0.0_f64;
                for &(after, gained) in entries {
                    best = best.max(1.0 - self.value(other, after, -lead - gained));
                }
                of_rolls.push(best);
            }
            self.turn.mean(of_rolls)
        };
        self.values.insert(key, value);
        value
    }
}
