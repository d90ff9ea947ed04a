//! The forward pass through a game: moves probability from a card to the end of the game, turn by turn (Perkins,
//! sections 7 and 8).
//!
//! Every reached state has a mass: the probability of reaching it with each number of points. A turn moves the mass:
//! the strategy's plan determines the probability of each final roll and so of each entry, and an entry moves mass to
//! the next state, shifted by the points that it pays.

use std::collections::BTreeMap;

use super::choice::{ChosenAction, TurnEnd, turn_ends};
use super::statistics::{BoxStatistics, Statistics};
use crate::analysis::value::ValueFunction;
use crate::game::Game;
use crate::game::card::Card;
use crate::game::rules::{BoxId, Entry};
use crate::kernel::forward::ForwardTurn;
use crate::parallel::Threads;
use crate::work::{Work, WorkError};

/// A strategy to follow, and the representation of the mass of a state. Both differ between strategies
/// that look only at the state and those that also look at the points so far.
pub(super) trait FollowedStrategy: Sync {
    /// The mass of a state: the probability of reaching it with each number of points and of extra bonuses.
    type Mass: Default + Send + Sync;

    /// The mass that an entry moves to the next state.
    type Push: Send;

    /// The number of states in a block, which one thread plays.
    const BLOCK: usize;

    /// The number of blocks that are played before their pushes are added, which bounds the memory of pushes.
    const BLOCKS: usize;

    fn game(&self) -> &Game;

    /// Adds the probability `p` of reaching a state with `total` points and `extras` extra bonuses.
    fn arrive(&self, mass: &mut Self::Mass, state: usize, total: u16, extras: usize, p: f64);

    /// Plays a turn from the states `reached[block]`: adds the boxes filled to `tally`, and the moved mass to `pushes`.
    fn play(
        &self,
        reached: &[(usize, Self::Mass)],
        block: std::ops::Range<usize>,
        turn: &mut ForwardTurn,
        tally: &mut BoxTally,
        pushes: &mut Vec<Self::Push>,
    );

    /// Returns the state that a push leads to.
    fn target(push: &Self::Push) -> usize;

    /// Adds a push to the mass of the state that it leads to.
    fn push(&self, reached: &[(usize, Self::Mass)], push: Self::Push, mass: &mut Self::Mass);

    /// Returns the probability of each final total, and of each number of extra bonuses, from 0 on.
    fn totals(&self, reached: &[(usize, Self::Mass)]) -> (Vec<f64>, Vec<f64>);
}

/// Returns the exact statistics of a strategy, starting from a card.
pub(super) fn from_card<F: FollowedStrategy>(
    followed: &F,
    card: &Card,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    let mut pass = Pass::new(followed, card.open_boxes().len());
    let state = card.state();
    let mut mass = F::Mass::default();
    followed.arrive(&mut mass, state, card.total(), 0, 1.0);
    pass.reached = vec![(state, mass)];
    pass.run(work)
}

/// Returns the exact statistics after an action, if the strategy plays the rest of the game. `value_fn` plans the rest
/// of the turn.
pub(super) fn after_choice<F: FollowedStrategy>(
    followed: &F,
    value_fn: &dyn ValueFunction,
    chosen: &ChosenAction<'_>,
    work: &Work<'_>,
) -> Result<Statistics, WorkError> {
    let (game, card) = (followed.game(), chosen.card);
    let mut pass = Pass::new(followed, card.open_boxes().len());
    let mut reached: BTreeMap<usize, F::Mass> = BTreeMap::new();
    let mut tally = BoxTally::new(game);
    for TurnEnd { roll, entry, p } in turn_ends(game, value_fn, chosen) {
        let next = card.with(entry);
        if let Some(roll) = roll {
            tally.roll(entry.into, roll, p);
        }
        tally.entry(entry, next.upper_bonus() > card.upper_bonus(), p);
        let state = next.state();
        let mass = reached.entry(state).or_default();
        followed.arrive(mass, state, next.total(), usize::from(entry.extra > 0), p);
    }
    pass.finish_turn(tally);
    pass.reached = reached.into_iter().collect();
    pass.run(work)
}

/// The probabilities with which boxes are filled in one turn.
pub(super) struct BoxTally {
    /// By box and final roll: the probability that this roll is entered into the box.
    rolls: Vec<Vec<f64>>,
    /// By box and points: the probability that the box gets these points.
    points: Vec<BTreeMap<u16, f64>>,
    /// The probability that the upper bonus is earned.
    upper_bonus: f64,
}

impl BoxTally {
    fn new(game: &Game) -> BoxTally {
        let boxes = game.space().boxes();
        let rolls = vec![vec![0.0; game.lattice().rolls().len()]; boxes];
        BoxTally { rolls, points: vec![BTreeMap::new(); boxes], upper_bonus: 0.0 }
    }

    /// Counts a final roll that is entered into a box.
    #[inline]
    pub fn roll(&mut self, into: BoxId, roll: usize, p: f64) {
        self.rolls[into.index()][roll] += p;
    }

    /// Counts an entry; `bonus` is whether it earns the upper bonus.
    pub fn entry(&mut self, entry: Entry, bonus: bool, p: f64) {
        *self.points[entry.into.index()].entry(entry.points).or_default() += p;
        self.upper_bonus += if bonus { p } else { 0.0 };
    }

    /// Adds another tally of the same turn.
    fn join(&mut self, other: &BoxTally) {
        for (to, from) in self.rolls.iter_mut().flatten().zip(other.rolls.iter().flatten()) {
            *to += from;
        }
        for (to, from) in self.points.iter_mut().zip(&other.points) {
            for (&points, p) in from {
                *to.entry(points).or_default() += p;
            }
        }
        self.upper_bonus += other.upper_bonus;
    }
}

/// The state of a forward pass between two turns.
struct Pass<'a, F: FollowedStrategy> {
    followed: &'a F,
    /// The number of turns played so far.
    turn: usize,
    /// The number of all turns.
    turns: usize,
    /// The reached states with their masses, ordered by state.
    reached: Vec<(usize, F::Mass)>,
    boxes: Vec<BoxStatistics>,
    upper_bonus: f64,
}

impl<'a, F: FollowedStrategy> Pass<'a, F> {
    fn new(followed: &'a F, turns: usize) -> Pass<'a, F> {
        let boxes = vec![BoxStatistics::default(); followed.game().space().boxes()];
        Pass { followed, turn: 0, turns, reached: Vec::new(), boxes, upper_bonus: 0.0 }
    }

    /// Adds the tally of a finished turn.
    fn finish_turn(&mut self, tally: BoxTally) {
        for (of, (rolls, points)) in self.boxes.iter_mut().zip(tally.rolls.into_iter().zip(tally.points)) {
            of.rolls.push(rolls);
            let most = points.keys().next_back().map_or(0, |most| usize::from(*most) + 1);
            let mut row = vec![0.0; most];
            points.into_iter().for_each(|(points, p)| row[usize::from(points)] = p);
            of.points.push(row);
        }
        self.upper_bonus += tally.upper_bonus;
        self.turn += 1;
    }

    /// Plays all remaining turns.
    fn run(mut self, work: &Work<'_>) -> Result<Statistics, WorkError> {
        while self.turn < self.turns {
            self.play_turn(work)?;
            work.report(self.turn, self.turns);
        }
        let (mut probability, extras) = self.followed.totals(&self.reached);
        let end = probability.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
        probability.truncate(end);
        let boxes = self.boxes.into_iter().collect();
        Ok(Statistics { probability, boxes, upper_bonus: self.upper_bonus, extras })
    }

    fn play_turn(&mut self, work: &Work<'_>) -> Result<(), WorkError> {
        let (followed, game) = (self.followed, self.followed.game());
        let reached = std::mem::take(&mut self.reached);
        let mut next: BTreeMap<usize, F::Mass> = BTreeMap::new();
        let mut all = BoxTally::new(game);
        // The blocks of a batch are played in parallel, but their pushes are added in the order of the states, so that
        // sums are the same to the last bit on any number of threads.
        let blocks = reached.len().div_ceil(F::BLOCK);
        for first in (0..blocks).step_by(F::BLOCKS) {
            work.step(self.turn, self.turns)?;
            let batch = first..blocks.min(first + F::BLOCKS);
            let played = Threads::All.map_with(
                batch,
                || ForwardTurn::new(game),
                |turn, block| {
                    let (mut tally, mut pushes) = (BoxTally::new(game), Vec::new());
                    let states = block * F::BLOCK..reached.len().min((block + 1) * F::BLOCK);
                    followed.play(&reached, states, turn, &mut tally, &mut pushes);
                    (tally, pushes)
                },
            );
            for (tally, pushes) in played {
                all.join(&tally);
                for push in pushes {
                    let mass = next.entry(F::target(&push)).or_default();
                    followed.push(&reached, push, mass);
                }
            }
        }
        self.finish_turn(all);
        self.reached = next.into_iter().collect();
        Ok(())
    }
}
