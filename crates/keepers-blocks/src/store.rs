//! A store of immutable objects: a folder, or a bucket of S3 or a compatible service.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};
use tokio::runtime::{Builder, Runtime};

use crate::error::StoreError;
use crate::upload::Uploads;

/// The number of requests that one call sends at the same time.
const REQUESTS: usize = 32;

/// How often the end of an object is read that is replaced in the meantime.
const ATTEMPTS: usize = 3;

/// How long a write whose outcome is unknown is repeated, and a read whose answer was cut off.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time before the first repetition. It doubles before each of the following ones, up to the second value.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// The time after which a file that is being written, and does not change, has lost its writer.
const ABANDONED: Duration = Duration::from_secs(600);

/// A folder or a bucket. Calls block until they are done, and any number of threads may make them.
pub struct ObjectFolder {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// The path of a folder; `None` for S3.
    folder: Option<PathBuf>,
    address: String,
    /// Writes large objects to S3. `None` for a folder.
    uploads: Option<Uploads>,
    /// Runs requests. Only [`Drop`] takes it.
    runtime: Option<Runtime>,
    io: IoCounters,
}

#[derive(Default)]
struct IoCounters {
    read_bytes: AtomicU64,
    reads: AtomicU64,
    written_bytes: AtomicU64,
    writes: AtomicU64,
}

/// Everything that was read and written through an [`ObjectFolder`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct IoSummary {
    /// Bytes read.
    pub read_bytes: u64,
    /// Requests that read.
    pub reads: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Objects written.
    pub writes: u64,
}

/// The end of an object.
pub struct Tail {
    /// The size of the whole object, in bytes.
    pub size: u64,
    /// Its last bytes.
    pub bytes: Vec<u8>,
}

impl ObjectFolder {
    /// Opens a store: the path of a folder, `file:///path`, or `s3://bucket/path`. A folder is created when the first
    /// object is written. For S3, the environment has the credentials and the endpoint (`AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, `AWS_ALLOW_HTTP`).
    ///
    /// # Errors
    /// If the address is not valid.
    pub fn open(address: &str) -> Result<ObjectFolder, StoreError> {
        let opened = match address.split_once("://") {
            None => local(address.into())?,
            Some(("file", _)) => {
                let url =
                    url::Url::parse(address).map_err(|error| bad_address(address, &error.to_string()))?;
                let path = url.to_file_path();
                local(path.map_err(|()| bad_address(address, "it must be file:///absolute/path"))?)?
            }
            Some(("s3", _)) => s3(address)?,
            Some((scheme, _)) => {
                let reason = format!("{scheme} is not supported: give a folder or s3://bucket/path");
                return Err(bad_address(address, &reason));
            }
        };
        ObjectFolder::of(opened, address)
    }

    pub(crate) fn of(opened: Opened, address: &str) -> Result<ObjectFolder, StoreError> {
        let Opened { store, prefix, folder, uploads } = opened;
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Io {
            action: "starting threads for",
            name: "requests".into(),
            store: address.into(),
            reason: error.to_string(),
        })?;
        Ok(ObjectFolder {
            store,
            prefix,
            folder,
            address: address.into(),
            uploads,
            runtime: Some(runtime),
            io: IoCounters::default(),
        })
    }

    /// Returns the address that the store was opened with.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns everything read and written so far.
    pub fn io(&self) -> IoSummary {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        IoSummary {
            read_bytes: read(&self.io.read_bytes),
            reads: read(&self.io.reads),
            written_bytes: read(&self.io.written_bytes),
            writes: read(&self.io.writes),
        }
    }

    /// Runs a request, and blocks until it is done.
    fn wait<T: Send>(&self, request: impl Future<Output = T> + Send) -> T {
        let runtime = self.runtime.as_ref().expect("only `drop` takes it");
        if tokio::runtime::Handle::try_current().is_err() {
            return runtime.block_on(request);
        }
        // A thread of another runtime, such as the server's, must not run a second one.
        std::thread::scope(|scope| {
            let running = scope.spawn(|| runtime.block_on(request));
            running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.prefix.clone(), |path, part| path.join(part))
    }

    /// Returns an object, or `None` if it does not exist.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name);
        let get = || async { self.store.get(&path).await?.bytes().await };
        match self.wait(repeated(get)) {
            Ok(bytes) => {
                self.count_read(bytes.len());
                Ok(Some(bytes.into()))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("reading", name, &error)),
        }
    }

    /// Returns whether an object exists.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn contains(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.sizes(&[name.to_string()])?[0].is_some())
    }

    /// Returns the last bytes of each of some objects, up to `bytes`; `None` for those that do not exist.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tails<'a>(&self, names: &'a [String], bytes: u64) -> Result<Vec<Option<Tail>>, StoreError> {
        let sizes = self.sizes(names)?;
        let one = |(name, size): (&'a String, Option<u64>)| async move {
            match size {
                Some(size) => self.tail(name, size, bytes).await,
                None => Ok(None),
            }
        };
        self.wait(stream::iter(names.iter().zip(sizes).map(one)).buffered(REQUESTS).try_collect())
    }

    /// Returns the last bytes of an object that had `size` bytes. The range has a start and an end, because some services
    /// fail if they are asked for the last N bytes of a shorter object.
    async fn tail(&self, name: &str, mut size: u64, bytes: u64) -> Result<Option<Tail>, StoreError> {
        let path = self.path(name);
        let failed = |error: Error| self.failed("reading", name, &error);
        for _ in 0..ATTEMPTS {
            if size == 0 {
                return Ok(Some(Tail { size, bytes: Vec::new() }));
            }
            let range = Some(GetRange::Bounded(size.saturating_sub(bytes)..size));
            let get = || async {
                let options = GetOptions { range: range.clone(), ..GetOptions::default() };
                let found = self.store.get_opts(&path, options).await?;
                let now = found.meta.size;
                Ok((now, if now == size { found.bytes().await? } else { Bytes::new() }))
            };
            match repeated(get).await {
                Ok((now, bytes)) if now == size => {
                    self.count_read(bytes.len());
                    return Ok(Some(Tail { size, bytes: bytes.to_vec() }));
                }
                Ok((now, _)) => size = now,
                Err(Error::NotFound { .. }) => return Ok(None),
                // The object may be shorter now than the start of the range.
                Err(error) => match self.store.head(&path).await {
                    Ok(found) if found.size != size => size = found.size,
                    _ => return Err(failed(error)),
                },
            }
        }
        Err(StoreError::Io {
            action: "reading",
            name: name.into(),
            store: self.address.clone(),
            reason: "it changes while it is read; run the command again".into(),
        })
    }

    /// Returns the size of each of some objects; `None` for those that do not exist. Lists the folder of many objects.
    fn sizes<'a>(&self, names: &'a [String]) -> Result<Vec<Option<u64>>, StoreError> {
        fn folder_of(name: &str) -> Option<&str> {
            Some(name.rsplit_once('/')?.0)
        }
        let folder = names.first().and_then(|name| folder_of(name));
        if let Some(folder) = folder
            && names.len() > REQUESTS
            && names.iter().all(|name| folder_of(name) == Some(folder))
        {
            let listed: HashMap<String, u64> = self.list(folder)?.into_iter().collect();
            return Ok(names.iter().map(|name| listed.get(name).copied()).collect());
        }
        let one = |name: &'a String| {
            let path = self.path(name);
            async move {
                match self.store.head(&path).await {
                    Ok(found) => Ok(Some(found.size)),
                    Err(Error::NotFound { .. }) => Ok(None),
                    Err(error) => Err(self.failed("reading", name, &error)),
                }
            }
        };
        self.wait(stream::iter(names.iter().map(one)).buffered(REQUESTS).try_collect())
    }

    /// Returns a range of bytes of each of some objects, in order.
    ///
    /// # Errors
    /// If an object does not exist or has fewer bytes, or if the store cannot be read.
    pub fn ranges<'a>(
        &self,
        ranges: impl IntoIterator<Item = (&'a str, Range<u64>)>,
    ) -> Result<Vec<Bytes>, StoreError> {
        let one = |(name, range): (&'a str, Range<u64>)| {
            let path = self.path(name);
            async move {
                let bytes = repeated(|| self.store.get_range(&path, range.clone())).await;
                let bytes = bytes.map_err(|error| self.failed("reading", name, &error))?;
                self.count_read(bytes.len());
                Ok(bytes)
            }
        };
        let requests = stream::iter(ranges.into_iter().map(one).collect::<Vec<_>>());
        self.wait(requests.buffered(REQUESTS).try_collect())
    }

    fn count_read(&self, bytes: usize) {
        self.io.read_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.io.reads.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a new object. Returns `false` if an object of this name exists, which is left as it is.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreError> {
        let size = bytes.len() as u64;
        let (path, bytes) = (self.path(name), Bytes::from(bytes));
        let created = match &self.uploads {
            Some(uploads) if bytes.len() > uploads.largest_put => {
                self.wait(uploads.create(&*self.store, &path, &bytes))
            }
            _ => self.create_at_once(&path, &bytes),
        };
        let created = created.map_err(|error| self.failed("writing", name, &error))?;
        if created {
            self.count_write(size);
        }
        Ok(created)
    }

    /// Creates an object by a conditional write. If a connection breaks, the object may exist or not, and the write is
    /// repeated: callers compare the object with their own if it exists.
    fn create_at_once(&self, path: &Path, bytes: &Bytes) -> Result<bool, Error> {
        let started = Instant::now();
        let mut pause = PAUSE;
        loop {
            let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
            let put = self.store.put_opts(path, PutPayload::from(bytes.clone()), options);
            match self.wait(put) {
                Ok(_) => return Ok(true),
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => return Ok(false),
                Err(Error::Generic { store: "S3", .. }) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(pause);
                    pause = (2 * pause).min(LONGEST_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes an object, and replaces one of the same name.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn replace(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let size = bytes.len() as u64;
        let path = self.path(name);
        let put = self.store.put(&path, PutPayload::from(bytes));
        self.wait(put).map_err(|error| self.failed("writing", name, &error))?;
        self.count_write(size);
        Ok(())
    }

    fn count_write(&self, bytes: u64) {
        self.io.written_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.io.writes.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the names and sizes of all objects of a folder, in the order of their names. `folder` may be empty.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, u64)>, StoreError> {
        let path = if folder.is_empty() { self.prefix.clone() } else { self.path(folder) };
        let list = || self.store.list(Some(&path)).try_collect::<Vec<_>>();
        let listed = match self.wait(repeated(list)) {
            Ok(listed) => listed,
            Err(Error::NotFound { .. }) => Vec::new(),
            Err(error) => return Err(self.failed("listing", folder, &error)),
        };
        let within = |found: object_store::ObjectMeta| {
            let parts: Vec<String> =
                found.location.prefix_match(&self.prefix)?.map(|part| part.as_ref().to_string()).collect();
            Some((parts.join("/"), found.size))
        };
        let mut names: Vec<(String, u64)> = listed.into_iter().filter_map(within).collect();
        names.sort();
        Ok(names)
    }

    /// Removes objects. Those that do not exist are ignored.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn remove<'a>(&self, names: &'a [String]) -> Result<(), StoreError> {
        let one = |name: &'a String| {
            let path = self.path(name);
            async move {
                match self.store.delete(&path).await {
                    Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                    Err(error) => Err(self.failed("removing", name, &error)),
                }
            }
        };
        self.wait(stream::iter(names.iter().map(one)).buffered(REQUESTS).try_collect())
    }

    /// Removes what writers that were killed have left in a folder: object_store writes `NAME#1` before it gives an object
    /// its name. A file that was changed a short time ago may belong to a writer that lives, and is left. Such files only
    /// take space, so errors are ignored.
    pub(crate) fn remove_abandoned(&self) {
        let Some(folder) = &self.folder else { return };
        let children = |folder: &std::path::Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect::<Vec<PathBuf>>()
        };
        let layers = children(folder).into_iter().filter(|path| path.is_dir());
        for path in layers.flat_map(|layer| children(&layer)).filter(|path| is_staged(path)) {
            let changed = path.metadata().and_then(|found| found.modified()).ok();
            if changed.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED) {
                _ = std::fs::remove_file(path);
            }
        }
    }

    fn failed(&self, action: &'static str, name: &str, error: &Error) -> StoreError {
        StoreError::Io { action, name: name.into(), store: self.address.clone(), reason: reason(error) }
    }
}

/// Returns whether a file is an object that is being written.
fn is_staged(path: &std::path::Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.rsplit_once(".blocks#").map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Drop for ObjectFolder {
    fn drop(&mut self) {
        // A thread of another runtime must not wait for this one to end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Sends a request that reads, and sends it again while its answer is cut off. The library repeats requests that fail
/// before the answer has begun. It continues an answer that was cut off only if the object has an entity tag, and never a
/// list.
async fn repeated<T, F: Future<Output = Result<T, Error>>>(request: impl Fn() -> F) -> Result<T, Error> {
    let started = Instant::now();
    let mut pause = PAUSE;
    loop {
        match request().await {
            Err(error) if is_cut_off(&error) && started.elapsed() < PATIENCE => {
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
            ended => return ended,
        }
    }
}

/// Returns whether the connection to S3 broke after a request was sent, so that the same request may succeed.
fn is_cut_off(error: &Error) -> bool {
    use std::io::ErrorKind;
    let Error::Generic { store: "S3", source } = error else { return false };
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(source.as_ref());
    while let Some(error) = next {
        if let Some(io) = error.downcast_ref::<std::io::Error>()
            && let ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut = io.kind()
        {
            return true;
        }
        next = error.source();
    }
    false
}

/// Returns the innermost reason of an error, with what to do about it.
pub(crate) fn reason(error: &Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
        if let Some(io) = source.downcast_ref::<std::io::Error>() {
            use std::io::ErrorKind;
            match io.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                    return "there is no space left; free some, and run the command again".into();
                }
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    return "there is no permission; choose another store, or change its permissions".into();
                }
                ErrorKind::FileTooLarge => {
                    return "the system allows no file of this size; raise the limit, or choose another store".into();
                }
                ErrorKind::ConnectionRefused => {
                    return "nothing answers at that address; check AWS_ENDPOINT and the network".into();
                }
                _ => {}
            }
        }
    }
    match error {
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            "there is no permission; check the credentials".into()
        }
        _ => {
            let text = innermost.to_string().replace('\n', " ");
            if text.contains("<Code>NoSuchBucket</Code>") {
                "there is no such bucket; create it, or check the address".into()
            } else if text.starts_with("failed to lookup address information") {
                format!("{text}; check AWS_ENDPOINT and the network")
            } else {
                text
            }
        }
    }
}

fn bad_address(address: &str, reason: &str) -> StoreError {
    StoreError::Address(format!("{address} is not the address of a store: {reason}"))
}

/// A store, and the path of the objects in it.
pub(crate) struct Opened {
    pub store: Arc<dyn ObjectStore>,
    pub prefix: Path,
    /// The path of a folder; `None` for S3.
    pub folder: Option<PathBuf>,
    /// How large objects are written, if not by one request.
    pub uploads: Option<Uploads>,
}

fn local(path: PathBuf) -> Result<Opened, StoreError> {
    let address = path.display().to_string();
    let failed = |reason: String| bad_address(&address, &reason);
    if address.is_empty() {
        return Err(failed("it is empty".into()));
    }
    let path = std::path::absolute(&path).map_err(|error| failed(error.to_string()))?;
    if path.exists() && !path.is_dir() {
        return Err(failed("it is a file, not a folder".into()));
    }
    let prefix = Path::from_absolute_path(&path).map_err(|error| failed(error.to_string()))?;
    let store = Arc::new(LocalFileSystem::new().with_fsync(true));
    Ok(Opened { store, prefix, folder: Some(path), uploads: None })
}

#[cfg(feature = "s3")]
fn s3(address: &str) -> Result<Opened, StoreError> {
    crate::s3::open(address).map_err(|reason| bad_address(address, &reason))
}

#[cfg(not(feature = "s3"))]
fn s3(address: &str) -> Result<Opened, StoreError> {
    Err(bad_address(address, "this program was built without S3; build it with --features s3"))
}
