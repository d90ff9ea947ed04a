//! Runs batches of tasks one after the other, and keeps what batches of the same layer need.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use keepers::Observer;
use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{TaskId, TaskSize};

use super::layer_reader::LayerReader;
use super::run::{BatchReport, TaskReport, Worker, report};
use super::solve::{Division, SAMPLE, batches_where};
use super::{Manifest, TwoPlayerStore, hex, object_name};
use crate::error::{Damage, StoreError};
use crate::object::Index;

/// Runs batches of tasks. Opening the layer below, which every batch reads, costs a request per object of that layer, and is
/// done once for all batches of a layer that follow each other.
pub struct TaskRunner<'a> {
    store: &'a TwoPlayerStore,
    memory: usize,
    opened: Option<OpenedLayer<'a>>,
    /// A task that was not done when a batch ended. As long as its object does not exist, its layer is not complete, and need
    /// not be listed.
    not_done: Option<TaskId>,
}

/// What the batches of a layer share.
struct OpenedLayer<'a> {
    layer: usize,
    worker: Worker<'a>,
    /// The layer below, unless this is layer 0.
    below: Option<LayerReader<'a>>,
}

impl<'a> TaskRunner<'a> {
    /// Creates a runner that uses at most `memory` bytes.
    pub fn new(store: &'a TwoPlayerStore, memory: usize) -> TaskRunner<'a> {
        TaskRunner { store, memory, opened: None, not_done: None }
    }

    /// Runs consecutive tasks of a layer on this machine. Tasks whose objects exist are not run again. Damaged objects of
    /// the layer below are solved again. Writes the manifest if that completes the layer.
    ///
    /// # Errors
    /// If there are no such tasks, if the layer below is not complete, if a task needs too much memory, if the store fails,
    /// or if the work is cancelled.
    pub fn run(
        &mut self,
        layer: usize,
        tasks: Range<usize>,
        observer: &dyn Observer,
    ) -> Result<BatchReport, StoreError> {
        let (store, memory) = (self.store, self.memory);
        store.check_layer(layer)?;
        let count = store.complete.tasks(layer);
        if tasks.is_empty() || tasks.end > count {
            return Err(StoreError::Request(format!(
                "layer {layer} has the tasks 0 to {}: give one of them, or a range such as 0..{count}",
                count - 1
            )));
        }
        let names: Vec<String> = tasks.clone().map(|other| object_name(TaskId { layer, other })).collect();
        let done = store.checked_indices(layer, tasks.clone())?;
        let is_open = |other: usize| done[other - tasks.start].is_err();
        // Another machine may have written an object that was missing: it must not be removed.
        let is_damaged =
            |index: &Result<Index, Damage>| matches!(index, Err(damage) if *damage != Damage::missing());
        let damaged = names.iter().zip(&done).filter(|(_, index)| is_damaged(index));
        store.folder.remove(&damaged.map(|(name, _)| name.clone()).collect::<Vec<_>>())?;
        let solved = RefCell::new(HashMap::new());
        let runner = RefCell::new(&mut *self);
        store.repairing(layer, memory, observer, || {
            // After a repair, tasks that this call has solved are not solved again.
            let is_open = |other: usize| is_open(other) && !solved.borrow().contains_key(&other);
            let done = |part: Range<usize>, indices| solved.borrow_mut().extend(part.zip(indices));
            let mut runner = runner.borrow_mut();
            let was_open = runner.opened.as_ref().is_some_and(|opened| opened.layer == layer);
            match runner.run_open(layer, tasks.clone(), is_open, observer, done) {
                // Objects may have changed since the layer below was opened.
                Err(_) if was_open => {
                    runner.opened = None;
                    runner.run_open(layer, tasks.clone(), is_open, observer, done)
                }
                ended => ended,
            }
        })?;
        let solved = solved.into_inner();
        let manifest = store.manifest(layer)?;
        if let Some((manifest, _)) = &manifest {
            store.compare_solved(manifest, &solved)?;
        }
        let reports = tasks.zip(done).map(|(other, index)| match index {
            Ok(index) => report(layer, other, &index, true),
            Err(_) => report(layer, other, &solved[&other], false),
        });
        let tasks = reports.collect();
        let complete = manifest.is_some() || self.complete_layer(layer, observer)?;
        Ok(BatchReport { layer, complete, tasks })
    }

    /// Runs the tasks of a range that are open. Calls `done` with the tasks and the indices of each part of the range.
    fn run_open(
        &mut self,
        layer: usize,
        tasks: Range<usize>,
        is_open: impl Fn(usize) -> bool,
        observer: &dyn Observer,
        done: impl Fn(Range<usize>, Vec<Index>),
    ) -> Result<(), StoreError> {
        let store = self.store;
        let size = |other: usize| store.complete.size(TaskId { layer, other }, SAMPLE);
        let sizes: Vec<TaskSize> = tasks.clone().filter(|&other| is_open(other)).map(size).collect();
        if sizes.is_empty() {
            return Ok(());
        }
        let all: usize = sizes.iter().map(|size| size.values).sum();
        let most = Division::of(&sizes, store.settings.lanes.bytes(), self.memory, 1, layer)?.batch;
        let OpenedLayer { worker, below, .. } = self.open(layer)?;
        let work = Work::new(observer, format!("solving tasks of layer {layer}"));
        let mut finished = 0;
        for part in batches_where(tasks, is_open, most) {
            // The sizes of large tasks are estimates.
            work.step(finished.min(all.saturating_sub(1)), all)?;
            let indices =
                store.run_batch(worker, below.as_ref(), layer, part.clone(), &work, |_, _| Ok(()))?;
            finished += indices.iter().map(|index| index.summary.values as usize).sum::<usize>();
            done(part, indices);
        }
        work.report(all, all);
        Ok(())
    }

    /// Writes the manifest of a layer if all its tasks are done. Returns whether they are.
    fn complete_layer(&mut self, layer: usize, observer: &dyn Observer) -> Result<bool, StoreError> {
        let store = self.store;
        if let Some(task) = self.not_done
            && task.layer == layer
            && !store.folder.contains(&object_name(task))?
        {
            return Ok(false);
        }
        let not_done = store.repairing(layer, self.memory, observer, || store.complete_layer(layer))?;
        self.not_done = not_done.map(|other| TaskId { layer, other });
        Ok(not_done.is_none())
    }

    /// Opens what the batches of a layer share, unless the last batch was of the same layer.
    fn open(&mut self, layer: usize) -> Result<&OpenedLayer<'a>, StoreError> {
        let store = self.store;
        let opened = match self.opened.take() {
            Some(opened) if opened.layer == layer => opened,
            _ => OpenedLayer {
                layer,
                worker: store.worker(Threads::All),
                below: layer.checked_sub(1).map(|below| store.reader(below)).transpose()?,
            },
        };
        Ok(self.opened.insert(opened))
    }
}

impl TwoPlayerStore {
    /// Checks that objects of a complete layer that were missing, and were solved again, are those of its manifest. Removes
    /// one that is not.
    fn compare_solved(&self, manifest: &Manifest, solved: &HashMap<usize, Index>) -> Result<(), StoreError> {
        for (&other, index) in solved {
            let (stored, solved) = (&manifest.tasks[other].hash, hex(&index.hash));
            if *stored != solved {
                let name = object_name(TaskId { layer: manifest.layer, other });
                self.folder.remove(std::slice::from_ref(&name))?;
                return Err(StoreError::Conflict { name, stored: stored.clone(), solved });
            }
        }
        Ok(())
    }

    /// Runs consecutive tasks of a layer on this machine, as [`TaskRunner::run`] does.
    ///
    /// # Errors
    /// As for [`TaskRunner::run`].
    pub fn run(
        &self,
        layer: usize,
        tasks: Range<usize>,
        memory: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<TaskReport>, StoreError> {
        Ok(TaskRunner::new(self, memory).run(layer, tasks, observer)?.tasks)
    }
}
