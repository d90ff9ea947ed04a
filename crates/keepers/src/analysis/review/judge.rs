//! Reviews a record, turn by turn.

use super::{Decision, EntryValuation, Review, ReviewedRoll, ReviewedTurn, Valuation};
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::card::Card;
use crate::game::record::{Position, Record, RecordedTurn};
use crate::game::rules::{Action, Entry};
use crate::kernel::forward::spread;
use crate::kernel::plan::{TieTolerance, TurnPlan};
use crate::turn::Rows;
use crate::work::WorkError;

/// Reviews the turns of one player of a record.
///
/// ```
/// use std::sync::Arc;
/// use keepers::internals::review::{SolitaireValuation, review};
/// use keepers::{Game, Record, Rules, Silent, Store};
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// let table = Store::none().expected(&game, &Silent).unwrap();
/// let record = Record::parse(&game, "33566 3366\n33366 fh").unwrap();
/// let review = review(&game, &record, 0, &SolitaireValuation(&table)).unwrap();
/// let kept = review.turns[0].rolls[0].decisions[0];
/// assert!(kept.loss > 1.0, "two sixes were better");
/// let ledger = review.start + review.luck() - review.loss();
/// assert!((ledger - review.end).abs() < 1e-9);
/// ```
///
/// # Errors
/// If evaluating a position is cancelled, or if an allocation fails.
///
/// # Panics
/// If the record has no such player, or belongs to other rules than the game's.
pub fn review(
    game: &Game,
    record: &Record,
    player: usize,
    valuation: &dyn Valuation,
) -> Result<Review, WorkError> {
    let players = record.players().len();
    assert!(player < players, "the record has no such player");
    let mut position = Position::start(game, players);
    let start = valuation.value(&position, player)?;
    // `ledger` is the value after all changes so far, and `seen` the last value that the valuation returned. They may
    // differ by less than the tie tolerance, because a decision that ties with the best one has no loss. The difference
    // becomes part of the next roll's luck.
    let (mut ledger, mut seen) = (start, start);
    let mut turns = Vec::new();
    for turn in record.turns() {
        if position.to_move == player {
            let others = if players > 1 { valuation.value(&position, player)? - seen } else { 0.0 };
            let judge = TurnJudge::new(game, &position, valuation)?;
            let mut reviewed = judge.turn(turn, ledger, others);
            reviewed.open_boxes = position.cards.iter().map(|card| card.open_boxes().len()).sum();
            ledger = reviewed.value;
            seen = turn.entry().map_or(ledger, |entry| (judge.entry_value)(entry));
            turns.push(reviewed);
        }
        if let Some(entry) = turn.entry() {
            position.enter(Some(entry));
        }
    }
    let is_open = record.turns().last().is_some_and(|turn| turn.entry().is_none());
    let in_turn = is_open && position.to_move == player;
    let others_after = if players > 1 && !in_turn { valuation.value(&position, player)? - seen } else { 0.0 };
    let card = position.cards[player].clone();
    Ok(Review { player, start, turns, others_after, end: ledger + others_after, card })
}

/// The plan of a turn and the values of all its entries, known before its first roll.
struct TurnJudge<'a> {
    game: &'a Game,
    card: &'a Card,
    tolerance: TieTolerance,
    entry_value: Box<dyn Fn(Entry) -> f64 + 'a>,
    exact: bool,
    plan: TurnPlan,
}

impl<'a> TurnJudge<'a> {
    fn new(
        game: &'a Game,
        position: &'a Position,
        valuation: &'a dyn Valuation,
    ) -> Result<TurnJudge<'a>, WorkError> {
        let (card, tolerance) = (position.card(), valuation.tie_tolerance());
        let EntryValuation { value: entry_value, exact } = valuation.entries(position)?;
        let plan = TurnPlan::new(game, card.filled(), game.rules().rolls(), tolerance, &*entry_value);
        Ok(TurnJudge { game, card, tolerance, entry_value, exact, plan })
    }

    fn turn(&self, turn: &RecordedTurn, before: f64, others: f64) -> ReviewedTurn {
        let mut ledger = before + others;
        let mut rolls = Vec::new();
        let mut kept = Keep::NOTHING;
        for (rolls_left, rolled) in (0..self.game.rules().rolls()).rev().zip(&turn.rolls) {
            let roll = &rolled.roll;
            let value = self.best(roll, rolls_left).1;
            let luck = value - ledger;
            let luck_variance = self.luck_variance(&kept, rolls_left);
            ledger = value;
            if let Some(Action::Keep(keep)) = rolled.action {
                kept = keep;
            }
            let decisions = match rolled.action {
                None => Vec::new(),
                Some(Action::Keep(keep)) => vec![self.keep(roll, rolls_left, keep)],
                Some(Action::Score(entry)) if rolls_left == 0 => vec![self.score(roll, entry)],
                Some(Action::Score(entry)) => vec![self.stop(roll, rolls_left), self.score(roll, entry)],
            };
            // If the player stopped early, there are two decisions: the first loss is relative to the best choice after
            // the roll, the second to the best box. The value of stopping is that of the best box, so the losses add
            // up.
            for decision in &decisions {
                ledger -= decision.loss;
            }
            rolls.push(ReviewedRoll { roll: *roll, rolls_left, luck, luck_variance, value, decisions });
        }
        ReviewedTurn {
            card: self.card.clone(),
            open_boxes: self.card.open_boxes().len(),
            exact: self.exact,
            others,
            rolls,
            entry: turn.entry(),
            value: ledger,
        }
    }

    /// Returns the index of a roll among all rolls.
    fn roll_index(&self, roll: &Roll) -> usize {
        self.game.lattice().index_of_roll(roll) - self.game.lattice().rolls().start
    }

    /// Returns the best choice after a roll, and its value.
    fn best(&self, roll: &Roll, rolls_left: u8) -> (Action, f64) {
        let (entry, value) = self.plan.ends()[self.roll_index(roll)];
        if rolls_left == 0 {
            return (Action::Score(entry), value);
        }
        let pick = usize::from(self.plan.picks()[usize::from(rolls_left) - 1][self.roll_index(roll)]);
        (Action::Keep(self.game.lattice().keeps()[pick]), self.plan.keeps(rolls_left)[pick])
    }

    /// Returns the variance of the value after the next roll, with `rolls_left` rolls left after it.
    fn luck_variance(&self, kept: &Keep, rolls_left: u8) -> f64 {
        let lattice = self.game.lattice();
        let mut masses: Rows<f64, 1> = Rows::new();
        masses.get_mut(lattice.index_of(kept) as u16).0[0] = 1.0;
        spread(self.game, &mut masses);
        let value = |nth: usize| match rolls_left {
            0 => self.plan.ends()[nth].1,
            left => {
                let pick = self.plan.picks()[usize::from(left) - 1][nth];
                self.plan.keeps(left)[usize::from(pick)]
            }
        };
        let outcomes = || {
            let masses = lattice.rolls().map(|roll| masses.get(roll as u16).0[0]).enumerate();
            masses.filter(|(_, mass)| *mass > 0.0).map(|(nth, mass)| (mass, value(nth)))
        };
        let mean: f64 = outcomes().map(|(mass, value)| mass * value).sum();
        outcomes().map(|(mass, value)| mass * (value - mean).powi(2)).sum()
    }

    /// Judges a keep.
    fn keep(&self, roll: &Roll, rolls_left: u8, keep: Keep) -> Decision {
        let value = self.plan.keeps(rolls_left)[self.game.lattice().index_of(&keep)];
        self.among_keeps(roll, rolls_left, keep, value)
    }

    /// Judges the decision to keep all dice and stop rolling. Its value is that of the best entry.
    fn stop(&self, roll: &Roll, rolls_left: u8) -> Decision {
        self.among_keeps(roll, rolls_left, *roll.dice(), self.plan.ends()[self.roll_index(roll)].1)
    }

    /// Judges a keep with this value among all keeps of the roll.
    fn among_keeps(&self, roll: &Roll, rolls_left: u8, keep: Keep, value: f64) -> Decision {
        let all = self.game.lattice().keeps().iter().zip(self.plan.keeps(rolls_left));
        let others = all.filter(|(other, _)| other.is_within(roll.dice()) && **other != keep);
        let values: Vec<f64> = others.map(|(_, value)| *value).collect();
        self.decision(Action::Keep(keep), value, self.best(roll, rolls_left), &values)
    }

    /// Judges an entry.
    fn score(&self, roll: &Roll, entry: Entry) -> Decision {
        let others = self.card.entries(roll.dice()).into_iter().filter(|other| *other != entry);
        let values: Vec<f64> = others.map(|other| (self.entry_value)(other)).collect();
        self.decision(Action::Score(entry), (self.entry_value)(entry), self.best(roll, 0), &values)
    }

    fn decision(&self, action: Action, value: f64, best: (Action, f64), others: &[f64]) -> Decision {
        let rank = self.tolerance.rank(value);
        let loss = if self.tolerance.rank(best.1) == rank { 0.0 } else { (best.1 - value).max(0.0) };
        let better = others.iter().filter(|other| self.tolerance.rank(**other) > rank).count();
        let better = if loss == 0.0 { 0 } else { better };
        Decision { action, value, best: best.0, loss, rank: 1 + better, choices: 1 + others.len() }
    }
}
