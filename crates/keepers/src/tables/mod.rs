//! Solved tables, in memory or mapped from files, and the store of these files.

mod curve_source;
mod expected;
#[cfg(feature = "store")]
pub mod file;
#[cfg(feature = "store")]
mod files;
pub mod format;
mod reach;
mod shelf;
pub mod store;
#[cfg(feature = "store")]
pub mod table;
mod utility;

pub use curve_source::{CurveSource, CurveStores};
pub use expected::ExpectedTable;
pub use reach::{ReachTable, TableCurve};
pub use shelf::Shelf;
pub use store::Store;
pub use utility::StoredUtility;
