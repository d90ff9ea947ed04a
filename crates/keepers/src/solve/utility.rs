//! The best expected utility of the final score, for any utility (Perkins, section 3): winning a tournament, reaching a
//! target, beating a posted score. For a state x and t points so far,
//!
//! `U(x, t) = turn over entries e of U(x·e, t + paid(e))`, with `U(x, t) = utility[t]` for full cards.
//!
//! A lane is a number of points so far. All values are `f64`. Only points so far that can occur on the way from the
//! given card are solved.

use std::ops::Range;

use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::transitions::Transitions;
use crate::kernel::workspace::{Workspace, Workspaces, turn_value};
use crate::parallel::Threads;
use crate::turn::{LANES, Row, Row64};
use crate::work::{Progress, Work, WorkError, reserve, zeroed};

/// The best expected utility for every state, and every number of points so far, that a card can lead to.
#[derive(Clone, Debug)]
pub struct UtilityTable {
    start: usize,
    windows: Vec<PointsSoFar>,
    cells: Vec<f64>,
}

/// The range of points so far with which a state can be reached, and the location of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointsSoFar {
    /// The fewest and the most points. The state cannot be reached if `most < least`.
    pub least: u16,
    pub most: u16,
    offset: usize,
}

impl PointsSoFar {
    const UNREACHED: PointsSoFar = PointsSoFar { least: u16::MAX, most: 0, offset: 0 };

    /// Returns the number of solved points so far.
    pub fn len(&self) -> usize {
        (usize::from(self.most) + 1).saturating_sub(self.least.into())
    }

    /// Returns the range of its cells. It ends with padding, so that a full row can be loaded at each number of points.
    fn cells(&self) -> Range<usize> {
        let padding = if self.len() == 0 { 0 } else { LANES };
        self.offset..self.offset + self.len() + padding
    }

    #[inline(always)]
    fn curve(&self) -> CurveView {
        CurveView { offset: self.offset, first: self.least.into(), last: self.len() as i32 }
    }
}

impl UtilityTable {
    /// Returns the expected utility from the card that the table was solved for.
    pub fn value(&self) -> f64 {
        self.cells[self.windows[self.start].offset]
    }

    /// Returns the expected utility from a state with `points` points so far.
    ///
    /// # Panics
    /// If `points` is outside the range solved for `state`.
    pub fn get(&self, state: usize, points: u16) -> f64 {
        let window = &self.windows[state];
        assert!(
            (window.least..=window.most).contains(&points),
            "the points are outside the range solved for the state"
        );
        self.cells[window.offset + usize::from(points - window.least)]
    }

    /// Returns whether `points` lies within the range solved for `state`. If it does, all its successors are in the
    /// table as well.
    pub fn knows(&self, state: usize, points: u16) -> bool {
        let window = &self.windows[state];
        (window.least..=window.most).contains(&points)
    }

    /// Returns the size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.cells.len() * size_of::<f64>() + self.windows.len() * size_of::<PointsSoFar>()
    }

    pub(crate) fn window(&self, state: usize) -> &PointsSoFar {
        &self.windows[state]
    }

    /// Loads the row of lanes from `points` so far on, which must be within the range of the state. Lanes above the
    /// range are unspecified.
    #[inline(always)]
    pub(crate) fn load(&self, state: usize, points: usize) -> Row64 {
        self.windows[state].curve().row(&self.cells, points as i32)
    }

    /// Loads the row of lanes from `points` so far on. Lanes below the range of the state get the value of its fewest
    /// points; lanes above the range are unspecified.
    pub(crate) fn load_clamped(&self, state: usize, points: usize) -> Row64 {
        let curve = self.windows[state].curve();
        Row(std::array::from_fn(|lane| curve.lane(&self.cells, (points + lane) as i32)))
    }
}

/// Returns the number of cells in the table of a card, padding included. It does not depend on the utility.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn utility_cells(game: &Game, card: &Card, work: &Work<'_>) -> Result<usize, WorkError> {
    let windows = points_so_far(game, card.state(), card.total(), work)?;
    Ok(windows.last().map_or(0, |window| window.cells().end))
}

/// Solves for the best expected utility of the final score, starting from a card. `utility[s]` is the utility of the final
/// score s; scores beyond its end have the utility of the last.
///
/// ```
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::{Work, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let identity: Vec<f64> = (0..=400).map(f64::from).collect();
/// let table = solve::best_utility(&game, &Card::empty(&game), &identity, &Work::silent()).unwrap();
/// assert!((table.value() - 166.988118).abs() < 1e-6);
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
///
/// # Panics
/// If `utility` is empty.
pub fn best_utility(
    game: &Game,
    card: &Card,
    utility: &[f64],
    work: &Work<'_>,
) -> Result<UtilityTable, WorkError> {
    let space = game.space();
    let start = card.state();
    let windows = points_so_far(game, start, card.total(), work)?;
    let all = windows.last().map_or(0, |window| window.cells().end);
    let mut cells = zeroed(all)?;
    let more_is_better = utility.is_sorted();
    let progress = Progress::new(work, all, 16);
    let workspaces: Workspaces<f64, LANES> = Workspaces::new(game, Threads::All);
    for open in 0..=card.open_boxes().len() {
        let groups = &space.groups()[space.layer(open)];
        let first = windows[space.states_of(&groups[0]).start].offset;
        let (solved, mut rest) = cells.split_at_mut(first);
        let mut layer: Vec<(&Group, usize, &mut [f64])> = Vec::new();
        for group in groups {
            for (class, state) in space.states_of(group).enumerate() {
                let (cells, more) = rest.split_at_mut(windows[state].cells().len());
                rest = more;
                if windows[state].len() > 0 {
                    layer.push((group, class, cells));
                }
            }
        }
        let solved = Solved { game, windows: &windows, cells: solved, more_is_better };
        Threads::All.try_for_each(layer, 8, |(group, class, cells)| {
            if open == 0 {
                finish(cells, windows[group.first() + class], utility);
            } else {
                solve_state(&solved, group, class, cells, &mut workspaces.take());
            }
            progress.add(cells.len())
        })?;
    }
    progress.finish();
    Ok(UtilityTable { start, windows, cells })
}

/// Sets the values of a full card: the utilities of its scores.
fn finish(cells: &mut [f64], window: PointsSoFar, utility: &[f64]) {
    for (cell, score) in cells.iter_mut().zip(usize::from(window.least)..) {
        *cell = utility[score.min(utility.len() - 1)];
    }
}

/// The values of all states with fewer open boxes.
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
    workspace: &mut Workspace<f64, LANES>,
) {
    let window = solved.windows[group.first() + class];
    workspace.start(solved.game, group.filled, solved.more_is_better);
    let next = Transitions::new(solved.game, group);
    let shifted = |&entry: &Entry| {
        let (state, paid) = next.state(solved.game, group, class, entry);
        solved.windows[state].curve().before(paid.into())
    };
    let curves: Vec<CurveView> = workspace.entries().iter().map(shifted).collect();
    for (block, start) in
        cells[..window.len()].chunks_mut(LANES).zip((usize::from(window.least)..).step_by(LANES))
    {
        let lanes = ShiftedCurves { cells: solved.cells, curves: &curves, start: start as i32 };
        let value = turn_value(solved.game, &lanes, workspace);
        block.copy_from_slice(&value.0[..block.len()]);
    }
}

/// Returns the fewest and the most points so far with which each state can be reached from a card. A state that cannot
/// be reached has more of the first.
pub(crate) fn ranges_so_far(game: &Game, card: &Card, work: &Work<'_>) -> Result<Vec<(u16, u16)>, WorkError> {
    let windows = points_so_far(game, card.state(), card.total(), work)?;
    let mut ranges = Vec::new();
    reserve(&mut ranges, windows.len())?;
    ranges.extend(windows.iter().map(|window| (window.least, window.most)));
    Ok(ranges)
}

/// Finds the range of points so far with which each state can be reached from `start`, and assigns its cells.
fn points_so_far(
    game: &Game,
    start: usize,
    total: u16,
    work: &Work<'_>,
) -> Result<Vec<PointsSoFar>, WorkError> {
    let space = game.space();
    let mut windows = Vec::new();
    reserve(&mut windows, space.states())?;
    windows.resize(space.states(), PointsSoFar::UNREACHED);
    windows[start] = PointsSoFar { least: total, most: total, offset: 0 };
    let mut entries: Vec<Entry> = Vec::new();
    // In reverse order: states are stored after all their successors.
    for group in space.groups().iter().rev() {
        let states = space.states_of(group);
        if states.clone().all(|state| windows[state].len() == 0) {
            continue;
        }
        work.check()?;
        let next = Transitions::new(game, group);
        entries.clear();
        game.each_entry(group.filled, |entry| entries.push(entry));
        for (class, state) in states.enumerate() {
            let here = windows[state];
            if here.len() == 0 {
                continue;
            }
            for &entry in &entries {
                let (to, paid) = next.state(game, group, class, entry);
                let there = &mut windows[to];
                there.least = there.least.min(here.least + paid);
                there.most = there.most.max(here.most + paid);
            }
        }
    }
    let mut offset = 0;
    for window in &mut windows {
        window.offset = offset;
        offset = window.cells().end;
    }
    Ok(windows)
}

/// Creates a table with the values of a function of the state and the points so far, for every number of points so far
/// that a card can lead to. A player that follows the table chooses the entry with the largest value.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn tabulate(
    game: &Game,
    card: &Card,
    value: impl Fn(usize, u16) -> f64 + Send + Sync,
    work: &Work<'_>,
) -> Result<UtilityTable, WorkError> {
    let start = card.state();
    let windows = points_so_far(game, start, card.total(), work)?;
    let all = windows.last().map_or(0, |window| window.cells().end);
    let mut cells: Vec<f64> = zeroed(all)?;
    let progress = Progress::new(work, all, 16);
    let mut rest = &mut cells[..];
    let mut states: Vec<(usize, &mut [f64])> = Vec::new();
    for (state, window) in windows.iter().enumerate() {
        let (own, more) = rest.split_at_mut(window.cells().len());
        rest = more;
        states.push((state, own));
    }
    Threads::All.try_for_each(states, 64, |(state, cells)| {
        let window = windows[state];
        for (cell, points) in cells[..window.len()].iter_mut().zip(window.least..) {
            *cell = value(state, points);
        }
        progress.add(cells.len())
    })?;
    progress.finish();
    Ok(UtilityTable { start, windows, cells })
}
