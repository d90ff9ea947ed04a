//! Every kind of reason is compared with numbers worked out from the values of cards alone, over thousands of random
//! positions of several games.

#[allow(dead_code, reason = "only a part is needed here")]
mod play;
mod truth;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use keepers::answers::{BonusPace, Closeness, Comparison, Measure, ValueFunction};
use keepers::internals::reasons::{MAX_REASONS, Turn, explain};
use keepers::{
    Action, BoxId, Card, Choice, Engine, Entry, Fact, Game, Keep, Objective, Pattern, Reason, Roll, Rules,
};
use play::RandomStream;
use truth::{Compared, Dice, End, Truth};

/// Three dice with four faces and two rolls; the bonus threshold is not a multiple of the pips.
const TINY: &str = r#"
name = "tiny"
dice = 3
faces = 4
rolls = 2
[upper_bonus]
threshold = 13
points = 10
[extra]
box = "t"
points = 15
joker = "forced"
[[box]]
id = "1"
name = "Ones"
pattern = "face"
face = 1
[[box]]
id = "2"
name = "Twos"
pattern = "face"
face = 2
[[box]]
id = "3"
name = "Threes"
pattern = "face"
face = 3
[[box]]
id = "s"
name = "Straight"
pattern = "straight"
length = 3
pays = 12
[[box]]
id = "t"
name = "Triple"
pattern = "sets"
of = [3]
pays = 20
[[box]]
id = "c"
name = "Sum"
pattern = "chance"
"#;

/// Six dice, three rolls, no bonus.
const SIX_DICE: &str = r#"
name = "six"
dice = 6
faces = 6
rolls = 3
[[box]]
id = "6"
name = "Sixes"
pattern = "face"
face = 6
[[box]]
id = "5"
name = "Fives"
pattern = "face"
face = 5
[[box]]
id = "fs"
name = "Full Straight"
pattern = "straight"
length = 6
pays = 30
[[box]]
id = "3p"
name = "Three Pairs"
pattern = "sets"
of = [2, 2, 2]
pays = "matching"
"#;

/// A random position: a card after random or best turns, a roll, and the rolls left.
fn position(game: &Game, random: &mut RandomStream, best: &dyn ValueFunction) -> (Card, Roll, u8) {
    let rules = game.rules();
    let mut card = Card::empty(game);
    let turns = random.below(rules.boxes().values().len());
    // Best entries of random rolls make likelier cards than random entries.
    let sensible = random.below(3) > 0;
    for _ in 0..turns {
        let roll = random.roll(game, Keep::NOTHING);
        let entries = card.entries(roll.dice());
        let mut entry = random.one(&entries);
        if sensible {
            let value = |entry: &Entry| best.value(&card.enter(roll.dice(), entry.into).unwrap());
            entry = *entries.iter().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap();
        }
        card = card.enter(roll.dice(), entry.into).unwrap();
    }
    let left = random.below(rules.rolls().into()) as u8;
    // Later rolls contain equal dice more often.
    let kept = random.roll(game, Keep::NOTHING);
    let kept = if left + 1 < rules.rolls() { half(&kept) } else { Keep::NOTHING };
    (card, random.roll(game, kept), left)
}

/// The highest dice of a roll, about half of them.
fn half(roll: &Roll) -> Keep {
    let faces: Vec<_> = roll.dice().faces().collect();
    faces[faces.len() / 2..].iter().fold(Keep::NOTHING, |keep, face| keep.with(*face))
}

/// Checks the reasons of one position against the truth.
struct Check<'a> {
    truth: Truth<'a>,
    roll: Keep,
    left: u8,
    before: f64,
    measure: Measure,
    /// Every choice with its value.
    choices: Vec<(Action, f64)>,
}

impl<'a> Check<'a> {
    fn new(mut truth: Truth<'a>, roll: Roll, left: u8, before: f64, measure: Measure) -> Check<'a> {
        let dice = *roll.dice();
        let choices = if left == 0 {
            let entries = truth.card.entries(&dice);
            entries.iter().map(|entry| (Action::Score(*entry), truth.after(dice, entry.into))).collect()
        } else {
            let keeps = truth.dice.keeps(dice);
            keeps.into_iter().map(|keep| (Action::Keep(keep), truth.keep(keep, left))).collect()
        };
        Check { truth, roll: dice, left, before, measure, choices }
    }

    fn value(&self, action: Action) -> f64 {
        self.choices.iter().find(|(other, _)| *other == action).unwrap().1
    }

    fn best_value(&self) -> f64 {
        self.choices.iter().map(|(_, value)| *value).fold(f64::MIN, f64::max)
    }

    fn equal(&self, a: f64, b: f64) -> bool {
        self.truth.compared.rounded(a) == self.truth.compared.rounded(b)
    }

    /// The best action that the library explains.
    fn best(&self, advised: Action, chosen: Option<Action>) -> Action {
        match chosen {
            Some(chosen) if self.equal(self.value(chosen), self.best_value()) => chosen,
            _ => advised,
        }
    }

    fn name(&self, id: BoxId) -> String {
        self.truth.card.rules().boxes()[id].name.clone()
    }

    /// The tolerance of sums of values of this measure.
    fn close(&self, a: f64, b: f64) -> bool {
        let tolerance = if self.truth.compared == Compared::Digits(18) { 1e-5 } else { 1e-7 };
        (a - b).abs() < tolerance
    }

    /// Checks where a turn ends after a keep: in which boxes, and in which of them for nothing.
    fn ends(&mut self, choice: &Choice) {
        let Action::Keep(keep) = choice.action else { return };
        let (ends, _) = self.truth.ends(keep, self.left, self.before);
        let given_up = ends.values().filter(|end| end.share > end.scored + 1e-12).count();
        assert_eq!((choice.aims.len(), choice.given_up.len()), (ends.len(), given_up), "{keep}");
        for (into, probability) in &choice.aims {
            assert!((probability - ends[into].share).abs() < 1e-9, "{keep}: {}", self.name(*into));
        }
        for (into, probability) in &choice.given_up {
            let truth = ends[into].share - ends[into].scored;
            assert!((probability - truth).abs() < 1e-9, "{keep}: {}", self.name(*into));
        }
    }

    fn check(&mut self, reason: &Reason, best: Action, chosen: Option<Action>) {
        let text = reason.to_string();
        assert_eq!(reason.measure, self.measure);
        assert!(text.ends_with('.') && !text.contains("chance"), "{text}");
        match &reason.fact {
            Fact::OnlyChoice { into, only_open } => {
                assert_eq!(self.choices.len(), 1, "{text}");
                assert!(matches!(best, Action::Score(entry) if entry.into == *into));
                assert_eq!(*only_open, self.truth.card.open_boxes().len() == 1);
                assert!(text.contains(&self.name(*into)), "{text}");
            }
            Fact::PlaysFor { keep, boxes, fallback, gives_up } => {
                assert_eq!(Action::Keep(*keep), best);
                let ends = self.plays_for(boxes, best, &text);
                self.falls_back(&ends, boxes, [*fallback, *gives_up], &text);
            }
            Fact::Costs(comparison) => self.costs(comparison, best, chosen, &text),
            Fact::Equal { actions, all } => {
                let top = self.best_value();
                let equal: Vec<Action> = self
                    .choices
                    .iter()
                    .filter(|(action, value)| *action != best && self.equal(*value, top))
                    .map(|(action, _)| *action)
                    .collect();
                assert_eq!(equal.len(), actions.len(), "{text}");
                assert!(actions.iter().all(|action| equal.contains(action)), "{text}");
                assert_eq!(*all, equal.len() + 1 == self.choices.len(), "{text}");
            }
            Fact::GivesUp { into, points, cost } => {
                let after = self.truth.after(self.roll, *into);
                assert!(self.close(*cost, self.before - after) && *cost > 0.0, "{text}: {cost}");
                let entry = self.truth.card.entry(&self.roll, *into).unwrap();
                assert_eq!(entry.points, *points);
                assert!(self.close(after, self.best_value()), "{text} is not the best entry");
                assert!(
                    text.starts_with(&format!("{} is the box to give up: {points} there", self.name(*into)))
                );
                if self.measure == Measure::Points && *cost > 0.1 {
                    assert!(text.contains(&format!(" costs {cost:.1} points,")), "{text}");
                }
            }
            Fact::BonusEarned { points } => {
                let bonus = self.truth.card.rules().upper_bonus().unwrap();
                let into = self.entry(best).into;
                let after = self.truth.card.enter(&self.roll, into).unwrap();
                assert!(self.truth.card.upper_total() < bonus.threshold, "{text}");
                assert!(after.upper_total() >= bonus.threshold && *points == bonus.points, "{text}");
            }
            Fact::BonusLost { needed, most, points } => {
                let bonus = self.truth.card.rules().upper_bonus().unwrap();
                let into = self.entry(best).into;
                let after = self.truth.card.enter(&self.roll, into).unwrap();
                assert_eq!(*points, bonus.points);
                assert_eq!(*needed, bonus.threshold - after.upper_total(), "{text}");
                assert_eq!(*most, most_of(&after));
                assert!(needed > most, "{text}");
                let before = bonus.threshold - self.truth.card.upper_total();
                assert!(before <= most_of(self.truth.card), "{text}: it was out of reach before");
            }
            Fact::BonusPace(pace) => self.pace(pace, best, &text),
            Fact::Target { target, needed, boxes } => {
                assert_eq!(self.measure, Measure::Reach { target: *target });
                assert_eq!(needed + self.truth.card.total(), *target);
                assert_eq!(*boxes, self.truth.card.open_boxes().len());
            }
            other => panic!("{other:?} is not checked"),
        }
    }

    /// The entry that the best choice makes: its own, or that of stopping.
    fn entry(&mut self, best: Action) -> Entry {
        match best {
            Action::Score(entry) => entry,
            Action::Keep(keep) => {
                assert_eq!(keep, self.roll, "only stopping makes an entry");
                self.truth.entry(keep).0
            }
        }
    }

    fn plays_for(&mut self, boxes: &[(BoxId, f64)], best: Action, text: &str) -> HashMap<BoxId, End> {
        let Action::Keep(keep) = best else { panic!("{text}: no keep") };
        let dice: Vec<String> = keep.faces().map(|face| face.to_string()).collect();
        let subject = match dice.is_empty() {
            true => "Rolling all dice again plays for ".to_string(),
            false => format!("Keeping {} plays for ", dice.join(" ")),
        };
        assert!(text.starts_with(&subject), "{text}");
        let (ends, _) = self.truth.ends(keep, self.left, self.before);
        let all: f64 = ends.values().map(|end| end.gain).sum();
        assert!((1..=3).contains(&boxes.len()), "{text}");
        for (nth, (id, share)) in boxes.iter().enumerate() {
            let end = ends[id];
            assert!((share - end.scored).abs() < 1e-9, "{text}: {} {}", self.name(*id), end.scored);
            assert!(end.gain >= all / 10.0 - 1e-9 && end.gain > 0.0, "{text}");
            assert!(nth == 0 || end.scored <= boxes[nth - 1].1 + 1e-9, "{text}: wrong order");
            assert!(end.scored >= 0.05 || boxes.iter().all(|(_, share)| *share < 0.05), "{text}");
            self.says_share(text, &self.name(*id), *share);
        }
        // A box is left out if three others add more, or if it is unlikely.
        let named = |id: &BoxId| boxes.iter().any(|(named, _)| named == id);
        let mut gains: Vec<f64> = ends.values().filter(|end| end.scored > 0.0).map(|end| end.gain).collect();
        gains.sort_by(|a, b| b.total_cmp(a));
        let third = gains.get(2).copied().unwrap_or(0.0).max(all / 10.0);
        let likely = ends.iter().filter(|(_, end)| end.scored >= 0.05 && end.gain > third + 1e-9);
        assert!(likely.into_iter().all(|(id, _)| named(id)), "{text}: a box is missing");
        ends
    }

    /// Checks where a turn ends if it does not end in one of the named boxes.
    fn falls_back(
        &self,
        ends: &HashMap<BoxId, End>,
        boxes: &[(BoxId, f64)],
        [fallback, gives_up]: [Option<(BoxId, f64)>; 2],
        text: &str,
    ) {
        let others = || ends.iter().filter(|(id, _)| boxes.iter().all(|(named, _)| named != *id));
        let below = others().map(|(_, end)| end.below).fold(0.0, f64::max);
        let given_up = ends.values().map(|end| end.given_up).fold(0.0, f64::max);
        match fallback {
            None => assert!(below < 0.1 + 1e-9, "{text}: no fallback, but {below}"),
            Some((id, share)) => {
                assert!((ends[&id].below - below).abs() < 1e-9 && below > 0.1 - 1e-9, "{text}");
                assert!((ends[&id].scored - share).abs() < 1e-9, "{text}");
                let and = if gives_up.is_none() { "and " } else { "" };
                self.says_share(text, &format!("), {and}falls back on {}", self.name(id)), share);
            }
        }
        match gives_up {
            None => assert!(given_up < 0.1 + 1e-9, "{text}: nothing given up, but {given_up}"),
            Some((id, share)) => {
                assert!((ends[&id].given_up - given_up).abs() < 1e-9 && given_up > 0.1 - 1e-9, "{text}");
                assert!((ends[&id].share - ends[&id].scored - share).abs() < 1e-9, "{text}");
                self.says_share(text, &format!("), or else gives up {} for 0", self.name(id)), share);
            }
        }
    }

    /// Checks that a sentence has the right percentage next to the name of a box.
    fn says_share(&self, text: &str, name: &str, share: f64) {
        let rounded = (100.0 * share).round();
        let shown = match rounded {
            0.0 => format!("{name} (less than 1 %"),
            100.0 if share < 1.0 - 1e-9 => format!("{name} (more than 99 %"),
            _ => format!("{name} ({rounded:.0} %"),
        };
        assert!(text.contains(&shown), "{text}: {shown}");
    }

    fn costs(&mut self, of: &Comparison, best: Action, chosen: Option<Action>, text: &str) {
        assert_eq!(of.best, best);
        let (best_value, value) = (self.value(best), self.value(of.action));
        assert!(self.close(of.loss, best_value - value) && of.loss > 0.0, "{text}: {}", best_value - value);
        match of.chosen {
            true => assert_eq!(Some(of.action), chosen),
            false => {
                // No choice that loses something loses less.
                let runner_up = self
                    .choices
                    .iter()
                    .map(|(_, value)| *value)
                    .filter(|value| !self.equal(*value, best_value))
                    .fold(f64::MIN, f64::max);
                assert!(self.close(value, runner_up), "{text}: {value} is not {runner_up}");
            }
        }
        let points = match self.measure {
            Measure::Points => Some(of.loss),
            Measure::Reach { .. } | Measure::Result { .. } => Some(of.loss / 0.006),
            Measure::Tournament { opponents } => Some(of.loss * (f64::from(opponents) + 1.0) / 0.012),
            _ => None,
        };
        let closeness = points.map(|points| match points {
            points if points < 0.5 => Closeness::Close,
            points if points < 3.0 => Closeness::Between,
            _ => Closeness::Clear,
        });
        assert_eq!(of.closeness, closeness, "{text}");
        assert_eq!(text.starts_with("It is close"), !of.chosen && closeness == Some(Closeness::Close));
        assert_eq!(text.starts_with("It is clear"), !of.chosen && closeness == Some(Closeness::Clear));
        self.says_loss(of.loss, text);
        let ends: Option<[(HashMap<BoxId, End>, f64); 2]> = match (of.best, of.action) {
            (Action::Keep(best), Action::Keep(other)) => {
                Some([best, other].map(|keep| self.truth.ends(keep, self.left, self.before)))
            }
            _ => None,
        };
        if let Some(split) = of.split {
            assert_eq!(self.measure, Measure::Points);
            let now = match (&ends, of.best, of.action) {
                (Some([best, other]), ..) => other.1 - best.1,
                (None, Action::Score(best), Action::Score(other)) => {
                    let total = |into| f64::from(self.truth.card.enter(&self.roll, into).unwrap().total());
                    total(other.into) - total(best.into)
                }
                _ => panic!("{text}: an entry is compared with a keep"),
            };
            assert!(self.close(split.now, now), "{text}: {} is not {now}", split.now);
            assert!(self.close(split.now + split.later, -of.loss), "{text}");
            self.says_split(split.now, split.later, text);
        } else {
            assert_ne!(self.measure, Measure::Points, "{text}");
        }
        let Some([(best, _), (other, _)]) = ends else {
            assert!(of.shift.is_none(), "{text}");
            return;
        };
        let end = |of: &HashMap<BoxId, End>, id: BoxId| of.get(&id).copied().unwrap_or_default();
        let lost = |id: BoxId| end(&best, id).change - end(&other, id).change;
        let fewer = |id: BoxId| end(&best, id).scored - end(&other, id).scored;
        let open = self.truth.card.open_boxes();
        match of.shift {
            None => {
                let any = open.iter().find(|id| fewer(*id) > 0.03 + 1e-9 && lost(*id) > 1e-7);
                assert_eq!(any, None, "{text}: no box named");
            }
            Some(shift) => {
                assert!((end(&best, shift.into).scored - shift.best).abs() < 1e-9, "{text}");
                assert!((end(&other, shift.into).scored - shift.other).abs() < 1e-9, "{text}");
                assert!(shift.best - shift.other >= 0.03 - 1e-9);
                for id in open.iter().filter(|id| fewer(*id) > 0.03 + 1e-9) {
                    assert!(lost(id) <= lost(shift.into) + 1e-5, "{text}: {} loses more", self.name(id));
                }
                assert!(text.contains(&format!("scores in {} ", self.name(shift.into))), "{text}");
            }
        }
    }

    /// Checks the size of a loss in a sentence.
    fn says_loss(&self, loss: f64, text: &str) {
        let shown = match self.measure {
            Measure::Points if loss < 0.005 => "less than 0.01 points on average".to_string(),
            Measure::Points if loss < 0.095 => format!("{loss:.2} points on average"),
            Measure::Points => format!("{loss:.1} points on average"),
            Measure::Utility => format!("{loss:.6}"),
            _ if loss >= 0.000_95 => format!("{:.1} percentage points", 100.0 * loss),
            _ => "percentage points".to_string(),
        };
        assert!(text.contains(&shown), "{text}: {shown}");
    }

    /// Checks the words for points now and later.
    fn says_split(&self, now: f64, later: f64, text: &str) {
        if let Some((_, rest)) = text.split_once(" on average: ") {
            assert_eq!(rest.contains("fewer in this turn"), now < 0.0 && later > 0.0, "{text}");
            assert_eq!(rest.contains("more in this turn"), now > 0.0, "{text}");
            assert_eq!(rest.contains("fewer later"), later < 0.0 && now > 0.0, "{text}");
            let shown = if self.left == 0 { format!("{:.0} ", now.abs()) } else { String::new() };
            assert!(rest.contains(&shown), "{text}");
            if later.abs() >= 0.1 {
                assert!(
                    rest.contains(&format!("{:.1} ", later.abs()))
                        || rest.ends_with(&format!("{:.1} later.", later.abs())),
                    "{text}"
                );
            }
        } else if text.contains("all in later turns") {
            assert!(now.abs() < 0.05, "{text}");
        } else if text.contains("all in this turn") {
            assert!(later.abs() < 0.05, "{text}");
        } else {
            assert!(text.contains("; the turn then scores in"), "{text}");
        }
    }

    fn pace(&mut self, pace: &BonusPace, best: Action, text: &str) {
        let rules = self.truth.card.rules().clone();
        let bonus = rules.upper_bonus().expect("a bonus");
        let card = match pace.after {
            true => {
                let into = self.entry(best).into;
                self.truth.card.enter(&self.roll, into).unwrap()
            }
            false => self.truth.card.clone(),
        };
        let (mut pips, mut filled, mut total) = (0, 0, 0);
        for (id, rule) in rules.boxes().iter() {
            if let Pattern::Face(face) = rule.pattern {
                pips += u32::from(face.pips());
                if let Some(points) = card.points(id) {
                    filled += u32::from(face.pips());
                    total += u32::from(points);
                }
            }
        }
        let ahead = f64::from(total) - f64::from(bonus.threshold) * f64::from(filled) / f64::from(pips);
        assert!((pace.ahead - ahead).abs() < 1e-12 && filled > 0, "{text}: {ahead}");
        assert_eq!(u32::from(pace.needed) + total, u32::from(bonus.threshold));
        assert!(pace.needed > 0 && pace.needed <= most_of(&card), "{text}");
        assert_eq!(pace.points, bonus.points);
        let (opening, behind) = if pace.after { ("That leaves you", ahead) } else { ("You are", ahead) };
        let words = match behind {
            0.0 => "exactly on the bonus pace".to_string(),
            ahead if ahead.fract() == 0.0 && ahead > 0.0 => format!("{ahead:.0} ahead of the bonus pace"),
            ahead if ahead.fract() == 0.0 => format!("{:.0} behind the bonus pace", -ahead),
            ahead if ahead > 0.1 => format!("{ahead:.1} ahead of the bonus pace"),
            ahead if ahead < -0.1 => format!("{:.1} behind the bonus pace", -ahead),
            _ => "the bonus pace".to_string(),
        };
        assert!(text.starts_with(opening) && text.contains(&words), "{text}: {words}");
    }
}

/// The most that the open upper boxes of a card can bring.
fn most_of(card: &Card) -> u16 {
    let dice = u16::from(card.rules().dice());
    let of = |(id, rule): (BoxId, &keepers::answers::BoxRule)| match rule.pattern {
        Pattern::Face(face) if card.points(id).is_none() => dice * u16::from(face.pips()),
        _ => 0,
    };
    card.rules().boxes().iter().map(of).sum()
}

fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::OnlyChoice { .. } => "only choice",
        Fact::PlaysFor { .. } => "plays for",
        Fact::Costs(Comparison { chosen: true, .. }) => "costs, chosen",
        Fact::Costs(Comparison { shift: Some(_), .. }) => "costs, shift",
        Fact::Costs(_) => "costs, split",
        Fact::Equal { .. } => "equal",
        Fact::GivesUp { .. } => "gives up",
        Fact::BonusEarned { .. } => "bonus earned",
        Fact::BonusLost { .. } => "bonus lost",
        Fact::BonusPace(_) => "bonus pace",
        Fact::Target { .. } => "target",
        _ => "unknown",
    }
}

/// Checks the reasons of this many random positions, and returns how many reasons there were of each kind.
fn checked(
    game: &Game,
    objective: &Objective,
    compared: Compared,
    positions: usize,
    seed: u64,
) -> BTreeMap<&'static str, usize> {
    let engine = Engine::in_memory();
    let goal = engine.goal(game, objective).unwrap();
    let (mut random, mut dice) = (RandomStream(seed), Dice::new(game));
    let best = engine.value_function(&Card::empty(game), &goal).unwrap();
    let mut kinds = BTreeMap::new();
    let mut nth = 0;
    while nth < positions {
        let (card, roll, left) = position(game, &mut random, &*best);
        if let Objective::Reach(target) = objective
            && best.value(&card) == 0.0
            && card.total() < *target
        {
            continue; // The target is out of reach.
        }
        nth += 1;
        let measure = Measure::of(objective);
        let value_fn = &*best;
        let before = value_fn.value(&card);
        let turn = Turn { card: &card, roll, rolls_left: left, before, measure };
        let advised = explain(value_fn, &turn, None).unwrap().0.choices.swap_remove(0);
        let truth = Truth::new(&card, &mut dice, value_fn, compared);
        let mut check = Check::new(truth, roll, left, before, measure);
        check.ends(&advised);
        let advised = advised.action;
        let chosen = [None, Some(check.choices[random.below(check.choices.len())].0)];
        for chosen in chosen {
            let (_, reasons) = explain(value_fn, &turn, chosen).unwrap();
            assert!((1..=MAX_REASONS).contains(&reasons.len()), "{card}, {roll}, {left}: {reasons:?}");
            let best = check.best(advised, chosen);
            for reason in &reasons {
                check.check(reason, best, chosen);
                *kinds.entry(kind(&reason.fact)).or_default() += 1;
            }
            let mut texts: Vec<String> = reasons.iter().map(Reason::to_string).collect();
            texts.dedup();
            assert_eq!(texts.len(), reasons.len(), "{texts:?}");
        }
    }
    println!("{} {objective}: {kinds:?}", game.rules().name());
    kinds
}

fn has(kinds: &BTreeMap<&'static str, usize>, least: usize, expected: &[&str]) {
    for kind in expected {
        assert!(kinds.get(kind).copied().unwrap_or(0) >= least, "{kind}: {kinds:?}");
    }
}

const ALL: [&str; 10] = [
    "only choice",
    "plays for",
    "costs, chosen",
    "costs, shift",
    "costs, split",
    "equal",
    "gives up",
    "bonus earned",
    "bonus lost",
    "bonus pace",
];

#[test]
fn reasons_of_yahtzee_are_true() {
    let game = Game::preset("yahtzee").unwrap();
    has(&checked(&game, &Objective::Expected, Compared::Points, 4000, 1), 5, &ALL);
}

#[test]
fn reasons_of_yatzy_are_true() {
    let game = Game::preset("yatzy").unwrap();
    let expected: Vec<&str> = ALL.iter().filter(|kind| **kind != "equal").copied().collect();
    has(&checked(&game, &Objective::Expected, Compared::Points, 1500, 2), 5, &expected);
}

#[test]
fn reasons_of_a_game_without_bonus_do_not_mention_one() {
    let game = Game::preset("yacht").unwrap();
    let kinds = checked(&game, &Objective::Expected, Compared::Points, 1500, 3);
    has(
        &kinds,
        5,
        &["only choice", "plays for", "costs, chosen", "costs, shift", "costs, split", "gives up"],
    );
    assert!(kinds.keys().all(|kind| !kind.contains("bonus")), "{kinds:?}");
}

#[test]
fn reasons_of_games_with_other_dice_are_true() {
    let tiny = Game::new(Rules::from_toml(TINY).unwrap());
    has(&checked(&tiny, &Objective::Expected, Compared::Points, 1500, 4), 5, &ALL);
    let six = Game::new(Rules::from_toml(SIX_DICE).unwrap());
    let kinds = checked(&six, &Objective::Expected, Compared::Points, 60, 5);
    has(&kinds, 5, &["plays for", "costs, chosen", "costs, shift"]);
    assert!(kinds.keys().all(|kind| !kind.contains("bonus")), "{kinds:?}");
}

#[test]
fn reasons_for_a_target_are_true() {
    let tiny = Game::new(Rules::from_toml(TINY).unwrap());
    for target in [30, 60] {
        let kinds = checked(&tiny, &Objective::Reach(target), Compared::Digits(18), 600, 6);
        has(&kinds, 5, &["target", "plays for", "equal", "costs, chosen", "gives up"]);
    }
}

#[test]
fn reasons_for_a_tournament_are_true() {
    let tiny = Game::new(Rules::from_toml(TINY).unwrap());
    let kinds = checked(&tiny, &Objective::Tournament(4), Compared::Digits(40), 600, 7);
    has(&kinds, 5, &["plays for", "costs, chosen", "gives up", "bonus pace"]);
}

#[test]
fn reasons_against_opponents_are_true() {
    let game = Game::new(Rules::from_toml(TINY).unwrap());
    let (engine, mut random, mut dice) = (Engine::in_memory(), RandomStream(8), Dice::new(&game));
    let mut kinds = BTreeMap::<&str, usize>::new();
    for nth in 0..60 {
        let mut cards = [Card::empty(&game), Card::empty(&game)];
        for _ in 0..1 + nth % 5 {
            for card in &mut cards {
                let roll = random.roll(&game, Keep::NOTHING);
                let into = random.one(&card.entries(roll.dice())).into;
                *card = card.enter(roll.dice(), into).unwrap();
            }
        }
        let (roll, left) = (random.roll(&game, Keep::NOTHING), random.below(2) as u8);
        let time = Duration::from_secs(5);
        let position = engine.position(&cards, time).unwrap();
        let (advice, reasons, exact) = engine.explain_against(&cards, (roll, left), None, time).unwrap();
        let measure = Measure::Result { opponents: 1, exact };
        let truth = Truth::new(&cards[0], &mut dice, &position.judged, Compared::Digits(40));
        let mut check = Check::new(truth, roll, left, position.value, measure);
        assert!(exact && (1..=MAX_REASONS).contains(&reasons.len()));
        for reason in &reasons {
            check.check(reason, advice.choices[0].action, None);
            *kinds.entry(kind(&reason.fact)).or_default() += 1;
        }
    }
    has(&kinds, 3, &["plays for", "gives up", "bonus pace"]);
}

#[test]
fn an_average_turn_is_the_mean_over_the_turn() {
    let game = Game::preset("yahtzee").unwrap();
    let engine = Engine::in_memory();
    let best = engine.value_function(&Card::empty(&game), &Objective::Expected).unwrap();
    let (mut random, mut dice) = (RandomStream(9), Dice::new(&game));
    for _ in 0..3 {
        let card = position(&game, &mut random, &*best).0;
        let value = best.value(&card);
        let turn = Truth::new(&card, &mut dice, &*best, Compared::Points).keep(Keep::NOTHING, 3);
        assert!((turn - value).abs() < 1e-9, "{turn} {value}");
    }
}
