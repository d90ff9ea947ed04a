//! The best probability of reaching every score (Cremers' MaxProb for all targets at once; Pawlewicz, 3.3). For a state
//! x and s points still needed,
//!
//! `P(x, s) = turn over entries e of P(x·e, s - paid(e))`, with `P(x, s) = 1` if `s <= 0`, else 0, for full cards.
//!
//! Each s has its own optimal decisions. A lane is a number of points still needed. Values are `f32`, or `f64` on
//! request ([`reach_curves_f64`]).
//!
//! Only the window of s with a probability strictly between 0 and 1 is stored: for all smaller s it is 1, for all
//! larger s it is 0. All arithmetic is monotone under rounding, and the value of a turn whose entries all have value 1
//! is exactly 1, so curves stay in [0, 1] and never rise, in single precision too.

use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::shifted::{CurveView, ShiftedCurves};
use crate::kernel::transitions::Transitions;
use crate::kernel::workspace::{Workspace, Workspaces, turn_value};
use crate::parallel::Threads;
use crate::solve::utility::ranges_so_far;
use crate::turn::{LANES, Number};
use crate::work::{Progress, Work, WorkError, reserve, zeroed};

/// The window of one state in the array of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The index of its first cell.
    pub offset: usize,
    /// The smallest s with a probability below 1.
    pub first: u16,
    /// The number of s with a probability strictly between 0 and 1.
    pub len: u16,
}

/// The reach curves of every score state, or of those that a card can lead to.
#[derive(Clone, Debug)]
pub struct ReachCurves<T = f32> {
    windows: Vec<Window>,
    cells: Vec<T>,
}

/// The reach curve of one state: the best probability of at least s more points, for every s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve<'a, T = f32> {
    /// The smallest s with a probability below 1.
    pub first: u16,
    /// The probabilities from `first` on. After the last it is 0.
    pub cells: &'a [T],
}

impl<T: Number> Curve<'_, T> {
    /// Returns the best probability of at least `points` more points.
    pub fn at(&self, points: i32) -> T {
        match usize::try_from(points - i32::from(self.first)) {
            Err(_) => T::from(1.0),
            Ok(index) => self.cells.get(index).copied().unwrap_or(T::from(0.0)),
        }
    }

    /// Returns the most points that can still come.
    pub fn most(&self) -> u16 {
        self.first + self.cells.len() as u16 - 1
    }
}

impl<T: Number> ReachCurves<T> {
    /// Returns the windows of all states, in the order of the states.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Returns the cells of all windows, in the order of the states.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// Returns whether the curve of a state was solved. The smallest s with a probability below 1 is never 0.
    pub fn has(&self, state: usize) -> bool {
        self.windows[state].first > 0
    }

    /// Returns the curve of a state, which must have been solved.
    pub fn curve(&self, state: usize) -> Curve<'_, T> {
        debug_assert!(self.has(state), "the curve was not solved");
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
    solve::<f32, WIDTH>(game, ReachableStates::all(), work)
}

/// Solves the reach curves of a card and of all states that it can lead to. They have the bits of [`reach_curves`].
///
/// ```
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::{Work, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0").unwrap();
/// let states = solve::ReachableStates::from(&card, &Work::silent()).unwrap();
/// assert_eq!(states.count(), Some(4)); // Yacht and Chance are open
/// let curves = solve::reach_curves_from(&game, states, &Work::silent()).unwrap();
/// let state = game.space().index(card.filled(), card.upper_total()).unwrap();
/// assert!(curves.curve(state).at(50) > 0.04);
/// assert!(!curves.has(game.space().states() - 1)); // the empty card
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves_from(
    game: &Game,
    states: ReachableStates,
    work: &Work<'_>,
) -> Result<ReachCurves<f32>, WorkError> {
    solve::<f32, WIDTH>(game, states, work)
}

/// Solves a game for the best probability of reaching every score in double precision, at twice the memory and more
/// than twice the time of [`reach_curves`].
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves_f64(game: &Game, work: &Work<'_>) -> Result<ReachCurves<f64>, WorkError> {
    solve::<f64, LANES>(game, ReachableStates::all(), work)
}

/// Solves the reach curves of some states in double precision, like [`reach_curves_from`].
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves_from_f64(
    game: &Game,
    states: ReachableStates,
    work: &Work<'_>,
) -> Result<ReachCurves<f64>, WorkError> {
    solve::<f64, LANES>(game, states, work)
}

/// The states whose curves are solved: all, or those that a card can lead to. They lead only to each other.
#[derive(Clone, Debug)]
pub struct ReachableStates(Option<Vec<bool>>);

impl ReachableStates {
    /// Returns all states.
    pub fn all() -> ReachableStates {
        ReachableStates(None)
    }

    /// Returns the state of a card and all states that it can lead to.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn from(card: &Card, work: &Work<'_>) -> Result<ReachableStates, WorkError> {
        ReachableStates::from_any(std::slice::from_ref(card), work)
    }

    /// Returns the states of some cards of one game, at least one, and all states that any of them can lead to.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn from_any(cards: &[Card], work: &Work<'_>) -> Result<ReachableStates, WorkError> {
        let mut reached = vec![false; cards[0].game().space().states()];
        for card in cards {
            let ranges = ranges_so_far(card.game(), card, work)?;
            reached.iter_mut().zip(ranges).for_each(|(reached, (least, most))| *reached |= least <= most);
        }
        Ok(ReachableStates(Some(reached)))
    }

    /// Returns the number of states, or `None` for all.
    pub fn count(&self) -> Option<usize> {
        Some(self.0.as_ref()?.iter().filter(|reached| **reached).count())
    }

    fn contain(&self, state: usize) -> bool {
        self.0.as_ref().is_none_or(|reached| reached[state])
    }
}

/// The number of lanes of a row in single precision.
pub(super) const WIDTH: usize = 16;

/// Solves a game for the best probability of reaching every score with any kind of numbers, of which `W` fill 64 bytes:
/// for studies of what coarse arithmetic does to the result.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_curves_in<T: Number, const W: usize>(
    game: &Game,
    work: &Work<'_>,
) -> Result<ReachCurves<T>, WorkError> {
    solve::<T, W>(game, ReachableStates::all(), work)
}

fn solve<T: Number, const W: usize>(
    game: &Game,
    states: ReachableStates,
    work: &Work<'_>,
) -> Result<ReachCurves<T>, WorkError> {
    let space = game.space();
    let mut curves = Padded::<T>::new(game, states, W, work)?;
    let progress = Progress::new(work, curves.cells.len(), 16);
    let workspaces: Workspaces<T, W> = Workspaces::new(game, Threads::All);
    for open in 0..=space.boxes() {
        let groups = &space.groups()[space.layer(open)];
        let (solved, mut rest) = curves.split_at(space.states_of(&groups[0]).start);
        let mut layer: Vec<(&Group, usize, &mut [T])> = Vec::new();
        for group in groups {
            for (class, state) in space.states_of(group).enumerate() {
                if solved.states.contain(state) {
                    let (cells, more) = rest.split_at_mut(solved.windows[state].last as usize + W);
                    layer.push((group, class, cells));
                    rest = more;
                }
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
    // After an entry, the curve of the next state applies, shifted by the points that the entry pays (Pawlewicz, C.3).
    let next = Transitions::new(game, group);
    let shifted = |&entry: &Entry| {
        let (state, paid) = next.state(game, group, class, entry);
        solved.windows[state].before(-i32::from(paid))
    };
    let curves: Vec<CurveView> = workspace.entries().iter().map(shifted).collect();
    for (nth, block) in cells[W..W + inside].chunks_mut(W).enumerate().rev() {
        let start = window.first + ((1 + nth) * W) as i32;
        let value =
            turn_value(game, &ShiftedCurves { cells: solved.cells, curves: &curves, start }, workspace);
        block.copy_from_slice(&value.0[..block.len()]);
        // Curves never rise, so if every s of this block is certain, every smaller s is certain too.
        if block.iter().all(|p| *p >= T::from(1.0)) {
            cells[..W + nth * W].fill(T::from(1.0));
            break;
        }
    }
}

/// All curves while they are solved. Each is padded with W ones before and W zeros behind, so that any W lanes of it
/// are one load: a row that starts further out consists of ones or of zeros only, like the row to which it is clamped.
struct Padded<T> {
    states: ReachableStates,
    /// The number of ones, and of zeros.
    pad: usize,
    /// The windows of all states. Those of states that are not solved have no cells.
    windows: Vec<CurveView>,
    cells: Vec<T>,
}

/// The curves that have been solved.
struct Solved<'a, T> {
    states: &'a ReachableStates,
    windows: &'a [CurveView],
    cells: &'a [T],
}

impl<T: Number> Padded<T> {
    fn new(
        game: &Game,
        states: ReachableStates,
        pad: usize,
        work: &Work<'_>,
    ) -> Result<Padded<T>, WorkError> {
        let mut offset = 0;
        let windows: Vec<CurveView> = bounds(game, &states, work)?
            .into_iter()
            .enumerate()
            .map(|(state, (least, most))| {
                if !states.contain(state) {
                    return CurveView { offset, first: 0, last: 0 };
                }
                let len = (most - least) as usize + 2 * pad;
                offset += len;
                CurveView { offset: offset - len, first: least + 1 - pad as i32, last: (len - pad) as i32 }
            })
            .collect();
        Ok(Padded { states, pad, windows, cells: zeroed(offset)? })
    }

    /// Splits into the curves of the states before `state`, and the cells from `state` on.
    fn split_at(&mut self, state: usize) -> (Solved<'_, T>, &mut [T]) {
        let (solved, rest) = self.cells.split_at_mut(self.windows[state].offset);
        (Solved { states: &self.states, windows: &self.windows, cells: solved }, rest)
    }

    /// Removes the padding and the cells that turned out to be 1 or 0.
    fn trim(mut self, work: &Work<'_>) -> Result<ReachCurves<T>, WorkError> {
        let mut end = 0;
        let mut windows = Vec::new();
        reserve(&mut windows, self.windows.len())?;
        for (nth, window) in self.windows.iter().enumerate() {
            if nth.is_multiple_of(4096) {
                work.check()?;
            }
            if !self.states.contain(nth) {
                windows.push(Window { offset: end, first: 0, len: 0 });
                continue;
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

/// Returns how many probabilities the reach curves of some states have in memory while they are solved in single
/// precision, padding included. Counting visits all these states; if a lower bound already exceeds `enough`, that bound is
/// returned at once.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn reach_cells(
    game: &Game,
    states: &ReachableStates,
    enough: usize,
    work: &Work<'_>,
) -> Result<usize, WorkError> {
    const PADDING: usize = 2 * WIDTH;
    let padding = states.count().unwrap_or(game.space().states()).saturating_mul(PADDING);
    if padding > enough {
        return Ok(padding);
    }
    Ok(padding
        + bounds(game, states, work)?.iter().map(|(least, most)| (most - least) as usize).sum::<usize>())
}

/// Returns for every state the points that are certain to come for any dice, and the most that can come. The first is
/// not the largest such bound, but close to it; windows are trimmed after solving. Both are 0 for states that are not among
/// `states`.
pub(super) fn bounds(
    game: &Game,
    states: &ReachableStates,
    work: &Work<'_>,
) -> Result<Vec<(i32, i32)>, WorkError> {
    let space = game.space();
    let mut bounds: Vec<(i32, i32)> = Vec::new();
    reserve(&mut bounds, space.states())?;
    for open in 0..=space.boxes() {
        let groups = &space.groups()[space.layer(open)];
        let of_group = |nth: usize| {
            work.check()?;
            let group = &groups[nth];
            let of_group = space.states_of(group);
            if !of_group.clone().any(|state| states.contain(state)) {
                return Ok(vec![(0, 0); of_group.len()]);
            }
            let next = Transitions::new(game, group);
            let mut extra_yahtzees: Vec<(u16, Entry)> = Vec::new();
            game.extra_yahtzee_entries(group.filled, |roll, entry| extra_yahtzees.push((roll, entry)));
            let of_class = |class: usize| {
                if !states.contain(of_group.start + class) {
                    return (0, 0);
                }
                let after = |entry: Entry| {
                    let (state, points) = next.state(game, group, class, entry);
                    let (least, most): (i32, i32) = bounds[state];
                    (least + i32::from(points), most + i32::from(points))
                };
                bounds_before(game, group, &extra_yahtzees, after)
            };
            Ok((0..of_group.len()).map(of_class).collect::<Vec<_>>())
        };
        let of_layer: Vec<Vec<(i32, i32)>> = Threads::All.try_map(0..groups.len(), of_group)?;
        of_layer.into_iter().for_each(|of_group| bounds.extend(of_group));
    }
    Ok(bounds)
}

/// Returns the bounds of one state. `after` returns those of the state that an entry leads to, plus the points that the
/// entry pays. The lower bound is that of the best box to which the player can commit before the first roll.
pub(crate) fn bounds_before(
    game: &Game,
    group: &Group,
    extra_yahtzees: &[(u16, Entry)],
    after: impl Fn(Entry) -> (i32, i32),
) -> (i32, i32) {
    let (mut least, mut most) = (0, 0);
    for into in game.rules().all_boxes().minus(group.filled.boxes).iter() {
        let bounds = game.entries_into(into).map(&after);
        let of_box = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0));
        (least, most) = (least.max(of_box.0), most.max(of_box.1));
    }
    // The rules may force an extra Yahtzee into another box.
    for one_roll in extra_yahtzees.chunk_by(|a, b| a.0 == b.0) {
        let bounds = one_roll.iter().map(|&(_, entry)| after(entry));
        let of_roll = bounds.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or((0, 0));
        (least, most) = (least.min(of_roll.0), most.max(of_roll.1));
    }
    (least, most)
}
