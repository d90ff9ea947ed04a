//! Reads the body of a request, and checks its size and its type.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};

use crate::error::ApiError;

/// The largest size of a body in bytes.
const MOST_BYTES: usize = 256 << 10;

/// The body of a request that was declared as JSON, not parsed yet.
pub struct JsonBody(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody, ApiError> {
        if !is_json(&request) {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be JSON: add the header content-type: application/json",
            ));
        }
        let bytes = to_bytes(request.into_body(), MOST_BYTES).await.map_err(|error| {
            let source = std::error::Error::source(&error);
            if source.is_some_and(|source| source.is::<http_body_util::LengthLimitError>()) {
                let most = MOST_BYTES >> 10;
                let text = format!("the body is larger than {most} KiB: send less");
                return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, text);
            }
            ApiError::new(StatusCode::BAD_REQUEST, format!("cannot read the body: {error}"))
        })?;
        Ok(JsonBody(bytes))
    }
}

fn is_json(request: &Request) -> bool {
    let named = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    named.is_some_and(|named| {
        let kind = named.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/json")
    })
}
