//! Games by their rules: a preset's name, or TOML. Each is made ready once.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use keepers::internals::random::RerollTable;
use keepers::internals::rules::PRESETS;
use keepers::internals::solve;
use keepers::internals::upper::Upper;
use keepers::{Card, Game, Rules};

use crate::refusal::{Problems, Refusal};

/// Games that are kept ready.
const KEPT: usize = 32;

/// The most score states of all games that are kept ready, except for the last one.
const KEPT_STATES: usize = 60_000_000;

/// A game, made ready, with what questions about it share.
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

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Its rules.
    pub fn rules(&self) -> &Arc<Rules> {
        self.game.rules()
    }

    /// The rules as TOML.
    pub fn toml(&self) -> &str {
        self.toml.get_or_init(|| self.rules().to_toml())
    }

    /// What comes of rolling the dice that are not kept.
    pub(crate) fn throws(&self) -> &RerollTable {
        self.throws.get_or_init(|| RerollTable::new(self.game.lattice()))
    }

    /// The most points that a game can end with.
    pub(crate) fn most(&self) -> u16 {
        *self.most.get_or_init(|| solve::max_points(&self.game, &Card::empty(&self.game)))
    }
}

/// The games that were asked for.
#[derive(Default)]
pub(crate) struct Games {
    /// By what was asked for; the one that was used last is the last one.
    ready: Mutex<Vec<(String, Arc<ReadyGame>)>>,
    /// Held while a game is made ready: it takes memory, so one at a time.
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
        // Presets are small enough, and counting the states of Yahtzee takes half as long as the rest of a first answer.
        if is_toml(rules) && most_states != usize::MAX {
            check_states(&read, most_states)?;
        }
        let _making = lock(&self.making);
        // Another caller may have asked for it in the meantime.
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

/// Reads rules: TOML if there is a line break or an equals sign, else a preset's name.
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
        Refusal::invalid(field, format!("there are no rules called \"{shown}\": use {names}, or TOML"))
    })
}

/// Whether a text is rules as TOML, and not the name of a preset.
pub(crate) fn is_toml(text: &str) -> bool {
    text.contains(['\n', '='])
}

/// Refuses rules that would take too much memory or time.
fn check_states(rules: &Rules, most: usize) -> Result<(), Refusal> {
    let upper = rules.upper_boxes().len();
    let lower = rules.all_boxes().len() - upper;
    // Every set of lower boxes goes with every class of the upper section; whether extras pay can
    // double those with the box filled.
    let sets = (1_usize << lower) + if rules.extras_pay() { 1 << (lower - 1) } else { 0 };
    let states = Upper::new(rules).counts().classes.saturating_mul(sets);
    if states <= most {
        return Ok(());
    }
    let text = format!(
        "these rules have {states} score states, and at most {most} are solved here: use fewer boxes"
    );
    Err(Refusal::invalid("rules", text))
}
