//! What a card is worth to whoever plays for something: from tables that are there, or by long work.

use std::sync::Arc;

use keepers::advise::Prospect;
use keepers::{Card, ExpectedTable, Objective, ReachTable};

use crate::app::App;
use crate::ask::Goal;
use crate::error::ApiError;
use crate::games::Ready;
use crate::jobs::Key;
use crate::task::Task;

/// A card, and what is played for.
pub struct Question {
    /// The game.
    pub ready: Arc<Ready>,
    /// The card of the player to move.
    pub card: Card,
    /// What is played for.
    pub goal: Goal,
    /// How many seconds exact values against others may take.
    pub seconds: f64,
}

impl Question {
    /// Adds all of it to the key of a job.
    pub fn key(&self, key: Key) -> Key {
        let key = key.and(&self.ready.key).and(&self.card).and(&self.goal);
        match &self.goal {
            Goal::Plain(_) => key,
            Goal::Worth(worth) => worth.iter().fold(key, |key, worth| key.and(worth.to_bits())),
            Goal::Win(others) => others.iter().fold(key.and(self.seconds), |key, card| key.and(card)),
        }
    }

    /// What there is to do, in words.
    pub fn work(&self) -> String {
        let name = self.ready.game.rules().name();
        match &self.goal {
            Goal::Plain(Objective::Expected) => format!("solving {name}"),
            Goal::Plain(Objective::Reach(_)) => format!("solving {name} for every score"),
            Goal::Plain(_) | Goal::Worth(_) => format!("solving {name} for what scores are worth"),
            Goal::Win(_) => format!("solving a duel of {name}"),
        }
    }
}

/// What was found out about a question.
pub enum Looked {
    /// Expected scores.
    Expected(Arc<ExpectedTable>),
    /// Chances of a score.
    Reach(ReachOf),
}

/// The chance of a score, by curves that others use too.
pub struct ReachOf {
    table: Arc<ReachTable>,
    target: u16,
}

impl Prospect for ReachOf {
    fn value(&self, card: &Card) -> f64 {
        f64::from(self.table.of(card).at(i32::from(self.target) - i32::from(card.total())))
    }
}

impl Looked {
    /// What cards that follow are worth.
    pub fn prospect(&self) -> &dyn Prospect {
        match self {
            Looked::Expected(table) => &**table,
            Looked::Reach(reach) => reach,
        }
    }

    /// Against others: whether that is exact.
    pub fn exact(&self) -> Option<bool> {
        None
    }
}

/// What the card itself is worth.
pub fn value_of(question: &Question, looked: &Looked) -> f64 {
    looked.prospect().value(&question.card)
}

impl App {
    /// What is worth what, if all tables are there.
    pub fn prospect_now(&self, question: &Question) -> Result<Option<Looked>, ApiError> {
        Ok(match &question.goal {
            Goal::Plain(Objective::Expected) => {
                self.tables.expected_now(&question.ready).map(Looked::Expected)
            }
            Goal::Plain(Objective::Reach(target)) => match self.tables.reach_now(&question.ready) {
                Some(table) => Some(reach(&question.card, table, *target)?),
                None => None,
            },
            _ => None,
        })
    }

    /// What is worth what, solved if need be.
    pub fn prospect(&self, question: &Question, task: &Arc<Task>) -> Result<Looked, ApiError> {
        match &question.goal {
            Goal::Plain(Objective::Expected) => {
                self.tables.expected(&question.ready, task).map(Looked::Expected)
            }
            Goal::Plain(Objective::Reach(target)) => {
                reach(&question.card, self.tables.reach(&question.ready, task)?, *target)
            }
            goal => Err(ApiError::impossible("objective", format!("{goal} cannot be played for here yet"))),
        }
    }
}

fn reach(card: &Card, table: Arc<ReachTable>, target: u16) -> Result<Looked, ApiError> {
    let most = card.total() + table.of(card).most();
    if target > most {
        let text = format!("{target} is out of reach: at most {most} can be reached from this card");
        return Err(ApiError::impossible("objective", text));
    }
    Ok(Looked::Reach(ReachOf { table, target }))
}
