//! Goals: objectives made ready for the solver.

use super::Engine;
use super::error::Error;
use crate::analysis::tournament::{Ties, win_probability};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::objective::Objective;
use crate::solve;

/// An objective made ready for the solver: it holds all numbers that a solve needs.
///
/// ```
/// use keepers::{Engine, Game, Goal};
/// let (engine, game) = (Engine::in_memory(), Game::preset("yacht")?);
/// let card = game.card("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0")?;
/// let at_least_150 = Goal::Utility((0..=150).map(|score| if score < 150 { 0.0 } else { 1.0 }).collect());
/// let probability = engine.value(&card, &at_least_150)?;
/// assert!(probability > 0.0 && probability < 1.0);
/// # Ok::<(), keepers::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Goal {
    /// The best expected final score.
    Score,
    /// The best probability of at least this final score.
    Target(u16),
    /// The best expected utility of the final score. Element `s` is the utility of the score `s`; the last element also
    /// counts for all higher scores. There must be at least one element.
    Utility(Vec<f64>),
}

impl Goal {
    /// Returns the goal as a utility: one element per final score from 0 on. Returns `None` for [`Goal::Score`].
    ///
    /// # Errors
    /// If the target is out of reach from the card.
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

/// Checks that a target is at most `most`, the highest final score that can be reached.
pub(super) fn check_target(target: u16, most: u16) -> Result<(), Error> {
    if target <= most { Ok(()) } else { Err(Error::OutOfReach { target, most }) }
}

/// Anything that methods of the [`Engine`] accept as the quantity to maximise: an [`Objective`] or a [`Goal`].
pub trait ToGoal {
    /// Returns the goal for a game ([`Engine::goal`]).
    ///
    /// # Errors
    /// The same as [`Engine::goal`].
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
    /// Returns the goal of an objective. The first call for [`Objective::Tournament`] computes the exact distribution
    /// of the opponents' scores, which takes 3 s for Yahtzee on two cores, and stores it; for all other objectives the call
    /// is immediate.
    ///
    /// # Errors
    /// If the objective is [`Objective::Utility`] (build a [`Goal::Utility`] instead) or [`Objective::Win`] (call
    /// [`Engine::advise_against`] instead), if a table is too large, or if the call is cancelled.
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
