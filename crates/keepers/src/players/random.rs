//! `random`: any keep and any box that the rules allow, each as likely as the others.

use super::{Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::game::rules::Entry;
use crate::work::WorkError;

/// Plays at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        Ok(Box::new(Anything(*context)))
    }
}

struct Anything<'a>(TurnContext<'a>);

impl TurnPolicy for Anything<'_> {
    fn keep(&mut self, roll: u16, _: u8, random: &mut RandomStream) -> u16 {
        // A coin for each die.
        let lattice = self.0.game.lattice();
        let dice = lattice.keeps()[roll as usize].faces();
        let kept = dice.filter(|_| random.below(2) == 1).collect();
        lattice.index_of(&kept) as u16
    }

    fn enter(&mut self, roll: u16, random: &mut RandomStream) -> Entry {
        let dice = &self.0.game.lattice().keeps()[roll as usize];
        let entries = self.0.game.rules().entries(self.0.own().filled, dice);
        entries[random.below(entries.len() as u32) as usize]
    }
}
