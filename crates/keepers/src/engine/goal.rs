//! What is played for, with everything that is needed to play for it.

use super::Engine;
use super::error::Error;
use crate::analysis::tournament::{Ties, win_probability};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::objective::Objective;
use crate::solve;

/// What is played for, with everything that is needed to play for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Goal {
    /// The best expected final score.
    Score,
    /// The best probability of at least this final score.
    Target(u16),
    /// The best expected utility of the final score: a value for each score from 0 on; the last one counts for all
    /// higher scores.
    Utility(Vec<f64>),
}

impl Goal {
    /// The utility of each final score. Returns `None` for the score itself.
    ///
    /// # Errors
    /// If a target is out of reach from the card.
    pub fn utility(&self, game: &Game, card: &Card) -> Result<Option<Vec<f64>>, Error> {
        match self {
            Goal::Score => Ok(None),
            Goal::Target(target) => {
                check_target(*target, solve::max_points(game, card))?;
                Ok(Some((0..=*target).map(|score| f64::from(u8::from(score == *target))).collect()))
            }
            Goal::Utility(utility) => Ok(Some(utility.clone())),
        }
    }
}

pub(super) fn check_target(target: u16, most: u16) -> Result<(), Error> {
    if target <= most { Ok(()) } else { Err(Error::OutOfReach { target, most }) }
}

/// What a player maximises, as methods of the [`Engine`] accept it: an [`Objective`] or a [`Goal`].
pub trait ToGoal {
    /// Makes the goal ready for a game. For a tournament, that computes the distribution of the opponents' scores.
    ///
    /// # Errors
    /// If the objective needs a utility or other players, or if the call is cancelled.
    fn to_goal(&self, engine: &Engine<'_>, game: &Game) -> Result<Goal, Error>;
}

impl ToGoal for Goal {
    fn to_goal(&self, _: &Engine<'_>, _: &Game) -> Result<Goal, Error> {
        Ok(self.clone())
    }
}

impl ToGoal for Objective {
    fn to_goal(&self, engine: &Engine<'_>, game: &Game) -> Result<Goal, Error> {
        engine.goal(game, self)
    }
}

impl Engine<'_> {
    /// What an objective asks for. A utility must be read by the caller ([`crate::utility::parse`]).
    ///
    /// # Errors
    /// If the objective needs a utility or other players, or if the call is cancelled.
    pub fn goal(&self, game: &Game, objective: &Objective) -> Result<Goal, Error> {
        match objective {
            Objective::Expected => Ok(Goal::Score),
            Objective::Reach(target) => Ok(Goal::Target(*target)),
            Objective::Tournament(opponents) => {
                let others = self.expected_statistics(game)?;
                Ok(Goal::Utility(win_probability(&others.probability, *opponents, Ties::Lose)))
            }
            Objective::Utility(_) => Err(Error::NoUtility),
            Objective::Win => Err(Error::NoOthers),
        }
    }
}
