//! A game of two by its definition: the players take turns, then the totals of the full cards are compared.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{History, Shape, Toy, best_keep, entries, tuples};

/// The part of a card that affects the future, by the definitions: the filled boxes, the upper sum that decides about
/// the bonus, and whether extra Yahtzees pay. The totals matter only by their difference.
type Hand = (Vec<bool>, u32, bool);

pub struct Duel<'a> {
    toy: &'a Toy,
    rolls: u8,
    all_dice: Vec<Vec<u8>>,
    values: HashMap<(Hand, Hand, i64), f64>,
    /// Every position that occurred, with its value for the player to move.
    pub met: Vec<(History, History, f64)>,
}

impl<'a> Duel<'a> {
    pub fn new(toy: &'a Toy, rolls: u8) -> Duel<'a> {
        let all_dice = tuples(toy.dice, toy.faces);
        Duel { toy, rolls, all_dice, values: HashMap::new(), met: Vec::new() }
    }

    pub fn value(&mut self, mover: &History, other: &History) -> f64 {
        let lead = points(self.toy, mover) - points(self.toy, other);
        let key = (hand(self.toy, mover), hand(self.toy, other), lead);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        let value = if mover.points.iter().all(Option::is_some) {
            match mover.score(self.toy).cmp(&other.score(self.toy)) {
                Ordering::Less => 0.0,
                Ordering::Equal => 0.5,
                Ordering::Greater => 1.0,
            }
        } else {
            let mut worth: Vec<f64> = Vec::new();
            for dice in self.all_dice.clone() {
                let mut best = f64::NEG_INFINITY;
                for (at, points, extra) in entries(self.toy, mover, &dice) {
                    best = best.max(1.0 - self.value(other, &mover.with(at, points, extra)));
                }
                worth.push(best);
            }
            for _ in 1..self.rolls {
                let keep = |dice: &Vec<u8>| best_keep(dice, &self.all_dice, &worth, self.toy.faces);
                worth = self.all_dice.iter().map(keep).collect();
            }
            worth.iter().sum::<f64>() / worth.len() as f64
        };
        self.values.insert(key, value);
        self.met.push((mover.clone(), other.clone(), value));
        value
    }
}

/// The points on a card without the upper bonus.
fn points(toy: &Toy, card: &History) -> i64 {
    let extras = card.extras * toy.extra.map_or(0, |(points, _)| points);
    i64::from(card.points.iter().flatten().sum::<u32>() + extras)
}

fn hand(toy: &Toy, card: &History) -> Hand {
    let mut upper = 0;
    let mut holds = false;
    for ((id, shape), points) in toy.boxes.iter().zip(&card.points) {
        upper += points.filter(|_| matches!(shape, Shape::Face(_))).unwrap_or(0);
        holds |= *id == "y" && points.is_some_and(|points| points > 0);
    }
    (card.points.iter().map(Option::is_some).collect(), upper, holds)
}
