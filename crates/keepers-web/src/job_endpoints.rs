//! The paths of jobs: `GET /jobs/{id}`, `DELETE /jobs/{id}`, and `GET /jobs/{id}/events`.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use keepers_api::RefusalBody;
use serde::Serialize;
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::error::{ApiError, Delays};
use crate::jobs::{Job, answered};
use crate::path_name::PathName;

/// The shortest time between two `progress` events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);

/// A job that is not finished yet.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "job": "0f3a5c1e9b2d4f60718293a4b5c6d7e8-1",
    "work": "solving yahtzee for every score",
    "events": "/api/v1/jobs/0f3a5c1e9b2d4f60718293a4b5c6d7e8/events"
}))]
pub struct Accepted {
    /// The name of the job for this client: `GET /jobs/{id}` returns the answer, `DELETE /jobs/{id}` cancels it.
    job: String,
    /// A description of the work.
    work: String,
    /// The path of the job's events, shared by all clients that wait for the same work.
    events: String,
}

/// The progress of the work: the data of a `progress` event.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
#[schema(example = json!({
    "work": "solving yahtzee for every score", "done": 3, "all": 13, "share": 0.23, "seconds_left": 12.5
}))]
pub struct Progress {
    /// A description of the work.
    work: String,
    /// The number of finished units of work.
    done: usize,
    /// The number of all units of work.
    all: usize,
    /// The finished share of the work, from 0 to 1.
    share: f64,
    /// The estimated seconds left; null if there is no estimate yet.
    seconds_left: Option<f64>,
}

/// One event. Lines that start with a colon only keep the connection open.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is only used in the description")]
#[schema(example = json!({
    "event": "progress", "data": "{\"work\":\"solving yahtzee\",\"done\":3,\"all\":13,\"share\":0.23,\"seconds_left\":null}"
}))]
pub struct JobEvent {
    /// The kind of event: `progress`, and at the end `done` or `failed`.
    event: JobEventKind,
    /// JSON: a `Progress`, an empty object for `done`, or `{"error": ".."}` for `failed`.
    data: String,
}

/// The kinds of events.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is only used in the description")]
#[schema(rename_all = "lowercase")]
enum JobEventKind {
    Progress,
    Done,
    Failed,
}

fn progress(job: &Job) -> Progress {
    let progress = job.task().snapshot();
    let (share, seconds_left) = (progress.share(), progress.seconds_left());
    Progress { share, seconds_left, work: progress.work, done: progress.done, all: progress.all }
}

/// Responds with a job for the client to follow. `name` is the client's name for the job.
pub fn accepted(name: &str, job: &Job) -> Response {
    let events = format!("{}/jobs/{}/events", crate::api::BASE, job.id());
    let work = job.task().snapshot().work;
    (StatusCode::ACCEPTED, Json(Accepted { job: name.to_string(), work, events })).into_response()
}

fn unknown(id: &str) -> ApiError {
    let id = keepers::internals::text::quote(id);
    ApiError::unknown(format!("unknown job \"{id}\": send the request again"))
}

/// Get the answer of a job
///
/// Returns the answer to the request once the work is done. The server remembers answers for some time.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", operation_id = "job",
    params(("id" = String, Path, description = "the `job` of the 202 answer", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8-1")),
    responses(
        (status = 200, description = "the answer", body = serde_json::Value, example = json!({ "card": "", "value": 254.5877 })),
        (status = 202, description = "the work is not finished yet", body = Accepted),
        (status = 404, description = "unknown job", body = RefusalBody),
        (status = 422, description = "the request is not valid", body = RefusalBody),
        (status = 500, description = "the work failed because of a bug", body = RefusalBody),
        Delays,
    ))]
pub async fn job(State(app): State<Shared>, PathName(id): PathName) -> Result<Response, ApiError> {
    let job = app.jobs.get(&id).ok_or_else(|| unknown(&id))?;
    Ok(job.outcome().map_or_else(|| accepted(&id, &job), answered))
}

/// Cancel a job
///
/// Tells the server that this client no longer needs the answer. The work stops when the last client that waits for it
/// cancels. Each 202 answer counts as one client, and cancelling twice counts once.
#[utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", operation_id = "cancel_job",
    params(("id" = String, Path, description = "the `job` of the 202 answer", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8-1")),
    responses(
        (status = 204, description = "this client no longer waits"),
        (status = 404, description = "unknown job", body = RefusalBody),
        Delays,
    ))]
pub async fn cancel_job(State(app): State<Shared>, PathName(id): PathName) -> Result<StatusCode, ApiError> {
    if app.jobs.leave(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(unknown(&id)) }
}

/// Follow a job
///
/// Sends server-sent events: `progress`, and at the end `done` or `failed`.
#[utoipa::path(get, path = "/jobs/{id}/events", tag = "jobs", operation_id = "job_events",
    params(("id" = String, Path, description = "the `job` of the 202 answer", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8-1")),
    responses(
        (status = 200, description = "the events", content_type = "text/event-stream", body = JobEvent),
        (status = 404, description = "unknown job", body = RefusalBody),
        Delays,
    ))]
pub async fn job_events(State(app): State<Shared>, PathName(id): PathName) -> Result<Response, ApiError> {
    let job = app.jobs.get(&id).ok_or_else(|| unknown(&id))?;
    let Ok(listening) = Arc::clone(&app.listeners).try_acquire_owned() else {
        return Err(ApiError::busy(
            "too many clients are listening to events: try again in a few seconds",
            5,
        ));
    };
    // The channel holds one event, so a slow client skips progress instead of filling memory.
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let _listening = listening;
        tokio::select! {
            () = send_events(&job, &sender) => (),
            () = sender.closed() => (),
            () = app.closing() => (),
        }
    });
    Ok(Sse::new(Events(receiver)).keep_alive(KeepAlive::default()).into_response())
}

async fn send_events(job: &Job, client: &mpsc::Sender<Event>) {
    let event = |name: &str, data: &serde_json::Value| Event::default().event(name).data(data.to_string());
    let mut sent = None;
    loop {
        let wait = if sent.is_none() { Duration::ZERO } else { BETWEEN_EVENTS };
        if let Ok(outcome) = tokio::time::timeout(wait, job.finished()).await {
            let last = match outcome {
                Ok(_) => event("done", &serde_json::json!({})),
                Err(error) => event("failed", &serde_json::json!({ "error": error.sentence() })),
            };
            let _ = client.send(last).await;
            return;
        }
        let now = progress(job);
        if sent.as_ref() != Some(&now) {
            let data = serde_json::to_value(&now).unwrap_or_default();
            if client.send(event("progress", &data)).await.is_err() {
                return;
            }
            sent = Some(now);
        }
    }
}

/// The receiving end of a channel of events, as a stream.
struct Events(mpsc::Receiver<Event>);

impl futures_core::Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
