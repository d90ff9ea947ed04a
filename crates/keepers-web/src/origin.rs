//! Origins: the scheme, host and port that a page was loaded from.

use std::str::FromStr;

use axum::http::{HeaderValue, Uri};

/// The scheme, host and port that a page was loaded from, as browsers write it: `http://localhost:5173`.
///
/// ```
/// use keepers_web::Origin;
/// assert!("http://localhost:5173".parse::<Origin>().is_ok());
/// assert!("http://localhost:5173/page".parse::<Origin>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(pub(crate) HeaderValue);

/// A text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an origin: use http:// or https:// and a host, like http://localhost:5173")]
pub struct OriginError(String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        let wrong = || OriginError(keepers::internals::text::quote(text).to_string());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let known = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some();
        if !known || text.matches('/').count() != 2 {
            return Err(wrong());
        }
        HeaderValue::from_str(text).map(Origin).map_err(|_| wrong())
    }
}
