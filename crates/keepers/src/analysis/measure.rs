//! How strong strategies are, measured against exact play (Pawlewicz, 4.2).
//!
//! Typical players, EMP(1) softened, play a game down to some open boxes. From there on every position has
//! exact values. In each of them the strategy is asked for its whole plan, and the error of every
//! decision is weighed with the chance that the typical player comes to it: the mean over all rolls
//! of the turn, where the paper takes the one that fell.

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
use crate::solve::{CompiledTurns, DuelError, DuelTask, Retain};
use crate::stats::mean_and_error;
use crate::tables::ReachTable;
use crate::turn::{Row, Rows};
use crate::work::{NoProgress, Progress, Work, WorkError};

/// What was measured of one strategy at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// The mean error of a decision: what the choice is worth less than the best one.
    pub error: f64,
    /// Its standard error, over games; not a number if there was only one.
    pub standard_error: f64,
    /// How many games there were, each with one position. Those whose positions would take too much memory are left
    /// out.
    pub games: u64,
}

/// The weight of a typical player's choices (Pawlewicz, 4.2).
pub const TYPICAL: f64 = 100.0;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// Up to how many open boxes there are on both cards together.
    pub depth: usize,
    /// How many games are played.
    pub games: u64,
    /// The seed of their dice.
    pub seed: u64,
    /// How many bytes exact values may take at a time. Positions that take more are left out, whatever the number of
    /// threads.
    pub memory: usize,
}

/// Measures strategies in the last turns of some games, for each number of open boxes on both cards together from 1
/// on: by that number, then by strategy.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn measure(
    reach: &Arc<ReachTable>,
    strategies: &[&dyn Strategy],
    experiment: Experiment,
    work: &Work<'_>,
) -> Result<Vec<Vec<Measured>>, WorkError> {
    let game = reach.game();
    let workspace = Workspace {
        throws: RerollTable::new(game.lattice()),
        typical: HumanLike::new(reach, TYPICAL),
        compiled_turns: Arc::new(CompiledTurns::new(game)),
        memory: Memory { all: experiment.memory, taken: Mutex::new(0), given_back: Condvar::new() },
    };
    let games = experiment.games as usize;
    let progress = Progress::new(work, games, 0);
    let all: Vec<Vec<Vec<f64>>> = Threads::All.try_map(0..games, |nth| {
        let errors = one_game(&workspace, strategies, experiment, nth as u64, work)?;
        progress.add(1)?;
        Ok::<_, WorkError>(errors)
    })?;
    progress.finish();
    let measured = |depth: usize, strategy: usize| {
        let errors: Vec<f64> = all.iter().filter_map(|game| game[depth].get(strategy).copied()).collect();
        let (error, standard_error) = mean_and_error(&errors);
        Measured { error, standard_error, games: errors.len() as u64 }
    };
    let at = |depth: usize| (0..strategies.len()).map(|strategy| measured(depth, strategy)).collect();
    Ok((0..experiment.depth).map(at).collect())
}

/// What all games share.
struct Workspace {
    throws: RerollTable,
    typical: HumanLike,
    compiled_turns: Arc<CompiledTurns>,
    memory: Memory,
}

/// A memory budget shared by all threads. A thread that holds part of it must never block on the pool: it could be
/// handed another game that is itself waiting for budget, and both would deadlock. Positions are therefore solved, and
/// players asked, by one thread alone.
struct Memory {
    all: usize,
    taken: Mutex<usize>,
    given_back: Condvar,
}

/// Some of it.
struct Taken<'a> {
    memory: &'a Memory,
    bytes: usize,
}

impl Memory {
    /// Waits until this many bytes are free. Returns `None` if there are never that many.
    fn take(&self, bytes: usize, work: &Work<'_>) -> Result<Option<Taken<'_>>, WorkError> {
        const BETWEEN_CHECKS: Duration = Duration::from_millis(50);
        if bytes > self.all {
            return Ok(None);
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken + bytes > self.all {
            work.check()?;
            let waited = self.given_back.wait_timeout(taken, BETWEEN_CHECKS);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *taken += bytes;
        Ok(Some(Taken { memory: self, bytes }))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.memory.given_back.notify_all();
    }
}

/// The mean error of each strategy at each depth of one game; nothing at those that would take too much memory.
fn one_game(
    workspace: &Workspace,
    strategies: &[&dyn Strategy],
    experiment: Experiment,
    nth: u64,
    work: &Work<'_>,
) -> Result<Vec<Vec<f64>>, WorkError> {
    let observer = NoProgress(work.observer());
    let quiet = Work::new(&observer, "");
    let Experiment { depth, seed, .. } = experiment;
    let game = workspace.typical.search().game();
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
        if left <= depth && exact.is_none() {
            let task = match DuelTask::from_standings(game, &own, &rival, &quiet) {
                Ok(task) => task.with_compiled_turns(&workspace.compiled_turns).alone(),
                Err(DuelError::Work(error)) => return Err(error),
                Err(error) => unreachable!("players take turns: {error}"),
            };
            if let Some(taken) = workspace.memory.take(task.cost(Retain::Everything, &quiet)?.bytes, work)? {
                exact = Some((task.solve(Retain::Everything, &quiet)?, taken));
            }
        }
        if let Some((duel, _)) = &exact {
            let worth = |entry: Entry| {
                duel.after(&own.after(game, entry), &rival).expect("it follows from what was solved")
            };
            let judge = Judge::new(game, &own, worth, workspace.typical.search(), &context)?;
            let error = |strategy: &&dyn Strategy| judge.error(*strategy, &context);
            errors[left - 1] = strategies.iter().map(error).collect::<Result<_, _>>()?;
        }
        let entry = {
            let mut plan = workspace.typical.plan(&context)?;
            dice[mover].start_turn(round);
            play_turn(game, &workspace.throws, &mut *plan, &mut dice[mover], &mut random).entry
        };
        standings[mover] = own.after(game, entry);
    }
    Ok(errors)
}

/// One position with its exact values, and how likely the typical player comes to each roll.
struct Judge<'a> {
    game: &'a Game,
    exact: TurnPlan,
    worth: Box<dyn Fn(Entry) -> f64 + 'a>,
    /// By rolls left, from none on: the probability of each roll, in the order of the lattice.
    mass: Vec<Vec<f64>>,
}

impl<'a> Judge<'a> {
    fn new(
        game: &'a Game,
        own: &Standing,
        worth: impl Fn(Entry) -> f64 + 'a,
        typical: &LookAhead,
        context: &TurnContext<'_>,
    ) -> Result<Judge<'a>, WorkError> {
        let rolls = game.rules().rolls();
        let exact = TurnPlan::new(game, own.filled, rolls, TieTolerance::DoublePrecision, &worth);
        let values =
            TurnPlan::new(game, own.filled, rolls, TieTolerance::DoublePrecision, typical.worth(context)?);
        let mass = roll_chances(game, &values);
        Ok(Judge { game, exact, worth: Box::new(worth), mass })
    }

    /// The mean error of a strategy's decisions in the turn.
    fn error(&self, strategy: &dyn Strategy, context: &TurnContext<'_>) -> Result<f64, WorkError> {
        let lattice = self.game.lattice();
        let mut plan = strategy.plan(context)?;
        let mut random = RandomStream::new(0, 0);
        let mut sum = 0.0;
        for (left, mass) in (0..).zip(&self.mass) {
            for ((nth, roll), p) in lattice.rolls().enumerate().zip(mass) {
                if *p == 0.0 {
                    continue;
                }
                let loss = if left == 0 {
                    self.exact.ends()[nth].1 - (self.worth)(plan.enter(lattice.roll(roll), &mut random))
                } else {
                    let keeps = self.exact.keeps(left);
                    let best = self.exact.picks()[usize::from(left) - 1][nth];
                    let keep = plan.keep(lattice.roll(roll), left, &mut random);
                    keeps[usize::from(best)] - keeps[lattice.index_of(&keep)]
                };
                sum += p * loss.max(0.0);
            }
        }
        Ok(sum / self.mass.len() as f64)
    }
}

/// The probability of each roll with each number of rolls left when choices are softened.
fn roll_chances(game: &Game, values: &TurnPlan) -> Vec<Vec<f64>> {
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
