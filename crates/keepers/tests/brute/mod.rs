//! A solver for small games, written from the definitions alone and without any code of the library: dice are ordered,
//! every subset of them may be kept, the whole history of the card is stored, and the upper bonus is added when the
//! card is full, as people score it.

#[allow(dead_code)]
pub mod duel;
pub mod toys;

use std::collections::HashMap;

use Joker::{Forced, Free, Used};
use Pay::{All, Fixed, Matching};
use Shape::{Face, RandomStream, Sets, Straight};

#[derive(Clone, Copy)]
pub enum Pay {
    All,
    Matching,
    Fixed(u32),
}

#[derive(Clone, Copy)]
pub enum Shape {
    Face(u8),
    /// The sizes, and whether several sets may have the same face.
    Sets(&'static [u8], bool, Pay),
    /// The length, and the lowest face if it is fixed.
    Straight(u8, Option<u8>, Pay),
    RandomStream,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Joker {
    None,
    Forced,
    Free,
    Used,
}

pub struct Toy {
    pub name: &'static str,
    pub dice: u8,
    pub faces: u8,
    pub boxes: &'static [(&'static str, Shape)],
    /// The threshold and the points of the upper bonus.
    pub bonus: Option<(u32, u32)>,
    /// The bonus for all dice equal after box `y`, and the joker.
    pub extra: Option<(u32, Joker)>,
}

impl Toy {
    /// The rules as the library reads them.
    pub fn toml(&self, rolls: u8) -> String {
        let mut out = format!("dice = {}\nfaces = {}\nrolls = {rolls}\n", self.dice, self.faces);
        if let Some((threshold, points)) = self.bonus {
            out += &format!("[upper_bonus]\nthreshold = {threshold}\npoints = {points}\n");
        }
        if let Some((points, joker)) = self.extra {
            let joker = match joker {
                Joker::None => "none",
                Forced => "forced",
                Free => "free",
                Used => "used",
            };
            out += &format!("[extra]\nbox = \"y\"\npoints = {points}\njoker = \"{joker}\"\n");
        }
        let pays = |pay| match pay {
            All => "\"all\"".to_string(),
            Matching => "\"matching\"".to_string(),
            Fixed(points) => points.to_string(),
        };
        for (id, shape) in self.boxes {
            out += &format!("[[box]]\nid = \"{id}\"\n");
            out += &match *shape {
                Face(face) => format!("pattern = \"face\"\nface = {face}\n"),
                Sets(of, same_face, pay) => {
                    let same_face =
                        if of.len() > 1 { format!("same_face = {same_face}\n") } else { String::new() };
                    format!("pattern = \"sets\"\nof = {of:?}\n{same_face}pays = {}\n", pays(pay))
                }
                Straight(length, from, pay) => {
                    let from = from.map_or(String::new(), |from| format!("from = {from}\n"));
                    format!("pattern = \"straight\"\nlength = {length}\n{from}pays = {}\n", pays(pay))
                }
                RandomStream => "pattern = \"chance\"\n".to_string(),
            };
        }
        out
    }
}

/// All entries on a card, in order.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct History {
    pub points: Vec<Option<u32>>,
    pub extras: u32,
}

impl History {
    pub fn start(toy: &Toy) -> History {
        History { points: vec![None; toy.boxes.len()], extras: 0 }
    }

    pub fn text(&self, toy: &Toy) -> String {
        let boxes = toy.boxes.iter().zip(&self.points);
        let mut parts: Vec<String> =
            boxes.filter_map(|((id, _), points)| Some(format!("{id}={}", (*points)?))).collect();
        parts.extend((self.extras > 0).then(|| format!("extra={}", self.extras)));
        parts.join(",")
    }

    pub fn with(&self, at: usize, points: u32, extra: u32) -> History {
        let mut next = self.clone();
        next.points[at] = Some(points);
        next.extras += u32::from(extra > 0);
        next
    }

    /// The score so far, which is the final score of a full card.
    pub fn score(&self, toy: &Toy) -> u32 {
        let is_upper = |at: &usize| matches!(toy.boxes[*at].1, Face(_));
        let all: u32 = self.points.iter().flatten().sum();
        let upper: u32 = (0..toy.boxes.len()).filter(is_upper).filter_map(|at| self.points[at]).sum();
        let bonus = toy.bonus.map_or(0, |(threshold, points)| if upper >= threshold { points } else { 0 });
        all + bonus + self.extras * toy.extra.map_or(0, |(points, _)| points)
    }
}

/// Every ordered outcome of this many dice.
pub fn tuples(dice: u8, faces: u8) -> Vec<Vec<u8>> {
    (0..dice).fold(vec![vec![]], |shorter, _| {
        let longer =
            |dice: &Vec<u8>| (1..=faces).map(|face| [&dice[..], &[face]].concat()).collect::<Vec<_>>();
        shorter.iter().flat_map(longer).collect()
    })
}

fn count(dice: &[u8], face: u8) -> u8 {
    dice.iter().filter(|&&die| die == face).count() as u8
}

fn sum(dice: impl IntoIterator<Item = u8>) -> u32 {
    dice.into_iter().map(u32::from).sum()
}

fn paid(pay: Pay, dice: &[u8], matching: u32) -> u32 {
    match pay {
        All => sum(dice.to_vec()),
        Matching => matching,
        Fixed(points) => points,
    }
}

fn natural(shape: Shape, dice: &[u8], faces: u8) -> u32 {
    match shape {
        Face(face) => sum(dice.iter().copied().filter(|&die| die == face)),
        RandomStream => sum(dice.to_vec()),
        Sets(of, same_face, pay) => {
            // Try every choice of a face for each set.
            let fits = |chosen: &Vec<u8>| {
                let wanted = |face| (0..of.len()).filter(|&i| chosen[i] == face).map(|i| of[i]).sum::<u8>();
                (1..=faces).all(|face| wanted(face) <= count(dice, face))
                    && (same_face || chosen.iter().all(|&face| count(chosen, face) == 1))
            };
            let pips = |chosen: Vec<u8>| sum(chosen.iter().zip(of).map(|(face, size)| face * size));
            let best = tuples(of.len() as u8, faces).into_iter().filter(fits).map(pips).max();
            best.map_or(0, |best| paid(pay, dice, best))
        }
        Straight(length, from, pay) => {
            let rows = (1..=faces + 1 - length).map(|lowest| lowest..lowest + length);
            let accepted = rows.filter(|row| from.is_none_or(|from| from == row.start));
            let best = accepted.filter(|row| row.clone().all(|face| dice.contains(&face))).map(sum).max();
            best.map_or(0, |best| paid(pay, dice, best))
        }
    }
}

/// The points of equal dice in a lower box whose condition counts as met.
fn as_joker(shape: Shape, dice: &[u8], faces: u8) -> u32 {
    match shape {
        Face(_) | RandomStream => natural(shape, dice, faces),
        Sets(of, _, pay) => paid(pay, dice, sum(of.iter().map(|size| size * dice[0]))),
        Straight(length, from, pay) => {
            let lowest = from.unwrap_or(faces + 1 - length);
            paid(pay, dice, sum(lowest..lowest + length))
        }
    }
}

/// Every entry of these dice: the box, its points, and the extra bonus.
pub fn entries(toy: &Toy, history: &History, dice: &[u8]) -> Vec<(usize, u32, u32)> {
    let open = (0..toy.boxes.len()).filter(|&at| history.points[at].is_none()).collect::<Vec<_>>();
    let by_nature = |at: usize| natural(toy.boxes[at].1, dice, toy.faces);
    let by_joker = |at: usize| as_joker(toy.boxes[at].1, dice, toy.faces);
    let is_lower = |at: usize| !matches!(toy.boxes[at].1, Face(_));
    let yahtzee = toy.boxes.iter().position(|(id, _)| *id == "y");
    let held = yahtzee.and_then(|at| history.points[at]);
    let (Some((bonus, joker)), Some(held), true) = (toy.extra, held, count(dice, dice[0]) == toy.dice) else {
        return open.into_iter().map(|at| (at, by_nature(at), 0)).collect();
    };
    let bonus = if held > 0 { bonus } else { 0 };
    let own = open.iter().copied().find(|&at| matches!(toy.boxes[at].1, Face(face) if face == dice[0]));
    let entry = |at: usize| match (joker, own) {
        (Joker::None, _) => (at, by_nature(at), bonus),
        (Used, Some(own)) if own != at => (at, by_nature(at), 0),
        (Forced | Free | Used, Some(_)) => (at, by_nature(at), bonus),
        (Forced | Free | Used, None) if is_lower(at) => (at, by_joker(at), bonus),
        (Forced | Free | Used, None) => (at, 0, bonus),
    };
    let must = |at: &usize| match own {
        _ if joker != Forced => true,
        Some(own) => own == *at,
        None => is_lower(*at) || !open.iter().any(|&at| is_lower(at)),
    };
    open.iter().copied().filter(must).map(entry).collect()
}

pub struct Brute {
    pub rolls: u8,
    /// The utility of each final score.
    worth: fn(u32, u32) -> f64,
    target: u32,
    /// The best expected utility of the final score for every card that can occur.
    pub values: HashMap<History, f64>,
}

/// The best expected final score.
#[allow(dead_code)]
pub fn solve_by_force(toy: &Toy, rolls: u8) -> Brute {
    solve(toy, rolls, 0, |score, _| f64::from(score))
}

/// The best probability of a final score of at least the target.
#[allow(dead_code)]
pub fn reach_by_force(toy: &Toy, rolls: u8, target: u32) -> Brute {
    solve(toy, rolls, target, |score, target| f64::from(u8::from(score >= target)))
}

/// The best expected utility of the final score. This jagged function is neither linear nor monotone anywhere.
#[allow(dead_code)]
pub fn jagged_by_force(toy: &Toy, rolls: u8) -> Brute {
    solve(toy, rolls, 0, |score, _| jagged(score))
}

pub fn jagged(score: u32) -> f64 {
    f64::from(score * score * 7 % 23) + f64::from(score) / 3.0
}

fn solve(toy: &Toy, rolls: u8, target: u32, worth: fn(u32, u32) -> f64) -> Brute {
    let mut brute = Brute { rolls, worth, target, values: HashMap::new() };
    brute.value(toy, &tuples(toy.dice, toy.faces), History::start(toy));
    brute
}

impl Brute {
    fn value(&mut self, toy: &Toy, all_dice: &[Vec<u8>], history: History) -> f64 {
        if let Some(&value) = self.values.get(&history) {
            return value;
        }
        let value = if history.points.iter().all(Option::is_some) {
            (self.worth)(history.score(toy), self.target)
        } else {
            let mut worth: Vec<f64> = Vec::new();
            for dice in all_dice {
                let mut best = f64::NEG_INFINITY;
                for (at, points, extra) in entries(toy, &history, dice) {
                    best = best.max(self.value(toy, all_dice, history.with(at, points, extra)));
                }
                worth.push(best);
            }
            for _ in 1..self.rolls {
                worth = all_dice.iter().map(|dice| best_keep(dice, all_dice, &worth, toy.faces)).collect();
            }
            worth.iter().sum::<f64>() / worth.len() as f64
        };
        self.values.insert(history, value);
        value
    }
}

/// The best mean over all ways to keep some of the dice and roll the others.
fn best_keep(dice: &[u8], all_dice: &[Vec<u8>], worth: &[f64], faces: u8) -> f64 {
    let mean = |kept: u32| {
        let after = |fresh: &Vec<u8>| {
            let die = |at: usize| if kept >> at & 1 == 1 { dice[at] } else { fresh[at] };
            // The outcomes are sorted, with the first die as the highest digit.
            (0..dice.len()).fold(0, |place, at| place * faces as usize + die(at) as usize - 1)
        };
        all_dice.iter().map(|fresh| worth[after(fresh)]).sum::<f64>() / all_dice.len() as f64
    };
    (0..1 << dice.len()).map(mean).fold(f64::NEG_INFINITY, f64::max)
}
