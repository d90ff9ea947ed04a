//! Solved tables, kept in memory and shared: what several requests need is solved once.

use std::sync::Arc;
use std::time::Duration;

use keepers::advise::{BestUtility, Prospect};
use keepers::against::{Against, Judged};
use keepers::engine::{Engine, Goal, statistics_bytes};
use keepers::evaluate::Statistics;
use keepers::store::Watcher;
use keepers::strategy::{DuelPlayer, EXACT_TURNS, REMEMBERED_BYTES, Standing};
use keepers::tournament::{Ties, win_chance};
use keepers::{Card, ExpectedTable, Objective, ReachTable, Store, solve};

use crate::error::ApiError;
use crate::games::Ready;
use crate::shelf::Shelf;
use crate::task::Task;

type Fingerprint = [u8; 32];

/// The most bytes that one table may take: there may be several.
const MOST_BYTES: usize = 4 << 30;

/// The tables of all games.
pub struct Tables {
    engine: Engine,
    expected: Shelf<Fingerprint, ExpectedTable>,
    reach: Shelf<Fingerprint, ReachTable>,
    statistics: Shelf<Fingerprint, Statistics>,
    best: Shelf<(Fingerprint, WorthKey, String), BestUtility>,
    won: Shelf<String, Won>,
    duel_players: Shelf<Fingerprint, DuelPlayer>,
}

/// What tells what scores are worth from what else they may be worth.
pub type WorthKey = [u8; 32];

/// The key of what scores are worth.
pub fn worth_key(worth: &[f64]) -> WorthKey {
    let mut hasher = blake3::Hasher::new();
    worth.iter().for_each(|worth| _ = hasher.update(&worth.to_bits().to_le_bytes()));
    *hasher.finalize().as_bytes()
}

/// A position against others, judged.
pub struct Won {
    /// What the entries of the player to move lead to.
    pub judged: Judged,
    /// What the position is worth to the player to move.
    pub value: f64,
}

impl Tables {
    /// No tables yet; what is solved is kept in the store.
    pub fn new(store: Store) -> Tables {
        Tables {
            engine: Engine::new(store),
            expected: Shelf::new(1 << 30),
            reach: Shelf::new(4 << 30),
            statistics: Shelf::new(64 << 20),
            best: Shelf::new(3 << 30),
            won: Shelf::new(16 << 20),
            duel_players: Shelf::new(512 << 20),
        }
    }

    /// The engine, telling a task what it does.
    pub fn engine(&self, task: &Arc<Task>) -> Engine {
        self.engine.watched_by(Arc::clone(task) as Arc<dyn Watcher>)
    }

    /// The best expected scores, if they are there.
    pub fn expected_now(&self, of: &Ready) -> Option<Arc<ExpectedTable>> {
        self.expected.ready(&of.fingerprint)
    }

    /// The best expected scores, solved if they are not there.
    pub fn expected(&self, of: &Ready, task: &Arc<Task>) -> Arc<ExpectedTable> {
        let made = self.expected.get::<std::convert::Infallible>(&of.fingerprint, task, || {
            Ok((self.engine(task).expected(&of.game), of.game.space().states() * size_of::<f64>()))
        });
        match made {
            Ok(table) => table,
            Err(never) => match never {},
        }
    }

    /// The reach curves, if they are there.
    pub fn reach_now(&self, of: &Ready) -> Option<Arc<ReachTable>> {
        self.reach.ready(&of.fingerprint)
    }

    /// The reach curves, solved if they are not there.
    pub fn reach(&self, of: &Ready, task: &Arc<Task>) -> Result<Arc<ReachTable>, ApiError> {
        self.reach.get(&of.fingerprint, task, || {
            let bytes = of.reach_bytes();
            check_bytes(of, "reach curves", bytes)?;
            let table = self.engine(task).reach(&of.game);
            Ok((table.map_err(|error| ApiError::impossible("rules", error))?, bytes))
        })
    }

    /// The reach curves for a target. Nothing is solved for one that cannot be had.
    pub fn reach_for(
        &self,
        of: &Ready,
        card: &Card,
        target: u16,
        task: &Arc<Task>,
    ) -> Result<Arc<ReachTable>, ApiError> {
        if self.reach_now(of).is_none() && self.engine.known_reach(&of.game).is_none() {
            check_target(target, solve::most_points(&of.game, card))?;
        }
        let table = self.reach(of, task)?;
        check_target(target, card.total() + table.of(card).most())?;
        Ok(table)
    }

    /// The exact statistics of the best expected score from the empty card, if they are there.
    fn statistics_now(&self, of: &Ready) -> Option<Arc<Statistics>> {
        self.statistics.ready(&of.fingerprint)
    }

    /// The exact statistics of the best expected score from the empty card.
    pub fn statistics(&self, of: &Ready, task: &Arc<Task>) -> Result<Arc<Statistics>, ApiError> {
        self.expected(of, task);
        self.statistics.get(&of.fingerprint, task, || {
            check_statistics(of, &Card::empty(&of.game))?;
            let statistics = self.engine(task).expected_statistics(&of.game);
            Ok((statistics.map_err(|error| ApiError::impossible("rules", error))?, 1 << 20))
        })
    }

    /// What an objective asks for, if all it takes is there.
    pub fn goal_now(&self, of: &Ready, objective: &Objective) -> Option<Goal> {
        match objective {
            Objective::Tournament(opponents) => Some(tournament(&*self.statistics_now(of)?, *opponents)),
            _ => self.engine.goal(&of.game, objective).ok(),
        }
    }

    /// What an objective asks for.
    pub fn goal(&self, of: &Ready, objective: &Objective, task: &Arc<Task>) -> Result<Goal, ApiError> {
        if let Objective::Tournament(opponents) = objective {
            return Ok(tournament(&*self.statistics(of, task)?, *opponents));
        }
        let goal = self.engine(task).goal(&of.game, objective);
        goal.map_err(|error| ApiError::impossible("objective", error))
    }

    /// The best expected worth of the final score, if it was solved from this card or one before it.
    pub fn best_now(&self, of: &Ready, card: &Card, worth: WorthKey) -> Option<Arc<BestUtility>> {
        self.best.find(|(fingerprint, key, _), best| {
            *fingerprint == of.fingerprint && *key == worth && best.knows(card)
        })
    }

    /// The best expected worth of the final score from this card on, solved if it was not.
    pub fn best(
        &self,
        of: &Ready,
        card: &Card,
        worth: &[f64],
        task: &Arc<Task>,
    ) -> Result<Arc<BestUtility>, ApiError> {
        let key = worth_key(worth);
        self.best_now(of, card, key).map_or_else(|| self.best_from(of, card, worth, task), Ok)
    }

    /// The same, solved from this very card.
    pub fn best_from(
        &self,
        of: &Ready,
        card: &Card,
        worth: &[f64],
        task: &Arc<Task>,
    ) -> Result<Arc<BestUtility>, ApiError> {
        let key = (of.fingerprint, worth_key(worth), card.to_string());
        self.best.get(&key, task, || {
            check_bytes(of, "values of all scores", solve::utility_cells(&of.game, card) * size_of::<f64>())?;
            let best = self.engine(task).best(&of.game, card, worth);
            let best = best.map_err(|error| ApiError::impossible("rules", error))?;
            let bytes = best.table.bytes();
            Ok((Arc::new(best), bytes))
        })
    }

    /// Whoever judges positions of several players, solving what takes no longer than so many seconds.
    pub fn against(
        self: &Arc<Tables>,
        of: &Arc<Ready>,
        seconds: f64,
        task: &Arc<Task>,
    ) -> Result<Against, ApiError> {
        check_bytes(of, "reach curves", of.reach_bytes())?;
        Ok(self.judge(of, seconds, task))
    }

    /// A judge who must not be asked for estimates if the curves for them are too large.
    fn judge(self: &Arc<Tables>, of: &Arc<Ready>, seconds: f64, task: &Arc<Task>) -> Against {
        let (tables, ready, task) = (Arc::clone(self), Arc::clone(of), Arc::clone(task));
        let watched = Arc::clone(&task);
        let judge = Against::within(&of.game, Duration::from_secs_f64(seconds), move || {
            tables.reach(&ready, &task).expect("its size was checked")
        });
        judge.watched(move |done, all| watched.tell("solving the rest of the game", done, all))
    }

    fn won_key(of: &Ready, cards: &[Card], seconds: f64) -> String {
        let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
        format!("{:?} {seconds} {}", of.fingerprint, cards.join(";"))
    }

    /// A position against others, if it was judged before. The player to move comes first.
    pub fn won_now(&self, of: &Ready, cards: &[Card], seconds: f64) -> Option<Arc<Won>> {
        self.won.ready(&Tables::won_key(of, cards, seconds))
    }

    /// A position against others, judged. The player to move comes first.
    pub fn won(
        self: &Arc<Tables>,
        of: &Arc<Ready>,
        cards: &[Card],
        seconds: f64,
        task: &Arc<Task>,
    ) -> Result<Arc<Won>, ApiError> {
        self.won.get(&Tables::won_key(of, cards, seconds), task, || {
            let against = self.judge(of, seconds, task).for_a_turn();
            let standings: Vec<Standing> = cards.iter().map(Standing::of).collect();
            let judged = match against.exactly(&standings, 0) {
                Some(judged) => judged,
                None => {
                    check_bytes(of, "reach curves", of.reach_bytes())?;
                    against.estimated(&standings, 0)
                }
            };
            let (judged, value) = against.settled(&standings, 0, &judged);
            // A worth for each of a few hundred entries.
            Ok((Arc::new(Won { judged, value }), 64 << 10))
        })
    }
}

impl Tables {
    /// Who plays exactly near the end, and remembers what that took.
    pub fn duel_player(&self, of: &Ready, task: &Arc<Task>) -> Result<Arc<DuelPlayer>, ApiError> {
        let reach = self.reach(of, task)?;
        self.duel_players.get(&of.fingerprint, task, || {
            Ok((Arc::new(DuelPlayer::new(&reach, EXACT_TURNS)), REMEMBERED_BYTES))
        })
    }
}

impl Prospect for Won {
    fn value(&self, card: &Card) -> f64 {
        self.judged.value(card)
    }

    fn equal(&self) -> keepers::plan::Equal {
        self.judged.equal()
    }
}

/// Refuses to follow a strategy through more states than memory can hold.
pub fn check_statistics(of: &Ready, card: &Card) -> Result<(), ApiError> {
    check_bytes(of, "distributions of points", statistics_bytes(&of.game, card))
}

fn check_bytes(of: &Ready, what: &str, bytes: usize) -> Result<(), ApiError> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let (name, needed, most) = (of.game.rules().name(), bytes >> 30, MOST_BYTES >> 30);
    let text =
        format!("the {what} of {name} would take {needed} GiB of memory, and at most {most} are tried here");
    Err(ApiError::impossible("rules", text))
}

fn check_target(target: u16, most: u16) -> Result<(), ApiError> {
    if target <= most {
        return Ok(());
    }
    let text = format!("{target} is out of reach: at most {most} can be reached from this card");
    Err(ApiError::impossible("objective", text))
}

/// A tournament against so many who play for the best expected score.
fn tournament(others: &Statistics, opponents: u32) -> Goal {
    Goal::Worth(win_chance(&others.probability, opponents, Ties::Lose))
}
