//! Runs tasks: reads what they need, solves them, and writes their objects.

use std::ops::Range;

use keepers::Observer;
use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{TaskId, TaskSolver};
use keepers::internals::turn::Number;
use serde::Serialize;

use super::layer_reader::{BlockRow, LayerReader};
use super::solve::{Division, SAMPLE};
use super::{Lanes, TwoPlayerStore, hex, object_name};
use crate::error::StoreError;
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
            Lanes::F32 => Worker::F32(TaskSolver::new(&self.complete, threads)),
        }
    }

    /// Runs consecutive tasks of a layer on this machine. Tasks whose objects exist are not run again. Writes the
    /// manifest if that completes the layer.
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
        let done = self.indices_of(&names)?;
        let mut reports = Vec::new();
        let mut worker = None;
        let mut reader = None;
        for (other, index) in tasks.zip(done) {
            if let Ok(index) = index {
                reports.push(report(layer, other, &index, true));
                continue;
            }
            let worker = worker.get_or_insert_with(|| self.worker(Threads::All));
            if reader.is_none() {
                let below = layer.checked_sub(1).map(|below| self.reader(below)).transpose()?;
                reader = Some(below);
            }
            let below = reader.as_ref().and_then(Option::as_ref);
            let size = self.complete.size(TaskId { layer, other }, SAMPLE);
            Division::of(&[size], self.settings.lanes.bytes(), memory, 1, layer)?;
            let work = Work::new(observer, format!("solving task {other} of layer {layer}"));
            let index = self.run_batch(worker, below, layer, other..other + 1, &work, |_, _| Ok(()))?;
            reports.extend(index.iter().map(|index| report(layer, other, index, false)));
        }
        if self.manifest(layer)?.is_none() {
            self.complete_layer(layer)?;
        }
        Ok(reports)
    }

    /// Writes the manifest of a layer if all its tasks are done.
    fn complete_layer(&self, layer: usize) -> Result<(), StoreError> {
        if self.existing(layer)?.contains(&false) {
            return Ok(());
        }
        let indices: Result<Vec<Index>, _> = self.indices(layer)?.into_iter().collect();
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
