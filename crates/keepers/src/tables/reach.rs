//! Tables of reach curves: the best probability of every final score, from a card or from the middle of a turn.

#[cfg(feature = "store")]
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::curve_source::CurveSource;
#[cfg(feature = "store")]
use super::files::Files;
#[cfg(feature = "store")]
use super::format;
#[cfg(feature = "store")]
use super::table::{CHUNK, Table, TableError};
use crate::dice::Roll;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::kernel::plan::{Planner, TieTolerance};
#[cfg(feature = "store")]
use crate::solve::{self, Window};
use crate::solve::{Curve, PartCurves, ReachCurves};
use crate::turn::{LANES, Number, Row};
#[cfg(feature = "store")]
use crate::work::{Observer, Work, WorkError};

/// The reach curves of every score state of a game: solved, or read from the store. A large table is mapped from its
/// file, and solved again if its file turns out to be damaged. A table that exceeds memory is read group by group
/// ([`CurveSource`]).
///
/// In the file, cells are words of four bytes. Each state has two words: the start of its curve among the
/// probabilities, then its first s in the lower half and its length in the upper half. These words are padded with
/// zeros to a whole chunk. The probabilities follow as `f32`.
pub struct ReachTable {
    game: Game,
    #[cfg(feature = "store")]
    stored: Option<(Arc<Files>, Table<u32>)>,
    /// Curves that are read group by group.
    source: Option<Arc<dyn CurveSource>>,
    /// The curves in memory: solved because there was no file, or because the file was damaged.
    solved: OnceLock<ReachCurves>,
}

impl ReachTable {
    /// Returns a table of curves that were solved in memory.
    pub(crate) fn solved(game: &Game, curves: ReachCurves) -> ReachTable {
        ReachTable {
            game: game.clone(),
            #[cfg(feature = "store")]
            stored: None,
            source: None,
            solved: OnceLock::from(curves),
        }
    }

    /// Returns a table whose curves are read from a source as they are needed.
    pub fn read_from(game: &Game, source: Arc<dyn CurveSource>) -> ReachTable {
        ReachTable {
            game: game.clone(),
            #[cfg(feature = "store")]
            stored: None,
            source: Some(source),
            solved: OnceLock::new(),
        }
    }

    #[cfg(feature = "store")]
    pub(super) fn stored(game: &Game, files: &Arc<Files>, table: Table<u32>) -> ReachTable {
        let stored = Some((Arc::clone(files), table));
        ReachTable { game: game.clone(), stored, source: None, solved: OnceLock::new() }
    }

    /// Returns the game of the table.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns whether the table has the curve of a state. A table that was solved for one card has only the curves of the
    /// states that the card can lead to.
    pub fn has(&self, state: usize) -> bool {
        self.solved.get().is_none_or(|curves| curves.has(state))
    }

    /// Returns the reach curve of a state, which the table must have ([`ReachTable::has`]): the best probability of scoring at least s more points, for every s.
    ///
    /// # Panics
    /// If the curves are read from a source that cannot be read any more.
    #[inline]
    pub fn curve(&self, state: usize) -> TableCurve<'_> {
        match self.solved.get() {
            Some(solved) => TableCurve::Table(solved.curve(state)),
            None => self.unsolved_curve(state),
        }
    }

    fn unsolved_curve(&self, state: usize) -> TableCurve<'_> {
        if let Some(source) = &self.source {
            let space = self.game.space();
            let group = space.group_index_of(state);
            let curves = source.group(group).unwrap_or_else(|error| panic!("{error}"));
            return TableCurve::Read { curves, class: state - space.groups()[group].first() };
        }
        #[cfg(feature = "store")]
        return TableCurve::Table(self.stored_curve(state));
        #[cfg(not(feature = "store"))]
        unreachable!("curves that are not stored were solved")
    }

    /// Returns the messages of the source of the curves that the user should read.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        self.source.as_ref().map_or_else(Vec::new, |source| source.take_notices())
    }

    #[cfg(feature = "store")]
    fn stored_curve(&self, state: usize) -> Curve<'_> {
        let (files, table) = self.stored.as_ref().expect("curves are solved or stored");
        curve_in(table, self.game.space().states(), state).unwrap_or_else(|error| {
            let solved = self.solved.get_or_init(|| {
                files.found_damage(&error);
                crate::parallel::on_own_pool(|| solve_again(&self.game, files))
            });
            solved.curve(state)
        })
    }

    /// Returns whether the curves are read from a file of the store.
    pub fn is_stored(&self) -> bool {
        #[cfg(feature = "store")]
        return self.stored.is_some() && self.solved.get().is_none();
        #[cfg(not(feature = "store"))]
        return false;
    }

    /// Returns `false` if the file of a mapped table was changed in place.
    pub fn is_unchanged(&self) -> bool {
        #[cfg(feature = "store")]
        if let (Some((_, table)), None) = (&self.stored, self.solved.get()) {
            return table.is_unchanged();
        }
        true
    }

    /// Returns the size of the curves in bytes. Curves that are read group by group do not count.
    pub fn bytes(&self) -> usize {
        let solved =
            self.solved.get().map_or(0, |curves| size_of_val(curves.cells()) + size_of_val(curves.windows()));
        #[cfg(feature = "store")]
        let solved = solved + self.stored.as_ref().map_or(0, |(_, table)| table.len() * size_of::<u32>());
        solved
    }

    /// Returns the reach curve of a card: the best probability of scoring at least s more points, for every s.
    pub fn of(&self, card: &Card) -> TableCurve<'_> {
        self.curve(card.state())
    }

    /// Returns the best probability of at least each final score after a roll, from 0 to the highest that is possible.
    /// Each score has its own optimal strategy.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Card, Game, Roll, Rules, Silent, Store};
    /// let game = Game::new(Rules::preset("yacht").unwrap());
    /// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,y=0").unwrap();
    /// let table = Store::none().reach(&game, &Silent).unwrap();
    /// let after = table.probabilities_after(&card, &Roll::parse("66666", 5, 6).unwrap(), 0);
    /// assert_eq!(after.len() - 1, 140); // only chance is left: 110 and 30
    /// assert_eq!(after[140], 1.0);
    /// ```
    ///
    /// # Panics
    /// If the card is full.
    pub fn probabilities_after(&self, card: &Card, roll: &Roll, rolls_left: u8) -> Vec<f64> {
        let game: &Game = self.game();
        let after = |entry: Entry| {
            let next = card.with(entry);
            (i32::from(next.total()), self.of(&next))
        };
        let most_after = |(total, curve): &(i32, TableCurve<'_>)| total + i32::from(curve.view().most());
        if rolls_left == 0 {
            let ends: Vec<_> = card.entries(roll.dice()).into_iter().map(after).collect();
            let most = ends.iter().map(most_after).max().expect("a box is open");
            let best = |score| ends.iter().map(|(total, curve)| curve.at(score - total)).fold(0.0, f32::max);
            return (0..=most).map(|score| best(score).into()).collect();
        }
        let mut planner: Planner<LANES> = Planner::new(game, rolls_left);
        planner.start(game, card.filled());
        let curves: Vec<(Entry, (i32, TableCurve<'_>))> =
            planner.entries().iter().map(|&entry| (entry, after(entry))).collect();
        let most = curves.iter().map(|(_, curve)| most_after(curve)).max().expect("a box is open");
        let within: Vec<u16> = game.lattice().within(game.lattice().index_of_roll(roll)).collect();
        let mut probabilities = Vec::with_capacity(most as usize + LANES);
        for first in (0..=most).step_by(LANES) {
            planner.plan(game, TieTolerance::DoublePrecision, |entry| {
                let (_, (total, curve)) =
                    curves.iter().find(|(other, _)| *other == entry).expect("it is one of them");
                let curve = curve.view();
                Row(std::array::from_fn(|lane| curve.at(first + lane as i32 - total).into()))
            });
            let none = Row([0.0; LANES]);
            let best = within.iter().fold(none, |best, &keep| best.max(planner.keeps(rolls_left).get(keep)));
            probabilities.extend(best.0);
        }
        let reachable = probabilities.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
        probabilities.truncate(reachable);
        probabilities
    }
}

/// The reach curve of one state of a table.
#[derive(Clone)]
pub enum TableCurve<'a> {
    /// A curve in memory, or in a mapped file.
    Table(Curve<'a>),
    /// A curve that was read with all others of its group.
    Read {
        /// The curves of the group.
        curves: Arc<PartCurves<f32>>,
        /// The index of the curve.
        class: usize,
    },
}

impl TableCurve<'_> {
    /// Returns the curve.
    #[inline]
    pub fn view(&self) -> Curve<'_> {
        match self {
            TableCurve::Table(curve) => *curve,
            TableCurve::Read { curves, class } => {
                let group = curves.group(0);
                Curve { first: group.windows()[*class].first, cells: group.values(*class) }
            }
        }
    }

    /// Returns the best probability of at least `points` more points.
    #[inline]
    pub fn at(&self, points: i32) -> f32 {
        self.view().at(points)
    }

    /// Returns the most points that can still come.
    pub fn most(&self) -> u16 {
        self.view().most()
    }

    /// Returns the best probability of at least each final score from a card ([`Curve::probabilities`]).
    pub fn probabilities(&self, card: &Card) -> Vec<f64> {
        self.view().probabilities(card)
    }
}

impl PartialEq for TableCurve<'_> {
    /// Compares the probabilities.
    fn eq(&self, other: &TableCurve<'_>) -> bool {
        self.view() == other.view()
    }
}

impl std::fmt::Debug for TableCurve<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: Number + Into<f64>> Curve<'_, T> {
    /// Returns the best probability of at least each final score, from 0 to the highest that is possible from a card.
    /// This must be the curve of the card's state.
    pub fn probabilities(&self, card: &Card) -> Vec<f64> {
        let total = i32::from(card.total());
        (0..=total + i32::from(self.most())).map(|score| self.at(score - total).into()).collect()
    }
}

/// Solves a game whose stored curves are damaged. Runs without an observer, because the damage was found while a curve
/// was read.
#[cfg(feature = "store")]
fn solve_again(game: &Game, files: &Files) -> ReachCurves {
    let solved = solve::reach_curves(game, &Work::silent());
    let curves = solved.expect("there is memory for the curves that were mapped");
    // If the file cannot be written, `files` stores the reason for the next observer.
    let _ = keep(game, &curves, files, files);
    curves
}

/// Writes curves to the store. Returns the path if they were written.
#[cfg(feature = "store")]
pub(super) fn keep(
    game: &Game,
    curves: &ReachCurves,
    files: &Files,
    observer: &dyn Observer,
) -> Result<Option<PathBuf>, WorkError> {
    if u32::try_from(curves.cells().len()).is_err() {
        observer.notice("the table is not kept: it has more probabilities than a file can index");
        return Ok(None);
    }
    let words = windows_as_words(curves.windows());
    let probabilities: &[u32] = bytemuck::cast_slice(curves.cells());
    let key = format::key(game.rules(), "reach", words.len() + probabilities.len());
    files.keep(&key, &[&words, probabilities], observer)
}

/// Returns the curve of a state in a stored table.
#[cfg(feature = "store")]
fn curve_in(table: &Table<u32>, states: usize, state: usize) -> Result<Curve<'_>, TableError> {
    let words = table.slice(2 * state..2 * state + 2)?;
    let (first, len) = (words[1] as u16, (words[1] >> 16) as usize);
    let start = first_probability(states) + words[0] as usize;
    Ok(Curve { first, cells: bytemuck::cast_slice(table.slice(start..start + len)?) })
}

/// Encodes the positions of the curves as words of a table file, padded to a whole chunk.
#[cfg(feature = "store")]
fn windows_as_words(windows: &[Window]) -> Vec<u32> {
    let words =
        |window: &Window| [window.offset as u32, u32::from(window.first) | u32::from(window.len) << 16];
    let mut words: Vec<u32> = windows.iter().flat_map(words).collect();
    words.resize(first_probability(windows.len()), 0);
    words
}

/// Returns the index of the first probability among the words of a table file.
#[cfg(feature = "store")]
pub(super) fn first_probability(states: usize) -> usize {
    (2 * states).next_multiple_of(CHUNK / size_of::<u32>())
}
