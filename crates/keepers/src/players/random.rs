//! `random`: keeps each die with probability 1/2, and enters the roll into any allowed box with equal probability.

use super::{Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::dice::{Keep, Roll};
use crate::game::rules::Entry;
use crate::work::WorkError;

/// A player that decides at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        Ok(Box::new(Anything(*context)))
    }
}

struct Anything<'a>(TurnContext<'a>);

impl TurnPolicy for Anything<'_> {
    fn keep(&mut self, roll: Roll, _: u8, random: &mut RandomStream) -> Keep {
        roll.dice().faces().filter(|_| random.below(2) == 1).collect()
    }

    fn enter(&mut self, roll: Roll, random: &mut RandomStream) -> Entry {
        let entries = self.0.entries(roll);
        entries[random.below(entries.len() as u32) as usize]
    }
}
