//! Serves the files of the page, which are part of the program.

use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::api;

#[derive(RustEmbed)]
#[folder = "dist"]
struct Files;

/// Answers all paths outside the HTTP API.
pub async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return api::unknown_path().await.into_response();
    }
    if ![Method::GET, Method::HEAD].contains(&method) {
        let allowed = [(header::ALLOW, "GET,HEAD")];
        return (allowed, api::wrong_method(method).await).into_response();
    }
    let name = match path {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    match Files::get(name) {
        Some(file) => served(name, file, &headers),
        None => {
            (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain")], "Unknown page.\n").into_response()
        }
    }
}

fn served(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let cached = if has_hashed_name(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let common = [(header::CACHE_CONTROL, cached.to_string()), (header::ETAG, tag.clone())];
    if known.is_some_and(|known| known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    (common, [(header::CONTENT_TYPE, kind(name))], body).into_response()
}

/// Returns whether the name contains a hash of the content, as in `assets/index-rwQJ1C52.js`.
fn has_hashed_name(name: &str) -> bool {
    let stem = name.strip_prefix("assets/").and_then(|file| file.split('.').next());
    let hash = stem.and_then(|stem| Some(&stem[stem.len().checked_sub(9)?..]));
    hash.is_some_and(|hash| hash.starts_with('-'))
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
