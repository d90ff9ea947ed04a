//! Chance: unbiased dice from a seed.
//!
//! The generator is ChaCha with 8 rounds. A seed and a stream number give the same numbers on every machine, so
//! that a game can be repeated, and games can be shared out among threads in any way.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::dice::Lattice;

/// A source of random numbers.
///
/// ```
/// use keepers::random::Chance;
/// let (mut once, mut again) = (Chance::new(7, 0), Chance::new(7, 0));
/// assert_eq!(once.below(6), again.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The numbers of a seed and a stream; streams of one seed are independent of each other.
    pub fn new(seed: u64, stream: u64) -> Chance {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Chance(generator)
    }

    /// The same seed, from the start of another stream.
    pub fn restart(&mut self, stream: u64) {
        self.0.set_stream(stream);
        self.0.set_word_pos(0);
    }

    /// A whole number from 0 to `bound - 1`, each exactly as likely as the others.
    ///
    /// A word times the bound has the number in its upper half; the few words by which some numbers
    /// would have one more than others are drawn again (Lemire, 2019).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let surplus = bound.wrapping_neg() % bound;
            while (product as u32) < surplus {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A number from 0 up to but not including 1, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What comes of rolling the dice that are not kept: for each keep every order in which they can fall,
/// each with the roll that it makes.
#[derive(Clone, Debug)]
pub struct Throws {
    /// For each keep, where its rolls start, and how many there are.
    of_keep: Vec<(u32, u32)>,
    rolls: Vec<u16>,
}

impl Throws {
    /// The throws of a lattice.
    pub fn new(lattice: &Lattice) -> Throws {
        let mut rolls: Vec<u16> = Vec::new();
        let of_keep = (0..lattice.keeps().len()).map(|k| {
            let start = rolls.len() as u32;
            let mut fallen = vec![k as u16];
            for _ in lattice.keeps()[k].len()..lattice.dice() as usize {
                let with_next_die =
                    |&k: &u16| lattice.more()[k as usize].into_iter().take(lattice.faces() as usize);
                fallen = fallen.iter().flat_map(with_next_die).collect();
            }
            rolls.extend(&fallen);
            (start, fallen.len() as u32)
        });
        let of_keep = of_keep.collect();
        Throws { of_keep, rolls }
    }

    /// Rolls all dice but the kept ones; both are indices in the lattice.
    #[inline]
    pub fn throw(&self, keep: u16, chance: &mut Chance) -> u16 {
        let (start, orders) = self.of_keep[keep as usize];
        if orders == 1 { keep } else { self.rolls[(start + chance.below(orders)) as usize] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_million_dice_pass_a_chi_square_test() {
        let lattice = Lattice::new(5, 6);
        let throws = Throws::new(&lattice);
        let mut chance = Chance::new(2026, 0);
        let mut seen = vec![0_u64; lattice.keeps().len()];
        let all = 12_000_000;
        for _ in 0..all {
            seen[throws.throw(0, &mut chance) as usize] += 1;
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
        // With 5 and 251 degrees of freedom, larger values come once in ten thousand tries.
        assert!(by_face < 25.7, "{by_face}");
        assert!(by_roll < 340.0, "{by_roll}");
    }

    #[test]
    fn a_throw_keeps_what_is_kept() {
        let lattice = Lattice::new(5, 6);
        let throws = Throws::new(&lattice);
        let mut chance = Chance::new(1, 1);
        for (k, keep) in lattice.keeps().iter().enumerate() {
            for _ in 0..20 {
                let roll = throws.throw(k as u16, &mut chance) as usize;
                assert!(lattice.rolls().contains(&roll) && keep.is_within(&lattice.keeps()[roll]));
            }
        }
    }

    #[test]
    fn every_bound_is_met_evenly() {
        let mut chance = Chance::new(3, 0);
        for bound in [1, 2, 3, 7, 1000] {
            let mut seen = vec![0_u32; bound as usize];
            for _ in 0..bound * 2000 {
                seen[chance.below(bound) as usize] += 1;
            }
            assert!(seen.iter().all(|n| (1700..2300).contains(n)), "{bound}: {seen:?}");
        }
    }
}
