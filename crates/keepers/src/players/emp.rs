//! `emp:D` and `dyns:D`: Pawlewicz's players EMP (expected match points) and DynS (dynamic fixed score). They search D
//! turns after their own, then evaluate the position by the reach curves of all players (Pawlewicz, 4.1 and 4.3).
//!
//! Two players are searched like a duel, for all leads at once. With more players, each maximises the expected share of
//! opponents beaten, which is equivalent to the expected rank.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::horizon::{Evaluation, ReachHorizon, results};
use super::{Standing, Strategy, TurnContext, TurnPolicy};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::solve::{CompiledTurns, Curve, DuelError, DuelTask, Retain};
use crate::tables::{ReachTable, TableCurve};
use crate::turn::{Row, Rows};
use crate::work::{Observer, Work, WorkError};

/// The maximum number of players in a search.
pub const MAX_SEARCHED_PLAYERS: usize = 8;

/// A function from the standing of a player after an entry to the value of the game for that player.
pub type ValueAfter = Box<dyn Fn(&Standing) -> f64 + Send + Sync>;

/// A search of some turns that evaluates the positions after them by reach curves.
#[derive(Clone)]
pub struct LookAhead {
    game: Game,
    reach: Arc<ReachTable>,
    evaluation: Evaluation,
    depth: u8,
    compiled_turns: Arc<CompiledTurns>,
}

impl LookAhead {
    /// Creates a search of `depth` turns after the player's own.
    pub fn new(reach: &Arc<ReachTable>, evaluation: Evaluation, depth: u8) -> LookAhead {
        let (game, reach) = (reach.game().clone(), Arc::clone(reach));
        let compiled_turns = Arc::new(CompiledTurns::new(&game));
        LookAhead { game, reach, evaluation, depth, compiled_turns }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns a function from each entry of the player to move to its value: the expected share of opponents beaten.
    ///
    /// # Errors
    /// If the observer cancels the search, or if there is not enough memory for it.
    ///
    /// # Panics
    /// If there are not 2 to 8 players.
    pub fn entry_values(
        &self,
        context: &TurnContext<'_>,
    ) -> Result<impl Fn(Entry) -> f64 + use<>, WorkError> {
        let own = *context.own();
        let game = self.game.clone();
        let value = self.value_after_entry(context.standings, context.mover, context.observer)?;
        Ok(move |entry| value(&own.after(&game, entry)))
    }

    /// Returns a function from the standing of the player to move after an entry to its value: the expected share of
    /// opponents beaten.
    ///
    /// # Errors
    /// If the observer cancels the search, or if there is not enough memory for it.
    ///
    /// # Panics
    /// If there are not 2 to 8 players.
    pub fn value_after_entry(
        &self,
        standings: &[Standing],
        mover: usize,
        observer: &dyn Observer,
    ) -> Result<ValueAfter, WorkError> {
        assert!((2..=MAX_SEARCHED_PLAYERS).contains(&standings.len()), "2 to {MAX_SEARCHED_PLAYERS} players");
        if let [first, second] = standings {
            let (own, rival) = if mover == 0 { (first, second) } else { (second, first) };
            if let Some(value) = self.search_duel(own, rival, observer)? {
                return Ok(Box::new(value));
            }
        }
        // Every entry of the turn is searched here, because the returned function cannot be cancelled.
        let work = Work::new(observer, "searching the next turns");
        let own = standings[mover];
        let mut entries: Vec<Standing> = Vec::new();
        self.game.each_entry(own.filled, |entry| entries.push(own.after(&self.game, entry)));
        let mut known: HashMap<Standing, f64> = HashMap::new();
        for after in entries {
            work.check()?;
            known.entry(after).or_insert_with(|| {
                let mut standings = standings.to_vec();
                standings[mover] = after;
                self.values(&standings, mover, self.depth, PlayerSet::only(mover)).0[mover]
            });
        }
        Ok(Box::new(move |after| *known.get(after).expect("every entry of the turn was searched")))
    }

    /// Returns the value of a position for each player, after `last` has moved. Searches the next player's turn and
    /// `depth` more.
    pub fn position(&self, standings: &[Standing], last: usize) -> Vec<f64> {
        self.values(standings, last, self.depth + 1, PlayerSet::ALL).0[..standings.len()].to_vec()
    }

    /// Returns the memory, in bytes, that the search of a turn needs in a game of two.
    ///
    /// # Errors
    /// If the observer cancels the work.
    pub fn bytes_of_turn(
        &self,
        own: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<usize, WorkError> {
        let work = Work::new(observer, "");
        match self.duel_task(own, rival, &work)? {
            Some(task) => Ok(task.cost(Retain::Children, &work)?.bytes),
            None => Ok(0),
        }
    }

    /// Searches a game of two as a duel that ends early. Returns `None` if the open boxes do not fit players who take
    /// turns, as when one has given up.
    fn search_duel(
        &self,
        own: &Standing,
        rival: &Standing,
        observer: &dyn Observer,
    ) -> Result<Option<impl Fn(&Standing) -> f64 + use<>>, WorkError> {
        let work = Work::new(observer, "searching the next turns");
        let Some(task) = self.duel_task(own, rival, &work)? else { return Ok(None) };
        let duel = task.solve(Retain::Children, &work)?;
        let rival = *rival;
        Ok(Some(move |next: &Standing| duel.after(next, &rival).expect("an entry was searched")))
    }

    /// Prepares the search of a game of two. Returns `None` if the open boxes do not fit players who take turns.
    fn duel_task(
        &self,
        own: &Standing,
        rival: &Standing,
        work: &Work<'_>,
    ) -> Result<Option<DuelTask>, WorkError> {
        // The searching player moves first, so they also move last if the number of turns is odd.
        let open = own.open_boxes(&self.game).len() + rival.open_boxes(&self.game).len();
        let turns = (usize::from(self.depth) + 1).min(open);
        let horizon =
            ReachHorizon { reach: Arc::clone(&self.reach), evaluation: self.evaluation, own: turns % 2 == 1 };
        match DuelTask::limited_to_turns(&self.game, own, rival, turns, Arc::new(horizon), work) {
            Ok(task) => Ok(Some(task.with_compiled_turns(&self.compiled_turns).alone())),
            Err(DuelError::Work(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Returns the values of a position for some players after `last` has moved, with `depth` turns to search.
    fn values(
        &self,
        standings: &[Standing],
        last: usize,
        depth: u8,
        players: PlayerSet,
    ) -> Row<f64, MAX_SEARCHED_PLAYERS> {
        values_ahead(&self.game, standings, last, depth, players, &|standings, players| {
            self.evaluate(standings, players)
        })
    }

    /// Evaluates a position without search.
    fn evaluate(&self, standings: &[Standing], players: PlayerSet) -> Row<f64, MAX_SEARCHED_PLAYERS> {
        let curves: Vec<TableCurve<'_>> =
            standings.iter().map(|standing| self.reach.curve(standing.state(&self.game))).collect();
        let curves: Vec<(Curve<'_>, i32)> =
            curves.iter().map(TableCurve::view).zip(standings.iter().map(|s| i32::from(s.total))).collect();
        let mut row = Row([0.0; MAX_SEARCHED_PLAYERS]);
        let finished = standings.iter().all(|standing| standing.open_boxes(&self.game).is_empty());
        for own in (0..standings.len()).filter(|&own| players.has(own)) {
            let others = (0..standings.len()).filter(|&other| other != own);
            let all = standings.len() as f64 - 1.0;
            row.0[own] = match self.evaluation {
                Evaluation::DynS if !finished => self.best_target(&curves, own) / all,
                _ => {
                    let beaten = others.map(|other| {
                        let mut result = [0.0];
                        let lead = curves[own].1 - curves[other].1;
                        results(Evaluation::Emp, &curves[own].0, &curves[other].0, lead, &mut result);
                        result[0]
                    });
                    beaten.sum::<f64>() / all
                }
            };
        }
        row
    }

    /// Returns the best expected number of rivals beaten by playing for one score s: the maximum over s of the
    /// probability that the player reaches s, times the expected number of rivals who miss it (Pawlewicz, eq. (1)).
    fn best_target(&self, curves: &[(Curve<'_>, i32)], own: usize) -> f64 {
        let (curve, total) = &curves[own];
        let value = |score: i32| {
            let others = curves.iter().enumerate().filter(|(player, _)| *player != own);
            let missed = others.map(|(_, (rival, so_far))| 1.0 - f64::from(rival.at(score - so_far)));
            f64::from(curve.at(score - total)) * missed.sum::<f64>()
        };
        let first = i32::from(curve.first) - 1;
        (total + first..=total + i32::from(curve.most())).map(value).fold(0.0, f64::max)
    }
}

/// The players whose values are needed: one bit per player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayerSet(u8);

const _: () = assert!(MAX_SEARCHED_PLAYERS <= u8::BITS as usize);

impl PlayerSet {
    pub const ALL: PlayerSet = PlayerSet(u8::MAX);

    pub fn only(player: usize) -> PlayerSet {
        PlayerSet(1 << player)
    }

    fn and(self, player: usize) -> PlayerSet {
        PlayerSet(self.0 | 1 << player)
    }

    pub fn has(self, player: usize) -> bool {
        self.0 >> player & 1 == 1
    }
}

/// Returns the values of a position for some players after `last` has moved. Searches `depth` turns, in each of which
/// the mover chooses what is best for themselves. `evaluate` returns the values after these turns or at the end of the
/// game.
pub(crate) fn values_ahead(
    game: &Game,
    standings: &[Standing],
    last: usize,
    depth: u8,
    players: PlayerSet,
    evaluate: &dyn Fn(&[Standing], PlayerSet) -> Row<f64, MAX_SEARCHED_PLAYERS>,
) -> Row<f64, MAX_SEARCHED_PLAYERS> {
    let count = standings.len();
    let next = (1..=count)
        .map(|step| (last + step) % count)
        .find(|&player| !standings[player].open_boxes(game).is_empty());
    let (Some(mover), true) = (next, depth > 0) else {
        return evaluate(standings, players);
    };
    let own = standings[mover];
    // The values of each entry for all players. The plan calls the closure with every entry, and its decisions use only
    // the mover's value.
    let values = RefCell::new(HashMap::new());
    let plan =
        TurnPlan::new(game, own.filled, game.rules().rolls(), TieTolerance::DoublePrecision, |entry| {
            let mut standings = standings.to_vec();
            standings[mover] = own.after(game, entry);
            let value = values_ahead(game, &standings, mover, depth - 1, players.and(mover), evaluate);
            values.borrow_mut().insert(entry, value);
            value.0[mover]
        });
    let values = values.into_inner();
    let mut rows: Rows<f64, MAX_SEARCHED_PLAYERS> = Rows::new();
    for (roll, (entry, _)) in game.lattice().rolls().zip(plan.ends()) {
        *rows.get_mut(roll as u16) = values[entry];
    }
    let turn = game.turn();
    for picks in plan.picks() {
        turn.chance(&mut rows);
        turn.follow(&mut rows, picks);
    }
    turn.first_roll(&rows)
}

impl Strategy for LookAhead {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        let (filled, rolls) = (context.own().filled, self.game.rules().rolls());
        Ok(Box::new(TurnPlan::new(
            &self.game,
            filled,
            rolls,
            TieTolerance::DoublePrecision,
            self.entry_values(context)?,
        )))
    }
}
