//! What the answers about a card cost before they are computed: the time and the memory of tables that have to be solved.

use std::slice;
use std::time::Duration;

use super::Engine;
use super::error::Error;
use super::goal::Goal;
use crate::analysis::kernel_speed::seconds_per_turn;
use crate::game::card::Card;
use crate::parallel::threads;
use crate::solve;
use crate::turn::LANES;

/// The estimated cost of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// The seconds until all tables are solved, on all threads of the current pool.
    pub seconds: f64,
    /// The memory of the largest table, in bytes.
    pub bytes: usize,
}

/// The time for which turns are measured. Browsers optimise code while it runs, so there a first measurement is dropped.
const MEASURING_TIME: Duration = Duration::from_millis(if IN_BROWSER { 60 } else { 20 });
const IN_BROWSER: bool = cfg!(target_family = "wasm");

/// A row of a solve takes this many times as long as a measured one, whose values are always in the first cache.
const UNCACHED: f64 = 1.4;

/// The exact statistics of the expected-score strategy take this many times as long as its expected scores.
const STATISTICS: usize = 18;

/// The exact statistics of a strategy for a utility count as this many tables. They take 1.3 times as long as the table for
/// Yahtzee, and 2.2 times for Yatzy; but turns with few open boxes are compiled, so tables take less than their estimates.
const UTILITY_STATISTICS: usize = 1;

impl Engine<'_> {
    /// Estimates the cost of the first answer about a card: the tables that have to be solved for it, and not those that are in
    /// memory or stored. The estimate takes some 20 ms, and a second for games as large as Maxi Yatzy.
    ///
    /// ```
    /// use keepers::{Engine, Game, Goal};
    /// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
    /// let card = game.empty_card();
    /// let before = engine.cost(&card, &Goal::Target(150))?;
    /// assert!(before.bytes > 1_000_000 && before.seconds > 0.0);
    /// engine.reach(&card)?;
    /// assert_eq!(engine.cost(&card, &Goal::Target(150))?.bytes, 0);
    /// # Ok::<(), keepers::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the call is cancelled, or if an allocation fails.
    pub fn cost(&self, card: &Card, goal: &Goal) -> Result<Cost, Error> {
        let game = card.game();
        match goal {
            Goal::Score if self.knows_expected(game) => Ok(Cost::default()),
            Goal::Score => {
                self.cost_of(card, game.space().states().div_ceil(LANES), LANES * size_of::<f64>())
            }
            Goal::Target(_) => self.cost_of_reach(slice::from_ref(card)),
            Goal::Utility(utility) if self.knows_utility(card, utility) => Ok(Cost::default()),
            Goal::Utility(_) => {
                let counting = self.work(format!("counting the values of {}", game.rules().name()));
                let cells = solve::utility_cells(game, card, &counting)?;
                self.cost_of(card, cells.div_ceil(LANES), LANES * size_of::<f64>())
            }
        }
    }

    /// Estimates the cost of the opponents' scores in a tournament, which [`Engine::goal`] computes.
    ///
    /// # Errors
    /// If the call is cancelled.
    pub fn cost_of_opponents(&self, card: &Card) -> Result<Cost, Error> {
        if self.knows_opponents(card.game()) {
            return Ok(Cost::default());
        }
        let rows = card.game().space().states().div_ceil(LANES);
        self.cost_of(card, rows * STATISTICS, LANES * size_of::<f64>() / STATISTICS)
    }

    /// Estimates the cost of the exact statistics of the best strategy for a goal ([`Engine::distribution`]), with the tables
    /// that have to be solved first.
    ///
    /// # Errors
    /// If the target is out of reach from the card, if the call is cancelled, or if an allocation fails.
    pub fn cost_of_distribution(&self, card: &Card, goal: &Goal) -> Result<Cost, Error> {
        let game = card.game();
        let Some(utility) = goal.utility(game, card)? else {
            return Ok(self.cost(card, goal)?.and(self.cost_of_opponents(card)?));
        };
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let rows = solve::utility_cells(game, card, &counting)?.div_ceil(LANES);
        let row_bytes = LANES * size_of::<f64>();
        let tables = usize::from(!self.knows_utility(card, &utility));
        let parts = tables + UTILITY_STATISTICS;
        // The masses of the statistics are as large as the table.
        let Cost { seconds, .. } = self.cost_of(card, rows * parts, row_bytes)?;
        Ok(Cost { seconds, bytes: rows * row_bytes })
    }

    /// Estimates the cost of the reach curves of some cards, which estimates of positions of several players need.
    ///
    /// # Errors
    /// If the call is cancelled, or if an allocation fails.
    pub fn cost_of_reach(&self, cards: &[Card]) -> Result<Cost, Error> {
        let Some(first) = cards.first() else { return Ok(Cost::default()) };
        let game = first.game();
        if self.knows_reach(game) || self.cached_reach_from(cards).is_some() {
            return Ok(Cost::default());
        }
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let states = self.states_to_solve(cards)?;
        let cells = solve::reach_cells(game, &states, usize::MAX, &counting)?;
        self.cost_of(first, cells.div_ceil(2 * LANES), 2 * LANES * size_of::<f32>())
    }

    /// Returns the cost of this many rows of this many bytes, by the measured speed of turns.
    fn cost_of(&self, card: &Card, rows: usize, row_bytes: usize) -> Result<Cost, Error> {
        let measuring = self.work("measuring turns");
        if IN_BROWSER {
            seconds_per_turn(card.game(), MEASURING_TIME, &measuring)?;
        }
        let seconds = seconds_per_turn(card.game(), MEASURING_TIME, &measuring)?;
        let mean = seconds.iter().sum::<f64>() / (seconds.len() - 1).max(1) as f64;
        Ok(Cost { seconds: UNCACHED * mean * rows as f64 / threads() as f64, bytes: rows * row_bytes })
    }
}

impl Cost {
    /// Returns the cost of doing both, one after the other.
    #[must_use]
    pub fn and(self, other: Cost) -> Cost {
        Cost { seconds: self.seconds + other.seconds, bytes: self.bytes.max(other.bytes) }
    }
}
