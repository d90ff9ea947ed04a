//! Refusals as HTTP responses, and their OpenAPI description.

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use keepers_api::{Kind, Refusal, RefusalBody};
use utoipa::IntoResponses;

/// Seconds after which a client may repeat a request that failed for lack of memory.
const MEMORY_RETRY: u32 = 10;

/// The reason why a request has no answer.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    body: RefusalBody,
    /// Seconds after which the client may repeat the request.
    retry_after: Option<u32>,
}

impl ApiError {
    /// Creates an error with a sentence.
    pub fn new(status: StatusCode, error: impl Display) -> ApiError {
        let body = RefusalBody { error: error.to_string(), problems: Vec::new() };
        ApiError { status, body, retry_after: None }
    }

    /// Creates an error for a server that is too busy, with the seconds until the client may try again.
    pub fn busy(error: impl Display, seconds: u32) -> ApiError {
        ApiError { retry_after: Some(seconds), ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error) }
    }

    /// Creates an error for a name or path that does not exist.
    pub fn unknown(error: impl Display) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// Creates an error for work that was cancelled because no client waited for it.
    pub fn cancelled() -> ApiError {
        ApiError::busy("this work was cancelled because no client waited for it: send the request again", 1)
    }

    /// Creates an error for a panic, which is a bug in Keepers.
    pub fn bug() -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "this request failed because of a bug in Keepers")
    }

    /// Returns the sentence.
    pub fn sentence(&self) -> &str {
        &self.body.error
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        if refusal.is_cancelled() {
            return ApiError::cancelled();
        }
        let status = StatusCode::from_u16(refusal.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = (refusal.kind == Kind::OutOfMemory).then_some(MEMORY_RETRY);
        ApiError { status, body: refusal.body(), retry_after }
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

/// The refusals that every request may receive.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "it is only used in the description")]
pub enum Delays {
    /// The request took longer than 30 seconds.
    #[response(status = 408)]
    TooSlow(RefusalBody),
    /// The server is busy or short of memory; `Retry-After` gives the seconds until the next try.
    #[response(status = 503)]
    Busy(RefusalBody),
}

/// The refusals that every request with a body may receive.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "it is only used in the description")]
pub enum Refusals {
    /// The body is not JSON.
    #[response(status = 400)]
    NotJson(RefusalBody),
    /// The request took longer than 30 seconds.
    #[response(status = 408)]
    TooSlow(RefusalBody),
    /// The body is larger than 256 KiB.
    #[response(status = 413)]
    TooLarge(RefusalBody),
    /// The content type is not `application/json`.
    #[response(status = 415)]
    WrongType(RefusalBody),
    /// The body is JSON, but the request is not valid.
    #[response(status = 422)]
    Invalid(RefusalBody),
    /// The server is busy or short of memory; `Retry-After` gives the seconds until the next try.
    #[response(status = 503)]
    Busy(RefusalBody),
}
