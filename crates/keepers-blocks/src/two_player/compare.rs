//! Compares the values of two stores of the same game.

use keepers::Observer;
use keepers::internals::Work;
use serde::Serialize;

use super::TwoPlayerStore;
use crate::error::{Damage, StoreError};

/// The difference between two stores in one layer.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LayerDifference {
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// The number of values.
    pub values: u64,
    /// The largest difference.
    pub largest: f64,
    /// The mean of the absolute differences.
    pub mean: f64,
}

impl TwoPlayerStore {
    /// Compares all values of the layers that both stores have.
    ///
    /// # Errors
    /// If the stores belong to different games, if one of them cannot be read, or if the work is cancelled.
    pub fn compare(
        &self,
        other: &TwoPlayerStore,
        observer: &dyn Observer,
    ) -> Result<Vec<LayerDifference>, StoreError> {
        if self.game().fingerprint() != other.game().fingerprint() {
            return Err(StoreError::Foreign("the stores belong to different games".into()));
        }
        let work = Work::new(observer, "comparing values");
        let layers = self.complete.layers();
        let mut differences = Vec::new();
        for layer in 0..layers {
            work.step(layer, layers)?;
            let both = [self, other].map(|store| store.is_stored(layer));
            let [Ok(true), Ok(true)] = both else {
                both.into_iter().collect::<Result<Vec<bool>, StoreError>>()?;
                continue;
            };
            let [ours, theirs] = [self.reader(layer)?, other.reader(layer)?];
            let mut found = LayerDifference { layer, ..LayerDifference::default() };
            let mut sum = 0.0;
            for task in 0..self.complete.tasks(layer) {
                work.check()?;
                let mut values: Vec<f64> = Vec::new();
                theirs.each_block(task, |block, _| values.extend_from_slice(block))?;
                let mut at = values.iter();
                ours.each_block(task, |block, _| {
                    for (one, two) in block.iter().zip(&mut at) {
                        let difference = (one - two).abs();
                        found.largest = found.largest.max(difference);
                        sum += difference;
                        found.values += 1;
                    }
                })?;
                if at.next().is_some() {
                    let name = super::object_name(keepers::internals::solve::TaskId { layer, other: task });
                    return Err(self.damaged(&name, Damage("it has fewer values than the other".into())));
                }
            }
            found.mean = sum / found.values.max(1) as f64;
            differences.push(found);
        }
        work.report(layers, layers);
        Ok(differences)
    }

    /// Returns whether all objects of a layer are stored.
    fn is_stored(&self, layer: usize) -> Result<bool, StoreError> {
        Ok(self.manifest(layer)?.is_some() && !self.existing(layer)?.contains(&false))
    }
}
