//! Turns with few open boxes, written out for the entries that can be made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::best_entry::{MaxDag, Zeros};
use crate::turn::Program;

/// A turn that starts with certain boxes filled, when more points in the same box are never worse.
#[derive(Debug)]
pub(crate) struct CompiledTurn {
    /// Every entry whose worth it asks for: the first rows.
    pub entries: Vec<Entry>,
    pub program: Program,
}

impl CompiledTurn {
    /// The turn with these boxes filled; nothing if it would not be shorter than over the whole lattice.
    pub fn new(game: &Game, filled: Filled) -> Option<CompiledTurn> {
        let open = game.rules().all_boxes().minus(filled.boxes);
        let zeros: Vec<Entry> = game.zero_entries(filled).collect();
        let lower = MaxDag::new(game, open, if zeros.is_empty() { Zeros::Omitted } else { Zeros::Shared });
        let mut special: Vec<(u16, Vec<Entry>)> = Vec::new();
        game.extra_yahtzee_entries(filled, |roll, entry| match special.last_mut() {
            Some((last, entries)) if *last == roll => entries.push(entry),
            _ => special.push((roll, vec![entry])),
        });

        let mut maxima = Maxima::default();
        zeros.iter().chain(&lower.entries).for_each(|&entry| maxima.enter(entry));
        special.iter().flat_map(|(_, entries)| entries).for_each(|&entry| maxima.enter(entry));

        // Any roll may be entered as the best zero.
        let zero = maxima.best(&zeros);
        let mut places = vec![zero.unwrap_or_default()];
        places.extend(lower.entries.iter().map(|entry| maxima.place(entry)));
        for &[one, other] in &lower.better {
            places.push(maxima.better(places[usize::from(one)], places[usize::from(other)]));
        }
        let mut of_roll: Vec<u16> = lower.rolls.iter().map(|&place| places[usize::from(place)]).collect();
        let first_roll = game.lattice().rolls().start;
        for (roll, entries) in special {
            // In the order of the zeros above, so that a roll with nothing else shares their best.
            let others = entries.iter().filter(|entry| !zeros.contains(entry));
            let in_order: Vec<Entry> =
                zeros.iter().filter(|zero| entries.contains(zero)).chain(others).copied().collect();
            of_roll[usize::from(roll) - first_roll] = maxima.best(&in_order)?;
        }

        let (inputs, rolls) = (maxima.entries.len(), game.rules().rolls());
        let program = Program::new(game.lattice(), rolls, inputs, &maxima.pairs, &of_roll)?;
        // Over the whole lattice a row that is read serves several keeps at once: measured, a read is a quarter
        // cheaper there.
        let worth_it = 4 * program.reads() < 3 * game.turn().reads();
        worth_it.then_some(CompiledTurn { entries: maxima.entries, program })
    }
}

/// Turns that are written out, remembered for whoever solves several positions of one game: to write one takes
/// as long as a few hundred turns.
///
/// Which turns are written out follows from the open boxes alone: what is added in another order may differ in
/// the last bit, and a value must not depend on the position that it was solved from.
pub struct CompiledTurns {
    game: Game,
    known: Mutex<HashMap<Filled, Option<Arc<CompiledTurn>>>>,
}

/// With more open boxes hardly any turn would be shorter: 1 in 40 of Yahtzee with 5, none with 6.
const MAX_OPEN: usize = 5;

impl CompiledTurns {
    /// None yet, of this game.
    pub fn new(game: &Game) -> CompiledTurns {
        CompiledTurns { game: game.clone(), known: Mutex::default() }
    }

    /// Whether they are of this game.
    pub(crate) fn are_of(&self, game: &Game) -> bool {
        self.game.is(game)
    }

    /// The turn with these boxes filled; nothing if it would not be shorter than over the whole lattice.
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

/// Entries, and maxima of two of what stands before them, each only once.
#[derive(Default)]
struct Maxima {
    entries: Vec<Entry>,
    pairs: Vec<[u16; 2]>,
    known: HashMap<[u16; 2], u16>,
}

impl Maxima {
    /// Takes an entry in, before there are maxima.
    fn enter(&mut self, entry: Entry) {
        if !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    fn place(&self, entry: &Entry) -> u16 {
        self.entries.iter().position(|known| known == entry).expect("it was taken in") as u16
    }

    fn better(&mut self, one: u16, other: u16) -> u16 {
        *self.known.entry([one, other]).or_insert_with(|| {
            self.pairs.push([one, other]);
            (self.entries.len() + self.pairs.len() - 1) as u16
        })
    }

    /// The best of some entries; nothing if there are none.
    fn best(&mut self, entries: &[Entry]) -> Option<u16> {
        let (first, rest) = entries.split_first()?;
        Some(rest.iter().fold(self.place(first), |best, entry| {
            let place = self.place(entry);
            self.better(best, place)
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

    /// Worths without any order, so that a choice that is missing or too many is found.
    struct Any(HashMap<Entry, Row64>);

    impl EntryValues<f64, 8> for Any {
        fn after(&self, _: usize, entry: Entry) -> Row64 {
            self.0[&entry]
        }
    }

    /// Some sixty of all cards with up to three open boxes.
    fn cards(game: &Game) -> Vec<Filled> {
        let all = game.space().groups().iter().map(|group| group.filled);
        let open = |filled: &Filled| game.rules().all_boxes().minus(filled.boxes).iter().count();
        let few: Vec<Filled> = all.filter(|filled| (1..=3).contains(&open(filled))).collect();
        few.iter().step_by(few.len().div_ceil(60)).copied().collect()
    }

    #[test]
    fn a_turn_that_is_written_out_is_worth_the_same() {
        for name in ["yahtzee", "yahtzee-free-joker", "yatzy", "yacht", "maxi-yatzy"] {
            let game = Game::new(Rules::preset(name).unwrap());
            let (mut workspace, mut random) = (Workspace::new(&game), RandomStream::new(7, 2));
            let mut shorter = 0;
            for filled in cards(&game) {
                let Some(compiled) = CompiledTurn::new(&game, filled) else { continue };
                workspace.start(&game, filled, true);
                let worth = |entry: &Entry| (*entry, Row64::of(random.unit()));
                let any = Any(workspace.entries().iter().map(worth).collect());
                let whole = turn_value(&game, &any, &mut workspace);
                workspace.prepare_compiled(&Arc::new(compiled));
                let written = turn_value(&game, &any, &mut workspace);
                assert!(
                    (whole.0[0] - written.0[0]).abs() < 1e-14,
                    "{name} {filled:?}: {whole:?} {written:?}"
                );
                shorter += 1;
            }
            assert!(shorter > 5, "{name}: only {shorter}");
        }
    }

    #[test]
    fn a_turn_with_three_upper_boxes_reads_little_more_than_a_third_of_the_rows() {
        let game = Game::new(Rules::preset("classic").unwrap());
        let open = |ids: &[&str]| {
            let boxes = ids.iter().map(|id| game.rules().box_by_id(id).unwrap());
            let open = boxes.fold(BoxSet::NONE, BoxSet::with);
            Filled { boxes: game.rules().all_boxes().minus(open), ..Filled::default() }
        };
        let reads =
            |ids: &[&str]| CompiledTurn::new(&game, open(ids)).map(|compiled| compiled.program.reads());
        let whole = game.turn().reads();
        assert!(reads(&["1", "3", "6"]).unwrap() * 5 < whole * 2);
        assert!(reads(&["fh", "y"]).unwrap() * 5 < whole);
        assert_eq!(reads(&["1", "3", "3k", "4k", "ch"]), None);
    }
}
