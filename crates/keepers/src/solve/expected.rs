//! The best expected score (Verhoeff; Pawlewicz, 3.2): the expected points still to come from every state x,
//!
//! `E(x) = turn over entries e of paid(e) + E(x·e)`, with `E = 0` for full cards.
//!
//! A lane is a state: the lanes of a block are consecutive upper classes of one group. All values are `f64`.

use crate::game::Game;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::kernel::workspace::{EntryValues, Workspace, Workspaces, turn_value};
use crate::parallel::Threads;
use crate::turn::{LANES, Row, Row64};
use crate::work::{Progress, Work, WorkError, zeroed};

/// Solves a game for the best expected score, on all threads of the current pool. Returns the expected points still to
/// come from every score state, in the order of the states; the last state is the empty card.
///
/// ```
/// use keepers::{Game, Rules};
/// use keepers::internals::{Work, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let scores = solve::expected_scores(&game, &Work::silent()).unwrap();
/// assert!((scores.last().unwrap() - 166.988118).abs() < 1e-6);
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn expected_scores(game: &Game, work: &Work<'_>) -> Result<Vec<f64>, WorkError> {
    let mut table = zeroed(game.space().states())?;
    expected_scores_into(game, &mut table, work)?;
    Ok(table)
}

/// Solves a game for the best expected score like [`expected_scores`], but writes into `table`, whose old content is
/// ignored.
///
/// # Errors
/// If the work is cancelled.
///
/// # Panics
/// If the table does not have one cell per state.
pub fn expected_scores_into(game: &Game, table: &mut [f64], work: &Work<'_>) -> Result<(), WorkError> {
    let space = game.space();
    assert_eq!(table.len(), space.states(), "the table must have one cell per state");
    let finished = space.layer(0);
    let mut done = finished.end.checked_sub(1).map_or(0, |last| space.states_of(&space.groups()[last]).end);
    table[..done].fill(0.0);
    let progress = Progress::new(work, space.states(), 12);
    progress.add(done)?;
    let workspaces: Workspaces<f64, LANES> = Workspaces::new(game, Threads::All);
    for open in 1..=space.boxes() {
        // All successors of this layer have been solved and are stored before it.
        let (solved, rest) = table.split_at_mut(done);
        let mut rest = rest;
        let mut layer: Vec<(&Group, &mut [f64])> = Vec::new();
        for group in &space.groups()[space.layer(open)] {
            let (cells, more) = rest.split_at_mut(space.states_of(group).len());
            done += cells.len();
            layer.push((group, cells));
            rest = more;
        }
        Threads::All.try_for_each(layer, 16, |(group, cells)| {
            solve_group(game, solved, group, cells, &mut workspaces.take());
            progress.add(cells.len())
        })?;
    }
    progress.finish();
    Ok(())
}

fn solve_group(
    game: &Game,
    solved: &[f64],
    group: &Group,
    cells: &mut [f64],
    workspace: &mut Workspace<f64, LANES>,
) {
    let next = Transitions::new(game, group);
    let mut lanes = ExpectedLanes { game, solved, group, next: &next, start: 0 };
    workspace.start(game, group.filled, true);
    for block in cells.chunks_mut(LANES) {
        let value = turn_value(game, &lanes, workspace);
        block.copy_from_slice(&value.0[..block.len()]);
        lanes.start += LANES;
    }
}

/// The values of entries for a block of states of one group.
struct ExpectedLanes<'a> {
    game: &'a Game,
    /// The values of all states with fewer open boxes.
    solved: &'a [f64],
    group: &'a Group,
    next: &'a Transitions,
    /// The first class of the block.
    start: usize,
}

impl EntryValues<f64, LANES> for ExpectedLanes<'_> {
    #[inline(always)]
    fn after(&self, _: usize, entry: Entry) -> Row64 {
        let first = self.next.first(entry);
        let points = f64::from(entry.points + entry.extra);
        let upper = self.game.space().upper();
        match upper.slot(entry.into) {
            Some(slot) => {
                let next = &self.solved[first..];
                let steps = &upper.steps(self.group.upper_set(), slot, entry.points)[self.start..];
                let mut row = Row([0.0; LANES]);
                for (lane, step) in row.0.iter_mut().zip(steps) {
                    *lane = points + f64::from(step.bonus) + next[step.class as usize];
                }
                row
            }
            None => load(&self.solved[first + self.start..]).plus(&Row::of(points)),
        }
    }
}

/// Loads the next cells as a row. Lanes past the end of the group get the cells that follow, or zeros at the end of
/// `cells`; their results are discarded.
#[inline(always)]
fn load(cells: &[f64]) -> Row64 {
    match cells.first_chunk::<LANES>() {
        Some(lanes) => Row(*lanes),
        None => {
            let mut row = Row([0.0; LANES]);
            row.0[..cells.len()].copy_from_slice(cells);
            row
        }
    }
}
