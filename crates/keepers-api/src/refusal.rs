//! Questions that are not answered: one sentence, and every problem with its field.

use std::fmt::{self, Display};

use keepers::{Error, WorkError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a question is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of refusal it is.
    pub kind: Kind,
    /// One clear sentence.
    pub error: String,
    /// Everything that is wrong, if it can be attributed to fields.
    pub problems: Vec<Problem>,
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request is not JSON, or not of the right shape.
    Malformed,
    /// There is no such question.
    Unknown,
    /// The request is well-formed but cannot be answered.
    Invalid,
    /// There is not enough memory at the moment.
    OutOfMemory,
    /// The observer cancelled it.
    Cancelled,
}

/// The JSON of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Refusal, example = json!({
    "error": "card: fh cannot hold 24: it holds 0 or 25",
    "problems": [{ "field": "card", "message": "fh cannot hold 24: it holds 0 or 25" }]
}))]
pub struct RefusalBody {
    /// One clear sentence.
    pub error: String,
    /// Everything that is wrong, if it can be attributed to fields.
    pub problems: Vec<Problem>,
}

/// Something wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The field.
    pub field: String,
    /// The line in a text of several lines, counted from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Refusal {
    /// A refusal with a sentence that belongs to no field.
    pub fn new(kind: Kind, error: impl Display) -> Refusal {
        Refusal { kind, error: error.to_string(), problems: Vec::new() }
    }

    /// A well-formed request with a problem in one field.
    pub fn invalid(field: &str, message: impl Display) -> Refusal {
        let message = message.to_string();
        Refusal::of(vec![Problem { field: field.to_string(), line: None, message }])
    }

    /// A well-formed request with these problems.
    pub fn of(problems: Vec<Problem>) -> Refusal {
        Refusal { kind: Kind::Invalid, error: sentence(&problems, |field| field.to_string()), problems }
    }

    /// An error of the engine. `objective` is the field that says what is played for.
    pub fn engine(error: &Error, objective: &str) -> Refusal {
        let field = match error {
            Error::Work(WorkError::Cancelled) => return Refusal::new(Kind::Cancelled, error),
            Error::Work(_) => return Refusal::new(Kind::OutOfMemory, error),
            Error::OutOfReach { .. } | Error::NoOthers | Error::NoUtility | Error::PlaysAgainstOthers(_) => {
                objective
            }
            Error::NoPuzzle => "difficulty",
            Error::Advice(_) => "card",
            Error::Players(_) => "against",
            Error::Duel(_) => "cards",
            _ => "rules",
        };
        Refusal::invalid(field, error)
    }

    /// Whether the observer cancelled the question.
    pub fn is_cancelled(&self) -> bool {
        self.kind == Kind::Cancelled
    }

    /// The JSON of the refusal.
    pub fn body(&self) -> RefusalBody {
        RefusalBody { error: self.error.clone(), problems: self.problems.clone() }
    }

    /// The sentence with other names for fields.
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

/// How many problems of a request are reported; the rest is left out.
const MOST_PROBLEMS: usize = 100;

/// Collects the problems of several fields, to be reported at once.
#[derive(Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem.
    pub fn add(&mut self, field: &str, message: impl Display) {
        if self.0.len() < MOST_PROBLEMS {
            self.0.push(Problem { field: field.to_string(), line: None, message: message.to_string() });
        }
    }

    /// Adds a problem on a line.
    pub fn add_line(&mut self, field: &str, line: usize, message: impl Display) {
        if self.0.len() < MOST_PROBLEMS {
            let (field, message) = (field.to_string(), message.to_string());
            self.0.push(Problem { field, line: Some(line), message });
        }
    }

    /// The value, or `None` and one more problem.
    pub fn note<T>(&mut self, field: &str, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|error| self.add(field, error)).ok()
    }

    /// A refusal, if there is any problem.
    pub fn check(self) -> Result<(), Refusal> {
        if self.0.is_empty() { Ok(()) } else { Err(Refusal::of(self.0)) }
    }
}
