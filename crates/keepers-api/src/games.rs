//! A cache of games by their rules, which are the name of a preset or TOML.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use keepers::internals::random::RerollTable;
use keepers::internals::rules::PRESETS;
use keepers::internals::solve;
use keepers::internals::upper::Upper;
use keepers::{Card, Game, Rules};

use crate::refusal::{Problems, Refusal};

/// The most games in the cache.
const KEPT: usize = 32;

/// The most score states of all games in the cache together. The game used last is cached whatever its size.
const KEPT_STATES: usize = 60_000_000;

/// A game with everything that questions about it share.
pub struct ReadyGame {
    game: Game,
    toml: OnceLock<String>,
    throws: OnceLock<RerollTable>,
    most: OnceLock<u16>,
}

impl ReadyGame {
    fn new(rules: Rules) -> ReadyGame {
        ReadyGame {
            game: Game::new(rules),
            toml: OnceLock::new(),
            throws: OnceLock::new(),
            most: OnceLock::new(),
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        self.game.rules()
    }

    /// Returns the rules as TOML.
    pub fn toml(&self) -> &str {
        self.toml.get_or_init(|| self.rules().to_toml())
    }

    /// Returns the table of outcomes of rolling the dice that are not kept.
    pub(crate) fn throws(&self) -> &RerollTable {
        self.throws.get_or_init(|| RerollTable::new(self.game.lattice()))
    }

    /// Returns the highest final score.
    pub(crate) fn most(&self) -> u16 {
        *self.most.get_or_init(|| solve::max_points(&self.game, &Card::empty(&self.game)))
    }
}

/// The games used most recently.
#[derive(Default)]
pub(crate) struct Games {
    /// By the text of the rules; the game used last is at the end.
    ready: Mutex<Vec<(String, Arc<ReadyGame>)>>,
    /// Held while a game is built. Building needs much memory, so one game is built at a time.
    making: Mutex<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Games {
    pub fn get(&self, rules: &str, most_states: usize) -> Result<Arc<ReadyGame>, Refusal> {
        if let Some(ready) = self.known(rules) {
            return Ok(ready);
        }
        let read = read_rules("rules", rules)?;
        // Presets are known to be small enough, and counting the states of Yahtzee takes half as long as the rest of a first
        // answer.
        if is_toml(rules) && most_states != usize::MAX {
            check_states(&read, most_states)?;
        }
        let _making = lock(&self.making);
        // Another thread may have built the game while this one waited for the lock.
        if let Some(ready) = self.known(rules) {
            return Ok(ready);
        }
        let made = Arc::new(ReadyGame::new(read));
        let mut all = lock(&self.ready);
        all.push((rules.to_string(), Arc::clone(&made)));
        let states = |all: &[(String, Arc<ReadyGame>)]| -> usize {
            all.iter().map(|(_, ready)| ready.game.space().states()).sum()
        };
        while all.len() > KEPT || all.len() > 1 && states(&all) > KEPT_STATES {
            all.remove(0);
        }
        Ok(made)
    }

    pub fn is_ready(&self, rules: &str) -> bool {
        lock(&self.ready).iter().any(|(known, _)| known == rules)
    }

    fn known(&self, rules: &str) -> Option<Arc<ReadyGame>> {
        let mut all = lock(&self.ready);
        let at = all.iter().position(|(known, _)| known == rules)?;
        let found = all.remove(at);
        let ready = Arc::clone(&found.1);
        all.push(found);
        Some(ready)
    }
}

/// Reads rules: TOML if the text has a line break or an equals sign, otherwise the name of a preset.
pub(crate) fn read_rules(field: &str, text: &str) -> Result<Rules, Refusal> {
    if is_toml(text) {
        return Rules::from_toml(text).map_err(|error| {
            let mut problems = Problems::default();
            error
                .problems
                .iter()
                .for_each(|problem| problems.add_line(field, problem.line, &problem.message));
            problems.check().expect_err("there is a problem")
        });
    }
    Rules::preset(text).map_err(|_| {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let (shown, names) = (keepers::internals::text::quote(text), names.join(", "));
        Refusal::invalid(field, format!("unknown rules \"{shown}\": use {names}, or TOML"))
    })
}

/// Returns whether a text is TOML rather than the name of a preset.
pub(crate) fn is_toml(text: &str) -> bool {
    text.contains(['\n', '='])
}

/// Refuses rules with more than `most` score states, which would need too much memory and time.
fn check_states(rules: &Rules, most: usize) -> Result<(), Refusal> {
    let upper = rules.upper_boxes().len();
    let lower = rules.all_boxes().len() - upper;
    // Every set of lower boxes is combined with every class of the upper section. If extra bonuses are paid, states with
    // the Yahtzee box filled can count twice.
    let sets = (1_usize << lower) + if rules.extras_pay() { 1 << (lower - 1) } else { 0 };
    let states = Upper::new(rules).counts().classes.saturating_mul(sets);
    if states <= most {
        return Ok(());
    }
    let text = format!("these rules have {states} score states, but the limit is {most}: use fewer boxes");
    Err(Refusal::invalid("rules", text))
}
