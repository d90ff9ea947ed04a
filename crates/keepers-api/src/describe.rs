//! Descriptions of rules in words.

use keepers::{Pattern, Pays, Rules};

/// Returns the title of a game: its name with spaces and a capital letter.
pub fn title(rules: &Rules) -> String {
    let words = rules.name().replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Describes the dice that a box needs and the points that it pays.
pub fn describe(pattern: &Pattern) -> String {
    let (condition, pays) = match pattern {
        Pattern::Face(face) => return format!("the sum of all {face}s"),
        Pattern::Chance => return "any dice: the sum of all of them".to_string(),
        Pattern::Fallback { first, otherwise } => {
            return format!("{}; otherwise {}", describe(first), describe(otherwise));
        }
        Pattern::Sets { of, same_face, pays } => (sets(of, *same_face), *pays),
        Pattern::Straight { length, from, pays } => {
            let row: Option<String> =
                from.map(|from| (0..*length).map(|step| (from.pips() + step).to_string()).collect());
            (row.unwrap_or_else(|| format!("{length} in a row")), *pays)
        }
    };
    match pays {
        Pays::All => format!("{condition}: the sum of all dice"),
        Pays::Matching => format!("{condition}: the sum of these dice"),
        Pays::Fixed(points) => format!("{condition}: {points} points"),
    }
}

fn sets(of: &[u8], same_face: bool) -> String {
    let one = |size: &u8| match size {
        2 => "a pair".to_string(),
        size => format!("{size} equal dice"),
    };
    let all: Vec<String> = of.iter().map(one).collect();
    let also = if same_face { ", which may show the same face" } else { "" };
    let words = match &all[..] {
        [a, b] if a == b && of[0] == 2 => "two pairs".to_string(),
        [a, b, c] if a == b && b == c && of[0] == 2 => "three pairs".to_string(),
        all => all.join(" and "),
    };
    format!("{words}{also}")
}
