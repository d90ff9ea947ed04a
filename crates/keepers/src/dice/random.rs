//! Random numbers and unbiased dice from a seed.
//!
//! The generator is ChaCha with 8 rounds. A seed and a stream number give the same numbers on every machine. So games
//! can be repeated, and the result does not depend on which thread plays which game.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::dice::Lattice;

/// A reproducible source of random numbers.
///
/// ```
/// use keepers::RandomStream;
/// let (mut once, mut again) = (RandomStream::new(7, 0), RandomStream::new(7, 0));
/// assert_eq!(once.below(6), again.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct RandomStream(ChaCha8Rng);

impl RandomStream {
    /// Starts a stream of a seed. The streams of one seed are independent of each other.
    pub fn new(seed: u64, stream: u64) -> RandomStream {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        RandomStream(generator)
    }

    /// Returns an integer from 0 to `bound - 1`, all with exactly the same probability.
    ///
    /// The upper half of a random word times the bound is the result. The few words that would make some results more
    /// likely than others are rejected, and another word is drawn (Lemire, 2019).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            if let Some(number) = scaled(self.0.next_u32(), bound) {
                return number;
            }
        }
    }

    /// Returns a number from 0 up to but not including 1, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Scales a random word down to a number below the bound. Returns `None` if the word must be rejected.
#[inline]
fn scaled(word: u32, bound: u32) -> Option<u32> {
    let product = u64::from(word) * u64::from(bound);
    let (number, rest) = ((product >> 32) as u32, product as u32);
    (rest >= bound || rest >= bound.wrapping_neg() % bound).then_some(number)
}

/// The dice of one player in one game. Every roll of every turn has its own word in the stream, whatever was kept
/// before. So two players with the same stream roll the same dice as long as they keep the same dice, and a turn can be
/// replayed without the turns before it.
#[derive(Clone, Debug)]
pub struct GameDice {
    generator: ChaCha8Rng,
    rolls_in_turn: u64,
    /// The position in the stream: the number of words before the next one.
    drawn: u64,
}

/// The stream position from which rejected words are replaced: far beyond the last turn of any game.
const REPLACEMENTS: u64 = 1 << 32;

impl GameDice {
    /// Starts the dice of a stream of a seed, before the first turn.
    pub fn new(seed: u64, stream: u64, rolls_in_turn: u8) -> GameDice {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        GameDice { generator, rolls_in_turn: rolls_in_turn.into(), drawn: 0 }
    }

    /// Starts another game of the same seed.
    pub fn restart(&mut self, stream: u64) {
        self.generator.set_stream(stream);
        self.go_to(0);
    }

    /// Moves to the first word of a turn. Turns are counted from 0.
    #[inline]
    pub fn start_turn(&mut self, turn: usize) {
        let first = turn as u64 * self.rolls_in_turn;
        if (self.drawn..=self.drawn + self.rolls_in_turn).contains(&first) {
            while self.drawn < first {
                self.generator.next_u32();
                self.drawn += 1;
            }
        } else {
            self.go_to(first);
        }
    }

    fn go_to(&mut self, word: u64) {
        self.generator.set_word_pos(word.into());
        self.drawn = word;
    }

    /// Rolls all dice that are not kept. Takes the index of the keep and returns the index of the roll.
    #[inline]
    pub fn throw(&mut self, throws: &RerollTable, keep: u16) -> u16 {
        let word = self.generator.next_u32();
        self.drawn += 1;
        let rolls = throws.of(keep);
        match scaled(word, rolls.len() as u32) {
            Some(number) => rolls[number as usize],
            None => rolls[self.replacement(rolls.len() as u32) as usize],
        }
    }

    #[cold]
    fn replacement(&mut self, bound: u32) -> u32 {
        let here = self.drawn;
        self.go_to(REPLACEMENTS + here * 64);
        let number = loop {
            if let Some(number) = scaled(self.generator.next_u32(), bound) {
                break number;
            }
        };
        self.go_to(here);
        number
    }
}

/// All outcomes of rolling the dice that are not kept: for each keep, the resulting roll for every order in which the
/// other dice can fall.
#[derive(Clone, Debug)]
pub struct RerollTable {
    /// For each keep, the start of its rolls in `rolls`, and their number.
    of_keep: Vec<(u32, u32)>,
    rolls: Vec<u16>,
}

impl RerollTable {
    /// Lists the outcomes of every keep of a lattice.
    pub fn new(lattice: &Lattice) -> RerollTable {
        let mut rolls: Vec<u16> = Vec::new();
        let of_keep = (0..lattice.keeps().len()).map(|k| {
            let start = rolls.len() as u32;
            let mut fallen = vec![k as u16];
            for _ in lattice.keeps()[k].len()..lattice.dice() as usize {
                let with_next_die =
                    |&k: &u16| lattice.with_die()[k as usize].into_iter().take(lattice.faces() as usize);
                fallen = fallen.iter().flat_map(with_next_die).collect();
            }
            rolls.extend(&fallen);
            (start, fallen.len() as u32)
        });
        let of_keep = of_keep.collect();
        RerollTable { of_keep, rolls }
    }

    /// Returns the rolls that can follow a keep, one for every order in which the other dice can fall.
    #[inline]
    pub fn of(&self, keep: u16) -> &[u16] {
        let (start, orders) = self.of_keep[keep as usize];
        &self.rolls[start as usize..(start + orders) as usize]
    }

    /// Rolls all dice that are not kept. Takes the index of the keep and returns the index of the roll.
    #[inline]
    pub fn throw(&self, keep: u16, random: &mut RandomStream) -> u16 {
        let rolls = self.of(keep);
        if rolls.len() == 1 { keep } else { rolls[random.below(rolls.len() as u32) as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_million_dice_pass_a_chi_square_test() {
        let lattice = Lattice::new(5, 6);
        let throws = RerollTable::new(&lattice);
        let mut dice = GameDice::new(2026, 0, 3);
        let mut seen = vec![0_u64; lattice.keeps().len()];
        let all = 12_000_000;
        for stream in 0..all as u64 / 1000 {
            dice.restart(stream);
            for _ in 0..1000 {
                seen[dice.throw(&throws, 0) as usize] += 1;
            }
        }
        let mut faces = [0_u64; 6];
        let mut by_roll = 0.0;
        for roll in lattice.rolls() {
            let keep = &lattice.keeps()[roll];
            keep.faces().for_each(|face| faces[face.index()] += seen[roll]);
            let expected = f64::from(all) * f64::from(keep.orders()) / 7776.0;
            by_roll += (seen[roll] as f64 - expected).powi(2) / expected;
        }
        let by_face: f64 = faces
            .iter()
            .map(|&n| (n as f64 - f64::from(all) * 5.0 / 6.0).powi(2) / (f64::from(all) * 5.0 / 6.0))
            .sum();
        // With 5 and 251 degrees of freedom, larger values have a probability of about 1 in 10,000.
        assert!(by_face < 25.7, "{by_face}");
        assert!(by_roll < 340.0, "{by_roll}");
    }

    #[test]
    fn a_throw_keeps_what_is_kept() {
        let lattice = Lattice::new(5, 6);
        let throws = RerollTable::new(&lattice);
        let mut random = RandomStream::new(1, 1);
        for (k, keep) in lattice.keeps().iter().enumerate() {
            for _ in 0..20 {
                let roll = throws.throw(k as u16, &mut random) as usize;
                assert!(lattice.rolls().contains(&roll) && keep.is_within(&lattice.keeps()[roll]));
            }
        }
    }

    #[test]
    fn a_turn_has_the_same_dice_whatever_came_before() {
        let throws = RerollTable::new(&Lattice::new(5, 6));
        let mut once = GameDice::new(5, 17, 3);
        let mut again = once.clone();
        let turns: Vec<u16> = (0..13)
            .map(|turn| {
                once.start_turn(turn);
                (0..turn % 3).for_each(|_| _ = once.throw(&throws, 0));
                once.throw(&throws, 0)
            })
            .collect();
        for turn in [12, 3, 4, 0, 7] {
            again.start_turn(turn);
            (0..turn % 3).for_each(|_| _ = again.throw(&throws, 0));
            assert_eq!(again.throw(&throws, 0), turns[turn]);
        }
    }

    #[test]
    fn exactly_the_surplus_words_are_rejected() {
        for bound in [3_u64, 6, 36, 7776] {
            let kept =
                (0..bound).filter(|n| scaled((n << 32).div_ceil(bound) as u32, bound as u32).is_some());
            // For each number, only the word with the smallest remainder can be rejected.
            let refused = bound - kept.count() as u64;
            assert_eq!(refused, (1_u64 << 32) % bound, "{bound}");
        }
    }

    #[test]
    fn all_numbers_below_a_bound_are_equally_frequent() {
        let mut random = RandomStream::new(3, 0);
        for bound in [1, 2, 3, 7, 1000] {
            let mut seen = vec![0_u32; bound as usize];
            for _ in 0..bound * 2000 {
                seen[random.below(bound) as usize] += 1;
            }
            assert!(seen.iter().all(|n| (1700..2300).contains(n)), "{bound}: {seen:?}");
        }
    }
}
