//! Solved tables, in memory or mapped from files, and the store of these files.

mod expected;
#[cfg(feature = "store")]
pub mod file;
#[cfg(feature = "store")]
mod files;
mod reach;
pub mod store;
#[cfg(feature = "store")]
pub mod table;

pub use expected::ExpectedTable;
pub use reach::ReachTable;
pub use store::Store;
