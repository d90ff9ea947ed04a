//! The name in an address: of a job, of rules.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::error::ApiError;

/// The name that an address ends with, or goes on from.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, ApiError> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        read.map(|Path(name)| Name(name))
            .map_err(|_| ApiError::unknown("there is nothing of a name that is not text"))
    }
}
