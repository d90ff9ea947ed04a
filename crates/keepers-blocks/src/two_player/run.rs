//! Runs tasks: reads what they need, solves them, and writes their objects.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use keepers::Observer;
use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{TaskId, TaskSize, TaskSolver};
use keepers::internals::turn::Number;
use serde::Serialize;

use super::layer_reader::{BlockRow, LayerReader};
use super::solve::{Division, SAMPLE, batches_where};
use super::{Lanes, TwoPlayerStore, hex, object_name};
use crate::error::{Damage, StoreError};
use crate::object::{Index, ObjectWriter};

/// What became of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TaskReport {
    /// The layer.
    pub layer: usize,
    /// The index of the task in its layer.
    pub task: usize,
    /// The hash of its object.
    pub hash: String,
    /// The number of values.
    pub values: u64,
    /// Whether the object existed before.
    pub existed: bool,
}

/// Solves tasks on one thread, or on all threads of the current pool.
pub(super) enum Worker<'a> {
    F64(TaskSolver<'a, f64, 8>),
    F32(TaskSolver<'a, f32, 16>),
}

impl TwoPlayerStore {
    pub(super) fn worker(&self, threads: Threads) -> Worker<'_> {
        match self.settings.lanes {
            Lanes::F64 => Worker::F64(TaskSolver::new(&self.complete, threads)),
            lanes @ (Lanes::F32 | Lanes::F32Settled) => {
                Worker::F32(TaskSolver::new(&self.complete, threads).settling(lanes.settled()))
            }
        }
    }

    /// Runs consecutive tasks of a layer on this machine. Tasks whose objects exist are not run again. Damaged objects of
    /// the layer below are solved again. Writes the manifest if that completes the layer.
    ///
    /// # Errors
    /// If there are no such tasks, if the layer below is not complete, if a task needs more than `memory` bytes, if the
    /// store fails, or if the work is cancelled.
    pub fn run(
        &self,
        layer: usize,
        tasks: Range<usize>,
        memory: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<TaskReport>, StoreError> {
        self.check_layer(layer)?;
        let count = self.complete.tasks(layer);
        if tasks.is_empty() || tasks.end > count {
            return Err(StoreError::Request(format!(
                "layer {layer} has the tasks 0 to {}: give one of them, or a range such as 0..{count}",
                count - 1
            )));
        }
        let names: Vec<String> = tasks.clone().map(|other| object_name(TaskId { layer, other })).collect();
        let done = self.checked_indices(layer, tasks.clone())?;
        let is_open = |other: usize| done[other - tasks.start].is_err();
        // Another machine may have written an object that was missing: it must not be removed.
        let is_damaged =
            |index: &Result<Index, Damage>| matches!(index, Err(damage) if *damage != Damage::missing());
        let damaged = names.iter().zip(&done).filter(|(_, index)| is_damaged(index));
        self.folder.remove(&damaged.map(|(name, _)| name.clone()).collect::<Vec<_>>())?;
        let solved = RefCell::new(HashMap::new());
        self.repairing(layer, memory, observer, || {
            // After a repair, tasks that this call has solved are not solved again.
            let is_open = |other: usize| is_open(other) && !solved.borrow().contains_key(&other);
            self.run_open(layer, tasks.clone(), is_open, memory, observer, |batch, indices| {
                solved.borrow_mut().extend(batch.zip(indices));
            })
        })?;
        let solved = solved.into_inner();
        let reports = tasks.zip(done).map(|(other, index)| match index {
            Ok(index) => report(layer, other, &index, true),
            Err(_) => report(layer, other, &solved[&other], false),
        });
        let reports = reports.collect();
        if self.manifest(layer)?.is_none() {
            self.repairing(layer, memory, observer, || self.complete_layer(layer))?;
        }
        Ok(reports)
    }

    /// Runs the tasks of a range that are open. Calls `done` with the tasks and the indices of each batch.
    fn run_open(
        &self,
        layer: usize,
        tasks: Range<usize>,
        is_open: impl Fn(usize) -> bool,
        memory: usize,
        observer: &dyn Observer,
        done: impl Fn(Range<usize>, Vec<Index>),
    ) -> Result<(), StoreError> {
        let size = |other: usize| self.complete.size(TaskId { layer, other }, SAMPLE);
        let sizes: Vec<TaskSize> = tasks.clone().filter(|&other| is_open(other)).map(size).collect();
        if sizes.is_empty() {
            return Ok(());
        }
        let all: usize = sizes.iter().map(|size| size.values).sum();
        let most = Division::of(&sizes, self.settings.lanes.bytes(), memory, 1, layer)?.batch;
        let below = layer.checked_sub(1).map(|below| self.reader(below)).transpose()?;
        let worker = self.worker(Threads::All);
        let work = Work::new(observer, format!("solving tasks of layer {layer}"));
        let mut finished = 0;
        for batch in batches_where(tasks, is_open, most) {
            // The sizes of large tasks are estimates.
            work.step(finished.min(all.saturating_sub(1)), all)?;
            let indices =
                self.run_batch(&worker, below.as_ref(), layer, batch.clone(), &work, |_, _| Ok(()))?;
            finished += indices.iter().map(|index| index.summary.values as usize).sum::<usize>();
            done(batch, indices);
        }
        work.report(all, all);
        Ok(())
    }

    /// Writes the manifest of a layer if all its tasks are done.
    fn complete_layer(&self, layer: usize) -> Result<(), StoreError> {
        if self.existing(layer)?.contains(&false) {
            return Ok(());
        }
        let tasks = 0..self.complete.tasks(layer);
        let indices: Result<Vec<Index>, _> = self.checked_indices(layer, tasks)?.into_iter().collect();
        if let Ok(indices) = indices {
            self.write_manifest(layer, &indices)?;
        }
        Ok(())
    }

    /// Solves consecutive tasks of a layer and writes their objects. Calls `done` after each with its index and the
    /// number of its values.
    pub(super) fn run_batch(
        &self,
        worker: &Worker<'_>,
        below: Option<&LayerReader<'_>>,
        layer: usize,
        tasks: Range<usize>,
        work: &Work<'_>,
        done: impl Fn(usize, u64) -> Result<(), StoreError>,
    ) -> Result<Vec<Index>, StoreError> {
        match worker {
            Worker::F64(solver) => self.run_lanes(solver, below, layer, tasks, work, done),
            Worker::F32(solver) => self.run_lanes(solver, below, layer, tasks, work, done),
        }
    }

    fn run_lanes<T: Number, const W: usize>(
        &self,
        solver: &TaskSolver<'_, T, W>,
        below: Option<&LayerReader<'_>>,
        layer: usize,
        tasks: Range<usize>,
        work: &Work<'_>,
        done: impl Fn(usize, u64) -> Result<(), StoreError>,
    ) -> Result<Vec<Index>, StoreError> {
        let mut rows: Vec<Option<BlockRow<T>>> = match below {
            None => tasks.clone().map(|_| None).collect(),
            Some(below) => below.rows(tasks.clone())?.into_iter().map(Some).collect(),
        };
        let movers: Vec<usize> = (0..self.complete.blocks(layer)).collect();
        let mut indices = Vec::with_capacity(tasks.len());
        for (other, row) in tasks.zip(&mut rows) {
            let task = TaskId { layer, other };
            let row = row.take();
            let read = |below: TaskId, values: &mut Vec<T>| {
                let row = row.as_ref().expect("only layer 0 has no layer below");
                values.extend_from_slice(row.block(below.other));
                Ok::<(), StoreError>(())
            };
            let solved = solver.solve(task, &movers, work, read)?;
            drop(row);
            let mut writer = ObjectWriter::new(self.header(task));
            let mut start = 0;
            for (mover, &end) in solved.ends.iter().enumerate() {
                writer.add(&solved.values[start..end], &self.complete.curves(task, mover));
                start = end;
            }
            drop(solved);
            let index = self.write_object(task, writer)?;
            done(other, index.summary.values)?;
            indices.push(index);
        }
        Ok(indices)
    }

    /// Writes the object of a task. If it exists, it must have the same hash.
    pub(super) fn write_object(&self, task: TaskId, writer: ObjectWriter) -> Result<Index, StoreError> {
        let name = object_name(task);
        let (bytes, _, hash) = writer.finish();
        let parsed = Index::parse(bytes.len() as u64, &bytes);
        let Ok(Ok(index)) = parsed else { unreachable!("an object that was just written can be read") };
        if !self.folder.create(&name, bytes)? {
            let stored = self.indices_of(std::slice::from_ref(&name))?.remove(0);
            let stored = stored.map_err(|damage| self.damaged(&name, damage))?;
            if stored.hash != hash {
                return Err(StoreError::Conflict { name, stored: hex(&stored.hash), solved: hex(&hash) });
            }
        }
        Ok(index)
    }
}

fn report(layer: usize, task: usize, index: &Index, existed: bool) -> TaskReport {
    TaskReport { layer, task, hash: hex(&index.hash), values: index.summary.values, existed }
}
