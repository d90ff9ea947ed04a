//! What every request has to pass: whom it is meant for, how many there are, how long it may take.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::origin::Origin;

/// Requests that are answered at a time.
const MOST_REQUESTS: usize = 256;

/// How long reading a request and answering it may take. Long work goes on behind it.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Nothing but what comes with the page is loaded by it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Who may ask, and how much.
pub struct Limits {
    /// The names that this server is called by; nothing if any will do.
    hosts: Option<Vec<String>>,
    /// Another origin whose pages may ask.
    allowed_origin: Option<Origin>,
    places: Semaphore,
}

impl Limits {
    /// A server that is called by these names, and by pages of this origin besides its own.
    pub fn new(hosts: Option<Vec<String>>, allowed_origin: Option<Origin>) -> Limits {
        Limits { hosts, allowed_origin, places: Semaphore::new(MOST_REQUESTS) }
    }

    /// Pages of other sites must not reach this server by a name of theirs that leads here.
    fn is_meant(&self, request: &Request) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        let named = named.or_else(|| request.uri().host()).unwrap_or_default().to_ascii_lowercase();
        // The port is a part of the address that nobody can fake.
        let name = match named.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name.to_string(),
            _ => named,
        };
        hosts.contains(&name)
    }
}

/// Lets a request pass, or says why not.
pub async fn guard(State(limits): State<Arc<Limits>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = passed(&limits, request, next).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if let Some(Origin(allowed)) = &limits.allowed_origin {
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        if origin.as_ref() == Some(allowed) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed.clone());
            headers
                .insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        }
    }
    response
}

async fn passed(limits: &Limits, request: Request, next: Next) -> Response {
    if !limits.is_meant(&request) {
        let text = "this server is not called by this name: use the address that it printed when it started";
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, text).into_response();
    }
    // A browser asks whether it may ask.
    if limits.allowed_origin.is_some() && request.method() == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let Ok(_place) = limits.places.try_acquire() else {
        return ApiError::busy("too many requests at a time: try again in a second", 1).into_response();
    };
    match tokio::time::timeout(MOST_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let text = format!("this request took longer than {} seconds", MOST_TIME.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, text).into_response()
        }
    }
}

/// The answer when a handler breaks.
pub fn broken(_: Box<dyn std::any::Any + Send>) -> Response {
    let text = "this request failed: that is a mistake in keepers";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
}
