//! Long work: each question is one job no matter how many clients ask it, and its answer is remembered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::task::{Task, lock};

/// A job that ends within this time is answered directly.
const DIRECTLY: Duration = Duration::from_millis(250);

/// The result of a job: the body of its answer, or why there is none.
pub type Outcome = Result<Bytes, ApiError>;

/// How much long work there may be.
#[derive(Clone, Copy, Debug)]
pub struct JobLimits {
    /// Solves that run at the same time.
    pub running: usize,
    /// Further unfinished jobs. There are at most `running + waiting` unfinished jobs.
    pub waiting: usize,
    /// Bytes of answers that are remembered.
    pub remembered: usize,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits { running: 3, waiting: 61, remembered: 64 << 20 }
    }
}

/// One question that takes long.
pub struct Job {
    id: String,
    task: Task,
    outcome: watch::Sender<Option<Outcome>>,
}

/// All jobs.
pub struct Jobs {
    limits: JobLimits,
    known: Mutex<Known>,
}

struct Known {
    jobs: HashMap<String, Entry>,
    /// The finished jobs and their sizes, the newest last.
    done: VecDeque<(String, usize)>,
    bytes: usize,
    unfinished: usize,
    /// When the last job ended.
    last_end: Instant,
    next_waiter: u64,
}

/// A job that clients can find.
struct Entry {
    job: Arc<Job>,
    /// The numbers of the clients that wait for it. When the last one leaves, the job is stopped.
    waiters: HashSet<u64>,
}

/// Identifies a question: requests with equal keys are one job.
pub struct Key(String);

/// Which jobs with the same key a request may join.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// Only unfinished ones.
    Running,
    /// Finished ones, too.
    Finished,
}

/// A client that waits for a job, from the moment its request joins it. If it is dropped without
/// [`accept`](Waiter::accept), the client has left.
pub struct Waiter {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
    number: u64,
    stays: bool,
}

impl Key {
    /// A question with these fields.
    pub fn new(question: &str, fields: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        // With its length, so that the name and the fields cannot run into each other.
        hasher.update(&(question.len() as u64).to_le_bytes()).update(question.as_bytes()).update(fields);
        Key(hasher.finalize().to_hex()[..32].to_string())
    }
}

/// The response with the result of a job.
pub fn answered(outcome: Outcome) -> Response {
    match outcome {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => error.into_response(),
    }
}

impl Job {
    /// The part of its name that all clients share.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its work.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Its result, if it has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.borrow().clone()
    }

    /// Waits for its result.
    pub async fn finished(&self) -> Outcome {
        let mut outcome = self.outcome.subscribe();
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(ApiError::bug())),
            Err(_) => Err(ApiError::cancelled()),
        }
    }
}

impl Waiter {
    /// Waits a moment for the answer, then responds with a job for the client to follow.
    pub async fn answer(self) -> Response {
        match tokio::time::timeout(DIRECTLY, self.job.finished()).await {
            Ok(outcome) => answered(outcome),
            Err(_) => {
                let job = Arc::clone(&self.job);
                crate::job_endpoints::accepted(&self.accept(), &job)
            }
        }
    }

    /// The name under which the client can follow the job and leave it. It is this client's alone, so leaving twice
    /// does not affect others that wait for the same job.
    pub fn accept(mut self) -> String {
        self.stays = true;
        format!("{}-{}", self.job.id, self.number)
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if !self.stays {
            lock(&self.jobs.known).leave(&self.job.id, self.number);
        }
    }
}

impl Jobs {
    /// No jobs yet.
    pub fn new(limits: JobLimits) -> Jobs {
        Jobs { limits, known: Mutex::new(Known::new()) }
    }

    /// How many jobs are unfinished.
    pub fn unfinished(&self) -> usize {
        lock(&self.known).unfinished
    }

    /// How long there has been no unfinished job.
    pub fn idle_for(&self) -> Duration {
        let known = lock(&self.known);
        if known.unfinished > 0 { Duration::ZERO } else { known.last_end.elapsed() }
    }

    /// The job with this name.
    pub fn get(&self, name: &str) -> Option<Arc<Job>> {
        let id = name.split_once('-').map_or(name, |(id, _)| id);
        lock(&self.known).jobs.get(id).map(|entry| Arc::clone(&entry.job))
    }

    /// The client that was given this name does not wait any more. Returns whether it waited, or the job has ended.
    pub fn leave(&self, name: &str) -> bool {
        let Some((id, number)) = name.split_once('-') else { return false };
        number.parse().is_ok_and(|number| lock(&self.known).leave(id, number))
    }

    /// Stops all jobs.
    pub fn stop_all(&self) {
        lock(&self.known).jobs.values().for_each(|entry| entry.job.task.stop());
    }

    /// Forgets the oldest answers until no more than this many bytes are left.
    pub fn shrink(&self, bytes: usize) {
        lock(&self.known).shrink(bytes, 0);
    }

    /// The job with this key: one that exists already, or a new one.
    pub fn start(
        self: &Arc<Jobs>,
        key: &Key,
        work: &str,
        reuse: Reuse,
        run: impl FnOnce(&Task) -> Outcome + Send + 'static,
    ) -> Result<Waiter, ApiError> {
        let Key(id) = key;
        let mut known = lock(&self.known);
        let number = known.next_waiter;
        known.next_waiter += 1;
        if let Some(entry) = known.jobs.get_mut(id) {
            let joins = match entry.job.outcome() {
                None => true,
                Some(Ok(_)) => reuse == Reuse::Finished,
                // A second try may succeed.
                Some(Err(_)) => false,
            };
            if joins {
                entry.waiters.insert(number);
                let job = Arc::clone(&entry.job);
                return Ok(Waiter { jobs: Arc::clone(self), job, number, stays: false });
            }
        }
        if known.unfinished >= self.limits.running + self.limits.waiting {
            return Err(ApiError::busy("too many jobs are unfinished: try again in a few seconds", 5));
        }
        known.forget(id);
        let outcome = watch::Sender::new(None);
        let job = Arc::new(Job { id: id.clone(), task: Task::new(work), outcome });
        let (jobs, own) = (Arc::clone(self), Arc::clone(&job));
        // A thread of its own, and not one of the runtime's: the server can end while it works.
        let thread = std::thread::Builder::new().name(format!("job {id}"));
        if thread.spawn(move || jobs.work(&own, run)).is_err() {
            return Err(ApiError::busy("no thread can be started: try again in a few seconds", 5));
        }
        known.unfinished += 1;
        let entry = Entry { job: Arc::clone(&job), waiters: HashSet::from([number]) };
        known.jobs.insert(id.clone(), entry);
        Ok(Waiter { jobs: Arc::clone(self), job, number, stays: false })
    }

    fn work(&self, job: &Arc<Job>, run: impl FnOnce(&Task) -> Outcome) {
        // A panic is a bug; the client is answered all the same.
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&job.task)));
        let outcome = outcome.unwrap_or_else(|_| Err(ApiError::bug()));
        // Clients that find the job from now on see its result.
        let mut known = lock(&self.known);
        job.outcome.send_replace(Some(outcome));
        known.finish(job, self.limits.remembered);
    }
}

impl Known {
    fn new() -> Known {
        Known {
            jobs: HashMap::new(),
            done: VecDeque::new(),
            bytes: 0,
            unfinished: 0,
            last_end: Instant::now(),
            next_waiter: 1,
        }
    }

    /// A client does not wait any more. The last one stops an unfinished job.
    fn leave(&mut self, id: &str, number: u64) -> bool {
        let Some(entry) = self.jobs.get_mut(id) else { return false };
        if entry.job.outcome().is_some() {
            return true;
        }
        let waited = entry.waiters.remove(&number);
        if waited && entry.waiters.is_empty() {
            entry.job.task.stop();
            self.forget(id);
        }
        waited
    }

    /// Remembers the answer of a job, and forgets the oldest ones beyond `most` bytes.
    fn finish(&mut self, job: &Arc<Job>, most: usize) {
        self.unfinished -= 1;
        self.last_end = Instant::now();
        // A job that was stopped is forgotten, and there may be another one with its key.
        let Some(entry) = self.jobs.get_mut(&job.id).filter(|entry| Arc::ptr_eq(&entry.job, job)) else {
            return;
        };
        entry.waiters = HashSet::new();
        let size = size(job.outcome().as_ref());
        self.bytes += size;
        self.done.push_back((job.id.clone(), size));
        self.shrink(most, 1);
    }

    /// Forgets the oldest answers until no more than `most` bytes are left, but never the newest `kept` ones.
    fn shrink(&mut self, most: usize, kept: usize) {
        while self.bytes > most && self.done.len() > kept {
            let oldest = self.done[0].0.clone();
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, id: &str) {
        self.jobs.remove(id);
        if let Some(at) = self.done.iter().position(|(done, _)| done == id) {
            self.bytes -= self.done.remove(at).map_or(0, |(_, size)| size);
        }
    }
}

/// The approximate size of a finished job in memory.
fn size(outcome: Option<&Outcome>) -> usize {
    let body = outcome.and_then(|outcome| outcome.as_ref().ok());
    1024 + body.map_or(0, Bytes::len)
}
