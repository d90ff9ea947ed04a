//! Asking how long work goes on: `GET /jobs/{id}`, its events, `DELETE /jobs/{id}`.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::app::Shared;
use crate::error::{ApiError, Delays, Refusal};
use crate::jobs::{Job, answered};
use crate::name::Name;

/// The work goes on.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "job": "0f3a5c1e9b2d4f60718293a4b5c6d7e8",
    "work": "solving yahtzee for every score",
    "events": "/api/v1/jobs/0f3a5c1e9b2d4f60718293a4b5c6d7e8/events"
}))]
pub struct Accepted {
    /// The name of the job.
    job: String,
    /// What is being done.
    work: String,
    /// Where its events are told.
    events: String,
}

/// How far the work is: the data of an event `progress`.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
#[schema(example = json!({
    "work": "solving yahtzee for every score", "done": 3, "all": 13, "share": 0.23, "seconds_left": 12.5
}))]
pub struct Progress {
    /// What is being done.
    work: String,
    /// How much of it is done.
    done: usize,
    /// How much there is in all.
    all: usize,
    /// The part that is done, from 0 to 1.
    share: f64,
    /// The seconds that it will still take, if it goes on like this.
    seconds_left: Option<f64>,
}

/// One of the events. Lines that start with a colon say only that the connection stands.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it stands in the description of the interface only")]
#[schema(example = json!({
    "event": "progress", "data": "{\"work\":\"solving yahtzee\",\"done\":3,\"all\":13,\"share\":0.23,\"seconds_left\":null}"
}))]
pub struct JobEvent {
    /// `progress`, and at the end `done` or `failed`.
    event: JobEventKind,
    /// JSON: how far the work is (`Progress`), nothing (`{}`), or the sentence that says what failed (`{"error": ".."}`).
    data: String,
}

/// What an event tells.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it stands in the description of the interface only")]
#[schema(rename_all = "lowercase")]
enum JobEventKind {
    Progress,
    Done,
    Failed,
}

fn progress(job: &Job) -> Progress {
    let far = job.task().far();
    let (share, seconds_left) = (far.share(), far.seconds_left());
    Progress { share, seconds_left, work: far.work, done: far.done, all: far.all }
}

/// The answer to whoever has to come back.
pub fn accepted(job: &Job) -> Response {
    let (id, work) = (job.id().to_string(), job.task().far().work);
    let events = format!("/api/v1/jobs/{id}/events");
    (StatusCode::ACCEPTED, Json(Accepted { job: id, work, events })).into_response()
}

fn unknown(id: &str) -> ApiError {
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    ApiError::unknown(format!("there is no job \"{id}\": ask for the work again"))
}

/// What came of a job
///
/// The answer that the request would have got, once the work is done.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", operation_id = "job",
    params(("id" = String, Path, description = "the name of the job", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8")),
    responses(
        (status = 200, description = "the answer", body = serde_json::Value, example = json!({ "card": "", "value": 254.5877 })),
        (status = 202, description = "the work goes on", body = Accepted),
        (status = 404, description = "there is no such job", body = Refusal),
        (status = 422, description = "what was asked for cannot be", body = Refusal),
        (status = 500, description = "it failed", body = Refusal),
        Delays,
    ))]
pub async fn job(State(app): State<Shared>, Name(id): Name) -> Result<Response, ApiError> {
    let job = app.jobs.get(&id).ok_or_else(|| unknown(&id))?;
    Ok(job.outcome().map_or_else(|| accepted(&job), answered))
}

/// Give up a job
///
/// Nobody waits for this answer any more. The work stops when the last one who waits gives it up.
#[utoipa::path(delete, path = "/jobs/{id}", tag = "jobs", operation_id = "give_up",
    params(("id" = String, Path, description = "the name of the job", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8")),
    responses(
        (status = 204, description = "nobody waits any more"),
        (status = 404, description = "there is no such job", body = Refusal),
        Delays,
    ))]
pub async fn give_up(State(app): State<Shared>, Name(id): Name) -> Result<StatusCode, ApiError> {
    if app.jobs.give_up(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(unknown(&id)) }
}

/// How a job goes on
///
/// Server-sent events: `progress` with how far the work is, and at the end `done` or `failed`.
#[utoipa::path(get, path = "/jobs/{id}/events", tag = "jobs", operation_id = "job_events",
    params(("id" = String, Path, description = "the name of the job", example = "0f3a5c1e9b2d4f60718293a4b5c6d7e8")),
    responses(
        (status = 200, description = "the events", content_type = "text/event-stream", body = JobEvent),
        (status = 404, description = "there is no such job", body = Refusal),
        Delays,
    ))]
pub async fn job_events(State(app): State<Shared>, Name(id): Name) -> Result<Response, ApiError> {
    let job = app.jobs.get(&id).ok_or_else(|| unknown(&id))?;
    let Ok(listening) = Arc::clone(&app.listeners).try_acquire_owned() else {
        return Err(ApiError::busy("too many listen to events already: try again in a few seconds", 5));
    };
    // One event at a time: a slow listener slows nobody else down.
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let _listening = listening;
        tokio::select! {
            () = tell(&job, &sender) => (),
            () = sender.closed() => (),
            () = app.closing() => (),
        }
    });
    Ok(Sse::new(Events(receiver)).keep_alive(KeepAlive::default()).into_response())
}

async fn tell(job: &Job, listener: &mpsc::Sender<Event>) {
    const BETWEEN: Duration = Duration::from_millis(200);
    let event = |name: &str, data: &serde_json::Value| Event::default().event(name).data(data.to_string());
    let mut told = None;
    loop {
        let finished =
            tokio::time::timeout(if told.is_none() { Duration::ZERO } else { BETWEEN }, job.finished());
        if let Ok(outcome) = finished.await {
            let last = match outcome {
                Ok(_) => event("done", &serde_json::json!({})),
                Err(error) => event("failed", &serde_json::json!({ "error": error.sentence() })),
            };
            let _ = listener.send(last).await;
            return;
        }
        let now = progress(job);
        if told.as_ref() != Some(&now) {
            let data = serde_json::to_value(&now).unwrap_or_default();
            if listener.send(event("progress", &data)).await.is_err() {
                return;
            }
            told = Some(now);
        }
    }
}

/// Events as they come in.
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
