//! The forward pass of a strategy that looks only at the score state, like the best expected score.
//!
//! Turn by turn, every state that can be reached has the distribution of the points so far. A turn
//! moves it: the strategy's plan gives the probability of each final roll and thereby of each entry,
//! and an entry moves the whole distribution by what it pays.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::choice::{Chosen, End, ends};
use super::lanes::Track;
use super::statistics::{BoxStatistics, Statistics};
use crate::card::Card;
use crate::game::Game;
use crate::plan::Equal;
use crate::rules::{BoxId, Entry};
use crate::solve::Progress;
use crate::solve::next::NextGroups;
use crate::solve::utility::W;
use crate::store::ExpectedTable;
use crate::turn::Row;

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
    /// The card that is there.
    fn of(card: &Card) -> Mass {
        Mass { least: card.total().into(), points: vec![1.0], extras: vec![1.0] }
    }

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

/// One turn from a block of states of one group.
struct Played {
    /// Each final roll with the box that it goes to, and the probability of that.
    ends: Vec<(usize, BoxId, f64)>,
    /// Each entry that is made.
    entries: Vec<Made>,
}

/// An entry that is made in a state.
struct Made {
    from: usize,
    entry: Entry,
    to: usize,
    paid: u16,
    /// The probability of it in this state, and in all.
    p: f64,
    mass: f64,
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
    let mut pass = Pass::new(table, card.open_boxes().len());
    pass.reached.insert(state(card, table.game()), Mass::of(card));
    pass.play_on(progress)
}

/// The exact statistics after a choice, if the turn and the game are then played for the best expected
/// score.
///
/// ```
/// use std::sync::Arc;
/// use keepers::advise::advise;
/// use keepers::evaluate::{Chosen, evaluate_expected_after};
/// use keepers::{Card, Game, Roll, Rules, Store};
/// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
/// let table = Store::none().expected(&game);
/// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0").unwrap();
/// let advice = advise(&game, &table, &card, &Roll::parse("12344", 5, 6).unwrap(), 2).unwrap();
/// for choice in &advice.choices {
///     let chosen = Chosen { card: &card, rolls_left: 2, action: choice.action };
///     let statistics = evaluate_expected_after(&table, &chosen, &|_, _| ());
///     assert!((statistics.mean() - choice.value).abs() < 1e-9);
/// }
/// ```
pub fn evaluate_expected_after(
    table: &ExpectedTable,
    chosen: &Chosen<'_>,
    progress: Progress<'_>,
) -> Statistics {
    let Chosen { card, .. } = *chosen;
    let mut pass = Pass::new(table, card.open_boxes().len());
    let here = Mass::of(card);
    for End { roll, entry, p } in ends(table.game(), table, chosen) {
        let next = card.with(entry);
        pass.note(roll, entry, next.upper_bonus() > card.upper_bonus(), p);
        let there = pass.reached.entry(state(&next, table.game())).or_default();
        there.add(&here, (next.total() - card.total()).into(), usize::from(entry.extra > 0), p);
    }
    pass.turn = 1;
    pass.play_on(progress)
}

fn state(card: &Card, game: &Game) -> usize {
    game.space().index(card.filled(), card.upper_total()).expect("a card has a state")
}

/// A forward pass on its way.
struct Pass<'a> {
    table: &'a ExpectedTable,
    /// The next turn to be played, and how many there are.
    turn: usize,
    turns: usize,
    reached: BTreeMap<usize, Mass>,
    boxes: Vec<BoxStatistics>,
    upper_bonus: f64,
}

impl<'a> Pass<'a> {
    fn new(table: &'a ExpectedTable, turns: usize) -> Pass<'a> {
        let boxes = vec![BoxStatistics::default(); table.game().space().boxes()];
        Pass { table, turn: 0, turns, reached: BTreeMap::new(), boxes, upper_bonus: 0.0 }
    }

    /// An entry was made in this turn.
    fn note(&mut self, roll: Option<usize>, entry: Entry, bonus: bool, p: f64) {
        let of = &mut self.boxes[entry.into.place()];
        note(&mut of.points, self.turn, entry.points.into(), p);
        if let Some(roll) = roll {
            note(&mut of.rolls, self.turn, roll, p);
        }
        self.upper_bonus += if bonus { p } else { 0.0 };
    }

    /// Plays all turns that are left.
    fn play_on(mut self, progress: Progress<'_>) -> Statistics {
        while self.turn < self.turns {
            self.play_turn(progress);
            self.turn += 1;
            progress(self.turn, self.turns);
        }
        let mut end = Mass::default();
        for mass in self.reached.values() {
            end.add(mass, 0, 0, 1.0);
        }
        let mut probability = vec![0.0; end.least];
        probability.append(&mut end.points);
        let boxes = self.boxes.into_iter().collect();
        Statistics { probability, boxes, upper_bonus: self.upper_bonus, extras: end.extras }
    }

    fn play_turn(&mut self, progress: Progress<'_>) {
        let game = self.table.game();
        let reached = std::mem::take(&mut self.reached);
        let states: Vec<(usize, f64)> =
            reached.iter().map(|(&state, mass)| (state, mass.points.iter().sum())).collect();
        let together = |a: &(usize, f64), b: &(usize, f64)| block_of(game, a.0) == block_of(game, b.0);
        let blocks: Vec<&[(usize, f64)]> = states.chunk_by(together).collect();
        // A batch at a time: turns are played in parallel, distributions are added in order.
        for batch in blocks.chunks(512) {
            // Whoever watches may want to stop it here.
            progress(self.turn, self.turns);
            let played: Vec<Played> = batch
                .par_iter()
                .map_init(|| Track::new(game), |track, block| play(self.table, block, track))
                .collect();
            for Played { ends, entries } in played {
                for (roll, into, p) in ends {
                    note(&mut self.boxes[into.place()].rolls, self.turn, roll, p);
                }
                for Made { from, entry, to, paid, p, mass } in entries {
                    self.note(None, entry, paid > entry.points + entry.extra, mass);
                    let extras = usize::from(entry.extra > 0);
                    self.reached.entry(to).or_default().add(&reached[&from], paid.into(), extras, p);
                }
            }
        }
    }
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

/// The group of a state, and the number of its block of lanes.
fn block_of(game: &Game, state: usize) -> (usize, usize) {
    let first = game.space().group_of(state).first();
    (first, (state - first) / W)
}

fn play(table: &ExpectedTable, block: &[(usize, f64)], track: &mut Track) -> Played {
    let game: &Game = table.game();
    let group = game.space().group_of(block[0].0);
    let next = NextGroups::new(game, group);
    let lane_of = |state: usize| (state - group.first()) % W;
    let start = block[0].0 - group.first() - lane_of(block[0].0);
    let classes = game.space().states_of(group).len();
    let mut mass = Row([0.0; W]);
    for &(state, here) in block {
        mass.0[lane_of(state)] = here;
    }
    let mut played = Played { ends: Vec::new(), entries: Vec::new() };
    track.start(game, group.filled);
    track.follow(
        game,
        Equal::Points,
        &mass,
        |entry| {
            let mut row = Row([0.0; W]);
            for (lane, class) in row.0.iter_mut().zip(start..classes) {
                let (to, paid) = next.state(game, group, class, entry);
                *lane = f64::from(paid) + table.get(to);
            }
            row
        },
        |roll, entry, mass| played.ends.push((roll, entry.into, mass)),
        |entry, made| {
            for &(state, here) in block {
                let mass = made.0[lane_of(state)];
                if mass > 0.0 {
                    let (to, paid) = next.state(game, group, state - group.first(), entry);
                    played.entries.push(Made { from: state, entry, to, paid, p: mass / here, mass });
                }
            }
        },
    );
    played
}
