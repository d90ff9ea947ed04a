//! What the best expected score does in every score state, one byte a decision: 756 of them for a
//! state with five dice, worked out for eight states at once when a game first comes there.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::dice::{PARCEL, dice_of};
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

/// The choices of the best expected score in every score state, worked out as they are asked for.
pub struct Policy<'a> {
    table: &'a ExpectedTable,
    throws: RerollTable,
    /// For each roll, the keeps within it.
    within: Vec<Vec<u16>>,
    /// For each roll and each keep, the place of the keep among those within the roll, if it is one.
    places: Vec<Vec<u8>>,
    /// By state: for each number of rolls left, from none on, and each roll, the box it goes to, or the
    /// place of the keep among those within the roll.
    states: Vec<OnceLock<Box<[u8]>>>,
    planner: Vec<Mutex<Planner<LANES>>>,
}

/// One game on its way.
#[derive(Clone, Copy)]
struct Underway {
    own: Standing,
    state: u32,
    roll: u16,
}

impl<'a> Policy<'a> {
    /// The policy of a game, for the threads of the current rayon pool.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(table: &'a ExpectedTable) -> Result<Policy<'a>, WorkError> {
        let game = table.game();
        let lattice = game.lattice();
        let within: Vec<Vec<u16>> = lattice.rolls().map(|roll| lattice.within(roll).collect()).collect();
        let places = |within: &Vec<u16>| {
            let mut places = vec![0; lattice.keeps().len()];
            (0..).zip(within).for_each(|(place, &k)| places[usize::from(k)] = place);
            places
        };
        let planner = || Mutex::new(Planner::new(game, game.rules().rolls() - 1));
        let mut states = Vec::new();
        reserve(&mut states, game.space().states())?;
        states.resize_with(game.space().states(), OnceLock::new);
        Ok(Policy {
            table,
            throws: RerollTable::new(lattice),
            places: within.iter().map(places).collect(),
            within,
            states,
            planner: (0..threads()).map(|_| planner()).collect(),
        })
    }

    fn game(&self) -> &Game {
        self.table.game()
    }

    /// The choices in a state.
    #[inline]
    fn of(&self, state: u32) -> &[u8] {
        match self.states[state as usize].get() {
            Some(choices) => choices,
            None => self.work_out(state as usize),
        }
    }

    /// Works out a state and those beside it.
    #[cold]
    fn work_out(&self, state: usize) -> &[u8] {
        let game = self.game();
        let group = game.space().group_of(state);
        let next = Transitions::new(game, group);
        let classes = game.space().states_of(group).len();
        let start = (state - group.first()) / LANES * LANES;
        // A pool may have more threads than the one that the policy was made for.
        let mine = thread_index() % self.planner.len();
        let mut planner = self.planner[mine].lock().unwrap_or_else(PoisonError::into_inner);
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
                let place = |(picks, places): (&[u16; LANES], &Vec<u8>)| places[usize::from(picks[lane])];
                choices.extend(planner.picks(rolls_left).iter().zip(&self.places).map(place));
            }
            // Another thread may have been quicker; it came to the same.
            let _ = self.states[group.first() + class].set(choices.into_boxed_slice());
        }
        self.states[state].get().expect("just set")
    }

    /// Plays games from a standing on.
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
        let progress = Progress::new(work, games as usize, 16);
        let sample = Threads::All.try_fold(
            0..games.div_ceil(PARCEL) as usize,
            || Sample::new(self.game()),
            |mut sample, parcel| {
                let parcel = parcel as u64;
                let (first, end) = (parcel * PARCEL, games.min((parcel + 1) * PARCEL));
                self.play(start, first..end, seed, &mut sample);
                progress.add((end - first) as usize)?;
                Ok(sample)
            },
            Sample::join,
        )?;
        progress.finish();
        Ok(sample)
    }

    /// Plays games side by side: while one waits for memory, the next one goes on.
    fn play(&self, start: &Standing, games: std::ops::Range<u64>, seed: u64, sample: &mut Sample) {
        let game = self.game();
        let rolls = self.within.len();
        let first_roll = game.lattice().rolls().start as u16;
        let state = start.state(game) as u32;
        let mut dice: Vec<GameDice> = games.map(|nth| dice_of(game, seed, nth)).collect();
        let mut underway = vec![Underway { own: *start, state, roll: 0 }; dice.len()];
        // Nearly every look-up misses the caches. In loops of their own many of them are under way at once:
        // that took 60 % of the time when each throw waited for its own. Where the choices of a state
        // lie is looked up once a turn, and what they are once a throw.
        let mut choices: Vec<&[u8]> = Vec::with_capacity(underway.len());
        let mut chosen: Vec<u8> = Vec::with_capacity(underway.len());
        let look_up = |chosen: &mut Vec<u8>, choices: &[&[u8]], underway: &[Underway], rolls_left: usize| {
            let choice =
                |(choices, one): (&&[u8], &Underway)| choices[rolls_left * rolls + usize::from(one.roll)];
            chosen.clear();
            chosen.extend(choices.iter().zip(underway).map(choice));
        };
        for turn in 0..start.open_boxes(game).len() {
            choices.clear();
            choices.extend(underway.iter().map(|one| self.of(one.state)));
            for (one, dice) in underway.iter_mut().zip(&mut dice) {
                dice.start_turn(turn);
                one.roll = dice.throw(&self.throws, 0) - first_roll;
            }
            for rolls_left in (1..usize::from(game.rules().rolls())).rev() {
                look_up(&mut chosen, &choices, &underway, rolls_left);
                for ((one, dice), place) in underway.iter_mut().zip(&mut dice).zip(&chosen) {
                    let keep = self.within[usize::from(one.roll)][usize::from(*place)];
                    one.roll = dice.throw(&self.throws, keep) - first_roll;
                }
            }
            look_up(&mut chosen, &choices, &underway, 0);
            for (one, into) in underway.iter_mut().zip(&chosen) {
                let entry = self.entry(one, BoxId::at(usize::from(*into)));
                sample.count_entry(turn, entry);
                one.own = one.own.after(game, entry);
                one.state = one.own.state(game) as u32;
            }
        }
        underway.iter().for_each(|one| sample.count_game(game, start, &one.own));
    }

    /// The entry of a roll into a box.
    #[inline]
    fn entry(&self, one: &Underway, into: BoxId) -> Entry {
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
