//! Tables of the Yahtzee family of dice games that are larger than memory: immutable objects in a folder or in S3.
//!
//! The module [`two_player`] solves the complete game of two players, task by task and layer by layer, and reads single
//! values of a solution. The module [`one_player`] solves reach curves of one player in parts. Objects have blocks of
//! values ([`ObjectWriter`], [`Index`]) in one of several encodings ([`Encoding`]), and are kept in an [`ObjectFolder`].

mod description;
mod encoding;
mod error;
mod lookup;
mod object;
#[cfg(feature = "s3")]
mod s3;
mod store;
mod upload;

pub mod one_player;
pub mod two_player;

pub use encoding::Encoding;
pub use error::{Damage, StoreError};
pub use object::{Header, Index, Kind, ObjectWriter, Summary, block_hash};
pub use store::{IoSummary, ObjectFolder, Tail};

/// The README's example is tested too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
