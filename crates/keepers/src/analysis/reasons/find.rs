//! Finds the facts of a decision and chooses the most useful ones.

use super::ends::{Ends, EndsIn, ends};
use super::{Comparison, Fact, MAX_REASONS, Measure, Reason, Shift, Split, bonus};
use crate::analysis::advise::{Advice, AdviceError, Choice, advise_with_plan};
use crate::analysis::value::ValueFunction;
use crate::dice::Roll;
use crate::game::card::Card;
use crate::game::rules::{Action, BoxId, Entry, Pattern};
use crate::kernel::plan::{TieTolerance, TurnPlan};

/// A box is named as one that a keep plays for if it has at least this share of what all boxes add.
const NAMED_SHARE: f64 = 0.1;

/// The largest number of boxes that are named as those that a keep plays for.
const NAMED_BOXES: usize = 3;

/// A less likely box is named as one that a keep plays for only if no likelier one adds as much.
const NAMED_PROBABILITY: f64 = 0.05;

/// A box is named as the fallback, or as the one to give up, if the turn ends so with at least this probability.
const FALLBACK: f64 = 0.1;

/// A box is named as ending less often if the probability is lower by at least this much.
const SHIFTED: f64 = 0.03;

/// A decision to explain.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The card before the turn.
    pub card: &'a Card,
    /// The dice on the table.
    pub roll: Roll,
    /// The number of rolls left.
    pub rolls_left: u8,
    /// The value of the card before the turn.
    pub before: f64,
    /// What values measure.
    pub measure: Measure,
}

/// Ranks every choice after a roll, and returns up to [`MAX_REASONS`] reasons, the most useful first: why the best choice
/// is best or, if the player chose an action that loses something, why that action is worse.
///
/// ```
/// use keepers::{Card, Game, Roll, Rules, Silent, Store};
/// use keepers::internals::reasons::{Measure, Turn, explain};
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// let table = Store::none().expected(&game, &Silent).unwrap();
/// let card = Card::parse(&game, "1=3,4=12,fh=25").unwrap();
/// let roll = Roll::parse("33566", 5, 6).unwrap();
/// let turn =
///     Turn { card: &card, roll, rolls_left: 2, before: table.value(&card), measure: Measure::Points };
/// let (advice, reasons) = explain(&table, &turn, None).unwrap();
/// assert_eq!(advice.choices[0].to_string(), "keep 66  241.523");
/// assert!(reasons[0].to_string().starts_with("Keeping 6 6 plays for Sixes (52 % of the time)"), "{}", reasons[0]);
/// ```
///
/// # Errors
/// The same as [`advise`](crate::analysis::advise::advise).
pub fn explain(
    value_fn: &dyn ValueFunction,
    turn: &Turn<'_>,
    chosen: Option<Action>,
) -> Result<(Advice, Vec<Reason>), AdviceError> {
    let (advice, plan) = advise_with_plan(value_fn, turn.card, turn.roll, turn.rolls_left)?;
    let tolerance = value_fn.tie_tolerance();
    let facts = Finder { turn, tolerance, advice: &advice, plan: plan.as_ref() }.facts(chosen);
    let game = turn.card.game();
    let reason = |fact| Reason { fact, measure: turn.measure, game: game.clone() };
    let reasons = facts.into_iter().take(MAX_REASONS).map(reason).collect();
    Ok((advice, reasons))
}

struct Finder<'a> {
    turn: &'a Turn<'a>,
    tolerance: TieTolerance,
    advice: &'a Advice,
    plan: Option<&'a TurnPlan>,
}

impl Finder<'_> {
    /// Returns all facts, the most useful first.
    fn facts(&self, chosen: Option<Action>) -> Vec<Fact> {
        let choices = &self.advice.choices;
        if let [Choice { action: Action::Score(entry), .. }] = choices[..] {
            let only_open = self.turn.card.open_boxes().len() == 1;
            let bonus = bonus::after_entry(self.turn.card, entry);
            return std::iter::once(Fact::OnlyChoice { into: entry.into, only_open }).chain(bonus).collect();
        }
        let chosen = chosen.and_then(|action| choices.iter().find(|choice| choice.action == action));
        let mistake = chosen.filter(|choice| choice.loss > 0.0);
        // A choice that counts as equal to the best one is explained as the best one.
        let best = chosen.filter(|choice| choice.loss == 0.0).unwrap_or(&choices[0]);
        let runner_up = choices.iter().find(|choice| choice.loss > 0.0);
        let other = mistake.or(runner_up);
        let both = self.plan.zip(other).map(|(plan, other)| self.ends_of(plan, [best, other]));
        let cost =
            other.map(|other| Fact::Costs(self.comparison(best, other, mistake.is_some(), both.as_ref())));
        let equal = self.equal(best);
        let mut facts = Vec::new();
        if mistake.is_some() {
            facts.extend(cost.clone());
        }
        match self.entry_of(best) {
            Some(entry) => {
                let bonus = bonus::after_entry(self.turn.card, entry);
                let (decided, pace): (Vec<Fact>, Vec<Fact>) =
                    bonus.into_iter().partition(|fact| !matches!(fact, Fact::BonusPace(_)));
                facts.extend(decided);
                facts.extend(self.gives_up(entry, best.value));
                if mistake.is_none() {
                    facts.extend(equal);
                    facts.extend(cost);
                }
                facts.extend(pace);
            }
            None => {
                let ends = match both {
                    Some([ends, _]) => Some(ends),
                    None => self.plan.map(|plan| self.ends_of(plan, [best, best])).map(|[ends, _]| ends),
                };
                let plays_for = ends.as_ref().and_then(|ends| plays_for(best.action, ends));
                let upper = plays_for.as_ref().is_some_and(|fact| self.names_an_upper_box(fact));
                facts.extend(plays_for);
                if mistake.is_none() {
                    facts.extend(equal);
                    facts.extend(cost);
                }
                facts.extend(bonus::pace(self.turn.card, false).filter(|_| upper));
            }
        }
        facts.extend(self.target());
        facts
    }

    /// Returns the entry that a choice makes for certain: its own, or the best one if it keeps all dice. Returns `None`
    /// for all other keeps.
    fn entry_of(&self, choice: &Choice) -> Option<Entry> {
        match choice.action {
            Action::Score(entry) => Some(entry),
            Action::Keep(keep) if keep == *self.turn.roll.dice() => {
                let lattice = self.turn.card.game().lattice();
                let nth = lattice.index_of_roll(&self.turn.roll) - lattice.rolls().start;
                self.plan.map(|plan| plan.ends()[nth].0)
            }
            Action::Keep(_) => None,
        }
    }

    fn ends_of(&self, plan: &TurnPlan, choices: [&Choice; 2]) -> [Ends; 2] {
        let index = |choice: &Choice| match choice.action {
            Action::Keep(keep) => self.turn.card.game().lattice().index_of(&keep),
            Action::Score(_) => unreachable!("a plan is made only if there are rolls left"),
        };
        ends(self.turn.card, plan, (self.turn.before, self.tolerance), choices.map(index))
    }

    fn comparison(
        &self,
        best: &Choice,
        other: &Choice,
        chosen: bool,
        ends: Option<&[Ends; 2]>,
    ) -> Comparison {
        let paid = |choice: &Choice| match choice.action {
            Action::Score(entry) => f64::from(self.turn.card.with(entry).total()),
            Action::Keep(_) => 0.0,
        };
        let now = match ends {
            Some([best, other]) => other.points - best.points,
            None => paid(other) - paid(best),
        };
        let split = Split { now, later: other.value - best.value - now };
        Comparison {
            action: other.action,
            best: best.action,
            chosen,
            loss: other.loss,
            closeness: self.turn.measure.closeness(other.loss),
            split: Some(split).filter(|_| self.turn.measure == Measure::Points),
            shift: ends.and_then(|[best, other]| shift(best, other)),
        }
    }

    /// Returns the other choices that count as equal to the best one, if there are any.
    fn equal(&self, best: &Choice) -> Option<Fact> {
        let choices = &self.advice.choices;
        let equal = choices.iter().filter(|choice| choice.loss == 0.0 && choice.action != best.action);
        let actions: Vec<Action> = equal.map(|choice| choice.action).collect();
        let all = choices.iter().all(|choice| choice.loss == 0.0);
        (!actions.is_empty()).then_some(Fact::Equal { actions, all })
    }

    /// Returns the cost of an entry that gives up its box: one with few points, after which the value is lower than
    /// before the turn.
    fn gives_up(&self, entry: Entry, value: f64) -> Option<Fact> {
        let cost = self.turn.before - value;
        let lower = self.tolerance.rank(value) < self.tolerance.rank(self.turn.before);
        let low = entry.extra == 0 && lower && self.is_low(entry);
        low.then_some(Fact::GivesUp { into: entry.into, points: entry.points, cost })
    }

    /// Returns whether an entry has few points for its box: none, less than half of its part of the bonus threshold, or
    /// less than the mean of a single roll.
    fn is_low(&self, entry: Entry) -> bool {
        let rules = self.turn.card.rules();
        let points = f64::from(entry.points);
        let faces = f64::from(rules.faces());
        match rules.boxes()[entry.into].pattern {
            Pattern::Chance => points < f64::from(rules.dice()) * (faces + 1.0) / 2.0,
            Pattern::Face(face) => {
                let pips: u16 = rules
                    .upper_boxes()
                    .iter()
                    .filter_map(|id| rules.upper_face(id))
                    .map(|face| u16::from(face.pips()))
                    .sum();
                let due = rules.upper_bonus().map_or(0.0, |bonus| {
                    f64::from(bonus.threshold) * f64::from(face.pips()) / f64::from(pips)
                });
                entry.points == 0 || 2.0 * points < due
            }
            _ => entry.points == 0,
        }
    }

    fn names_an_upper_box(&self, fact: &Fact) -> bool {
        let Fact::PlaysFor { boxes, .. } = fact else { return false };
        boxes.iter().any(|(id, _)| self.turn.card.rules().upper_face(*id).is_some())
    }

    fn target(&self) -> Option<Fact> {
        let Measure::Reach { target } = self.turn.measure else { return None };
        let (needed, boxes) =
            (target.saturating_sub(self.turn.card.total()), self.turn.card.open_boxes().len());
        (needed > 0).then_some(Fact::Target { target, needed, boxes })
    }
}

/// Returns what a keep plays for. Returns `None` if the turn cannot end better than an average turn.
fn plays_for(action: Action, ends: &Ends) -> Option<Fact> {
    let Action::Keep(keep) = action else { return None };
    let all: f64 = ends.by_box.values().iter().map(|here| here.gain).sum();
    let named = |here: &EndsIn| here.gain > 0.0 && here.gain >= NAMED_SHARE * all && here.scored > 0.0;
    let mut boxes: Vec<(BoxId, &EndsIn)> = ends.by_box.iter().filter(|(_, here)| named(here)).collect();
    boxes.sort_by(|a, b| b.1.gain.total_cmp(&a.1.gain));
    boxes.truncate(NAMED_BOXES);
    if boxes.iter().any(|(_, here)| here.scored >= NAMED_PROBABILITY) {
        boxes.retain(|(_, here)| here.scored >= NAMED_PROBABILITY);
    }
    if boxes.is_empty() {
        return None;
    }
    boxes.sort_by(|a, b| b.1.scored.total_cmp(&a.1.scored));
    let named = |id: BoxId| boxes.iter().any(|(named, _)| *named == id);
    let below = ends.by_box.iter().filter(|(id, _)| !named(*id)).map(|(id, here)| (id, here.below));
    let given_up = ends.by_box.iter().map(|(id, here)| (id, here.given_up));
    let fallback = likeliest(below).map(|(id, _)| (id, ends.by_box[id].scored));
    let gives_up = likeliest(given_up).map(|(id, _)| (id, ends.by_box[id].share - ends.by_box[id].scored));
    Some(Fact::PlaysFor {
        keep,
        boxes: boxes.into_iter().map(|(id, here)| (id, here.scored)).collect(),
        fallback,
        gives_up,
    })
}

/// Returns the likeliest of some ends, if it is likely enough to be named.
fn likeliest(ends: impl Iterator<Item = (BoxId, f64)>) -> Option<(BoxId, f64)> {
    ends.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, probability)| *probability >= FALLBACK)
}

/// Returns the box with the largest loss of value among those in which the turn ends clearly less often with points.
fn shift(best: &Ends, other: &Ends) -> Option<Shift> {
    best.by_box
        .iter()
        .zip(other.by_box.values())
        .filter(|((_, best), other)| best.scored - other.scored >= SHIFTED && best.change > other.change)
        .max_by(|((_, a), a_other), ((_, b), b_other)| {
            (a.change - a_other.change).total_cmp(&(b.change - b_other.change))
        })
        .map(|((into, best), other)| Shift { into, best: best.scored, other: other.scored })
}
