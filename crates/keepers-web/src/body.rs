//! Reading the body of a request: its size, its type, its JSON.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use crate::error::ApiError;

/// The most bytes that a body may have.
pub const MOST_BYTES: usize = 256 << 10;

/// The JSON body of a request.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Body<T>, ApiError> {
        if !is_json(&request) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be JSON: send it with the header content-type: application/json",
            ));
        }
        let bytes = to_bytes(request.into_body(), MOST_BYTES).await.map_err(|error| {
            let source = std::error::Error::source(&error);
            if source.is_some_and(|source| source.is::<http_body_util::LengthLimitError>()) {
                let most = MOST_BYTES >> 10;
                let text = format!("the body is larger than {most} KiB, which is the most that is read");
                return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, text);
            }
            ApiError::new(StatusCode::BAD_REQUEST, format!("the body cannot be read: {error}"))
        })?;
        parse(&bytes).map(Body)
    }
}

fn is_json(request: &Request) -> bool {
    let named = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    named.is_some_and(|named| {
        let kind = named.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
    })
}

fn parse<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, ApiError> {
    // Left to itself, serde would read the fields from an array, too.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| not_json(&error))?;
        return Err(ApiError::impossible(".", "the body must be an object: write {\"field\": value}"));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        (path, error.into_inner())
    });
    let read = read.and_then(|value| reader.end().map(|()| value).map_err(|error| (String::new(), error)));
    read.map_err(|(path, error)| match error.classify() {
        Category::Data => ApiError::impossible(if path.is_empty() { "." } else { &path }, error),
        _ => not_json(&error),
    })
}

fn not_json(error: &serde_json::Error) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, format!("the body is not JSON: {error}"))
}
