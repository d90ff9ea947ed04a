//! Exact statistics of the strategy with the best expected utility of the final score. Its decisions depend on the
//! score state and on the points so far.

use std::ops::Range;

use super::choice::ChosenAction;
use super::pass::{BoxTally, FollowedStrategy, after_choice, from_card};
use super::statistics::Statistics;
use crate::analysis::value::UtilityValue;
use crate::game::Game;
use crate::game::card::Card;
use crate::kernel::forward::ForwardTurn;
use crate::kernel::plan::TieTolerance;
use crate::kernel::transitions::Transitions;
use crate::solve::UtilityTable;
use crate::turn::{LANES, Row, Row64};
use crate::work::{Work, WorkError};

/// Returns the exact statistics of the best strategy for a utility, starting from a card. The card must be the one that the
/// table was solved for, or follow from it.
///
/// ```
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::{Work, solve};
/// use keepers::internals::evaluate::evaluate_utility;
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let at_least_200: Vec<f64> = (0..=200).map(|score| if score >= 200 { 1.0 } else { 0.0 }).collect();
/// let empty = Card::empty(&game);
/// let table = solve::best_utility(&game, &empty, &at_least_200, &Work::silent()).unwrap();
/// let statistics = evaluate_utility(&game, &table, &empty, &Work::silent()).unwrap();
/// assert!((statistics.at_least(200) - table.value()).abs() < 1e-12);
/// ```
///
/// # Errors
/// If the work is cancelled.
///
/// # Panics
/// If the card does not follow from the one that the table was solved for.
pub fn evaluate_utility(
    game: &Game,
    table: &UtilityTable,
    card: &Card,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    from_card(&BestUtility { game, table }, card, work)
}

/// Returns the exact statistics after an action, if the rest of the game is played for the best expected utility. The
/// card must be the one that the table was solved for, or follow from it.
///
/// ```
/// use std::sync::Arc;
/// use keepers::answers::UtilityValue;
/// use keepers::internals::advise::advise;
/// use keepers::internals::evaluate::{ChosenAction, evaluate_utility_after};
/// use keepers::{Card, Game, Roll, Rules};
/// use keepers::internals::{Work, solve};
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0").unwrap();
/// let at_least_150: Vec<f64> = (0..=150).map(|score| if score >= 150 { 1.0 } else { 0.0 }).collect();
/// let best = UtilityValue {
///     game: game.clone(),
///     table: Arc::new(solve::best_utility(&game, &card, &at_least_150, &Work::silent()).unwrap()),
/// };
/// let advice = advise(&best, &card, game.roll("12344").unwrap(), 1).unwrap();
/// for choice in &advice.choices {
///     let chosen = ChosenAction { card: &card, rolls_left: 1, action: choice.action };
///     let statistics = evaluate_utility_after(&best, &chosen, &Work::silent()).unwrap();
///     assert!((statistics.at_least(150) - choice.value).abs() < 1e-12);
/// }
/// ```
///
/// # Errors
/// If the work is cancelled.
///
/// # Panics
/// If the card does not follow from the one that the table was solved for.
pub fn evaluate_utility_after(
    best: &UtilityValue,
    chosen: &ChosenAction<'_>,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    let UtilityValue { game, table } = best;
    after_choice(&BestUtility { game, table }, best, chosen, work)
}

struct BestUtility<'a> {
    game: &'a Game,
    table: &'a UtilityTable,
}

/// `mass[n][i]` is the probability of reaching a state with n extra bonuses and [`BestUtility::first`]` + i` points so
/// far. `first` is a multiple of [`LANES`], so that points are divided into the same blocks, and sums are equal to the
/// last bit, whichever card the table was solved for.
type Mass = Vec<Vec<f64>>;

/// The mass of a block of lanes that an entry moves to the next state.
struct Push {
    /// The next state.
    to: usize,
    /// The number of extra bonuses in the next state.
    extras: usize,
    /// The index in the mass of the next state to which the first lane that is not skipped is added.
    points: usize,
    /// The number of lanes below the range of points of the next state.
    skipped: usize,
    lanes: Row64,
}

impl FollowedStrategy for BestUtility<'_> {
    type Mass = Mass;
    type Push = Push;
    // The pushes of a state with a thousand lanes need up to a megabyte, so batches are small.
    const BLOCK: usize = 8;
    const BLOCKS: usize = 32;

    fn game(&self) -> &Game {
        self.game
    }

    fn arrive(&self, mass: &mut Mass, state: usize, total: u16, extras: usize, p: f64) {
        add(mass, self.len(state), extras, usize::from(total) - self.first(state), &[p]);
    }

    fn play(
        &self,
        reached: &[(usize, Mass)],
        block: Range<usize>,
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<Push>,
    ) {
        for (state, mass) in &reached[block] {
            self.play_state(*state, mass, turn, tally, pushes);
        }
    }

    fn target(push: &Push) -> usize {
        push.to
    }

    fn push(&self, _: &[(usize, Mass)], push: Push, mass: &mut Mass) {
        let Push { to, extras, points, skipped, lanes } = push;
        add(mass, self.len(to), extras, points, &lanes.0[skipped..]);
    }

    fn totals(&self, reached: &[(usize, Mass)]) -> (Vec<f64>, Vec<f64>) {
        let (mut probability, mut extras) = (Vec::new(), Vec::new());
        for (state, mass) in reached {
            for (n, points) in mass.iter().enumerate() {
                for (total, p) in (self.first(*state)..).zip(points) {
                    grow(&mut probability, total, *p);
                    grow(&mut extras, n, *p);
                }
            }
        }
        (probability, extras)
    }
}

impl BestUtility<'_> {
    /// Returns the number of points so far of index 0 in the mass of a state.
    fn first(&self, state: usize) -> usize {
        usize::from(self.table.window(state).least) / LANES * LANES
    }

    /// Returns the length of the mass of a state: the number of different points so far.
    fn len(&self, state: usize) -> usize {
        usize::from(self.table.window(state).most) + 1 - self.first(state)
    }

    /// Plays a turn from one state, for all numbers of points so far.
    fn play_state(
        &self,
        state: usize,
        mass: &Mass,
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<Push>,
    ) {
        let (game, table) = (self.game, self.table);
        let group = game.space().group_of(state);
        let class = state - group.first();
        let next = Transitions::new(game, group);
        let (first, least) = (self.first(state), usize::from(table.window(state).least));
        turn.start(game, group.filled);
        let longest = mass.iter().map(Vec::len).max().unwrap_or(0);
        for (from, start) in (0..longest).step_by(LANES).zip((first..).step_by(LANES)) {
            // Decisions do not depend on the number of extra bonuses, so one plan serves all of them.
            let mut is_planned = false;
            for (extras, points) in mass.iter().enumerate() {
                let block = &points[from.min(points.len())..(from + LANES).min(points.len())];
                if block.iter().all(|p| *p == 0.0) {
                    continue;
                }
                if !is_planned {
                    turn.plan(game, TieTolerance::DoublePrecision, |entry| {
                        let (to, paid) = next.state(game, group, class, entry);
                        let points = start + usize::from(paid);
                        if start < least { table.load_clamped(to, points) } else { table.load(to, points) }
                    });
                    is_planned = true;
                }
                let mut lanes = Row([0.0; LANES]);
                lanes.0[..block.len()].copy_from_slice(block);
                let mut entries = Vec::new();
                turn.follow(
                    game,
                    &lanes,
                    |roll, entry, p| tally.roll(entry.into, roll, p),
                    |entry, lanes| entries.push((entry, *lanes)),
                );
                for (entry, lanes) in entries {
                    let (to, paid) = next.state(game, group, class, entry);
                    let bonus = paid > entry.points + entry.extra;
                    tally.entry(entry, bonus, lanes.0.iter().sum());
                    // Lanes below the range of the next state have no mass.
                    let at = start + usize::from(paid);
                    let skipped = self.first(to).saturating_sub(at);
                    let points = at + skipped - self.first(to);
                    let extras = extras + usize::from(entry.extra > 0);
                    pushes.push(Push { to, extras, points, skipped, lanes });
                }
            }
        }
    }
}

/// Adds `more` to the cell at index `at`, and extends the list if necessary.
fn grow(cells: &mut Vec<f64>, at: usize, more: f64) {
    if more > 0.0 {
        if cells.len() <= at {
            cells.resize(at + 1, 0.0);
        }
        cells[at] += more;
    }
}

/// Adds lanes to a mass of length `len`, from index `points` on.
fn add(mass: &mut Mass, len: usize, extras: usize, points: usize, lanes: &[f64]) {
    while mass.len() <= extras {
        mass.push(Vec::new());
    }
    let row = &mut mass[extras];
    if row.is_empty() {
        row.resize(len, 0.0);
    }
    for (cell, more) in row[points..].iter_mut().zip(lanes) {
        *cell += more;
    }
}
