//! Reads rules from TOML. One pass finds all problems and reports each with its line and with what to write instead. It
//! stores a bounded number of problems.

use std::fmt;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{BoxId, BoxRule, ByBox, ExtraYahtzee, Joker, MAX_BOXES, Pattern, Pays, Rules, UpperBonus};
use crate::dice::{Face, MAX_DICE, MAX_FACES};
use crate::text::quote;

/// A problem of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesProblem {
    /// The line of the file, counted from 1; 0 if the rules were not read from a file.
    pub line: usize,
    /// The problem, and what to write instead.
    pub message: String,
}

/// The error for invalid rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RulesError {
    /// The first 100 problems that were found, in the order of the lines.
    pub problems: Vec<RulesProblem>,
    /// The number of problems that are not listed.
    pub more: usize,
}

impl fmt::Display for RulesError {
    /// Writes the first problems, then the number of all others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        for (nth, problem) in self.problems.iter().take(SHOWN).enumerate() {
            let separator = if nth == 0 { "" } else { "; " };
            let line = if problem.line > 0 { format!("line {}: ", problem.line) } else { String::new() };
            write!(f, "{separator}{line}{}", problem.message)?;
        }
        match self.problems.len().saturating_sub(SHOWN) + self.more {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

/// The maximum number of problems that a [`RulesError`] lists.
const MAX_PROBLEMS: usize = 100;

/// The maximum of a bonus, a fixed amount or a threshold, so that all totals fit 16 bits.
const MAX_POINTS: u16 = 1000;

impl Rules {
    /// Reads rules from TOML; `docs/rules.md` explains every key.
    ///
    /// ```
    /// use keepers::Rules;
    /// let error = Rules::from_toml("dice = 9").unwrap_err();
    /// assert!(error.to_string().starts_with("line 1: dice must be a whole number from 2 to 6"));
    /// ```
    pub fn from_toml(text: &str) -> Result<Rules, RulesError> {
        let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
        let mut reader = Reader { line_ends: line_ends.collect(), problems: Vec::new(), more_problems: 0 };
        let (document, syntax_errors) = DeTable::parse_recoverable(text);
        for error in &syntax_errors {
            let line = reader.line(error.span().map_or(0, |span| span.start));
            reader.problem(line, format!("this is not TOML: {}", quote(error.message().trim())));
        }
        // After a syntax error the parser may misread the rest of the file, so no other problems are reported.
        let rules = if syntax_errors.is_empty() { reader.rules(document.get_ref()) } else { None };
        match rules {
            Some(rules) if reader.problems.is_empty() => Ok(rules),
            _ => {
                reader.problems.sort_by_key(|problem| problem.line);
                reader.problems.dedup();
                Err(RulesError { problems: reader.problems, more: reader.more_problems })
            }
        }
    }
}

struct Reader {
    line_ends: Vec<usize>,
    /// The first [`MAX_PROBLEMS`] problems.
    problems: Vec<RulesProblem>,
    /// The number of problems that are not in the list.
    more_problems: usize,
}

/// A table of the file: its keys, its first line, and its name in messages.
struct Section<'a> {
    keys: &'a DeTable<'a>,
    line: usize,
    title: &'a str,
}

impl<'a> Section<'a> {
    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.keys.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }
}

impl Reader {
    fn line(&self, offset: usize) -> usize {
        1 + self.line_ends.partition_point(|&end| end < offset)
    }

    fn line_of<T>(&self, value: &Spanned<T>) -> usize {
        self.line(value.span().start)
    }

    fn problem(&mut self, line: usize, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(RulesProblem { line, message: message.into() });
        } else {
            self.more_problems += 1;
        }
    }

    fn rules(&mut self, document: &DeTable<'_>) -> Option<Rules> {
        let top = Section { keys: document, line: 1, title: "a rules file" };
        self.only_keys(&top, &["name", "title", "dice", "faces", "rolls", "upper_bonus", "extra", "box"]);
        let name = self.line_of_text(&top, "name", "custom");
        let title = self.line_of_text(&top, "title", "");
        let dice = self.whole(&top, "dice", 2..=MAX_DICE as u16);
        let faces = self.whole(&top, "faces", 2..=MAX_FACES as u16);
        let rolls = self.whole(&top, "rolls", 1..=10);
        // If the dice are invalid, the boxes are still read with the largest dice, so that their problems are reported
        // too.
        let dice_size = dice.unwrap_or(MAX_DICE as u16) as u8;
        let face_count = faces.unwrap_or(MAX_FACES as u16) as u8;
        let boxes = self.boxes(&top, dice_size, face_count);
        let upper_bonus = self.upper_bonus(&top, dice_size, boxes.as_ref());
        // The Yahtzee box can be checked only if the number of dice is valid.
        let extra = self.extra(&top, dice_size, boxes.as_ref().filter(|_| dice.is_some()));
        Some(Rules {
            name: name?,
            title: title?,
            dice: dice? as u8,
            faces: faces? as u8,
            rolls: rolls? as u8,
            boxes: boxes?,
            upper_bonus: upper_bonus?,
            extra: extra?,
        })
    }

    fn boxes(&mut self, top: &Section<'_>, dice: u8, faces: u8) -> Option<ByBox<BoxRule>> {
        let Some(value) = top.get("box") else {
            self.problem(1, "there is no box: write each as a [[box]] with id, name and pattern");
            return None;
        };
        let line = self.line_of(value);
        let Some(list) = value.get_ref().as_array() else {
            self.problem(line, "write each box as [[box]], in double brackets");
            return None;
        };
        if list.is_empty() || list.len() > MAX_BOXES {
            self.problem(line, format!("a card has 1 to {MAX_BOXES} boxes, not {}", list.len()));
        }
        let problems = |reader: &Reader| reader.problems.len() + reader.more_problems;
        let before = problems(self);
        let mut read: Vec<BoxRule> = Vec::new();
        let mut ids: Vec<&str> = Vec::new();
        // The rest is not read, because every box is compared with all before it.
        for value in list.iter().take(MAX_BOXES) {
            let line = self.line_of(value);
            let Some(keys) = value.get_ref().as_table() else {
                self.problem(line, "write each box as [[box]], in double brackets");
                continue;
            };
            let section = Section { keys, line, title: "a box" };
            let id = section.get("id");
            let id_line = id.map_or(line, |id| self.line_of(id));
            if let Some(id) = id.and_then(|id| id.get_ref().as_str()) {
                if ids.contains(&id) {
                    let id = quote(id);
                    self.problem(id_line, format!("the id \"{id}\" is used twice; each box needs its own"));
                }
                ids.push(id);
            }
            let Some(rule) = self.one_box(&section, dice, faces) else { continue };
            if let Pattern::Face(face) = rule.pattern
                && read.iter().any(|other| other.pattern == rule.pattern)
            {
                self.problem(
                    id_line,
                    format!("there are two boxes for face {face}; each face has at most one"),
                );
            }
            read.push(rule);
        }
        (problems(self) == before && list.len() <= MAX_BOXES).then(|| read.into_iter().collect())
    }

    fn one_box(&mut self, section: &Section<'_>, dice: u8, faces: u8) -> Option<BoxRule> {
        let id = self.text(section, "id");
        if let (Some(id), Some(value)) = (&id, section.get("id")) {
            let plain = id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
            if !plain || id.is_empty() || id.len() > 8 || id == "extra" {
                let line = self.line_of(value);
                self.problem(
                    line,
                    format!(
                        "\"{}\" cannot be the id of a box: use 1 to 8 lower-case letters and digits, but not \"extra\"",
                        quote(id)
                    ),
                );
            }
        }
        let name = self.line_of_text(section, "name", id.as_deref().unwrap_or_default());
        let pattern = self.pattern(section, &["id", "name"], dice, faces);
        let otherwise = self.otherwise(section, dice, faces);
        let (pattern, otherwise) = (pattern?, otherwise?);
        let pattern = match otherwise {
            None => pattern,
            Some(otherwise) => Pattern::Fallback { first: Box::new(pattern), otherwise: Box::new(otherwise) },
        };
        Some(BoxRule { id: id?, name: name?, pattern })
    }

    /// Reads the pattern of a box if the condition of its first pattern does not hold. Returns `Some(None)` if there is
    /// none.
    fn otherwise(&mut self, section: &Section<'_>, dice: u8, faces: u8) -> Option<Option<Pattern>> {
        let Some(value) = section.get("otherwise") else { return Some(None) };
        let line = self.line_of(value);
        let Some(keys) = value.get_ref().as_table() else {
            self.problem(
                line,
                "otherwise must be a table, like { pattern = \"sets\", of = [2], pays = \"matching\" }",
            );
            return None;
        };
        let section = Section { keys, line, title: "otherwise" };
        match self.pattern(&section, &[], dice, faces)? {
            Pattern::Face(_) => {
                self.problem(line, "the pattern of otherwise must be sets, straight or chance, not \"face\"");
                None
            }
            pattern => Some(Some(pattern)),
        }
    }

    /// Reads a pattern. `also` are the keys that its section may have besides those of the pattern; the section of a box
    /// may also have `otherwise` if the pattern has a condition.
    fn pattern(&mut self, section: &Section<'_>, also: &[&str], dice: u8, faces: u8) -> Option<Pattern> {
        let allowed = |keys: &[&'static str]| [also, &["pattern"], keys].concat();
        let otherwise: &[&str] = if also.is_empty() { &[] } else { &["otherwise"] };
        let pattern = self.text(section, "pattern");
        let line = section.get("pattern").map_or(section.line, |value| self.line_of(value));
        Some(match pattern?.as_str() {
            "face" => {
                self.only_keys(section, &allowed(&["face"]));
                let face = self.whole(section, "face", 1..=u16::from(faces))?;
                Pattern::Face(Face::new(face as u8)?)
            }
            "sets" => {
                self.only_keys(section, &[&allowed(&["of", "same_face", "pays"]), otherwise].concat());
                let of = self.sizes(section, dice);
                let same_face = self.yes_or_no(section, "same_face", false);
                let pays = self.pays(section);
                let of = of?;
                // With a single set, `same_face` has no effect.
                Pattern::Sets { same_face: same_face? && of.len() > 1, of, pays: pays? }
            }
            "straight" => {
                self.only_keys(section, &[&allowed(&["length", "from", "pays"]), otherwise].concat());
                let longest = u16::from(dice.min(faces));
                let length = self.whole(section, "length", 2..=longest);
                let last = u16::from(faces) + 1 - length.unwrap_or(2);
                let from = match section.get("from") {
                    None => Some(None),
                    Some(_) => self.whole(section, "from", 1..=last).map(|from| Face::new(from as u8)),
                };
                let pays = self.pays(section);
                Pattern::Straight { length: length? as u8, from: from?, pays: pays? }
            }
            "chance" => {
                self.only_keys(section, &allowed(&[]));
                Pattern::Chance
            }
            other => {
                self.problem(
                    line,
                    format!("pattern must be face, sets, straight or chance, not \"{}\"", quote(other)),
                );
                return None;
            }
        })
    }

    fn sizes(&mut self, section: &Section<'_>, dice: u8) -> Option<Vec<u8>> {
        let right = format!(
            "of must list the sizes of the sets, like [3, 2], each at least 2 and together at most {dice}"
        );
        let line = section.get("of").map_or(section.line, |value| self.line_of(value));
        let sizes = section.get("of").and_then(|value| value.get_ref().as_array()).and_then(|list| {
            list.iter()
                .map(|size| whole_number(size.get_ref()).filter(|n| (2..=i64::from(dice)).contains(n)))
                .map(|size| size.map(|n| n as u8))
                .collect::<Option<Vec<u8>>>()
        });
        match sizes {
            Some(mut sizes)
                if !sizes.is_empty()
                    && sizes.iter().map(|&size| usize::from(size)).sum::<usize>() <= dice as usize =>
            {
                sizes.sort_by(|a, b| b.cmp(a));
                Some(sizes)
            }
            _ => {
                self.problem(line, right);
                None
            }
        }
    }

    fn pays(&mut self, section: &Section<'_>) -> Option<Pays> {
        let value = section.get("pays");
        let pays = value.and_then(|value| match value.get_ref().as_str() {
            Some("all") => Some(Pays::All),
            Some("matching") => Some(Pays::Matching),
            Some(_) => None,
            None => whole_number(value.get_ref())
                .filter(|n| (1..=i64::from(MAX_POINTS)).contains(n))
                .map(|n| Pays::Fixed(n as u16)),
        });
        if pays.is_none() {
            let line = value.map_or(section.line, |value| self.line_of(value));
            self.problem(
                line,
                format!("pays must be \"all\", \"matching\" or a number from 1 to {MAX_POINTS}"),
            );
        }
        pays
    }

    fn upper_bonus(
        &mut self,
        top: &Section<'_>,
        dice: u8,
        boxes: Option<&ByBox<BoxRule>>,
    ) -> Option<Option<UpperBonus>> {
        let Some(section) = self.section(top, "upper_bonus")? else { return Some(None) };
        self.only_keys(&section, &["threshold", "points"]);
        let threshold = self.whole(&section, "threshold", 1..=MAX_POINTS);
        let points = self.whole(&section, "points", 1..=MAX_POINTS);
        let (threshold, points) = (threshold?, points?);
        let most: u16 = boxes?
            .values()
            .iter()
            .filter_map(|rule| match rule.pattern {
                Pattern::Face(face) => Some(u16::from(face.pips()) * u16::from(dice)),
                _ => None,
            })
            .sum();
        if threshold > most {
            let line = section.get("threshold").map_or(section.line, |value| self.line_of(value));
            self.problem(
                line,
                format!(
                    "a threshold of {threshold} is out of reach: the upper boxes hold at most {most} points"
                ),
            );
            return None;
        }
        Some(Some(UpperBonus { threshold, points }))
    }

    fn extra(
        &mut self,
        top: &Section<'_>,
        dice: u8,
        boxes: Option<&ByBox<BoxRule>>,
    ) -> Option<Option<ExtraYahtzee>> {
        let Some(section) = self.section(top, "extra")? else { return Some(None) };
        self.only_keys(&section, &["box", "points", "joker"]);
        let id = self.text(&section, "box");
        let points = self.whole(&section, "points", 0..=MAX_POINTS);
        let joker = self.text(&section, "joker").and_then(|name| {
            let joker = Joker::ALL.iter().find(|(known, _)| *known == name).map(|(_, joker)| *joker);
            if joker.is_none() {
                let line = section.get("joker").map_or(section.line, |value| self.line_of(value));
                self.problem(
                    line,
                    format!("joker must be none, forced, free or used, not \"{}\"", quote(&name)),
                );
            }
            joker
        });
        let (id, boxes) = (id?, boxes?);
        let all_equal = |rule: &BoxRule| matches!(&rule.pattern, Pattern::Sets { of, .. } if *of == [dice]);
        let of = boxes.iter().find(|(_, rule)| rule.id == id);
        if !of.is_some_and(|(_, rule)| all_equal(rule)) {
            let line = section.get("box").map_or(section.line, |value| self.line_of(value));
            self.problem(
                line,
                format!(
                    "\"{}\" is not a box for {dice} equal dice: extra needs a box with pattern = \"sets\" and of = [{dice}]",
                    quote(&id)
                ),
            );
            return None;
        }
        let of: BoxId = of?.0;
        Some(Some(ExtraYahtzee { of, points: points?, joker: joker? }))
    }

    /// Returns `Some(None)` if the table is absent. If the key is not a table, reports a problem and returns `None`.
    fn section<'a>(&mut self, top: &Section<'a>, key: &'a str) -> Option<Option<Section<'a>>> {
        let Some(value) = top.get(key) else { return Some(None) };
        let line = self.line_of(value);
        match value.get_ref().as_table() {
            Some(keys) => Some(Some(Section { keys, line, title: key })),
            None => {
                self.problem(line, format!("{key} must be a table: write [{key}] on a line of its own"));
                None
            }
        }
    }

    fn only_keys(&mut self, section: &Section<'_>, allowed: &[&str]) {
        for (key, _) in section.keys.iter() {
            if !allowed.contains(&key.get_ref().as_ref()) {
                let line = self.line_of(key);
                self.problem(
                    line,
                    format!(
                        "\"{}\" does not belong in {}, which takes {}",
                        quote(key.get_ref()),
                        section.title,
                        allowed.join(", ")
                    ),
                );
            }
        }
    }

    /// Reads an optional text of one line.
    fn line_of_text(&mut self, section: &Section<'_>, key: &str, default: &str) -> Option<String> {
        let Some(value) = section.get(key) else { return Some(default.to_string()) };
        let line = self.line_of(value);
        match value.get_ref().as_str() {
            Some(text) if !text.chars().any(char::is_control) => return Some(text.to_string()),
            Some(_) => self.problem(line, format!("{key} must be one line without control characters")),
            None => self.problem(line, format!("{key} must be a string in double quotes")),
        }
        None
    }

    fn text(&mut self, section: &Section<'_>, key: &str) -> Option<String> {
        match section.get(key) {
            Some(value) if value.get_ref().is_str() => value.get_ref().as_str().map(str::to_string),
            value => {
                let line = value.map_or(section.line, |value| self.line_of(value));
                self.problem(line, format!("{} needs {key}, a string in double quotes", section.title));
                None
            }
        }
    }

    fn yes_or_no(&mut self, section: &Section<'_>, key: &str, default: bool) -> Option<bool> {
        let Some(value) = section.get(key) else { return Some(default) };
        let found = value.get_ref().as_bool();
        if found.is_none() {
            let line = self.line_of(value);
            self.problem(line, format!("{key} must be true or false"));
        }
        found
    }

    fn whole(&mut self, section: &Section<'_>, key: &str, allowed: RangeInclusive<u16>) -> Option<u16> {
        let value = section.get(key);
        let found = value.and_then(|value| whole_number(value.get_ref()));
        let fits = found.and_then(|n| u16::try_from(n).ok()).filter(|n| allowed.contains(n));
        if fits.is_none() {
            let line = value.map_or(section.line, |value| self.line_of(value));
            let range = format!("a whole number from {} to {}", allowed.start(), allowed.end());
            self.problem(
                line,
                match (value, found) {
                    (None, _) => format!("{key} is missing: {} needs {range}", section.title),
                    (_, Some(n)) => format!("{key} must be {range}, not {n}"),
                    _ => format!("{key} must be {range}"),
                },
            );
        }
        fits
    }
}

fn whole_number(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
