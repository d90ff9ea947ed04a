//! The manifest of a one-player table: what is needed to check it.

use keepers::internals::solve::PartId;
use serde::{Deserialize, Serialize};

use super::{CurveStore, MANIFEST};
use crate::error::{Damage, StoreError};
use crate::object::Index;
use crate::two_player::hex;

/// The manifest of a complete table. Its hash determines all values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableManifest {
    /// The name of the rules.
    pub game: String,
    /// The fingerprint of the rules.
    pub fingerprint: String,
    /// The objective.
    pub objective: String,
    /// The ids of the boxes of the fixed subset.
    pub fixed: Vec<String>,
    /// The number of values.
    pub count: u64,
    /// The parts, in the order in which they are solved.
    pub parts: Vec<PartRecord>,
}

/// A part in a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartRecord {
    /// The number of open boxes outside of the fixed subset.
    pub layer: usize,
    /// The filled boxes of the fixed subset.
    pub filled: String,
    /// The blake3 hash of the hashes of the parts that it was solved from, in their order.
    pub inputs: String,
    /// The hash of the object: of its header, its summary and the hashes of its blocks.
    pub hash: String,
    /// The number of values.
    pub count: u64,
    /// The sum of the values.
    pub sum: f64,
}

impl TableManifest {
    /// Returns the bytes of the manifest, with one line per part.
    fn bytes(&self) -> Vec<u8> {
        let head = TableManifest { parts: Vec::new(), ..self.clone() };
        let head = serde_json::to_string(&head).expect("strings and numbers");
        let part = |part| serde_json::to_string(part).expect("strings and numbers");
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        let head = head.strip_suffix("[]}").expect("the parts are the last field");
        format!("{head}[\n{}\n]}}\n", parts.join(",\n")).into_bytes()
    }
}

impl CurveStore {
    /// Returns the manifest and its hash, or `None` if the table is not complete.
    ///
    /// # Errors
    /// If the store cannot be read, or if the manifest is damaged.
    pub fn manifest(&self) -> Result<Option<(TableManifest, String)>, StoreError> {
        let Some(bytes) = self.folder.get(MANIFEST)? else { return Ok(None) };
        let damaged = |what: String| StoreError::DamagedPart { name: MANIFEST.into(), damage: Damage(what) };
        let manifest: TableManifest =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if manifest.bytes() != bytes {
            return Err(damaged("it is not written as this program writes it".into()));
        }
        if manifest.fingerprint != hex(self.game().fingerprint())
            || manifest.parts.len() != self.partition.parts().count()
        {
            return Err(damaged("it belongs to another table".into()));
        }
        Ok(Some((manifest, hex(blake3::hash(&bytes).as_bytes()))))
    }

    /// Writes the manifest of a table whose parts are all stored. `indices` are those of its objects, in the order of the
    /// parts. Returns the manifest and its hash.
    pub(super) fn write_manifest(&self, indices: &[Index]) -> Result<(TableManifest, String), StoreError> {
        let rules = self.game().rules();
        let record = |(part, index): (PartId, &Index)| {
            let mut inputs = blake3::Hasher::new();
            for input in self.partition.inputs(part) {
                inputs.update(&indices[self.partition.position(input)].hash);
            }
            PartRecord {
                layer: part.layer,
                filled: self.boxes_of(part),
                inputs: hex(inputs.finalize().as_bytes()),
                hash: hex(&index.hash),
                count: index.summary.values,
                sum: index.summary.sum,
            }
        };
        let manifest = TableManifest {
            game: rules.name().to_string(),
            fingerprint: hex(self.game().fingerprint()),
            objective: self.curves.name(),
            fixed: self.partition.fixed().iter().map(|&id| rules.boxes()[id].id.clone()).collect(),
            count: indices.iter().map(|index| index.summary.values).sum(),
            parts: self.partition.parts().zip(indices).map(record).collect(),
        };
        let bytes = manifest.bytes();
        let hash = |bytes: &[u8]| hex(blake3::hash(bytes).as_bytes());
        if !self.folder.create(MANIFEST, bytes.clone())? {
            let stored = self.folder.get(MANIFEST)?.unwrap_or_default();
            if stored != bytes {
                let (name, stored, solved) = (MANIFEST.into(), hash(&stored), hash(&bytes));
                return Err(StoreError::Conflict { name, stored, solved });
            }
        }
        let root = hash(&bytes);
        Ok((manifest, root))
    }
}
