//! Runs tasks: reads what they need, solves them, and writes their objects.

use std::ops::Range;

use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{TaskId, TaskSolver};
use keepers::internals::turn::Number;
use serde::Serialize;

use super::layer_reader::{BlockRow, LayerReader};
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

/// What became of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BatchReport {
    /// The layer.
    pub layer: usize,
    /// Whether the layer is complete now: all its tasks are done, and it has a manifest.
    pub complete: bool,
    /// The tasks of the batch.
    pub tasks: Vec<TaskReport>,
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

    /// Writes the manifest of a layer if all its tasks are done. Otherwise returns the last task that is not.
    pub(super) fn complete_layer(&self, layer: usize) -> Result<Option<usize>, StoreError> {
        if let Some(missing) = self.existing(layer)?.iter().rposition(|exists| !exists) {
            return Ok(Some(missing));
        }
        let tasks = 0..self.complete.tasks(layer);
        let checked = self.checked_indices(layer, tasks)?;
        if let Some(damaged) = checked.iter().rposition(Result::is_err) {
            return Ok(Some(damaged));
        }
        let indices: Vec<Index> = checked.into_iter().flatten().collect();
        self.write_manifest(layer, &indices)?;
        Ok(None)
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

pub(super) fn report(layer: usize, task: usize, index: &Index, existed: bool) -> TaskReport {
    TaskReport { layer, task, hash: hex(&index.hash), values: index.summary.values, existed }
}
