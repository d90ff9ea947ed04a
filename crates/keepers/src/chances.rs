//! The best chance of every final score, from a card or from the middle of a turn.

use crate::card::Card;
use crate::dice::Roll;
use crate::game::Game;
use crate::plan::{Equal, Plans};
use crate::rules::Entry;
use crate::solve::Curve;
use crate::store::ReachTable;
use crate::turn::{Number, Row};

/// How many scores are looked at together.
const W: usize = 8;

impl<T: Number + Into<f64>> Curve<'_, T> {
    /// The best chance of each final score from 0 to the most that can be reached from a card whose curve
    /// this is.
    pub fn chances(&self, card: &Card) -> Vec<f64> {
        let total = i32::from(card.total());
        (0..=total + i32::from(self.most())).map(|score| self.at(score - total).into()).collect()
    }
}

impl ReachTable {
    /// The best chance of each final score after a roll, from 0 to the most that can be reached; each score
    /// is played for alone.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Card, Game, Roll, Rules, Store};
    /// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
    /// let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,y=0").unwrap();
    /// let table = Store::none().reach(&game);
    /// let after = table.chances_after(&card, &Roll::parse("66666", 5, 6).unwrap(), 0);
    /// assert_eq!(after.len() - 1, 140); // only chance is left: 110 and 30
    /// assert_eq!(after[140], 1.0);
    /// ```
    ///
    /// # Panics
    /// If the card is full.
    pub fn chances_after(&self, card: &Card, roll: &Roll, rolls_left: u8) -> Vec<f64> {
        let game: &Game = self.game();
        let after = |entry: Entry| {
            let next = card.with(entry);
            (i32::from(next.total()), self.of(&next))
        };
        let most_after = |(total, curve): (i32, Curve<'_>)| total + i32::from(curve.most());
        if rolls_left == 0 {
            let ends: Vec<_> = card.entries(roll.dice()).into_iter().map(after).collect();
            let most = ends.iter().copied().map(most_after).max().expect("a box is open");
            let best = |score| ends.iter().map(|(total, curve)| curve.at(score - total)).fold(0.0, f32::max);
            return (0..=most).map(|score| best(score).into()).collect();
        }
        let mut plans: Plans<W> = Plans::new(game, rolls_left);
        plans.start(game, card.filled());
        let curves: Vec<(Entry, (i32, Curve<'_>))> =
            plans.entries().iter().map(|&entry| (entry, after(entry))).collect();
        let most = curves.iter().map(|(_, curve)| most_after(*curve)).max().expect("a box is open");
        let within: Vec<u16> = game.lattice().within(game.lattice().index_of_roll(roll)).collect();
        let mut chances = Vec::with_capacity(most as usize + W);
        for first in (0..=most).step_by(W) {
            plans.plan(game, Equal::Digits, |entry| {
                let (total, curve) =
                    curves.iter().find(|(other, _)| *other == entry).expect("it is one of them").1;
                Row(std::array::from_fn(|lane| curve.at(first + lane as i32 - total).into()))
            });
            let none = Row([0.0; W]);
            let best = within.iter().fold(none, |best, &keep| best.or(plans.keeps(rolls_left).get(keep)));
            chances.extend(best.0);
        }
        let reachable = chances.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
        chances.truncate(reachable);
        chances
    }
}
