//! Advice: every choice of a player, ranked by its value, with its loss and the boxes that it aims for.
//!
//! The order of choices with equal values is documented in `kernel/plan/mod.rs`.

use std::cmp::Reverse;
use std::fmt;

pub use super::value::{ReachValue, UtilityValue, ValueFunction};
use crate::dice::{Keep, Roll, tie_rank};
use crate::game::Game;
use crate::game::card::Card;
pub use crate::game::rules::Action;
use crate::game::rules::{BoxId, Entry};
use crate::kernel::plan::TurnPlan;
use crate::turn::{LANES, Row, Rows};

/// All choices after a roll, ranked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Advice {
    /// The value of the best choice.
    pub value: f64,
    /// Every choice, the best one first.
    pub choices: Vec<Choice>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The action: a keep or an entry.
    pub action: Action,
    /// The value of the game after the action.
    pub value: f64,
    /// The value of the best choice minus this value; 0 if both count as equal.
    pub loss: f64,
    /// The boxes in which the turn may end if it continues with the best play, each with its probability, likeliest
    /// first.
    pub aims: Vec<(BoxId, f64)>,
    /// The boxes that the turn may then give up for 0 points, each with its probability, likeliest first. `aims` counts
    /// these ends, too.
    pub given_up: Vec<(BoxId, f64)>,
    game: Game,
}

impl fmt::Display for Choice {
    /// Writes the action and its value, such as `keep 66  241.523` or `score 25 in Full House  227.910`. The precision
    /// of the format applies to the value; the default is 3 decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Action::Keep(keep) => write!(f, "keep {keep}")?,
            Action::Score(entry) => {
                let name = &self.game.rules().boxes()[entry.into].name;
                write!(f, "score {} in {name}", entry.points + entry.extra)?;
            }
        }
        write!(f, "  {:.*}", f.precision().unwrap_or(3), self.value)
    }
}

impl fmt::Display for Advice {
    /// Writes one line per choice, best first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(3);
        self.choices.iter().try_for_each(|choice| writeln!(f, "{choice:.decimals$}"))
    }
}

/// The reason why there is no advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdviceError {
    /// Every box is filled.
    #[error("the card is full: there is no turn left to play")]
    Finished,
    /// There cannot be that many rolls left after a roll.
    #[error("rolls left must be 0 to {}, not {left}", rolls - 1)]
    TooManyRolls {
        /// The rolls left, as given.
        left: u8,
        /// The number of rolls in a turn.
        rolls: u8,
    },
}

/// Ranks every choice after a roll, best first: all keeps if there are rolls left, otherwise all entries.
///
/// ```
/// use std::sync::Arc;
/// use keepers::{Action, Card, Game, Roll, Rules, Silent, Store};
/// use keepers::internals::advise::advise;
/// let game = Game::new(Rules::preset("classic").unwrap());
/// let table = Store::none().expected(&game, &Silent).unwrap();
/// let roll = Roll::parse("11166", 5, 6).unwrap();
/// let advice = advise(&table, &Card::empty(&game), roll, 0).unwrap();
/// let Action::Score(best) = advice.choices[0].action else { unreachable!() };
/// assert_eq!(game.rules().boxes()[best.into].name, "Full House");
/// ```
///
/// # Errors
/// If the card is full, or if `rolls_left` is not less than the number of rolls in a turn.
pub fn advise(
    value_fn: &dyn ValueFunction,
    card: &Card,
    roll: Roll,
    rolls_left: u8,
) -> Result<Advice, AdviceError> {
    Ok(advise_with_plan(value_fn, card, roll, rolls_left)?.0)
}

/// Ranks every choice as [`advise`] does. Also returns the plan of the rest of the turn; `None` if no rolls are left.
///
/// # Errors
/// The same as [`advise`].
pub(crate) fn advise_with_plan(
    value_fn: &dyn ValueFunction,
    card: &Card,
    roll: Roll,
    rolls_left: u8,
) -> Result<(Advice, Option<TurnPlan>), AdviceError> {
    let game = card.game();
    if card.is_finished() {
        return Err(AdviceError::Finished);
    }
    if rolls_left >= game.rules().rolls() {
        return Err(AdviceError::TooManyRolls { left: rolls_left, rolls: game.rules().rolls() });
    }
    let (mut choices, plan) = if rolls_left == 0 {
        (scores(value_fn, card, &roll), None)
    } else {
        let (choices, plan) = keeps(value_fn, card, &roll, rolls_left);
        (choices, Some(plan))
    };
    choices.sort_by_key(|choice| rank(value_fn.tie_tolerance().rank(choice.value), choice.action));
    let value = choices[0].value;
    let best = value_fn.tie_tolerance().rank(value);
    for choice in &mut choices {
        let equal = value_fn.tie_tolerance().rank(choice.value) == best;
        choice.loss = if equal { 0.0 } else { (value - choice.value).max(0.0) };
    }
    Ok((Advice { value, choices }, plan))
}

/// Returns the sort key of a choice: best first, then by the rule for ties.
fn rank(value: i64, action: Action) -> impl Ord {
    let tie = match action {
        Action::Keep(keep) => (tie_rank(&keep), 0),
        Action::Score(entry) => (tie_rank(&Keep::NOTHING), entry.into.index()),
    };
    (Reverse(value), tie)
}

fn scores(value_fn: &dyn ValueFunction, card: &Card, roll: &Roll) -> Vec<Choice> {
    let choice = |entry: Entry| Choice {
        action: Action::Score(entry),
        value: value_fn.value(&card.with(entry)),
        loss: 0.0,
        aims: vec![(entry.into, 1.0)],
        given_up: if is_given_up(entry) { vec![(entry.into, 1.0)] } else { Vec::new() },
        game: card.game().clone(),
    };
    card.entries(roll.dice()).into_iter().map(choice).collect()
}

fn keeps(value_fn: &dyn ValueFunction, card: &Card, roll: &Roll, rolls_left: u8) -> (Vec<Choice>, TurnPlan) {
    let game = card.game();
    let value = |entry| value_fn.value(&card.with(entry));
    let plan = TurnPlan::new(game, card.filled(), rolls_left, value_fn.tie_tolerance(), value);
    let within = |keep: &Keep| keep.is_within(roll.dice());
    let choice = |(k, &keep): (usize, &Keep)| {
        let choice = Choice {
            action: Action::Keep(keep),
            value: plan.keep(k),
            loss: 0.0,
            aims: Vec::new(),
            given_up: Vec::new(),
            game: game.clone(),
        };
        (k as u16, choice)
    };
    let all = game.lattice().keeps().iter().enumerate();
    let mut choices: Vec<(u16, Choice)> = all.filter(|(_, keep)| within(keep)).map(choice).collect();
    add_aims(game, card, &plan, &mut choices);
    (choices.into_iter().map(|(_, choice)| choice).collect(), plan)
}

/// Returns whether an entry uses up its box for nothing.
fn is_given_up(entry: Entry) -> bool {
    entry.points == 0 && entry.extra == 0
}

/// Computes the aims of all choices. Goes back from the final rolls along the plan's picks; a lane is an open box and
/// holds the probability that the turn ends in it, or that it ends there for nothing.
fn add_aims(game: &Game, card: &Card, plan: &TurnPlan, choices: &mut [(u16, Choice)]) {
    let open = || card.open_boxes().iter();
    let may_give_up =
        |id: &BoxId| plan.ends().iter().any(|(entry, _)| entry.into == *id && is_given_up(*entry));
    let given_up = open().filter(may_give_up).map(|id| (id, true));
    let ends: Vec<(BoxId, bool)> = open().map(|id| (id, false)).chain(given_up).collect();
    let mut rows: Rows<f64, LANES> = Rows::new();
    for block in ends.chunks(LANES) {
        for (roll, &(entry, _)) in game.lattice().rolls().zip(plan.ends()) {
            let mut row = Row([0.0; LANES]);
            for (lane, &(id, given_up)) in row.0.iter_mut().zip(block) {
                *lane = f64::from(id == entry.into && (!given_up || is_given_up(entry)));
            }
            *rows.get_mut(roll as u16) = row;
        }
        game.turn().chance(&mut rows);
        for picks in plan.picks() {
            game.turn().follow(&mut rows, picks);
            game.turn().chance(&mut rows);
        }
        for (k, choice) in choices.iter_mut() {
            for (&(id, given_up), probability) in block.iter().zip(rows.get(*k).0) {
                let ends = if given_up { &mut choice.given_up } else { &mut choice.aims };
                ends.extend((probability > 0.0).then_some((id, probability)));
            }
        }
    }
    for (_, choice) in choices {
        choice.aims.sort_by(|a, b| b.1.total_cmp(&a.1));
        choice.given_up.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
}
