//! The HTTP API: all paths with their handlers, and the OpenAPI description.

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
use crate::{api_docs, endpoints, job_endpoints, phone, status};

/// The prefix of all paths of this version.
pub const BASE: &str = "/api/v1";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Keepers",
        description = "Plays Yahtzee and similar dice games perfectly, and explains its choices. Requests and answers are \
        JSON, and no request depends on another. Long work is answered with 202 and a job.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/api/v1")),
    tags(
        (name = "rules", description = "games and their rules"),
        (name = "play", description = "cards, dice and computer players"),
        (name = "advise", description = "the best choices and their values"),
        (name = "explore", description = "exact statistics and simulations"),
        (name = "review", description = "reviews of recorded games"),
        (name = "jobs", description = "long work"),
        (name = "server", description = "the server itself"),
    )
)]
struct Described;

fn routes() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(status::status))
        .routes(routes!(phone::phone))
        .merge(endpoints::routes())
        .routes(routes!(job_endpoints::job, job_endpoints::cancel_job))
        .routes(routes!(job_endpoints::job_events))
}

/// Returns the description of the HTTP API, as OpenAPI 3.1 in JSON.
pub fn description() -> String {
    written(&routes().into_openapi())
}

fn written(api: &utoipa::openapi::OpenApi) -> String {
    api.to_pretty_json().expect("a description can be written") + "\n"
}

/// Returns the router for all paths under `/api/v1`.
pub fn router() -> Router<Shared> {
    let (router, api) = routes().split_for_parts();
    let text = Bytes::from(written(&api));
    let page = api_docs::page(&api);
    router
        .route("/openapi.json", get(move || async { json_file(text) }))
        .route("/docs", get(move || async { Html(page) }))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
}

fn json_file(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Refuses a method that a path does not support.
pub async fn wrong_method(method: Method) -> ApiError {
    let text = format!("this path does not support {method}: see {BASE}/docs");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, text)
}

/// Refuses a path that does not exist.
pub async fn unknown_path() -> ApiError {
    ApiError::unknown(format!("unknown path: see {BASE}/docs"))
}
