//! The search for the stored tables of a game in several stores.

use crate::error::StoreError;

/// Opens stores one after the other. Returns what the first one has that `open` finds anything in. A store that cannot be
/// used does not hide those after it: its error is returned only if no store has anything.
pub(crate) fn first_found<T>(
    addresses: impl IntoIterator<Item = String>,
    mut open: impl FnMut(&str) -> Result<Option<T>, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut unusable = None;
    for address in addresses {
        match open(&address) {
            Ok(None) => {}
            Ok(found) => return Ok(found),
            Err(error) => _ = unusable.get_or_insert(error),
        }
    }
    unusable.map_or(Ok(None), Err)
}
