//! Checks cards and reports all their problems at once.

use std::sync::Arc;

use super::history::can_have_happened;
use super::{Card, CardProblem, Setup};
use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet};
use crate::text::quote;

/// Checks the input for a card. Returns the card or all its problems.
pub(super) fn check(game: &Game, setup: &Setup) -> Result<Card, Vec<CardProblem>> {
    let card = Card::empty(game);
    let mut check = Check { game, card, named: BoxSet::NONE, extras: None, problems: Vec::new() };
    for (id, points) in &setup.parts {
        check.part(id, points.as_deref());
    }
    check.jokers();
    check.extras();
    if check.problems.is_empty() { Ok(check.card) } else { Err(check.problems) }
}

/// The state of a check.
struct Check<'g> {
    game: &'g Game,
    card: Card,
    /// The boxes in the input, even those whose points are impossible.
    named: BoxSet,
    extras: Option<u16>,
    problems: Vec<CardProblem>,
}

impl Check<'_> {
    /// Adds a problem unless it was reported already.
    fn report(&mut self, problem: CardProblem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn part(&mut self, id: &str, points: Option<&str>) {
        let rules = Arc::clone(self.card.rules());
        let Some(points) = points else {
            let example = format!("{}=0", rules.boxes().values()[0].id);
            self.report(CardProblem::NotAnEntry(quote(id), example));
            return;
        };
        if id == "extra" {
            return self.extra_part(points);
        }
        let Some(into) = rules.box_by_id(id) else {
            let ids: Vec<&str> = rules.boxes().values().iter().map(|rule| rule.id.as_str()).collect();
            self.report(CardProblem::UnknownBox(quote(id), ids.join(", ")));
            return;
        };
        if self.named.contains(into) {
            self.report(CardProblem::RepeatedBox(id.into()));
            return;
        }
        self.named = self.named.with(into);
        let possible = self.game.possible_points(into);
        let number = points.parse::<u16>().ok();
        match number.filter(|number| possible.contains(number)) {
            Some(number) => self.card.points[into] = Some(number),
            None => {
                let digits = points.strip_prefix(['-', '+']).unwrap_or(points);
                let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let problem = if is_number { CardProblem::ImpossiblePoints } else { CardProblem::NotPoints };
                self.report(problem(id.into(), quote(points), in_words(&possible)));
            }
        }
    }

    fn extra_part(&mut self, text: &str) {
        let rules = self.card.rules();
        if !rules.extras_pay() {
            self.report(CardProblem::NoExtras(quote(text)));
        } else if self.extras.is_some() {
            self.report(CardProblem::RepeatedBox("extra".into()));
        } else {
            let number = text.parse::<u16>().ok();
            if number.is_none() {
                let most = rules.all_boxes().len() - 1;
                self.report(CardProblem::NotExtras(quote(text), most));
            }
            self.extras = number;
        }
    }

    /// Reports points that only a joker can make on a card whose Yahtzee box is open, where there are no jokers.
    fn jokers(&mut self) {
        let rules = Arc::clone(self.card.rules());
        let Some(yahtzee) = rules.extra().map(|extra| extra.of) else { return };
        if self.named.contains(yahtzee) {
            return;
        }
        let id = |into: BoxId| rules.boxes()[into].id.clone();
        for into in self.named.iter() {
            if let Some(points) = self.card.points[into]
                && !self.game.scores()[into].amounts.contains(&points)
            {
                self.report(CardProblem::NoJokerYet(id(into), points, id(yahtzee)));
            }
        }
    }

    /// Checks that the filled boxes can occur with this number of extra bonuses. Does nothing if a box has a problem of
    /// its own.
    fn extras(&mut self) {
        let rules = Arc::clone(self.card.rules());
        let filled = self.card.filled();
        let Some(yahtzee) = rules.extra().map(|extra| extra.of) else { return };
        let extras = self.extras.unwrap_or(0);
        if filled.boxes != self.named {
            return;
        }
        if extras > 0 && !filled.extras_pay {
            return self.report(CardProblem::NoYahtzee(extras, rules.boxes()[yahtzee].id.clone()));
        }
        if !filled.boxes.contains(yahtzee) {
            return;
        }
        let most = filled.boxes.len() as u16 - 1;
        let possible = |extras: &u16| can_have_happened(self.game, &self.card, *extras);
        if extras <= most && possible(&extras) {
            self.card.extras = extras;
        } else if let Some(fewer) = (0..extras.min(most + 1)).rev().find(possible) {
            self.report(CardProblem::TooManyExtras(extras, fewer));
        } else if let Some(more) =
            (extras.saturating_add(1)..=most).find(|extras| filled.extras_pay && possible(extras))
        {
            self.report(CardProblem::TooFewExtras(extras, more));
        } else {
            let joker_only = |into: &BoxId| {
                let natural = &self.game.scores()[*into].amounts;
                self.card.points[*into].is_some_and(|points| !natural.contains(&points))
            };
            let ids: Vec<String> =
                filled.boxes.iter().filter(joker_only).map(|into| rules.boxes()[into].id.clone()).collect();
            self.report(CardProblem::NoJoker(ids.join(", ")));
        }
    }
}

/// Lists numbers with runs as ranges, such as `0 or 5 to 30`.
fn in_words(numbers: &[u16]) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for &n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let run = |&(first, last): &(u16, u16)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first} to {last}")],
    };
    let words: Vec<String> = runs.iter().flat_map(run).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
