//! The server of Keepers: an HTTP interface and the page, both part of the program.
//!
//! This crate is transport only: it reads requests, limits them, runs long ones as jobs, and sends answers. The requests
//! and answers themselves are those of `keepers-api`.
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
//! | `server`, `run_until_signal` | listening, and ending |
//! | `limits`, `origin` | the checks that every request has to pass |
//! | `api`, `endpoints`, `api_docs` | the paths, their OpenAPI description, and that description as a page |
//! | `body`, `path_name`, `error` | reading requests, writing refusals |
//! | `app`, `idle` | what all requests share, and releasing memory when there are none |
//! | `jobs`, `task`, `job_endpoints` | long work: its threads, its progress, its paths |
//! | `page`, `status` | the files of the page, and the state of the server |

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
mod origin;
mod page;
mod path_name;
mod run_until_signal;
mod server;
mod status;
mod task;

pub use api::description;
pub use jobs::JobLimits;
pub use origin::{Origin, OriginError};
pub use run_until_signal::serve;
pub use server::{PORT, Server, Settings};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
