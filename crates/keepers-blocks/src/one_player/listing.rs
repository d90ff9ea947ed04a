//! Lists the stores of one-player tables in a folder.

use std::path::Path;

use serde::Serialize;

use super::{DESCRIPTION, Description, MANIFEST};
use crate::error::StoreError;
use crate::store::ObjectFolder;

/// A store of a one-player table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ListedTable {
    /// The path of the store.
    pub store: String,
    /// The name of the rules.
    pub rules: String,
    /// What its curves are: reach or distribution.
    pub objective: String,
    /// The size of all objects, in bytes.
    pub bytes: u64,
    /// The number of parts that are stored.
    pub parts: usize,
    /// Whether the table is complete.
    pub is_complete: bool,
}

/// Returns the stores of one-player tables in a folder, in the order of their names.
///
/// # Errors
/// If a store cannot be read.
pub fn list_tables(folder: &Path) -> Result<Vec<ListedTable>, StoreError> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    let mut tables = Vec::new();
    for path in paths {
        let store = path.display().to_string();
        let folder = ObjectFolder::open(&store)?;
        let Some(bytes) = folder.get(DESCRIPTION)? else { continue };
        let Ok(found) = serde_json::from_slice::<Description>(&bytes) else { continue };
        let objects = folder.list("")?;
        let parts = objects.iter().filter(|(name, _)| name.ends_with(".blocks")).count();
        tables.push(ListedTable {
            store,
            rules: found.game,
            is_complete: objects.iter().any(|(name, _)| name == MANIFEST),
            objective: found.objective,
            bytes: objects.iter().map(|(_, bytes)| bytes).sum(),
            parts,
        });
    }
    Ok(tables)
}
