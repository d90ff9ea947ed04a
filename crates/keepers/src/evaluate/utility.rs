//! Exact statistics of the strategy with the best expected worth of the final score.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::lanes::Track;
use super::statistics::{BoxStatistics, Statistics};
use crate::game::Game;
use crate::plan::Equal;
use crate::solve::next::NextGroups;
use crate::solve::utility::W;
use crate::solve::{Progress, UtilityTable};
use crate::turn::{Row, Row64};

/// The probability of each number of points so far in a state, by the number of extra bonuses.
type Mass = Vec<Vec<f64>>;

/// What one thread has seen of the boxes in one turn.
#[derive(Clone)]
struct Seen {
    rolls: Vec<Vec<f64>>,
    points: Vec<BTreeMap<u16, f64>>,
    upper_bonus: f64,
}

/// The exact statistics of the strategy that a utility table stands for, from the card it was solved
/// for on.
///
/// ```
/// use keepers::{Card, Game, Rules, evaluate::evaluate_utility, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let at_least_200: Vec<f64> = (0..=200).map(|score| if score >= 200 { 1.0 } else { 0.0 }).collect();
/// let table = solve::best_utility(&game, &Card::empty(&game), &at_least_200, &|_, _| ());
/// let statistics = evaluate_utility(&game, &table, &|_, _| ());
/// assert!((statistics.at_least(200) - table.value()).abs() < 1e-12);
/// ```
pub fn evaluate_utility(game: &Game, table: &UtilityTable, progress: Progress<'_>) -> Statistics {
    let space = game.space();
    let start = table.start();
    let turns = space.boxes() - space.group_of(start).filled.boxes.len();
    let mut reached: Vec<(usize, Mass)> = vec![(start, vec![vec![1.0]])];
    let mut boxes: Vec<BoxStatistics> = vec![BoxStatistics::default(); space.boxes()];
    let mut upper_bonus = 0.0;
    for turn in 0..turns {
        let states = space.layer(turns - turn - 1);
        let first = space.states_of(&space.groups()[states.start]).start;
        let end = space.states_of(&space.groups()[states.end - 1]).end;
        let next: Vec<Mutex<Mass>> = (first..end).map(|_| Mutex::new(Vec::new())).collect();
        let nothing = Seen {
            rolls: vec![vec![0.0; game.lattice().rolls().len()]; space.boxes()],
            points: vec![BTreeMap::new(); space.boxes()],
            upper_bonus: 0.0,
        };
        let seen = reached
            .par_iter()
            .fold(
                || (Track::new(game), nothing.clone()),
                |(mut track, mut seen), (state, mass)| {
                    play(game, table, *state, mass, &mut track, &mut seen, |to, extras, points, lanes| {
                        let mut there = next[to - first].lock().unwrap_or_else(PoisonError::into_inner);
                        add(&mut there, table.window(to).len(), extras, points, lanes);
                    });
                    (track, seen)
                },
            )
            .map(|(_, seen)| seen)
            .reduce(|| nothing.clone(), join);
        for (of, (rolls, points)) in boxes.iter_mut().zip(seen.rolls.into_iter().zip(seen.points)) {
            of.rolls.push(rolls);
            let most = points.keys().next_back().map_or(0, |most| usize::from(*most) + 1);
            let mut row = vec![0.0; most];
            points.into_iter().for_each(|(points, p)| row[usize::from(points)] = p);
            of.points.push(row);
        }
        upper_bonus += seen.upper_bonus;
        let unlocked = next.into_iter().map(|mass| mass.into_inner().unwrap_or_else(PoisonError::into_inner));
        reached = (first..end).zip(unlocked).filter(|(_, mass)| !mass.is_empty()).collect();
        progress(turn + 1, turns);
    }
    let mut probability = Vec::new();
    let mut extras = Vec::new();
    for (state, mass) in &reached {
        let least = usize::from(table.window(*state).least);
        for (n, points) in mass.iter().enumerate() {
            for (total, p) in (least..).zip(points) {
                grow(&mut probability, total, *p);
                grow(&mut extras, n, *p);
            }
        }
    }
    let last = probability.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
    probability.truncate(last);
    Statistics { probability, boxes: boxes.into_iter().collect(), upper_bonus, extras }
}

fn grow(cells: &mut Vec<f64>, place: usize, more: f64) {
    if more > 0.0 {
        if cells.len() <= place {
            cells.resize(place + 1, 0.0);
        }
        cells[place] += more;
    }
}

fn add(mass: &mut Mass, len: usize, extras: usize, points: usize, lanes: &Row64) {
    while mass.len() <= extras {
        mass.push(Vec::new());
    }
    let row = &mut mass[extras];
    if row.is_empty() {
        row.resize(len, 0.0);
    }
    for (cell, more) in row[points..].iter_mut().zip(lanes.0) {
        *cell += more;
    }
}

fn join(mut a: Seen, b: Seen) -> Seen {
    for (to, from) in a.rolls.iter_mut().flatten().zip(b.rolls.iter().flatten()) {
        *to += from;
    }
    for (to, from) in a.points.iter_mut().zip(b.points) {
        for (points, p) in from {
            *to.entry(points).or_default() += p;
        }
    }
    a.upper_bonus += b.upper_bonus;
    a
}

/// One turn from one state, for all points so far. `push` is told the next state, the extra bonuses,
/// the points past the fewest of that state, and the mass.
fn play(
    game: &Game,
    table: &UtilityTable,
    state: usize,
    mass: &Mass,
    track: &mut Track,
    seen: &mut Seen,
    mut push: impl FnMut(usize, usize, usize, &Row64),
) {
    let group = game.space().group_of(state);
    let class = state - group.first();
    let next = NextGroups::new(game, group);
    let least = usize::from(table.window(state).least);
    track.start(game, group.filled);
    for (extras, points) in mass.iter().enumerate() {
        for (block, start) in points.chunks(W).zip((least..).step_by(W)) {
            if block.iter().all(|p| *p == 0.0) {
                continue;
            }
            let mut lanes = Row([0.0; W]);
            lanes.0[..block.len()].copy_from_slice(block);
            let Seen { rolls, points, upper_bonus } = seen;
            track.follow(
                game,
                Equal::Digits,
                &lanes,
                |entry| {
                    let (to, paid) = next.state(game, group, class, entry);
                    table.load(to, start + usize::from(paid))
                },
                |roll, entry, p| rolls[entry.into.place()][roll] += p,
                |entry, lanes| {
                    let (to, paid) = next.state(game, group, class, entry);
                    let p: f64 = lanes.0.iter().sum();
                    *points[entry.into.place()].entry(entry.points).or_default() += p;
                    *upper_bonus += if paid > entry.points + entry.extra { p } else { 0.0 };
                    let past = start + usize::from(paid) - usize::from(table.window(to).least);
                    push(to, extras + usize::from(entry.extra > 0), past, lanes);
                },
            );
        }
    }
}
