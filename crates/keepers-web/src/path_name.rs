//! Reads the name in a path: that of a job or of rules.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The only parameter of a path.
pub struct PathName(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathName {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathName, ApiError> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        read.map(|Path(name)| PathName(name)).map_err(|_| ApiError::unknown("the path must be valid UTF-8"))
    }
}
