//! Refusals: one sentence, and all problems by field.

use std::fmt::{self, Display};

use keepers::errors::DuelError;
use keepers::internals::text::byte_size;
use keepers::{Error, WorkError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of the refusal.
    pub kind: Kind,
    /// The reason in one sentence.
    pub error: String,
    /// All problems that belong to fields of the request.
    pub problems: Vec<Problem>,
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request is not JSON.
    Malformed,
    /// No question has this name.
    Unknown,
    /// The request is JSON, but its fields are wrong.
    Invalid,
    /// There is not enough free memory.
    OutOfMemory,
    /// The observer cancelled the question.
    Cancelled,
}

impl Kind {
    /// Returns the HTTP status of a refusal of this kind.
    pub fn status(self) -> u16 {
        match self {
            Kind::Malformed => 400,
            Kind::Unknown => 404,
            Kind::Invalid => 422,
            Kind::OutOfMemory | Kind::Cancelled => 503,
        }
    }
}

/// A refusal as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Refusal, example = json!({
    "error": "card: fh cannot hold 24: it holds 0 or 25",
    "problems": [{ "field": "card", "message": "fh cannot hold 24: it holds 0 or 25" }]
}))]
pub struct RefusalBody {
    /// The reason in one sentence.
    pub error: String,
    /// All problems that belong to fields of the request.
    pub problems: Vec<Problem>,
}

/// A problem with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The name of the field.
    pub field: String,
    /// The line, for a field of several lines; the first is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong and how to fix it.
    pub message: String,
}

impl Refusal {
    /// Creates a refusal with a sentence that belongs to no field.
    pub fn new(kind: Kind, error: impl Display) -> Refusal {
        Refusal { kind, error: error.to_string(), problems: Vec::new() }
    }

    /// Creates a refusal with a problem in one field.
    pub fn invalid(field: &str, message: impl Display) -> Refusal {
        let message = message.to_string();
        Refusal::of(vec![Problem { field: field.to_string(), line: None, message }])
    }

    /// Creates a refusal with these problems.
    pub fn of(problems: Vec<Problem>) -> Refusal {
        Refusal { kind: Kind::Invalid, error: sentence(&problems, |field| field.to_string()), problems }
    }

    /// Converts an error of the engine. `objective` is the name of the field with the objective.
    pub fn engine(error: &Error, objective: &str) -> Refusal {
        let field = match error {
            Error::Work(WorkError::Cancelled) => return Refusal::new(Kind::Cancelled, error),
            Error::Work(_) => return Refusal::new(Kind::OutOfMemory, error),
            Error::Duel(DuelError::TooLarge { needed, allowed }) => {
                let [needed, limit] = [needed, allowed].map(|bytes| byte_size(*bytes as u128));
                let text = format!("the duel needs {needed} of memory, but the limit is {limit}");
                return Refusal::invalid("memory", text);
            }
            Error::OutOfReach { .. }
            | Error::NoOthers
            | Error::NoUtility
            | Error::PlaysAgainstOthers(_)
            | Error::NotComparable => objective,
            Error::NoPuzzle => "difficulty",
            Error::NoTheme(_) => "theme",
            Error::Advice(_) => "card",
            Error::Players(_) => "against",
            Error::Duel(_) => "to_move",
            _ => "rules",
        };
        Refusal::invalid(field, error)
    }

    /// Returns whether the observer cancelled the question.
    pub fn is_cancelled(&self) -> bool {
        self.kind == Kind::Cancelled
    }

    /// Returns the refusal as JSON.
    pub fn body(&self) -> RefusalBody {
        RefusalBody { error: self.error.clone(), problems: self.problems.clone() }
    }

    /// Returns the sentence with other names for fields.
    pub fn with_fields(&self, name: impl Fn(&str) -> String) -> String {
        if self.problems.is_empty() { self.error.clone() } else { sentence(&self.problems, name) }
    }
}

fn sentence(problems: &[Problem], name: impl Fn(&str) -> String) -> String {
    const SHOWN: usize = 8;
    let one = |problem: &Problem| match problem.line {
        Some(line) => format!("{}: line {line}: {}", name(&problem.field), problem.message),
        None => format!("{}: {}", name(&problem.field), problem.message),
    };
    let mut sentence = problems.iter().take(SHOWN).map(one).collect::<Vec<_>>().join("; ");
    if problems.len() > SHOWN {
        sentence += &format!("; and {} more", problems.len() - SHOWN);
    }
    sentence
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for Refusal {}

/// The most problems reported for one request.
const MOST_PROBLEMS: usize = 100;

/// The problems of all fields of a request, which are reported together.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem.
    pub fn add(&mut self, field: &str, message: impl Display) {
        if self.0.len() < MOST_PROBLEMS {
            self.0.push(Problem { field: field.to_string(), line: None, message: message.to_string() });
        }
    }

    /// Adds a problem in one line of a field.
    pub fn add_line(&mut self, field: &str, line: usize, message: impl Display) {
        if self.0.len() < MOST_PROBLEMS {
            let (field, message) = (field.to_string(), message.to_string());
            self.0.push(Problem { field, line: Some(line), message });
        }
    }

    /// Returns the value, or adds the error as a problem and returns `None`.
    pub fn note<T>(&mut self, field: &str, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|error| self.add(field, error)).ok()
    }

    /// Fails if there is any problem.
    pub fn check(self) -> Result<(), Refusal> {
        if self.0.is_empty() { Ok(()) } else { Err(Refusal::of(self.0)) }
    }
}
