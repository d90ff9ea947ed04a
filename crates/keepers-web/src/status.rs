//! `/status`: the state of the server.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{Shared, json};
use crate::error::Delays;
use crate::jobs::answered;

/// The state of the server.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "version": "0.1.0", "threads": 2, "uptime_seconds": 12.5, "jobs": 0, "memory": 2485248
}))]
pub struct Status {
    /// The version of Keepers.
    version: &'static str,
    /// The number of threads that solve.
    threads: usize,
    /// The seconds since the server started.
    uptime_seconds: f64,
    /// The number of unfinished jobs.
    jobs: usize,
    /// The bytes of tables in memory.
    memory: usize,
}

/// Show the state of the server
#[utoipa::path(get, path = "/status", tag = "server", operation_id = "status",
    responses((status = 200, description = "the state", body = Status), Delays))]
pub async fn status(State(app): State<Shared>) -> Response {
    answered(json(&Status {
        version: env!("CARGO_PKG_VERSION"),
        threads: keepers::internals::parallel::threads(),
        uptime_seconds: app.started.elapsed().as_secs_f64(),
        jobs: app.jobs.unfinished(),
        memory: app.service.engine().bytes(),
    }))
}
