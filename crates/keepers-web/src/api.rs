//! The interface: every path with what answers it, and its description as OpenAPI.

use axum::Router;
use axum::body::Bytes;
use axum::http::{Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Shared;
use crate::error::ApiError;
use crate::{
    advise, cards, explore, outlook, play, players, progress, puzzle, reference, review, rules, status,
    tournament,
};

/// Where all paths of this version begin.
pub const BASE: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Keepers",
        description = "Plays the Yahtzee family of dice games perfectly, and explains why. JSON in, JSON out; every \
                       request says all. Long work is answered with 202 and a job to come back to.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/api/v1")),
    tags(
        (name = "rules", description = "games and their rules"),
        (name = "play", description = "cards and dice"),
        (name = "advise", description = "what to do, and what it is worth"),
        (name = "explore", description = "exact statistics"),
        (name = "review", description = "recorded games, judged"),
        (name = "jobs", description = "long work"),
        (name = "server", description = "the server itself"),
    )
)]
struct Described;

fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(status::status))
        .routes(routes!(rules::list_rules, rules::read_rules))
        .routes(routes!(rules::named_rules))
        .routes(routes!(rules::solve))
        .routes(routes!(cards::card))
        .routes(routes!(cards::value))
        .routes(routes!(advise::advise))
        .routes(routes!(outlook::outlook))
        .routes(routes!(explore::reach))
        .routes(routes!(explore::distribution))
        .routes(routes!(tournament::tournament))
        .routes(routes!(review::review))
        .routes(routes!(play::roll))
        .routes(routes!(players::players))
        .routes(routes!(players::choose))
        .routes(routes!(puzzle::puzzle))
        .routes(routes!(progress::job, progress::give_up))
        .routes(routes!(progress::job_events))
}

/// The description of the interface, as OpenAPI 3.1 in JSON.
pub fn description() -> String {
    let api = routes().into_openapi();
    let mut text = api.to_pretty_json().expect("a description can be written");
    text.push('\n');
    text
}

/// Everything under `/api/v1`.
pub fn router() -> Router<Shared> {
    let (router, api) = routes().split_for_parts();
    let text = Bytes::from(api.to_pretty_json().expect("a description can be written") + "\n");
    let page = reference::page(&api);
    router
        .route("/openapi.json", get(move || async { json_file(text) }))
        .route("/docs", get(move || async { Html(page) }))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
}

fn json_file(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The answer to a method that a path has not.
pub async fn wrong_method(method: Method) -> ApiError {
    let text = format!("there is no {method} here: see {BASE}/docs for what there is");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, text)
}

/// The answer to a path that there is not.
pub async fn unknown_path() -> ApiError {
    ApiError::unknown(format!("there is nothing here: see {BASE}/docs for what there is"))
}
