//! Games by their rules: a preset's name, or TOML. Each is made ready once, and what would be too large is refused.

use std::sync::{Arc, Mutex, OnceLock};

use keepers::random::Throws;
use keepers::rules::PRESETS;
use keepers::upper::Upper;
use keepers::{Card, Game, Rules, solve};
use tokio::sync::Semaphore;

use crate::error::{ApiError, Problems};
use crate::task::lock;

/// The most score states of a game: with more of them even the simplest table would take minutes.
pub const MOST_STATES: usize = 50_000_000;

/// Games that are kept ready.
const KEPT: usize = 32;

/// The most score states of all games that are kept ready, but for the last one.
const KEPT_STATES: usize = 200_000_000;

/// A game, made ready.
pub struct Ready {
    /// The game.
    pub game: Arc<Game>,
    /// What tells its values from those of other games.
    pub fingerprint: [u8; 32],
    /// What tells it from other games, names included.
    pub key: String,
    /// The rules as TOML.
    pub toml: String,
    throws: OnceLock<Throws>,
    most: OnceLock<u16>,
    reach_bytes: OnceLock<usize>,
}

impl Ready {
    fn new(rules: Rules) -> Ready {
        let toml = rules.to_toml();
        Ready {
            fingerprint: rules.fingerprint(),
            key: blake3::hash(toml.as_bytes()).to_hex().to_string(),
            toml,
            game: Arc::new(Game::new(rules)),
            throws: OnceLock::new(),
            most: OnceLock::new(),
            reach_bytes: OnceLock::new(),
        }
    }

    /// What comes of rolling the dice that are not kept.
    pub fn throws(&self) -> &Throws {
        self.throws.get_or_init(|| Throws::new(self.game.lattice()))
    }

    /// The bytes that its reach curves take.
    pub fn reach_bytes(&self) -> usize {
        *self.reach_bytes.get_or_init(|| solve::reach_cells(&self.game) * size_of::<f32>())
    }

    /// The most points that a game can end with.
    pub fn most(&self) -> u16 {
        *self.most.get_or_init(|| solve::most_points(&self.game, &Card::empty(&self.game)))
    }
}

/// The games that were asked for.
pub struct Games {
    /// By what was asked for, the one that was used last standing last.
    ready: Mutex<Vec<(String, Arc<Ready>)>>,
    /// Making a game ready takes memory: not too many at a time.
    makers: Semaphore,
}

impl Games {
    /// None yet.
    pub fn new() -> Games {
        Games { ready: Mutex::new(Vec::new()), makers: Semaphore::new(2) }
    }

    /// The game by these rules: a preset's name, or TOML.
    pub async fn get(&self, rules: &str) -> Result<Arc<Ready>, ApiError> {
        if let Some(ready) = self.known(rules) {
            return Ok(ready);
        }
        let read = read(rules)?;
        check_states(&read)?;
        let _maker = self.makers.acquire().await;
        // Somebody else may have asked for it meanwhile.
        if let Some(ready) = self.known(rules) {
            return Ok(ready);
        }
        let made = tokio::task::spawn_blocking(move || Arc::new(Ready::new(read))).await;
        let made = made.map_err(|_| ApiError::impossible("rules", "these rules cannot be made ready"))?;
        let mut all = lock(&self.ready);
        all.push((rules.to_string(), Arc::clone(&made)));
        let states = |all: &[(String, Arc<Ready>)]| -> usize {
            all.iter().map(|(_, ready)| ready.game.space().states()).sum()
        };
        while all.len() > KEPT || all.len() > 1 && states(&all) > KEPT_STATES {
            all.remove(0);
        }
        Ok(made)
    }

    fn known(&self, rules: &str) -> Option<Arc<Ready>> {
        let mut all = lock(&self.ready);
        let at = all.iter().position(|(known, _)| known == rules)?;
        let found = all.remove(at);
        let ready = Arc::clone(&found.1);
        all.push(found);
        Some(ready)
    }
}

/// The rules: TOML if there is a line break or an equals sign in it, else a preset's name.
pub fn read(text: &str) -> Result<Rules, ApiError> {
    if text.contains(['\n', '=']) {
        return Rules::from_toml(text).map_err(|error| {
            let mut problems = Problems::default();
            error
                .problems
                .iter()
                .for_each(|problem| problems.tell_line("rules", problem.line, &problem.message));
            problems.check().expect_err("there is a problem")
        });
    }
    Rules::preset(text).ok_or_else(|| {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let names = names.join(", ");
        ApiError::impossible("rules", format!("there are no rules called \"{shown}\": use {names}, or TOML"))
    })
}

/// Refuses rules that would take too much memory or time.
fn check_states(rules: &Rules) -> Result<(), ApiError> {
    let upper = rules.upper_boxes().len();
    let lower = rules.all_boxes().len() - upper;
    // Every set of lower boxes goes with every class of the upper section; whether extras pay can
    // double those with the box filled.
    let sets = (1_usize << lower) + if rules.extras_pay() { 1 << (lower - 1) } else { 0 };
    let states = Upper::new(rules).counts().classes.saturating_mul(sets);
    if states <= MOST_STATES {
        return Ok(());
    }
    Err(ApiError::impossible(
        "rules",
        format!(
            "these rules have {states} score states, and at most {MOST_STATES} are solved here: use fewer boxes"
        ),
    ))
}
