//! Draws dice with box characters.

use anstyle::{AnsiColor, Style};
use keepers::{Face, Keep, Roll};

/// Draws the dice of a roll side by side; kept dice are green and marked.
pub fn dice(roll: &Roll, keep: Option<&Keep>) -> String {
    let mut left = keep.copied().unwrap_or(Keep::NOTHING);
    let dice: Vec<(Face, bool)> = roll
        .dice()
        .faces()
        .map(|face| match left.without(face) {
            Some(fewer) => {
                left = fewer;
                (face, true)
            }
            None => (face, false),
        })
        .collect();
    let line = |part: fn(Face) -> &'static str| {
        let die = |&(face, kept): &(Face, bool)| {
            let style = if kept { AnsiColor::Green.on_default().bold() } else { Style::new() };
            format!("{style}{}{style:#}", part(face))
        };
        dice.iter().map(die).collect::<Vec<_>>().join(" ")
    };
    let mut lines = vec![
        line(|_| "╭───────╮"),
        line(|face| ["│       │", "│ ●     │", "│ ●   ● │"][[0, 1, 1, 2, 2, 2][face.pips() as usize - 1]]),
        line(|face| ["│   ●   │", "│       │", "│ ●   ● │"][[0, 1, 0, 1, 0, 2][face.pips() as usize - 1]]),
        line(|face| ["│       │", "│     ● │", "│ ●   ● │"][[0, 1, 1, 2, 2, 2][face.pips() as usize - 1]]),
        line(|_| "╰───────╯"),
    ];
    if dice.iter().any(|(_, kept)| *kept) {
        let mark = |&(_, kept): &(Face, bool)| if kept { "  keep   " } else { "         " };
        lines.push(dice.iter().map(mark).collect::<Vec<_>>().join(" ").trim_end().to_string());
    }
    lines.join("\n")
}
