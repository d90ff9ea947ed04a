//! What every command needs: the options they share, the game and the store.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use keepers::advise::{BestUtility, Prospect, ReachTarget};
use keepers::against::Against;
use keepers::evaluate::{Statistics, evaluate_expected, evaluate_utility};
use keepers::rules::PRESETS;
use keepers::solve::UtilityTable;
use keepers::strategy::{
    DuelPlayer, EXACT_TURNS, Evaluation, Expected, FelldinSood, Greedy, HumanLike, Player, Random, Reach,
    Search, Strategy, Utility,
};
use keepers::tournament::{Ties, win_chance};
use keepers::{Card, ExpectedTable, Game, Objective, ReachTable, Rules, Store, solve, utility};

use crate::args::Shared;
use crate::bad_input::BadInput;
use crate::progress::Told;

/// Players of one game, and the reach curves if one of them needs them.
pub type Seated = (Vec<Box<dyn Strategy>>, Option<Arc<ReachTable>>);

/// One run of the program.
pub struct Session {
    /// Whether output is JSON.
    pub json: bool,
    /// Whether progress is not to be shown.
    pub quiet: bool,
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
        Ok(Session {
            json: shared.json,
            quiet: shared.quiet,
            store: store.watched_by(Arc::new(Told::new(shared.quiet))),
        })
    }

    /// The best expected scores of a game.
    pub fn expected(&self, game: &Arc<Game>) -> ExpectedTable {
        self.store.expected(game)
    }

    /// What an objective makes of a card and of all that follow from it.
    pub fn prospect(
        &self,
        game: &Arc<Game>,
        card: &Card,
        objective: &Objective,
    ) -> Result<Box<dyn Prospect>, BadInput> {
        let Objective::Reach(target) = *objective else {
            return Ok(match self.worth(game, card, objective)? {
                None => Box::new(self.store.expected(game)),
                Some(worth) => {
                    Box::new(BestUtility { game: Arc::clone(game), table: self.best(game, card, &worth)? })
                }
            });
        };
        let table = match self.store.known_reach(game) {
            Some(table) => table,
            None => {
                // No need to solve it all for a target that cannot be had.
                check_target(target, solve::most_points(game, card))?;
                self.reach(game)?
            }
        };
        check_target(target, card.total() + table.of(card).most())?;
        Ok(Box::new(ReachTarget { table, target }))
    }

    /// The reach curves of a game, from the store or solved now.
    pub fn reach(&self, game: &Arc<Game>) -> Result<ReachTable, BadInput> {
        if let Some(table) = self.store.known_reach(game) {
            return Ok(table);
        }
        check_size(game, "reach curves", solve::reach_cells(game) * size_of::<f32>())?;
        Ok(self.store.reach(game))
    }

    /// What each final score is worth to an objective; nothing for the score itself.
    pub fn worth(
        &self,
        game: &Arc<Game>,
        card: &Card,
        objective: &Objective,
    ) -> Result<Option<Vec<f64>>, BadInput> {
        match objective {
            Objective::Expected => Ok(None),
            Objective::Reach(target) => {
                check_target(*target, solve::most_points(game, card))?;
                Ok(Some((0..=*target).map(|score| f64::from(u8::from(score == *target))).collect()))
            }
            Objective::Tournament(opponents) => {
                let others = self.statistics_of_expected(game, &Card::empty(game));
                Ok(Some(win_chance(&others.probability, *opponents, Ties::Lose)))
            }
            Objective::Win => Err(BadInput(
                "win is about others whose cards can be seen: use advise --against CARD, or review a game of several players"
                    .to_string(),
            )),
            Objective::Utility(file) => {
                let name = file.display();
                let text = std::fs::read_to_string(file)
                    .map_err(|error| BadInput(format!("the file {name} cannot be read: {error}")))?;
                utility::parse(&text).map(Some).map_err(|error| BadInput(format!("{name}: {error}")))
            }
        }
    }

    /// The best expected worth of the final score, from a card on.
    pub fn best(&self, game: &Game, card: &Card, worth: &[f64]) -> Result<UtilityTable, BadInput> {
        check_utility_size(game, card)?;
        let work = format!("solving {} for what scores are worth", game.rules().name());
        let progress = |done, all| self.store.watcher().progress(&work, done, all);
        Ok(solve::best_utility(game, card, worth, &progress))
    }

    /// Whoever judges positions of several players, solving what takes no longer than this.
    pub fn against(&self, game: &Arc<Game>, time: Duration) -> Result<Against, BadInput> {
        check_size(game, "reach curves", solve::reach_cells(game) * size_of::<f32>())?;
        let (store, of) = (self.store.clone(), Arc::clone(game));
        Ok(Against::within(game, time, move || Arc::new(store.reach(&of))))
    }

    /// Players of games against others.
    pub fn players(&self, game: &Arc<Game>, names: &[Player]) -> Result<Seated, BadInput> {
        let mut curves = None;
        let players = names.iter().map(|player| self.player(game, player, &mut curves));
        Ok((players.collect::<Result<_, BadInput>>()?, curves))
    }

    fn player(
        &self,
        game: &Arc<Game>,
        player: &Player,
        curves: &mut Option<Arc<ReachTable>>,
    ) -> Result<Box<dyn Strategy>, BadInput> {
        let mut reach = || -> Result<Arc<ReachTable>, BadInput> {
            if curves.is_none() {
                *curves = Some(Arc::new(self.reach(game)?));
            }
            Ok(Arc::clone(curves.as_ref().expect("just made")))
        };
        Ok(match player {
            Player::DynS(depth) => Box::new(Search::new(&reach()?, Evaluation::DynS, *depth)),
            Player::Emp(depth) => Box::new(Search::new(&reach()?, Evaluation::Emp, *depth)),
            Player::Duel => Box::new(DuelPlayer::new(&reach()?, EXACT_TURNS)),
            Player::HumanLike(weight) => Box::new(HumanLike::new(&reach()?, *weight)),
            Player::For(Objective::Reach(target)) => {
                let table = reach()?;
                check_target(*target, table.of(&Card::empty(game)).most())?;
                Box::new(Reach { table, target: *target })
            }
            Player::Random | Player::Greedy | Player::FelldinSood | Player::For(_) => {
                self.solitaire(game, &Card::empty(game), player)?
            }
        })
    }

    /// A player of games that are played alone, from a card on.
    pub fn solitaire(
        &self,
        game: &Arc<Game>,
        card: &Card,
        player: &Player,
    ) -> Result<Box<dyn Strategy>, BadInput> {
        Ok(match player {
            Player::Random => Box::new(Random),
            Player::Greedy => Box::new(Greedy),
            Player::FelldinSood => Box::new(FelldinSood::new(game)),
            Player::For(objective) => match self.worth(game, card, objective)? {
                None => Box::new(Expected(self.expected(game))),
                Some(worth) => Box::new(Utility(self.best(game, card, &worth)?)),
            },
            Player::DynS(_) | Player::Emp(_) | Player::Duel | Player::HumanLike(_) => {
                return Err(BadInput(format!(
                    "strategy: {player} plays against others: use random, greedy, felldin-sood, expected, reach:S, \
                     tournament:N or utility:FILE for games that are played alone"
                )));
            }
        })
    }

    /// The exact statistics of an objective's best strategy, from a card on.
    pub fn statistics(
        &self,
        game: &Arc<Game>,
        card: &Card,
        objective: &Objective,
    ) -> Result<Statistics, BadInput> {
        Ok(match self.worth(game, card, objective)? {
            None => self.statistics_of_expected(game, card),
            Some(worth) => self.statistics_of(game, &self.best(game, card, &worth)?),
        })
    }

    /// The exact statistics of the strategy with the best expected score.
    pub fn statistics_of_expected(&self, game: &Arc<Game>, card: &Card) -> Statistics {
        let work = "following the strategy expected";
        let table = self.expected(game);
        evaluate_expected(&table, card, &|done, all| self.store.watcher().progress(work, done, all))
    }

    /// The exact statistics of the strategy that a utility table stands for.
    pub fn statistics_of(&self, game: &Game, table: &UtilityTable) -> Statistics {
        let work = "following the best strategy";
        evaluate_utility(game, table, &|done, all| self.store.watcher().progress(work, done, all))
    }
}

/// Refuses to solve for what scores are worth if no ordinary machine can hold it.
pub fn check_utility_size(game: &Game, card: &Card) -> Result<(), BadInput> {
    check_size(game, "values of all scores", solve::utility_cells(game, card) * size_of::<f64>())
}

/// Refuses what no ordinary machine can hold, before it is brought to its knees.
pub fn check_size(game: &Game, what: &str, bytes: usize) -> Result<(), BadInput> {
    const MOST: usize = 16 << 30;
    if bytes <= MOST {
        return Ok(());
    }
    let (name, needed, most) = (game.rules().name(), bytes >> 30, MOST >> 30);
    Err(BadInput(format!(
        "the {what} of {name} would take {needed} GiB of memory, and at most {most} are tried"
    )))
}

fn check_target(target: u16, most: u16) -> Result<(), BadInput> {
    if target <= most {
        return Ok(());
    }
    Err(BadInput(format!("{target} is out of reach: at most {most} can be reached from this card")))
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
