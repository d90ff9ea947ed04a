//! The best expected worth of the final score, for any worth of each score (Perkins, section 3):
//! winning a tournament, reaching a target, beating a posted score. Lanes are points so far.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::exit::{Bench, Benches, turn_value};
use super::moved::{MovedLanes, Placed};
use super::next::NextGroups;
use crate::card::Card;
use crate::game::Game;
use crate::rules::Entry;
use crate::state::Group;
use crate::turn::Row64;

pub(crate) const W: usize = 8;

/// What a game is worth from every state and every number of points so far that a card can lead to.
#[derive(Clone, Debug)]
pub struct UtilityTable {
    start: usize,
    windows: Vec<PointsSoFar>,
    cells: Vec<f64>,
}

/// Which numbers of points a state can be reached with, and where its cells are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointsSoFar {
    /// The fewest and the most points; none at all if the most are less than the fewest.
    pub least: u16,
    pub most: u16,
    offset: usize,
}

impl PointsSoFar {
    const NEVER: PointsSoFar = PointsSoFar { least: u16::MAX, most: 0, offset: 0 };

    /// How many numbers of points there are.
    pub fn len(&self) -> usize {
        (usize::from(self.most) + 1).saturating_sub(self.least.into())
    }

    /// Its cells, with room for a whole row of lanes from each number of points on.
    fn cells(&self) -> Range<usize> {
        let padding = if self.len() == 0 { 0 } else { W };
        self.offset..self.offset + self.len() + padding
    }

    #[inline(always)]
    fn placed(&self) -> Placed {
        Placed { offset: self.offset, first: self.least.into(), last: self.len() as i32 }
    }
}

impl UtilityTable {
    /// What the game is worth from the card it was solved for.
    pub fn value(&self) -> f64 {
        self.cells[self.windows[self.start].offset]
    }

    /// What the game is worth from a state with so many points so far.
    ///
    /// # Panics
    /// If the card it was solved for cannot lead there.
    pub fn get(&self, state: usize, points: u16) -> f64 {
        let window = &self.windows[state];
        assert!((window.least..=window.most).contains(&points), "the card does not lead there");
        self.cells[window.offset + usize::from(points - window.least)]
    }

    /// Whether the card it was solved for can lead to a state with so many points so far, or at least to more
    /// and to fewer of them: whatever follows from there is then known too.
    pub fn knows(&self, state: usize, points: u16) -> bool {
        let window = &self.windows[state];
        (window.least..=window.most).contains(&points)
    }

    /// The bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.cells.len() * size_of::<f64>() + self.windows.len() * size_of::<PointsSoFar>()
    }

    pub(crate) fn start(&self) -> usize {
        self.start
    }

    pub(crate) fn window(&self, state: usize) -> &PointsSoFar {
        &self.windows[state]
    }

    /// The worth of a state for W lanes of points so far.
    #[inline(always)]
    pub(crate) fn load(&self, state: usize, points: usize) -> Row64 {
        self.windows[state].placed().row(&self.cells, points as i32)
    }
}

/// How many values a game has from a card on, for any worth of the final score.
pub fn utility_cells(game: &Game, card: &Card) -> usize {
    let start = game.space().index(card.filled(), card.upper_total()).expect("a card has a state");
    points_so_far(game, start, card.total()).last().map_or(0, |window| window.cells().end)
}

/// Solves for the best expected worth of the final score, from a card on. `worth` has a value for
/// each final score from 0 on; scores past its end are worth as much as the last.
///
/// ```
/// use keepers::{Card, Game, Rules, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let identity: Vec<f64> = (0..=400).map(f64::from).collect();
/// let table = solve::best_utility(&game, &Card::empty(&game), &identity, &|_, _| ());
/// assert!((table.value() - 166.988118).abs() < 1e-6);
/// ```
///
/// # Panics
/// If `worth` is empty.
pub fn best_utility(game: &Game, card: &Card, worth: &[f64], progress: Progress<'_>) -> UtilityTable {
    let space = game.space();
    let start = space.index(card.filled(), card.upper_total()).expect("a card has a state");
    let windows = points_so_far(game, start, card.total());
    let all = windows.last().map_or(0, |window| window.cells().end);
    let mut cells = vec![0.0; all];
    let more_is_better = worth.is_sorted();
    let told = AtomicUsize::new(0);
    let benches: Benches<f64, W> = Benches::new(game);
    for open in 0..=card.open_boxes().len() {
        let groups = &space.groups()[space.layer(open)];
        let first = windows[space.states_of(&groups[0]).start].offset;
        let (solved, mut rest) = cells.split_at_mut(first);
        let mut work: Vec<(&Group, usize, &mut [f64])> = Vec::new();
        for group in groups {
            for (class, state) in space.states_of(group).enumerate() {
                let (cells, more) = rest.split_at_mut(windows[state].cells().len());
                rest = more;
                if windows[state].len() > 0 {
                    work.push((group, class, cells));
                }
            }
        }
        let solved = Solved { game, windows: &windows, cells: solved, more_is_better };
        work.into_par_iter().with_max_len(8).for_each(|(group, class, cells)| {
            if open == 0 {
                finish(cells, windows[group.first() + class], worth);
            } else {
                solve_state(&solved, group, class, cells, &mut benches.take());
            }
            let before = told.fetch_add(cells.len(), Ordering::Relaxed);
            if before >> 16 != (before + cells.len()) >> 16 {
                progress(before + cells.len(), all);
            }
        });
    }
    progress(all, all);
    UtilityTable { start, windows, cells }
}

/// A finished card is worth what its score is worth.
fn finish(cells: &mut [f64], window: PointsSoFar, worth: &[f64]) {
    for (cell, score) in cells.iter_mut().zip(usize::from(window.least)..) {
        *cell = worth[score.min(worth.len() - 1)];
    }
}

/// What is solved already.
struct Solved<'a> {
    game: &'a Game,
    windows: &'a [PointsSoFar],
    cells: &'a [f64],
    more_is_better: bool,
}

fn solve_state(
    solved: &Solved<'_>,
    group: &Group,
    class: usize,
    cells: &mut [f64],
    bench: &mut Bench<f64, W>,
) {
    let window = solved.windows[group.first() + class];
    bench.start(solved.game, group.filled, solved.more_is_better);
    let next = NextGroups::new(solved.game, group);
    let moved = |&entry: &Entry| {
        let (state, paid) = next.state(solved.game, group, class, entry);
        solved.windows[state].placed().before(paid.into())
    };
    let curves: Vec<Placed> = bench.entries().iter().map(moved).collect();
    for (block, start) in cells[..window.len()].chunks_mut(W).zip((usize::from(window.least)..).step_by(W)) {
        let lanes = MovedLanes { cells: solved.cells, curves: &curves, start: start as i32 };
        let value = turn_value(solved.game, &lanes, bench);
        block.copy_from_slice(&value.0[..block.len()]);
    }
}

/// Which points every state can be reached with from a state, and where its cells are.
fn points_so_far(game: &Game, start: usize, total: u16) -> Vec<PointsSoFar> {
    let space = game.space();
    let mut windows = vec![PointsSoFar::NEVER; space.states()];
    windows[start] = PointsSoFar { least: total, most: total, offset: 0 };
    let mut special: Vec<Entry> = Vec::new();
    // All that a state leads to stands before it.
    for group in space.groups().iter().rev() {
        let states = space.states_of(group);
        if states.clone().all(|state| windows[state].len() == 0) {
            continue;
        }
        let next = NextGroups::new(game, group);
        special.clear();
        game.special_entries(group.filled, |_, entry| special.push(entry));
        for (class, state) in states.enumerate() {
            let here = windows[state];
            if here.len() == 0 {
                continue;
            }
            let mut reach = |entry: Entry| {
                let (to, paid) = next.state(game, group, class, entry);
                let there = &mut windows[to];
                there.least = there.least.min(here.least + paid);
                there.most = there.most.max(here.most + paid);
            };
            for into in game.rules().all_boxes().minus(group.filled.boxes).iter() {
                let amounts = game.scores()[into].amounts.iter();
                amounts.for_each(|&points| reach(Entry { into, points, extra: 0 }));
            }
            special.iter().copied().for_each(reach);
        }
    }
    let mut offset = 0;
    for window in &mut windows {
        window.offset = offset;
        offset = window.cells().end;
    }
    windows
}
