//! Turns arguments into requests: reads the files that arguments name, and reports their problems together with those
//! that the service finds.

use std::fmt::Display;
use std::path::Path;

use keepers::internals::NoWork;
use keepers::internals::rules::PRESETS;
use keepers::internals::text::quote;
use keepers::{Objective, Rules};
use keepers_api::{Kind, Problem, Question, Refusal, Utilities};

use crate::output::escaped;
use crate::read;
use crate::session::{Session, refused};

/// The inputs of one request, and their problems.
pub struct Inputs<'s> {
    session: &'s Session,
    problems: Vec<Problem>,
    /// Names in messages for fields whose option has another name. The content of a file is named after the file.
    names: Vec<(&'static str, String)>,
    /// Whether the rules could be read. Without them, no other field can be checked.
    has_rules: bool,
}

/// An objective as the fields of a request.
pub struct Aim {
    /// The field `objective` of a request.
    pub objective: String,
    /// The field `utility` of a request.
    pub utility: Option<String>,
    /// The objective as the user typed it.
    pub shown: Objective,
}

impl<'s> Inputs<'s> {
    /// Starts collecting the inputs of a request.
    pub fn new(session: &'s Session) -> Inputs<'s> {
        let names = vec![("seconds", "time".to_string())];
        Inputs { session, problems: Vec::new(), names, has_rules: true }
    }

    /// Adds a problem.
    pub fn add(&mut self, field: &str, message: impl Display) {
        self.problems.push(Problem { field: field.to_string(), line: None, message: message.to_string() });
    }

    /// Returns the value, or adds the error as a problem and returns `None`.
    pub fn note<T>(&mut self, field: &str, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|error| self.add(field, error)).ok()
    }

    /// Uses another name for a field in messages.
    pub fn call(&mut self, field: &'static str, name: impl Into<String>) {
        self.names.push((field, name.into()));
    }

    /// Returns the rules for a request: the name of a preset, or the TOML of a file.
    pub fn rules(&mut self, name: &str) -> String {
        match self.named_rules("rules", name) {
            Some(text) => text,
            None => {
                self.has_rules = false;
                String::new()
            }
        }
    }

    /// Returns the rules whose boxes decide whether a box is scored well.
    pub fn judge(&mut self, name: Option<&str>) -> Option<String> {
        self.named_rules("judge", name?)
    }

    fn named_rules(&mut self, field: &'static str, name: &str) -> Option<String> {
        match rules_text(name) {
            Ok(text) => {
                if Rules::preset(name).is_err() {
                    self.call(field, escaped(name));
                }
                Some(text)
            }
            Err(problem) => {
                self.add(field, problem);
                None
            }
        }
    }

    /// Reads an objective for a request with at most one utility, and the file of that utility.
    pub fn aim(&mut self, field: &'static str, text: &str) -> Aim {
        let expected = || Aim { objective: "expected".into(), utility: None, shown: Objective::Expected };
        let Some(objective) = self.note(field, text.parse::<Objective>()) else { return expected() };
        let Objective::Utility(path) = &objective else {
            return Aim { objective: text.to_string(), utility: None, shown: objective };
        };
        let Some(utility) = self.file(field, path) else { return expected() };
        self.call("utility", escaped(&path.display().to_string()));
        Aim { objective: "utility".into(), utility: Some(utility), shown: objective }
    }

    /// Reads the utilities that objectives need, by the names of their files.
    pub fn utilities<'o>(
        &mut self,
        field: &'static str,
        objectives: impl IntoIterator<Item = &'o Objective>,
    ) -> Option<Utilities> {
        let mut all = Utilities::new();
        for objective in objectives {
            let Objective::Utility(path) = objective else { continue };
            // A valid stand-in for an unreadable file, so that the service does not report the utility a second time.
            let text = self.file(field, path).unwrap_or_else(|| "0,0\n1,1\n".to_string());
            all.insert(path.display().to_string(), text);
        }
        Some(all).filter(|all| !all.is_empty())
    }

    /// Reads a text file.
    pub fn file(&mut self, field: &'static str, path: &Path) -> Option<String> {
        let name = escaped(&path.display().to_string());
        self.note(field, read::text(path).map_err(|error| format!("cannot read {name}: {error}")))
    }

    /// Reads the rolls left. The service checks the range.
    pub fn rolls_left(&mut self, rules: &str, text: Option<&str>) -> Option<u8> {
        let text = text?;
        if let Ok(left) = text.parse() {
            return Some(left);
        }
        let most = self.session.service.game(rules).ok().map(|ready| ready.rules().rolls() - 1);
        let allowed = most.map_or("a whole number".to_string(), |most| format!("0 to {most}"));
        self.add("rolls_left", format!("must be {allowed}, not \"{}\"", quote(text)));
        None
    }

    /// Refuses a request with problems before anything is solved.
    pub fn check(&self, request: &impl Question) -> anyhow::Result<()> {
        let mut problems = self.problems.clone();
        if self.has_rules
            && let Err(refusal) = request.answer(&self.session.service, &NoWork)
            && refusal.kind == Kind::Invalid
        {
            problems.extend(refusal.problems);
        }
        if problems.is_empty() { Ok(()) } else { Err(self.refused(&Refusal::of(problems))) }
    }

    /// Refuses inputs with problems without checking a request.
    pub fn finish(&self) -> anyhow::Result<()> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.refused(&Refusal::of(self.problems.clone()))) }
    }

    /// Answers a request.
    pub fn ask<Q: Question>(&self, request: &Q) -> anyhow::Result<Q::Answer> {
        self.answer(request, |request, observer| request.answer(&self.session.service, observer))
    }

    /// Answers a request with the function `answer`.
    pub fn answer<Q: Question, A>(
        &self,
        request: &Q,
        answer: impl FnOnce(&Q, &crate::progress::Terminal) -> Result<A, Refusal>,
    ) -> anyhow::Result<A> {
        if !self.problems.is_empty() {
            self.check(request)?;
        }
        let answered = answer(request, &self.session.observer);
        self.session.observer.clear();
        answered.map_err(|refusal| self.refused(&refusal))
    }

    /// Converts a refusal, with the names of options instead of fields.
    pub fn refused(&self, refusal: &Refusal) -> anyhow::Error {
        refused(refusal, |field| self.name(field))
    }

    fn name(&self, field: &str) -> String {
        if let Some((_, name)) = self.names.iter().rev().find(|(called, _)| *called == field) {
            return name.clone();
        }
        match field.strip_prefix("utilities.") {
            Some(file) => escaped(file),
            None => field.replace('_', "-"),
        }
    }
}

/// Returns the rules for a request: the name of a preset, or the TOML of a file.
pub fn rules_text(name: &str) -> Result<String, String> {
    if Rules::preset(name).is_ok() {
        return Ok(name.to_string());
    }
    let path = Path::new(name);
    let looks_like_a_path = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !looks_like_a_path {
        let (name, presets) = (quote(name), presets());
        return Err(format!("unknown rules \"{name}\": use {presets}, or the path of a TOML file"));
    }
    toml(path).map_err(|error| format!("cannot read the rules file {}: {error}", escaped(name)))
}

/// Reads the TOML of a rules file.
pub fn toml(path: &Path) -> Result<String, String> {
    let text = read::text(path)?;
    // With the line break, the service cannot mistake the text for the name of a preset.
    Ok(text + "\n")
}

/// Lists the names of all presets.
pub fn presets() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// Parses rules that are the name of a preset or TOML. Returns `None` if they are neither.
pub fn read_rules(text: &str) -> Option<Rules> {
    Rules::preset(text).ok().or_else(|| Rules::from_toml(text).ok())
}
