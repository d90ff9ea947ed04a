//! Pawlewicz (2010), section 4.1: readings of the mean 264.449 that need a solve of their own. Other jokers, single
//! precision, and coarse arithmetic in the solver; and the sizes of the tables that the paper states.

use std::ops::{Add, Div, Mul, Sub};

use bytemuck::{Pod, Zeroable};
use keepers::internals::Work;
use keepers::internals::solve::{ReachCurves, reach_curves, reach_curves_in};
use keepers::internals::turn::Number;
use keepers::{Game, Observer};

use crate::run::Run;

/// A number whose arithmetic is that of double precision, except that means are truncated: the values of states to
/// multiples of 1 / `STATES`, and means over a die to multiples of 1 / `DICE`, if that is not 0.
///
/// In a turn, the mean over a die is a product with a factor below 1, and the mean over the first roll, which is the value
/// of the state, is a quotient by the number of all rolls.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Pod, Zeroable)]
#[repr(transparent)]
struct Coarse<const STATES: u32, const DICE: u32>(f64);

/// The values of states have 16 binary digits.
type SixteenBits = Coarse<65_536, 0>;

/// All means have six decimals.
type SixDecimals = Coarse<1_000_000, 1_000_000>;

fn truncated(value: f64, units: u32) -> f64 {
    if units == 0 { value } else { (value * f64::from(units)).floor() / f64::from(units) }
}

impl<const STATES: u32, const DICE: u32> Add for Coarse<STATES, DICE> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Coarse(self.0 + other.0)
    }
}

impl<const STATES: u32, const DICE: u32> Sub for Coarse<STATES, DICE> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Coarse(self.0 - other.0)
    }
}

impl<const STATES: u32, const DICE: u32> Mul for Coarse<STATES, DICE> {
    type Output = Self;
    fn mul(self, factor: Self) -> Self {
        let product = self.0 * factor.0;
        Coarse(if factor.0 < 1.0 { truncated(product, DICE) } else { product })
    }
}

impl<const STATES: u32, const DICE: u32> Div for Coarse<STATES, DICE> {
    type Output = Self;
    fn div(self, divisor: Self) -> Self {
        let quotient = self.0 / divisor.0;
        // The share of a face, 1/6, stays as it is.
        Coarse(if divisor.0 > 6.0 { truncated(quotient, STATES) } else { quotient })
    }
}

impl<const STATES: u32, const DICE: u32> From<f32> for Coarse<STATES, DICE> {
    fn from(value: f32) -> Self {
        Coarse(f64::from(value))
    }
}

impl<const STATES: u32, const DICE: u32> From<Coarse<STATES, DICE>> for f64 {
    fn from(value: Coarse<STATES, DICE>) -> f64 {
        value.0
    }
}

impl<const STATES: u32, const DICE: u32> Number for Coarse<STATES, DICE> {
    fn nearest(value: f64) -> Self {
        Coarse(value)
    }
}

/// What a reading gives: the mean of the curve at the start, the highest score, and the probabilities in all curves that are
/// neither 0 nor 1, and those of at least 1e-9 and 1e-6.
type Reading = [f64; 5];

fn reading<T: Number>(game: &Game, curves: &ReachCurves<T>) -> Reading {
    let start = curves.curve(game.space().states() - 1);
    // Scores below `first` are certain, and a score of 0 adds nothing.
    let mean = f64::from(start.first) - 1.0 + start.cells.iter().map(|p| (*p).into()).sum::<f64>();
    let at_least = |least: f64| curves.cells().iter().filter(|p| (**p).into() >= least).count() as f64;
    [mean, f64::from(start.most()), curves.cells().len() as f64, at_least(1e-9), at_least(1e-6)]
}

/// The readings, by their names.
const READINGS: [(&str, &str); 6] = [
    ("used", "yahtzee-used-joker"),
    ("free", "yahtzee-free-joker"),
    ("forced", "yahtzee"),
    ("single", "yahtzee"),
    ("states-16-bits", "yahtzee-used-joker"),
    ("dice-6-decimals", "yahtzee-used-joker"),
];

fn solved(name: &str, game: &Game, observer: &dyn Observer) -> anyhow::Result<Reading> {
    let work = Work::new(observer, format!("solving the curves of the reading {name}"));
    Ok(match name {
        "single" => reading(game, &reach_curves(game, &work)?),
        "states-16-bits" => reading(game, &reach_curves_in::<SixteenBits, 8>(game, &work)?),
        "dice-6-decimals" => reading(game, &reach_curves_in::<SixDecimals, 8>(game, &work)?),
        _ => reading(game, &reach_curves_in::<f64, 8>(game, &work)?),
    })
}

/// Readings of the printed mean that need a solve of their own.
pub(crate) fn readings(run: &mut Run<'_>) -> anyhow::Result<()> {
    let games = READINGS.map(|(_, rules)| run.game(rules));
    let games = games.into_iter().collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<Reading> = run.parts(READINGS.len() as u64, |run, nth| {
        let nth = nth as usize;
        solved(READINGS[nth].0, &games[nth], run.observer)
    })?;
    for ((name, _), [mean, highest, cells, above_9, above_6]) in READINGS.iter().zip(&parts) {
        run.exact(format!("mean-{name}"), *mean);
        run.exact(format!("highest-{name}"), *highest);
        let gib = |cells: f64| cells * 8.0 / f64::from(1 << 30);
        run.exact(format!("gib-{name}"), gib(*cells));
        if *name == "used" {
            run.exact("probabilities", *cells);
            run.exact("gib-above-9", gib(*above_9));
            run.exact("gib-above-6", gib(*above_6));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_arithmetic_lowers_the_curve_of_a_small_game() {
        let game = Game::preset("yacht").unwrap();
        let [exact, states, dice] = ["used", "states-16-bits", "dice-6-decimals"]
            .map(|name| solved(name, &game, &keepers::Silent).unwrap());
        let odds = keepers::Engine::in_memory().precise_reach(&game.empty_card()).unwrap();
        let sum: f64 = (1..=300).map(|score| odds.at_least(score)).sum();
        assert!((exact[0] - sum).abs() < 1e-9, "{} is not {sum}", exact[0]);
        assert!(states[0] < dice[0] && dice[0] < exact[0], "{states:?} {dice:?} {exact:?}");
        assert!(exact[0] - states[0] < 1.0 && states[1] < exact[1], "{states:?} {exact:?}");
    }
}
