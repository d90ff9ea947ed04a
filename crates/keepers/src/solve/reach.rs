//! The best probability of reaching every score (Cremers' MaxProb for all targets at once;
//! Pawlewicz, 3.3): for every state and every s, the chance of at least s more points when each
//! choice serves that s alone. Lanes are points still needed.
//!
//! Only the window of s with a probability between 0 and 1 is kept: below it lie ones, above it
//! zeros. All arithmetic is monotone under rounding and a row of ones comes back as ones, so the
//! curves lie in [0, 1] and never rise, in single precision too.

use crate::game::Game;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::transitions::Transitions;
use crate::kernel::workspace::{Workspace, Workspaces, turn_value};
use crate::parallel::Threads;
use crate::turn::{LANES, Number};
use crate::work::{Progress, Work, WorkError, reserve, zeroed};

/// The window of one state among the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where its cells start.
    pub offset: usize,
    /// The smallest s that is not certain.
    pub first: u16,
    /// How many s are neither certain nor out of reach.
    pub len: u16,
}

/// The reach curves of every score state.
#[derive(Clone, Debug)]
pub struct ReachCurves<T = f32> {
    windows: Vec<Window>,
    cells: Vec<T>,
}

/// The best probability of at least s more points, for every s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve<'a, T = f32> {
    /// The smallest s that is not certain.
    pub first: u16,
    /// The probabilities from there on; 0 after the last.
    pub cells: &'a [T],
}

impl<T: Number> Curve<'_, T> {
    /// The best probability of at least `points` more points.
    pub fn at(&self, points: i32) -> T {
        match usize::try_from(points - i32::from(self.first)) {
            Err(_) => T::from(1.0),
            Ok(place) => self.cells.get(place).copied().unwrap_or(T::from(0.0)),
        }
    }

    /// The most points that can still come.
    pub fn most(&self) -> u16 {
        self.first + self.cells.len() as u16 - 1
    }
}

impl<T: Number> ReachCurves<T> {
    /// The windows of all states, in their order.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The cells of all windows, in the order of the states.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// The curve of a state.
    pub fn curve(&self, state: usize) -> Curve<'_, T> {
        let Window { offset, first, len } = self.windows[state];
        Curve { first, cells: &self.cells[offset..offset + len as usize] }
    }
}

/// Solves a game for the best probability of reaching every score, in single precision.
///
/// ```
/// use keepers::{Game, Rules};
/// use keepers::internals::{Work, solve};
/// let toy = "dice = 2\nfaces = 6\nrolls = 1\n[[box]]\nid = \"c\"\npattern = \"chance\"";
/// let game = Game::new(Rules::from_toml(toy).unwrap());
/// let curves = solve::reach_curves(&game, &Work::silent()).unwrap();
/// let start = curves.curve(game.space().states() - 1);
/// assert_eq!((start.at(2), start.at(3), start.at(12), start.at(13)), (1.0, 35.0 / 36.0, 1.0 / 36.0, 0.0));
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves(game: &Game, work: &Work<'_>) -> Result<ReachCurves<f32>, WorkError> {
    solve::<f32, WIDTH>(game, work)
}

/// Solves a game for the best probability of reaching every score in double precision, at twice the memory and more
/// than twice the time of [`reach_curves`].
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves_f64(game: &Game, work: &Work<'_>) -> Result<ReachCurves<f64>, WorkError> {
    solve::<f64, LANES>(game, work)
}

/// Lanes of a row in single precision.
const WIDTH: usize = 16;

fn solve<T: Number, const W: usize>(game: &Game, work: &Work<'_>) -> Result<ReachCurves<T>, WorkError> {
    let space = game.space();
    let mut curves = Padded::<T>::new(game, W, work)?;
    let progress = Progress::new(work, curves.cells.len(), 16);
    let workspaces: Workspaces<T, W> = Workspaces::new(game, Threads::All);
    for open in 0..=space.boxes() {
        let groups = &space.groups()[space.layer(open)];
        let (solved, mut rest) = curves.split_at(space.states_of(&groups[0]).start);
        let mut layer: Vec<(&Group, usize, &mut [T])> = Vec::new();
        for group in groups {
            for (class, state) in space.states_of(group).enumerate() {
                let (cells, more) = rest.split_at_mut(solved.windows[state].last as usize + W);
                layer.push((group, class, cells));
                rest = more;
            }
        }
        Threads::All.try_for_each(layer, 8, |(group, class, cells)| {
            solve_state(game, &solved, group, class, cells, &mut workspaces.take());
            progress.add(cells.len())
        })?;
    }
    let curves = curves.trim(work)?;
    progress.finish();
    Ok(curves)
}

fn solve_state<T: Number, const W: usize>(
    game: &Game,
    solved: &Solved<'_, T>,
    group: &Group,
    class: usize,
    cells: &mut [T],
    workspace: &mut Workspace<T, W>,
) {
    let window = solved.windows[group.first() + class];
    cells[..W].fill(T::from(1.0));
    let inside = cells.len() - 2 * W;
    cells[W + inside..].fill(T::from(0.0));
    if inside == 0 {
        return;
    }
    workspace.start(game, group.filled, true);
    // The curve of the next state, moved by what the entry pays (Pawlewicz, C.3).
    let next = Transitions::new(game, group);
    let moved = |&entry: &Entry| {
        let (state, paid) = next.state(game, group, class, entry);
        solved.windows[state].before(-i32::from(paid))
    };
    let curves: Vec<CurveView> = workspace.entries().iter().map(moved).collect();
    for (nth, block) in cells[W..W + inside].chunks_mut(W).enumerate().rev() {
        let start = window.first + ((1 + nth) * W) as i32;
        let value =
            turn_value(game, &ShiftedCurves { cells: solved.cells, curves: &curves, start }, workspace);
        block.copy_from_slice(&value.0[..block.len()]);
        // Curves never rise: what is certain here is certain for all that is less.
        if block.iter().all(|p| *p >= T::from(1.0)) {
            cells[..W + nth * W].fill(T::from(1.0));
            break;
        }
    }
}

/// All curves while they are solved, each between W ones and W zeros, so that any W lanes of it are
/// one load: those that lie further out are all ones or all zeros too.
struct Padded<T> {
    /// How many ones and zeros.
    pad: usize,
    windows: Vec<CurveView>,
    cells: Vec<T>,
}

/// The curves that are solved already.
struct Solved<'a, T> {
    windows: &'a [CurveView],
    cells: &'a [T],
}

impl<T: Number> Padded<T> {
    fn new(game: &Game, pad: usize, work: &Work<'_>) -> Result<Padded<T>, WorkError> {
        let mut offset = 0;
        let windows: Vec<CurveView> = bounds(game, work)?
            .into_iter()
            .map(|(least, most)| {
                let len = (most - least) as usize + 2 * pad;
                offset += len;
                CurveView { offset: offset - len, first: least + 1 - pad as i32, last: (len - pad) as i32 }
            })
            .collect();
        Ok(Padded { pad, windows, cells: zeroed(offset)? })
    }

    /// The curves of the states before this one, and the cells from it on.
    fn split_at(&mut self, state: usize) -> (Solved<'_, T>, &mut [T]) {
        let (solved, rest) = self.cells.split_at_mut(self.windows[state].offset);
        (Solved { windows: &self.windows, cells: solved }, rest)
    }

    /// Takes out the padding, and what turned out to be certain or out of reach.
    fn trim(mut self, work: &Work<'_>) -> Result<ReachCurves<T>, WorkError> {
        let mut end = 0;
        let mut windows = Vec::new();
        reserve(&mut windows, self.windows.len())?;
        for (nth, window) in self.windows.iter().enumerate() {
            if nth.is_multiple_of(4096) {
                work.check()?;
            }
            let cells = &self.cells[window.offset..window.offset + window.last as usize + self.pad];
            let certain = cells.partition_point(|p| *p >= T::from(1.0));
            let within = cells.partition_point(|p| *p > T::from(0.0)) - certain;
            let from = window.offset + certain;
            self.cells.copy_within(from..from + within, end);
            windows.push(Window {
                offset: end,
                first: (window.first + certain as i32) as u16,
                len: within as u16,
            });
            end += within;
        }
        self.cells.truncate(end);
        Ok(ReachCurves { windows, cells: self.cells })
    }
}

/// How many probabilities the reach curves of a game have while they are solved. Counting them takes a walk over all
/// states; if a lower bound already exceeds `enough`, that bound is returned at once.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_cells(game: &Game, enough: usize, work: &Work<'_>) -> Result<usize, WorkError> {
    const PADDING: usize = 2 * WIDTH;
    let least = game.space().states().saturating_mul(PADDING);
    if least > enough {
        return Ok(least);
    }
    Ok(bounds(game, work)?.iter().map(|(least, most)| (most - least) as usize + PADDING).sum())
}

/// For every state, points that are certain whatever the dice, and the most that can come. The
/// first is not the best such bound, but close: the window is trimmed later.
pub(super) fn bounds(game: &Game, work: &Work<'_>) -> Result<Vec<(i32, i32)>, WorkError> {
    let space = game.space();
    let mut bounds: Vec<(i32, i32)> = Vec::new();
    reserve(&mut bounds, space.states())?;
    for open in 0..=space.boxes() {
        let groups = &space.groups()[space.layer(open)];
        let of_group = |nth: usize| {
            work.check()?;
            let group = &groups[nth];
            let next = Transitions::new(game, group);
            let mut special: Vec<(u16, Entry)> = Vec::new();
            game.extra_yahtzee_entries(group.filled, |roll, entry| special.push((roll, entry)));
            let of_class = |class: usize| {
                let after = |entry: Entry| {
                    let (state, points) = next.state(game, group, class, entry);
                    let (least, most): (i32, i32) = bounds[state];
                    (least + i32::from(points), most + i32::from(points))
                };
                bounds_before(game, group, &special, after)
            };
            Ok((0..space.states_of(group).len()).map(of_class).collect::<Vec<_>>())
        };
        let of_layer: Vec<Vec<(i32, i32)>> = Threads::All.try_map(0..groups.len(), of_group)?;
        of_layer.into_iter().for_each(|of_group| bounds.extend(of_group));
    }
    Ok(bounds)
}

/// The bounds of one state, from those of the states that every entry would lead to, its points included.
pub(crate) fn bounds_before(
    game: &Game,
    group: &Group,
    special: &[(u16, Entry)],
    after: impl Fn(Entry) -> (i32, i32),
) -> (i32, i32) {
    let (mut least, mut most) = (0, 0);
    for into in game.rules().all_boxes().minus(group.filled.boxes).iter() {
        let bounds = || game.entries_into(into).map(&after);
        least = least.max(bounds().map(|after| after.0).min().unwrap_or(0));
        most = most.max(bounds().map(|after| after.1).max().unwrap_or(0));
    }
    // A further Yahtzee may be forced elsewhere.
    for one_roll in special.chunk_by(|a, b| a.0 == b.0) {
        let entries = || one_roll.iter().map(|&(_, entry)| after(entry));
        least = least.min(entries().map(|worth| worth.0).max().unwrap_or(0));
        most = most.max(entries().map(|worth| worth.1).max().unwrap_or(0));
    }
    (least, most)
}
