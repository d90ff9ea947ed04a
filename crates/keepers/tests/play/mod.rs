//! Games played for tests: at random, or by advice.

use keepers::answers::ValueFunction;
use keepers::internals::advise::advise;
use keepers::{Action, Card, Face, Game, Keep, Record, Roll};

/// A small random number generator (splitmix64).
pub struct RandomStream(pub u64);

impl RandomStream {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, number: usize) -> usize {
        (self.next() % number as u64) as usize
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Rolls the dice that are not kept. Sometimes makes all dice equal, because jokers are otherwise too rare.
    pub fn roll(&mut self, game: &Game, kept: Keep) -> Roll {
        let faces: Vec<Face> = Face::all(game.rules().faces()).collect();
        let favourite = self.one(&faces);
        let alike = self.below(6) == 0;
        let mut dice = kept;
        while dice.len() < game.rules().dice().into() {
            dice = dice.with(if alike { favourite } else { self.one(&faces) });
        }
        game.lattice().roll(game.lattice().index_of(&dice))
    }
}

/// What a player does with a roll.
pub type Player<'a> = &'a mut dyn FnMut(&mut RandomStream, &Card, &Roll, u8) -> Action;

/// A random action that the rules allow.
pub fn anything(game: &Game) -> impl FnMut(&mut RandomStream, &Card, &Roll, u8) -> Action {
    |random, card, roll, rolls_left| {
        if rolls_left == 0 || random.below(5) == 0 {
            return Action::Score(random.one(&card.entries(roll.dice())));
        }
        let within: Vec<Keep> =
            game.lattice().keeps().iter().filter(|keep| keep.is_within(roll.dice())).copied().collect();
        Action::Keep(random.one(&within))
    }
}

/// The best choice.
pub fn advised(value_fn: &dyn ValueFunction) -> impl FnMut(&mut RandomStream, &Card, &Roll, u8) -> Action {
    |_, card, roll, rolls_left| advise(value_fn, card, *roll, rolls_left).unwrap().choices[0].action
}

/// Plays this many rolls, or to the end of the game.
pub fn play(game: &Game, players: &[&str], seed: u64, rolls: usize, player: Player<'_>) -> Record {
    let mut random = RandomStream(seed);
    let mut record = Record::new(game, players).unwrap();
    let (mut kept, mut left) = (Keep::NOTHING, game.rules().rolls());
    for _ in 0..rolls {
        if record.position().is_over() {
            break;
        }
        let roll = random.roll(game, kept);
        left -= 1;
        record.roll(roll).unwrap();
        match player(&mut random, record.position().card(), &roll, left) {
            Action::Keep(keep) => {
                record.keep(keep).unwrap();
                kept = keep;
            }
            Action::Score(entry) => {
                assert_eq!(record.score(entry.into), Ok(entry));
                (kept, left) = (Keep::NOTHING, game.rules().rolls());
            }
        }
    }
    record
}
