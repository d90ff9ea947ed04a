//! `duel`: plays optimally against one opponent once the position is small enough, and like EMP(1) (expected match
//! points, see [`LookAhead`]) before.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Evaluation, LookAhead, Standing, Strategy, TurnContext, TurnPolicy};
use crate::clock::Stopwatch;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::parallel;
use crate::solve::{CompiledTurns, Duel, DuelError, DuelTask, ExactTurn, Retain, Solutions, StoredTurn};
use crate::tables::ReachTable;
use crate::work::{Observer, Work, WorkError, gibibytes};

/// The maximum number of kernel turns for which the player `duel` solves a position: about a second of work.
pub const EXACT_TURNS: usize = 200_000;

/// The number of solved positions that are remembered, so that later positions of the same game need not be solved
/// again.
const MAX_REMEMBERED: usize = 16;

/// The maximum size of all remembered positions. The latest is remembered even if it is larger.
pub const REMEMBERED_BYTES: usize = 256 << 20;

/// The maximum memory for solving a position.
const MAX_BYTES: usize = gibibytes(8);

/// In a game with more than `MANY_STATES` states, a card with more open boxes than this is not even counted:
/// enumerating its states takes a second, and solving the position would take too long.
const MAX_OPEN: usize = 9;
const MANY_STATES: usize = 20_000;

/// The number of kernel turns that are solved even without time left: a few milliseconds of work.
const ALWAYS_SOLVED: usize = 1000;

/// A solver of small positions that remembers its latest results. The values of a position include those of all
/// positions that follow from it.
pub struct ExactDuels {
    game: Game,
    /// The maximum number of kernel turns per position.
    turns: usize,
    /// The maximum memory per position.
    bytes: usize,
    /// The time limit per position.
    time: Option<Duration>,
    /// Whether all threads of the pool solve one position together.
    all_threads: bool,
    retain: Retain,
    compiled_turns: Arc<CompiledTurns>,
    solved: Mutex<Vec<Arc<Duel>>>,
    /// Where stored solutions are looked up first.
    solutions: Option<Arc<dyn Solutions>>,
}

impl ExactDuels {
    /// Solves positions of up to `turns` kernel turns, each on one thread. For callers that solve many positions in
    /// parallel.
    pub fn up_to(game: &Game, turns: usize) -> ExactDuels {
        ExactDuels {
            game: game.clone(),
            turns,
            bytes: MAX_BYTES,
            time: None,
            all_threads: false,
            retain: Retain::Everything,
            compiled_turns: Arc::new(CompiledTurns::new(game)),
            solved: Mutex::default(),
            solutions: None,
        }
    }

    /// Solves positions that can be solved within this time by all threads of the current pool.
    pub fn within(game: &Game, time: Duration) -> ExactDuels {
        // With a clock, an optimistic 1 ns per keep and turn rejects only positions that cannot be solved in time, and
        // the clock stops the others. Without a clock, the measured 6 ns decide.
        let cost = if Stopwatch::start().elapsed().is_some() { 1 } else { 6 };
        let keeps = game.lattice().keeps().len() as u128 * cost;
        let turns = time.as_nanos().saturating_mul(parallel::threads() as u128) / keeps;
        let turns = usize::try_from(turns).unwrap_or(usize::MAX).max(ALWAYS_SOLVED);
        ExactDuels { time: Some(time), all_threads: true, ..ExactDuels::up_to(game, turns) }
    }

    /// Looks up positions in stored solutions before solving them.
    #[must_use]
    pub fn with_solutions(mut self, solutions: Option<Arc<dyn Solutions>>) -> ExactDuels {
        self.solutions = solutions;
        self
    }

    /// Retains only the values after the next turn of each position, which needs far less memory.
    #[must_use]
    pub fn for_a_turn(mut self) -> ExactDuels {
        self.retain = Retain::Root;
        self
    }

    /// Limits the memory per position to this many bytes, and to at most 8 GiB.
    #[must_use]
    pub fn limited_to(mut self, bytes: usize) -> ExactDuels {
        self.bytes = bytes.min(MAX_BYTES);
        self
    }

    /// Returns the exact values of all positions after the next turn; those of all later positions too, unless
    /// [`ExactDuels::for_a_turn`] was set. Returns `None` if the position is too large.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn of(
        &self,
        mover: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<Option<ExactTurn>, WorkError> {
        if let Some(stored) = self.stored(mover, rival, observer) {
            return Ok(Some(ExactTurn::Stored(stored)));
        }
        let lock = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().iter().find(|duel| duel.knows_turn(mover, rival)) {
            return Ok(Some(ExactTurn::Solved(Arc::clone(known))));
        }
        if mover.open_boxes(&self.game).len() > MAX_OPEN && self.game.space().states() > MANY_STATES {
            return Ok(None);
        }
        let limited = Limited { observer, time: self.time, started: Stopwatch::start() };
        match self.solve(mover, rival, &limited) {
            // The time limit was reached, which is not an error.
            Err(WorkError::Cancelled) if !observer.is_cancelled() => Ok(None),
            Ok(Some(duel)) => {
                let duel = Arc::new(duel);
                ExactDuels::remember(&mut lock(), &duel);
                Ok(Some(ExactTurn::Solved(duel)))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the values of a turn from a stored solution, if there is one. A solution that cannot be read is reported
    /// and not used.
    fn stored(&self, mover: &Standing, rival: &Standing, observer: &dyn Observer) -> Option<StoredTurn> {
        let read = StoredTurn::read(&**self.solutions.as_ref()?, &self.game, mover, rival);
        read.unwrap_or_else(|problem| {
            observer.notice(&problem);
            None
        })
    }

    fn solve(
        &self,
        mover: &Standing,
        rival: &Standing,
        limited: &Limited<'_>,
    ) -> Result<Option<Duel>, WorkError> {
        const NAME: &str = "solving the rest of the game";
        let (unlimited, limited_work) = (Work::new(limited.observer, NAME), Work::new(limited, NAME));
        let task = match DuelTask::from_standings(&self.game, mover, rival, &unlimited) {
            Ok(task) => task.with_compiled_turns(&self.compiled_turns),
            Err(DuelError::Work(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let task = if self.all_threads { task } else { task.alone() };
        // A small position is counted and solved even without time left.
        let cost =
            task.cost(self.retain, if task.pairs() <= ALWAYS_SOLVED { &unlimited } else { &limited_work })?;
        if cost.turns > self.turns || cost.bytes > self.bytes {
            return Ok(None);
        }
        task.solve(self.retain, if cost.turns <= ALWAYS_SOLVED { &unlimited } else { &limited_work })
            .map(Some)
    }

    fn remember(solved: &mut Vec<Arc<Duel>>, duel: &Arc<Duel>) {
        solved.push(Arc::clone(duel));
        let mut bytes = 0;
        let kept = solved.iter().rev().take(MAX_REMEMBERED).take_while(|duel| {
            bytes += duel.bytes();
            bytes <= REMEMBERED_BYTES
        });
        let kept = kept.count().max(1);
        solved.drain(..solved.len() - kept);
    }
}

/// An observer that passes everything on and cancels the work at the time limit.
struct Limited<'a> {
    observer: &'a dyn Observer,
    time: Option<Duration>,
    started: Stopwatch,
}

impl Observer for Limited<'_> {
    fn progress(&self, work: &str, done: usize, all: usize) {
        self.observer.progress(work, done, all);
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }

    fn is_cancelled(&self) -> bool {
        let late = |time| self.started.elapsed().is_some_and(|elapsed| elapsed > time);
        self.observer.is_cancelled() || self.time.is_some_and(late)
    }
}

/// The player `duel`.
pub struct DuelPlayer {
    duels: Arc<ExactDuels>,
    before: LookAhead,
}

impl DuelPlayer {
    /// Creates a player that solves positions of up to `turns` kernel turns ([`EXACT_TURNS`] take about a second).
    pub fn new(reach: &Arc<ReachTable>, turns: usize) -> DuelPlayer {
        DuelPlayer::remembering(reach, &Arc::new(ExactDuels::up_to(reach.game(), turns)))
    }

    /// Creates a player that shares the positions that it solves with other players.
    pub fn remembering(reach: &Arc<ReachTable>, duels: &Arc<ExactDuels>) -> DuelPlayer {
        DuelPlayer { duels: Arc::clone(duels), before: LookAhead::new(reach, Evaluation::Emp, 1) }
    }

    /// Returns the exact values after the next turn. Returns `None` if the position is too large.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn exact(
        &self,
        own: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<Option<ExactTurn>, WorkError> {
        self.duels.of(own, rival, observer)
    }
}

impl Strategy for DuelPlayer {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let own = *context.own();
        let solved = match context.standings {
            [_, _] => {
                let rival = context.standings[1 - context.mover];
                self.exact(&own, &rival, context.observer)?.map(|duel| (rival, duel))
            }
            _ => None,
        };
        let Some((rival, duel)) = solved else { return self.before.plan(context) };
        let value = |entry: Entry| {
            duel.after(&own.after(context.game, entry), &rival).expect("it follows from what was solved")
        };
        let rolls = context.game.rules().rolls();
        Ok(Box::new(TurnPlan::new(context.game, own.filled, rolls, TieTolerance::DoublePrecision, value)))
    }
}
