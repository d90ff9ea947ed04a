//! Estimates the cost of a game from tasks of every layer.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{CompleteGame, Horizon, TaskId, TaskSolver};
use keepers::internals::turn::Number;
use keepers::{Game, Observer, RandomStream};
use serde::Serialize;

use super::solve::task_bytes;
use super::{Lanes, Settings};
use crate::error::StoreError;
use crate::object::{Header, Kind, ObjectWriter};

/// How to estimate.
#[derive(Clone)]
pub struct PlanOptions {
    /// How values are computed and stored.
    pub settings: Settings,
    /// The time to spend on tasks of each layer.
    pub time: Duration,
    /// Estimates of the values of the layer below, which is not solved; random values if `None`. Turns whose result is
    /// certain are not folded, so the time depends on the values.
    pub estimate: Option<Arc<dyn Horizon>>,
}

/// The estimated cost of a game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The layers, from full cards to the start of the game.
    pub layers: Vec<LayerPlan>,
    /// All tasks.
    pub tasks: u64,
    /// All values.
    pub values: u64,
    /// Bytes to write, compressed.
    pub written_bytes: u64,
    /// Bytes to read: the values of each layer once, but for the last.
    pub read_bytes: u64,
    /// The most bytes of two adjacent layers: what the store needs if only live layers are kept.
    pub live_bytes: u64,
    /// The most memory that a task needs, in bytes.
    pub task_memory: u64,
    /// Core-hours.
    pub core_hours: f64,
}

/// The estimated cost of a layer.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LayerPlan {
    /// The number of open boxes on both cards together.
    pub layer: usize,
    /// Tasks.
    pub tasks: u64,
    /// Values, counted from a sample of pairs of every task if there are many.
    pub values: u64,
    /// Compressed bytes.
    pub bytes: u64,
    /// The most memory that a task needs, in bytes.
    pub task_memory: u64,
    /// Nanoseconds of one core per value: to solve and to encode.
    pub nanoseconds: f64,
    /// Seconds of one core to arrange the row of a task.
    pub row_seconds: f64,
    /// Core-seconds of the layer.
    pub core_seconds: f64,
}

/// How often the tasks of a layer are timed. The fastest pass counts, because other programs disturbed it least.
const PASSES: usize = 8;

/// The pairs of a task that are visited to count its values.
const SAMPLE: usize = 1000;

impl Plan {
    /// Estimates the cost of the complete two-player game: counts all tasks, and times parts of a task of every layer on
    /// one core, with estimated or random values of the layer below. Each part is timed several times, and the fastest
    /// pass counts.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn new(game: &Game, options: PlanOptions, observer: &dyn Observer) -> Result<Plan, StoreError> {
        let work = Work::new(observer, format!("timing tasks of {}", game.rules().name()));
        let complete = CompleteGame::new(game, &work)?;
        let mut layers = Vec::with_capacity(complete.layers());
        for layer in 0..complete.layers() {
            work.step(layer, complete.layers())?;
            layers.push(match options.settings.lanes {
                Lanes::F64 => time_layer::<f64, 8>(&complete, layer, &options, &work)?,
                Lanes::F32 | Lanes::F32Settled => time_layer::<f32, 16>(&complete, layer, &options, &work)?,
            });
        }
        work.report(complete.layers(), complete.layers());
        let sum = |of: fn(&LayerPlan) -> u64| layers.iter().map(of).sum::<u64>();
        let written_bytes = sum(|layer| layer.bytes);
        Ok(Plan {
            tasks: sum(|layer| layer.tasks),
            values: sum(|layer| layer.values),
            written_bytes,
            read_bytes: written_bytes - layers.last().map_or(0, |last| last.bytes),
            live_bytes: layers.windows(2).map(|two| two[0].bytes + two[1].bytes).max().unwrap_or(0),
            task_memory: layers.iter().map(|layer| layer.task_memory).max().unwrap_or(0),
            core_hours: layers.iter().map(|layer| layer.core_seconds).sum::<f64>() / 3600.0,
            layers,
        })
    }
}

/// A clock of the time that the current thread spends on a processor. Where the system does not report that, the time that
/// passes.
#[derive(Clone, Copy)]
struct CoreClock(Instant, Option<Duration>);

impl CoreClock {
    fn now() -> CoreClock {
        CoreClock(Instant::now(), CoreClock::on_core())
    }

    /// Reads the time on a core, which Linux reports in nanoseconds.
    fn on_core() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
    }

    /// Returns the time from `earlier` to this.
    fn since(self, earlier: CoreClock) -> Duration {
        match (self.1, earlier.1) {
            (Some(now), Some(then)) => now.saturating_sub(then),
            _ => self.0 - earlier.0,
        }
    }
}

/// Times parts of a task of a layer.
fn time_layer<T: Number, const W: usize>(
    complete: &CompleteGame,
    layer: usize,
    options: &PlanOptions,
    work: &Work<'_>,
) -> Result<LayerPlan, StoreError> {
    let tasks = complete.tasks(layer);
    let size = |other| complete.size(TaskId { layer, other }, SAMPLE);
    let sizes: Vec<_> = (0..tasks).map(size).collect();
    let values: usize = sizes.iter().map(|size| size.values).sum();
    let task_memory = sizes.iter().map(|size| task_bytes(size, size_of::<T>())).max().unwrap_or(0);
    // A task of median size.
    let mut order: Vec<usize> = (0..tasks).collect();
    order.sort_by_key(|&other| sizes[other].values);
    let task = TaskId { layer, other: order[tasks / 2] };
    let mut random = RandomStream::new(layer as u64, 0);
    let blocks = complete.blocks(layer);
    // A first guess of 250 ns per value decides how many blocks to solve.
    let per_block = (sizes[task.other].values / blocks).max(1) as f64 * 250e-9;
    let few = ((options.time.as_secs_f64() / PASSES as f64 / per_block) as usize).clamp(1, blocks);
    let mut movers: Vec<usize> =
        (0..few).map(|nth| ((nth as f64 + random.unit()) * blocks as f64 / few as f64) as usize).collect();
    movers.dedup();
    let settled = options.settings.lanes.settled();
    let solver: TaskSolver<'_, T, W> = TaskSolver::new(complete, Threads::One).settling(settled);
    let mut made_values: HashMap<usize, Vec<T>> = HashMap::new();
    let mut make_values = |below: TaskId| {
        let mut values = Vec::new();
        let filled = complete.filled(below);
        let is_next = |&mover: &usize| complete.filled_by_mover(layer, mover).minus(filled).is_empty();
        if !movers.iter().any(is_next) {
            // No turn of the timed part leads to this block.
        } else if let Some(estimate) = &options.estimate {
            complete.estimate(below, task.other, &**estimate, settled, &mut values);
        } else {
            for length in complete.curves(below, task.other) {
                let mut at = |nth: u32| (f64::from(nth) + random.unit()) / f64::from(length);
                values.extend((0..length).map(|nth| T::nearest(at(nth))));
            }
        }
        values
    };
    let header = Header {
        kind: Kind::TwoPlayer,
        fingerprint: *complete.game().fingerprint(),
        layer: layer as u32,
        task: task.other as u32,
        filled: complete.filled(task).bits().into(),
        encoding: options.settings.encoding,
        lane_bytes: size_of::<T>() as u32,
        blocks: movers.len() as u32,
    };
    let (mut row_time, mut time, mut timed, mut stored) = (Duration::MAX, Duration::MAX, 0, 0);
    for _ in 0..PASSES {
        let started = CoreClock::now();
        let (mut read_until, mut making) = (started, Duration::ZERO);
        let solved = solver.solve(task, &movers, work, |below: TaskId, values: &mut Vec<T>| {
            let before = CoreClock::now();
            values.extend_from_slice(made_values.entry(below.other).or_insert_with(|| make_values(below)));
            read_until = CoreClock::now();
            making += read_until.since(before);
            Ok::<(), StoreError>(())
        })?;
        let mut writer = ObjectWriter::new(header);
        let mut start = 0;
        for (&mover, &end) in movers.iter().zip(&solved.ends) {
            writer.add(&solved.values[start..end], &complete.curves(task, mover));
            start = end;
        }
        let (object, ..) = writer.finish();
        time = time.min(CoreClock::now().since(read_until));
        row_time = row_time.min(read_until.since(started).saturating_sub(making));
        (timed, stored) = (solved.values.len(), object.len());
    }
    let (seconds, row_seconds) = (time.as_secs_f64(), row_time.as_secs_f64());
    let timed = timed.max(1) as f64;
    Ok(LayerPlan {
        layer,
        tasks: tasks as u64,
        values: values as u64,
        bytes: (values as f64 * stored as f64 / timed) as u64,
        task_memory: task_memory as u64,
        nanoseconds: 1e9 * seconds / timed,
        row_seconds,
        core_seconds: values as f64 * seconds / timed + tasks as f64 * row_seconds,
    })
}
