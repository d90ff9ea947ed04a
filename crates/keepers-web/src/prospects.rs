//! What a card is worth to whoever plays for something: from tables that are there, or by long work.

use std::sync::Arc;

use keepers::advise::{Prospect, ReachTarget};
use keepers::engine::Goal;
use keepers::{Card, Objective};

use crate::app::App;
use crate::ask::PlayedFor;
use crate::error::ApiError;
use crate::games::Ready;
use crate::jobs::Key;
use crate::tables::{Won, worth_key};
use crate::task::Task;

/// A card, and what is played for.
pub struct Question {
    /// The game.
    pub ready: Arc<Ready>,
    /// The card of the player to move.
    pub card: Card,
    /// What is played for.
    pub played_for: PlayedFor,
    /// How many seconds exact values against others may take.
    pub seconds: f64,
}

impl Question {
    /// Adds all of it to the key of a job.
    pub fn key(&self, key: Key) -> Key {
        let key = key.and(&self.ready.key).and(&self.card);
        let key = self.played_for.key(key);
        if matches!(self.played_for, PlayedFor::Win(_)) { key.and(self.seconds) } else { key }
    }

    /// What there is to do, in words.
    pub fn work(&self) -> String {
        let name = self.ready.game.rules().name();
        match &self.played_for {
            PlayedFor::Plain(Objective::Expected) => format!("solving {name}"),
            PlayedFor::Plain(Objective::Reach(_)) => format!("solving {name} for every score"),
            PlayedFor::Plain(_) | PlayedFor::Worth(_) => format!("solving {name} for what scores are worth"),
            PlayedFor::Win(_) => format!("solving a duel of {name}"),
        }
    }

    /// The cards of everybody who plays for a win, the player to move first.
    fn cards(&self, others: &[Card]) -> Vec<Card> {
        [std::slice::from_ref(&self.card), others].concat()
    }
}

/// What was found out about a question.
pub enum Looked {
    /// The player is alone.
    Alone(Box<dyn Prospect + Send + Sync>),
    /// There are others to be beaten.
    Among(Arc<Won>),
}

impl Looked {
    /// What cards that follow are worth.
    pub fn prospect(&self) -> &dyn Prospect {
        match self {
            Looked::Alone(prospect) => &**prospect,
            Looked::Among(won) => won,
        }
    }

    /// Against others: whether that is exact.
    pub fn exact(&self) -> Option<bool> {
        match self {
            Looked::Alone(_) => None,
            Looked::Among(won) => Some(won.judged.exact),
        }
    }

    /// What a card itself is worth before its turn.
    pub fn value(&self, card: &Card) -> f64 {
        match self {
            Looked::Alone(prospect) => prospect.value(card),
            Looked::Among(won) => won.value,
        }
    }
}

impl App {
    /// What is worth what, if all tables are there.
    pub fn looked_now(&self, question: &Question) -> Option<Looked> {
        let Question { ready, card, played_for, seconds } = question;
        let best = |worth: &[f64]| -> Option<Looked> {
            Some(Looked::Alone(Box::new(self.tables.best_now(ready, card, worth_key(worth))?)))
        };
        match played_for {
            PlayedFor::Plain(Objective::Expected) => {
                Some(Looked::Alone(Box::new(self.tables.expected_now(ready)?)))
            }
            PlayedFor::Plain(Objective::Reach(target)) => {
                let (table, target) = (self.tables.reach_now(ready)?, *target);
                // What is out of reach is refused by the long way.
                let most = card.total() + table.of(card).most();
                (target <= most).then(|| Looked::Alone(Box::new(ReachTarget { table, target })))
            }
            PlayedFor::Plain(objective) => match self.tables.goal_now(ready, objective)? {
                Goal::Worth(worth) => best(&worth),
                Goal::Score | Goal::Target(_) => None,
            },
            PlayedFor::Worth(worth) => best(worth),
            PlayedFor::Win(others) => {
                self.tables.won_now(ready, &question.cards(others), *seconds).map(Looked::Among)
            }
        }
    }

    /// What is worth what, solved if need be.
    pub fn looked(&self, question: &Question, task: &Arc<Task>) -> Result<Looked, ApiError> {
        let Question { ready, card, played_for, seconds } = question;
        let goal = match played_for {
            PlayedFor::Win(others) => {
                let won = self.tables.won(ready, &question.cards(others), *seconds, task)?;
                return Ok(Looked::Among(won));
            }
            PlayedFor::Worth(worth) => Goal::Worth(worth.clone()),
            PlayedFor::Plain(objective) => self.tables.goal(ready, objective, task)?,
        };
        Ok(Looked::Alone(match goal {
            Goal::Score => Box::new(self.tables.expected(ready, task)),
            Goal::Target(target) => {
                let table = self.tables.reach_for(ready, card, target, task)?;
                Box::new(ReachTarget { table, target })
            }
            Goal::Worth(worth) => Box::new(self.tables.best(ready, card, &worth, task)?),
        }))
    }
}
