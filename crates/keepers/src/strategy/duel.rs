//! `duel`: the exact best play against one rival once the position is small enough, EMP(1) before.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Evaluation, Plan, Search, Seats, Standing, Strategy};
use crate::game::Game;
use crate::plan::{Equal, TurnPlan};
use crate::rules::Entry;
use crate::solve::{Duel, DuelTask, Kept, ShortTurns};
use crate::store::ReachTable;

/// Positions that take no more turns of the kernel than this are solved: about a second.
pub const EXACT_TURNS: usize = 200_000;

/// Solved positions that are remembered: those that follow need not be solved again.
const REMEMBERED: usize = 16;

/// The bytes that they may take together; the last one is remembered anyway.
pub const REMEMBERED_BYTES: usize = 256 << 20;

/// The most bytes that a position may take while it is solved.
const MOST_BYTES: usize = 8 << 30;

/// With more open boxes than this a card of a game with many states need not be looked at: it would take
/// more than anybody waits for, and merely finding its states takes a second.
const MOST_OPEN: usize = 9;
const MANY_STATES: usize = 20_000;

/// Turns of the kernel that are worked out even if there is no time: some milliseconds.
const AT_ONCE: usize = 1000;

/// Exact values of positions that are small enough, solved once for all that follows from them.
pub struct ExactDuels {
    game: Arc<Game>,
    /// Turns of the kernel that a position may take.
    turns: usize,
    /// How long it may take.
    time: Option<Duration>,
    /// Whether all threads work on one position.
    together: bool,
    kept: Kept,
    short_turns: Arc<ShortTurns>,
    solved: Mutex<Vec<Arc<Duel>>>,
    /// Told how far a solve is.
    progress: Box<dyn Fn(usize, usize) + Send + Sync>,
}

impl ExactDuels {
    /// Solves positions of up to so many turns of the kernel, each by one thread: for callers that have
    /// many at a time.
    pub fn up_to(game: &Arc<Game>, turns: usize) -> ExactDuels {
        ExactDuels {
            game: Arc::clone(game),
            turns,
            time: None,
            together: false,
            kept: Kept::All,
            short_turns: Arc::new(ShortTurns::new(game)),
            solved: Mutex::default(),
            progress: Box::new(|_, _| ()),
        }
    }

    /// Solves positions that take no longer than this with all threads of the current rayon pool.
    pub fn within(game: &Arc<Game>, time: Duration) -> ExactDuels {
        // What would take more than a nanosecond for each keep of each turn is hopeless: we measure six.
        let keeps = game.lattice().keeps().len() as u128;
        let threads = rayon::current_num_threads() as u128;
        let turns = time.as_nanos().saturating_mul(threads) / keeps;
        let turns = usize::try_from(turns).unwrap_or(usize::MAX).max(AT_ONCE);
        ExactDuels { time: Some(time), together: true, ..ExactDuels::up_to(game, turns) }
    }

    /// The same, told how far each solve is.
    #[must_use]
    pub fn watched(mut self, progress: impl Fn(usize, usize) + Send + Sync + 'static) -> ExactDuels {
        self.progress = Box::new(progress);
        self
    }

    /// The same for one turn of each position, not for what comes later: it takes far less memory.
    #[must_use]
    pub fn for_a_turn(mut self) -> ExactDuels {
        self.kept = Kept::Turn;
        self
    }

    /// The exact values of what every entry of a position leads to, if it is small enough; of everything that
    /// follows, if not only turns were asked for.
    pub fn of(&self, mover: &Standing, rival: &Standing) -> Option<Arc<Duel>> {
        let started = Instant::now();
        let lock = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().iter().find(|duel| duel.knows_turn(mover, rival)) {
            return Some(Arc::clone(known));
        }
        if mover.open_boxes(&self.game).len() > MOST_OPEN && self.game.space().states() > MANY_STATES {
            return None;
        }
        let task = DuelTask::standing(&self.game, mover, rival).ok()?.sharing(&self.short_turns);
        let task = if self.together { task } else { task.alone() };
        let late = || self.time.is_some_and(|time| started.elapsed() > time);
        // A small position is counted in no time.
        let small = task.pairs() <= AT_ONCE;
        let cost = task.cost_unless(self.kept, &|| !small && late())?;
        if cost.turns > self.turns || cost.bytes > MOST_BYTES {
            return None;
        }
        let duel = Arc::new(task.solve(self.kept, &self.progress, &|| cost.turns > AT_ONCE && late())?);
        ExactDuels::remember(&mut lock(), &duel);
        Some(duel)
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

/// Plays exactly where it can.
pub struct DuelPlayer {
    duels: ExactDuels,
    before: Search,
}

impl DuelPlayer {
    /// A player who solves positions of up to so many turns of the kernel ([`EXACT_TURNS`] are about a
    /// second).
    pub fn new(reach: &Arc<ReachTable>, turns: usize) -> DuelPlayer {
        let before = Search::new(reach, Evaluation::Emp, 1);
        DuelPlayer { duels: ExactDuels::up_to(reach.game(), turns), before }
    }

    /// The exact values of everything that follows from a position, if it is small enough.
    pub fn exact(&self, own: &Standing, rival: &Standing) -> Option<Arc<Duel>> {
        self.duels.of(own, rival)
    }
}

impl Strategy for DuelPlayer {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Box<dyn Plan + 'a> {
        let own = *seats.own();
        let rival = if seats.standings.len() == 2 { Some(seats.standings[1 - seats.mover]) } else { None };
        let Some((rival, duel)) = rival.and_then(|rival| Some((rival, self.exact(&own, &rival)?))) else {
            return self.before.plan(seats);
        };
        let worth = |entry: Entry| {
            duel.after(&own.after(seats.game, entry), &rival).expect("it follows from what was solved")
        };
        Box::new(TurnPlan::new(seats.game, own.filled, seats.game.rules().rolls(), Equal::Digits, worth))
    }
}
