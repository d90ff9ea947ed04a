//! Reads regular files of a limited size. Their names may come from records by other people.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use keepers::internals::text::byte_size;

/// The largest file size in bytes.
pub const MOST_BYTES: u64 = 16 << 20;

/// Reads a text file. The error completes the sentence "cannot read FILE: ...".
pub fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(bytes(path)?).map_err(|_| "it is not UTF-8 text".to_string())
}

/// Reads the bytes of a regular file. Refuses devices and named pipes without opening them, because they may never end.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| error.to_string();
    let found = fs::metadata(path).map_err(unreadable)?;
    if found.is_dir() {
        return Err("it is a directory".to_string());
    }
    if !found.is_file() {
        return Err("it is not a regular file".to_string());
    }
    limited(File::open(path).map_err(unreadable)?)
}

/// Reads all bytes of a source, unless there are more than [`MOST_BYTES`].
pub fn limited(source: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {}", byte_size(MOST_BYTES.into())));
    }
    Ok(bytes)
}
