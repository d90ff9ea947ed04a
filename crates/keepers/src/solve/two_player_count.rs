//! The number of states of the two-player game (Pawlewicz, appendix D), as exact integers.
//!
//! Between turns, a state is a pair of score states and a difference of the totals so far. Three conditions bound them:
//!
//! 1. The player who began has filled as many boxes as the other player, or one more if the other player is to move.
//! 2. The result is open. Suppose that one player scores the most points still to come and the other the least: if the
//!    first cannot at least draw, the game is decided and needs no state. (Finished draws are counted.)
//! 3. The total so far of each player lies between the least and the most with which their score state can be reached.
//!
//! Let a and b be the players, lo and hi the least and the most points so far, and f and g the least and the most
//! points still to come. The differences of a's total minus b's that count are those from `max(lo_a - hi_b, f_b - g_a)`
//! to `min(hi_a - lo_b, g_b - f_a)`. With (x)⁺ for the larger of x and 0, their number is
//!
//! `(hi_a - lo_a) + (hi_b - lo_b) + 1 - (hi_a + f_a - lo_b - g_b)⁺ - (hi_b + f_b - lo_a - g_a)⁺`,
//!
//! unless one player is certain to win. Then it is 0, but the formula gives 1 - e, where e is the least final total of
//! that player minus the most of the other (e >= 1). Adding (e - 1)⁺ for each player corrects that. Every term compares
//! a number of one player with a number of the other, so sums over all pairs need only histograms of these numbers.

use std::iter::zip;

use crate::game::Game;
use crate::game::rules::{ByBox, Entry};
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::work::{Work, WorkError, reserve};

/// The size of the two-player game, by the number of open boxes of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TwoPlayerCount {
    /// `layers[n]` counts the states in which the player to move has n open boxes; those of `layers[0]` are finished.
    pub layers: Vec<TwoPlayerLayer>,
}

/// The states of the two-player game with one number of open boxes of the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwoPlayerLayer {
    /// Pairs of score states whose result is open for at least one difference of the totals.
    pub pairs: u128,
    /// States: pairs of score states, each with every difference of the totals that leaves the result open.
    pub states: u128,
}

impl TwoPlayerLayer {
    /// Returns about how many turns a solve folds, with `lanes` differences per block. The last block of a pair is
    /// assumed to be half full.
    pub fn turns(&self, lanes: u128) -> u128 {
        (self.states + self.pairs * (lanes - 1) / 2) / lanes
    }
}

impl TwoPlayerCount {
    /// Returns the number of pairs of score states that can face each other with the result still open.
    pub fn pairs(&self) -> u128 {
        self.layers.iter().map(|layer| layer.pairs).sum()
    }

    /// Returns the number of states of the two-player game.
    pub fn states(&self) -> u128 {
        self.layers.iter().map(|layer| layer.states).sum()
    }
}

/// Counts the states of the two-player game.
///
/// ```
/// use keepers::{Game, Rules};
/// use keepers::internals::{Work, solve};
/// let game = Game::new(Rules::preset("yahtzee-used-joker").unwrap());
/// assert_eq!(solve::count_two_player_game(&game, &Work::silent()).unwrap().states(), 12_671_976_997_282); // Pawlewicz, appendix D
/// ```
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn count_two_player_game(game: &Game, work: &Work<'_>) -> Result<TwoPlayerCount, WorkError> {
    let space = game.space();
    let (past, future) = point_ranges(game, work)?;
    let layers: Vec<LayerSums> = (0..=space.boxes())
        .map(|open| {
            let mut sums = LayerSums::default();
            for group in &space.groups()[space.layer(open)] {
                for state in space.states_of(group) {
                    sums.add(past[state], future[state]);
                }
            }
            sums
        })
        .collect();
    let layer = |open: usize| {
        let even = layers[open].against(&layers[open]);
        let ahead = open.checked_sub(1).map_or(TwoPlayerLayer::default(), |fewer| {
            // The other player began and has filled one box more.
            layers[fewer].against(&layers[open])
        });
        TwoPlayerLayer { pairs: even.pairs + ahead.pairs, states: even.states + ahead.states }
    };
    Ok(TwoPlayerCount { layers: (0..=space.boxes()).map(layer).collect() })
}

/// A range of points. `u16` holds every total of a card; reach curves rely on that too.
#[derive(Clone, Copy)]
struct PointRange {
    least: u16,
    most: u16,
}

impl PointRange {
    const ZERO: PointRange = PointRange { least: 0, most: 0 };
    /// The empty range.
    const EMPTY: PointRange = PointRange { least: u16::MAX, most: 0 };

    fn is_empty(self) -> bool {
        self.least > self.most
    }

    /// Extends the range to include `other`, shifted by `points`.
    fn widen(&mut self, other: PointRange, points: u16) {
        if !other.is_empty() {
            self.least = self.least.min(other.least + points);
            self.most = self.most.max(other.most + points);
        }
    }
}

/// Returns for every score state the range of points so far with which it can be reached (empty if it cannot be) and
/// the range of points still to come. The upper bonus is paid by the entry that earns it.
fn point_ranges(game: &Game, work: &Work<'_>) -> Result<(Vec<PointRange>, Vec<PointRange>), WorkError> {
    let space = game.space();
    let entries = EntryPoints::new(game);
    let empty = || -> Result<Vec<PointRange>, WorkError> {
        let mut ranges = Vec::new();
        reserve(&mut ranges, space.states())?;
        ranges.resize(space.states(), PointRange::EMPTY);
        Ok(ranges)
    };
    let all = 2 * space.groups().len();
    let step = |done: usize| if done.is_multiple_of(256) { work.step(done, all) } else { Ok(()) };
    let mut future = empty()?;
    for (nth, group) in space.groups().iter().enumerate() {
        step(nth)?;
        if group.filled.boxes == game.rules().all_boxes() {
            future[space.states_of(group)].fill(PointRange::ZERO);
        }
        entries.each(game, group, |state, next, points| {
            let range = future[next];
            future[state].widen(range, points);
        });
    }
    let mut past = empty()?;
    past[space.states() - 1] = PointRange::ZERO;
    for (nth, group) in space.groups().iter().rev().enumerate() {
        step(space.groups().len() + nth)?;
        entries.each(game, group, |state, next, points| {
            let range = past[state];
            past[next].widen(range, points);
        });
    }
    work.report(all, all);
    Ok((past, future))
}

/// The points that entries can have, as far as the least and the most points depend on them.
struct EntryPoints {
    /// For each box, over all rolls.
    any: ByBox<Vec<u16>>,
    /// For each box, over rolls whose dice are not all equal.
    ordinary: ByBox<Vec<u16>>,
}

impl EntryPoints {
    fn new(game: &Game) -> EntryPoints {
        let amounts = |ordinary: bool| {
            let of_box = |(into, _)| {
                let scores = &game.scores()[into];
                let paid = zip(game.lattice().rolls(), &scores.of_roll);
                let counts = |roll: usize| !ordinary || game.lattice().keeps()[roll].all_equal().is_none();
                let mut amounts: Vec<u16> = paid
                    .filter(|(roll, _)| counts(*roll))
                    .map(|(_, &amount)| scores.amounts[amount as usize])
                    .collect();
                amounts.sort_unstable();
                amounts.dedup();
                if game.space().upper().slot(into).is_none() {
                    retain_extremes(&mut amounts);
                }
                amounts
            };
            game.rules().boxes().iter().map(of_box).collect()
        };
        EntryPoints { any: amounts(false), ordinary: amounts(true) }
    }

    /// Calls `visit(state, next_state, points)` for every entry from every state of the group.
    fn each(&self, game: &Game, group: &Group, mut visit: impl FnMut(usize, usize, u16)) {
        let next = Transitions::new(game, group);
        let classes = game.space().states_of(group).len();
        let mut enter = |entry: Entry| {
            for class in 0..classes {
                let (state, points) = next.state(game, group, class, entry);
                visit(group.first() + class, state, points);
            }
        };
        let of_box = if game.rules().extra_yahtzees_apply(group.filled) { &self.ordinary } else { &self.any };
        for into in game.rules().all_boxes().minus(group.filled.boxes).iter() {
            of_box[into].iter().for_each(|&points| enter(Entry { into, points, extra: 0 }));
        }
        game.extra_yahtzee_entries(group.filled, |_, entry| enter(entry));
    }
}

/// Keeps the least amount, the least positive one and the most. The amount in a lower box affects the next state only
/// by whether it is zero, so amounts in between change neither the least nor the most points.
fn retain_extremes(amounts: &mut Vec<u16>) {
    let (first, last) = (amounts.first().copied(), amounts.last().copied());
    let paying = amounts.iter().copied().find(|&points| points > 0);
    amounts.retain(|&points| [first, paying, last].contains(&Some(points)));
}

/// The score states with one number of open boxes, summed up for the formula in the module documentation.
#[derive(Default)]
struct LayerSums {
    states: u128,
    /// The sum of hi - lo.
    widths: u128,
    /// Histogram of hi + f: the most so far, the least from now on.
    most_then_least: Histogram,
    /// Histogram of lo + g: the least so far, the most from now on.
    least_then_most: Histogram,
    /// Histogram of lo + f, the least final total.
    least: Histogram,
    /// Histogram of hi + g + 1, one more than the most final total.
    above_most: Histogram,
}

impl LayerSums {
    fn add(&mut self, past: PointRange, future: PointRange) {
        if past.is_empty() {
            return;
        }
        self.states += 1;
        self.widths += u128::from(past.most - past.least);
        self.most_then_least.add(past.most + future.least);
        self.least_then_most.add(past.least + future.most);
        self.least.add(past.least + future.least);
        self.above_most.add(past.most + future.most + 1);
    }

    /// Returns the states between a player in one of these score states and one in those of `other`.
    fn against(&self, other: &LayerSums) -> TwoPlayerLayer {
        let all_pairs = self.states * other.states;
        let sum = self.widths * other.states + other.widths * self.states + all_pairs;
        let decided = self.most_then_least.excess_over(&other.least_then_most).total
            + other.most_then_least.excess_over(&self.least_then_most).total;
        let (certain, certain_for_other) =
            (self.least.excess_over(&other.above_most), other.least.excess_over(&self.above_most));
        TwoPlayerLayer {
            pairs: all_pairs - certain.pairs - certain_for_other.pairs,
            states: sum + certain.total + certain_for_other.total - decided,
        }
    }
}

/// The number of occurrences of each number.
#[derive(Default)]
struct Histogram(Vec<u64>);

/// Sums over all pairs of a number of one histogram and a number of another.
#[derive(Default)]
struct Excess {
    /// The number of pairs whose first number is at least the second.
    pairs: u128,
    /// The sum of (first - second)⁺.
    total: u128,
}

impl Histogram {
    fn add(&mut self, number: u16) {
        let number = usize::from(number);
        if self.0.len() <= number {
            self.0.resize(number + 1, 0);
        }
        self.0[number] += 1;
    }

    fn excess_over(&self, other: &Histogram) -> Excess {
        let mut excess = Excess::default();
        // The number of `other`'s numbers up to this one, and the sum of this one minus each of them.
        let (mut at_most, mut total) = (0, 0);
        for (number, &times) in self.0.iter().enumerate() {
            total += at_most;
            at_most += u128::from(other.0.get(number).copied().unwrap_or(0));
            excess.pairs += u128::from(times) * at_most;
            excess.total += u128::from(times) * total;
        }
        excess
    }
}
