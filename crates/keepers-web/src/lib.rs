//! The server of Keepers: the HTTP API and the web page, both part of the program.
//!
//! This crate is transport only: it reads requests, limits them, runs long ones as jobs, and sends answers. The types
//! of requests and answers are in `keepers-api`.
//!
//! ```
//! use keepers::Store;
//! use keepers_web::{Server, Settings};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! let settings = Settings {
//!     port: Some(0), // any free port
//!     first_rules: Some("yacht".to_string()),
//!     ..Settings::new(Store::none())
//! };
//! let server = Server::bind(settings).await.unwrap();
//! assert!(server.address().ip().is_loopback());
//! server.run(async { /* until this ends */ }).await;
//! # });
//! ```
//!
//! | file | content |
//! |---|---|
//! | `server`, `run_until_signal` | start and end of the server |
//! | `limits`, `origin`, `access` | the checks that every request must pass |
//! | `api`, `endpoints`, `api_docs` | the paths, their OpenAPI description, and that description as a page |
//! | `body`, `path_name`, `error` | reading requests and writing refusals |
//! | `app`, `idle` | the state that all requests share, and releasing memory while the server is idle |
//! | `jobs`, `task`, `job_endpoints` | long work: its threads, its progress and its paths |
//! | `page`, `status` | the files of the page, and the state of the server |
//! | `phone`, `network` | the address for a phone, and its QR code |

mod access;
mod api;
mod api_docs;
mod app;
mod body;
mod endpoints;
mod error;
mod idle;
mod job_endpoints;
mod jobs;
mod limits;
mod network;
mod origin;
mod page;
mod path_name;
mod phone;
mod run_until_signal;
mod server;
mod status;
mod task;

pub use access::Token;
pub use api::description;
pub use jobs::JobLimits;
pub use origin::{Origin, OriginError};
pub use phone::Qr;
pub use run_until_signal::serve;
pub use server::{PORT, Server, Settings};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
