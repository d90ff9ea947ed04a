//! Writes rules as TOML.

use std::fmt::Write;

use super::{BoxRule, Pattern, Pays, Rules};

impl Rules {
    /// Returns the rules as a TOML file that [`Rules::from_toml`] reads back.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        self.write_toml(&mut out).expect("writing to a string does not fail");
        out
    }

    fn write_toml(&self, out: &mut String) -> std::fmt::Result {
        let comment = |text: &str| format!("  # {text}");
        writeln!(out, "name = {}", quoted(&self.name))?;
        writeln!(out, "title = {}", quoted(&self.title))?;
        writeln!(out, "dice = {}", self.dice)?;
        writeln!(out, "faces = {}", self.faces)?;
        writeln!(out, "rolls = {}{}", self.rolls, comment("in a turn"))?;
        if let Some(bonus) = self.upper_bonus {
            writeln!(out, "\n[upper_bonus]")?;
            writeln!(out, "threshold = {}", bonus.threshold)?;
            writeln!(out, "points = {}", bonus.points)?;
        }
        if let Some(extra) = &self.extra {
            writeln!(out, "\n[extra]{}", comment("all dice equal once their box is filled"))?;
            writeln!(out, "box = {}", quoted(&self.boxes[extra.of].id))?;
            writeln!(out, "points = {}{}", extra.points, comment("paid when that box holds points"))?;
            let jokers = comment("none, forced, free or used");
            writeln!(out, "joker = {}{jokers}", quoted(extra.joker.name()))?;
        }
        self.boxes.values().iter().try_for_each(|rule| write_box(out, rule))
    }
}

/// Writes the section of one box.
pub(super) fn write_box(out: &mut String, rule: &BoxRule) -> std::fmt::Result {
    writeln!(out, "\n[[box]]")?;
    writeln!(out, "id = {}", quoted(&rule.id))?;
    writeln!(out, "name = {}", quoted(&rule.name))?;
    write_pattern(out, &rule.pattern)
}

/// Writes the keys of a pattern, one per line.
fn write_pattern(out: &mut String, pattern: &Pattern) -> std::fmt::Result {
    match pattern {
        Pattern::Face(face) => {
            writeln!(out, "pattern = \"face\"")?;
            writeln!(out, "face = {face}")?;
        }
        Pattern::Sets { of, same_face, pays } => {
            writeln!(out, "pattern = \"sets\"")?;
            let sizes: Vec<String> = of.iter().map(u8::to_string).collect();
            writeln!(out, "of = [{}]", sizes.join(", "))?;
            if of.len() > 1 {
                writeln!(out, "same_face = {same_face}")?;
            }
            write_pays(out, *pays)?;
        }
        Pattern::Straight { length, from, pays } => {
            writeln!(out, "pattern = \"straight\"")?;
            writeln!(out, "length = {length}")?;
            if let Some(from) = from {
                writeln!(out, "from = {from}")?;
            }
            write_pays(out, *pays)?;
        }
        Pattern::Chance => writeln!(out, "pattern = \"chance\"")?,
        Pattern::Fallback { first, otherwise } => {
            write_pattern(out, first)?;
            let mut keys = String::new();
            write_pattern(&mut keys, otherwise)?;
            writeln!(out, "otherwise = {{ {} }}", keys.trim_end().replace('\n', ", "))?;
        }
    }
    Ok(())
}

fn write_pays(out: &mut String, pays: Pays) -> std::fmt::Result {
    match pays {
        Pays::All => writeln!(out, "pays = \"all\""),
        Pays::Matching => writeln!(out, "pays = \"matching\""),
        Pays::Fixed(points) => writeln!(out, "pays = {points}"),
    }
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
