//! Files that are complete or not there: written under a temporary name, synced, and renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces a file with what `write` writes. After an error the file is as it was before.
pub(crate) fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let (temporary, mut file) = create_temporary(path)?;
    let written = write(&mut file)
        .and_then(|()| file.sync_all().map_err(E::from))
        .and_then(|()| fs::rename(&temporary, path).map_err(E::from));
    if written.is_err() {
        // The first error is the one that matters.
        let _ = fs::remove_file(&temporary);
    } else {
        // Not every file system can; at worst the file is written again after a crash.
        let _ = sync_directory(path);
    }
    written
}

/// Replaces a file: it is complete, or as it was before.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Checks that a file can be written, without changing it.
///
/// # Errors
/// If it cannot.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let (temporary, file) = create_temporary(path)?;
    drop(file);
    fs::remove_file(temporary)
}

/// How the names of temporary files end.
pub(crate) const TEMPORARY: &str = "tmp";

/// A new file in the same directory, under a name that nobody else uses: not another thread, nor a process with the
/// same number on another machine, nor one that crashed.
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

/// Makes a rename durable, where the system can do that.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if cfg!(unix) => {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            File::open(directory)?.sync_all()
        }
        _ => Ok(()),
    }
}
