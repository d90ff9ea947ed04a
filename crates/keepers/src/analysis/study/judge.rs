//! Judges all decisions of a turn with exact values: every roll that can occur, weighted with its probability.

use std::collections::HashMap;

use crate::dice::random::RandomStream;
use crate::game::Game;
use crate::game::rules::Entry;
use crate::kernel::forward::spread;
use crate::kernel::plan::{Planner, TurnPolicy};
use crate::turn::{Row, Rows};

/// The choice of a player for every roll of a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// `keeps[n - 1]` has the keep of each roll with n rolls left, in the order of the lattice.
    keeps: Vec<Vec<u16>>,
    /// The entry of each final roll, by its index among the entries of the turn.
    entries: Vec<u16>,
}

impl Choices {
    /// Asks a policy for all its choices. Policies that draw random numbers draw them from `random`.
    pub fn of(
        game: &Game,
        entries: &HashMap<Entry, u16>,
        policy: &mut dyn TurnPolicy,
        random: &mut RandomStream,
    ) -> Choices {
        let lattice = game.lattice();
        let mut keeps_with = |left: u8| {
            let keep = |roll: usize| lattice.index_of(&policy.keep(lattice.roll(roll), left, random)) as u16;
            lattice.rolls().map(keep).collect()
        };
        let keeps = (1..game.rules().rolls()).map(&mut keeps_with).collect();
        let entry = |roll: usize| entries[&policy.enter(lattice.roll(roll), random)];
        Choices { keeps, entries: lattice.rolls().map(entry).collect() }
    }

    /// Returns the best choices in a lane of a planner.
    pub fn best<const W: usize>(game: &Game, planner: &Planner<W>, lane: usize) -> Choices {
        let lane_of = |choices: &[[u16; W]]| choices.iter().map(|lanes| lanes[lane]).collect();
        let keeps = (1..game.rules().rolls()).map(|left| lane_of(planner.picks(left))).collect();
        Choices { keeps, entries: lane_of(planner.ends()) }
    }

    /// Returns the keep of a roll, both by their indices in the lattice. A keep of all dice ends the rolling.
    pub fn keep(&self, game: &Game, roll: u16, rolls_left: u8) -> u16 {
        self.keeps[usize::from(rolls_left) - 1][usize::from(roll) - game.lattice().rolls().start]
    }

    /// Returns the entry of a final roll, by its index among the entries of the turn.
    pub fn entry(&self, game: &Game, roll: u16) -> u16 {
        self.entries[usize::from(roll) - game.lattice().rolls().start]
    }
}

/// What the decisions of a turn lose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Judged {
    /// The expected loss of all decisions together.
    pub loss: f64,
    /// The expected number of decisions. A player who keeps all dice decides no more about dice.
    pub decisions: f64,
    /// The expected number of decisions that are not best choices.
    pub differs: f64,
}

impl Judged {
    fn add(&mut self, p: f64, loss: f64, resolution: f64) {
        self.loss += p * loss.max(0.0);
        self.decisions += p;
        self.differs += if loss > resolution { p } else { 0.0 };
    }
}

/// The buffers in which one thread judges turns.
pub(super) struct Judge {
    mass: Rows<f64, 1>,
    /// The probability of each final roll after which the player rolls no more.
    stopped: Vec<f64>,
}

impl Judge {
    pub fn new(game: &Game) -> Judge {
        Judge { mass: Rows::new(), stopped: vec![0.0; game.lattice().rolls().len()] }
    }

    /// Judges the choices of a player in the rolls that occur if the choices `played` are made. The exact values are those
    /// in a lane of the planner. Losses up to `resolution` count as none in [`Judged::differs`].
    pub fn judge<const W: usize>(
        &mut self,
        game: &Game,
        (planner, lane): (&Planner<W>, usize),
        played: &Choices,
        judged: &Choices,
        resolution: f64,
    ) -> Judged {
        let lattice = game.lattice();
        let rolls = lattice.rolls();
        let mut found = Judged::default();
        for keep in 0..rolls.start {
            *self.mass.get_mut(keep as u16) = Row([0.0]);
        }
        for roll in rolls.clone() {
            let p = f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
            *self.mass.get_mut(roll as u16) = Row([p]);
        }
        self.stopped.fill(0.0);
        let end = |nth: usize| planner.value(planner.ends()[nth][lane]).0[lane];
        for left in (1..game.rules().rolls()).rev() {
            let (keeps, picks) = (planner.keeps(left), planner.picks(left));
            // A keep of all dice ends the rolling. Its row has the value with rolls to come, which is not less.
            let value = |nth: usize, keep: u16| {
                if usize::from(keep) == rolls.start + nth { end(nth) } else { keeps.get(keep).0[lane] }
            };
            for (nth, roll) in rolls.clone().enumerate() {
                let p = std::mem::replace(self.mass.get_mut(roll as u16), Row([0.0])).0[0];
                if p == 0.0 {
                    continue;
                }
                let best = keeps.get(picks[nth][lane]).0[lane];
                found.add(p, best - value(nth, judged.keeps[usize::from(left) - 1][nth]), resolution);
                let kept = played.keeps[usize::from(left) - 1][nth];
                if usize::from(kept) == roll {
                    self.stopped[nth] += p;
                } else {
                    self.mass.get_mut(kept).0[0] += p;
                }
            }
            spread(game, &mut self.mass);
        }
        for (nth, roll) in rolls.enumerate() {
            let p = self.mass.get(roll as u16).0[0] + self.stopped[nth];
            if p > 0.0 {
                found.add(p, end(nth) - planner.value(judged.entries[nth]).0[lane], resolution);
            }
        }
        found
    }
}
