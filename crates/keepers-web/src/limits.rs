//! The checks that every request must pass: the `Host` header, the access token, the number of requests, and the time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;

use crate::access::Token;
use crate::error::ApiError;
use crate::origin::Origin;

/// The most requests answered at the same time.
const MOST_REQUESTS: usize = 256;

/// The time limit for reading and answering a request. Long work continues in jobs.
const MOST_TIME: Duration = Duration::from_secs(30);

/// The content security policy: the page loads only its own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The checks of a server.
pub struct RequestLimits {
    /// The accepted host names; `None` accepts every name.
    hosts: Option<Vec<String>>,
    /// An origin, other than the server's own, whose pages may send requests.
    allowed_origin: Option<Origin>,
    /// The access token that every request must have.
    token: Option<Token>,
    permits: Semaphore,
}

impl RequestLimits {
    /// Creates the checks of a server with these host names, whose requests may also come from `allowed_origin` and must
    /// have the token, if there is one.
    pub fn new(
        hosts: Option<Vec<String>>,
        allowed_origin: Option<Origin>,
        token: Option<Token>,
    ) -> RequestLimits {
        RequestLimits { hosts, allowed_origin, token, permits: Semaphore::new(MOST_REQUESTS) }
    }

    /// Checks the `Host` header. Otherwise a page of another site could reach this server by pointing its own host name to
    /// this machine (DNS rebinding).
    fn check_host(&self, request: &Request) -> Result<(), ApiError> {
        let mut named = request.headers().get_all(header::HOST).iter();
        let first = named.next();
        // RFC 9112, 3.2. A proxy might check a different one of several headers than this server does.
        if named.next().is_some() {
            return Err(ApiError::new(
                StatusCode::BAD_REQUEST,
                "the request has several Host headers: send one",
            ));
        }
        let Some(hosts) = &self.hosts else { return Ok(()) };
        let named = first.and_then(|host| host.to_str().ok());
        let named = named.or_else(|| request.uri().host()).unwrap_or_default().to_ascii_lowercase();
        // The port needs no check, because the connection came through it.
        let name = match named.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name.to_string(),
            _ => named,
        };
        if hosts.contains(&name) {
            return Ok(());
        }
        let text = "unexpected Host header: use the address that the server printed when it started";
        Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, text))
    }
}

/// Answers a request that passes the checks, refuses others, and adds the security headers to the response.
pub async fn guard(State(limits): State<Arc<RequestLimits>>, request: Request, next: Next) -> Response {
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

async fn passed(limits: &RequestLimits, request: Request, next: Next) -> Response {
    if let Err(error) = limits.check_host(&request) {
        return error.into_response();
    }
    // A preflight request of a browser.
    if limits.allowed_origin.is_some() && request.method() == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    if let Some(response) = limits.token.as_ref().and_then(|token| token.check(&request)) {
        return response;
    }
    let Ok(_permit) = limits.permits.try_acquire() else {
        return ApiError::busy("the server has too many open requests: try again in a second", 1)
            .into_response();
    };
    match tokio::time::timeout(MOST_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let text = format!("this request took longer than {} seconds: try again", MOST_TIME.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, text).into_response()
        }
    }
}

/// Returns the response if a handler panics.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    ApiError::bug().into_response()
}
