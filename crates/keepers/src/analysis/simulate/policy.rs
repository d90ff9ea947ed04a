//! Simulation of the strategy with the best expected score. Its decisions depend on the score state only and are
//! stored, one byte per decision: 756 per state with five dice and three rolls. They are computed for eight states at
//! once, when a game first reaches one of them.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Dice;
use super::dice::{CHUNK, dice_of};
use super::sample::Sample;
use crate::dice::random::{GameDice, RerollTable};
use crate::game::Game;
use crate::game::rules::{BoxId, Entry};
use crate::kernel::plan::{Planner, TieTolerance};
use crate::kernel::transitions::Transitions;
use crate::parallel::{Threads, thread_index, threads};
use crate::players::Standing;
use crate::tables::ExpectedTable;
use crate::turn::{LANES, Row};
use crate::work::{Progress, Work, WorkError, reserve};

/// The decisions of the strategy with the best expected score in every score state, computed when first needed.
pub struct Policy<'a> {
    table: &'a ExpectedTable,
    throws: RerollTable,
    /// For each roll, the keeps within it, by their index in the lattice.
    within: Vec<Vec<u16>>,
    /// For each roll and each keep, the index of the keep in `within`; 0 if the keep is not within the roll.
    keep_indices: Vec<Vec<u8>>,
    /// By state, the decision for each number of rolls left, from 0 on, and each roll: with 0 rolls left the index of
    /// the box, otherwise the index of the keep in `within`.
    states: Vec<OnceLock<Box<[u8]>>>,
    /// One planner per thread.
    planners: Vec<Mutex<Planner<LANES>>>,
}

/// A game in progress.
#[derive(Clone, Copy)]
struct RunningGame {
    own: Standing,
    state: u32,
    roll: u16,
}

impl<'a> Policy<'a> {
    /// Creates the policy of a game, with one planner per thread of the current rayon pool.
    ///
    /// # Errors
    /// If an allocation fails.
    pub fn new(table: &'a ExpectedTable) -> Result<Policy<'a>, WorkError> {
        let game = table.game();
        let lattice = game.lattice();
        let within: Vec<Vec<u16>> = lattice.rolls().map(|roll| lattice.within(roll).collect()).collect();
        let keep_indices = |within: &Vec<u16>| {
            let mut keep_indices = vec![0; lattice.keeps().len()];
            (0..).zip(within).for_each(|(index, &k)| keep_indices[usize::from(k)] = index);
            keep_indices
        };
        let planner = || Mutex::new(Planner::new(game, game.rules().rolls() - 1));
        let mut states = Vec::new();
        reserve(&mut states, game.space().states())?;
        states.resize_with(game.space().states(), OnceLock::new);
        Ok(Policy {
            table,
            throws: RerollTable::new(lattice),
            keep_indices: within.iter().map(keep_indices).collect(),
            within,
            states,
            planners: (0..threads()).map(|_| planner()).collect(),
        })
    }

    fn game(&self) -> &Game {
        self.table.game()
    }

    /// Returns the decisions in a state.
    #[inline]
    fn decisions(&self, state: u32) -> &[u8] {
        match self.states[state as usize].get() {
            Some(choices) => choices,
            None => self.compute_block(state as usize),
        }
    }

    /// Computes the decisions in a state, and in the other states whose lanes are in the same block.
    #[cold]
    fn compute_block(&self, state: usize) -> &[u8] {
        let game = self.game();
        let group = game.space().group_of(state);
        let next = Transitions::new(game, group);
        let classes = game.space().states_of(group).len();
        let start = (state - group.first()) / LANES * LANES;
        // The current pool may have more threads than the pool in which the policy was created; threads then share
        // planners.
        let mine = thread_index() % self.planners.len();
        let mut planner = self.planners[mine].lock().unwrap_or_else(PoisonError::into_inner);
        planner.start(game, group.filled);
        planner.plan(game, TieTolerance::Points, |entry| {
            let mut row = Row([0.0; LANES]);
            for (lane, class) in row.0.iter_mut().zip(start..classes) {
                let (to, paid) = next.state(game, group, class, entry);
                *lane = f64::from(paid) + self.table.get(to);
            }
            row
        });
        for (lane, class) in (start..classes).take(LANES).enumerate() {
            let mut choices: Vec<u8> =
                Vec::with_capacity(self.within.len() * usize::from(game.rules().rolls()));
            choices.extend(
                planner.ends().iter().map(|end| planner.entries()[usize::from(end[lane])].into.index() as u8),
            );
            for rolls_left in 1..game.rules().rolls() {
                let index =
                    |(picks, keep_indices): (&[u16; LANES], &Vec<u8>)| keep_indices[usize::from(picks[lane])];
                choices.extend(planner.picks(rolls_left).iter().zip(&self.keep_indices).map(index));
            }
            // If another thread has set the decisions in the meantime, they are the same.
            let _ = self.states[group.first() + class].set(choices.into_boxed_slice());
        }
        self.states[state].get().expect("set in the loop above")
    }

    /// Plays games from a standing on, and returns their statistics.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn simulate(
        &self,
        start: &Standing,
        games: u64,
        seed: u64,
        work: &Work<'_>,
    ) -> Result<Sample, WorkError> {
        self.play_all(start, Dice { games, seed, watch: &|_, _| () }, work)
    }

    /// Plays games like [`Policy::simulate`] and reports their final scores.
    pub(super) fn play_all(
        &self,
        start: &Standing,
        dice: Dice<'_>,
        work: &Work<'_>,
    ) -> Result<Sample, WorkError> {
        let games = dice.games;
        let progress = Progress::new(work, games as usize, 16);
        let sample = Threads::All.try_fold(
            0..games.div_ceil(CHUNK) as usize,
            || Sample::new(self.game()),
            |mut sample, chunk| {
                let chunk = chunk as u64;
                let (first, end) = (chunk * CHUNK, games.min((chunk + 1) * CHUNK));
                self.play(start, first..end, dice, &mut sample);
                progress.add((end - first) as usize)?;
                Ok(sample)
            },
            Sample::join,
        )?;
        progress.finish();
        Ok(sample)
    }

    /// Plays games in lockstep: every game makes its next decision before any game makes the one after.
    fn play(
        &self,
        start: &Standing,
        games: std::ops::Range<u64>,
        Dice { seed, watch, .. }: Dice<'_>,
        sample: &mut Sample,
    ) {
        let game = self.game();
        let rolls = self.within.len();
        let first_roll = game.lattice().rolls().start as u16;
        let state = start.state(game) as u32;
        let mut dice: Vec<GameDice> = games.clone().map(|nth| dice_of(game, seed, nth)).collect();
        let mut running = vec![RunningGame { own: *start, state, roll: 0 }; dice.len()];
        // Nearly every look-up of a decision misses the processor's caches; when each throw waited for its own look-up,
        // that took 60 % of the time. In separate loops, many look-ups are in flight at once. The slice of a state's
        // decisions is looked up once per turn, and the decision once per throw.
        let mut choices: Vec<&[u8]> = Vec::with_capacity(running.len());
        let mut chosen: Vec<u8> = Vec::with_capacity(running.len());
        let look_up =
            |chosen: &mut Vec<u8>, choices: &[&[u8]], running: &[RunningGame], rolls_left: usize| {
                let choice = |(choices, one): (&&[u8], &RunningGame)| {
                    choices[rolls_left * rolls + usize::from(one.roll)]
                };
                chosen.clear();
                chosen.extend(choices.iter().zip(running).map(choice));
            };
        for turn in 0..start.open_boxes(game).len() {
            choices.clear();
            choices.extend(running.iter().map(|one| self.decisions(one.state)));
            for (one, dice) in running.iter_mut().zip(&mut dice) {
                dice.start_turn(turn);
                one.roll = dice.throw(&self.throws, 0) - first_roll;
            }
            for rolls_left in (1..usize::from(game.rules().rolls())).rev() {
                look_up(&mut chosen, &choices, &running, rolls_left);
                for ((one, dice), index) in running.iter_mut().zip(&mut dice).zip(&chosen) {
                    let keep = self.within[usize::from(one.roll)][usize::from(*index)];
                    one.roll = dice.throw(&self.throws, keep) - first_roll;
                }
            }
            look_up(&mut chosen, &choices, &running, 0);
            for (one, into) in running.iter_mut().zip(&chosen) {
                let entry = self.entry(one, BoxId::at(usize::from(*into)));
                sample.count_entry(turn, entry);
                one.own = one.own.after(game, entry);
                one.state = one.own.state(game) as u32;
            }
        }
        for (nth, one) in games.zip(&running) {
            sample.count_game(game, start, &one.own);
            watch(nth, one.own.total);
        }
    }

    /// Returns the entry of a game's current roll into a box.
    #[inline]
    fn entry(&self, one: &RunningGame, into: BoxId) -> Entry {
        let game = self.game();
        let scores = &game.scores()[into];
        let natural = Entry {
            into,
            points: scores.amounts[usize::from(scores.of_roll[usize::from(one.roll)])],
            extra: 0,
        };
        let dice = &game.lattice().keeps()[game.lattice().rolls().start + usize::from(one.roll)];
        if game.rules().extra_yahtzees_apply(one.own.filled) && dice.all_equal().is_some() {
            let entries = game.rules().entries(one.own.filled, dice);
            return entries.into_iter().find(|entry| entry.into == into).unwrap_or(natural);
        }
        natural
    }
}
