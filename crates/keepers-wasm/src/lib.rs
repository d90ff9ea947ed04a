//! Keepers as a WebAssembly module, for web workers and for Node.
//!
//! A [`Module`] is one engine. JavaScript gives it a [`Host`], which receives progress, decides whether the
//! question is cancelled, and keeps solved tables. A module answers one question at a time, on the thread that asks; so it
//! belongs into a worker. With the feature `threads`, other workers can help it.
//!
//! Storage in browsers is asynchronous, but a solver cannot wait. If the host does not know yet whether it has a table, it
//! returns none and cancels the question. It then looks for the table and asks again.

mod host;
mod module;
#[cfg(feature = "threads")]
mod threads;

pub use host::Host;
pub use module::Module;
#[cfg(feature = "threads")]
pub use threads::{prepare_threads, run_thread};
