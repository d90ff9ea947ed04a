//! Keepers as a WebAssembly module without any glue: `scripts/check-wasm` builds it and asks it the questions of the
//! golden file in Node.
//!
//! The caller reserves memory, writes the name of a question and its JSON there, and calls `ask`. While it works, the
//! module calls the imported function `progress(done, all)`; if that returns a value other than 0, the question is
//! cancelled.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use keepers::{Engine, Observer, Store};
use keepers_api::Service;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn progress(done: f64, all: f64) -> i32;
}

#[cfg(not(target_arch = "wasm32"))]
fn progress(_: f64, _: f64) -> i32 {
    0
}

/// Passes progress on, and remembers whether to cancel.
#[derive(Default)]
struct Host {
    cancelled: AtomicBool,
}

impl Observer for Host {
    fn progress(&self, _: &str, done: usize, all: usize) {
        if progress(done as f64, all as f64) != 0 {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Reserves memory for the caller to write to; it is never freed, which is fine for a test.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    Box::leak(vec![0_u8; len].into_boxed_slice()).as_mut_ptr()
}

/// Answers a question. Returns the address of the result: its length as four bytes, little-endian, 1 for an answer or 0
/// for a refusal as one byte, then the JSON.
///
/// # Safety
/// Both pointers must be from [`reserve`], with at least these lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(
    name: *const u8,
    name_len: usize,
    json: *const u8,
    json_len: usize,
) -> *const u8 {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    let service = SERVICE.get_or_init(|| Service::new(Engine::new(Store::none())));
    // SAFETY: the caller got both pointers from `reserve`, which leaks, with at least these lengths.
    let (name, json) =
        unsafe { (std::slice::from_raw_parts(name, name_len), std::slice::from_raw_parts(json, json_len)) };
    let name = String::from_utf8_lossy(name);
    let (is_answer, text) = match service.ask(&name, json, &Host::default()) {
        Ok(answer) => (1, answer),
        Err(refusal) => (0, serde_json::to_vec(&refusal.body()).unwrap_or_default()),
    };
    let mut result = (text.len() as u32).to_le_bytes().to_vec();
    result.push(is_answer);
    result.extend(text);
    Box::leak(result.into_boxed_slice()).as_ptr()
}
