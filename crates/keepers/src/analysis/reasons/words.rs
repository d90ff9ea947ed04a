//! Reasons as English sentences.

use std::fmt;

use super::{BonusPace, Closeness, Comparison, Fact, Measure, Reason, Split};
use crate::dice::Keep;
use crate::game::rules::{Action, BoxId, Rules};

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = Words { rules: self.game.rules(), measure: self.measure };
        f.write_str(&words.sentence(&self.fact))
    }
}

struct Words<'a> {
    rules: &'a Rules,
    measure: Measure,
}

impl Words<'_> {
    fn sentence(&self, fact: &Fact) -> String {
        match fact {
            Fact::OnlyChoice { into, only_open: true } => {
                format!("{} is the only open box.", self.name(*into))
            }
            Fact::OnlyChoice { into, only_open: false } => {
                format!("The rules allow this {} only in {}.", self.rules.extra_name(), self.name(*into))
            }
            Fact::PlaysFor { keep, boxes, fallback, gives_up } => {
                self.plays_for(*keep, boxes, *fallback, *gives_up)
            }
            Fact::Costs(comparison) => self.costs(comparison),
            Fact::Equal { all: true, .. } => "All choices are equally good.".to_string(),
            Fact::Equal { actions, .. } => match &actions[..] {
                [one] => format!("{} is just as good.", self.opening(*one)),
                [one, two] => {
                    format!("{} and {} are just as good.", self.opening(*one), self.doing(*two))
                }
                more => format!("{} other choices are just as good.", more.len()),
            },
            Fact::GivesUp { into, points, cost } => self.gives_up(*into, *points, *cost),
            Fact::BonusEarned { points } => format!("This earns the upper bonus of {points} points."),
            Fact::BonusLost { needed, most, .. } => format!(
                "This gives up the upper bonus: {needed} points would be missing, and the open upper boxes bring \
                 {most} at most."
            ),
            Fact::BonusPace(pace) => bonus_pace(pace),
            Fact::Target { target, needed, boxes } => {
                let boxes = if *boxes == 1 { "the last box".to_string() } else { format!("{boxes} boxes") };
                let points = if *needed == 1 { "point" } else { "points" };
                format!("{target} needs {needed} more {points} from {boxes}.")
            }
        }
    }

    fn name(&self, id: BoxId) -> &str {
        &self.rules.boxes()[id].name
    }

    fn plays_for(
        &self,
        keep: Keep,
        boxes: &[(BoxId, f64)],
        fallback: Option<(BoxId, f64)>,
        gives_up: Option<(BoxId, f64)>,
    ) -> String {
        let of_the_time = |nth| if nth == 0 { " of the time" } else { "" };
        let aim = |(nth, &(id, share)): (usize, &(BoxId, f64))| {
            format!("{} ({}{})", self.name(id), percent(share), of_the_time(nth))
        };
        let aims: Vec<String> = boxes.iter().enumerate().map(aim).collect();
        let and = if gives_up.is_none() { "and " } else { "" };
        let fallback = fallback.map_or(String::new(), |(id, share)| {
            format!(", {and}falls back on {} ({})", self.name(id), percent(share))
        });
        let gives_up = gives_up.map_or(String::new(), |(id, share)| {
            format!(", or else gives up {} for 0 ({})", self.name(id), percent(share))
        });
        let keeping = self.opening(Action::Keep(keep));
        format!("{keeping} plays for {}{fallback}{gives_up}.", joined(&aims, "or"))
    }

    fn costs(&self, of: &Comparison) -> String {
        let instead = match of.chosen {
            true => format!(" instead of {}", self.done(of.best)),
            false => " instead".to_string(),
        };
        let runner_up = of.closeness.filter(|_| !of.chosen);
        let (doing, only) = match runner_up {
            Some(Closeness::Close) => (format!("It is close: {}", self.doing(of.action)), "only "),
            Some(Closeness::Clear) => (format!("It is clear: {}", self.doing(of.action)), ""),
            _ => (self.opening(of.action), ""),
        };
        format!("{doing}{instead} {}{}.", self.lowers(of.loss, only), self.detail(of))
    }

    /// Describes a loss: `costs 2.2 points on average`.
    fn lowers(&self, loss: f64, only: &str) -> String {
        match self.measure {
            Measure::Points => format!("costs {only}{} points on average", amount(loss)),
            Measure::Utility => format!("lowers the expected utility by {loss:.6}"),
            measure => format!("lowers {} by {only}{}", what(measure), percentage_points(loss)),
        }
    }

    /// Describes where the turn then ends, or when the points are lost.
    fn detail(&self, of: &Comparison) -> String {
        let shift = of.shift.map(|shift| (shift, percent(shift.best), percent(shift.other)));
        if let Some((shift, best, other)) = shift.filter(|(_, best, other)| best != other) {
            return format!(
                "; the turn then scores in {} {other} of the time, not {best}",
                self.name(shift.into)
            );
        }
        let exact = matches!(of.action, Action::Score(_));
        of.split.map_or(String::new(), |split| when(split, exact))
    }

    fn gives_up(&self, into: BoxId, points: u16, cost: f64) -> String {
        let cost = match self.measure {
            Measure::Points => format!("costs {} points", amount(cost)),
            Measure::Utility => format!("lowers the expected utility by {cost:.6}"),
            measure => format!("lowers {} by {}", what(measure), percentage_points(cost)),
        };
        let name = self.name(into);
        format!("{name} is the box to give up: {points} there {cost}, compared with an average turn.")
    }

    /// Describes a choice as the first words of a sentence.
    fn opening(&self, action: Action) -> String {
        let doing = self.doing(action);
        match action {
            Action::Keep(_) => doing[..1].to_ascii_uppercase() + &doing[1..],
            Action::Score(_) => doing,
        }
    }

    /// Describes a choice as the subject of a sentence.
    fn doing(&self, action: Action) -> String {
        match action {
            Action::Keep(keep) if keep.is_empty() => "rolling all dice again".to_string(),
            Action::Keep(keep) if keep.len() == usize::from(self.rules.dice()) => "stopping here".to_string(),
            Action::Keep(keep) => format!("keeping {}", dice(&keep)),
            Action::Score(entry) => {
                let extra = if entry.extra > 0 { format!(" + {}", entry.extra) } else { String::new() };
                format!("{} for {}{extra}", self.name(entry.into), entry.points)
            }
        }
    }

    /// Describes a choice after "instead of".
    fn done(&self, action: Action) -> String {
        match action {
            Action::Keep(keep) if !keep.is_empty() && keep.len() < usize::from(self.rules.dice()) => {
                dice(&keep)
            }
            other => self.doing(other),
        }
    }
}

/// Describes a probability or a result, in the middle of a sentence.
fn what(measure: Measure) -> String {
    match measure {
        Measure::Reach { target } => format!("the probability of at least {target}"),
        Measure::Tournament { opponents: 1 } => "the probability of beating the opponent".to_string(),
        Measure::Tournament { opponents } => format!("the probability of beating {opponents} opponents"),
        Measure::Result { opponents, exact } => {
            let estimated = if exact { "" } else { "estimated " };
            match opponents {
                1 => format!("your {estimated}expected result"),
                _ => format!("the {estimated}expected share of opponents you beat"),
            }
        }
        Measure::Points => "the expected score".to_string(),
        Measure::Utility => "the expected utility".to_string(),
    }
}

/// Describes when points are lost or gained.
fn when(split: Split, exact: bool) -> String {
    let Split { now, later } = split;
    let shown = |points: f64| if exact { format!("{:.0}", points.abs()) } else { amount(points.abs()) };
    let is_zero = |points: f64| points.abs() < 0.05;
    match (is_zero(now), is_zero(later)) {
        (true, _) => ", all in later turns".to_string(),
        (_, true) => ", all in this turn".to_string(),
        _ if now < 0.0 && later < 0.0 => {
            format!(": {} in this turn and {} later", shown(now), amount(-later))
        }
        _ if now < 0.0 => format!(": {} fewer in this turn, {} more later", shown(now), amount(later)),
        _ => format!(": {} more in this turn, {} fewer later", shown(now), amount(-later)),
    }
}

fn bonus_pace(pace: &BonusPace) -> String {
    let who = if pace.after { "That leaves you" } else { "You are" };
    let ahead = pace.ahead.abs();
    let shown = if ahead.fract() == 0.0 { format!("{ahead:.0}") } else { amount(ahead) };
    match pace.ahead {
        0.0 => format!("{who} exactly on the bonus pace."),
        more if more > 0.0 => format!("{who} {shown} ahead of the bonus pace."),
        _ => format!("{who} {shown} behind the bonus pace."),
    }
}

/// Formats a positive number of points with one decimal, or with two if it is small.
fn amount(points: f64) -> String {
    match points {
        points if points < 0.005 => "less than 0.01".to_string(),
        points if points < 0.095 => format!("{points:.2}"),
        points => format!("{points:.1}"),
    }
}

/// Formats a probability. Only a certain event has 100 %, and only an impossible one 0 %.
fn percent(probability: f64) -> String {
    let rounded = (100.0 * probability).round();
    match probability {
        p if p > 0.0 && rounded < 1.0 => "less than 1 %".to_string(),
        // Sums of probabilities may miss 1 by rounding errors.
        p if p < 1.0 - 1e-9 && rounded > 99.0 => "more than 99 %".to_string(),
        _ => format!("{rounded:.0} %"),
    }
}

/// Formats a positive difference of two probabilities.
fn percentage_points(difference: f64) -> String {
    let points = 100.0 * difference;
    let decimals = match points {
        points if points >= 0.095 => 1,
        points if points >= 0.0095 => 2,
        points if points >= 0.0005 => 3,
        _ => return "less than 0.001 percentage points".to_string(),
    };
    format!("{points:.decimals$} percentage points")
}

fn dice(keep: &Keep) -> String {
    keep.faces().map(|face| face.to_string()).collect::<Vec<_>>().join(" ")
}

/// Joins a list: `a`, `a or b`, `a, b or c`.
fn joined(list: &[String], last: &str) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}
