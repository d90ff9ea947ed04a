//! The object that describes a store, `two-player.json` or `one-player.json`: the checks that both kinds share.

use keepers::Game;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{StoreError, other_rules};
use crate::two_player::hex;

/// A description of a store.
pub(crate) trait Described: DeserializeOwned {
    /// The name of the object.
    const OBJECT: &'static str;
    /// The version of the format that this program reads and writes.
    const FORMAT: u32;

    /// Returns the name of the rules and their fingerprint, in hexadecimal.
    fn rules(&self) -> (&str, &str);
}

/// The field that all versions of a description have.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// Reads the description of a store, and checks its version and its rules.
pub(crate) fn read<D: Described>(address: &str, bytes: &[u8], game: &Game) -> Result<D, StoreError> {
    let foreign = |what: String| StoreError::Foreign(format!("{address} {what}"));
    // Other versions may have other fields.
    if let Ok(Version { format }) = serde_json::from_slice(bytes)
        && format != D::FORMAT
    {
        return Err(foreign(format!(
            "has version {format} of the format, and this program reads version {}: use the program that wrote it",
            D::FORMAT
        )));
    }
    let found: D = serde_json::from_slice(bytes)
        .map_err(|error| foreign(format!("has a {} that cannot be read ({error}): remove it", D::OBJECT)))?;
    let (name, fingerprint) = found.rules();
    if fingerprint != hex(game.fingerprint()) {
        return Err(foreign(other_rules(name, game.rules().name())));
    }
    Ok(found)
}
