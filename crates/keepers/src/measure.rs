//! How strong strategies are, measured against exact play (Pawlewicz, 4.2).
//!
//! Typical players, EMP(1) softened, play a game down to some open boxes. From there on every position has
//! exact values. In each of them the strategy is asked for its whole plan, and the error of every
//! decision is weighed with the chance that the typical player comes to it: the mean over all rolls
//! of the turn, where the paper takes the one that fell.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rayon::prelude::*;

use crate::average::mean_and_error;
use crate::game::Game;
use crate::matches::play_turn;
use crate::plan::{Equal, TurnPlan};
use crate::random::{Chance, GameDice, Throws};
use crate::rules::Entry;
use crate::solve::{DuelTask, Kept, Progress, ShortTurns};
use crate::store::ReachTable;
use crate::strategy::{HumanLike, Search, Seats, Standing, Strategy, weights};

/// What was measured of one strategy at one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
pub fn measure(
    reach: &Arc<ReachTable>,
    strategies: &[&dyn Strategy],
    experiment: Experiment,
    progress: Progress<'_>,
) -> Vec<Vec<Measured>> {
    let game = reach.game();
    let bench = Bench {
        throws: Throws::new(game.lattice()),
        typical: HumanLike::new(reach, TYPICAL),
        short_turns: Arc::new(ShortTurns::new(game)),
        memory: Memory { all: experiment.memory, taken: Mutex::new(0), given_back: Condvar::new() },
    };
    let done = AtomicUsize::new(0);
    let games = experiment.games as usize;
    let all: Vec<Vec<Vec<f64>>> = (0..games)
        .into_par_iter()
        .with_max_len(1)
        .map(|nth| {
            let errors = one_game(&bench, strategies, experiment, nth as u64);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, games);
            errors
        })
        .collect();
    let measured = |depth: usize, strategy: usize| {
        let errors: Vec<f64> = all.iter().filter_map(|game| game[depth].get(strategy).copied()).collect();
        let (error, standard_error) = mean_and_error(&errors);
        Measured { error, standard_error, games: errors.len() as u64 }
    };
    (0..experiment.depth)
        .map(|depth| (0..strategies.len()).map(|strategy| measured(depth, strategy)).collect())
        .collect()
}

/// What all games share.
struct Bench {
    throws: Throws,
    typical: HumanLike,
    short_turns: Arc<ShortTurns>,
    memory: Memory,
}

/// Memory that threads share. Whoever has some of it must not wait for other work of the pool: that may be a game
/// that waits for memory. So positions are solved, and players asked, by one thread alone.
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
    /// Waits until there are so many bytes; nothing if there are never so many.
    fn take(&self, bytes: usize) -> Option<Taken<'_>> {
        if bytes > self.all {
            return None;
        }
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |taken: &mut usize| *taken + bytes > self.all;
        let mut taken = self.given_back.wait_while(taken, full).unwrap_or_else(PoisonError::into_inner);
        *taken += bytes;
        Some(Taken { memory: self, bytes })
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.memory.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.memory.given_back.notify_all();
    }
}

/// The mean error of each strategy at each depth of one game; nothing at those that would take too much memory.
fn one_game(bench: &Bench, strategies: &[&dyn Strategy], experiment: Experiment, nth: u64) -> Vec<Vec<f64>> {
    let Experiment { depth, seed, .. } = experiment;
    let game = bench.typical.search().game();
    let mut errors = vec![Vec::new(); depth];
    let mut standings = [Standing::default(); 2];
    let mut dice = [0, 1].map(|seat| GameDice::new(seed, 2 * nth + seat, game.rules().rolls()));
    let mut chance = Chance::new(!seed, nth);
    let mut exact = None;
    for left in (1..=2 * game.space().boxes()).rev() {
        let turn = 2 * game.space().boxes() - left;
        let (mover, round) = (turn % 2, turn / 2);
        let seats = Seats { game, standings: &standings, mover };
        let (own, rival) = (standings[mover], standings[1 - mover]);
        if left <= depth && exact.is_none() {
            let task = DuelTask::standing(game, &own, &rival).expect("players take turns");
            let task = task.sharing(&bench.short_turns).alone();
            let taken = bench.memory.take(task.cost(Kept::All).bytes);
            exact = taken.and_then(|taken| Some((task.solve(Kept::All, &|_, _| (), &|| false)?, taken)));
        }
        if let Some((duel, _)) = &exact {
            let worth = |entry: Entry| {
                duel.after(&own.after(game, entry), &rival).expect("it follows from what was solved")
            };
            let judge = Judge::new(game, &own, worth, bench.typical.search(), &seats);
            errors[left - 1] = strategies.iter().map(|strategy| judge.error(*strategy, &seats)).collect();
        }
        let entry = {
            let mut plan = bench.typical.plan(&seats);
            dice[mover].start_turn(round);
            play_turn(game, &bench.throws, &mut *plan, &mut dice[mover], &mut chance).entry
        };
        standings[mover] = own.after(game, entry);
    }
    errors
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
        typical: &Search,
        seats: &Seats<'_>,
    ) -> Judge<'a> {
        let rolls = game.rules().rolls();
        let exact = TurnPlan::new(game, own.filled, rolls, Equal::Digits, &worth);
        let values = TurnPlan::new(
            game,
            own.filled,
            rolls,
            Equal::Digits,
            typical.worth(seats.standings, seats.mover),
        );
        let mass = roll_chances(game, &values);
        Judge { game, exact, worth: Box::new(worth), mass }
    }

    /// The mean error of a strategy's decisions in the turn.
    fn error(&self, strategy: &dyn Strategy, seats: &Seats<'_>) -> f64 {
        let lattice = self.game.lattice();
        let mut plan = strategy.plan(seats);
        let mut chance = Chance::new(0, 0);
        let mut sum = 0.0;
        for (left, mass) in (0..).zip(&self.mass) {
            for ((nth, roll), p) in lattice.rolls().enumerate().zip(mass) {
                if *p == 0.0 {
                    continue;
                }
                let loss = if left == 0 {
                    self.exact.ends()[nth].1 - (self.worth)(plan.enter(roll as u16, &mut chance))
                } else {
                    let keeps = self.exact.keeps(left);
                    let best = self.exact.picks()[usize::from(left) - 1][nth];
                    keeps[usize::from(best)] - keeps[usize::from(plan.keep(roll as u16, left, &mut chance))]
                };
                sum += p * loss.max(0.0);
            }
        }
        sum / self.mass.len() as f64
    }
}

/// The probability of each roll with each number of rolls left when choices are softened.
fn roll_chances(game: &Game, values: &TurnPlan) -> Vec<Vec<f64>> {
    let lattice = game.lattice();
    let rolls = lattice.rolls();
    let all = f64::from(lattice.faces()).powi(lattice.dice().into());
    let mut found = Vec::new();
    let mut mass: Vec<f64> = vec![0.0; lattice.keeps().len()];
    for roll in rolls.clone() {
        mass[roll] = f64::from(lattice.keeps()[roll].orders()) / all;
    }
    found.push(mass[rolls.start..].to_vec());
    for left in (1..game.rules().rolls()).rev() {
        let keeps = values.keeps(left);
        let mut kept: Vec<f64> = vec![0.0; lattice.keeps().len()];
        for roll in rolls.clone() {
            let within: Vec<usize> = lattice.within(roll).map(usize::from).collect();
            let shares = weights(&within.iter().map(|&keep| keeps[keep]).collect::<Vec<_>>(), TYPICAL);
            within.iter().zip(shares).for_each(|(&keep, share)| kept[keep] += mass[roll] * share);
        }
        // Eq. (4) the other way round: each keep spreads over the next die.
        for (keep, next) in lattice.more().iter().enumerate() {
            let share = kept[keep] / f64::from(lattice.faces());
            next[..lattice.faces() as usize].iter().for_each(|&larger| kept[usize::from(larger)] += share);
        }
        mass = kept;
        found.push(mass[rolls.start..].to_vec());
    }
    found.reverse();
    found
}
