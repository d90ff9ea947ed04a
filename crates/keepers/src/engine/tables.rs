//! The tables of the engine: in memory, from the store, or solved now.

use std::sync::Arc;

use super::Engine;
use super::cache::Key;
use super::error::Error;
use super::goal::check_target;
use crate::analysis::evaluate::{Statistics, evaluate_expected};
use crate::analysis::value::UtilityValue;
use crate::game::Game;
use crate::game::card::Card;
use crate::solve;
use crate::tables::{ExpectedTable, ReachTable};

/// The size of exact statistics.
const STATISTICS_BYTES: usize = 1 << 20;

impl Engine<'_> {
    /// The best expected scores of a game.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    pub fn expected_table(&self, game: &Game) -> Result<Arc<ExpectedTable>, Error> {
        let key = Key::Expected(*game.fingerprint());
        let fits = |table: &ExpectedTable| table.is_unchanged();
        let table = self.remembered(&key, fits, |engine| {
            let table = match engine.store().known_expected(game, engine.observer) {
                Some(table) => table,
                None => engine.solve_expected(game)?,
            };
            let bytes = table.bytes();
            Ok((Arc::new(table), bytes))
        });
        self.pass_on_notices();
        table
    }

    /// Solves a game for the best expected score, even if its table is known, and keeps the table.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    pub fn solve_expected(&self, game: &Game) -> Result<ExpectedTable, Error> {
        let bytes = game.space().states() * size_of::<f64>();
        self.check_size(game, "expected scores", bytes)?;
        let _reserved = self.reserve(bytes)?;
        Ok(self.store().solve_expected(game, self.observer)?)
    }

    /// The reach curves of a game.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn reach_table(&self, game: &Game) -> Result<Arc<ReachTable>, Error> {
        let key = Key::Reach(*game.fingerprint());
        let fits = |table: &ReachTable| table.is_unchanged();
        let table = self.remembered(&key, fits, |engine| {
            let table = match engine.store().known_reach(game, engine.observer) {
                Some(table) => table,
                None => {
                    let solved = engine.solve_reach(game)?;
                    // Mapped from its file, it takes no memory that others could use.
                    engine.store().known_reach(game, engine.observer).unwrap_or(solved)
                }
            };
            let bytes = table.bytes();
            Ok((Arc::new(table), bytes))
        });
        self.pass_on_notices();
        table
    }

    /// Solves a game for every score, even if its curves are known, and keeps them.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn solve_reach(&self, game: &Game) -> Result<ReachTable, Error> {
        let bytes = self.check_reach_size(game, "reach curves", size_of::<f32>())?;
        let _reserved = self.reserve(bytes)?;
        Ok(self.store().solve_reach(game, self.observer)?)
    }

    /// The reach curves for a target, which is refused before anything is solved if it is out of reach.
    pub(super) fn reach_for(&self, card: &Card, target: u16) -> Result<Arc<ReachTable>, Error> {
        let game = card.game();
        let fingerprint = *game.fingerprint();
        let known = |key: &Key, _: &ReachTable| *key == Key::Reach(fingerprint);
        let in_memory = self.shared.cache.find(known).is_some();
        if !in_memory
            && !self.observer.is_cancelled()
            && self.store().known_reach(game, self.observer).is_none()
        {
            check_target(target, solve::max_points(game, card))?;
        }
        let table = self.reach_table(game)?;
        check_target(target, card.total() + table.of(card).most())?;
        Ok(table)
    }

    /// The exact statistics of the best expected score from the empty card.
    ///
    /// # Errors
    /// If they take too much memory, or if the call is cancelled.
    pub fn expected_statistics(&self, game: &Game) -> Result<Arc<Statistics>, Error> {
        let key = Key::Statistics(*game.fingerprint());
        self.remembered(
            &key,
            |_| true,
            |engine| {
                let statistics = engine.score_statistics(&Card::empty(game))?;
                Ok((Arc::new(statistics), STATISTICS_BYTES))
            },
        )
    }

    /// The exact statistics of the best expected score, from a card on.
    pub(super) fn score_statistics(&self, card: &Card) -> Result<Statistics, Error> {
        let game = card.game();
        let table = self.expected_table(game)?;
        let bytes = self.check_statistics_size(card)?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work("following the strategy expected");
        Ok(evaluate_expected(&table, card, &work)?)
    }

    /// The best expected utility of the final score, solved for this card or for an earlier one of the same game.
    ///
    /// # Errors
    /// If the values are too large, or if the call is cancelled.
    pub fn utility_table(&self, card: &Card, utility: &[f64]) -> Result<Arc<UtilityValue>, Error> {
        let game = card.game();
        let (rules, worth) = (*game.fingerprint(), fingerprint(utility));
        let serves = |key: &Key, best: &UtilityValue| {
            matches!(key, Key::Utility { rules: r, worth: w, .. } if *r == rules && *w == worth)
                && best.knows(card)
        };
        if let Some(best) = self.shared.cache.find(serves) {
            return Ok(best);
        }
        let key = Key::Utility { rules, worth, card: card.to_string() };
        self.remembered(
            &key,
            |_| true,
            |engine| {
                let name = game.rules().name();
                let counting = engine.work(format!("counting the values of {name}"));
                let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
                engine.check_size(game, "values of all scores", bytes)?;
                let _reserved = engine.reserve(bytes)?;
                let work = engine.work(format!("solving {name} for the utility of scores"));
                let table = Arc::new(solve::best_utility(game, card, utility, &work)?);
                let bytes = table.bytes();
                Ok((Arc::new(UtilityValue { game: game.clone(), table }), bytes))
            },
        )
    }

    /// Refuses what does not fit into memory.
    pub(super) fn check_size(&self, game: &Game, what: &'static str, bytes: usize) -> Result<(), Error> {
        let limit = self.shared.budget.bytes();
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::TooLarge { what, game: game.rules().name().to_string(), bytes, limit })
    }

    /// The bytes of the reach curves of a game with cells of this size, unless they are too large.
    pub(super) fn check_reach_size(
        &self,
        game: &Game,
        what: &'static str,
        cell: usize,
    ) -> Result<usize, Error> {
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let cells = solve::reach_cells(game, self.shared.budget.bytes() / cell, &counting)?;
        let bytes = cells.saturating_mul(cell);
        self.check_size(game, what, bytes)?;
        Ok(bytes)
    }

    /// The bytes of exact statistics from a card on, unless they are too large. Games with few states never take much
    /// and are not counted.
    pub(super) fn check_statistics_size(&self, card: &Card) -> Result<usize, Error> {
        let game = card.game();
        const FEW_STATES: usize = 2_000_000;
        if game.space().states() <= FEW_STATES {
            return Ok(0);
        }
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
        self.check_size(game, "distributions of points", bytes)?;
        Ok(bytes)
    }
}

/// What distinguishes a utility from others.
fn fingerprint(utility: &[f64]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    utility.iter().for_each(|value| _ = hasher.update(&value.to_bits().to_le_bytes()));
    *hasher.finalize().as_bytes()
}
