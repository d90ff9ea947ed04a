//! What a store has.

use serde::Serialize;

use super::manifest::task_of;
use super::{TwoPlayerStore, layer_folder};
use crate::error::StoreError;

/// The state of a store.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The name of the rules.
    pub game: String,
    /// How values are stored.
    pub values: String,
    /// The numbers in which values are computed.
    pub lanes: String,
    /// The layers, from full cards to the start of the game.
    pub layers: Vec<LayerStatus>,
    /// The bytes of all objects.
    pub bytes: u64,
    /// The expected result of the player who starts, once the last layer is solved.
    pub value: Option<f64>,
    /// A bound on its error.
    pub error_bound: Option<f64>,
    /// The hash of the last manifest.
    pub root: Option<String>,
}

/// The state of a layer.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LayerStatus {
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// The number of tasks.
    pub tasks: usize,
    /// The number of objects in the store.
    pub stored: usize,
    /// The bytes of its objects.
    pub bytes: u64,
    /// Whether all tasks were solved. The objects may have been removed since.
    pub complete: bool,
    /// The number of values, if the layer is complete.
    pub count: Option<u64>,
}

impl TwoPlayerStore {
    /// Returns what the store has.
    ///
    /// # Errors
    /// If the store cannot be read, or if a manifest is damaged.
    pub fn status(&self) -> Result<Status, StoreError> {
        let mut layers = Vec::new();
        let mut last = None;
        for layer in 0..self.complete.layers() {
            let listed = self.folder.list(&layer_folder(layer))?;
            let tasks = self.complete.tasks(layer);
            let objects = listed.iter().filter(|(name, _)| task_of(name).is_some_and(|task| task < tasks));
            let manifest = self.manifest(layer)?;
            layers.push(LayerStatus {
                layer,
                tasks,
                stored: objects.clone().count(),
                bytes: objects.map(|(_, size)| size).sum(),
                complete: manifest.is_some(),
                count: manifest.as_ref().map(|(manifest, _)| manifest.count),
            });
            last = manifest;
        }
        let solved = last.is_some() && layers.last().is_some_and(|layer| layer.stored == layer.tasks);
        Ok(Status {
            game: self.game().rules().name().to_string(),
            values: self.settings.encoding.name().into(),
            lanes: self.settings.lanes.name().into(),
            bytes: layers.iter().map(|layer| layer.bytes).sum(),
            layers,
            value: if solved { Some(self.start_value()?) } else { None },
            error_bound: last.as_ref().map(|(manifest, _)| manifest.error_bound),
            root: last.map(|(_, hash)| hash),
        })
    }
}
