//! Turn plans: the best keep for every roll and the best entry for every final roll of one turn.
//!
//! Which values count as equal depends on their meaning ([`TieTolerance`]). Among equal keeps, the one with fewer dice
//! is picked, then the one with the lower dice; among equal boxes, the one higher up on the card. Equal choices have
//! equal means but not equal standard deviations: this rule gives Verhoeff's published 59.6117, whereas preferring more
//! dice gives 59.6114.

mod planner;

pub use planner::Planner;

use crate::dice::random::RandomStream;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::turn::Row;

/// The rule by which two values count as equal. The tolerance is larger than rounding errors, so that they never decide,
/// and smaller than any difference that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieTolerance {
    /// For points: values that round to the same multiple of 1e-9 are equal.
    Points,
    /// For probabilities and utilities of any size: values that round to the same 40 significant binary digits are
    /// equal.
    DoublePrecision,
    /// For values computed in single precision: values that round to the same 18 significant binary digits are
    /// equal.
    SinglePrecision,
}

impl TieTolerance {
    /// Returns an integer that is the same for equal values, and larger for larger ones.
    #[inline(always)]
    pub(crate) fn rank(self, value: f64) -> i64 {
        match self {
            // Doubles near 3 * 2^51 are 1 apart, so adding that constant rounds to an integer, which the low bits of
            // the sum then hold. Unlike a conversion to an integer, this vectorises.
            TieTolerance::Points => {
                const FAR: f64 = (3_i64 << 51) as f64;
                (value * 1e9 + FAR).to_bits() as i64 - FAR.to_bits() as i64
            }
            TieTolerance::DoublePrecision => ordered_bits::<13>(value),
            TieTolerance::SinglePrecision => ordered_bits::<35>(value),
        }
    }
}

/// Maps a float to an integer with the same ordering, rounding away the lowest `LEFT_OUT` bits.
#[inline(always)]
fn ordered_bits<const LEFT_OUT: u32>(value: f64) -> i64 {
    // The bits of non-negative floats, read as integers, are ordered like the floats; those of negative floats are in
    // reverse order. Adding 0.0 turns -0.0 into 0.0.
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

/// The best decision at every point of a turn, and the values that lead to it.
pub struct TurnPlan {
    /// The best entry of each final roll and its value, in the order of the lattice.
    ends: Vec<(Entry, f64)>,
    /// `picks[n - 1]` has the best keep of each roll with n rolls left.
    picks: Vec<Vec<u16>>,
    /// `keeps[n - 1]` has the value of each keep with n rolls to come.
    keeps: Vec<Vec<f64>>,
    game: Game,
}

impl TurnPlan {
    /// Plans a turn that starts with these boxes filled, looking ahead `rolls` rolls. `value` returns the value of the
    /// game after an entry, including its points.
    pub fn new(
        game: &Game,
        filled: Filled,
        rolls: u8,
        tolerance: TieTolerance,
        value: impl Fn(Entry) -> f64,
    ) -> TurnPlan {
        let mut planner: Planner<1> = Planner::new(game, rolls);
        planner.start(game, filled);
        planner.plan(game, tolerance, |entry| Row([value(entry)]));
        let end = |&[index]: &[u16; 1]| (planner.entries()[index as usize], planner.value(index).0[0]);
        let value = |keep, rolls| planner.keeps(rolls).get(keep).0[0];
        let all = game.lattice().keeps().len() as u16;
        TurnPlan {
            ends: planner.ends().iter().map(end).collect(),
            picks: (1..rolls).map(|left| planner.picks(left).iter().map(|[pick]| *pick).collect()).collect(),
            keeps: (1..=rolls).map(|rolls| (0..all).map(|keep| value(keep, rolls)).collect()).collect(),
            game: game.clone(),
        }
    }

    /// Returns the best entry of each final roll and its value, in the order of the lattice.
    pub fn ends(&self) -> &[(Entry, f64)] {
        &self.ends
    }

    /// Returns the best keeps: element `n - 1` has that of each roll with n rolls left, in the order of the lattice.
    pub fn picks(&self) -> &[Vec<u16>] {
        &self.picks
    }

    /// Returns the value of a keep, by its index in the lattice, with as many rolls to come as the plan looks ahead.
    pub fn keep(&self, keep: usize) -> f64 {
        self.keeps[self.keeps.len() - 1][keep]
    }

    /// Returns the value of each keep with `rolls` rolls to come, in the order of the lattice.
    pub fn keeps(&self, rolls: u8) -> &[f64] {
        &self.keeps[usize::from(rolls) - 1]
    }

    /// Returns the value of the turn before its first roll. The plan must look ahead over all rolls of the turn.
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
