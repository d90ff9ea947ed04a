//! How large the game of two players is (Pawlewicz, appendix D).
//!
//! Between turns it has a state for each pair of score states and each difference of the totals so
//! far that counts. Three things bound them:
//!
//! 1. the player who began has filled as many boxes as the other, or one more if the other moves;
//! 2. a difference that not even the most points still to come of one and the least of the other
//!    can make up is decided, and decided games need no state (a draw that can still be had does);
//! 3. the totals so far lie between the least and the most that can have led to each score state.
//!
//! With lo and hi the least and most points so far, f and g the least and most still to come, and
//! a, b the two players, the differences are those from `max(lo_a - hi_b, f_b - g_a)` to
//! `min(hi_a - lo_b, g_b - f_a)`. How many that is, written with (x)⁺ for the larger of x and 0,
//!
//! `(hi_a - lo_a) + (hi_b - lo_b) + 1 - (hi_a + f_a - lo_b - g_b)⁺ - (hi_b + f_b - lo_a - g_a)⁺`,
//!
//! and none if one player is sure to win: then the formula gives 0 or less, by how much the least
//! total of that player exceeds the most of the other. Every term compares one number of one player
//! with one of the other, so sums over all pairs need histograms of these numbers and no pairs.

use std::iter::zip;

use crate::game::Game;
use crate::game::rules::{ByBox, Entry};
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::work::{Work, WorkError, reserve};

/// The size of the two-player game, by how many boxes the player to move has open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TwoPlayerCount {
    /// `layers[n]` are the states with n open boxes for the player to move; 0 are finished games.
    pub layers: Vec<TwoPlayerLayer>,
}

/// States of the two-player game with equally many open boxes for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwoPlayerLayer {
    /// Pairs of score states whose result is open for some difference of the totals.
    pub pairs: u128,
    /// Pairs of score states, each with every difference of the totals that counts.
    pub states: u128,
}

impl TwoPlayerLayer {
    /// About how many turns a solve works out, each for a block of so many differences: the last
    /// block of a pair is half full on average.
    pub fn turns(&self, lanes: u128) -> u128 {
        (self.states + self.pairs * (lanes - 1) / 2) / lanes
    }
}

impl TwoPlayerCount {
    /// All pairs of score states that can face each other.
    pub fn pairs(&self) -> u128 {
        self.layers.iter().map(|layer| layer.pairs).sum()
    }

    /// All states of the two-player game.
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
    let (past, future) = spans(game, work)?;
    let tallies: Vec<Tally> = (0..=space.boxes())
        .map(|open| {
            let mut tally = Tally::default();
            for group in &space.groups()[space.layer(open)] {
                for state in space.states_of(group) {
                    tally.add(past[state], future[state]);
                }
            }
            tally
        })
        .collect();
    let layer = |open: usize| {
        let even = tallies[open].against(&tallies[open]);
        let ahead = open.checked_sub(1).map_or(TwoPlayerLayer::default(), |fewer| {
            // The player who began has filled a box more.
            tallies[fewer].against(&tallies[open])
        });
        TwoPlayerLayer { pairs: even.pairs + ahead.pairs, states: even.states + ahead.states }
    };
    Ok(TwoPlayerCount { layers: (0..=space.boxes()).map(layer).collect() })
}

/// The least and the most of some points. Totals of a card fit: reach curves rely on it too.
#[derive(Clone, Copy)]
struct Span {
    least: u16,
    most: u16,
}

impl Span {
    const ZERO: Span = Span { least: 0, most: 0 };
    /// Of no points at all: anything widens it.
    const EMPTY: Span = Span { least: u16::MAX, most: 0 };

    fn is_empty(self) -> bool {
        self.least > self.most
    }

    /// Includes another, moved up by some points.
    fn widen(&mut self, other: Span, points: u16) {
        if !other.is_empty() {
            self.least = self.least.min(other.least + points);
            self.most = self.most.max(other.most + points);
        }
    }
}

/// For every score state, the points that can have been made on the way to it (none if nothing
/// leads there), and those that can still come. The upper bonus counts from when it is earned.
fn spans(game: &Game, work: &Work<'_>) -> Result<(Vec<Span>, Vec<Span>), WorkError> {
    let space = game.space();
    let entries = Entries::new(game);
    let empty = || -> Result<Vec<Span>, WorkError> {
        let mut spans = Vec::new();
        reserve(&mut spans, space.states())?;
        spans.resize(space.states(), Span::EMPTY);
        Ok(spans)
    };
    let all = 2 * space.groups().len();
    let step = |done: usize| if done.is_multiple_of(256) { work.step(done, all) } else { Ok(()) };
    let mut future = empty()?;
    for (nth, group) in space.groups().iter().enumerate() {
        step(nth)?;
        if group.filled.boxes == game.rules().all_boxes() {
            future[space.states_of(group)].fill(Span::ZERO);
        }
        entries.each(game, group, |state, next, points| {
            let span = future[next];
            future[state].widen(span, points);
        });
    }
    let mut past = empty()?;
    past[space.states() - 1] = Span::ZERO;
    for (nth, group) in space.groups().iter().rev().enumerate() {
        step(space.groups().len() + nth)?;
        entries.each(game, group, |state, next, points| {
            let span = past[state];
            past[next].widen(span, points);
        });
    }
    work.report(all, all);
    Ok((past, future))
}

/// What can be entered, as far as the least and the most points depend on it.
struct Entries {
    /// By box, for all rolls.
    any: ByBox<Vec<u16>>,
    /// By box, for rolls whose dice are not all equal.
    ordinary: ByBox<Vec<u16>>,
}

impl Entries {
    fn new(game: &Game) -> Entries {
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
                    keep_extremes(&mut amounts);
                }
                amounts
            };
            game.rules().boxes().iter().map(of_box).collect()
        };
        Entries { any: amounts(false), ordinary: amounts(true) }
    }

    /// Tells each state of a group, the states that entries lead to, and what each entry pays.
    fn each(&self, game: &Game, group: &Group, mut tell: impl FnMut(usize, usize, u16)) {
        let next = Transitions::new(game, group);
        let classes = game.space().states_of(group).len();
        let mut enter = |entry: Entry| {
            for class in 0..classes {
                let (state, points) = next.state(game, group, class, entry);
                tell(group.first() + class, state, points);
            }
        };
        let of_box = if game.rules().extra_yahtzees_apply(group.filled) { &self.ordinary } else { &self.any };
        for into in game.rules().all_boxes().minus(group.filled.boxes).iter() {
            of_box[into].iter().for_each(|&points| enter(Entry { into, points, extra: 0 }));
        }
        game.extra_yahtzee_entries(group.filled, |_, entry| enter(entry));
    }
}

/// Lower boxes lead on by whether they pay at all: between the least and the most that they pay,
/// the amounts make no difference.
fn keep_extremes(amounts: &mut Vec<u16>) {
    let (first, last) = (amounts.first().copied(), amounts.last().copied());
    let paying = amounts.iter().copied().find(|&points| points > 0);
    amounts.retain(|&points| [first, paying, last].contains(&Some(points)));
}

/// Score states with equally many open boxes, as the formula above needs them.
#[derive(Default)]
struct Tally {
    states: u128,
    /// The sum of hi - lo.
    widths: u128,
    /// Of hi + f: well so far, badly from now on.
    well_then_badly: Histogram,
    /// Of lo + g: badly so far, well from now on.
    badly_then_well: Histogram,
    /// Of lo + f, the least final total.
    least: Histogram,
    /// Of hi + g + 1: what is more than the most final total.
    beyond: Histogram,
}

impl Tally {
    fn add(&mut self, past: Span, future: Span) {
        if past.is_empty() {
            return;
        }
        self.states += 1;
        self.widths += u128::from(past.most - past.least);
        self.well_then_badly.add(past.most + future.least);
        self.badly_then_well.add(past.least + future.most);
        self.least.add(past.least + future.least);
        self.beyond.add(past.most + future.most + 1);
    }

    /// The states of the game between a player of these and one of the others.
    fn against(&self, other: &Tally) -> TwoPlayerLayer {
        let all_pairs = self.states * other.states;
        let sums = self.widths * other.states + other.widths * self.states + all_pairs;
        let decided = self.well_then_badly.over(&other.badly_then_well).by
            + other.well_then_badly.over(&self.badly_then_well).by;
        let (sure, sure_for_other) = (self.least.over(&other.beyond), other.least.over(&self.beyond));
        TwoPlayerLayer {
            pairs: all_pairs - sure.pairs - sure_for_other.pairs,
            states: sums + sure.by + sure_for_other.by - decided,
        }
    }
}

/// How often each number occurs.
#[derive(Default)]
struct Histogram(Vec<u64>);

/// Over all pairs of numbers of two histograms.
#[derive(Default)]
struct Over {
    /// The pairs whose first is not the smaller.
    pairs: u128,
    /// The sum of what the first is larger by, where it is.
    by: u128,
}

impl Histogram {
    fn add(&mut self, number: u16) {
        let number = usize::from(number);
        if self.0.len() <= number {
            self.0.resize(number + 1, 0);
        }
        self.0[number] += 1;
    }

    fn over(&self, other: &Histogram) -> Over {
        let mut over = Over::default();
        // The others up to this number, and by how much it exceeds them in all.
        let (mut passed, mut by) = (0, 0);
        for (number, &times) in self.0.iter().enumerate() {
            by += passed;
            passed += u128::from(other.0.get(number).copied().unwrap_or(0));
            over.pairs += u128::from(times) * passed;
            over.by += u128::from(times) * by;
        }
        over
    }
}
