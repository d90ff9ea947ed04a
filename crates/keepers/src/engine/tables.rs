//! Engine methods that return tables: from memory, from the store, or solved now. Also the memory checks before a
//! solve.

use std::sync::Arc;

use super::Engine;
use super::cache::Key;
use super::error::{Error, REACH_CURVES, SCORE_DISTRIBUTIONS, UTILITY_VALUES};
use super::goal::check_target;
use crate::analysis::evaluate::{Statistics, evaluate_expected, evaluate_expected_states};
use crate::analysis::value::UtilityValue;
use crate::game::Game;
use crate::game::card::Card;
use crate::solve::{self, ReachableStates};
use crate::tables::{CurveStores, ExpectedTable, ReachTable, StoredUtility};

/// The assumed size of exact statistics in the cache.
const STATISTICS_BYTES: usize = 1 << 20;

/// The reach curves of a card are solved alone if it leads to at most one in this many of the game's states. Only the
/// curves of the whole game are stored, so cards that lead to many states are not solved again for every question, unless
/// the curves of the whole game exceed the budget.
const FEW_STATES: usize = 8;

/// The best expected utility of the final score, in memory or in a store.
pub(super) enum BestByUtility {
    Solved(Arc<UtilityValue>),
    Stored(Arc<StoredUtility>),
}

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
            let table = match engine.known_reach(game) {
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
        if let Ok(table) = &table {
            table.take_notices().iter().for_each(|notice| self.observer.notice(notice));
        }
        table
    }

    /// Returns the reach curves that are stored: in a file of the store, or in parts.
    fn known_reach(&self, game: &Game) -> Option<ReachTable> {
        let in_file = self.store().known_reach(game, self.observer);
        if in_file.is_some() {
            return in_file;
        }
        Some(ReachTable::read_from(game, self.in_parts(|stores| stores.reach(game))?))
    }

    /// Solves the reach curves of a game, even if the store has them, and writes them to the store.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub fn solve_reach(&self, game: &Game) -> Result<ReachTable, Error> {
        let bytes = self.check_reach_size(game, &ReachableStates::all(), REACH_CURVES, size_of::<f32>())?;
        let _reserved = self.reserve(bytes)?;
        Ok(self.store().solve_reach(game, self.observer)?)
    }

    /// Returns reach curves for the cards of one game, at least one, and for all cards that they can lead to.
    ///
    /// If the curves of the game are neither in memory nor stored, only those of [`Engine::states_to_solve`] are solved: from
    /// a card of Yahtzee with six open boxes in 0.06 s. They have the same bits.
    ///
    /// # Errors
    /// If the curves are too large, or if the call is cancelled.
    pub(super) fn reach_table_from(&self, cards: &[Card]) -> Result<Arc<ReachTable>, Error> {
        let game = cards[0].game();
        if cards.contains(&Card::empty(game)) || self.knows_reach(game) {
            return self.reach_table(game);
        }
        if let Some(table) = self.cached_reach_from(cards) {
            return Ok(table);
        }
        let states = self.states_to_solve(cards)?;
        if states.count().is_none() {
            return self.reach_table(game);
        }
        let name = game.rules().name();
        let from = cards.iter().map(Card::state).collect();
        let key = Key::ReachFrom { rules: *game.fingerprint(), states: from };
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let size =
                    |of: &ReachableStates| engine.check_reach_size(game, of, REACH_CURVES, size_of::<f32>());
                let bytes = match size(&states) {
                    // A refusal proposes to solve the whole game in parts, so it has the size of the whole game.
                    Err(Error::TooLarge { .. }) => size(&ReachableStates::all())?,
                    bytes => bytes?,
                };
                let _reserved = engine.reserve(bytes)?;
                let work = engine.work(format!("solving {name} for every score"));
                let table = ReachTable::solved(game, solve::reach_curves_from(game, states, &work)?);
                let bytes = table.bytes();
                Ok((Arc::new(table), bytes))
            },
        )
    }

    /// Returns the states whose reach curves are solved for some cards: those that the cards can lead to if they are few
    /// ([`FEW_STATES`]) or if the curves of the whole game exceed the budget, and all states otherwise.
    ///
    /// # Errors
    /// If the call is cancelled, or if an allocation fails.
    pub(super) fn states_to_solve(&self, cards: &[Card]) -> Result<ReachableStates, Error> {
        let game = cards[0].game();
        let all = ReachableStates::all();
        if cards.contains(&Card::empty(game)) {
            return Ok(all);
        }
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let states = ReachableStates::from_any(cards, &counting)?;
        if states.count().is_some_and(|count| count * FEW_STATES <= game.space().states()) {
            return Ok(states);
        }
        match self.check_reach_size(game, &all, REACH_CURVES, size_of::<f32>()) {
            Err(Error::TooLarge { .. }) => Ok(states),
            checked => checked.map(|_| all),
        }
    }

    /// Returns whether the expected scores of a game are in memory or stored.
    pub(super) fn knows_expected(&self, game: &Game) -> bool {
        self.has_expected(game) || self.store().known_expected(game, self.observer).is_some()
    }

    /// Returns whether the statistics of the strategy with the best expected score are in memory or stored, so that
    /// [`Engine::goal`] returns the goal of a tournament at once.
    pub fn knows_opponents(&self, game: &Game) -> bool {
        let key = Key::Statistics(*game.fingerprint());
        self.shared.cache.find(|known: &Key, _: &Statistics| *known == key).is_some()
            || Statistics::known(self.store(), game.rules(), self.observer).is_some()
    }

    /// Returns whether all reach curves of a game are in memory or stored.
    pub(super) fn knows_reach(&self, game: &Game) -> bool {
        let key = Key::Reach(*game.fingerprint());
        self.shared.cache.find(|known: &Key, _: &ReachTable| *known == key).is_some()
            || self.known_reach(game).is_some()
    }

    /// Returns curves in memory that were solved for cards that lead to all of these.
    pub(super) fn cached_reach_from(&self, cards: &[Card]) -> Option<Arc<ReachTable>> {
        let of_rules = *cards[0].game().fingerprint();
        self.shared.cache.find(|key: &Key, table: &ReachTable| {
            matches!(key, Key::ReachFrom { rules, .. } if *rules == of_rules)
                && cards.iter().all(|card| table.has(card.state()))
        })
    }

    /// Returns reach curves for a card, or an error if the target is out of reach from it. If the curves are neither in
    /// memory nor in the store, the target is checked before they are solved.
    pub(super) fn reach_for(&self, card: &Card, target: u16) -> Result<Arc<ReachTable>, Error> {
        let game = card.game();
        let cards = std::slice::from_ref(card);
        let is_known = || self.knows_reach(game) || self.cached_reach_from(cards).is_some();
        if !self.observer.is_cancelled() && !is_known() {
            check_target(target, solve::max_points(game, card))?;
        }
        let table = self.reach_table_from(cards)?;
        check_target(target, card.total() + table.of(card).most())?;
        Ok(table)
    }

    /// Returns the exact statistics of the strategy with the best expected score, from the empty card. The first call
    /// computes and stores them, or reads them from the store: for Yahtzee, they take 3 s on two cores.
    ///
    /// # Errors
    /// If a table or the statistics are too large, or if the call is cancelled.
    pub fn expected_statistics(&self, game: &Game) -> Result<Arc<Statistics>, Error> {
        let key = Key::Statistics(*game.fingerprint());
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let known = Statistics::known(engine.store(), game.rules(), engine.observer);
                let statistics = known.map_or_else(|| engine.opponents_statistics(game), Ok)?;
                Ok((Arc::new(statistics), STATISTICS_BYTES))
            },
        )
    }

    /// Computes the statistics of [`Engine::expected_statistics`], and stores them. If they are too large, those that were
    /// solved in parts are used; they may differ in the last bits, so they are not stored.
    fn opponents_statistics(&self, game: &Game) -> Result<Statistics, Error> {
        let empty = Card::empty(game);
        let statistics = match self.score_statistics(&empty) {
            Err(error @ Error::TooLarge { .. }) => return self.statistics_in_parts(&empty)?.ok_or(error),
            statistics => statistics?,
        };
        statistics.keep(self.store(), game.rules(), self.observer)?;
        Ok(statistics)
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

    /// Computes the statistics of [`Engine::score_statistics`] from a distribution that was solved in parts. Returns `None`
    /// if there is none.
    fn statistics_in_parts(&self, card: &Card) -> Result<Option<Statistics>, Error> {
        let table = self.expected_table(card.game())?;
        let Some(probability) = self.in_parts(|stores| stores.distribution(card.game())) else {
            return Ok(None);
        };
        let work = self.work("following the strategy \"expected\"");
        Ok(Some(evaluate_expected_states(&table, card, probability, &work)?))
    }

    /// Returns a value that was solved in parts, if there is one.
    pub(super) fn in_parts<T>(
        &self,
        find: impl FnOnce(&dyn CurveStores) -> Result<Option<T>, String>,
    ) -> Option<T> {
        let found = find(&**self.shared.curves.as_ref()?);
        found.unwrap_or_else(|reason| {
            self.observer.notice(&reason);
            None
        })
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
        if let Some(best) = self.known_utility(card, utility) {
            return Ok(best);
        }
        let (rules, utility_hash) = (*game.fingerprint(), hash(utility));
        let key = Key::Utility { rules, utility: utility_hash, card: card.to_string() };
        self.get_or_make(
            &key,
            |_| true,
            |engine| {
                let name = game.rules().name();
                let counting = engine.work(format!("counting the values of {name}"));
                let bytes = solve::utility_cells(game, card, &counting)?.saturating_mul(size_of::<f64>());
                engine.check_size(game, UTILITY_VALUES, bytes)?;
                let _reserved = engine.reserve(bytes)?;
                let work = engine.work(format!("solving {name} for the utility of scores"));
                let table = Arc::new(solve::best_utility(game, card, utility, &work)?);
                let bytes = table.bytes();
                Ok((Arc::new(UtilityValue { game: game.clone(), table }), bytes))
            },
        )
    }

    /// Returns a table in memory that has the values of a utility from a card on.
    fn known_utility(&self, card: &Card, utility: &[f64]) -> Option<Arc<UtilityValue>> {
        let (rules, utility_hash) = (*card.game().fingerprint(), hash(utility));
        self.shared.cache.find(|key: &Key, best: &UtilityValue| {
            matches!(key, Key::Utility { rules: r, utility: u, .. } if *r == rules && *u == utility_hash)
                && best.knows(card)
        })
    }

    /// Returns whether the values of a utility from a card on are in memory.
    pub(super) fn knows_utility(&self, card: &Card, utility: &[f64]) -> bool {
        self.known_utility(card, utility).is_some()
    }

    /// Returns the values of a utility, starting from a card: those of [`Engine::utility_table`] or, if they exceed memory,
    /// those that were solved in parts and stored.
    ///
    /// # Errors
    /// If the table is too large and not stored, or if the call is cancelled.
    ///
    /// # Panics
    /// If `utility` is empty.
    pub(super) fn best_by_utility(&self, card: &Card, utility: &[f64]) -> Result<BestByUtility, Error> {
        let game = card.game();
        let key = Key::StoredUtility { rules: *game.fingerprint(), utility: hash(utility) };
        // Looked up first: counting the values of a table that is too large takes seconds.
        if let Some(stored) = self.shared.cache.find(|known: &Key, _: &StoredUtility| *known == key) {
            stored.take_notices().iter().for_each(|notice| self.observer.notice(notice));
            return Ok(BestByUtility::Stored(stored));
        }
        let too_large = match self.utility_table(card, utility) {
            Err(error @ Error::TooLarge { .. }) => error,
            table => return table.map(BestByUtility::Solved),
        };
        let source = self.in_parts(|stores| stores.utilities(game, utility)).ok_or(too_large)?;
        // Values that are read as they are needed do not count, like those of `ReachTable`.
        let open = |_: &Engine<'_>| Ok((Arc::new(StoredUtility::read_from(game, source)), 0));
        self.get_or_make(&key, |_| true, open).map(BestByUtility::Stored)
    }

    /// Returns an error if a solve of this many bytes exceeds the budget. `what` names its values in the message.
    pub(super) fn check_size(&self, game: &Game, what: &'static str, bytes: usize) -> Result<(), Error> {
        let limit = self.shared.budget.bytes();
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::TooLarge { what, game: game.rules().name().to_string(), bytes, limit })
    }

    /// Returns the bytes of the reach curves of some states with cells of `cell` bytes, or an error if they exceed the
    /// budget.
    pub(super) fn check_reach_size(
        &self,
        game: &Game,
        states: &ReachableStates,
        what: &'static str,
        cell: usize,
    ) -> Result<usize, Error> {
        let counting = self.work(format!("counting the values of {}", game.rules().name()));
        let cells = solve::reach_cells(game, states, self.shared.budget.bytes() / cell, &counting)?;
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
        self.check_size(game, SCORE_DISTRIBUTIONS, bytes)?;
        Ok(bytes)
    }
}

/// Returns a hash of a utility.
fn hash(utility: &[f64]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    utility.iter().for_each(|value| _ = hasher.update(&value.to_bits().to_le_bytes()));
    *hasher.finalize().as_bytes()
}
