//! Long work: every request for it is a job, joined by whoever asks for the same, and remembered when it is done.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::{Semaphore, watch};

use crate::error::ApiError;
use crate::task::{Places, Stopped, Task, lock};

/// An answer comes directly if it is there after this time.
const DIRECTLY: Duration = Duration::from_millis(250);

/// What came of a job: the body of its answer, or why there is none.
pub type Outcome = Result<Bytes, ApiError>;

/// How much work there may be.
#[derive(Clone, Copy, Debug)]
pub struct JobLimits {
    /// Jobs that work at a time.
    pub running: usize,
    /// Jobs that wait for others to end.
    pub waiting: usize,
    /// Bytes of answers that are remembered.
    pub remembered: usize,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits { running: 3, waiting: 16, remembered: 64 << 20 }
    }
}

/// One request for long work.
pub struct Job {
    id: String,
    task: Arc<Task>,
    outcome: watch::Sender<Option<Outcome>>,
    /// Requests that wait for the answer, or were told to come back for it.
    waiting: AtomicUsize,
}

/// A request that waits for a job. It counts from the moment it joins: whoever gives the job up meanwhile
/// does not stop it. If it goes away before it is answered, it has given up.
pub(crate) struct Waiter {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
}

impl Waiter {
    /// It was told to come back, and counts until it gives up.
    pub(crate) fn comes_back(&self) -> &Job {
        self.job.waiting.fetch_add(1, Ordering::Relaxed);
        &self.job
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        lock(&self.jobs.known).leave(&self.job);
    }
}

/// All jobs.
pub struct Jobs {
    limits: JobLimits,
    places: Arc<Places>,
    at_once: Semaphore,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    jobs: HashMap<String, Arc<Job>>,
    /// The jobs that are done and the bytes that each takes, the newest last.
    done: VecDeque<(String, usize)>,
    bytes: usize,
    unfinished: usize,
}

/// What a job is about: requests with the same key are one job.
pub struct Key(blake3::Hasher);

impl Key {
    /// A request to this endpoint.
    pub fn new(endpoint: &str) -> Key {
        Key(blake3::Hasher::new()).and(endpoint)
    }

    /// A part of the request.
    #[must_use]
    pub fn and(self, part: impl ToString) -> Key {
        self.and_bytes(part.to_string().as_bytes())
    }

    /// A part of the request.
    #[must_use]
    pub fn and_bytes(mut self, part: &[u8]) -> Key {
        // With its length, so that parts cannot run into each other.
        self.0.update(&(part.len() as u64).to_le_bytes()).update(part);
        self
    }

    fn id(&self) -> String {
        self.0.finalize().to_hex()[..32].to_string()
    }
}

/// The body of an answer.
pub fn json(answer: &impl Serialize) -> Outcome {
    let text = serde_json::to_vec(answer);
    let text = text.map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error))?;
    Ok(Bytes::from(text))
}

/// An answer with this body.
pub fn answered(outcome: Outcome) -> Response {
    match outcome {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => error.into_response(),
    }
}

impl Job {
    /// Its name in addresses.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The work.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// What came of it, if it is done.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.borrow().clone()
    }

    /// Waits for what comes of it.
    pub async fn finished(&self) -> Outcome {
        let mut outcome = self.outcome.subscribe();
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().expect("waited for"),
            Err(_) => Err(stopped()),
        }
    }
}

impl Jobs {
    /// No jobs yet.
    pub fn new(limits: JobLimits) -> Jobs {
        let places = Arc::new(Places::new(limits.running));
        let at_once = Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from));
        Jobs { limits, places, at_once, known: Mutex::new(Known::default()) }
    }

    /// How many jobs work or wait.
    pub fn unfinished(&self) -> usize {
        lock(&self.known).unfinished
    }

    /// The job of this name.
    pub fn get(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.known).jobs.get(id).cloned()
    }

    /// One of those who wait for a job does so no more; the last one stops it. Says whether there is such
    /// a job.
    pub fn give_up(&self, id: &str) -> bool {
        let mut known = lock(&self.known);
        let Some(job) = known.jobs.get(id).cloned() else { return false };
        known.leave(&job);
        true
    }

    /// Nobody wants any of them any more.
    pub fn stop_all(&self) {
        lock(&self.known).jobs.values().for_each(|job| job.task.stop());
    }

    /// Answers a request for long work: directly if that is soon, else with a job to come back to.
    pub async fn answer(
        self: &Arc<Jobs>,
        key: Key,
        work: &str,
        run: impl FnOnce(&Arc<Task>) -> Outcome + Send + 'static,
    ) -> Result<Response, ApiError> {
        let waiter = self.start(&key, work, run)?;
        match tokio::time::timeout(DIRECTLY, waiter.job.finished()).await {
            Ok(outcome) => Ok(answered(outcome)),
            Err(_) => Ok(crate::progress::accepted(waiter.comes_back())),
        }
    }

    /// Answers a request for work of some milliseconds: too much for the threads that answer requests, too little
    /// to stand in line behind long work.
    pub async fn at_once(
        &self,
        run: impl FnOnce(&Arc<Task>) -> Outcome + Send + 'static,
    ) -> Result<Response, ApiError> {
        let _place = self.at_once.acquire().await;
        // It has no place among the jobs, so that it can give none away.
        let task = Arc::new(Task::new("", &Arc::new(Places::new(1))));
        let outcome = tokio::task::spawn_blocking(move || run(&task)).await;
        Ok(answered(outcome.unwrap_or_else(|_| Err(broken()))))
    }

    /// The job of this key: one that is there already, or a new one.
    pub(crate) fn start(
        self: &Arc<Jobs>,
        key: &Key,
        work: &str,
        run: impl FnOnce(&Arc<Task>) -> Outcome + Send + 'static,
    ) -> Result<Waiter, ApiError> {
        let id = key.id();
        let mut known = lock(&self.known);
        if let Some(job) = known.jobs.get(&id) {
            // What failed may be tried again.
            if !matches!(job.outcome(), Some(Err(_))) {
                job.waiting.fetch_add(1, Ordering::Relaxed);
                return Ok(Waiter { jobs: Arc::clone(self), job: Arc::clone(job) });
            }
        }
        if known.unfinished >= self.limits.running + self.limits.waiting {
            return Err(ApiError::busy("too much long work is going on: try again in a few seconds", 5));
        }
        known.forget(&id);
        let task = Arc::new(Task::new(work, &self.places));
        let job = Arc::new(Job {
            id: id.clone(),
            task: Arc::clone(&task),
            outcome: watch::Sender::new(None),
            waiting: AtomicUsize::new(1),
        });
        let (jobs, of) = (Arc::clone(self), Arc::clone(&job));
        // A thread of its own: the server can end while it works.
        let thread = std::thread::Builder::new().name(format!("job {id}"));
        let started = thread.spawn(move || jobs.work(&of, run));
        if started.is_err() {
            return Err(ApiError::busy(
                "no thread can be started for this work: try again in a few seconds",
                5,
            ));
        }
        known.unfinished += 1;
        known.jobs.insert(id, Arc::clone(&job));
        Ok(Waiter { jobs: Arc::clone(self), job })
    }

    fn work(&self, job: &Arc<Job>, run: impl FnOnce(&Arc<Task>) -> Outcome) {
        let entered = self.places.enter(|| job.task.is_stopped());
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            job.task.check();
            run(&job.task)
        }));
        job.task.end();
        if entered {
            self.places.leave();
        }
        let outcome =
            outcome.unwrap_or_else(|thrown| Err(if thrown.is::<Stopped>() { stopped() } else { broken() }));
        lock(&self.known).finish(job, &outcome, self.limits.remembered);
        job.outcome.send_replace(Some(outcome));
    }
}

fn stopped() -> ApiError {
    ApiError::busy("this work was given up, since nobody waited for it any more: ask again", 1)
}

fn broken() -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "this work failed: that is a mistake in keepers")
}

impl Known {
    /// One of those who wait for a job does so no more; the last one stops it.
    fn leave(&mut self, job: &Arc<Job>) {
        let before = job.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if before.unwrap_or(0) <= 1 && job.outcome().is_none() {
            job.task.stop();
            if self.is_known(job) {
                self.forget(&job.id);
            }
        }
    }

    /// Whether it is still there, and not another one in its place.
    fn is_known(&self, job: &Arc<Job>) -> bool {
        self.jobs.get(&job.id).is_some_and(|known| Arc::ptr_eq(known, job))
    }

    /// Remembers what came of a job, and forgets the oldest if that is too much.
    fn finish(&mut self, job: &Arc<Job>, outcome: &Outcome, most: usize) {
        self.unfinished -= 1;
        // It was given up, and perhaps there is another one in its place.
        if !self.is_known(job) {
            return;
        }
        let weight = weight(outcome);
        self.bytes += weight;
        self.done.push_back((job.id.clone(), weight));
        while self.bytes > most && self.done.len() > 1 {
            let oldest = self.done[0].0.clone();
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, id: &str) {
        self.jobs.remove(id);
        if let Some(at) = self.done.iter().position(|(done, _)| done == id) {
            self.bytes -= self.done.remove(at).map_or(0, |(_, weight)| weight);
        }
    }
}

/// The bytes that an outcome takes, with what stands around it.
fn weight(outcome: &Outcome) -> usize {
    1024 + outcome.as_ref().map_or(0, Bytes::len)
}
