//! Formats values, luck, losses and choices for people.

use keepers::internals::review::Moment;
use keepers::{Action, Grade, Objective, Rules};

use crate::words;

/// Formats the values of an objective.
pub struct Words<'a> {
    pub objective: &'a Objective,
}

impl Words<'_> {
    /// Formats a value or a loss.
    pub fn amount(&self, value: f64) -> String {
        words::written(self.objective)(value)
    }

    /// Formats a change, with its sign.
    pub fn change(&self, value: f64) -> String {
        let sign = if value < 0.0 { "-" } else { "+" };
        format!("{sign}{}", self.amount(value.abs()))
    }

    /// Formats a loss as part of a sum; a loss of 0 has no sign.
    pub fn lost(&self, loss: f64) -> String {
        if loss > 0.0 { self.change(-loss) } else { self.amount(0.0) }
    }

    /// Formats a loss; empty for 0.
    pub fn loss(&self, loss: f64) -> String {
        if loss == 0.0 { String::new() } else { self.amount(loss) }
    }

    /// Returns the grade of a mean loss, or a dash if the objective has no grades.
    pub fn grade(&self, error: f64) -> String {
        Grade::of(self.objective, error).map_or("-".to_string(), |grade| grade.to_string())
    }

    /// Describes the objective, to follow "playing for".
    pub fn played_for(&self) -> String {
        words::played_for(self.objective)
    }
}

/// Describes a choice: `keep 66`, `Full House 25`.
pub fn action(action: Action, rules: &Rules, dice: usize) -> String {
    match action {
        Action::Keep(keep) if keep.is_empty() => "keep nothing".to_string(),
        Action::Keep(keep) if keep.len() == dice => "keep all".to_string(),
        Action::Keep(keep) => format!("keep {keep}"),
        Action::Score(entry) => {
            let extra = if entry.extra > 0 { format!(" + {}", entry.extra) } else { String::new() };
            format!("{} {}{extra}", rules.boxes()[entry.into].name, entry.points)
        }
    }
}

/// Describes a mistake: the cells of its row after the loss.
pub fn mistake(moment: &Moment<'_>, rules: &Rules) -> Vec<String> {
    let dice = usize::from(rules.dice());
    let decision = moment.decision;
    vec![
        moment.turn.to_string(),
        moment.number.to_string(),
        moment.roll.roll.to_string(),
        action(decision.action, rules, dice),
        action(decision.best, rules, dice),
        format!("{} of {}", decision.rank, decision.choices),
    ]
}
