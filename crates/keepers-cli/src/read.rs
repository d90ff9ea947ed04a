//! Reading files that a user, or a record of somebody else, names: regular files of a limited size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use keepers::internals::text::byte_size;

/// The most bytes of a file that are read.
pub const MOST_BYTES: u64 = 16 << 20;

/// The text of a file. The error completes the sentence "the file cannot be read: ...".
pub fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(bytes(path)?).map_err(|_| "it is not UTF-8 text".to_string())
}

/// The bytes of a regular file. A device or a named pipe may have no end, so it is refused before it is opened.
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

/// Everything that a source has, unless that is too much.
pub fn limited(source: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {}", byte_size(MOST_BYTES.into())));
    }
    Ok(bytes)
}
