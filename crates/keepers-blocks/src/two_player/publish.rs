//! Copies the layers of the opening to another store.

use keepers::Observer;
use keepers::internals::Work;
use keepers::internals::solve::TaskId;
use serde::Serialize;

use super::{Settings, TwoPlayerStore, layer_folder};
use crate::encoding::Encoding;
use crate::error::StoreError;
use crate::object::{Index, ObjectWriter};
use crate::store::ObjectFolder;

/// What was copied.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Published {
    /// The lowest layer that was copied.
    pub from: usize,
    /// The number of objects.
    pub objects: usize,
    /// Their bytes in the new store.
    pub bytes: u64,
    /// The number of values.
    pub values: u64,
    /// A bound on the error of the values in the new store.
    pub error_bound: f64,
}

impl TwoPlayerStore {
    /// Copies all layers from one on to another store, with the values in another encoding. The manifests of the copy
    /// have its own hashes; their `error_bound` includes that of the original.
    ///
    /// # Errors
    /// If a layer is not complete, if one of the stores fails, or if the work is cancelled.
    pub fn publish(
        &self,
        from: usize,
        encoding: Encoding,
        to: ObjectFolder,
        observer: &dyn Observer,
    ) -> Result<Published, StoreError> {
        self.check_layer(from)?;
        let settings = Settings { encoding, lanes: self.settings.lanes };
        let copy = TwoPlayerStore::create_as(to, self.game(), Some(settings), true, observer)?;
        let layers = self.complete.layers();
        let work = Work::new(observer, "copying layers");
        let mut published = Published { from, objects: 0, bytes: 0, values: 0, error_bound: 0.0 };
        for layer in from..layers {
            let (original, _) = self.required_manifest(layer)?;
            let reader = self.reader(layer)?;
            let mut indices: Vec<Index> = Vec::new();
            for other in 0..self.complete.tasks(layer) {
                work.step(
                    (layer - from) * 1000 + 1000 * other / self.complete.tasks(layer),
                    (layers - from) * 1000,
                )?;
                let mut writer = ObjectWriter::new(copy.header(TaskId { layer, other }));
                reader.each_block(other, |values, curves| writer.add(values, curves))?;
                indices.push(copy.write_object(TaskId { layer, other }, writer)?);
            }
            let manifest = copy.write_copied_manifest(layer, &original, &indices)?;
            published.error_bound = manifest.error_bound;
            published.values += manifest.count;
            let stored = copy.folder.list(&layer_folder(layer))?;
            let objects = stored.iter().filter(|(name, _)| name.ends_with(".blocks"));
            published.objects += objects.clone().count();
            published.bytes += objects.map(|(_, bytes)| bytes).sum::<u64>();
        }
        work.report((layers - from) * 1000, (layers - from) * 1000);
        Ok(published)
    }
}
