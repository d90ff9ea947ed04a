//! What every command needs: the options they share, the game and the store.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use keepers::engine::{Engine, Goal, simple};
use keepers::evaluate::Statistics;
use keepers::rules::PRESETS;
use keepers::strategy::{Player, Strategy};
use keepers::{Card, Game, Objective, Rules, Store, utility};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::progress::Told;

/// One run of the program.
pub struct Session {
    /// Whether output is JSON.
    pub json: bool,
    /// Whether progress is not to be shown.
    pub quiet: bool,
    /// What solves and remembers.
    pub engine: Engine,
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
        Ok(Session {
            json: shared.json,
            quiet: shared.quiet,
            engine: Engine::new(store.watched_by(Arc::new(Told::new(shared.quiet)))),
        })
    }

    /// What an objective asks for; a utility is read from its file.
    pub fn goal(&self, game: &Arc<Game>, objective: &Objective) -> Result<Goal, BadInput> {
        let Objective::Utility(file) = objective else { return Ok(self.engine.goal(game, objective)?) };
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| BadInput(format!("the file {name} cannot be read: {error}")))?;
        utility::parse(&text).map(Goal::Worth).map_err(|error| BadInput(format!("{name}: {error}")))
    }

    /// Players of games against others.
    pub fn players(&self, game: &Arc<Game>, names: &[Player]) -> Result<Vec<Box<dyn Strategy>>, BadInput> {
        let player = |name: &Player| match name {
            Player::For(objective @ Objective::Utility(_)) => {
                let goal = self.goal(game, objective)?;
                Ok(self.engine.solitaire(game, &Card::empty(game), &goal)?)
            }
            name => Ok(self.engine.player(game, name)?),
        };
        names.iter().map(player).collect()
    }

    /// A player of games that are played alone, from a card on.
    pub fn solitaire(
        &self,
        game: &Arc<Game>,
        card: &Card,
        player: &Player,
    ) -> Result<Box<dyn Strategy>, BadInput> {
        if let Some(player) = simple(game, player) {
            return Ok(player);
        }
        let Player::For(objective) = player else {
            return Err(BadInput(format!(
                "strategy: {player} plays against others: use random, greedy, felldin-sood, expected, reach:S, \
                 tournament:N or utility:FILE for games that are played alone"
            )));
        };
        Ok(self.engine.solitaire(game, card, &self.goal(game, objective)?)?)
    }

    /// The exact statistics of an objective's best strategy, from a card on.
    pub fn statistics(
        &self,
        game: &Arc<Game>,
        card: &Card,
        objective: &Objective,
    ) -> Result<Arc<Statistics>, BadInput> {
        Ok(self.engine.statistics(game, card, &self.goal(game, objective)?)?)
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

/// The rules that judge whether a box is scored well: those named, or the game's own.
pub fn judge(game: &Game, name: Option<&str>) -> Result<Rules, BadInput> {
    name.map_or_else(|| Ok(Rules::clone(game.rules())), rules)
}
