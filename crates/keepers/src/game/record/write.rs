//! Writes records: the header, an empty line, then one line per roll.

use std::fmt;

use super::{NAMELESS, Record};
use crate::game::rules::Action;
use crate::game::rules::Entry;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules: {}", self.rules)?;
        if self.players != [NAMELESS] {
            writeln!(f, "players: {}", self.players.join(", "))?;
        }
        for (key, value) in &self.tags {
            writeln!(f, "{}", format!("{key}: {value}").trim_end())?;
        }
        // A single player need not be named on each turn.
        let several = self.players.len() > 1;
        let longest = self.players.iter().map(|name| name.chars().count() + 2).max();
        let width = longest.filter(|_| several).unwrap_or(0);
        for (number, turn) in self.turns.iter().enumerate() {
            let player = number % self.players.len();
            if player == 0 {
                writeln!(f)?;
            }
            let mut name = if several { format!("{}:", self.players[player]) } else { String::new() };
            for rolled in &turn.rolls {
                write!(f, "{name:width$}{}", rolled.roll)?;
                match rolled.action {
                    None => writeln!(f)?,
                    Some(Action::Keep(keep)) => writeln!(f, " {keep}")?,
                    Some(Action::Score(entry)) => {
                        let id = &self.rule_set().boxes()[entry.into].id;
                        writeln!(f, " {id}={}", points(entry))?;
                    }
                }
                name.clear();
            }
        }
        Ok(())
    }
}

/// Returns the points of an entry as they are written: `25`, or `30+100` with an extra bonus.
pub(super) fn points(entry: Entry) -> String {
    match entry.extra {
        0 => entry.points.to_string(),
        extra => format!("{}+{extra}", entry.points),
    }
}
