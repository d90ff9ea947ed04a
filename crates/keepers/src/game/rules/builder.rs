//! Rule sets that are built in Rust code.

use std::fmt::Write;

use super::{BoxRule, Joker, Pattern, Rules, RulesError, UpperBonus};
use crate::dice::Face;

/// A builder of rule sets. [`Rules::builder`] starts with five dice of six faces and three rolls per turn.
///
/// ```
/// use keepers::{Pattern, Pays, Rules};
/// let rules = Rules::builder("short")
///     .title("the upper section and two more boxes")
///     .upper_section()
///     .add_box("fh", "Full House", Pattern::Sets { of: vec![3, 2], same_face: false, pays: Pays::Fixed(25) })
///     .add_box("ch", "Chance", Pattern::Chance)
///     .upper_bonus(63, 35)
///     .build()?;
/// assert_eq!(rules.boxes().values().len(), 8);
/// # Ok::<(), keepers::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is built before build()"]
pub struct RulesBuilder {
    rules: Rules,
    boxes: Vec<BoxRule>,
    extra: Option<(String, u16, Joker)>,
}

impl Rules {
    /// Starts a rule set with this name.
    pub fn builder(name: &str) -> RulesBuilder {
        let rules = Rules {
            name: name.to_string(),
            title: name.to_string(),
            dice: 5,
            faces: 6,
            rolls: 3,
            boxes: [].into_iter().collect(),
            upper_bonus: None,
            extra: None,
        };
        RulesBuilder { rules, boxes: Vec::new(), extra: None }
    }
}

impl RulesBuilder {
    /// Sets the title, one line that describes the game.
    pub fn title(mut self, title: &str) -> Self {
        self.rules.title = title.to_string();
        self
    }

    /// Sets the number of dice.
    pub fn dice(mut self, dice: u8) -> Self {
        self.rules.dice = dice;
        self
    }

    /// Sets the number of faces of each die.
    pub fn faces(mut self, faces: u8) -> Self {
        self.rules.faces = faces;
        self
    }

    /// Sets the number of rolls per turn.
    pub fn rolls(mut self, rolls: u8) -> Self {
        self.rules.rolls = rolls;
        self
    }

    /// Adds a box below the existing ones. `id` is what players type.
    pub fn add_box(mut self, id: &str, name: &str, pattern: Pattern) -> Self {
        self.boxes.push(BoxRule { id: id.to_string(), name: name.to_string(), pattern });
        self
    }

    /// Adds one box per face: `1` (Ones), `2` (Twos) and so on.
    pub fn upper_section(mut self) -> Self {
        const NAMES: [&str; 6] = ["Ones", "Twos", "Threes", "Fours", "Fives", "Sixes"];
        for (face, name) in Face::all(self.rules.faces).zip(NAMES) {
            self = self.add_box(&face.to_string(), name, Pattern::Face(face));
        }
        self
    }

    /// Sets the upper bonus: `points` if the upper boxes hold at least `threshold` points.
    pub fn upper_bonus(mut self, threshold: u16, points: u16) -> Self {
        self.rules.upper_bonus = Some(UpperBonus { threshold, points });
        self
    }

    /// Sets the rules for extra Yahtzees: the bonus that each pays if the box with this id holds points, and the boxes
    /// in which they may be entered.
    pub fn extra_yahtzees(mut self, yahtzee_box: &str, points: u16, joker: Joker) -> Self {
        self.extra = Some((yahtzee_box.to_string(), points, joker));
        self
    }

    /// Checks the rules and returns them.
    ///
    /// # Errors
    /// If the rules are invalid. The error lists all problems.
    pub fn build(self) -> Result<Rules, RulesError> {
        // All checks are in the reader of rules files, so the rules are written as TOML and read back.
        Rules::from_toml(&self.to_toml()).map_err(|mut error| {
            error.problems.iter_mut().for_each(|problem| problem.line = 0);
            error
        })
    }

    fn to_toml(&self) -> String {
        let mut toml = self.rules.to_toml();
        if let Some((id, points, joker)) = &self.extra {
            let (id, joker) = (super::write::quoted(id), joker.name());
            let extra = format!("\n[extra]\nbox = {id}\npoints = {points}\njoker = \"{joker}\"\n");
            toml.push_str(&extra);
        }
        for rule in &self.boxes {
            super::write::write_box(&mut toml, rule).expect("writing to a string does not fail");
        }
        let _ = writeln!(toml);
        toml
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builder_makes_the_same_rules_as_the_file() {
        let yacht = Rules::preset("yahtzee").unwrap();
        let mut builder = Rules::builder("yahtzee").title(yacht.title()).upper_bonus(63, 35);
        for rule in yacht.boxes().values() {
            builder = builder.add_box(&rule.id, &rule.name, rule.pattern.clone());
        }
        assert_eq!(builder.extra_yahtzees("y", 100, Joker::Forced).build().unwrap(), yacht);
    }

    #[test]
    fn all_problems_are_reported_without_lines() {
        let error =
            Rules::builder("bad").dice(9).rolls(0).extra_yahtzees("zz", 5, Joker::None).build().unwrap_err();
        assert!(error.problems.len() >= 3, "{error}");
        assert!(!error.to_string().contains("line"), "{error}");
    }

    #[test]
    fn names_cannot_smuggle_in_sections() {
        let rules = Rules::builder("a\"b").title("x [extra] \"y\"").upper_section().build().unwrap();
        assert_eq!((rules.name(), rules.title()), ("a\"b", "x [extra] \"y\""));
        assert!(Rules::builder("a").title("x\n[extra]\n").upper_section().build().is_err());
    }
}
