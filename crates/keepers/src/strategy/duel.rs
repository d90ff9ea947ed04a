//! `duel`: the exact best play against one rival once the position is small enough, EMP(1) before.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Evaluation, Plan, Search, Seats, Standing, Strategy};
use crate::game::Game;
use crate::plan::{Equal, TurnPlan};
use crate::rules::Entry;
use crate::solve::{Duel, DuelTask, Kept};
use crate::store::ReachTable;

/// Positions that take no more turns of the kernel than this are solved: about a second.
pub const EXACT_TURNS: usize = 200_000;

/// Solved positions that are remembered: those that follow need not be solved again.
const REMEMBERED: usize = 16;

/// Plays exactly where it can.
pub struct DuelPlayer {
    game: Arc<Game>,
    before: Search,
    /// Turns of the kernel that a position may take.
    turns: usize,
    solved: Mutex<Vec<Arc<Duel>>>,
}

impl DuelPlayer {
    /// A player who solves positions of up to so many turns of the kernel ([`EXACT_TURNS`] are about a
    /// second).
    pub fn new(reach: &Arc<ReachTable>, turns: usize) -> DuelPlayer {
        let before = Search::new(reach, Evaluation::Emp, 1);
        DuelPlayer { game: Arc::clone(reach.game()), before, turns, solved: Mutex::new(Vec::new()) }
    }

    /// The exact values of everything that follows from a position, if it is small enough.
    pub fn exact(&self, own: &Standing, rival: &Standing) -> Option<Arc<Duel>> {
        let lock = || self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        let open = own.open_boxes(&self.game).len();
        if open != rival.open_boxes(&self.game).len() && open != rival.open_boxes(&self.game).len() + 1 {
            return None;
        }
        if let Some(known) = lock().iter().find(|duel| duel.before(own, rival).is_some()) {
            return Some(Arc::clone(known));
        }
        // Far larger positions need not be counted.
        if 2 * open > 14 {
            return None;
        }
        let task = DuelTask::standing(&self.game, own, rival).ok()?;
        if task.cost(Kept::All).turns > self.turns {
            return None;
        }
        let duel = Arc::new(task.alone().solve(Kept::All, &|_, _| (), &|| false)?);
        let mut solved = lock();
        if solved.len() == REMEMBERED {
            solved.remove(0);
        }
        solved.push(Arc::clone(&duel));
        Some(duel)
    }
}

impl Strategy for DuelPlayer {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Box<dyn Plan + 'a> {
        let [own, rival] =
            [seats.mover, 1 - seats.mover.min(1)].map(|player| seats.standings.get(player).copied());
        let (Some(own), Some(rival), 2) = (own, rival, seats.standings.len()) else {
            return self.before.plan(seats);
        };
        let Some(duel) = self.exact(&own, &rival) else { return self.before.plan(seats) };
        let worth = |entry: Entry| {
            duel.after(&own.after(&self.game, entry), &rival).expect("it follows from what was solved")
        };
        Box::new(TurnPlan::new(&self.game, own.filled, self.game.rules().rolls(), Equal::Digits, worth))
    }
}
