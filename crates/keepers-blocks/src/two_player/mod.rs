//! The complete two-player game in a store: one object per task, one manifest per layer.
//!
//! | name | contents |
//! |---|---|
//! | `two-player.json` | the game, its fingerprint and rules, and how values are computed and stored |
//! | `layer-07/task-00042.blocks` | the blocks of a task (see `object.rs`) |
//! | `layer-07/manifest.json` | the hashes and sums of all tasks of a layer, and the hash of the manifest below |
//!
//! A layer can be solved once the manifest of the layer below exists. Objects are never changed, and every machine
//! computes the same bits, so any number of machines may run any tasks at the same time.

mod compare;
mod layer_reader;
mod manifest;
mod many;
mod plan;
mod publish;
mod repair;
mod run;
mod solution;
mod solutions;
mod solve;
mod status;
mod task_runner;
mod verify;

use keepers::internals::Work;
use keepers::internals::solve::{CompleteGame, TaskId};
use keepers::{Game, Observer};
use serde::{Deserialize, Serialize};

use crate::description::{self, Described};
use crate::encoding::Encoding;
use crate::error::StoreError;
use crate::object::{Header, Kind};
use crate::store::ObjectFolder;

pub use compare::LayerDifference;
pub use manifest::{Manifest, TaskRecord};
pub use plan::{LayerPlan, Plan, PlanOptions};
pub use publish::Published;
pub use run::{BatchReport, TaskReport};
pub use solution::StoredSolution;
pub(crate) use solutions::named;
pub use solutions::{StoredSolutions, store_name};
pub use solve::{SolveOptions, Solved};
pub use status::{LayerStatus, Status};
pub use task_runner::TaskRunner;
pub use verify::{Verified, VerifyOptions};

/// The numbers in which values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Double precision, eight lanes in a row.
    F64,
    /// Single precision, sixteen lanes in a row: about twice as fast.
    F32,
    /// Single precision, and values closer than 2^-18 to 0 or 1 become 0 or 1: turns that are all but decided are not
    /// folded.
    F32Settled,
}

/// The distance from 0 or 1 at which [`Lanes::F32Settled`] counts a result as certain: 2^-18, or 3.8e-6.
const SETTLED: f64 = 1.0 / (1 << 18) as f64;

impl Lanes {
    /// Returns the name that is used on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Lanes::F64 => "f64",
            Lanes::F32 => "f32",
            Lanes::F32Settled => "f32-settled",
        }
    }

    /// Returns the lanes with a name.
    pub fn by_name(name: &str) -> Option<Lanes> {
        [Lanes::F64, Lanes::F32, Lanes::F32Settled].into_iter().find(|lanes| lanes.name() == name)
    }

    /// Returns the size of a lane, in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Lanes::F64 => 8,
            Lanes::F32 | Lanes::F32Settled => 4,
        }
    }

    /// Returns the unit roundoff.
    fn unit(self) -> f64 {
        match self {
            Lanes::F64 => f64::EPSILON / 2.0,
            Lanes::F32 | Lanes::F32Settled => f64::from(f32::EPSILON) / 2.0,
        }
    }

    /// Returns the distance from 0 or 1 at which a result counts as certain.
    fn settled(self) -> f64 {
        match self {
            Lanes::F64 | Lanes::F32 => 0.0,
            Lanes::F32Settled => SETTLED,
        }
    }
}

/// How values are computed and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How values are stored.
    pub encoding: Encoding,
    /// The numbers in which values are computed.
    pub lanes: Lanes,
}

impl Default for Settings {
    /// Single precision, in memory and in the store.
    fn default() -> Settings {
        Settings { encoding: Encoding::F32, lanes: Lanes::F32 }
    }
}

/// The object `two-player.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Description {
    format: u32,
    game: String,
    fingerprint: String,
    values: String,
    lanes: String,
    rules: String,
    /// Whether the values were copied from another store, so that layers do not follow from each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_copy: bool,
}

const DESCRIPTION: &str = "two-player.json";
const FORMAT: u32 = 1;

impl Described for Description {
    const OBJECT: &'static str = DESCRIPTION;
    const FORMAT: u32 = FORMAT;

    fn rules(&self) -> (&str, &str) {
        (&self.game, &self.fingerprint)
    }
}

/// The complete two-player game of one rule set in a store.
pub struct TwoPlayerStore {
    folder: ObjectFolder,
    complete: CompleteGame,
    settings: Settings,
    is_copy: bool,
}

impl TwoPlayerStore {
    /// Opens a store for a game. If the store is empty, it is prepared for the game with these settings; otherwise the
    /// game must be the same, and settings that are given must be those of the store.
    ///
    /// # Errors
    /// If the store cannot be used, belongs to another game, has other settings, or is a copy of another store; or if the
    /// work is cancelled.
    pub fn create(
        folder: ObjectFolder,
        game: &Game,
        settings: Option<Settings>,
        observer: &dyn Observer,
    ) -> Result<TwoPlayerStore, StoreError> {
        TwoPlayerStore::create_as(folder, game, settings, false, observer)
    }

    fn create_as(
        folder: ObjectFolder,
        game: &Game,
        settings: Option<Settings>,
        is_copy: bool,
        observer: &dyn Observer,
    ) -> Result<TwoPlayerStore, StoreError> {
        if folder.get(DESCRIPTION)?.is_none() {
            let wanted = settings.unwrap_or_default();
            let description = Description {
                format: FORMAT,
                game: game.rules().name().to_string(),
                fingerprint: hex(game.fingerprint()),
                values: wanted.encoding.name().into(),
                lanes: wanted.lanes.name().into(),
                rules: game.rules().to_toml(),
                is_copy,
            };
            let mut bytes = serde_json::to_vec_pretty(&description).expect("strings and numbers");
            bytes.push(b'\n');
            // If another process was faster, its description is read below.
            folder.create(DESCRIPTION, bytes)?;
        }
        let store = TwoPlayerStore::open(folder, game, observer)?;
        if let Some(wanted) = settings
            && wanted != store.settings
        {
            let Settings { encoding, lanes } = store.settings;
            return Err(StoreError::Foreign(format!(
                "{} has --values {} --lanes {}, not --values {} --lanes {}: give those, or another store",
                store.folder.address(),
                encoding.name(),
                lanes.name(),
                wanted.encoding.name(),
                wanted.lanes.name(),
            )));
        }
        if store.is_copy != is_copy {
            let (is, advice) = if is_copy {
                ("was solved, not copied", "copy to another store")
            } else {
                ("is a copy of another store", "solve into that one, or into a new one")
            };
            return Err(StoreError::Foreign(format!("{} {is}: {advice}", store.folder.address())));
        }
        Ok(store)
    }

    /// Opens a store that was prepared for a game.
    ///
    /// # Errors
    /// If the store cannot be used, is empty or belongs to another game; or if the work is cancelled.
    pub fn open(
        folder: ObjectFolder,
        game: &Game,
        observer: &dyn Observer,
    ) -> Result<TwoPlayerStore, StoreError> {
        let address = folder.address().to_string();
        let bytes = folder.get(DESCRIPTION)?.ok_or_else(|| {
            StoreError::Missing(format!(
                "{address} has no two-player game: run `keepers two-player solve` with this store first"
            ))
        })?;
        let foreign = |what: String| StoreError::Foreign(format!("{address} {what}"));
        let found: Description = description::read(&address, &bytes, game)?;
        let settings =
            Encoding::by_name(&found.values).zip(Lanes::by_name(&found.lanes)).ok_or_else(|| {
                foreign(format!("has unknown values {} or lanes {}", found.values, found.lanes))
            })?;
        let settings = Settings { encoding: settings.0, lanes: settings.1 };
        let work = Work::new(observer, format!("counting the states of {}", game.rules().name()));
        let complete = CompleteGame::new(game, &work)?;
        Ok(TwoPlayerStore { folder, complete, settings, is_copy: found.is_copy })
    }

    /// Returns the fingerprint of the rules of a store, in hexadecimal, or `None` if it has no two-player game.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn fingerprint_in(folder: &ObjectFolder) -> Result<Option<String>, StoreError> {
        let Some(bytes) = folder.get(DESCRIPTION)? else { return Ok(None) };
        Ok(serde_json::from_slice(&bytes).ok().map(|found: Description| found.fingerprint))
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        self.complete.game()
    }

    /// Returns the layers and tasks of the game.
    pub fn complete(&self) -> &CompleteGame {
        &self.complete
    }

    /// Returns how values are computed and stored.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the folder or bucket.
    pub fn folder(&self) -> &ObjectFolder {
        &self.folder
    }

    /// Returns the ids of the boxes that the other player has filled in a task.
    pub fn boxes_of(&self, task: TaskId) -> String {
        let rules = self.game().rules();
        let ids: Vec<&str> =
            self.complete.filled(task).iter().map(|id| rules.boxes()[id].id.as_str()).collect();
        ids.join(",")
    }

    fn header(&self, task: TaskId) -> Header {
        Header {
            kind: Kind::TwoPlayer,
            fingerprint: *self.game().fingerprint(),
            layer: task.layer as u32,
            task: task.other as u32,
            filled: self.complete.filled(task).bits().into(),
            encoding: self.settings.encoding,
            lane_bytes: self.settings.lanes.bytes() as u32,
            blocks: self.complete.blocks(task.layer) as u32,
        }
    }

    /// Checks that a layer exists in the game.
    fn check_layer(&self, layer: usize) -> Result<(), StoreError> {
        let last = self.complete.layers() - 1;
        if layer <= last {
            return Ok(());
        }
        Err(StoreError::Request(format!("layer must be 0 to {last}, not {layer}")))
    }
}

/// Returns the folder of a layer.
fn layer_folder(layer: usize) -> String {
    format!("layer-{layer:02}")
}

/// Returns the name of the object of a task.
fn object_name(task: TaskId) -> String {
    format!("{}/task-{:05}.blocks", layer_folder(task.layer), task.other)
}

/// Returns the name of the manifest of a layer.
fn manifest_name(layer: usize) -> String {
    format!("{}/manifest.json", layer_folder(layer))
}

/// Formats bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
