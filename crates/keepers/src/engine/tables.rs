//! Engine methods that return tables: from memory, from the store, or solved now. Also the memory checks before a
//! solve.

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

/// The assumed size of exact statistics in the cache.
const STATISTICS_BYTES: usize = 1 << 20;

impl Engine<'_> {
    /// Returns the expected scores of a game. The first call solves them or loads them from the store: for Yahtzee, a
    /// solve takes under half a second on two cores and 20 MB.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    pub fn expected_table(&self, game: &Game) -> Result<Arc<ExpectedTable>, Error> {
        let key = Key::Expected(*game.fingerprint());
        let is_valid = |table: &ExpectedTable| table.is_unchanged();
        let table = self.get_or_make(&key, is_valid, |engine| {
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

    /// Solves a game for the best expected score, even if the store has its table, and writes the table to the store.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    pub fn solve_expected(&self, game: &Game) -> Result<ExpectedTable, Error> {
        let bytes = game.space().states() * size_of::<f64>();
        self.check_size(game, "expected scores", bytes)?;
        let _reserved = self.reserve(bytes)?;
        Ok(self.store().solve_expected(game, self.observer)?)
    }

    /// Returns the reach curves of a game. The first call solves them or maps them from the store: for Yahtzee, a solve
    /// takes about half a minute on two cores and 0.8 GB.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn reach_table(&self, game: &Game) -> Result<Arc<ReachTable>, Error> {
        let key = Key::Reach(*game.fingerprint());
        let is_valid = |table: &ReachTable| table.is_unchanged();
        let table = self.get_or_make(&key, is_valid, |engine| {
            let table = match engine.store().known_reach(game, engine.observer) {
                Some(table) => table,
                None => {
                    let solved = engine.solve_reach(game)?;
                    // If the store has written the curves to a file, use the file: the system can drop mapped pages
                    // when memory is short.
                    engine.store().known_reach(game, engine.observer).unwrap_or(solved)
                }
            };
            let bytes = table.bytes();
            Ok((Arc::new(table), bytes))
        });
        self.pass_on_notices();
        table
    }

    /// Solves the reach curves of a game, even if the store has them, and writes them to the store.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn solve_reach(&self, game: &Game) -> Result<ReachTable, Error> {
        let bytes = self.check_reach_size(game, "reach curves", size_of::<f32>())?;
        let _reserved = self.reserve(bytes)?;
        Ok(self.store().solve_reach(game, self.observer)?)
    }

    /// Returns the reach curves of a card's game, or an error if the target is out of reach from the card. If the
    /// curves are neither in memory nor in the store, the target is checked before they are solved.
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

    /// Returns the exact statistics of the strategy with the best expected score, from the empty card. The first call
    /// computes them: for Yahtzee, 3 s on two cores.
    ///
    /// # Errors
    /// If a table or the statistics are too large, or if the call is cancelled.
    pub fn expected_statistics(&self, game: &Game) -> Result<Arc<Statistics>, Error> {
        let key = Key::Statistics(*game.fingerprint());
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let statistics = engine.score_statistics(&Card::empty(game))?;
                Ok((Arc::new(statistics), STATISTICS_BYTES))
            },
        )
    }

    /// Computes the exact statistics of the strategy with the best expected score, starting from a card.
    pub(super) fn score_statistics(&self, card: &Card) -> Result<Statistics, Error> {
        let game = card.game();
        let table = self.expected_table(game)?;
        let bytes = self.check_statistics_size(card)?;
        let _reserved = self.reserve(bytes)?;
        let work = self.work("following the strategy \"expected\"");
        Ok(evaluate_expected(&table, card, &work)?)
    }

    /// Returns the value function of a utility, starting from a card: element `s` of `utility` is the utility of the final
    /// score `s`, and the last element also counts for all higher scores.
    ///
    /// A table in memory that was solved for this card, or for one that it follows from, is used again; otherwise the
    /// call solves one. Utility tables are not stored in files.
    ///
    /// # Errors
    /// If the table is too large, or if the call is cancelled.
    ///
    /// # Panics
    /// If `utility` is empty.
    pub fn utility_table(&self, card: &Card, utility: &[f64]) -> Result<Arc<UtilityValue>, Error> {
        let game = card.game();
        let (rules, utility_hash) = (*game.fingerprint(), hash(utility));
        let covers_card = |key: &Key, best: &UtilityValue| {
            matches!(key, Key::Utility { rules: r, utility: u, .. } if *r == rules && *u == utility_hash)
                && best.knows(card)
        };
        if let Some(best) = self.shared.cache.find(covers_card) {
            return Ok(best);
        }
        let key = Key::Utility { rules, utility: utility_hash, card: card.to_string() };
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let name = game.rules().name();
                let counting = engine.work(format!("counting the values of {name}"));
                let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
                engine.check_size(game, "utility values", bytes)?;
                let _reserved = engine.reserve(bytes)?;
                let work = engine.work(format!("solving {name} for the utility of scores"));
                let table = Arc::new(solve::best_utility(game, card, utility, &work)?);
                let bytes = table.bytes();
                Ok((Arc::new(UtilityValue { game: game.clone(), table }), bytes))
            },
        )
    }

    /// Returns an error if a solve of this many bytes exceeds the budget. `what` names its values in the message.
    pub(super) fn check_size(&self, game: &Game, what: &'static str, bytes: usize) -> Result<(), Error> {
        let limit = self.shared.budget.bytes();
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::TooLarge { what, game: game.rules().name().to_string(), bytes, limit })
    }

    /// Returns the bytes of the reach curves of a game with cells of `cell` bytes, or an error if they exceed the
    /// budget.
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

    /// Returns the bytes needed to compute exact statistics starting from a card, or an error if they exceed the budget.
    /// Returns 0 for games with few states, which never need much.
    pub(super) fn check_statistics_size(&self, card: &Card) -> Result<usize, Error> {
        let game = card.game();
        const MAX_UNCOUNTED_STATES: usize = 2_000_000;
        if game.space().states() <= MAX_UNCOUNTED_STATES {
            return Ok(0);
        }
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
        self.check_size(game, "score distributions", bytes)?;
        Ok(bytes)
    }
}

/// Returns a hash of a utility.
fn hash(utility: &[f64]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    utility.iter().for_each(|value| _ = hasher.update(&value.to_bits().to_le_bytes()));
    *hasher.finalize().as_bytes()
}
