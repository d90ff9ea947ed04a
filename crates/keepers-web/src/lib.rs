//! The web app of Keepers: an HTTP interface and the page, both part of the program.
//!
//! Everything here is about requests and how answers look; what they say comes from the library `keepers`.
//!
//! ```
//! use keepers::Store;
//! use keepers_web::{Server, Settings};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! let settings = Settings {
//!     port: Some(0), // any that is free
//!     first_rules: Some("yacht".to_string()),
//!     ..Settings::new(Store::none())
//! };
//! let server = Server::bind(settings).await.unwrap();
//! assert!(server.address().ip().is_loopback());
//! server.run(async { /* until this ends */ }).await;
//! # });
//! ```
//!
//! The map: [`Server`] listens, and lets requests through that pass its limits; one file a family of paths reads a
//! request, asks the library, and writes a view of the answer. What takes long is a job. Solved tables stay in memory,
//! shared by all requests.

mod advise;
mod api;
mod app;
mod ask;
mod body;
mod cards;
mod describe;
mod error;
mod explore;
mod games;
mod jobs;
mod limits;
mod name;
mod origin;
mod outlook;
mod page;
mod play;
mod players;
mod program;
mod progress;
mod prospects;
mod puzzle;
mod reference;
mod review;
mod rules;
mod seed;
mod server;
mod shelf;
mod status;
mod tables;
mod task;
mod tournament;
pub mod views;

pub use api::description;
pub use jobs::JobLimits;
pub use origin::{Origin, OriginError};
pub use program::serve;
pub use server::{PORT, Server, Settings};
