//! Measures the strength of strategies against exact play (Pawlewicz, section 4.2).
//!
//! Two typical players play a game: EMP(1) (expected match points), softened so that choices with nearly equal values
//! are all made now and then. When few enough boxes are open, the rest of the game is solved exactly. In every position
//! from there on, each strategy plans the whole turn, and the loss of each of its decisions is weighted with the
//! probability that the typical player gets to that decision. This is the mean over all rolls of the turn; the paper
//! uses only the rolls that occurred.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::analysis::matches::play_turn;
use crate::dice::random::{GameDice, RandomStream, RerollTable};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::forward::spread;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::parallel::Threads;
use crate::players::{HumanLike, LookAhead, Standing, Strategy, TurnContext, weights};
use crate::solve::{CompiledTurns, DuelError, DuelTask, ExactTurn, Retain, Solutions, StoredTurn};
use crate::stats::mean_and_error;
use crate::tables::ReachTable;
use crate::turn::{Row, Rows};
use crate::work::{NoProgress, Observer, Progress, Work, WorkError};

/// The measured error of one strategy with one number of open boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// The mean loss of a decision: the value of the best choice minus that of the strategy's choice.
    pub error: f64,
    /// The standard error of the mean over games; NaN if there was only one game.
    pub standard_error: f64,
    /// The share of decisions in which the strategy does not make a best choice: one that loses less than 1e-6.
    pub differs: f64,
    /// The number of games measured, each with one position. Games whose position needs too much memory are left out.
    pub games: u64,
}

/// The weight B of the typical player's choices (Pawlewicz, section 4.2): a choice with loss x has weight exp(-B x).
pub const TYPICAL: f64 = 100.0;

/// The parameters of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The largest number of open boxes, on both cards together, that is measured.
    pub depth: usize,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The bytes that exact values may use at the same time. Positions that need more are left out, so the result does
    /// not depend on the number of threads.
    pub memory: usize,
}

/// The loss from which on a choice is not a best one. Values of stored solutions in single precision are wrong by up to
/// 1e-6, so differences of less than 2e-6 mean nothing.
const LOSS: f64 = 2e-6;

/// Measures strategies in the last turns of games of two. Exact values are read from stored solutions where there are
/// any, and solved otherwise. Element `[n - 1][s]` of the result is for strategy `s` in
/// positions with `n` open boxes on both cards together.
///
/// # Errors
/// If the work is cancelled, or if an allocation fails.
pub fn measure(
    reach: &Arc<ReachTable>,
    strategies: &[&dyn Strategy],
    experiment: Experiment,
    solutions: Option<&dyn Solutions>,
    work: &Work<'_>,
) -> Result<Vec<Vec<Measured>>, WorkError> {
    let game = reach.game();
    let shared = Shared {
        throws: RerollTable::new(game.lattice()),
        typical: HumanLike::new(reach, TYPICAL),
        compiled_turns: Arc::new(CompiledTurns::new(game)),
        memory: Memory { limit: experiment.memory, used: Mutex::new(0), released: Condvar::new() },
        solutions,
    };
    let games = experiment.games as usize;
    let progress = Progress::new(work, games, 0);
    let all: Vec<Vec<Vec<Judged>>> = Threads::All.try_map(0..games, |nth| {
        let errors = one_game(&shared, strategies, experiment, nth as u64, work)?;
        progress.add(1)?;
        Ok::<_, WorkError>(errors)
    })?;
    progress.finish();
    let measured = |depth: usize, strategy: usize| {
        let judged: Vec<Judged> = all.iter().filter_map(|game| game[depth].get(strategy).copied()).collect();
        let (error, standard_error) = mean_and_error(&judged.iter().map(|one| one.error).collect::<Vec<_>>());
        let (differs, _) = mean_and_error(&judged.iter().map(|one| one.differs).collect::<Vec<_>>());
        Measured { error, standard_error, differs, games: judged.len() as u64 }
    };
    let at = |depth: usize| (0..strategies.len()).map(|strategy| measured(depth, strategy)).collect();
    Ok((0..experiment.depth).map(at).collect())
}

/// The decisions of a strategy in one turn: their mean loss, and the share of those that are not best choices.
#[derive(Clone, Copy)]
struct Judged {
    error: f64,
    differs: f64,
}

/// The tables and the memory budget that all games share.
struct Shared<'s> {
    throws: RerollTable,
    typical: HumanLike,
    compiled_turns: Arc<CompiledTurns>,
    memory: Memory,
    solutions: Option<&'s dyn Solutions>,
}

/// A memory budget shared by all threads. A thread that holds part of it must never block on rayon: it could be handed
/// another game that is itself waiting for budget, and both would deadlock. Positions are therefore solved, and
/// strategies plan, single-threaded.
struct Memory {
    limit: usize,
    used: Mutex<usize>,
    released: Condvar,
}

/// A part of the budget, reserved until this is dropped.
struct Reservation<'a> {
    memory: &'a Memory,
    bytes: usize,
}

impl Memory {
    /// Waits until this many bytes are free, and reserves them. Returns `None` if they exceed the whole budget.
    fn reserve(&self, bytes: usize, work: &Work<'_>) -> Result<Option<Reservation<'_>>, WorkError> {
        const POLL_INTERVAL: Duration = Duration::from_millis(50);
        if bytes > self.limit {
            return Ok(None);
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used + bytes > self.limit {
            work.check()?;
            let waited = self.released.wait_timeout(used, POLL_INTERVAL);
            used = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *used += bytes;
        Ok(Some(Reservation { memory: self, bytes }))
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        *self.memory.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.memory.released.notify_all();
    }
}

impl Shared<'_> {
    /// Returns the values of a turn from a stored solution, if there is one.
    fn stored(
        &self,
        game: &Game,
        own: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Option<ExactTurn> {
        let read = StoredTurn::read(self.solutions?, game, own, rival);
        let turn = read.unwrap_or_else(|problem| {
            observer.notice(&problem);
            None
        })?;
        Some(ExactTurn::Stored(turn))
    }
}

/// Plays one game and returns the mean loss of each strategy: element `[n - 1][s]` is for strategy `s` with `n` open
/// boxes on both cards together. Element `[n - 1]` is empty if the exact values would need too much memory.
fn one_game(
    shared: &Shared<'_>,
    strategies: &[&dyn Strategy],
    experiment: Experiment,
    nth: u64,
    work: &Work<'_>,
) -> Result<Vec<Vec<Judged>>, WorkError> {
    let observer = NoProgress(work.observer());
    let quiet = Work::new(&observer, "");
    let Experiment { depth, seed, .. } = experiment;
    let game = shared.typical.search().game();
    let mut errors = vec![Vec::new(); depth];
    let mut standings = [Standing::default(); 2];
    let mut dice = [0, 1].map(|seat| GameDice::new(seed, 2 * nth + seat, game.rules().rolls()));
    let mut random = RandomStream::new(!seed, nth);
    let mut exact = None;
    for left in (1..=2 * game.space().boxes()).rev() {
        let turn = 2 * game.space().boxes() - left;
        let (mover, round) = (turn % 2, turn / 2);
        work.check()?;
        let context = TurnContext { game, standings: &standings, mover, observer: &observer };
        let (own, rival) = (standings[mover], standings[1 - mover]);
        let stored = if left <= depth { shared.stored(game, &own, &rival, &observer) } else { None };
        if left <= depth && stored.is_none() && exact.is_none() {
            let task = match DuelTask::from_standings(game, &own, &rival, &quiet) {
                Ok(task) => task.with_compiled_turns(&shared.compiled_turns).alone(),
                Err(DuelError::Work(error)) => return Err(error),
                Err(error) => unreachable!("the typical players take turns: {error}"),
            };
            if let Some(reserved) =
                shared.memory.reserve(task.cost(Retain::Everything, &quiet)?.bytes, work)?
            {
                let duel = Arc::new(task.solve(Retain::Everything, &quiet)?);
                exact = Some((ExactTurn::Solved(duel), reserved));
            }
        }
        if let Some(exact) = stored.as_ref().or(exact.as_ref().map(|(duel, _)| duel)) {
            let value = |entry: Entry| {
                exact
                    .after(&own.after(game, entry), &rival)
                    .expect("the duel retains all positions that follow")
            };
            let judged = JudgedTurn::new(game, &own, value, shared.typical.search(), &context)?;
            let error = |strategy: &&dyn Strategy| judged.error(*strategy, &context);
            errors[left - 1] = strategies.iter().map(error).collect::<Result<_, _>>()?;
        }
        let entry = {
            let mut plan = shared.typical.plan(&context)?;
            dice[mover].start_turn(round);
            play_turn(game, &shared.throws, &mut *plan, &mut dice[mover], &mut random).entry
        };
        standings[mover] = own.after(game, entry);
    }
    Ok(errors)
}

/// A turn with its exact values, and the probability that the typical player gets to each roll.
struct JudgedTurn<'a> {
    game: &'a Game,
    exact: TurnPlan,
    entry_value: Box<dyn Fn(Entry) -> f64 + 'a>,
    /// `mass[n]` has the probability of each roll with n rolls left, in the order of the lattice.
    mass: Vec<Vec<f64>>,
}

impl<'a> JudgedTurn<'a> {
    fn new(
        game: &'a Game,
        own: &Standing,
        entry_value: impl Fn(Entry) -> f64 + 'a,
        typical: &LookAhead,
        context: &TurnContext<'_>,
    ) -> Result<JudgedTurn<'a>, WorkError> {
        let rolls = game.rules().rolls();
        let exact = TurnPlan::new(game, own.filled, rolls, TieTolerance::DoublePrecision, &entry_value);
        let values = TurnPlan::new(
            game,
            own.filled,
            rolls,
            TieTolerance::DoublePrecision,
            typical.entry_values(context)?,
        );
        let mass = roll_probabilities(game, &values);
        Ok(JudgedTurn { game, exact, entry_value: Box::new(entry_value), mass })
    }

    /// Returns the mean loss of a strategy's decisions in the turn, and the share of them that are not best choices.
    fn error(&self, strategy: &dyn Strategy, context: &TurnContext<'_>) -> Result<Judged, WorkError> {
        let lattice = self.game.lattice();
        let mut plan = strategy.plan(context)?;
        let mut random = RandomStream::new(0, 0);
        let (mut sum, mut differs) = (0.0, 0.0);
        for (left, mass) in (0..).zip(&self.mass) {
            for ((nth, roll), p) in lattice.rolls().enumerate().zip(mass) {
                if *p == 0.0 {
                    continue;
                }
                let loss = if left == 0 {
                    self.exact.ends()[nth].1 - (self.entry_value)(plan.enter(lattice.roll(roll), &mut random))
                } else {
                    let keeps = self.exact.keeps(left);
                    let best = self.exact.picks()[usize::from(left) - 1][nth];
                    let keep = plan.keep(lattice.roll(roll), left, &mut random);
                    keeps[usize::from(best)] - keeps[lattice.index_of(&keep)]
                };
                sum += p * loss.max(0.0);
                differs += if loss > LOSS { *p } else { 0.0 };
            }
        }
        let decisions = self.mass.len() as f64;
        Ok(Judged { error: sum / decisions, differs: differs / decisions })
    }
}

/// Returns the probability that the typical player gets to each roll. Element `[n]` is for n rolls left; rolls are in
/// the order of the lattice.
fn roll_probabilities(game: &Game, values: &TurnPlan) -> Vec<Vec<f64>> {
    let lattice = game.lattice();
    let rolls = lattice.rolls();
    let on_rolls = |mass: &Rows<f64, 1>| rolls.clone().map(|roll| mass.get(roll as u16).0[0]).collect();
    let mut mass: Rows<f64, 1> = Rows::new();
    for roll in rolls.clone() {
        let p = f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
        *mass.get_mut(roll as u16) = Row([p]);
    }
    let mut found: Vec<Vec<f64>> = vec![on_rolls(&mass)];
    for left in (1..game.rules().rolls()).rev() {
        let keeps = values.keeps(left);
        let mut kept: Rows<f64, 1> = Rows::new();
        for roll in rolls.clone() {
            let within: Vec<u16> = lattice.within(roll).collect();
            let values: Vec<f64> = within.iter().map(|&keep| keeps[usize::from(keep)]).collect();
            for (&keep, share) in within.iter().zip(weights(&values, TYPICAL)) {
                kept.get_mut(keep).0[0] += mass.get(roll as u16).0[0] * share;
            }
        }
        spread(game, &mut kept);
        mass = kept;
        found.push(on_rolls(&mass));
    }
    found.reverse();
    found
}
