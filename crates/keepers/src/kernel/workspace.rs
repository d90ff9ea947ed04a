//! The value of a turn: the best entry of every final roll, then the fold.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::dice::MAX_DICE;
use crate::game::Game;
use crate::game::rules::{BoxSet, Entry, Filled};
use crate::kernel::best_entry::{MaxDag, Zeros};
use crate::kernel::compiled::CompiledTurn;
use crate::kernel::halves::Halves;
use crate::parallel::{Threads, thread_index};
use crate::turn::{Number, Row, Rows, Turn, vectorised};

/// The values of entries under an objective, for a block of lanes.
pub trait EntryValues<T: Number, const W: usize> {
    /// Returns the value of the game after this entry, including its points. The entry is the `nth` of
    /// [`Workspace::entries`], so that implementations can look up in an array what does not depend on the lanes.
    fn after(&self, nth: usize, entry: Entry) -> Row<T, W>;
}

/// The buffers in which one thread folds turns.
pub struct Workspace<T, const W: usize> {
    rows: Rows<T, W>,
    halves: Halves,
    /// The values of upper entries by box and count, and the best upper entry of each half.
    upper_rows: Vec<[Row<T, W>; MAX_DICE + 1]>,
    parts: [Rows<T, W>; 2],
    /// The maxima of the open lower boxes, and their rows.
    dag: Arc<MaxDag>,
    dag_rows: Vec<Row<T, W>>,
    /// The maxima of other sets of open lower boxes, for both values of `more_is_better`.
    dags: HashMap<(BoxSet, bool), Arc<MaxDag>>,
    /// The arguments of the last call of [`Workspace::start`].
    prepared_for: Option<(Filled, bool)>,
    /// The compiled turn to run instead of a fold.
    compiled: Option<Arc<CompiledTurn>>,
    /// The entries that can be made: zeros that any roll may be entered as, then upper entries by box and count, lower
    /// entries, and those of extra Yahtzees.
    entries: Vec<Entry>,
    /// The number of zeros, and the open upper boxes of each half.
    zeros: usize,
    open_in_half: [Vec<u8>; 2],
    /// The extra Yahtzees, each with its number of entries.
    extra_yahtzees: Vec<(u16, u16)>,
}

/// The number of sets of open lower boxes whose maxima are cached. Most games have no more; Maxi Yatzy has 16,384, at
/// a few kilobytes each.
const MAX_CACHED_DAGS: usize = 1024;

impl<T: Number, const W: usize> Workspace<T, W> {
    /// Creates buffers for the turns of a game.
    pub fn new(game: &Game) -> Self {
        let halves = Halves::new(game.lattice(), game.space().upper());
        Workspace {
            rows: Rows::new(),
            halves,
            upper_rows: Vec::new(),
            parts: [Rows::new(), Rows::new()],
            dag: Arc::default(),
            dag_rows: Vec::new(),
            dags: HashMap::new(),
            prepared_for: None,
            compiled: None,
            entries: Vec::new(),
            zeros: 0,
            open_in_half: Default::default(),
            extra_yahtzees: Vec::new(),
        }
    }

    /// Prepares for turns that start with these boxes filled.
    ///
    /// `more_is_better` states that more points in the same box are never worse. Then a zero can be offered for every
    /// roll, even if the box pays for it: it never beats the entry that the rules allow, and treating all rolls alike is
    /// faster.
    pub fn start(&mut self, game: &Game, filled: Filled, more_is_better: bool) {
        self.compiled = None;
        if self.prepared_for.replace((filled, more_is_better)) == Some((filled, more_is_better)) {
            return;
        }
        let (rules, upper) = (game.rules(), game.space().upper());
        let open = rules.all_boxes().minus(filled.boxes);
        let entry = |into, points| Entry { into, points, extra: 0 };
        self.entries.clear();

        // Every roll may be entered as a zero into every box that has one: one row for all rolls.
        if more_is_better {
            self.entries.extend(game.zero_entries(filled));
        }
        self.zeros = self.entries.len();

        for (open_in_half, parts) in self.open_in_half.iter_mut().zip(&self.halves.parts) {
            open_in_half.clear();
            for (nth, (slot, _)) in (0..).zip(&parts.boxes) {
                let (into, face) = upper.in_slot(*slot);
                if open.contains(into) {
                    open_in_half.push(nth);
                    let points = (0..=rules.dice()).map(|count| u16::from(count * face.pips()));
                    self.entries.extend(points.map(|points| entry(into, points)));
                }
            }
        }
        let upper_boxes = self.open_in_half.iter().map(Vec::len).sum();
        self.upper_rows.resize(upper_boxes, [Row::of(T::from(0.0)); MAX_DICE + 1]);

        if self.dags.len() == MAX_CACHED_DAGS {
            self.dags.clear();
        }
        let open = open.minus(rules.upper_boxes());
        let of_open = self.dags.entry((open, more_is_better));
        let dag = of_open.or_insert_with(|| {
            let zeros = if more_is_better { Zeros::Omitted } else { Zeros::Listed };
            Arc::new(MaxDag::new(game, open, zeros))
        });
        self.dag = Arc::clone(dag);
        self.entries.extend(&self.dag.entries);
        self.dag_rows.resize(self.dag.rows(), Row::of(T::from(0.0)));

        self.extra_yahtzees.clear();
        game.extra_yahtzee_entries(filled, |roll, entry| {
            self.entries.push(entry);
            match self.extra_yahtzees.last_mut() {
                Some((last, entries)) if *last == roll => *entries += 1,
                _ => self.extra_yahtzees.push((roll, 1)),
            }
        });
    }

    /// Prepares to run a compiled turn.
    pub(crate) fn prepare_compiled(&mut self, compiled: &Arc<CompiledTurn>) {
        self.compiled = Some(Arc::clone(compiled));
    }

    /// Returns every entry whose value a turn needs, in the order of the index that [`EntryValues::after`] receives.
    pub fn entries(&self) -> &[Entry] {
        self.compiled.as_ref().map_or(&self.entries, |compiled| &compiled.entries)
    }
}

/// One workspace for each thread of a piece of work.
pub struct Workspaces<T, const W: usize>(Vec<Mutex<Workspace<T, W>>>);

impl<T: Number, const W: usize> Workspaces<T, W> {
    /// Creates workspaces for the turns of a game.
    pub fn new(game: &Game, threads: Threads) -> Self {
        Workspaces((0..threads.count()).map(|_| Mutex::new(Workspace::new(game))).collect())
    }

    /// Returns the workspace of the current thread. No other thread locks it, so this never blocks.
    pub fn take(&self) -> MutexGuard<'_, Workspace<T, W>> {
        let workspace = &self.0[if self.0.len() == 1 { 0 } else { thread_index() }];
        workspace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the value of a whole turn for a block of lanes. The workspace must be prepared for it.
pub fn turn_value<T: Number, const W: usize, L: EntryValues<T, W>>(
    game: &Game,
    lanes: &L,
    workspace: &mut Workspace<T, W>,
) -> Row<T, W> {
    if let Some(compiled) = &workspace.compiled {
        return run(compiled, lanes, &mut workspace.rows);
    }
    best_entries(game, lanes, workspace);
    fold(game.turn(), &mut workspace.rows)
}

vectorised! {
    /// Returns the value of a compiled turn.
    fn run<T: Number, const W: usize, L: EntryValues<T, W>>(
        compiled: &CompiledTurn,
        lanes: &L,
        rows: &mut Rows<T, W>,
    ) -> Row<T, W> {
        for ((nth, &entry), row) in compiled.entries.iter().enumerate().zip(rows.all_mut(0..compiled.entries.len())) {
            *row = lanes.after(nth, entry);
        }
        compiled.program.run(rows)
    }
}

vectorised! {
    /// Folds the turn from the values of its final rolls.
    fn fold<T: Number, const W: usize>(turn: &Turn, rows: &mut Rows<T, W>) -> Row<T, W> {
        turn.fold(rows)
    }
}

vectorised! {
    /// Sets the value of every final roll to that of the best entry that the rules allow.
    fn best_entries<T: Number, const W: usize, L: EntryValues<T, W>>(game: &Game, lanes: &L, workspace: &mut Workspace<T, W>) {
        let Workspace { rows, halves, upper_rows, parts, dag, dag_rows, entries, open_in_half, .. } = workspace;
        let worst = Row::of(T::from(f32::NEG_INFINITY));

        // All reads from tables come first, back to back, so that many cache misses are in flight at once.
        let after = |nth: usize| lanes.after(nth, entries[nth]);
        let mut zero = worst;
        for nth in 0..workspace.zeros {
            zero = zero.max(&after(nth));
        }
        let mut next = workspace.zeros;
        let counts = usize::from(game.rules().dice()) + 1;
        for amounts in upper_rows.iter_mut() {
            for row in &mut amounts[..counts] {
                *row = after(next);
                next += 1;
            }
        }
        dag_rows[0] = zero;
        for row in &mut dag_rows[1..=dag.entries.len()] {
            *row = after(next);
            next += 1;
        }

        // The upper boxes, one half after the other.
        let mut upper_rows = upper_rows.iter();
        for ((best, parts), open) in parts.iter_mut().zip(&halves.parts).zip(open_in_half) {
            let mut of_box = || upper_rows.next().expect("`upper_rows` has one element per open upper box");
            let counts = |nth: usize| parts.boxes[usize::from(open[nth])].1.as_slice();
            match open.len() {
                0 => (0..parts.len).for_each(|part| *best.get_mut(part) = zero),
                1 => best_of_boxes(best, &zero, [of_box()], [counts(0)]),
                2 => best_of_boxes(best, &zero, [of_box(), of_box()], [counts(0), counts(1)]),
                _ => {
                    best_of_boxes(best, &zero, [of_box(), of_box(), of_box()], [counts(0), counts(1), counts(2)])
                }
            }
        }

        // The lower boxes.
        for (next, &[one, other]) in (1 + dag.entries.len()..).zip(&dag.maxima) {
            dag_rows[next] = dag_rows[usize::from(one)].max(&dag_rows[usize::from(other)]);
        }

        let [low_parts, high_parts] = parts;
        let mut rolls = rows.all_mut(game.lattice().rolls()).iter_mut().zip(&dag.rolls);
        for run in &halves.runs {
            let low = *low_parts.get(run.low);
            for (high, (row, &best)) in high_parts.all(run.high.clone()).iter().zip(&mut rolls) {
                *row = low.max(high).max(&dag_rows[usize::from(best)]);
            }
        }

        // Extra Yahtzees have entries of their own.
        for &(roll, entries) in &workspace.extra_yahtzees {
            let mut best = worst;
            for _ in 0..entries {
                best = best.max(&after(next));
                next += 1;
            }
            *rows.get_mut(roll) = best;
        }
    }
}

/// Sets the value of every part to that of its best entry into some boxes. `amounts` is indexed by box and count,
/// `counts` by box and part.
#[inline(always)]
fn best_of_boxes<T: Number, const W: usize, const BOXES: usize>(
    parts: &mut Rows<T, W>,
    zero: &Row<T, W>,
    amounts: [&[Row<T, W>; MAX_DICE + 1]; BOXES],
    counts: [&[u8]; BOXES],
) {
    for part in 0..counts[0].len() {
        let mut best = *zero;
        for (amounts, counts) in amounts.iter().zip(&counts) {
            best = best.max(&amounts[usize::from(counts[part])]);
        }
        *parts.get_mut(part as u16) = best;
    }
}
