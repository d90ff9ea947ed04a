//! Several workers for one question. All of them instantiate the module with the same memory. The first worker prepares a pool
//! of threads and is one of them; the others can join at any time, also in the middle of a solve. As long as none has joined,
//! the first worker does all the work.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::host::{self, Host};

/// Threads of the pool that no worker runs yet.
static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());

/// Prepares a pool of this many threads. The current worker is one of them. Must be called once, before any question.
///
/// # Errors
/// Throws a string if there is a pool already.
#[wasm_bindgen(js_name = prepareThreads)]
pub fn prepare_threads(threads: usize) -> Result<(), String> {
    let wait = |thread| {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(())
    };
    // Not the global pool: its constructor waits until all threads run. The loops of this worker use the pool to which the
    // worker belongs.
    let pool = ThreadPoolBuilder::new().num_threads(threads).use_current_thread().spawn_handler(wait).build();
    pool.map(std::mem::forget).map_err(|error| error.to_string())
}

/// Runs a thread of the pool on this worker, for as long as the worker lives. Returns at once if all threads have a worker.
#[wasm_bindgen(js_name = runThread)]
pub fn run_thread(host: Host) {
    let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner).pop();
    if let Some(thread) = waiting {
        host::install(host);
        thread.run();
    }
}
