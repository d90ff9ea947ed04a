//! Atomic file writes: a file is written under a temporary name, synced, and renamed, so that it is complete or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces a file with the output of `write`. After an error the old file is unchanged.
pub(crate) fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let (temporary, mut file) = create_temporary(path)?;
    let written = write(&mut file)
        .and_then(|()| file.sync_all().map_err(E::from))
        .and_then(|()| fs::rename(&temporary, path).map_err(E::from));
    if written.is_err() {
        // The error of the write is returned; one of the removal would hide it.
        let _ = fs::remove_file(&temporary);
    } else {
        // Some file systems do not support this. Without it, the file may be missing after a crash and is then written
        // again.
        let _ = sync_directory(path);
    }
    written
}

/// Replaces a file. After an error the old file is unchanged.
///
/// # Errors
/// If the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Checks that a file can be written, without changing it.
///
/// # Errors
/// If the file cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let (temporary, file) = create_temporary(path)?;
    drop(file);
    fs::remove_file(temporary)
}

/// The extension of temporary files.
pub(crate) const TEMPORARY: &str = "tmp";

/// Creates a file in the same directory under an unused name. `create_new` excludes names that another thread, a
/// process with the same id on another machine, or a crashed process has used.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!("{name}.{}.{count}.{TEMPORARY}", std::process::id()));
        match File::options().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => return Ok((temporary, file?)),
        }
    }
}

/// Makes a rename durable, on systems where that is possible.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if cfg!(unix) => {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            File::open(directory)?.sync_all()
        }
        _ => Ok(()),
    }
}
