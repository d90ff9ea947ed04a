//! Solves damaged objects of complete layers again.

use std::collections::HashMap;

use keepers::Observer;
use keepers::internals::solve::TaskId;

use super::{Manifest, TwoPlayerStore, object_name};
use crate::error::{Damage, StoreError};

/// How often one call repairs the same object. Several machines may find the same damage at the same time, so one of them
/// may find the object missing that another solves again.
const MOST_REPAIRS: usize = 3;

impl TwoPlayerStore {
    /// Calls `work`, which reads the layer below `layer`, until that has no damaged objects.
    pub(super) fn repairing<R>(
        &self,
        layer: usize,
        memory: usize,
        observer: &dyn Observer,
        work: impl Fn() -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let mut repairs: HashMap<usize, usize> = HashMap::new();
        loop {
            let (name, damage) = match work() {
                Err(StoreError::Damaged { name, damage }) => (name, damage),
                ended => return ended,
            };
            let found = layer.checked_sub(1).and_then(|below| {
                let tasks = (0..self.complete.tasks(below)).map(|other| TaskId { layer: below, other });
                tasks.into_iter().find(|&task| object_name(task) == name)
            });
            let Some(task) = found else { return Err(self.damaged(&name, damage)) };
            let count = repairs.entry(task.other).or_default();
            *count += 1;
            if *count > MOST_REPAIRS {
                return Err(self.damaged(&name, damage));
            }
            let (manifest, _) = self.required_manifest(task.layer)?;
            self.repair(&manifest, task, &damage, memory, observer)?;
        }
    }

    /// Solves the objects of a complete layer again that are missing or visibly damaged. A layer without any objects was
    /// removed, unless it is the last, or between layers that have objects. Returns the number of objects that were solved
    /// again.
    pub(super) fn repair_layer(
        &self,
        manifest: &Manifest,
        memory: usize,
        observer: &dyn Observer,
    ) -> Result<usize, StoreError> {
        let layer = manifest.layer;
        let existing = self.existing(layer)?;
        let is_last = layer + 1 == self.complete.layers();
        let is_kept = existing.contains(&true)
            || is_last
            || self.has_inputs(layer)? && self.existing(layer + 1)?.contains(&true);
        if !is_kept {
            return Ok(0);
        }
        let mut repaired = 0;
        for (other, index) in self.indices(layer)?.into_iter().enumerate() {
            let Err(damage) = self.in_manifest(manifest, other, index) else { continue };
            // The removal of a layer may have been interrupted.
            if !existing[other] && !is_last && !self.has_inputs(layer)? {
                continue;
            }
            self.repair(manifest, TaskId { layer, other }, &damage, memory, observer)?;
            repaired += 1;
        }
        Ok(repaired)
    }

    /// Returns whether the objects of the layer below exist.
    fn has_inputs(&self, layer: usize) -> Result<bool, StoreError> {
        Ok(layer == 0 || !self.existing(layer - 1)?.contains(&false))
    }

    /// Solves a damaged object of a complete layer again, unless another machine has just done so. Its hash must be the one
    /// in the manifest.
    fn repair(
        &self,
        manifest: &Manifest,
        task: TaskId,
        damage: &Damage,
        memory: usize,
        observer: &dyn Observer,
    ) -> Result<(), StoreError> {
        let (TaskId { layer, other }, name) = (task, object_name(task));
        if self.is_sound(manifest, task)? {
            return Ok(());
        }
        if !self.has_inputs(layer)? {
            return Err(StoreError::Missing(format!(
                "{name} is damaged ({damage}), and the layer that it was solved from was removed: remove the folders of \
                 layers 0 to {layer}, and solve them again"
            )));
        }
        observer.notice(&format!("{name} is damaged ({damage}): it is solved again"));
        self.folder.remove(std::slice::from_ref(&name))?;
        self.run(layer, other..other + 1, memory, observer)?;
        let index = self.indices_of(std::slice::from_ref(&name))?.remove(0);
        self.in_manifest(manifest, other, index).map_err(|damage| self.damaged(&name, damage))?;
        Ok(())
    }

    /// Reads a whole object of a complete layer. Returns whether it is the one in the manifest, without damage.
    fn is_sound(&self, manifest: &Manifest, task: TaskId) -> Result<bool, StoreError> {
        let TaskId { layer, other } = task;
        let index = self.checked_indices(layer, other..other + 1)?.remove(0);
        let Ok(index) = self.in_manifest(manifest, other, index) else { return Ok(false) };
        match self.object_reader(task, index).each_block(0, |_, _| {}) {
            Ok(()) => Ok(true),
            Err(StoreError::Damaged { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
