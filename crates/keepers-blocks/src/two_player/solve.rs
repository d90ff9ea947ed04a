//! Solves the complete game on this machine, layer by layer.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use keepers::Observer;
use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{TaskId, TaskSize};

use super::layer_reader::LayerReader;
use super::{Manifest, TwoPlayerStore, object_name};
use crate::error::StoreError;
use crate::object::Index;
use crate::store::IoSummary;

/// Limits of [`TwoPlayerStore::solve`].
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// Bytes of memory to use.
    pub memory: usize,
    /// The number of threads.
    pub threads: usize,
    /// The objects of layers below this one are removed when no layer above needs them. Manifests are kept.
    pub keep_from: usize,
}

/// A solved game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solved {
    /// The expected result of the player who starts.
    pub value: f64,
    /// A bound on its error.
    pub error_bound: f64,
    /// The hash of the last manifest, which determines all values.
    pub root: String,
    /// The number of values of all layers.
    pub values: u64,
    /// The number of tasks that were run now, and of those that were done before.
    pub run: usize,
    /// Tasks that were done before.
    pub existed: usize,
    /// What was read and written.
    pub io: IoSummary,
    /// The time it took.
    pub time: Duration,
}

/// The most tasks whose rows a thread reads at the same time. More make larger reads, but a thread that takes the last
/// tasks of a layer lets the others wait.
const MAX_BATCH: usize = 64;

/// The pairs of a task that are visited to count its values.
pub(super) const SAMPLE: usize = 4096;

/// The progress of a solve, which all threads share.
struct Progress<'a> {
    work: Work<'a>,
    done: Mutex<u64>,
    all: u64,
}

impl Progress<'_> {
    fn add(&self, values: u64) -> Result<(), StoreError> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += values;
        Ok(self.work.step((*done).min(self.all - 1) as usize, self.all as usize)?)
    }
}

impl TwoPlayerStore {
    /// Solves the complete game. Continues where an earlier run ended: tasks whose objects exist are not run again, and
    /// damaged objects are solved anew.
    ///
    /// # Errors
    /// If a task does not fit into memory, if the store fails, or if the work is cancelled.
    pub fn solve(&self, options: SolveOptions, observer: &dyn Observer) -> Result<Solved, StoreError> {
        let started = Instant::now();
        self.folder.remove_abandoned();
        let name = self.game().rules().name();
        let counting = Work::new(observer, format!("counting the values of {name}"));
        let layers = self.complete.layers();
        let mut sizes: Vec<Vec<TaskSize>> = Vec::with_capacity(layers);
        for layer in 0..layers {
            counting.step(layer, layers)?;
            let size = |other| self.complete.size(TaskId { layer, other }, SAMPLE);
            sizes.push((0..self.complete.tasks(layer)).map(size).collect());
        }
        counting.report(layers, layers);
        for (layer, sizes) in sizes.iter().enumerate() {
            if !matches!(self.manifest(layer), Ok(Some(_))) {
                self.division(layer, sizes, options)?;
            }
        }
        let all = sizes.iter().flatten().map(|size| size.values as u64).sum();
        let work = Work::new(observer, format!("solving {name} for two players"));
        let progress = Progress { work, done: Mutex::new(0), all };
        let (mut run, mut existed) = (0, 0);
        let mut hash_below: Option<String> = None;
        for (layer, sizes) in sizes.iter().enumerate() {
            let before = match self.sound_manifest(layer, observer)? {
                Some((manifest, _)) if layer > 0 && manifest.below != hash_below => {
                    return Err(self.broken_chain(layer));
                }
                Some((manifest, hash)) => {
                    let is_kept = layer >= options.keep_from || layer + 1 == layers;
                    let repaired =
                        if is_kept { self.repair_layer(&manifest, options.memory, observer)? } else { 0 };
                    progress.add(sizes.iter().map(|size| size.values as u64).sum())?;
                    hash_below = Some(hash);
                    sizes.len() - repaired
                }
                None => {
                    let before = self.solve_layer(layer, sizes, options, &progress, observer)?;
                    hash_below = Some(self.required_manifest(layer)?.1);
                    before
                }
            };
            existed += before;
            run += sizes.len() - before;
            if let Some(below) = layer.checked_sub(1)
                && below < options.keep_from
            {
                let stored = self.existing(below)?;
                let names = (0..).zip(stored).filter(|(_, exists)| *exists);
                let names: Vec<String> =
                    names.map(|(other, _)| object_name(TaskId { layer: below, other })).collect();
                self.folder.remove(&names)?;
            }
        }
        progress.work.report(all as usize, all as usize);
        let (last, root) = self.required_manifest(layers - 1)?;
        Ok(Solved {
            value: self.start_value()?,
            error_bound: last.error_bound,
            root,
            values: self.count_values()?,
            run,
            existed,
            io: self.folder.io(),
            time: started.elapsed(),
        })
    }

    /// Returns the expected result of the player who starts.
    pub(super) fn start_value(&self) -> Result<f64, StoreError> {
        let (block, _) = self.reader(self.complete.layers() - 1)?.block(0, 0)?;
        Ok(1.0 - block[0])
    }

    fn count_values(&self) -> Result<u64, StoreError> {
        let count = |layer| Ok(self.required_manifest(layer)?.0.count);
        (0..self.complete.layers()).map(count).sum()
    }

    /// Solves the tasks of a layer that are not done, and writes its manifest. Returns the number of tasks that were
    /// done before.
    fn solve_layer(
        &self,
        layer: usize,
        sizes: &[TaskSize],
        options: SolveOptions,
        progress: &Progress<'_>,
        observer: &dyn Observer,
    ) -> Result<usize, StoreError> {
        let done = self.done_tasks(layer, observer)?;
        let before = done.iter().flatten().count();
        progress.add(
            (0..).zip(sizes).filter(|(nth, _)| done[*nth].is_some()).map(|(_, s)| s.values as u64).sum(),
        )?;
        if before < sizes.len() {
            let division = self.division(layer, sizes, options)?;
            let batches = batches(&done, division.batch);
            self.repairing(layer, options.memory, observer, || {
                self.run_batches(layer, &batches, &division, progress)
            })?;
        }
        let indices = self.indices(layer)?.into_iter().enumerate().map(|(other, index)| {
            index.map_err(|damage| self.damaged(&object_name(TaskId { layer, other }), damage))
        });
        let indices = indices.collect::<Result<Vec<Index>, StoreError>>()?;
        self.repairing(layer, options.memory, observer, || self.write_manifest(layer, &indices))?;
        Ok(before)
    }

    fn division(
        &self,
        layer: usize,
        sizes: &[TaskSize],
        options: SolveOptions,
    ) -> Result<Division, StoreError> {
        Division::of(sizes, self.settings.lanes.bytes(), options.memory, options.threads, layer)
    }

    /// Returns the manifest of a layer and its hash. Removes one that is damaged: it is written again.
    fn sound_manifest(
        &self,
        layer: usize,
        observer: &dyn Observer,
    ) -> Result<Option<(Manifest, String)>, StoreError> {
        match self.manifest(layer) {
            Err(StoreError::Damaged { name, damage }) => {
                observer.notice(&format!("{name} is damaged ({damage}): it is written again"));
                self.folder.remove(&[name])?;
                Ok(None)
            }
            found => found,
        }
    }

    /// Returns the index of each task of a layer that is done. Removes damaged objects.
    fn done_tasks(&self, layer: usize, observer: &dyn Observer) -> Result<Vec<Option<Index>>, StoreError> {
        let existing = self.existing(layer)?;
        let mut done = vec![None; existing.len()];
        let some: Vec<usize> = (0..existing.len()).filter(|&other| existing[other]).collect();
        let names: Vec<String> = some.iter().map(|&other| object_name(TaskId { layer, other })).collect();
        let indices = self.checked_indices(layer, 0..existing.len())?;
        for ((other, name), index) in
            some.iter().zip(&names).map(|(&other, name)| ((other, name), &indices[other]))
        {
            match index {
                Ok(index) => done[other] = Some(index.clone()),
                Err(damage) => {
                    observer.notice(&format!("{name} is damaged ({damage}): it is solved again"));
                    self.folder.remove(std::slice::from_ref(name))?;
                }
            }
        }
        Ok(done)
    }

    /// Runs batches of tasks on several threads.
    fn run_batches(
        &self,
        layer: usize,
        batches: &[Range<usize>],
        division: &Division,
        progress: &Progress<'_>,
    ) -> Result<(), StoreError> {
        let below: Option<LayerReader<'_>> =
            layer.checked_sub(1).map(|below| self.reader(below)).transpose()?;
        let waiting: Mutex<VecDeque<Range<usize>>> = Mutex::new(batches.iter().cloned().collect());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let done = |_: usize, values: u64| progress.add(values);
        let take_batches = |threads: Threads| {
            let worker = self.worker(threads);
            while let Some(batch) = next() {
                // After an interruption, some tasks of a batch may be done.
                let existing = self.existing_in(layer, batch.clone())?;
                for part in batches_where(batch, |other| !existing(other), usize::MAX) {
                    let ran = self.run_batch(&worker, below.as_ref(), layer, part, &progress.work, done);
                    if let Err(error) = ran {
                        waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
                        return Err(error);
                    }
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let take_batches = &take_batches;
            let worker = |threads: usize| {
                scope.spawn(move || {
                    if threads == 1 {
                        return take_batches(Threads::One);
                    }
                    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                        Ok(pool) => pool.install(|| take_batches(Threads::All)),
                        Err(_) => take_batches(Threads::One),
                    }
                })
            };
            let workers: Vec<_> = division.workers.iter().map(|&threads| worker(threads)).collect();
            let mut result = Ok(());
            for worker in workers {
                let ended = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(ended);
            }
            result
        })
    }

    fn existing_in(
        &self,
        layer: usize,
        tasks: Range<usize>,
    ) -> Result<impl Fn(usize) -> bool + use<>, StoreError> {
        let names: Vec<String> = tasks.clone().map(|other| object_name(TaskId { layer, other })).collect();
        let found: Vec<bool> = self.indices_of(&names)?.iter().map(Result::is_ok).collect();
        Ok(move |other: usize| found[other - tasks.start])
    }
}

/// How the threads share a layer.
pub(super) struct Division {
    /// The threads of each worker. A worker solves one task at a time.
    workers: Vec<usize>,
    /// The number of tasks whose rows a worker reads at the same time.
    pub batch: usize,
}

impl Division {
    /// Divides tasks of these sizes among threads. Fails if one of them needs more memory than there is.
    pub fn of(
        sizes: &[TaskSize],
        lane: usize,
        limit: usize,
        threads: usize,
        layer: usize,
    ) -> Result<Division, StoreError> {
        let row = |size: &TaskSize| lane * size.inputs;
        let needed = sizes.iter().map(|size| task_bytes(size, lane)).max().unwrap_or(0);
        let memory = limit.saturating_sub(FIXED_BYTES);
        if needed > memory {
            return Err(StoreError::Request(format!(
                "a task of layer {layer} needs {:.1} GiB of memory, more than the limit of {:.1} GiB: raise --memory",
                (needed + FIXED_BYTES) as f64 / GIB,
                limit as f64 / GIB,
            )));
        }
        let workers = (memory / needed.max(1)).min(threads).min(sizes.len()).max(1);
        let largest_row = sizes.iter().map(row).max().unwrap_or(0).max(1);
        let left = memory / workers - needed;
        let batch = (left / largest_row).clamp(1, MAX_BATCH).min(sizes.len().div_ceil(if workers > 1 {
            4 * workers
        } else {
            1
        }));
        Ok(Division { workers: shared(threads, workers), batch })
    }
}

/// Shares threads among at most as many workers: nearly equally, without a rest.
fn shared(threads: usize, workers: usize) -> Vec<usize> {
    (0..workers).map(|worker| threads / workers + usize::from(worker < threads % workers)).collect()
}

/// Returns the bytes that a task needs: the row as it was read, the row as it is solved from (padded, with an index), the
/// blocks with their copy, and the encoded object.
pub(super) fn task_bytes(size: &TaskSize, lane: usize) -> usize {
    2 * lane * size.inputs + (2 * 16 * lane + 24) * size.input_pairs + (2 * lane + 8) * size.values
}

/// Memory for the states of the game, compiled turns and the program itself.
const FIXED_BYTES: usize = 256 << 20;

const GIB: f64 = (1_u64 << 30) as f64;

/// Divides the tasks that are not done into batches of consecutive ones.
fn batches(done: &[Option<Index>], most: usize) -> Vec<Range<usize>> {
    batches_where(0..done.len(), |other| done[other].is_none(), most)
}

/// Divides the numbers of a range that are wanted into ranges of at most `most`.
pub(super) fn batches_where(
    range: Range<usize>,
    wanted: impl Fn(usize) -> bool,
    most: usize,
) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    for other in range.filter(|&other| wanted(other)) {
        match batches.last_mut() {
            Some(last) if last.end == other && last.len() < most => last.end += 1,
            _ => batches.push(other..other + 1),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_work_if_memory_has_room_for_fewer_tasks() {
        assert_eq!(shared(3, 2), [2, 1]);
        assert_eq!(shared(96, 10), [vec![10; 6], vec![9; 4]].concat());
        assert_eq!(shared(3, 3), [1, 1, 1]);
    }
}
