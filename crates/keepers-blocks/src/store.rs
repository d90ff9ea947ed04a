//! A store of immutable objects: a folder, or a bucket of S3 or a compatible service.

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

/// The number of requests that one call sends at the same time.
const REQUESTS: usize = 32;

/// The largest object that is written to S3 by one request, which is conditional. S3 itself accepts 5 GiB, but a large
/// request that fails must be repeated as a whole.
const LARGEST_PUT: usize = 128 << 20;

/// The size of a part of a larger object, and the number of parts that are written at the same time.
const PART: usize = 64 << 20;
const PARTS: usize = 8;

/// How long a write whose outcome is unknown is repeated.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder or a bucket. Calls block until they are done, and any number of threads may make them.
pub struct ObjectFolder {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    address: String,
    /// The largest object that is written by one request.
    largest_put: usize,
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
        let (store, prefix): (Arc<dyn ObjectStore>, Path) = match address.split_once("://") {
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
            address: address.into(),
            largest_put: if address.starts_with("s3://") { LARGEST_PUT } else { usize::MAX },
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
        let get = async { self.store.get(&self.path(name)).await?.bytes().await };
        match self.wait(get) {
            Ok(bytes) => {
                self.count_read(bytes.len());
                Ok(Some(bytes.into()))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("reading", name, &error)),
        }
    }

    /// Returns the last bytes of each of some objects, up to `bytes`; `None` for those that do not exist.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tails<'a>(&self, names: &'a [String], bytes: u64) -> Result<Vec<Option<Tail>>, StoreError> {
        let one = |name: &'a String| {
            let path = self.path(name);
            async move {
                let suffix = GetOptions { range: Some(GetRange::Suffix(bytes)), ..GetOptions::default() };
                let tail = match self.store.get_opts(&path, suffix).await {
                    // Services refuse a range of an empty object.
                    Err(Error::NotFound { .. }) => return Ok(None),
                    Err(error) => match self.store.head(&path).await {
                        Ok(found) if found.size == 0 => return Ok(Some(Tail { size: 0, bytes: Vec::new() })),
                        Ok(found) if found.size < bytes => self.store.get(&path).await,
                        _ => Err(error),
                    },
                    found => found,
                };
                let tail = tail.map_err(|error| self.failed("reading", name, &error))?;
                let size = tail.meta.size;
                let tail = tail.bytes().await.map_err(|error| self.failed("reading", name, &error))?;
                self.count_read(tail.len());
                Ok(Some(Tail { size, bytes: tail.to_vec() }))
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
                let bytes = self.store.get_range(&path, range).await;
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
        let created = if bytes.len() <= self.largest_put {
            self.create_at_once(&path, &bytes)
        } else {
            self.wait(self.create_in_parts(&path, &bytes, PART))
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
        let mut pause = Duration::from_millis(250);
        loop {
            let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
            let put = self.store.put_opts(path, PutPayload::from(bytes.clone()), options);
            match self.wait(put) {
                Ok(_) => return Ok(true),
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => return Ok(false),
                Err(Error::Generic { store: "S3", .. }) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(pause);
                    pause *= 2;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates an object that is too large for one request. It becomes visible as a whole, and if another process
    /// creates it at the same time, the last one wins.
    async fn create_in_parts(&self, path: &Path, bytes: &Bytes, part: usize) -> Result<bool, Error> {
        match self.store.head(path).await {
            Ok(_) => return Ok(false),
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        let mut upload = self.store.put_multipart(path).await?;
        let parts: Vec<_> = (0..bytes.len())
            .step_by(part)
            .map(|start| upload.put_part(bytes.slice(start..bytes.len().min(start + part)).into()))
            .collect();
        let written = stream::iter(parts).buffer_unordered(PARTS).try_collect::<()>().await;
        let written = match written {
            Ok(()) => upload.complete().await.map(|_| true),
            Err(error) => Err(error),
        };
        if written.is_err() {
            // The parts would be stored, and paid for, until the bucket's lifecycle rules remove them.
            let _ = upload.abort().await;
        }
        written
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
        let listed = self.wait(self.store.list(Some(&path)).try_collect::<Vec<_>>());
        let listed = match listed {
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

    fn failed(&self, action: &'static str, name: &str, error: &Error) -> StoreError {
        StoreError::Io { action, name: name.into(), store: self.address.clone(), reason: reason(error) }
    }
}

impl Drop for ObjectFolder {
    fn drop(&mut self) {
        // A thread of another runtime must not wait for this one to end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Returns the innermost reason of an error, with what to do about it.
fn reason(error: &Error) -> String {
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
        _ => innermost.to_string().replace('\n', " "),
    }
}

fn bad_address(address: &str, reason: &str) -> StoreError {
    StoreError::Address(format!("{address} is not the address of a store: {reason}"))
}

fn local(path: PathBuf) -> Result<(Arc<dyn ObjectStore>, Path), StoreError> {
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
    Ok((Arc::new(LocalFileSystem::new().with_fsync(true)), prefix))
}

#[cfg(feature = "s3")]
fn s3(address: &str) -> Result<(Arc<dyn ObjectStore>, Path), StoreError> {
    let failed = |reason: String| bad_address(address, &reason);
    let url = url::Url::parse(address).map_err(|error| failed(error.to_string()))?;
    let mut builder = object_store::aws::AmazonS3Builder::from_env().with_url(address);
    if std::env::var_os("AWS_TIMEOUT").is_none() {
        // The default of 30 s is too short for large objects and slow networks.
        let timeout = object_store::aws::AmazonS3ConfigKey::Client(object_store::ClientConfigKey::Timeout);
        builder = builder.with_config(timeout, "180s");
    }
    let store = builder.build().map_err(|error| failed(reason(&error)))?;
    let prefix = Path::from_url_path(url.path()).map_err(|error| failed(error.to_string()))?;
    Ok((Arc::new(store), prefix))
}

#[cfg(not(feature = "s3"))]
fn s3(address: &str) -> Result<(Arc<dyn ObjectStore>, Path), StoreError> {
    Err(bad_address(address, "this program was built without S3; build it with --features s3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_in_parts_is_created_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = ObjectFolder::open(folder.path().to_str().unwrap()).unwrap();
        let bytes = Bytes::from((0..1000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        let path = store.path("a/b");
        let create = |bytes: &Bytes| store.wait(store.create_in_parts(&path, bytes, 999)).unwrap();
        assert!(create(&bytes));
        assert_eq!(store.get("a/b").unwrap().unwrap(), bytes);
        assert!(!create(&bytes.slice(1..)));
        assert_eq!(store.get("a/b").unwrap().unwrap(), bytes);
    }
}
