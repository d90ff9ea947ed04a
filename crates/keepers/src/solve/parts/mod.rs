//! A game of one player divided into parts, for tables that are larger than memory (Cremers, chapters 4 and 5).
//!
//! Some boxes are the *fixed subset* ([`Partition::fixed`]). A *part* has all states with the same filled boxes of the
//! fixed subset and the same number of open boxes outside of it. A turn fills one box: one of the fixed subset, which
//! leads to a part with one more of these boxes filled, or another one, which leads to the part with one open box less.
//! So a part is solved from a few other parts ([`Partition::inputs`]), and only these must be in memory.
//!
//! Values are curves: each state has values for consecutive lanes ([`GroupCurves`]). What a lane is, and how the curves of
//! a state follow from those of its successors, is the business of a [`Recurrence`].

mod curves;
mod partition;
mod reach;
mod utility;

use std::collections::HashMap;
use std::collections::hash_map::Entry::Vacant;
use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Game;
use crate::game::rules::{BoxId, Entry, MAX_BOXES};
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::parallel::{Threads, thread_index};
use crate::turn::Number;
use crate::work::{Work, WorkError};

pub use curves::{CurveWindow, CurveWriter, GroupCurves, GroupView, PartCurves};
pub use partition::{PartId, PartSize, Partition};
pub use reach::ReachRecurrence;
pub use utility::UtilityRecurrence;

use curves::CurveSlice;

/// How the curves of a state follow from the curves of its successors.
pub trait Recurrence: Sync {
    /// A value.
    type Cell: Number;
    /// The buffers of one thread.
    type Workspace: Send;

    /// Creates the buffers of one thread.
    fn workspace(&self) -> Self::Workspace;

    /// Returns the values of all lanes before the first and after the last one that is stored.
    fn outside(&self) -> [Self::Cell; 2];

    /// Solves the curves of a group: adds those of its states to `curves`, in their order.
    fn solve(
        &self,
        next: &NextCurves<'_, Self::Cell>,
        workspace: &mut Self::Workspace,
        curves: &mut GroupCurves<Self::Cell>,
    );
}

/// The curves of all states that a group can lead to.
pub struct NextCurves<'a, T> {
    /// The group.
    pub group: &'a Group,
    game: &'a Game,
    transitions: Transitions,
    /// For each box, the curves of the group that a zero leads to, and of the group that points lead to.
    of: [[Option<GroupView<'a, T>>; 2]; MAX_BOXES],
}

impl<'a, T: Number> NextCurves<'a, T> {
    /// Collects the curves of the groups that entries lead to. `curves` returns those of a group, given by its index.
    fn new(
        game: &'a Game,
        group: &'a Group,
        curves: impl Fn(usize) -> Option<GroupView<'a, T>>,
    ) -> NextCurves<'a, T> {
        let mut of = [[None; 2]; MAX_BOXES];
        for (into, next) in next_groups(game, group) {
            of[into.index()] = next.map(&curves);
        }
        NextCurves { group, game, transitions: Transitions::new(game, group), of }
    }

    /// Returns the curve of the state that an entry leads to from a class of the group, and what the entry pays.
    #[inline]
    pub(crate) fn after(&self, class: usize, entry: Entry) -> (CurveSlice<'a, T>, u16) {
        let (state, paid) = self.transitions.state(self.game, self.group, class, entry);
        let next = &self.of[entry.into.index()][usize::from(entry.points > 0)];
        let next = next.as_ref().expect("all inputs of a part are given");
        (next.slice(state - self.transitions.first(entry)), paid)
    }
}

/// Returns, for each open box of a group, the groups that a zero and that points lead to.
fn next_groups(game: &Game, group: &Group) -> impl Iterator<Item = (BoxId, [usize; 2])> {
    let rules = game.rules();
    let open = rules.all_boxes().minus(group.filled.boxes);
    open.iter().map(move |into| {
        let filled = |points| group.filled.after(rules, Entry { into, points, extra: 0 });
        (into, [0, 1].map(|points| game.space().group_index(filled(points))))
    })
}

/// Solves the curves of one group from those of its successors, which `read` returns.
///
/// # Errors
/// If `read` fails, or if there is not enough memory.
pub fn solve_group<R: Recurrence, E: From<WorkError>>(
    recurrence: &R,
    game: &Game,
    group: usize,
    mut read: impl FnMut(usize) -> Result<Arc<PartCurves<R::Cell>>, E>,
) -> Result<PartCurves<R::Cell>, E> {
    let group = &game.space().groups()[group];
    let mut next: HashMap<usize, Arc<PartCurves<R::Cell>>> = HashMap::new();
    for nth in next_groups(game, group).flat_map(|(_, groups)| groups) {
        if let Vacant(place) = next.entry(nth) {
            place.insert(read(nth)?);
        }
    }
    let mut curves = GroupCurves::new(recurrence.outside());
    let next = NextCurves::new(game, group, |nth| Some(next[&nth].group(0)));
    recurrence.solve(&next, &mut recurrence.workspace(), &mut curves);
    Ok(PartCurves::join(vec![curves])?)
}

/// The parts that another part is solved from, with their curves.
pub type Inputs<T> = [(PartId, Arc<PartCurves<T>>)];

/// Solves parts on all threads of the current pool.
pub struct PartSolver<'a, R: Recurrence> {
    partition: &'a Partition,
    recurrence: R,
    workspaces: Vec<Mutex<R::Workspace>>,
}

impl<'a, R: Recurrence> PartSolver<'a, R> {
    /// Creates the buffers of all threads.
    pub fn new(partition: &'a Partition, recurrence: R) -> PartSolver<'a, R> {
        let workspaces = (0..Threads::All.count()).map(|_| Mutex::new(recurrence.workspace())).collect();
        PartSolver { partition, recurrence, workspaces }
    }

    /// Returns the recurrence.
    pub fn recurrence(&self) -> &R {
        &self.recurrence
    }

    /// Solves a part. Calls `each` with the curves of every group, on the thread that solved them, and returns all curves
    /// and what `each` returned, in the order of the groups. `inputs` are those of [`Partition::inputs`].
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve<E: Send>(
        &self,
        part: PartId,
        inputs: &Inputs<R::Cell>,
        work: &Work<'_>,
        each: impl Fn(&GroupCurves<R::Cell>) -> E + Sync,
    ) -> Result<(PartCurves<R::Cell>, Vec<E>), WorkError> {
        let groups = self.partition.groups(part);
        let solve = |nth: usize| {
            work.check()?;
            let group = &self.partition.game().space().groups()[groups[nth] as usize];
            let next = NextCurves::new(self.partition.game(), group, |nth| {
                let (part, nth) = self.partition.locate(nth);
                let (_, curves) = inputs.iter().find(|(input, _)| *input == part)?;
                Some(curves.group(nth))
            });
            let mut curves = GroupCurves::new(self.recurrence.outside());
            let workspace = &self.workspaces[if self.workspaces.len() == 1 { 0 } else { thread_index() }];
            let mut workspace = workspace.lock().unwrap_or_else(PoisonError::into_inner);
            self.recurrence.solve(&next, &mut workspace, &mut curves);
            let result = each(&curves);
            Ok((curves, result))
        };
        let solved = Threads::All.try_map(0..groups.len(), solve)?;
        let (curves, results): (Vec<_>, Vec<_>) = solved.into_iter().unzip();
        Ok((PartCurves::join(curves)?, results))
    }
}
