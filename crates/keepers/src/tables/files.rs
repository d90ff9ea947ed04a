//! The directory of a store: opening, writing, listing and removing table files.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use bytemuck::Pod;

use crate::tables::file::TEMPORARY;
use crate::tables::format::file_size;
use crate::tables::table::{Header, Table, TableError, TableKey, WriteError};
use crate::text::byte_size;
use crate::work::{Observer, Work, WorkError};

/// The extension of table files.
const EXTENSION: &str = "keepers";

/// The age at which a temporary file is removed. Only a crashed process leaves one behind; after a day no process is
/// still writing it.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The default limit of the size of a store.
const DEFAULT_LIMIT: u64 = 10 << 30;

/// The directory of a store.
#[derive(Debug)]
pub(super) struct Files {
    directory: PathBuf,
    limit: u64,
    /// Unusable files that were reported, so that each is reported only once.
    reported: Mutex<HashSet<PathBuf>>,
    /// Notices that no observer has received yet.
    notices: Mutex<Vec<String>>,
}

/// A table file in the store.
#[derive(Debug)]
pub struct Stored {
    /// The path of the file.
    pub path: PathBuf,
    /// The size of the file.
    pub bytes: u64,
    /// The header, if every byte of the file is valid, or the reason why the file cannot be used.
    pub header: Result<Header, TableError>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    pub fn at(directory: PathBuf) -> Files {
        Files { directory, limit: DEFAULT_LIMIT, reported: Mutex::default(), notices: Mutex::default() }
    }

    pub fn limited_to(&self, limit: u64) -> Files {
        Files { limit, ..Files::at(self.directory.clone()) }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens a table. Returns `None` if the file is missing. If it cannot be used, reports that once and returns
    /// `None`.
    pub fn open<T: Pod>(&self, key: &TableKey, exact: bool, observer: &dyn Observer) -> Option<Table<T>> {
        let path = self.directory.join(key.file_name());
        match Table::open(&path, key, exact) {
            Ok(table) => Some(table),
            Err(TableError::Missing) => {
                self.report_old_layouts(key, observer);
                None
            }
            Err(error) => {
                let text = format!("solving again: {} cannot be used, {error}", path.display());
                if lock(&self.reported).insert(path) {
                    observer.notice(&text);
                }
                None
            }
        }
    }

    /// Reports once that the store has tables of an earlier version for this objective. Their names contain another
    /// fingerprint of the same rules, so they are not found.
    fn report_old_layouts(&self, key: &TableKey, observer: &dyn Observer) {
        let prefix = format!("{}-", key.objective);
        let is_old = |path: &PathBuf| {
            let name = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
            name && Header::is_of_earlier_version(path)
        };
        let old = self.files(EXTENSION).is_ok_and(|files| files.iter().any(is_old));
        if old && lock(&self.reported).insert(self.directory.clone()) {
            let directory = self.directory.display();
            observer.notice(&format!(
                "solving again: tables of an earlier version in {directory} are not used; keepers cache clear removes them"
            ));
        }
    }

    /// Returns the last value of a table. Returns `None` if the file is missing or cannot be used.
    pub fn last_value(&self, key: &TableKey) -> Option<f64> {
        Table::last(&self.directory.join(key.file_name()), key).ok()
    }

    /// Writes a table and returns its path. If it cannot be written, reports a notice and returns `None`.
    pub fn keep<T: Pod + Sync>(
        &self,
        key: &TableKey,
        parts: &[&[T]],
        observer: &dyn Observer,
    ) -> Result<Option<PathBuf>, WorkError> {
        let path = self.directory.join(key.file_name());
        match self.write(&path, key, parts, observer) {
            Ok(()) => {
                lock(&self.reported).remove(&path);
                Ok(Some(path))
            }
            Err(WriteError::Work(error)) => Err(error),
            Err(WriteError::Io(error)) => {
                let path = path.display();
                observer.notice(&format!("the table is not kept: {path} cannot be written ({error})"));
                Ok(None)
            }
        }
    }

    fn write<T: Pod + Sync>(
        &self,
        path: &Path,
        key: &TableKey,
        parts: &[&[T]],
        observer: &dyn Observer,
    ) -> Result<(), WriteError> {
        fs::create_dir_all(&self.directory)?;
        // An error here must not prevent the write.
        let _ = self.remove_temporaries(STALE);
        let cells: u64 = parts.iter().map(|part| size_of_val(*part) as u64).sum();
        let bytes = file_size(cells);
        if bytes > self.limit {
            let (size, limit) = (byte_size(bytes.into()), byte_size(self.limit.into()));
            let text = format!("the table has {size}, but the store is limited to {limit}");
            return Err(io::Error::new(io::ErrorKind::StorageFull, text).into());
        }
        let _ = self.make_room(bytes, path);
        Table::write_parts(path, key, parts, &Work::new(observer, "writing the table"))
    }

    /// Removes the least recently used tables until there is room for `bytes` more.
    fn make_room(&self, bytes: u64, written: &Path) -> io::Result<()> {
        let mut tables = Vec::new();
        for path in self.files(EXTENSION)? {
            let Ok(found) = fs::metadata(&path) else { continue };
            // A file that is being replaced needs no room of its own.
            if path != written && found.is_file() {
                let used = found.accessed().or_else(|_| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
                tables.push((used, found.len(), path));
            }
        }
        tables.sort();
        let mut all: u64 = tables.iter().map(|(_, len, _)| len).sum();
        for (_, len, path) in tables {
            if all + bytes <= self.limit {
                break;
            }
            if fs::remove_file(path).is_ok() {
                all -= len;
            }
        }
        Ok(())
    }

    pub fn list(&self) -> io::Result<Vec<Stored>> {
        let mut found = Vec::new();
        for path in self.files(EXTENSION)? {
            // The size of a link itself, because it may be broken.
            let bytes = fs::symlink_metadata(&path)?.len();
            found.push(Stored { header: Header::check(&path), path, bytes });
        }
        Ok(found)
    }

    pub fn clear(&self) -> io::Result<u64> {
        let mut freed = 0;
        // Version 0.1.0 stored tournament rounds as JSON.
        let old_rounds = self.files("json")?.into_iter().filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("equilibrium-"))
        });
        for path in self.files(EXTENSION)?.into_iter().chain(old_rounds) {
            let found = fs::symlink_metadata(&path)?;
            if !found.is_dir() {
                fs::remove_file(&path)?;
                freed += if found.is_file() { found.len() } else { 0 };
            }
        }
        Ok(freed + self.remove_temporaries(Duration::ZERO)?)
    }

    /// Returns the files with this extension, sorted by name. Returns none if the directory does not exist.
    fn files(&self, extension: &str) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.directory) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            entries => entries?,
        };
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| path.extension().is_some_and(|found| found == extension));
        paths.sort();
        Ok(paths)
    }

    /// Removes temporary files that are older than `age`. Returns the number of bytes freed.
    fn remove_temporaries(&self, age: Duration) -> io::Result<u64> {
        let mut freed = 0;
        for path in self.files(TEMPORARY)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ours = name.contains(".keepers.") || name.contains("equilibrium-");
            // Another process may have renamed or removed the file in the meantime.
            let Some(found) = fs::metadata(&path).ok().filter(|_| ours) else { continue };
            // A modification time in the future counts as age 0.
            let past = |then| SystemTime::now().duration_since(then).unwrap_or_default();
            let old = found.modified().is_ok_and(|then| past(then) >= age);
            if old && fs::remove_file(&path).is_ok() {
                freed += found.len();
            }
        }
        Ok(freed)
    }

    /// Stores a notice that a table is damaged, for the next observer.
    pub fn found_damage(&self, error: &TableError) {
        self.notice(&format!("solving again: the stored table cannot be used, {error}"));
    }

    pub fn pass_on_notices(&self, observer: &dyn Observer) {
        let notices = std::mem::take(&mut *lock(&self.notices));
        notices.iter().for_each(|text| observer.notice(text));
    }
}

/// Stores notices for the next observer, because this work runs without one.
impl Observer for Files {
    fn notice(&self, text: &str) {
        lock(&self.notices).push(text.to_string());
    }
}

/// Returns the directory for caches: `KEEPERS_CACHE`, or `keepers` in the platform's cache directory.
pub(super) fn user_directory() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    set("KEEPERS_CACHE").or_else(|| {
        let cache = if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Caches"))
        } else {
            // The XDG specification says to ignore a relative path.
            let set = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
            set.or_else(|| home().map(|home| home.join(".cache")))
        };
        cache.map(|cache| cache.join("keepers"))
    })
}
