//! Exact statistics of the strategy with the best expected score. Its decisions depend on the score state only.

use std::ops::Range;

use super::choice::ChosenAction;
use super::pass::{BoxTally, FollowedStrategy, after_choice, from_card};
use super::statistics::Statistics;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::forward::ForwardTurn;
use crate::kernel::plan::TieTolerance;
use crate::kernel::transitions::Transitions;
use crate::tables::ExpectedTable;
use crate::turn::{LANES, Row, Row64};
use crate::work::{Work, WorkError};

/// Returns the exact statistics of the strategy with the best expected score, starting from a card.
///
/// ```
/// use std::sync::Arc;
/// use keepers::{Card, Game, Rules, Silent, Store};
/// use keepers::internals::Work;
/// use keepers::internals::evaluate::evaluate_expected;
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let table = Store::none().expected(&game, &Silent).unwrap();
/// let statistics = evaluate_expected(&table, &Card::empty(&game), &Work::silent()).unwrap();
/// assert!((statistics.mean() - table.start()).abs() < 1e-9);
/// ```
///
/// # Errors
/// If the work is cancelled.
pub fn evaluate_expected(
    table: &ExpectedTable,
    card: &Card,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    from_card(&BestScore(table), card, work)
}

/// Returns the exact statistics after an action, if the rest of the game is played for the best expected score.
///
/// ```
/// use std::sync::Arc;
/// use keepers::internals::advise::advise;
/// use keepers::internals::evaluate::{ChosenAction, evaluate_expected_after};
/// use keepers::{Card, Game, Roll, Rules, Silent, Store};
/// use keepers::internals::Work;
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let table = Store::none().expected(&game, &Silent).unwrap();
/// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0").unwrap();
/// let advice = advise(&table, &card, game.roll("12344").unwrap(), 2).unwrap();
/// for choice in &advice.choices {
///     let chosen = ChosenAction { card: &card, rolls_left: 2, action: choice.action };
///     let statistics = evaluate_expected_after(&table, &chosen, &Work::silent()).unwrap();
///     assert!((statistics.mean() - choice.value).abs() < 1e-9);
/// }
/// ```
///
/// # Errors
/// If the work is cancelled.
pub fn evaluate_expected_after(
    table: &ExpectedTable,
    chosen: &ChosenAction<'_>,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    after_choice(&BestScore(table), table, chosen, work)
}

struct BestScore<'a>(&'a ExpectedTable);

/// The distributions of points and extra bonuses with which a state is reached, not normalised: each adds up to the
/// probability of reaching the state.
#[derive(Clone, Debug, Default)]
struct Mass {
    /// The fewest points so far, which is the number of points of `points[0]`.
    least: usize,
    /// The probability of each number of points so far, from `least` on.
    points: Vec<f64>,
    /// The probability of each number of extra bonuses so far.
    extras: Vec<f64>,
}

impl Mass {
    /// Adds `weight` times another mass, shifted by `points` and `extras`.
    fn add(&mut self, other: &Mass, points: usize, extras: usize, weight: f64) {
        let start = other.least + points;
        if self.points.is_empty() {
            self.least = start;
        }
        if start < self.least {
            let missing = self.least - start;
            self.points.splice(0..0, std::iter::repeat_n(0.0, missing));
            self.least = start;
        }
        add_at(&mut self.points, start - self.least, &other.points, weight);
        add_at(&mut self.extras, extras, &other.extras, weight);
    }
}

/// Adds `weight` times `from` to `to`, starting at index `at`.
fn add_at(to: &mut Vec<f64>, at: usize, from: &[f64], weight: f64) {
    if to.len() < at + from.len() {
        to.resize(at + from.len(), 0.0);
    }
    for (cell, more) in to[at..].iter_mut().zip(from) {
        *cell += weight * more;
    }
}

/// An entry made in a state, which moves the mass of the state to the next one.
struct EntryPush {
    /// The index of the state among the reached states.
    from: usize,
    /// The next state.
    to: usize,
    /// The points that the entry pays, bonuses included.
    paid: u16,
    is_extra: bool,
    /// The probability of the entry in this state.
    p: f64,
}

impl FollowedStrategy for BestScore<'_> {
    type Mass = Mass;
    type Push = EntryPush;
    const BLOCK: usize = 8 * LANES;
    const BLOCKS: usize = 64;

    fn game(&self) -> &Game {
        self.0.game()
    }

    fn arrive(&self, mass: &mut Mass, _: usize, total: u16, extras: usize, p: f64) {
        let here = Mass { least: total.into(), points: vec![1.0], extras: vec![1.0] };
        mass.add(&here, 0, extras, p);
    }

    fn play(
        &self,
        reached: &[(usize, Mass)],
        block: Range<usize>,
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<EntryPush>,
    ) {
        // States whose lanes are in the same block are planned together.
        let lanes =
            |a: &(usize, Mass), b: &(usize, Mass)| lanes_of(self.game(), a.0) == lanes_of(self.game(), b.0);
        let mut first = block.start;
        for together in reached[block].chunk_by(lanes) {
            self.play_lanes(first, together, turn, tally, pushes);
            first += together.len();
        }
    }

    fn target(push: &EntryPush) -> usize {
        push.to
    }

    fn push(&self, reached: &[(usize, Mass)], push: EntryPush, mass: &mut Mass) {
        mass.add(&reached[push.from].1, push.paid.into(), push.is_extra.into(), push.p);
    }

    fn totals(&self, reached: &[(usize, Mass)]) -> (Vec<f64>, Vec<f64>) {
        let mut end = Mass::default();
        for (_, mass) in reached {
            end.add(mass, 0, 0, 1.0);
        }
        let mut probability = vec![0.0; end.least];
        probability.append(&mut end.points);
        (probability, end.extras)
    }
}

/// Returns the block of a state's lane: the first state of its group, and the number of the block in the group.
fn lanes_of(game: &Game, state: usize) -> (usize, usize) {
    let first = game.space().group_of(state).first();
    (first, (state - first) / LANES)
}

/// An entry, and its probability in each lane.
pub(super) type EntryLanes = (Entry, Row64);

/// Follows the strategy through a turn from the classes of a group from `start` on, one per lane, each with a mass.
/// Returns the entries that are made and their masses. `on_final_roll` receives every final roll, its entry and the mass.
pub(super) fn entry_lanes(
    table: &ExpectedTable,
    group: &Group,
    start: usize,
    masses: &Row64,
    turn: &mut ForwardTurn,
    on_final_roll: impl FnMut(usize, Entry, f64),
) -> Vec<EntryLanes> {
    let game = table.game();
    let next = Transitions::new(game, group);
    let classes = game.space().states_of(group).len();
    let mut entries = Vec::new();
    turn.start(game, group.filled);
    turn.plan(game, TieTolerance::Points, |entry| {
        let mut row = Row([0.0; LANES]);
        for (lane, class) in row.0.iter_mut().zip(start..classes) {
            let (to, paid) = next.state(game, group, class, entry);
            *lane = f64::from(paid) + table.get(to);
        }
        row
    });
    turn.follow(game, masses, on_final_roll, |entry, mass| entries.push((entry, *mass)));
    entries
}

impl BestScore<'_> {
    /// Plays a turn from states whose lanes are in one block. `first` is the index of the first of them among the
    /// reached states.
    fn play_lanes(
        &self,
        first: usize,
        states: &[(usize, Mass)],
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<EntryPush>,
    ) {
        let game = self.game();
        let group = game.space().group_of(states[0].0);
        let next = Transitions::new(game, group);
        let lane_of = |state: usize| (state - group.first()) % LANES;
        let start = states[0].0 - group.first() - lane_of(states[0].0);
        let mut masses = Row([0.0; LANES]);
        for (state, mass) in states {
            masses.0[lane_of(*state)] = mass.points.iter().sum();
        }
        let rolls = |roll, entry: Entry, mass| tally.roll(entry.into, roll, mass);
        let entries = entry_lanes(self.0, group, start, &masses, turn, rolls);
        for (entry, lanes) in entries {
            for (nth, (state, _)) in states.iter().enumerate() {
                let mass = lanes.0[lane_of(*state)];
                if mass > 0.0 {
                    let (to, paid) = next.state(game, group, state - group.first(), entry);
                    tally.entry(entry, paid > entry.points + entry.extra, mass);
                    let p = mass / masses.0[lane_of(*state)];
                    pushes.push(EntryPush { from: first + nth, to, paid, is_extra: entry.extra > 0, p });
                }
            }
        }
    }
}
