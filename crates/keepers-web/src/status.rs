//! `/status`: whether the server is well.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::error::Delays;
use crate::jobs::{answered, json};

/// How the server is.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "version": "0.1.0", "threads": 2, "uptime_seconds": 12.5, "jobs": 0 }))]
pub struct StatusView {
    /// The version of keepers.
    version: &'static str,
    /// How many threads solve.
    threads: usize,
    /// How long it has been running.
    uptime_seconds: f64,
    /// How many jobs work or wait.
    jobs: usize,
}

/// How the server is
#[utoipa::path(get, path = "/status", tag = "server", operation_id = "status",
    responses((status = 200, description = "its state", body = StatusView), Delays))]
pub async fn status(State(app): State<Shared>) -> Response {
    answered(json(&StatusView {
        version: env!("CARGO_PKG_VERSION"),
        threads: rayon::current_num_threads(),
        uptime_seconds: app.started.elapsed().as_secs_f64(),
        jobs: app.jobs.unfinished(),
    }))
}
