//! The end of a turn: what each roll is worth when it is entered into the best open box.

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

/// What an objective knows: the worth of an entry, for a block of lanes.
pub trait EntryValues<T: Number, const W: usize> {
    /// What the game is worth after this entry, its points included. The entry is the `nth` of
    /// [`Workspace::entries`], so that what can be known of it before is found without a search.
    fn after(&self, nth: usize, entry: Entry) -> Row<T, W>;
}

/// The space in which turns are worked out; one for each thread, used again and again.
pub struct Workspace<T, const W: usize> {
    rows: Rows<T, W>,
    halves: Halves,
    /// The rows of upper entries, and the best of each half.
    upper_rows: Vec<[Row<T, W>; MAX_DICE + 1]>,
    parts: [Rows<T, W>; 2],
    lower: Arc<MaxDag>,
    lower_rows: Vec<Row<T, W>>,
    /// What is known of other sets of open lower boxes.
    lowers: HashMap<(BoxSet, bool), Arc<MaxDag>>,
    /// What it was made ready for.
    ready: Option<(Filled, bool)>,
    /// The turn written out, if it is worth it.
    compiled: Option<Arc<CompiledTurn>>,
    /// The entries that can be made: zeros for any roll, then upper entries by box and count, lower
    /// entries, and those of further Yahtzees.
    entries: Vec<Entry>,
    /// How many zeros there are, and which upper boxes are open in each half.
    zeros: usize,
    open_in_half: [Vec<u8>; 2],
    /// The rolls that are further Yahtzees, and how many entries each has.
    special: Vec<(u16, u16)>,
}

/// How many sets of open lower boxes are remembered: all of most games; Maxi Yatzy has 16,384, each a few
/// kilobytes.
const REMEMBERED: usize = 1024;

impl<T: Number, const W: usize> Workspace<T, W> {
    /// A bench for the turns of a game.
    pub fn new(game: &Game) -> Self {
        let halves = Halves::new(game.lattice(), game.space().upper());
        Workspace {
            rows: Rows::new(),
            halves,
            upper_rows: Vec::new(),
            parts: [Rows::new(), Rows::new()],
            lower: Arc::default(),
            lower_rows: Vec::new(),
            lowers: HashMap::new(),
            ready: None,
            compiled: None,
            entries: Vec::new(),
            zeros: 0,
            open_in_half: Default::default(),
            special: Vec::new(),
        }
    }

    /// Makes ready for turns that start with these boxes filled.
    ///
    /// If more points in the same box are never worse, a zero that the rules do not allow, because the dice
    /// pay, may be considered all the same, and that is quicker.
    pub fn start(&mut self, game: &Game, filled: Filled, more_is_better: bool) {
        self.compiled = None;
        if self.ready.replace((filled, more_is_better)) == Some((filled, more_is_better)) {
            return;
        }
        let (rules, upper) = (game.rules(), game.space().upper());
        let open = rules.all_boxes().minus(filled.boxes);
        let entry = |into, points| Entry { into, points, extra: 0 };
        self.entries.clear();

        // A zero may go into any box that can pay nothing, whatever the roll: one row for all rolls.
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

        if self.lowers.len() == REMEMBERED {
            self.lowers.clear();
        }
        let open = open.minus(rules.upper_boxes());
        let of_open = self.lowers.entry((open, more_is_better));
        let lower = of_open.or_insert_with(|| {
            let nothing = if more_is_better { Zeros::Omitted } else { Zeros::Listed };
            Arc::new(MaxDag::new(game, open, nothing))
        });
        self.lower = Arc::clone(lower);
        self.entries.extend(&self.lower.entries);
        self.lower_rows.resize(self.lower.rows(), Row::of(T::from(0.0)));

        self.special.clear();
        game.extra_yahtzee_entries(filled, |roll, entry| {
            self.entries.push(entry);
            match self.special.last_mut() {
                Some((last, entries)) if *last == roll => *entries += 1,
                _ => self.special.push((roll, 1)),
            }
        });
    }

    /// Makes ready for turns that are written out.
    pub(crate) fn prepare_compiled(&mut self, compiled: &Arc<CompiledTurn>) {
        self.compiled = Some(Arc::clone(compiled));
    }

    /// Every entry whose worth a turn asks for.
    pub fn entries(&self) -> &[Entry] {
        self.compiled.as_ref().map_or(&self.entries, |compiled| &compiled.entries)
    }
}

/// A bench for each thread that does a piece of work.
pub struct Workspaces<T, const W: usize>(Vec<Mutex<Workspace<T, W>>>);

impl<T: Number, const W: usize> Workspaces<T, W> {
    /// Benches for the turns of a game.
    pub fn new(game: &Game, threads: Threads) -> Self {
        Workspaces((0..threads.count()).map(|_| Mutex::new(Workspace::new(game))).collect())
    }

    /// The bench of this thread; nobody else asks for it.
    pub fn take(&self) -> MutexGuard<'_, Workspace<T, W>> {
        let workspace = &self.0[if self.0.len() == 1 { 0 } else { thread_index() }];
        workspace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The value of a whole turn for a block of lanes, on a bench made ready for it.
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
    /// The same for a turn that is written out.
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
    /// The inside of the turn. Everything that it calls is inlined here and compiled once for each
    /// instruction set; the best one that the machine has is chosen at run time.
    fn fold<T: Number, const W: usize>(turn: &Turn, rows: &mut Rows<T, W>) -> Row<T, W> {
        turn.fold(rows)
    }
}

vectorised! {
    /// The value of every final roll: the best entry that the rules allow.
    fn best_entries<T: Number, const W: usize, L: EntryValues<T, W>>(game: &Game, lanes: &L, workspace: &mut Workspace<T, W>) {
        let Workspace { rows, halves, upper_rows, parts, lower, lower_rows, entries, open_in_half, .. } = workspace;
        let worst = Row::of(T::from(f32::NEG_INFINITY));

        // Everything that must be fetched, one after the other: many fetches are under way at once.
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
        lower_rows[0] = zero;
        for row in &mut lower_rows[1..=lower.entries.len()] {
            *row = after(next);
            next += 1;
        }

        // The upper boxes, half by half.
        let mut upper_rows = upper_rows.iter();
        for ((best, parts), open) in parts.iter_mut().zip(&halves.parts).zip(open_in_half) {
            let mut of_box = || upper_rows.next().expect("there is one for each open box");
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
        for (next, &[one, other]) in (1 + lower.entries.len()..).zip(&lower.better) {
            lower_rows[next] = lower_rows[usize::from(one)].max(&lower_rows[usize::from(other)]);
        }

        let [low_parts, high_parts] = parts;
        let rolls = rows.all_mut(game.lattice().rolls()).iter_mut();
        for ((row, &[low, high]), &best) in rolls.zip(&halves.rolls).zip(&lower.rolls) {
            *row = low_parts.get(low).max(high_parts.get(high)).max(&lower_rows[usize::from(best)]);
        }

        // Further Yahtzees follow rules of their own.
        for &(roll, entries) in &workspace.special {
            let mut best = worst;
            for _ in 0..entries {
                best = best.max(&after(next));
                next += 1;
            }
            *rows.get_mut(roll) = best;
        }
    }
}

/// For every part the best of so many boxes: `amounts` by box and count, `counts` by box and part.
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
