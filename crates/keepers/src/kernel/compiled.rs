//! Compiled turns: turns with few open boxes, reduced to distinct means and maxima of the values of entries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::best_entry::{MaxDag, Zeros};
use crate::turn::Program;

/// The compiled turn for a set of filled boxes. Valid only if more points in the same box are never worse
/// (`more_is_better` of [`Workspace::start`](crate::kernel::workspace::Workspace::start)).
#[derive(Debug)]
pub(crate) struct CompiledTurn {
    /// Every entry whose value the program needs, in the order of its first rows.
    pub entries: Vec<Entry>,
    pub program: Program,
}

impl CompiledTurn {
    /// Compiles the turn with these boxes filled. Returns `None` if that does not beat a fold over the whole lattice.
    pub fn new(game: &Game, filled: Filled) -> Option<CompiledTurn> {
        let open = game.rules().all_boxes().minus(filled.boxes);
        let zeros: Vec<Entry> = game.zero_entries(filled).collect();
        let dag = MaxDag::new(game, open, if zeros.is_empty() { Zeros::Omitted } else { Zeros::Shared });
        let mut extra_yahtzees: Vec<(u16, Vec<Entry>)> = Vec::new();
        game.extra_yahtzee_entries(filled, |roll, entry| match extra_yahtzees.last_mut() {
            Some((last, entries)) if *last == roll => entries.push(entry),
            _ => extra_yahtzees.push((roll, vec![entry])),
        });

        let mut maxima = Maxima::default();
        zeros.iter().chain(&dag.entries).for_each(|&entry| maxima.add_entry(entry));
        extra_yahtzees.iter().flat_map(|(_, entries)| entries).for_each(|&entry| maxima.add_entry(entry));

        // Every roll may be entered as the best zero.
        let zero = maxima.max_of(&zeros);
        let mut values = vec![zero.unwrap_or_default()];
        values.extend(dag.entries.iter().map(|entry| maxima.index(entry)));
        for &[one, other] in &dag.maxima {
            values.push(maxima.max(values[usize::from(one)], values[usize::from(other)]));
        }
        let mut of_roll: Vec<u16> = dag.rolls.iter().map(|&index| values[usize::from(index)]).collect();
        let first_roll = game.lattice().rolls().start;
        for (roll, entries) in extra_yahtzees {
            // Zeros come first and in the order used above, so that a roll without other entries shares their maximum.
            let others = entries.iter().filter(|entry| !zeros.contains(entry));
            let in_order: Vec<Entry> =
                zeros.iter().filter(|zero| entries.contains(zero)).chain(others).copied().collect();
            of_roll[usize::from(roll) - first_roll] = maxima.max_of(&in_order)?;
        }

        let (inputs, rolls) = (maxima.entries.len(), game.rules().rolls());
        let program = Program::new(game.lattice(), rolls, inputs, &maxima.pairs, &of_roll)?;
        // A fold over the whole lattice uses each loaded row for several keeps: measured, a read is a quarter cheaper
        // there.
        let is_cheaper = 4 * program.reads() < 3 * game.turn().reads();
        is_cheaper.then_some(CompiledTurn { entries: maxima.entries, program })
    }
}

/// A cache of compiled turns, shared by all solves of one game. Compiling a turn costs as much as evaluating it a few
/// hundred times.
///
/// Whether a turn is compiled depends on the filled boxes alone. A compiled turn adds in another order than a fold and
/// may differ from it in the last bit, and a value must not depend on the position from which it was solved.
pub struct CompiledTurns {
    game: Game,
    known: Mutex<HashMap<Filled, Option<Arc<CompiledTurn>>>>,
}

/// The largest number of open boxes with which turns are compiled. In Yahtzee, 1 turn in 40 becomes cheaper with 5 open
/// boxes, and none with 6.
const MAX_OPEN: usize = 5;

impl CompiledTurns {
    /// Creates an empty cache for a game.
    pub fn new(game: &Game) -> CompiledTurns {
        CompiledTurns { game: game.clone(), known: Mutex::default() }
    }

    /// Returns whether the turns are those of this game.
    pub(crate) fn are_of(&self, game: &Game) -> bool {
        self.game.is(game)
    }

    /// Returns the compiled turn with these boxes filled, compiling it at the first call. Returns `None` if a fold over
    /// the whole lattice is not more expensive.
    pub(crate) fn of(&self, filled: Filled) -> Option<Arc<CompiledTurn>> {
        if self.game.rules().all_boxes().minus(filled.boxes).len() > MAX_OPEN {
            return None;
        }
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&filled).cloned();
        known.unwrap_or_else(|| {
            let compiled = CompiledTurn::new(&self.game, filled).map(Arc::new);
            lock().insert(filled, compiled.clone());
            compiled
        })
    }
}

/// Entries, and maxima of two earlier values. Each occurs once, and both share one numbering: entries first.
#[derive(Default)]
struct Maxima {
    entries: Vec<Entry>,
    pairs: Vec<[u16; 2]>,
    known: HashMap<[u16; 2], u16>,
}

impl Maxima {
    /// Adds an entry. All entries must be added before the first maximum.
    fn add_entry(&mut self, entry: Entry) {
        if !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    fn index(&self, entry: &Entry) -> u16 {
        self.entries
            .iter()
            .position(|known| known == entry)
            .expect("all entries are added before the first maximum") as u16
    }

    fn max(&mut self, one: u16, other: u16) -> u16 {
        *self.known.entry([one, other]).or_insert_with(|| {
            self.pairs.push([one, other]);
            (self.entries.len() + self.pairs.len() - 1) as u16
        })
    }

    /// Returns the maximum of some entries, or `None` if there are none.
    fn max_of(&mut self, entries: &[Entry]) -> Option<u16> {
        let (first, rest) = entries.split_first()?;
        Some(rest.iter().fold(self.index(first), |max, entry| {
            let index = self.index(entry);
            self.max(max, index)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::random::RandomStream;
    use crate::game::rules::{BoxSet, Rules};
    use crate::kernel::workspace::{EntryValues, Workspace, turn_value};
    use crate::turn::Row64;

    /// Values in no order, so that a missing or superfluous choice changes the result.
    struct RandomValues(HashMap<Entry, Row64>);

    impl EntryValues<f64, 8> for RandomValues {
        fn after(&self, _: usize, entry: Entry) -> Row64 {
            self.0[&entry]
        }
    }

    /// Returns about sixty of the sets of filled boxes that leave one to three boxes open.
    fn cards(game: &Game) -> Vec<Filled> {
        let all = game.space().groups().iter().map(|group| group.filled);
        let open = |filled: &Filled| game.rules().all_boxes().minus(filled.boxes).iter().count();
        let few: Vec<Filled> = all.filter(|filled| (1..=3).contains(&open(filled))).collect();
        few.iter().step_by(few.len().div_ceil(60)).copied().collect()
    }

    #[test]
    fn a_compiled_turn_has_the_value_of_the_fold() {
        for name in ["yahtzee", "yahtzee-free-joker", "yatzy", "yacht", "maxi-yatzy"] {
            let game = Game::new(Rules::preset(name).unwrap());
            let (mut workspace, mut random) = (Workspace::new(&game), RandomStream::new(7, 2));
            let mut cheaper = 0;
            for filled in cards(&game) {
                let Some(compiled) = CompiledTurn::new(&game, filled) else { continue };
                workspace.start(&game, filled, true);
                let value = |entry: &Entry| (*entry, Row64::of(random.unit()));
                let values = RandomValues(workspace.entries().iter().map(value).collect());
                let folded = turn_value(&game, &values, &mut workspace);
                workspace.prepare_compiled(&Arc::new(compiled));
                let compiled_value = turn_value(&game, &values, &mut workspace);
                assert!(
                    (folded.0[0] - compiled_value.0[0]).abs() < 1e-14,
                    "{name} {filled:?}: {folded:?} {compiled_value:?}"
                );
                cheaper += 1;
            }
            assert!(cheaper > 5, "{name}: only {cheaper} turns were compiled");
        }
    }

    #[test]
    fn with_three_upper_boxes_a_compiled_turn_reads_at_most_two_fifths_of_the_rows() {
        let game = Game::new(Rules::preset("classic").unwrap());
        let open = |ids: &[&str]| {
            let boxes = ids.iter().map(|id| game.rules().box_by_id(id).unwrap());
            let open = boxes.fold(BoxSet::NONE, BoxSet::with);
            Filled { boxes: game.rules().all_boxes().minus(open), ..Filled::default() }
        };
        let reads =
            |ids: &[&str]| CompiledTurn::new(&game, open(ids)).map(|compiled| compiled.program.reads());
        let folded = game.turn().reads();
        assert!(reads(&["1", "3", "6"]).unwrap() * 5 < folded * 2);
        assert!(reads(&["fh", "y"]).unwrap() * 5 < folded);
        assert_eq!(reads(&["1", "3", "3k", "4k", "ch"]), None);
    }
}
