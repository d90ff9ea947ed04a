//! What every command needs: the options they share, the game and the store.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use keepers::advise::{Prospect, ReachTarget};
use keepers::rules::PRESETS;
use keepers::{Card, ExpectedTable, Game, Objective, Rules, Store};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::progress::Told;

/// One run of the program.
pub struct Session {
    /// Whether output is JSON.
    pub json: bool,
    /// Where tables are kept.
    pub store: Store,
}

impl Session {
    /// Makes ready what the shared options ask for.
    pub fn new(shared: &Shared) -> anyhow::Result<Session> {
        if let Some(threads) = shared.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.into())
                .build_global()
                .with_context(|| format!("{threads} threads cannot be started"))?;
        }
        let store = if shared.no_cache { Store::none() } else { Store::of_user() };
        Ok(Session { json: shared.json, store: store.watched_by(Arc::new(Told::default())) })
    }

    /// The best expected scores of a game.
    pub fn expected(&self, game: &Arc<Game>) -> ExpectedTable {
        self.store.expected(game)
    }

    /// Refuses a target that cannot be reached from a card any more.
    pub fn check_target(&self, game: &Arc<Game>, card: &Card, objective: Objective) -> Result<(), BadInput> {
        let Objective::Reach(target) = objective else { return Ok(()) };
        let most = card.total() + self.store.reach(game).of(card).most();
        if target <= most {
            return Ok(());
        }
        Err(BadInput(format!(
            "objective: {target} is out of reach: at most {most} can be reached from this card"
        )))
    }

    /// What an objective makes of the cards of a game.
    pub fn prospect(&self, game: &Arc<Game>, objective: Objective) -> Box<dyn Prospect> {
        match objective {
            Objective::Expected => Box::new(self.store.expected(game)),
            Objective::Reach(target) => Box::new(ReachTarget { table: self.store.reach(game), target }),
        }
    }
}

/// The rules by name, or from a TOML file.
pub fn rules(name: &str) -> Result<Rules, BadInput> {
    if let Some(rules) = Rules::preset(name) {
        return Ok(rules);
    }
    let path = Path::new(name);
    let looks_like_a_path = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !looks_like_a_path {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(BadInput(format!(
            "there are no rules called \"{name}\": use {}, or the path of a TOML file",
            names.join(", ")
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| BadInput(format!("the rules file {name} cannot be read: {error}")))?;
    Rules::from_toml(&text).map_err(|error| BadInput(format!("{name}: {error}")))
}

/// The game by the name of its rules.
pub fn game(name: &str) -> Result<Arc<Game>, BadInput> {
    rules(name).map(|rules| Arc::new(Game::new(rules)))
}
