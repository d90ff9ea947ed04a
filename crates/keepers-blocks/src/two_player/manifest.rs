//! The manifest of a layer: what is needed to check it, and to check what was solved from it.

use keepers::internals::solve::TaskId;
use serde::{Deserialize, Serialize};

use super::{Settings, TwoPlayerStore, hex, layer_folder, manifest_name, object_name};
use crate::error::{Damage, StoreError};
use crate::object::Index;

/// The manifest of a layer. Manifests form a chain of hashes: `below` is that of the layer below, so the hash of the
/// last manifest determines all values of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the rules, and their fingerprint.
    pub game: String,
    /// The fingerprint of the rules.
    pub fingerprint: String,
    /// The encoding of the values.
    pub values: String,
    /// The numbers in which values were computed.
    pub lanes: String,
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// The hash of the manifest of the layer below; `None` for layer 0.
    pub below: Option<String>,
    /// The number of values of the layer.
    pub count: u64,
    /// The largest error by which the encoding changed a value of this layer.
    pub encoding_error: f64,
    /// A bound on the error of every value of this layer: the sum, over this layer and those below, of the encoding
    /// error, the rounding of a turn, and the distance from 0 or 1 at which results count as certain.
    pub error_bound: f64,
    /// The tasks, in order.
    pub tasks: Vec<TaskRecord>,
}

/// A task in a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The boxes that the other player has filled.
    pub filled: String,
    /// The blake3 hash of the hashes of all blocks that the task reads, in their order; `None` for layer 0.
    pub inputs: Option<String>,
    /// The hash of the object: of its header, its summary and the hashes of its blocks.
    pub hash: String,
    /// The number of values.
    pub count: u64,
    /// The sum of the values.
    pub sum: f64,
    /// The least value; `None` if there are none.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
}

impl Manifest {
    /// Returns the bytes of the manifest, with one line per task.
    fn bytes(&self) -> Vec<u8> {
        let head = Manifest { tasks: Vec::new(), ..self.clone() };
        let head = serde_json::to_string(&head).expect("strings and numbers");
        let tasks: Vec<String> =
            self.tasks.iter().map(|task| serde_json::to_string(task).expect("strings and numbers")).collect();
        let head = head.strip_suffix("[]}").expect("the tasks are the last field");
        format!("{head}[\n{}\n]}}\n", tasks.join(",\n")).into_bytes()
    }
}

impl TwoPlayerStore {
    /// Returns the manifest of a layer and its hash, or `None` if the layer is not complete.
    ///
    /// # Errors
    /// If the store cannot be read, or if the manifest is damaged.
    pub fn manifest(&self, layer: usize) -> Result<Option<(Manifest, String)>, StoreError> {
        let name = manifest_name(layer);
        let Some(bytes) = self.folder.get(&name)? else { return Ok(None) };
        let damaged = |what: String| StoreError::Damaged { name: name.clone(), damage: Damage(what) };
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if manifest.bytes() != bytes {
            return Err(damaged("it is not written as this program writes it".into()));
        }
        let Settings { encoding, lanes } = self.settings;
        let expected = (hex(self.game().fingerprint()), encoding.name(), lanes.name());
        if (manifest.fingerprint.clone(), &*manifest.values, &*manifest.lanes) != expected {
            return Err(StoreError::Foreign(format!(
                "{name} in {} belongs to other rules or has other values or lanes: choose another store",
                self.folder.address()
            )));
        }
        if (manifest.layer, manifest.tasks.len()) != (layer, self.complete.tasks(layer)) {
            return Err(damaged("it belongs to another layer".into()));
        }
        Ok(Some((manifest, hex(blake3::hash(&bytes).as_bytes()))))
    }

    /// Returns the manifest of a layer that must be complete.
    pub(super) fn required_manifest(&self, layer: usize) -> Result<(Manifest, String), StoreError> {
        self.manifest(layer)?.ok_or_else(|| {
            StoreError::Missing(format!(
                "layer {layer} of {} is not complete: solve it first (`keepers two-player status` shows what is missing)",
                self.folder.address()
            ))
        })
    }

    /// Writes the manifest of a layer whose tasks are all done. `indices` are those of its objects.
    pub(super) fn write_manifest(&self, layer: usize, indices: &[Index]) -> Result<Manifest, StoreError> {
        let below = layer.checked_sub(1).map(|below| self.required_manifest(below)).transpose()?;
        let inputs = match layer.checked_sub(1) {
            None => vec![None; indices.len()],
            Some(below) => self.row_hashes(below)?.into_iter().map(Some).collect(),
        };
        let error_bound = self.error_bound(below.as_ref().map(|(below, _)| below), indices);
        let manifest = self.manifest_of(layer, indices, below.map(|(_, hash)| hash), inputs, error_bound);
        self.store_manifest(manifest)
    }

    /// Returns the error bound of a layer from that of the layer below and the indices of its objects.
    pub(super) fn error_bound(&self, below: Option<&Manifest>, indices: &[Index]) -> f64 {
        let encoding_error = indices.iter().map(|index| index.summary.error).fold(0.0, f64::max);
        let lanes = self.settings.lanes;
        let of_a_turn = self.complete.rounding_of_a_turn(lanes.unit()) + lanes.settled();
        // Layer 0 has no turns, and its values are exact.
        below.map_or(encoding_error, |below| below.error_bound + encoding_error + of_a_turn)
    }

    /// Writes the manifest of a layer that was copied from another store, whose manifest is `original`.
    pub(super) fn write_copied_manifest(
        &self,
        layer: usize,
        original: &Manifest,
        indices: &[Index],
    ) -> Result<Manifest, StoreError> {
        let encoding_error = indices.iter().map(|index| index.summary.error).fold(0.0, f64::max);
        let inputs = original.tasks.iter().map(|task| task.inputs.clone()).collect();
        let error_bound = original.error_bound + encoding_error;
        let manifest = self.manifest_of(layer, indices, original.below.clone(), inputs, error_bound);
        self.store_manifest(manifest)
    }

    /// Returns the manifest of a layer, given the indices of its objects.
    pub(super) fn manifest_of(
        &self,
        layer: usize,
        indices: &[Index],
        below: Option<String>,
        inputs: Vec<Option<String>>,
        error_bound: f64,
    ) -> Manifest {
        let record = |(other, (index, inputs)): (usize, (&Index, Option<String>))| {
            let summary = index.summary;
            TaskRecord {
                filled: self.boxes_of(TaskId { layer, other }),
                inputs,
                hash: hex(&index.hash),
                count: summary.values,
                sum: summary.sum,
                min: Some(summary.min).filter(|min| min.is_finite()),
                max: Some(summary.max).filter(|max| max.is_finite()),
            }
        };
        Manifest {
            game: self.game().rules().name().to_string(),
            fingerprint: hex(self.game().fingerprint()),
            values: self.settings.encoding.name().into(),
            lanes: self.settings.lanes.name().into(),
            layer,
            below,
            count: indices.iter().map(|index| index.summary.values).sum(),
            encoding_error: indices.iter().map(|index| index.summary.error).fold(0.0, f64::max),
            error_bound,
            tasks: indices.iter().zip(inputs).enumerate().map(record).collect(),
        }
    }

    fn store_manifest(&self, manifest: Manifest) -> Result<Manifest, StoreError> {
        let (name, bytes) = (manifest_name(manifest.layer), manifest.bytes());
        if !self.folder.create(&name, bytes.clone())? {
            // Another process was faster, and has written the same.
            let stored = self.folder.get(&name)?.unwrap_or_default();
            if stored != bytes {
                let hash = |bytes: &[u8]| hex(blake3::hash(bytes).as_bytes());
                return Err(StoreError::Conflict { name, stored: hash(&stored), solved: hash(&bytes) });
            }
        }
        Ok(manifest)
    }

    /// Returns, for each box set that moves in a layer, the hash of the hashes of all blocks in which it moves: of what
    /// the task of the layer above with that box set reads.
    pub(super) fn row_hashes(&self, layer: usize) -> Result<Vec<String>, StoreError> {
        let mut rows = vec![blake3::Hasher::new(); self.complete.blocks(layer)];
        let name = |other| object_name(TaskId { layer, other });
        let indices =
            self.indices(layer)?.into_iter().enumerate().map(|(other, index)| {
                Ok((other, index.map_err(|damage| self.damaged(&name(other), damage))?))
            });
        let indices = indices.collect::<Result<Vec<_>, StoreError>>()?;
        self.each_hashes(layer, &indices, |other, hashes| {
            let hashes = hashes.map_err(|damage| self.damaged(&name(other), damage))?;
            rows.iter_mut().zip(hashes.chunks_exact(16)).for_each(|(row, hash)| {
                row.update(hash);
            });
            Ok(())
        })?;
        Ok(rows.iter().map(|row| hex(row.finalize().as_bytes())).collect())
    }

    /// Returns the error of a manifest that was made from another manifest of the layer below.
    pub(super) fn broken_chain(&self, layer: usize) -> StoreError {
        StoreError::Foreign(format!(
            "{} was not made from {}: run `keepers two-player verify` to find the damaged one, and remove it",
            manifest_name(layer),
            manifest_name(layer - 1)
        ))
    }

    pub(super) fn damaged(&self, name: &str, damage: Damage) -> StoreError {
        StoreError::Damaged { name: name.into(), damage }
    }

    /// Returns the tasks of a layer whose objects exist.
    pub(super) fn existing(&self, layer: usize) -> Result<Vec<bool>, StoreError> {
        let mut found = vec![false; self.complete.tasks(layer)];
        for (name, _) in self.folder.list(&layer_folder(layer))? {
            if let Some(task) = task_of(&name)
                && task < found.len()
            {
                found[task] = true;
            }
        }
        Ok(found)
    }
}

/// Returns the index of the task that an object belongs to, by its name.
pub(super) fn task_of(name: &str) -> Option<usize> {
    let (folder, file) = name.split_once('/')?;
    let task = file.strip_prefix("task-")?.strip_suffix(".blocks")?.parse().ok()?;
    let layer = folder.strip_prefix("layer-")?.parse().ok()?;
    (object_name(TaskId { layer, other: task }) == name).then_some(task)
}
