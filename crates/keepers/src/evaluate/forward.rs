//! The forward pass of a strategy that looks only at the score state, like the best expected score.
//!
//! Turn by turn, every state that can be reached has the distribution of the points so far. A turn
//! moves it: the strategy's plan gives the probability of each final roll and thereby of each entry,
//! and an entry moves the whole distribution by what it pays.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::statistics::{BoxStatistics, Statistics};
use crate::card::Card;
use crate::game::Game;
use crate::plan::{Equal, TurnPlan};
use crate::rules::{BoxId, Entry};
use crate::solve::Progress;
use crate::solve::next::NextGroups;
use crate::store::ExpectedTable;

/// A state on the way: where it is and how it was reached.
#[derive(Clone, Debug, Default)]
struct Mass {
    /// The fewest points so far.
    least: usize,
    /// The probability of each number of points so far from there on.
    points: Vec<f64>,
    /// The probability of each number of extra bonuses so far.
    extras: Vec<f64>,
}

impl Mass {
    /// Adds a distribution, moved by `points` and `extras`, with a weight.
    fn add(&mut self, other: &Mass, points: usize, extras: usize, weight: f64) {
        let start = other.least + points;
        if self.points.is_empty() {
            self.least = start;
        }
        if start < self.least {
            let missing = self.least - start;
            self.points.splice(0..0, std::iter::repeat_n(0.0, missing));
            self.least = start;
        }
        add_at(&mut self.points, start - self.least, &other.points, weight);
        add_at(&mut self.extras, extras, &other.extras, weight);
    }
}

fn add_at(to: &mut Vec<f64>, at: usize, from: &[f64], weight: f64) {
    if to.len() < at + from.len() {
        to.resize(at + from.len(), 0.0);
    }
    for (cell, more) in to[at..].iter_mut().zip(from) {
        *cell += weight * more;
    }
}

/// One turn from one state: the probability of each final roll, and the entry it goes to.
struct Played {
    rolls: Vec<f64>,
    ends: Vec<Entry>,
    /// Each different entry with its probability, the state it leads to, and all that it pays.
    entries: Vec<(Entry, f64, usize, u16)>,
}

/// The exact statistics of the strategy with the best expected score, from a card on.
///
/// ```
/// use std::sync::Arc;
/// use keepers::{Card, Game, Rules, Store, evaluate::evaluate_expected};
/// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
/// let table = Store::none().expected(&game);
/// let statistics = evaluate_expected(&table, &Card::empty(&game), &|_, _| ());
/// assert!((statistics.mean() - table.start()).abs() < 1e-9);
/// ```
pub fn evaluate_expected(table: &ExpectedTable, card: &Card, progress: Progress<'_>) -> Statistics {
    let game = table.game();
    let space = game.space();
    let turns = card.open_boxes().len();
    let start = space.index(card.filled(), card.upper_total()).expect("a card has a state");
    let here = Mass { least: card.total().into(), points: vec![1.0], extras: vec![1.0] };
    let mut reached: BTreeMap<usize, Mass> = BTreeMap::from([(start, here)]);
    let mut boxes: Vec<BoxStatistics> = vec![BoxStatistics::default(); space.boxes()];
    let mut upper_bonus = 0.0;
    for turn in 0..turns {
        let states: Vec<usize> = reached.keys().copied().collect();
        let mut next: BTreeMap<usize, Mass> = BTreeMap::new();
        // A batch at a time: plans are made in parallel, distributions are added in order.
        for batch in states.chunks(4096) {
            let played: Vec<Played> = batch.par_iter().map(|&state| play(table, state)).collect();
            for (state, played) in batch.iter().zip(played) {
                let mass = &reached[state];
                let here: f64 = mass.points.iter().sum();
                for (roll, (p, entry)) in played.rolls.iter().zip(&played.ends).enumerate() {
                    note(&mut boxes[entry.into.place()].rolls, turn, roll, here * p);
                }
                for &(entry, p, to, paid) in &played.entries {
                    note(&mut boxes[entry.into.place()].points, turn, entry.points.into(), here * p);
                    let bonus = paid > entry.points + entry.extra;
                    upper_bonus += if bonus { here * p } else { 0.0 };
                    let extras = usize::from(entry.extra > 0);
                    next.entry(to).or_default().add(mass, paid.into(), extras, p);
                }
            }
        }
        reached = next;
        progress(turn + 1, turns);
    }
    let mut end = Mass::default();
    for mass in reached.values() {
        end.add(mass, 0, 0, 1.0);
    }
    let mut probability = vec![0.0; end.least];
    probability.append(&mut end.points);
    Statistics { probability, boxes: boxes.into_iter().collect(), upper_bonus, extras: end.extras }
}

fn note(table: &mut Vec<Vec<f64>>, turn: usize, place: usize, mass: f64) {
    if table.len() <= turn {
        table.resize(turn + 1, Vec::new());
    }
    let row = &mut table[turn];
    if row.len() <= place {
        row.resize(place + 1, 0.0);
    }
    row[place] += mass;
}

fn play(table: &ExpectedTable, state: usize) -> Played {
    let game: &Game = table.game();
    let space = game.space();
    let group = space.group_of(state);
    let class = state - group.first();
    let next = NextGroups::new(game, group);
    let worth = |entry: Entry| {
        let (to, paid) = next.state(game, group, class, entry);
        f64::from(paid) + table.get(to)
    };
    let plan = TurnPlan::new(game, group.filled, game.rules().rolls(), Equal::Points, worth);
    let rolls = plan.final_rolls(game);
    let ends: Vec<Entry> = plan.ends().iter().map(|(entry, _)| *entry).collect();
    let mut by_entry: BTreeMap<(BoxId, u16, u16), f64> = BTreeMap::new();
    for (entry, p) in ends.iter().zip(&rolls) {
        *by_entry.entry((entry.into, entry.points, entry.extra)).or_default() += p;
    }
    let entries = by_entry
        .into_iter()
        .filter(|(_, p)| *p > 0.0)
        .map(|((into, points, extra), p)| {
            let entry = Entry { into, points, extra };
            let (to, paid) = next.state(game, group, class, entry);
            (entry, p, to, paid)
        })
        .collect();
    Played { rolls, ends, entries }
}
