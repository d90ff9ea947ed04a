//! Formats objectives and their values for people.

use keepers::Objective;

use crate::output::{self, escaped};

/// Returns the heading of a column of values.
pub fn heading(objective: &Objective) -> &'static str {
    match objective {
        Objective::Reach(_) | Objective::Tournament(_) => ">probability",
        Objective::Win => ">result",
        _ => ">value",
    }
}

/// Returns the function that formats a value, or the difference of two.
pub fn written(objective: &Objective) -> fn(f64) -> String {
    match objective {
        Objective::Expected => |value| format!("{value:.3}"),
        Objective::Reach(_) | Objective::Tournament(_) | Objective::Win => output::percent,
        _ => |value| format!("{value:.6}"),
    }
}

/// Describes a value in a sentence.
pub fn promise(objective: &Objective, value: f64) -> String {
    match objective {
        Objective::Expected => format!("Expected final score: {value:.2}"),
        Objective::Reach(target) => format!("Probability of at least {target}: {}", output::percent(value)),
        Objective::Tournament(opponents) => {
            let all = output::count(*opponents as usize, "opponent", "opponents");
            format!("Probability of beating {all}: {}", output::percent(value))
        }
        Objective::Win => format!("Expected result: {}", output::percent(value)),
        Objective::Utility(file) => {
            format!("Expected utility by {}: {value:.6}", escaped(&file.display().to_string()))
        }
        other => format!("Expected value of {other}: {value:.6}"),
    }
}

/// Describes an objective, to follow "playing for".
pub fn played_for(objective: &Objective) -> String {
    match objective {
        Objective::Expected => "the best expected score".to_string(),
        Objective::Reach(target) => format!("at least {target}"),
        Objective::Tournament(opponents) => {
            format!("a win against {}", output::count(*opponents as usize, "opponent", "opponents"))
        }
        Objective::Win => "a win".to_string(),
        Objective::Utility(file) => format!("the utility in {}", escaped(&file.display().to_string())),
        other => other.to_string(),
    }
}
