//! Uploads of large objects to S3: in parts, which one conditional request makes visible.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt};

/// The size of a part, and the least that S3 accepts for all parts but the last.
const PART: usize = 64 << 20;
const LEAST_PART: usize = 5 << 20;

/// The number of parts that are written at the same time.
const PARTS: usize = 8;

/// The largest object that is written by one request, unless the environment has another size. S3 itself accepts 5 GiB,
/// but a large request that fails must be repeated as a whole.
const LARGEST_PUT: usize = 128 << 20;

/// The environment variable with the largest object that is written by one request, in bytes. Tests use it.
const LARGEST_PUT_VARIABLE: &str = "KEEPERS_LARGEST_PUT";

/// Writes objects in parts.
pub(crate) struct Uploads {
    /// Starts uploads, and writes their parts.
    pub parts: Arc<dyn MultipartStore>,
    /// Completes uploads. Its requests are conditional: they fail if the object exists.
    pub complete: Arc<dyn MultipartStore>,
    /// The largest object that is not written in parts.
    pub largest_put: usize,
}

impl Uploads {
    /// Returns the largest object that is written by one request.
    #[cfg_attr(not(feature = "s3"), allow(dead_code, reason = "only S3 has uploads"))]
    pub fn largest_put() -> Result<usize, String> {
        let Ok(text) = std::env::var(LARGEST_PUT_VARIABLE) else { return Ok(LARGEST_PUT) };
        text.parse().map_err(|_| format!("{LARGEST_PUT_VARIABLE} must be a number of bytes, not {text:?}"))
    }

    /// Creates an object in parts. Returns `false` if an object of this name exists, or if the outcome is unknown and an
    /// object exists now: callers compare it with their own.
    pub async fn create(&self, store: &dyn ObjectStore, path: &Path, bytes: &Bytes) -> Result<bool, Error> {
        // Saves the upload. The last request decides.
        if exists(store, path).await? {
            return Ok(false);
        }
        let id = self.parts.create_multipart(path).await?;
        let size = PART.min(self.largest_put).max(LEAST_PART);
        let part = |(nth, start): (usize, usize)| {
            let part = bytes.slice(start..bytes.len().min(start + size));
            self.parts.put_part(path, &id, nth, part.into())
        };
        let starts: Vec<_> = (0..bytes.len()).step_by(size).enumerate().collect();
        let parts = stream::iter(starts).map(part).buffered(PARTS).try_collect::<Vec<PartId>>().await;
        let completed = match parts {
            Ok(parts) => self.complete.complete_multipart(path, &id, parts).await,
            Err(error) => Err(error),
        };
        let Err(error) = completed else { return Ok(true) };
        // The parts would be stored, and paid for, until the lifecycle rules of the bucket remove them.
        let _ = self.parts.abort_multipart(path, &id).await;
        match error {
            Error::AlreadyExists { .. } | Error::Precondition { .. } => Ok(false),
            // The answer to a request that completed the upload may be lost. Then the upload no longer exists.
            _ if exists(store, path).await? => Ok(false),
            error => Err(error),
        }
    }
}

async fn exists(store: &dyn ObjectStore, path: &Path) -> Result<bool, Error> {
    match store.head(path).await {
        Ok(_) => Ok(true),
        Err(Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn an_object_in_parts_is_created_once() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let store = Arc::new(InMemory::new());
        let uploads = Uploads { parts: store.clone(), complete: store.clone(), largest_put: LEAST_PART };
        let path = Path::from("a/b");
        // Two whole parts, and a shorter one.
        let bytes = Bytes::from((0..11 << 18_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        assert!(bytes.len() > 2 * LEAST_PART && bytes.len() < 3 * LEAST_PART);
        let create = |bytes: &Bytes| runtime.block_on(uploads.create(&*store, &path, bytes)).unwrap();
        let stored = || runtime.block_on(async { store.get(&path).await?.bytes().await }).unwrap();
        assert!(create(&bytes));
        assert!(stored() == bytes);
        assert!(!create(&bytes.slice(1..)));
        assert!(stored() == bytes);
    }
}
