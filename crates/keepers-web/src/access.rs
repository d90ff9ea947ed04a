//! The access token of a server that other machines can reach: who has it may use the server.
//!
//! A browser receives the token once, in the address (`/?token=..`), and then sends it as a cookie. Programs send it as
//! `Authorization: Bearer ..`.

use std::fmt;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// The name of the parameter of an address that has the token.
const PARAMETER: &str = "token";

/// The name of the cookie. Cookies are shared by all ports of a host, so the name is that of the program.
const COOKIE: &str = "keepers-access";

/// The random bytes of a token.
const BYTES: usize = 16;

/// An access token.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Creates a random token of 128 bits, from the random numbers of the operating system.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub fn random() -> std::io::Result<Token> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the text of the token.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is the token. Takes the same time for every text of the same length.
    fn is(&self, text: &str) -> bool {
        // Hashes of blake3 are compared in constant time.
        blake3::hash(text.as_bytes()) == blake3::hash(self.0.as_bytes())
    }

    /// Lets a request pass that has the token. Otherwise returns the response: the page without the token in its
    /// address, or a refusal.
    pub(crate) fn check(&self, request: &Request) -> Option<Response> {
        if request.method() == Method::GET
            && let Some(found) = in_address(request.uri())
        {
            return Some(if self.is(found) { self.welcome(request.uri()) } else { refused() });
        }
        let sent = in_cookies(request.headers()).any(|found| self.is(found))
            || bearer(request.headers()).is_some_and(|found| self.is(found));
        if sent { None } else { Some(refused()) }
    }

    /// Stores the token as a cookie and leads to the same address without it, so that it is neither shown nor copied.
    fn welcome(&self, uri: &Uri) -> Response {
        let rest: Vec<&str> =
            uri.query().unwrap_or_default().split('&').filter(|part| !is_token(part)).collect();
        let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
        // A path that starts with two slashes would be read as the name of another host.
        let path = uri.path().trim_start_matches('/');
        // Lax, not Strict: with Strict, the browser does not send the cookie after a link from another page.
        let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000", self.0);
        let location = HeaderValue::from_str(&format!("/{path}{query}"));
        let (Ok(location), Ok(cookie)) = (location, HeaderValue::from_str(&cookie)) else { return refused() };
        (StatusCode::SEE_OTHER, [(header::LOCATION, location), (header::SET_COOKIE, cookie)]).into_response()
    }
}

impl fmt::Debug for Token {
    /// Does not show the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

fn is_token(part: &str) -> bool {
    part.split_once('=').is_some_and(|(name, _)| name == PARAMETER)
}

fn in_address(uri: &Uri) -> Option<&str> {
    let part = uri.query()?.split('&').find(|part| is_token(part))?;
    part.split_once('=').map(|(_, token)| token)
}

fn in_cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = texts.flat_map(|text| text.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    cookies.filter(|(name, _)| *name == COOKIE).map(|(_, token)| token)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

fn refused() -> Response {
    let text = "this server needs an access token: scan the QR code, or open the address, that keepers serve printed";
    ApiError::new(StatusCode::UNAUTHORIZED, text).into_response()
}
