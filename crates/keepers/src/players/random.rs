//! `random`: any keep and any box that the rules allow, each as likely as the others.

use super::{Plan, Seats, Strategy};
use crate::dice::random::Chance;
use crate::game::rules::Entry;
use crate::work::WorkError;

/// Plays at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn plan<'a>(&'a self, seats: &Seats<'a>) -> Result<Box<dyn Plan + 'a>, WorkError> {
        Ok(Box::new(Anything(*seats)))
    }
}

struct Anything<'a>(Seats<'a>);

impl Plan for Anything<'_> {
    fn keep(&mut self, roll: u16, _: u8, chance: &mut Chance) -> u16 {
        // A coin for each die.
        let lattice = self.0.game.lattice();
        let dice = lattice.keeps()[roll as usize].faces();
        let kept = dice.filter(|_| chance.below(2) == 1).collect();
        lattice.index_of(&kept) as u16
    }

    fn enter(&mut self, roll: u16, chance: &mut Chance) -> Entry {
        let dice = &self.0.game.lattice().keeps()[roll as usize];
        let entries = self.0.game.rules().entries(self.0.own().filled, dice);
        entries[chance.below(entries.len() as u32) as usize]
    }
}
