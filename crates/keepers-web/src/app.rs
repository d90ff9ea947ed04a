//! The state that all requests share, and the way from a question to its answer.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::Response;
use keepers::answers::{CurveStores, Solutions};
use keepers::internals::NoWork;
use keepers::{Engine, Limits, Observer, Store};
use keepers_api::{Question, Service, SolveRequest};
use serde::Serialize;
use tokio::sync::{Semaphore, watch};

use crate::error::ApiError;
use crate::jobs::{JobLimits, Jobs, Key, Outcome, Reuse, answered};
use crate::task::lock;

/// The most clients that may listen to events at the same time.
const MOST_LISTENERS: usize = 64;

/// The state of the server, shared by all requests.
pub type Shared = Arc<App>;

/// The state of the server.
pub struct App {
    /// Answers questions, and owns all tables.
    pub service: Service,
    /// The jobs: questions that take long.
    pub jobs: Arc<Jobs>,
    /// One permit per client that listens to events.
    pub listeners: Arc<Semaphore>,
    /// The time when the server started.
    pub started: Instant,
    /// Whether the server was started for phones.
    pub is_for_phones: bool,
    /// The address for a phone, with the access token.
    pub phone_address: Option<String>,
    last_question: Mutex<Instant>,
    closing: watch::Sender<bool>,
}

impl App {
    /// Creates the state of a new server, with tables from this store and stored solutions of two-player games and
    /// stored reach curves.
    pub fn new(
        store: Store,
        solutions: Option<Arc<dyn Solutions>>,
        curves: Option<Arc<dyn CurveStores>>,
        memory: Limits,
        limits: JobLimits,
    ) -> App {
        let engine = Engine::with_stores(store, memory, solutions, curves);
        let started = Instant::now();
        App {
            service: Service::limited(engine, keepers_api::Limits::SERVER),
            jobs: Arc::new(Jobs::new(limits)),
            listeners: Arc::new(Semaphore::new(MOST_LISTENERS)),
            started,
            is_for_phones: false,
            phone_address: None,
            last_question: Mutex::new(started),
            closing: watch::Sender::new(false),
        }
    }

    /// Sets whether the server was started for phones, and its address for them.
    #[must_use]
    pub fn for_phones(self, is_for_phones: bool, phone_address: Option<String>) -> App {
        App { is_for_phones, phone_address, ..self }
    }

    /// Answers a question: directly if that needs no work, otherwise by a job.
    pub async fn answer<Q: Question>(self: &Arc<App>, request: Q) -> Result<Response, ApiError> {
        *lock(&self.last_question) = Instant::now();
        if Q::QUICK && request.rules().is_none_or(|rules| self.service.is_ready(rules)) {
            match self.outcome(&request, &NoWork) {
                // The question needs work after all.
                Err(Failure::Cancelled) => (),
                Err(Failure::Refused(error)) => return Err(error),
                Ok(body) => return Ok(answered(Ok(body))),
            }
        }
        let waiter = self.start(request)?;
        Ok(waiter.answer().await)
    }

    /// Starts solving the game that clients are expected to ask about first.
    pub fn warm_up(self: &Arc<App>, rules: String) {
        let request = SolveRequest { rules, objective: "expected".to_string(), afresh: false };
        // If the job cannot be started now, the first client that needs the table starts it.
        if let Ok(waiter) = self.start(request) {
            waiter.accept();
        }
    }

    /// Joins the job that answers a question, or starts one.
    fn start<Q: Question>(self: &Arc<App>, request: Q) -> Result<crate::jobs::Waiter, ApiError> {
        let fields = serde_json::to_vec(&request)
            .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
        let key = Key::new(Q::NAME, &fields);
        let reuse = if request.is_afresh() { Reuse::Running } else { Reuse::Finished };
        let (app, work) = (Arc::clone(self), request.work());
        self.jobs.start(&key, &work, reuse, move |task| {
            app.outcome(&request, task).map_err(|failure| match failure {
                Failure::Cancelled => ApiError::cancelled(),
                Failure::Refused(error) => error,
            })
        })
    }

    /// Computes the body of the answer to a question.
    fn outcome<Q: Question>(&self, request: &Q, observer: &dyn Observer) -> Result<Bytes, Failure> {
        match request.answer(&self.service, observer) {
            Ok(answer) => json(&answer).map_err(Failure::Refused),
            Err(refusal) if refusal.is_cancelled() => Err(Failure::Cancelled),
            Err(refusal) => Err(Failure::Refused(refusal.into())),
        }
    }

    /// Returns the time since the last question arrived or the last job ended, whichever was later.
    pub fn idle_for(&self) -> Duration {
        self.jobs.idle_for().min(lock(&self.last_question).elapsed())
    }

    /// Stops all jobs and event streams, so that the server can end.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.jobs.stop_all();
    }

    /// Waits until the server is asked to shut down.
    pub async fn closing(&self) {
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }
}

/// The reason why a question has no answer.
enum Failure {
    Cancelled,
    Refused(ApiError),
}

/// Writes the body of an answer.
pub fn json(answer: &impl Serialize) -> Outcome {
    let text = serde_json::to_vec(answer);
    let text = text.map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    Ok(Bytes::from(text))
}
