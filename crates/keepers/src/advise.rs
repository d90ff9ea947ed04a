//! Advice: every choice of a player, ranked, with its loss and what it plays for.
//!
//! Equal choices are ordered by the rule at the top of `plan/mod.rs`.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::card::Card;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::plan::{Equal, TurnPlan, tie_rank};
use crate::rules::{BoxId, Entry};
use crate::solve::{Curve, Duel, UtilityTable};
use crate::store::{ExpectedTable, ReachTable};
use crate::turn::{Row, Rows};

/// Something to be had from a finished turn: what an objective says about a card.
pub trait Prospect {
    /// What the game is worth to the player with this card, before the next turn.
    fn value(&self, card: &Card) -> f64;

    /// When two values count as equal.
    fn equal(&self) -> Equal {
        Equal::Digits
    }
}

impl Prospect for ExpectedTable {
    /// The expected final total, what is on the card included.
    fn value(&self, card: &Card) -> f64 {
        let state = self.game().space().index(card.filled(), card.upper_total());
        f64::from(card.total()) + self.get(state.expect("a card has a state"))
    }

    fn equal(&self) -> Equal {
        Equal::Points
    }
}

impl<P: Prospect + ?Sized> Prospect for Arc<P> {
    fn value(&self, card: &Card) -> f64 {
        (**self).value(card)
    }

    fn equal(&self) -> Equal {
        (**self).equal()
    }
}

/// The best chance of a final total of at least a target.
pub struct ReachTarget {
    /// The reach curves of the game.
    pub table: Arc<ReachTable>,
    /// The target.
    pub target: u16,
}

impl Prospect for ReachTarget {
    /// The best probability of reaching the target.
    fn value(&self, card: &Card) -> f64 {
        let curve = self.table.of(card);
        f64::from(curve.at(i32::from(self.target) - i32::from(card.total())))
    }

    fn equal(&self) -> Equal {
        Equal::Single
    }
}

/// The best expected worth of the final score, for cards that follow from the one it was solved for.
pub struct BestUtility {
    /// The game.
    pub game: Arc<Game>,
    /// What it is worth from every state and number of points.
    pub table: Arc<UtilityTable>,
}

impl BestUtility {
    /// Whether a card, and with it all that follow from it, can be valued.
    pub fn knows(&self, card: &Card) -> bool {
        let state = self.game.space().index(card.filled(), card.upper_total());
        self.table.knows(state.expect("a card has a state"), card.total())
    }
}

impl Prospect for BestUtility {
    /// The best expected worth.
    fn value(&self, card: &Card) -> f64 {
        let state = self.game.space().index(card.filled(), card.upper_total());
        self.table.get(state.expect("a card has a state"), card.total())
    }
}

/// The best expected result against one rival, who moves next: win 1, draw 1/2, loss 0.
pub struct BestResult<'a> {
    /// A solved position of the two.
    pub duel: &'a Duel,
    /// The rival's card.
    pub rival: &'a Card,
}

impl Prospect for BestResult<'_> {
    /// The expected result for a card after an entry.
    fn value(&self, card: &Card) -> f64 {
        self.duel.value_after(card, self.rival).expect("the card follows from the solved position")
    }
}

impl ReachTable {
    /// The best probabilities of getting every number of points on top of what is on a card.
    pub fn of(&self, card: &Card) -> Curve<'_> {
        let state = self.game().space().index(card.filled(), card.upper_total());
        self.curve(state.expect("a card has a state"))
    }
}

/// What can be done with a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The value of the best choice.
    pub value: f64,
    /// Every choice, the best one first.
    pub choices: Vec<Choice>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to do.
    pub action: Action,
    /// What the game is then worth.
    pub value: f64,
    /// How much less that is than the best choice; 0 if it is equal to it.
    pub loss: f64,
    /// The boxes the turn may end in when it is then played well, the likeliest first, each with
    /// its probability.
    pub aims: Vec<(BoxId, f64)>,
}

/// What a player does with a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Keep these dice and roll the others; all of them: roll no more.
    Keep(Keep),
    /// End the turn.
    Score(Entry),
}

/// Why there is nothing to advise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdviceError {
    /// Every box is filled.
    #[error("the card is full: there is no turn left to play")]
    Finished,
    /// More rolls left than a turn has.
    #[error("{left} rolls cannot be left after a roll: a turn has {rolls} rolls, so 0 to {} can be left", rolls - 1)]
    TooManyRolls {
        /// Rolls left, as asked.
        left: u8,
        /// Rolls in a turn.
        rolls: u8,
    },
}

/// Ranks every choice after a roll.
///
/// ```
/// use std::sync::Arc;
/// use keepers::{Card, Game, Roll, Rules, Store, advise::{Action, advise}};
/// let game = Arc::new(Game::new(Rules::preset("classic").unwrap()));
/// let table = Store::none().expected(&game);
/// let roll = Roll::parse("11166", 5, 6).unwrap();
/// let advice = advise(&game, &table, &Card::empty(&game), &roll, 0).unwrap();
/// let Action::Score(best) = advice.choices[0].action else { unreachable!() };
/// assert_eq!(game.rules().boxes()[best.into].name, "Full House");
/// ```
pub fn advise(
    game: &Game,
    prospect: &dyn Prospect,
    card: &Card,
    roll: &Roll,
    rolls_left: u8,
) -> Result<Advice, AdviceError> {
    if card.is_finished() {
        return Err(AdviceError::Finished);
    }
    if rolls_left >= game.rules().rolls() {
        return Err(AdviceError::TooManyRolls { left: rolls_left, rolls: game.rules().rolls() });
    }
    let mut choices = if rolls_left == 0 {
        scores(prospect, card, roll)
    } else {
        keeps(game, prospect, card, roll, rolls_left)
    };
    choices.sort_by_key(|choice| rank(prospect.equal().rank(choice.value), choice.action));
    let value = choices[0].value;
    let best = prospect.equal().rank(value);
    for choice in &mut choices {
        let equal = prospect.equal().rank(choice.value) == best;
        choice.loss = if equal { 0.0 } else { (value - choice.value).max(0.0) };
    }
    Ok(Advice { value, choices })
}

/// Sorts the best first.
fn rank(value: i64, action: Action) -> impl Ord {
    let tie = match action {
        Action::Keep(keep) => (tie_rank(&keep), 0),
        Action::Score(entry) => (tie_rank(&Keep::NOTHING), entry.into.place()),
    };
    (Reverse(value), tie)
}

fn scores(prospect: &dyn Prospect, card: &Card, roll: &Roll) -> Vec<Choice> {
    let choice = |entry: Entry| Choice {
        action: Action::Score(entry),
        value: prospect.value(&card.with(entry)),
        loss: 0.0,
        aims: vec![(entry.into, 1.0)],
    };
    card.entries(roll.dice()).into_iter().map(choice).collect()
}

fn keeps(game: &Game, prospect: &dyn Prospect, card: &Card, roll: &Roll, rolls_left: u8) -> Vec<Choice> {
    let worth = |entry| prospect.value(&card.with(entry));
    let plan = TurnPlan::new(game, card.filled(), rolls_left, prospect.equal(), worth);
    let within = |keep: &Keep| keep.is_within(roll.dice());
    let choice = |(k, &keep): (usize, &Keep)| {
        let value = plan.keep(k);
        (k as u16, Choice { action: Action::Keep(keep), value, loss: 0.0, aims: Vec::new() })
    };
    let all = game.lattice().keeps().iter().enumerate();
    let mut choices: Vec<(u16, Choice)> = all.filter(|(_, keep)| within(keep)).map(choice).collect();
    aim(game, card, &plan, &mut choices);
    choices.into_iter().map(|(_, choice)| choice).collect()
}

/// Follows the picks back from the final rolls, with a lane for each box: the probability that the
/// turn ends there.
fn aim(game: &Game, card: &Card, plan: &TurnPlan, choices: &mut [(u16, Choice)]) {
    const W: usize = 8;
    let open: Vec<BoxId> = card.open_boxes().iter().collect();
    let mut rows: Rows<f64, W> = Rows::new();
    for block in open.chunks(W) {
        for (roll, (entry, _)) in game.lattice().rolls().zip(plan.ends()) {
            let mut row = Row([0.0; W]);
            if let Some(lane) = block.iter().position(|id| *id == entry.into) {
                row.0[lane] = 1.0;
            }
            *rows.get_mut(roll as u16) = row;
        }
        game.turn().chance(&mut rows);
        for picks in plan.picks() {
            game.turn().follow(&mut rows, picks);
            game.turn().chance(&mut rows);
        }
        for (k, choice) in choices.iter_mut() {
            let probabilities = block.iter().copied().zip(rows.get(*k).0);
            choice.aims.extend(probabilities.filter(|(_, probability)| *probability > 0.0));
        }
    }
    for (_, choice) in choices {
        choice.aims.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
}
