//! `duel`: the exact best play against one rival once the position is small enough, EMP(1) before.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::{Evaluation, LookAhead, Standing, Strategy, TurnContext, TurnPolicy};
use crate::clock::Stopwatch;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::parallel;
use crate::solve::{CompiledTurns, Duel, DuelError, DuelTask, Retain};
use crate::tables::ReachTable;
use crate::work::{Observer, Work, WorkError, gibibytes};

/// Positions that take no more turns of the kernel than this are solved: about a second.
pub const EXACT_TURNS: usize = 200_000;

/// Solved positions that are remembered: those that follow need not be solved again.
const REMEMBERED: usize = 16;

/// The bytes that they may take together; the last one is remembered anyway.
pub const REMEMBERED_BYTES: usize = 256 << 20;

/// The most bytes that a position may take while it is solved.
const MOST_BYTES: usize = gibibytes(8);

/// With more open boxes than this a card of a game with many states need not be looked at: it would take
/// more than anybody waits for, and merely finding its states takes a second.
const MAX_OPEN: usize = 9;
const MANY_STATES: usize = 20_000;

/// Turns of the kernel that are worked out even if there is no time: some milliseconds.
const AT_ONCE: usize = 1000;

/// Exact values of positions that are small enough, solved once for all that follows from them.
pub struct ExactDuels {
    game: Game,
    /// Turns of the kernel that a position may take.
    turns: usize,
    /// Bytes that a position may take while it is solved.
    bytes: usize,
    /// How long it may take.
    time: Option<Duration>,
    /// Whether all threads work on one position.
    together: bool,
    kept: Retain,
    compiled_turns: Arc<CompiledTurns>,
    solved: Mutex<Vec<Arc<Duel>>>,
}

impl ExactDuels {
    /// Solves positions of up to so many turns of the kernel, each by one thread: for callers that have
    /// many at a time.
    pub fn up_to(game: &Game, turns: usize) -> ExactDuels {
        ExactDuels {
            game: game.clone(),
            turns,
            bytes: MOST_BYTES,
            time: None,
            together: false,
            kept: Retain::Everything,
            compiled_turns: Arc::new(CompiledTurns::new(game)),
            solved: Mutex::default(),
        }
    }

    /// Solves positions that take no longer than this with all threads of the current pool.
    pub fn within(game: &Game, time: Duration) -> ExactDuels {
        // With a clock, an optimistic 1 ns per keep and turn rejects only what cannot finish in time, and the clock
        // stops the rest. Without one, the 6 ns that we measure decide.
        let cost = if Stopwatch::start().elapsed().is_some() { 1 } else { 6 };
        let keeps = game.lattice().keeps().len() as u128 * cost;
        let turns = time.as_nanos().saturating_mul(parallel::threads() as u128) / keeps;
        let turns = usize::try_from(turns).unwrap_or(usize::MAX).max(AT_ONCE);
        ExactDuels { time: Some(time), together: true, ..ExactDuels::up_to(game, turns) }
    }

    /// The same for one turn of each position, not for what comes later: it takes far less memory.
    #[must_use]
    pub fn for_a_turn(mut self) -> ExactDuels {
        self.kept = Retain::Root;
        self
    }

    /// Lets a position take no more than this many bytes, and never more than 8 GiB.
    #[must_use]
    pub fn limited_to(mut self, bytes: usize) -> ExactDuels {
        self.bytes = bytes.min(MOST_BYTES);
        self
    }

    /// The exact values of what every entry of a position leads to; of everything that follows, unless only turns
    /// were asked for. Returns `None` if the position is too large.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn of(
        &self,
        mover: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<Option<Arc<Duel>>, WorkError> {
        let lock = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().iter().find(|duel| duel.knows_turn(mover, rival)) {
            return Ok(Some(Arc::clone(known)));
        }
        if mover.open_boxes(&self.game).len() > MAX_OPEN && self.game.space().states() > MANY_STATES {
            return Ok(None);
        }
        let limited = Limited { observer, time: self.time, started: Stopwatch::start() };
        match self.solve(mover, rival, &limited) {
            // Too late is no error, unless it was cancelled as well.
            Err(WorkError::Cancelled) if !observer.is_cancelled() => Ok(None),
            Ok(Some(duel)) => {
                let duel = Arc::new(duel);
                ExactDuels::remember(&mut lock(), &duel);
                Ok(Some(duel))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn solve(
        &self,
        mover: &Standing,
        rival: &Standing,
        limited: &Limited<'_>,
    ) -> Result<Option<Duel>, WorkError> {
        const NAME: &str = "solving the rest of the game";
        let (patient, hurried) = (Work::new(limited.observer, NAME), Work::new(limited, NAME));
        let task = match DuelTask::from_standings(&self.game, mover, rival, &patient) {
            Ok(task) => task.with_compiled_turns(&self.compiled_turns),
            Err(DuelError::Work(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let task = if self.together { task } else { task.alone() };
        // A small position is counted and solved even if there is no time.
        let cost = task.cost(self.kept, if task.pairs() <= AT_ONCE { &patient } else { &hurried })?;
        if cost.turns > self.turns || cost.bytes > self.bytes {
            return Ok(None);
        }
        task.solve(self.kept, if cost.turns <= AT_ONCE { &patient } else { &hurried }).map(Some)
    }

    fn remember(solved: &mut Vec<Arc<Duel>>, duel: &Arc<Duel>) {
        solved.push(Arc::clone(duel));
        let mut bytes = 0;
        let kept = solved.iter().rev().take(REMEMBERED).take_while(|duel| {
            bytes += duel.bytes();
            bytes <= REMEMBERED_BYTES
        });
        let kept = kept.count().max(1);
        solved.drain(..solved.len() - kept);
    }
}

/// Passes everything on to an observer, and cancels the work when its time is over.
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

/// Plays exactly where it can.
pub struct DuelPlayer {
    duels: ExactDuels,
    before: LookAhead,
}

impl DuelPlayer {
    /// A player who solves positions of up to so many turns of the kernel ([`EXACT_TURNS`] are about a
    /// second).
    pub fn new(reach: &Arc<ReachTable>, turns: usize) -> DuelPlayer {
        let before = LookAhead::new(reach, Evaluation::Emp, 1);
        DuelPlayer { duels: ExactDuels::up_to(reach.game(), turns), before }
    }

    /// The exact values of everything that follows from a position. Returns `None` if it is too large.
    ///
    /// # Errors
    /// If the observer cancels the work, or if there is not enough memory.
    pub fn exact(
        &self,
        own: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<Option<Arc<Duel>>, WorkError> {
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
        let worth = |entry: Entry| {
            duel.after(&own.after(context.game, entry), &rival).expect("it follows from what was solved")
        };
        let rolls = context.game.rules().rolls();
        Ok(Box::new(TurnPlan::new(context.game, own.filled, rolls, TieTolerance::DoublePrecision, worth)))
    }
}
