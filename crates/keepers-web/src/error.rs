//! What is refused, and why: one sentence, and every problem with the field it is in.

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    body: Refusal,
    /// Seconds after which it may be tried again.
    retry_after: Option<u32>,
}

/// The body of every answer that is not one.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "error": "card: fh cannot hold 24: it holds 0 or 25",
    "problems": [{ "field": "card", "message": "fh cannot hold 24: it holds 0 or 25" }]
}))]
pub struct Refusal {
    /// One clear sentence.
    pub error: String,
    /// Everything that is wrong, if it can be told apart.
    pub problems: Vec<Problem>,
}

/// Something wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// The field.
    pub field: String,
    /// The line in a text of several lines, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl ApiError {
    /// An error with a sentence.
    pub fn new(status: StatusCode, error: impl Display) -> ApiError {
        let body = Refusal { error: error.to_string(), problems: Vec::new() };
        ApiError { status, body, retry_after: None }
    }

    /// Well-formed, but impossible.
    pub fn impossible(field: &str, message: impl Display) -> ApiError {
        let mut problems = Problems::default();
        problems.tell(field, message);
        ApiError::of(problems.0)
    }

    /// Everything that is impossible in a request.
    pub fn of(problems: Vec<Problem>) -> ApiError {
        const SHOWN: usize = 8;
        let told = |problem: &Problem| match problem.line {
            Some(line) => format!("{}: line {line}: {}", problem.field, problem.message),
            None => format!("{}: {}", problem.field, problem.message),
        };
        let mut error = problems.iter().take(SHOWN).map(told).collect::<Vec<_>>().join("; ");
        if problems.len() > SHOWN {
            error += &format!("; and {} more", problems.len() - SHOWN);
        }
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        ApiError { status, body: Refusal { error, problems }, retry_after: None }
    }

    /// There is too much to do at the moment.
    pub fn busy(error: impl Display, seconds: u32) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error) }
    }

    /// Nothing of this name is here.
    pub fn unknown(error: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.body.error
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Collects the problems of several fields, to be told at once.
#[derive(Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Notes a problem.
    pub fn tell(&mut self, field: &str, message: impl Display) {
        self.0.push(Problem { field: field.to_string(), line: None, message: message.to_string() });
    }

    /// Notes a problem on a line.
    pub fn tell_line(&mut self, field: &str, line: usize, message: impl Display) {
        let (field, message) = (field.to_string(), message.to_string());
        self.0.push(Problem { field, line: Some(line), message });
    }

    /// The value, or nothing and a problem more.
    pub fn note<T>(&mut self, field: &str, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|error| self.tell(field, error)).ok()
    }

    /// An error, if there was any problem.
    pub fn check(self) -> Result<(), ApiError> {
        if self.0.is_empty() { Ok(()) } else { Err(ApiError::of(self.0)) }
    }
}

/// The answers that any request may get instead of its own.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "it stands in the description of the interface only")]
pub enum Delays {
    /// It took too long.
    #[response(status = 408)]
    TooSlow(Refusal),
    /// Too much is going on; `Retry-After` says when to try again.
    #[response(status = 503)]
    Busy(Refusal),
}

/// The answers that any request with a body may get instead of its own.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "it stands in the description of the interface only")]
pub enum Refusals {
    /// The body is not JSON.
    #[response(status = 400)]
    NotJson(Refusal),
    /// The body took too long to arrive.
    #[response(status = 408)]
    TooSlow(Refusal),
    /// The body is larger than 256 KiB.
    #[response(status = 413)]
    TooLarge(Refusal),
    /// The body is not called `application/json`.
    #[response(status = 415)]
    NotCalledJson(Refusal),
    /// What is asked for cannot be.
    #[response(status = 422)]
    Impossible(Refusal),
    /// Too much is going on; `Retry-After` says when to try again.
    #[response(status = 503)]
    Busy(Refusal),
}
