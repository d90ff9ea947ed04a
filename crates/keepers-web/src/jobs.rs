//! Jobs: long work. Clients that ask the same question share one job, and its answer is remembered.

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

/// The time to wait for a job before the server answers 202 and the client follows it.
const DIRECTLY: Duration = Duration::from_millis(250);

/// The result of a job: the body of its answer, or an error.
pub type Outcome = Result<Bytes, ApiError>;

/// Limits on jobs.
#[derive(Clone, Copy, Debug)]
pub struct JobLimits {
    /// The most solves that run at the same time.
    pub running: usize,
    /// The most unfinished jobs beyond `running`: there are at most `running + waiting` in all.
    pub waiting: usize,
    /// The most bytes of remembered answers.
    pub remembered: usize,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits { running: 3, waiting: 61, remembered: 64 << 20 }
    }
}

/// A question that takes long.
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
    /// The finished jobs with the sizes of their answers, the newest last.
    done: VecDeque<(String, usize)>,
    bytes: usize,
    unfinished: usize,
    /// The time when the last job ended.
    last_end: Instant,
    next_waiter: u64,
}

/// A job that clients can find.
struct Entry {
    job: Arc<Job>,
    /// The numbers of the clients that wait for the job. When the last one leaves, the job is stopped.
    waiters: HashSet<u64>,
}

/// The identity of a question: requests with equal keys share one job.
pub struct Key(String);

/// Which jobs with the same key a request may join.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// Only unfinished ones.
    Running,
    /// Unfinished and successfully finished ones.
    Finished,
}

/// A client that waits for a job. Dropping it without [`accept`](Waiter::accept) means that the client has left.
pub struct Waiter {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
    number: u64,
    stays: bool,
}

impl Key {
    /// Computes the key of a question with these fields.
    pub fn new(question: &str, fields: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        // The length marks where the name ends and the fields start.
        hasher.update(&(question.len() as u64).to_le_bytes()).update(question.as_bytes()).update(fields);
        Key(hasher.finalize().to_hex()[..32].to_string())
    }
}

/// Responds with the result of a job.
pub fn answered(outcome: Outcome) -> Response {
    match outcome {
        Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => error.into_response(),
    }
}

impl Job {
    /// Returns the part of the job's name that all clients share.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the work of the job.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Returns the result, or `None` if the job is unfinished.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.borrow().clone()
    }

    /// Waits for the result.
    pub async fn finished(&self) -> Outcome {
        let mut outcome = self.outcome.subscribe();
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or_else(|| Err(ApiError::bug())),
            Err(_) => Err(ApiError::cancelled()),
        }
    }
}

impl Waiter {
    /// Responds with the answer if the job ends soon, otherwise with the job for the client to follow.
    pub async fn answer(self) -> Response {
        match tokio::time::timeout(DIRECTLY, self.job.finished()).await {
            Ok(outcome) => answered(outcome),
            Err(_) => {
                let job = Arc::clone(&self.job);
                crate::job_endpoints::accepted(&self.accept(), &job)
            }
        }
    }

    /// Returns the name under which the client can follow and leave the job. Each client has its own name, so leaving twice
    /// does not affect other clients of the job.
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
    /// Creates an empty collection of jobs.
    pub fn new(limits: JobLimits) -> Jobs {
        Jobs { limits, known: Mutex::new(Known::new()) }
    }

    /// Returns the number of unfinished jobs.
    pub fn unfinished(&self) -> usize {
        lock(&self.known).unfinished
    }

    /// Returns the time since the last job ended, or zero while a job is unfinished.
    pub fn idle_for(&self) -> Duration {
        let known = lock(&self.known);
        if known.unfinished > 0 { Duration::ZERO } else { known.last_end.elapsed() }
    }

    /// Returns the job with this name.
    pub fn get(&self, name: &str) -> Option<Arc<Job>> {
        let id = name.split_once('-').map_or(name, |(id, _)| id);
        lock(&self.known).jobs.get(id).map(|entry| Arc::clone(&entry.job))
    }

    /// Removes the client with this name from its job. Returns whether the client waited, or the job has ended.
    pub fn leave(&self, name: &str) -> bool {
        let Some((id, number)) = name.split_once('-') else { return false };
        number.parse().is_ok_and(|number| lock(&self.known).leave(id, number))
    }

    /// Stops all jobs.
    pub fn stop_all(&self) {
        lock(&self.known).jobs.values().for_each(|entry| entry.job.task.stop());
    }

    /// Forgets the oldest answers until at most this many bytes are left.
    pub fn shrink(&self, bytes: usize) {
        lock(&self.known).shrink(bytes, 0);
    }

    /// Joins the job with this key, or starts one.
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
                // A failed job is tried again.
                Some(Err(_)) => false,
            };
            if joins {
                entry.waiters.insert(number);
                let job = Arc::clone(&entry.job);
                return Ok(Waiter { jobs: Arc::clone(self), job, number, stays: false });
            }
        }
        if known.unfinished >= self.limits.running + self.limits.waiting {
            return Err(ApiError::busy(
                "the server has too many unfinished jobs: try again in a few seconds",
                5,
            ));
        }
        known.forget(id);
        let outcome = watch::Sender::new(None);
        let job = Arc::new(Job { id: id.clone(), task: Task::new(work), outcome });
        let (jobs, own) = (Arc::clone(self), Arc::clone(&job));
        // A separate thread, not one of the runtime's, so that the server can end while the job works.
        let thread = std::thread::Builder::new().name(format!("job {id}"));
        if thread.spawn(move || jobs.work(&own, run)).is_err() {
            return Err(ApiError::busy("the server cannot start a thread: try again in a few seconds", 5));
        }
        known.unfinished += 1;
        let entry = Entry { job: Arc::clone(&job), waiters: HashSet::from([number]) };
        known.jobs.insert(id.clone(), entry);
        Ok(Waiter { jobs: Arc::clone(self), job, number, stays: false })
    }

    fn work(&self, job: &Arc<Job>, run: impl FnOnce(&Task) -> Outcome) {
        // A panic is a bug, but the client must get an answer.
        let outcome = catch_unwind(AssertUnwindSafe(|| run(&job.task)));
        let outcome = outcome.unwrap_or_else(|_| Err(ApiError::bug()));
        // The lock is held until the job is moved to the finished ones, so clients see both changes at once.
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

    /// Removes a client from a job, and stops the job if it is unfinished and has no clients left.
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
        // A stopped job was already forgotten, and another job may have its key by now.
        let Some(entry) = self.jobs.get_mut(&job.id).filter(|entry| Arc::ptr_eq(&entry.job, job)) else {
            return;
        };
        entry.waiters = HashSet::new();
        let size = size(job.outcome().as_ref());
        self.bytes += size;
        self.done.push_back((job.id.clone(), size));
        self.shrink(most, 1);
    }

    /// Forgets the oldest answers until at most `most` bytes are left, but never the newest `kept` ones.
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

/// Returns the approximate size of a finished job in memory.
fn size(outcome: Option<&Outcome>) -> usize {
    let body = outcome.and_then(|outcome| outcome.as_ref().ok());
    1024 + body.map_or(0, Bytes::len)
}
