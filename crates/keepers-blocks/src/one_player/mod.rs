//! One-player tables in a store: one object per part of the game ([`Partition`]).
//!
//! | name | contents |
//! |---|---|
//! | `one-player.json` | the game, its fingerprint and rules, the objective and the fixed subset |
//! | `layer-07/part-00042.blocks` | the curves of a part (see `frame.rs`): 7 open boxes outside of the fixed subset; bit i of 42 is the i-th box of the fixed subset, filled or not |
//! | `manifest.json` | the hashes and sums of all parts; written when the table is complete |
//!
//! Objects are never changed, and every machine computes the same bits.

mod cache;
mod cremers;
mod curves;
mod division;
mod frame;
mod listing;
mod manifest;
mod parts;
mod solve;

use std::sync::Arc;

use keepers::internals::rules::BoxSet;
use keepers::internals::solve::{PartId, Partition};
use keepers::{Card, Game};
use serde::{Deserialize, Serialize};

use crate::description::{self, Described};
use crate::encoding::Encoding;
use crate::error::StoreError;
use crate::object::{Header, Kind};
use crate::store::ObjectFolder;
use crate::two_player::hex;

pub use cache::CacheSummary;
pub use cremers::{Cremers, CremersFigures};
pub use curves::{StoredCurves, StoredTables};
pub use division::{Division, needed_memory};
pub use frame::Stored;
pub use listing::{ListedTable, list_tables};
pub use manifest::{PartRecord, TableManifest};
pub use solve::{Keep, SolveSummary, SolvedReach};

/// The object `one-player.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Description {
    format: u32,
    game: String,
    fingerprint: String,
    objective: String,
    /// The ids of the boxes of the fixed subset.
    fixed: Vec<String>,
    rules: String,
}

const DESCRIPTION: &str = "one-player.json";
const MANIFEST: &str = "manifest.json";
const FORMAT: u32 = 1;

impl Described for Description {
    const OBJECT: &'static str = DESCRIPTION;
    const FORMAT: u32 = FORMAT;

    fn rules(&self) -> (&str, &str) {
        (&self.game, &self.fingerprint)
    }
}

/// What the curves of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curves {
    /// The best probability of at least s more points, for every s, in single precision.
    Reach,
    /// The probability of exactly t more points, for every t, if the strategy with the best expected score plays, in
    /// double precision.
    Distribution,
    /// The best expected utility with t points so far, for every t, in double precision. The hash identifies the utility
    /// and the card.
    Utility([u8; 32]),
}

impl Curves {
    /// Returns the utility tables of a card, given the utility of each final score.
    pub fn of_utility(card: &Card, utility: &[f64]) -> Curves {
        let mut hasher = blake3::Hasher::new();
        hasher.update(card.to_string().as_bytes()).update(b"\n");
        utility.iter().for_each(|value| _ = hasher.update(&value.to_bits().to_le_bytes()));
        Curves::Utility(*hasher.finalize().as_bytes())
    }

    /// Returns the name that is used in descriptions, messages and the names of stores.
    pub fn name(self) -> String {
        match self {
            Curves::Reach => "reach".into(),
            Curves::Distribution => "distribution".into(),
            Curves::Utility(hash) => format!("utility-{}", &hex(&hash)[..16]),
        }
    }

    fn kind(self) -> Kind {
        match self {
            Curves::Reach => Kind::Reach,
            Curves::Distribution => Kind::Distribution,
            Curves::Utility(_) => Kind::Utility,
        }
    }

    /// Returns the partition with the right meaning of lanes.
    fn of_partition(self, partition: Partition) -> Partition {
        match self {
            Curves::Utility(_) => partition.of_points_so_far(),
            Curves::Reach | Curves::Distribution => partition,
        }
    }
}

/// A one-player table of one rule set in a store.
pub struct CurveStore {
    folder: Arc<ObjectFolder>,
    partition: Partition,
    curves: Curves,
}

impl CurveStore {
    /// Opens a store for the reach curves of a game. If the store is empty, it is prepared for the game, which is divided
    /// into parts; otherwise the game must be the same, and the division is that of the store.
    ///
    /// # Errors
    /// If the store cannot be used or belongs to another game, or if no division needs as little memory.
    pub fn create(folder: ObjectFolder, game: &Game, division: Division) -> Result<CurveStore, StoreError> {
        CurveStore::create_for(Curves::Reach, folder, game, division)
    }

    /// Opens a store for other curves of a game, like [`CurveStore::create`].
    ///
    /// # Errors
    /// The same as [`CurveStore::create`].
    pub fn create_for(
        curves: Curves,
        folder: ObjectFolder,
        game: &Game,
        division: Division,
    ) -> Result<CurveStore, StoreError> {
        if folder.get(DESCRIPTION)?.is_none() {
            let partition = match curves {
                Curves::Reach => division.of::<f32>(game, curves)?,
                Curves::Distribution | Curves::Utility(_) => division.of::<f64>(game, curves)?,
            };
            let ids = partition.fixed().iter().map(|&id| game.rules().boxes()[id].id.clone());
            let description = Description {
                format: FORMAT,
                game: game.rules().name().to_string(),
                fingerprint: hex(game.fingerprint()),
                objective: curves.name(),
                fixed: ids.collect(),
                rules: game.rules().to_toml(),
            };
            let mut bytes = serde_json::to_vec_pretty(&description).expect("strings and numbers");
            bytes.push(b'\n');
            // If another process was faster, its description is read below.
            folder.create(DESCRIPTION, bytes)?;
        }
        CurveStore::open_for(curves, folder, game)
    }

    /// Opens a store that was prepared for the reach curves of a game.
    ///
    /// # Errors
    /// If the store cannot be used, is empty or belongs to another game.
    pub fn open(folder: ObjectFolder, game: &Game) -> Result<CurveStore, StoreError> {
        CurveStore::open_for(Curves::Reach, folder, game)
    }

    fn open_for(curves: Curves, folder: ObjectFolder, game: &Game) -> Result<CurveStore, StoreError> {
        let address = folder.address().to_string();
        let bytes = folder.get(DESCRIPTION)?.ok_or_else(|| {
            StoreError::Missing(format!(
                "{address} has no one-player table: run `keepers solve --objective reach` with --memory first"
            ))
        })?;
        let foreign = |what: String| StoreError::Foreign(format!("{address} {what}"));
        let found: Description = description::read(&address, &bytes, game)?;
        if found.objective != curves.name() {
            return Err(foreign(format!("has the objective {}: choose another store", found.objective)));
        }
        let id = |id: &String| {
            let unknown = || foreign(format!("has the unknown box {id} in {DESCRIPTION}: remove the store"));
            game.rules().box_by_id(id).ok_or_else(unknown)
        };
        let fixed = found.fixed.iter().map(id).try_fold(BoxSet::NONE, |set, id| Ok(set.with(id?)));
        let partition = Partition::new(game, fixed.map_err(|error: StoreError| error)?);
        let partition = curves.of_partition(partition);
        Ok(CurveStore { folder: Arc::new(folder), partition, curves })
    }

    /// Returns the fingerprint of the rules of a store, in hexadecimal, or `None` if it has no such curves.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn fingerprint_in(folder: &ObjectFolder, curves: Curves) -> Result<Option<String>, StoreError> {
        let Some(bytes) = folder.get(DESCRIPTION)? else { return Ok(None) };
        let found: Option<Description> = serde_json::from_slice(&bytes).ok();
        Ok(found.filter(|found| found.objective == curves.name()).map(|found| found.fingerprint))
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        self.partition.game()
    }

    /// Returns the parts of the game.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the folder or bucket.
    pub fn folder(&self) -> &ObjectFolder {
        &self.folder
    }

    /// Returns the ids of the filled boxes of the fixed subset.
    fn boxes_of(&self, part: PartId) -> String {
        let rules = self.game().rules();
        let filled = self.partition.filled(part);
        let ids: Vec<&str> = filled.iter().map(|id| rules.boxes()[id].id.as_str()).collect();
        ids.join(",")
    }

    fn header(&self, part: PartId, encoding: Encoding) -> Header {
        Header {
            kind: self.curves.kind(),
            fingerprint: *self.game().fingerprint(),
            layer: part.layer as u32,
            task: part.filled as u32,
            filled: self.partition.filled(part).bits().into(),
            encoding,
            lane_bytes: encoding.bytes() as u32,
            blocks: self.partition.groups(part).len() as u32,
        }
    }
}

/// Returns the name of the object of a part.
fn part_name(part: PartId) -> String {
    format!("layer-{:02}/part-{:05}.blocks", part.layer, part.filled)
}
