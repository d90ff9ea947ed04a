//! One door to everything: tables are solved when they are first needed, kept in the store and in memory, and
//! what a player plays for becomes advice, statistics and players.
//!
//! A program that embeds Keepers needs an [`Engine`] and a [`Game`]:
//!
//! ```
//! use std::sync::Arc;
//! use keepers::engine::{Engine, Goal};
//! use keepers::{Card, Game, Roll, Rules, Store, advise::advise};
//!
//! let engine = Engine::new(Store::none()); // Store::of_user() keeps what was solved
//! let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
//! let card = Card::parse(&game, "1=2,2=4,3=9,4=12,5=15,6=18").unwrap();
//! let prospect = engine.prospect(&game, &card, &Goal::Target(160)).unwrap();
//! let advice = advise(&game, &*prospect, &card, &Roll::parse("12344", 5, 6).unwrap(), 2).unwrap();
//! assert!(advice.value > 0.0 && advice.value < 1.0);
//! ```

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::advise::{BestUtility, Prospect, ReachTarget};
use crate::against::{Against, Judged};
use crate::card::Card;
use crate::evaluate::{
    Chosen, Statistics, evaluate_expected, evaluate_expected_after, evaluate_utility, evaluate_utility_after,
};
use crate::game::Game;
use crate::objective::Objective;
use crate::solve;
use crate::store::{ExpectedTable, ReachTable, Store, Watcher};
use crate::strategy::{
    DuelPlayer, EXACT_TURNS, Evaluation, Expected, FelldinSood, Greedy, HumanLike, Player, Random, Reach,
    Search, Standing, Strategy, Utility,
};
use crate::tournament::{Ties, win_chance};

/// No ordinary machine holds tables beyond this.
const MOST_BYTES: usize = 16 << 30;

/// How many tables of a kind stay in memory; those of the store are maps of files.
const KEPT: usize = 4;

/// What is played for, with all that it takes to judge by it.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// The best expected final score.
    Score,
    /// The best chance of at least this final score.
    Target(u16),
    /// The best expected worth of the final score: a value for each from 0 on, and the last one beyond.
    Worth(Vec<f64>),
}

/// Why something cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// More points than there are.
    #[error("{target} is out of reach: at most {most} can be reached from this card")]
    OutOfReach {
        /// The score asked for.
        target: u16,
        /// The most that can be had.
        most: u16,
    },
    /// No ordinary machine can hold it.
    #[error("the {what} of {game} would take {} GiB of memory, and at most {} are tried", bytes >> 30, MOST_BYTES >> 30)]
    TooLarge {
        /// What would be solved.
        what: String,
        /// The name of the rules.
        game: String,
        /// How much it would take.
        bytes: usize,
    },
    /// To win takes others.
    #[error(
        "win is about others whose cards can be seen: use advise --against CARD, or review a game of several players"
    )]
    NoOthers,
    /// What the scores are worth was not said.
    #[error("what scores are worth has to be given along with the objective utility")]
    NoWorth,
}

/// Tables by the fingerprint of the rules, the newest last.
type Kept<T> = Vec<([u8; 32], Arc<T>)>;

#[derive(Default)]
struct Tables {
    expected: Kept<ExpectedTable>,
    reach: Kept<ReachTable>,
    /// The exact statistics of the best expected score from the empty card: what tournaments are about.
    statistics: Kept<Statistics>,
}

/// Solves, remembers and answers.
#[derive(Clone)]
pub struct Engine {
    store: Store,
    tables: Arc<Mutex<Tables>>,
}

impl Engine {
    /// An engine that keeps its tables in this store.
    pub fn new(store: Store) -> Engine {
        Engine { store, tables: Arc::default() }
    }

    /// The same engine, with the same tables, telling `watcher` what it does.
    #[must_use]
    pub fn watched_by(&self, watcher: Arc<dyn Watcher>) -> Engine {
        Engine { store: self.store.clone().watched_by(watcher), tables: Arc::clone(&self.tables) }
    }

    /// Where tables are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// From memory, or made now and remembered. Nothing is locked meanwhile.
    fn remembered<T>(
        &self,
        game: &Game,
        list: impl Fn(&mut Tables) -> &mut Kept<T>,
        make: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        let key = game.rules().fingerprint();
        let tables = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let known =
            |kept: &Kept<T>| kept.iter().find(|(of, _)| *of == key).map(|(_, table)| Arc::clone(table));
        if let Some(table) = known(list(&mut tables())) {
            return Some(table);
        }
        let made = Arc::new(make()?);
        let mut tables = tables();
        let kept = list(&mut tables);
        kept.retain(|(of, _)| *of != key);
        kept.push((key, Arc::clone(&made)));
        if kept.len() > KEPT {
            kept.remove(0);
        }
        Some(made)
    }

    /// The best expected scores of a game.
    pub fn expected(&self, game: &Arc<Game>) -> Arc<ExpectedTable> {
        let make = || Some(self.store.expected(game));
        self.remembered(game, |tables| &mut tables.expected, make).expect("it is always made")
    }

    /// The reach curves of a game, if they are there: nothing is solved.
    pub fn known_reach(&self, game: &Arc<Game>) -> Option<Arc<ReachTable>> {
        self.remembered(game, |tables| &mut tables.reach, || self.store.known_reach(game))
    }

    /// The reach curves of a game.
    pub fn reach(&self, game: &Arc<Game>) -> Result<Arc<ReachTable>, EngineError> {
        if let Some(table) = self.known_reach(game) {
            return Ok(table);
        }
        check_reach_size(game)?;
        let make = || {
            let solved = self.store.reach(game);
            // As a map of the file it takes no memory that others could use.
            Some(self.store.known_reach(game).unwrap_or(solved))
        };
        Ok(self.remembered(game, |tables| &mut tables.reach, make).expect("it is always made"))
    }

    /// What an objective asks for. Files are not read here: `utility:FILE` is a [`Goal::Worth`] that the
    /// program has to make ([`crate::utility::parse`]).
    pub fn goal(&self, game: &Arc<Game>, objective: &Objective) -> Result<Goal, EngineError> {
        match objective {
            Objective::Expected => Ok(Goal::Score),
            Objective::Reach(target) => Ok(Goal::Target(*target)),
            Objective::Tournament(opponents) => {
                let others = self.expected_statistics(game)?;
                Ok(Goal::Worth(win_chance(&others.probability, *opponents, Ties::Lose)))
            }
            Objective::Utility(_) => Err(EngineError::NoWorth),
            Objective::Win => Err(EngineError::NoOthers),
        }
    }

    /// What a goal makes of a card and of all that follow from it.
    pub fn prospect(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
    ) -> Result<Box<dyn Prospect + Send + Sync>, EngineError> {
        Ok(match goal {
            Goal::Score => Box::new(self.expected(game)),
            Goal::Target(target) => {
                let table = match self.known_reach(game) {
                    Some(table) => table,
                    None => {
                        // No need to solve it all for a target that cannot be had.
                        check_target(*target, solve::most_points(game, card))?;
                        self.reach(game)?
                    }
                };
                check_target(*target, card.total() + table.of(card).most())?;
                Box::new(ReachTarget { table, target: *target })
            }
            Goal::Worth(worth) => Box::new(self.best(game, card, worth)?),
        })
    }

    /// The best expected worth of the final score, from a card on.
    pub fn best(&self, game: &Arc<Game>, card: &Card, worth: &[f64]) -> Result<BestUtility, EngineError> {
        check_utility_size(game, card)?;
        let work = format!("solving {} for what scores are worth", game.rules().name());
        let progress = |done, all| self.store.watcher().progress(&work, done, all);
        let table = Arc::new(solve::best_utility(game, card, worth, &progress));
        Ok(BestUtility { game: Arc::clone(game), table })
    }

    /// Whoever judges positions of several players, solving what takes no longer than this.
    pub fn against(&self, game: &Arc<Game>, time: Duration) -> Result<Against, EngineError> {
        check_reach_size(game)?;
        Ok(self.judge(game, time))
    }

    /// What the entries of the first of several players lead to, who is to move: solved if that takes no
    /// longer than this, estimated otherwise.
    pub fn judged(
        &self,
        game: &Arc<Game>,
        time: Duration,
        standings: &[Standing],
    ) -> Result<Judged, EngineError> {
        let judge = self.judge(game, time).for_a_turn();
        if let Some(judged) = judge.exactly(standings, 0) {
            return Ok(judged);
        }
        check_reach_size(game)?;
        Ok(judge.estimated(standings, 0))
    }

    /// A judge who must not be asked for estimates if the curves for them are too large.
    fn judge(&self, game: &Arc<Game>, time: Duration) -> Against {
        let (engine, of, store) = (self.clone(), Arc::clone(game), self.store.clone());
        let judge = Against::within(game, time, move || engine.reach(&of).expect("its size was checked"));
        judge.watched(move |done, all| {
            store.watcher().progress("solving the rest of the game", done, all);
        })
    }

    /// A player of games against others. Files are not read here: whoever plays for `utility:FILE` is made by
    /// [`Engine::solitaire`].
    pub fn player(&self, game: &Arc<Game>, player: &Player) -> Result<Box<dyn Strategy>, EngineError> {
        Ok(match player {
            Player::DynS(depth) => Box::new(self.search(game, Evaluation::DynS, *depth)?),
            Player::Emp(depth) => Box::new(self.search(game, Evaluation::Emp, *depth)?),
            Player::Duel => Box::new(DuelPlayer::new(&self.reach(game)?, EXACT_TURNS)),
            Player::HumanLike(weight) => Box::new(HumanLike::new(&self.reach(game)?, *weight)),
            Player::For(Objective::Reach(target)) => {
                check_target(*target, solve::most_points(game, &Card::empty(game)))?;
                let table = self.reach(game)?;
                Box::new(Reach { table, target: *target })
            }
            Player::For(objective) => {
                let goal = self.goal(game, objective)?;
                self.solitaire(game, &Card::empty(game), &goal)?
            }
            Player::Random | Player::Greedy | Player::FelldinSood => {
                simple(game, player).expect("it is one of them")
            }
        })
    }

    /// A player who looks ahead, if there is memory for it from the first turn on.
    fn search(&self, game: &Arc<Game>, by: Evaluation, depth: u8) -> Result<Search, EngineError> {
        let search = Search::new(&self.reach(game)?, by, depth);
        let what = format!("search {depth} turns ahead");
        check_size(game, &what, search.bytes_of_the_first_turn())?;
        Ok(search)
    }

    /// A player of games that are played alone, from a card on.
    pub fn solitaire(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
    ) -> Result<Box<dyn Strategy>, EngineError> {
        Ok(match goal.worth(game, card)? {
            None => Box::new(Expected(self.expected(game))),
            Some(worth) => Box::new(Utility(self.best(game, card, &worth)?.table)),
        })
    }

    /// The exact statistics of a goal's best strategy, from a card on.
    pub fn statistics(
        &self,
        game: &Arc<Game>,
        card: &Card,
        goal: &Goal,
    ) -> Result<Arc<Statistics>, EngineError> {
        Ok(match goal.worth(game, card)? {
            None if *card == Card::empty(game) => self.expected_statistics(game)?,
            None => {
                check_statistics_size(game, card)?;
                Arc::new(evaluate_expected(&self.expected(game), card, &self.following("expected")))
            }
            Some(worth) => Arc::new(self.statistics_of(&self.best(game, card, &worth)?)),
        })
    }

    /// The exact statistics of the strategy that a utility table stands for.
    pub fn statistics_of(&self, best: &BestUtility) -> Statistics {
        evaluate_utility(&best.game, &best.table, &self.following("for what scores are worth"))
    }

    /// The exact statistics of the best expected score from the empty card.
    pub fn expected_statistics(&self, game: &Arc<Game>) -> Result<Arc<Statistics>, EngineError> {
        check_statistics_size(game, &Card::empty(game))?;
        let make = || {
            let table = self.expected(game);
            Some(evaluate_expected(&table, &Card::empty(game), &self.following("expected")))
        };
        Ok(self.remembered(game, |tables| &mut tables.statistics, make).expect("it is always made"))
    }

    /// The exact statistics after each of several choices with one card, if the turn and the game are then played
    /// for the goal.
    pub fn outlooks(
        &self,
        game: &Arc<Game>,
        goal: &Goal,
        choices: &[Chosen<'_>],
    ) -> Result<Vec<Statistics>, EngineError> {
        let Some(first) = choices.first() else { return Ok(Vec::new()) };
        let progress = self.following("every choice");
        Ok(match goal.worth(game, first.card)? {
            None => {
                check_statistics_size(game, first.card)?;
                let table = self.expected(game);
                choices.iter().map(|chosen| evaluate_expected_after(&table, chosen, &progress)).collect()
            }
            Some(worth) => {
                let best = self.best(game, first.card, &worth)?;
                choices.iter().map(|chosen| evaluate_utility_after(&best, chosen, &progress)).collect()
            }
        })
    }

    fn following(&self, strategy: &str) -> impl Fn(usize, usize) + Sync + '_ {
        let work = format!("following the strategy {strategy}");
        move |done, all| self.store.watcher().progress(&work, done, all)
    }
}

/// A player that needs no table.
pub fn simple(game: &Arc<Game>, player: &Player) -> Option<Box<dyn Strategy>> {
    Some(match player {
        Player::Random => Box::new(Random),
        Player::Greedy => Box::new(Greedy),
        Player::FelldinSood => Box::new(FelldinSood::new(game)),
        _ => return None,
    })
}

impl Goal {
    /// What each final score is worth; nothing for the score itself. A target has to be within reach of the
    /// card.
    pub fn worth(&self, game: &Game, card: &Card) -> Result<Option<Vec<f64>>, EngineError> {
        match self {
            Goal::Score => Ok(None),
            Goal::Target(target) => {
                check_target(*target, solve::most_points(game, card))?;
                Ok(Some((0..=*target).map(|score| f64::from(u8::from(score == *target))).collect()))
            }
            Goal::Worth(worth) => Ok(Some(worth.clone())),
        }
    }
}

/// Refuses to solve for what scores are worth if no ordinary machine can hold it.
pub fn check_utility_size(game: &Game, card: &Card) -> Result<(), EngineError> {
    check_size(game, "values of all scores", solve::utility_cells(game, card) * size_of::<f64>())
}

/// How many bytes the exact statistics of a strategy may take, from a card on: a distribution of points for
/// every state. Games with few states, which never take much, are not counted.
pub fn statistics_bytes(game: &Game, card: &Card) -> usize {
    const FEW: usize = 2_000_000;
    if game.space().states() <= FEW { 0 } else { solve::utility_cells(game, card) * size_of::<f64>() }
}

fn check_reach_size(game: &Game) -> Result<(), EngineError> {
    check_size(game, "reach curves", solve::reach_cells(game) * size_of::<f32>())
}

fn check_statistics_size(game: &Game, card: &Card) -> Result<(), EngineError> {
    check_size(game, "distributions of points", statistics_bytes(game, card))
}

/// Refuses what no ordinary machine can hold, before it is brought to its knees.
pub fn check_size(game: &Game, what: &str, bytes: usize) -> Result<(), EngineError> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(EngineError::TooLarge { what: what.to_string(), game: game.rules().name().to_string(), bytes })
}

fn check_target(target: u16, most: u16) -> Result<(), EngineError> {
    if target <= most { Ok(()) } else { Err(EngineError::OutOfReach { target, most }) }
}
