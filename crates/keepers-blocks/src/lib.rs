//! Tables of the Yahtzee family of dice games that are larger than memory.

mod encoding;
mod error;
mod object;
mod store;

pub use encoding::Encoding;
pub use error::{Damage, StoreError};
pub use object::{Header, Index, Kind, ObjectWriter, Summary, block_hash};
pub use store::{IoSummary, ObjectFolder, Tail};

pub mod two_player;
