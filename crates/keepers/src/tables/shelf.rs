//! Shelves: where tables are kept on platforms without files, such as a browser.

use std::fmt::Debug;

/// Keeps whole tables by name, in the format of `format.rs`. The caller checks every byte that is read.
pub trait Shelf: Debug + Send + Sync {
    /// Returns the table with this name, or `None` if there is none.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps a table under this name and replaces an earlier one. A table that cannot be kept is solved again later, so
    /// there is no error.
    fn write(&self, name: &str, table: Vec<u8>);
}
