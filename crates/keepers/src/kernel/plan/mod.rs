//! How a turn is played: which keep is picked for each roll, and where each final roll goes.
//!
//! What counts as equal depends on what values mean ([`TieTolerance`]). Of equal keeps the one with fewer dice is
//! picked, then the one with the lower dice; of equal boxes the one higher up on the card. Equal
//! choices have equal means but not equal deviations: this rule gives Verhoeff's published 59.6117,
//! the one with more dice 59.6114.

mod planner;

pub use planner::Planner;

use crate::dice::random::RandomStream;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::turn::Row;

/// When two values count as equal. Rounding errors must not decide, and neither must a tolerance that
/// is larger than what is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieTolerance {
    /// For points: what rounds to the same multiple of 1e-9.
    Points,
    /// For probabilities and worths of any size: what agrees in the first 40 binary digits.
    DoublePrecision,
    /// The same for values that were worked out in single precision: what agrees in the first 18.
    SinglePrecision,
}

impl TieTolerance {
    /// A number that is the same for equal values, and larger for larger ones.
    #[inline(always)]
    pub(crate) fn rank(self, value: f64) -> i64 {
        match self {
            // Far above them the numbers lie one apart, and adding rounds: unlike a conversion that
            // goes for all lanes at once.
            TieTolerance::Points => {
                const FAR: f64 = (3_i64 << 51) as f64;
                (value * 1e9 + FAR).to_bits() as i64 - FAR.to_bits() as i64
            }
            TieTolerance::DoublePrecision => digits::<13>(value),
            TieTolerance::SinglePrecision => digits::<35>(value),
        }
    }
}

/// The bits of a value in the order of values, rounded to one in so many.
#[inline(always)]
fn digits<const LEFT_OUT: u32>(value: f64) -> i64 {
    // The bits of a float are in the order of its values, but for the sign.
    let bits = (value + 0.0).to_bits() as i64;
    let ordered = if bits < 0 { bits ^ i64::MAX } else { bits };
    ordered.saturating_add(1 << (LEFT_OUT - 1)) >> LEFT_OUT
}

/// The decisions of one turn, for every roll that may come.
pub trait TurnPolicy {
    /// Chooses the dice to keep of a roll, with at least one roll left. A keep of all dice ends the rolling.
    fn keep(&mut self, roll: Roll, rolls_left: u8, random: &mut RandomStream) -> Keep;

    /// Chooses the entry of the final roll among those that the rules allow.
    fn enter(&mut self, roll: Roll, random: &mut RandomStream) -> Entry;
}

/// Everything that decides a turn, worked out from what each entry would be worth.
pub struct TurnPlan {
    /// For each final roll, in the order of the lattice: its best entry, and what that is worth.
    ends: Vec<(Entry, f64)>,
    /// By rolls left, from one on: the keep that is picked for each roll.
    picks: Vec<Vec<u16>>,
    /// By rolls to come, from one on: what each keep is worth.
    keeps: Vec<Vec<f64>>,
    game: Game,
}

impl TurnPlan {
    /// Plans a turn that starts with these boxes filled, looking ahead `rolls` rolls. `worth` says
    /// what the game is worth after an entry.
    pub fn new(
        game: &Game,
        filled: Filled,
        rolls: u8,
        tolerance: TieTolerance,
        worth: impl Fn(Entry) -> f64,
    ) -> TurnPlan {
        let mut planner: Planner<1> = Planner::new(game, rolls);
        planner.start(game, filled);
        planner.plan(game, tolerance, |entry| Row([worth(entry)]));
        let end = |&[place]: &[u16; 1]| (planner.entries()[place as usize], planner.worth(place).0[0]);
        let value = |keep, rolls| planner.keeps(rolls).get(keep).0[0];
        let all = game.lattice().keeps().len() as u16;
        TurnPlan {
            ends: planner.ends().iter().map(end).collect(),
            picks: (1..rolls).map(|left| planner.picks(left).iter().map(|[pick]| *pick).collect()).collect(),
            keeps: (1..=rolls).map(|rolls| (0..all).map(|keep| value(keep, rolls)).collect()).collect(),
            game: game.clone(),
        }
    }

    /// For each final roll, in the order of the lattice: its best entry, and what that is worth.
    pub fn ends(&self) -> &[(Entry, f64)] {
        &self.ends
    }

    /// The keeps that are picked on the way, for the rolls nearest to the end first.
    pub fn picks(&self) -> &[Vec<u16>] {
        &self.picks
    }

    /// What a keep is worth with as many rolls to come as the plan looks ahead, by its index in the
    /// lattice.
    pub fn keep(&self, keep: usize) -> f64 {
        self.keeps[self.keeps.len() - 1][keep]
    }

    /// What each keep is worth with so many rolls to come, in the order of the lattice.
    pub fn keeps(&self, rolls: u8) -> &[f64] {
        &self.keeps[usize::from(rolls) - 1]
    }

    /// What the turn is worth before its first roll, if the plan looks ahead over all of it.
    pub fn value(&self) -> f64 {
        self.keep(0)
    }
}

impl TurnPlan {
    /// Returns the index of a roll among all rolls.
    fn index(&self, roll: Roll) -> usize {
        self.game.lattice().index_of_roll(&roll) - self.game.lattice().rolls().start
    }
}

impl TurnPolicy for TurnPlan {
    fn keep(&mut self, roll: Roll, rolls_left: u8, _: &mut RandomStream) -> Keep {
        let pick = self.picks[usize::from(rolls_left) - 1][self.index(roll)];
        self.game.lattice().keeps()[usize::from(pick)]
    }

    fn enter(&mut self, roll: Roll, _: &mut RandomStream) -> Entry {
        self.ends[self.index(roll)].0
    }
}
