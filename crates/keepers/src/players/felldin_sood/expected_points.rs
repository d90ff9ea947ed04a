//! The expected points of a box from a keep: the points of each outcome, weighted by equations 3 and 4.

use super::beneficial::{at_least, probability_of};
use crate::dice::{Face, Keep, Lattice};
use crate::game::rules::{Pattern, Pays};

/// Returns, for each keep of the lattice, the expected points of a box if all of `rerolls` rerolls serve that box.
pub(super) fn expected_points(pattern: &Pattern, lattice: &Lattice, rerolls: u8) -> Vec<f64> {
    match pattern {
        Pattern::Face(face) => upper_box_points(*face, lattice, rerolls),
        Pattern::Chance => {
            let fresh = fresh_die(lattice.faces(), rerolls);
            let sum = |keep| f64::from(Keep::sum(keep)) + f64::from(rolled(lattice, keep)) * fresh;
            lattice.keeps().iter().map(sum).collect()
        }
        // The rerolls serve the better of both patterns.
        Pattern::Fallback { first, otherwise } => {
            let [first, otherwise] =
                [first, otherwise].map(|pattern| expected_points(pattern, lattice, rerolls));
            first.iter().zip(&otherwise).map(|(first, otherwise)| first.max(*otherwise)).collect()
        }
        Pattern::Sets { pays, .. } | Pattern::Straight { pays, .. } => {
            let all_dice_count = *pays == Pays::All;
            Distances::new(pattern, all_dice_count, lattice, rerolls).expected_points(lattice, rerolls)
        }
    }
}

/// Returns the number of dice that are rolled with this keep.
fn rolled(lattice: &Lattice, keep: &Keep) -> u8 {
    lattice.dice() - keep.len() as u8
}

/// Returns the expected points of an upper box. The dice that show its face are beneficial.
fn upper_box_points(face: Face, lattice: &Lattice, rerolls: u8) -> Vec<f64> {
    let p = 1.0 / f64::from(lattice.faces());
    let expected = |keep: &Keep| {
        let (have, most) = (keep.count(face), keep.count(face) + rolled(lattice, keep));
        let points = |count| f64::from(count) * f64::from(face.pips());
        (have..=most).map(|count| probability_of(most, have, count, p, rerolls) * points(count)).sum()
    };
    lattice.keeps().iter().map(expected).collect()
}

/// Returns the expected pips of a die that is rolled only for its pips. The faces above the mean are beneficial.
fn fresh_die(faces: u8, rerolls: u8) -> f64 {
    let (low, high): (Vec<u8>, Vec<u8>) = (1..=faces).partition(|pips| 2 * pips <= faces + 1);
    let mean = |pips: &[u8]| pips.iter().map(|&pips| f64::from(pips)).sum::<f64>() / pips.len().max(1) as f64;
    let hit = probability_of(1, 0, 1, high.len() as f64 / f64::from(faces), rerolls);
    hit * mean(&high) + (1.0 - hit) * mean(&low)
}

/// For each keep, the distance to the condition of a box. A die that reduces it is beneficial.
struct Distances {
    /// The number of dice still needed; `None` if the keep leaves too few dice.
    need: Vec<Option<u8>>,
    /// The probability that the next `need` dice are all beneficial.
    no_miss: Vec<f64>,
    /// The expected points of the box in that case.
    pays: Vec<f64>,
}

impl Distances {
    fn new(pattern: &Pattern, all_dice_count: bool, lattice: &Lattice, rerolls: u8) -> Distances {
        let keeps = lattice.keeps();
        let fresh = if all_dice_count { fresh_die(lattice.faces(), rerolls) } else { 0.0 };
        let mut of = Distances {
            need: vec![None; keeps.len()],
            no_miss: vec![0.0; keeps.len()],
            pays: vec![0.0; keeps.len()],
        };
        for (k, keep) in keeps.iter().enumerate().rev() {
            let points = pattern.points(keep);
            if points > 0 {
                of.need[k] = Some(0);
                of.no_miss[k] = 1.0;
                of.pays[k] = f64::from(points) + f64::from(rolled(lattice, keep)) * fresh;
            } else if let Some(next) = lattice.with_die().get(k) {
                of.step_back(k, &next[..lattice.faces() as usize]);
            }
        }
        of
    }

    /// Computes keep `k` from the keeps with one die more.
    fn step_back(&mut self, k: usize, next: &[u16]) {
        let Some(nearest) = next.iter().filter_map(|&k| self.need[k as usize]).min() else { return };
        self.need[k] = Some(nearest + 1);
        let mut ways = 0.0;
        for nearer in next.iter().map(|&k| k as usize) {
            if self.need[nearer] == Some(nearest) {
                ways += self.no_miss[nearer];
                self.pays[k] += self.no_miss[nearer] * self.pays[nearer];
            }
        }
        self.pays[k] /= ways;
        self.no_miss[k] = ways / next.len() as f64;
    }

    /// Returns the expected points for each keep.
    ///
    /// The equations use one probability `p` for every die, but the number of faces that a straight or a full house
    /// still needs decreases from die to die. So `p` is the geometric mean: `p` to the power of `need` is the
    /// probability that all needed dice help. For equal dice it is 1/6, as in the thesis; if no die may miss, the result
    /// is exact for every box.
    fn expected_points(&self, lattice: &Lattice, rerolls: u8) -> Vec<f64> {
        let expected = |(k, keep): (usize, &Keep)| {
            let Some(need) = self.need[k] else { return 0.0 };
            let p = libm::pow(self.no_miss[k], 1.0 / f64::from(need.max(1)));
            at_least(need, rolled(lattice, keep), p, rerolls) * self.pays[k]
        };
        lattice.keeps().iter().enumerate().map(expected).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::Rules;

    /// Returns the expected points of a box of classic Yahtzee.
    fn points(id: &str, keep: &str, rerolls: u8) -> f64 {
        let rules = Rules::preset("classic").unwrap();
        let lattice = Lattice::new(5, 6);
        let pattern = &rules.boxes()[rules.box_by_id(id).unwrap()].pattern;
        expected_points(pattern, &lattice, rerolls)[lattice.index_of(&keep.parse().unwrap())]
    }

    fn assert_close(found: f64, by_hand: f64) {
        assert!((found - by_hand).abs() < 1e-9, "{found}, not {by_hand}");
    }

    #[test]
    fn one_reroll_by_hand() {
        assert_close(points("6", "66", 1), 6.0 * (2.0 + 3.0 / 6.0));
        assert_close(points("y", "3333", 1), 50.0 / 6.0);
        assert_close(points("y", "333", 1), 50.0 / 36.0);
        // Three of a kind from a pair of fives: at least one more five in three dice; the other two dice average 3 1/2.
        let hit = 1.0 - (5.0_f64 / 6.0).powi(3);
        assert_close(points("3k", "55", 1), hit * 22.0);
        assert_close(points("3k", "55566", 1), 27.0);
        assert_close(points("ch", "66", 1), 12.0 + 3.0 * 3.5);
    }

    #[test]
    fn two_rerolls_by_hand() {
        // In two rerolls a die misses a given face with probability 25/36, and a face above the mean with probability
        // 1/4.
        assert_close(points("6", "66", 2), 6.0 * (2.0 + 3.0 * 11.0 / 36.0));
        assert_close(points("y", "333", 2), 50.0 * (11.0_f64 / 36.0).powi(2));
        assert_close(points("ch", "66", 2), 12.0 + 3.0 * (0.75 * 5.0 + 0.25 * 2.0));
        assert_close(points("ls", "2345", 2), 40.0 * (1.0 - (4.0_f64 / 6.0).powi(2)));
    }

    #[test]
    fn straights_and_full_houses_count_every_way_to_complete_them() {
        assert_close(points("ls", "2345", 1), 40.0 * 2.0 / 6.0);
        assert_close(points("ls", "1345", 1), 40.0 / 6.0);
        // From 345: 1 and 2, 2 and 6, in either order.
        assert_close(points("ls", "345", 1), 40.0 * 4.0 / 36.0);
        assert_close(points("ss", "345", 1), 30.0 * (1.0 - (4.0_f64 / 6.0).powi(2)));
        assert_close(points("fh", "3355", 1), 25.0 * 2.0 / 6.0);
        assert_close(points("fh", "3335", 1), 25.0 / 6.0);
        // From 335: 3 then 5, 5 then 3 or 5.
        assert_close(points("fh", "335", 1), 25.0 * 3.0 / 36.0);
    }

    #[test]
    fn what_the_dice_cannot_make_has_no_points() {
        assert_close(points("ls", "335", 2), 0.0);
        assert_close(points("y", "12", 2), 0.0);
        assert_close(points("fh", "33333", 2), 0.0);
    }
}
