//! Values, luck, losses and choices as people read them.

use keepers::internals::review::Moment;
use keepers::{Action, Grade, Objective, Rules};

use crate::words;

/// The words for what an objective counts.
pub struct Words<'a> {
    pub objective: &'a Objective,
}

impl Words<'_> {
    /// A value or a loss.
    pub fn amount(&self, value: f64) -> String {
        words::written(self.objective)(value)
    }

    /// A change, with its sign.
    pub fn change(&self, value: f64) -> String {
        let sign = if value < 0.0 { "-" } else { "+" };
        format!("{sign}{}", self.amount(value.abs()))
    }

    /// A loss as part of a sum; the loss of no decisions has no sign.
    pub fn lost(&self, loss: f64) -> String {
        if loss > 0.0 { self.change(-loss) } else { self.amount(0.0) }
    }

    /// A loss; an empty text if there is none.
    pub fn loss(&self, loss: f64) -> String {
        if loss == 0.0 { String::new() } else { self.amount(loss) }
    }

    /// The name of an average loss.
    pub fn grade(&self, error: f64) -> String {
        Grade::of(self.objective, error).map_or("-".to_string(), |grade| grade.to_string())
    }

    /// What is played for.
    pub fn played_for(&self) -> String {
        words::played_for(self.objective)
    }
}

/// A choice in words: `keep 66`, `Full House 25`.
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

/// A bad decision in words.
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
