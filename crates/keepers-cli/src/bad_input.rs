//! Bad input: one sentence on stderr, exit code 2.

use std::fmt;

use keepers::engine::EngineError;

/// What the user typed cannot be used; the text says why, and what would be right.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

impl From<EngineError> for BadInput {
    fn from(error: EngineError) -> BadInput {
        BadInput(error.to_string())
    }
}

/// Collects the problems of several inputs, to be told at once.
#[derive(Default)]
pub struct Problems(Vec<String>);

impl Problems {
    /// The value, or nothing and a problem more.
    pub fn note<T, E: fmt::Display>(&mut self, what: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.0.push(format!("{what}: {error}"))).ok()
    }

    /// The value, or nothing and each of its problems.
    pub fn note_all<T, E: fmt::Display>(&mut self, what: &str, result: Result<T, Vec<E>>) -> Option<T> {
        let tell = |errors: Vec<E>| self.0.extend(errors.iter().map(|error| format!("{what}: {error}")));
        result.map_err(tell).ok()
    }

    /// An error, if there was any problem.
    pub fn check(self) -> Result<(), BadInput> {
        if self.0.is_empty() { Ok(()) } else { Err(BadInput(self.0.join("; "))) }
    }
}
