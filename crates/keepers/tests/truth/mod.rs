//! A turn worked out from the values of cards alone, by sums over all dice: the truth that reasons are compared with.
//! Slow and simple; it shares no code with the turn plans of the library.

use std::collections::HashMap;

use keepers::answers::ValueFunction;
use keepers::{BoxId, Card, Entry, Face, Game, Keep};

/// The number of significant binary digits in which values are compared; `None` compares points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compared {
    /// In steps of a billionth of a point.
    Points,
    /// In this many significant binary digits.
    Digits(i32),
}

impl Compared {
    pub fn rounded(self, value: f64) -> i64 {
        match self {
            Compared::Points => (value * 1e9).round() as i64,
            Compared::Digits(_) if value == 0.0 => 0,
            Compared::Digits(digits) => {
                let mut exponent = value.abs().log2().floor() as i32;
                let mut steps = (value * 2f64.powi(digits - 1 - exponent)).round() as i64;
                if steps == 1 << digits {
                    (exponent, steps) = (exponent + 1, steps / 2);
                }
                // Values of a higher power of two are larger.
                (i64::from(exponent) + 1100) * (1 << (digits + 1)) + steps
            }
        }
    }
}

/// All dice of a game: what keeps become when the other dice are rolled.
pub struct Dice {
    faces: Vec<Face>,
    dice: usize,
    becomes: HashMap<Keep, Vec<(Keep, f64)>>,
}

impl Dice {
    pub fn new(game: &Game) -> Dice {
        let faces: Vec<Face> = Face::all(game.rules().faces()).collect();
        Dice { faces, dice: game.rules().dice().into(), becomes: HashMap::new() }
    }

    /// Returns every roll that a keep may become, with its probability.
    pub fn becomes(&mut self, keep: Keep) -> &[(Keep, f64)] {
        if !self.becomes.contains_key(&keep) {
            let mut rolls = HashMap::from([(keep, 1.0)]);
            for _ in keep.len()..self.dice {
                let mut next: HashMap<Keep, f64> = HashMap::new();
                for (dice, probability) in rolls {
                    for face in &self.faces {
                        *next.entry(dice.with(*face)).or_default() += probability / self.faces.len() as f64;
                    }
                }
                rolls = next;
            }
            let mut rolls: Vec<(Keep, f64)> = rolls.into_iter().collect();
            rolls.sort_by_key(|(dice, _)| self.counts(dice));
            self.becomes.insert(keep, rolls);
        }
        &self.becomes[&keep]
    }

    fn counts(&self, keep: &Keep) -> Vec<u8> {
        self.faces.iter().map(|face| keep.count(*face)).collect()
    }

    /// Returns every keep of a roll.
    pub fn keeps(&self, roll: Keep) -> Vec<Keep> {
        let mut keeps = vec![Keep::NOTHING];
        for face in &self.faces {
            let mut more = Vec::new();
            for keep in keeps {
                let mut with = keep;
                for count in 0..=roll.count(*face) {
                    if count > 0 {
                        with = with.with(*face);
                    }
                    more.push(with);
                }
            }
            keeps = more;
        }
        keeps
    }
}

/// One turn from a card, under an objective.
pub struct Truth<'a> {
    pub card: &'a Card,
    pub dice: &'a mut Dice,
    pub compared: Compared,
    value: &'a dyn ValueFunction,
    entries: HashMap<Keep, (Entry, f64)>,
    values: HashMap<(Keep, u8), f64>,
    best: HashMap<(Keep, u8), Keep>,
}

/// The ends of a turn in one box.
#[derive(Clone, Copy, Debug, Default)]
pub struct End {
    pub share: f64,
    pub scored: f64,
    pub below: f64,
    pub given_up: f64,
    pub gain: f64,
    pub change: f64,
}

impl<'a> Truth<'a> {
    pub fn new(
        card: &'a Card,
        dice: &'a mut Dice,
        value: &'a dyn ValueFunction,
        compared: Compared,
    ) -> Truth<'a> {
        let (entries, values, best) = (HashMap::new(), HashMap::new(), HashMap::new());
        Truth { card, dice, compared, value, entries, values, best }
    }

    /// Returns the value after an entry.
    pub fn after(&self, roll: Keep, into: BoxId) -> f64 {
        self.value.value(&self.card.enter(&roll, into).unwrap())
    }

    /// Returns the best entry of a final roll, and its value. Of equal ones, the one higher up on the card counts.
    pub fn entry(&mut self, roll: Keep) -> (Entry, f64) {
        if let Some(known) = self.entries.get(&roll) {
            return *known;
        }
        let mut best: Option<(Entry, f64)> = None;
        for entry in self.card.entries(&roll) {
            let value = self.after(roll, entry.into);
            let better = |(_, than): (Entry, f64)| self.compared.rounded(value) > self.compared.rounded(than);
            if best.is_none_or(better) {
                best = Some((entry, value));
            }
        }
        self.entries.insert(roll, best.unwrap());
        best.unwrap()
    }

    /// Returns the value of a keep with `left` rolls to come.
    pub fn keep(&mut self, keep: Keep, left: u8) -> f64 {
        if let Some(known) = self.values.get(&(keep, left)) {
            return *known;
        }
        let mut value = 0.0;
        for (roll, probability) in self.dice.becomes(keep).to_vec() {
            value += probability * self.roll(roll, left - 1);
        }
        self.values.insert((keep, left), value);
        value
    }

    /// Returns the value of the best choice after a roll.
    pub fn roll(&mut self, roll: Keep, left: u8) -> f64 {
        if left == 0 {
            return self.entry(roll).1;
        }
        let best = self.best_keep(roll, left);
        self.keep(best, left)
    }

    /// Returns the best keep. Of equal ones, the one with fewer dice counts, then the one with lower dice.
    pub fn best_keep(&mut self, roll: Keep, left: u8) -> Keep {
        if let Some(known) = self.best.get(&(roll, left)) {
            return *known;
        }
        let mut ranked: Vec<((i64, i64), Vec<u8>, Keep)> = Vec::new();
        for keep in self.dice.keeps(roll) {
            let value = self.keep(keep, left);
            let rank = (self.compared.rounded(value), -(keep.len() as i64));
            ranked.push((rank, self.dice.counts(&keep), keep));
        }
        let best = ranked.into_iter().max_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1))).unwrap().2;
        self.best.insert((roll, left), best);
        best
    }

    /// Returns the ends of the turn in every box after a keep, and its expected points. `before` is the value of an
    /// average turn.
    pub fn ends(&mut self, keep: Keep, left: u8, before: f64) -> (HashMap<BoxId, End>, f64) {
        let mut masses = HashMap::from([(keep, 1.0)]);
        for left in (0..left).rev() {
            let mut rolled: HashMap<Keep, f64> = HashMap::new();
            for (keep, mass) in masses {
                for (roll, probability) in self.dice.becomes(keep) {
                    *rolled.entry(*roll).or_default() += mass * probability;
                }
            }
            masses = HashMap::new();
            for (roll, mass) in rolled {
                let next = if left == 0 { roll } else { self.best_keep(roll, left) };
                *masses.entry(next).or_default() += mass;
            }
        }
        let (mut ends, mut points) = (HashMap::<BoxId, End>::new(), 0.0);
        for (roll, mass) in masses {
            let (entry, value) = self.entry(roll);
            let equal = self.compared.rounded(value) == self.compared.rounded(before);
            let change = if equal { 0.0 } else { value - before };
            let end = ends.entry(entry.into).or_default();
            end.share += mass;
            let scores = entry.points + entry.extra > 0;
            end.scored += if scores { mass } else { 0.0 };
            let worse = if change < 0.0 { mass } else { 0.0 };
            *if scores { &mut end.below } else { &mut end.given_up } += worse;
            end.gain += mass * change.max(0.0);
            end.change += mass * change;
            points +=
                mass * f64::from(self.card.enter(&roll, entry.into).unwrap().total() - self.card.total());
        }
        (ends, points)
    }
}
