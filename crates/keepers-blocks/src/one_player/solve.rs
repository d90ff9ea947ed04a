//! Solves a table part by part, within a limit of memory.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use keepers::answers::ExpectedTable;
use keepers::internals::Work;
use keepers::internals::evaluate::ScoreRecurrence;
use keepers::internals::solve::{
    PartCurves, PartId, PartSolver, ReachRecurrence, Recurrence, UtilityRecurrence,
};
use keepers::{Card, Observer};
use serde::Serialize;

use super::cache::{CacheSummary, PartCache};
use super::cremers::{Cremers, CremersFigures};
use super::division::{cache_bytes, needed_memory, too_little};
use super::frame::{self, Stored};
use super::parts::{self, ReadPart};
use super::{CurveStore, Curves, part_name};
use crate::error::{Damage, StoreError};
use crate::object::Index;
use crate::store::IoSummary;

/// What a solve did.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SolveSummary {
    /// The number of values of the parts that were solved now, or before and are stored.
    pub values: u64,
    /// The number of parts that were solved now.
    pub parts_solved: usize,
    /// The number of parts that were stored before.
    pub parts_done_before: usize,
    /// What was read and written.
    pub io: IoSummary,
    /// How often inputs were found in memory.
    pub inputs: CacheSummary,
    /// What Cremers' formulas give for this division.
    pub cremers: CremersFigures,
    /// The seconds that parts took to solve.
    pub seconds_solving: f64,
    /// The seconds that inputs took to read.
    pub seconds_reading: f64,
    /// The seconds that were spent waiting for writes.
    pub seconds_waiting_for_writes: f64,
    /// The seconds that it took in all.
    pub seconds: f64,
}

/// Which parts of a utility stay in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The part with the value of the card.
    LastPart,
    /// All parts, so that every value can be read.
    AllParts,
}

/// Solved reach curves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolvedReach {
    /// The hash of the manifest, which determines all values.
    pub root: String,
    /// The number of values that were computed now, including those that turned out to be 1 or 0 and are not stored.
    pub computed: u64,
    /// What the solve did.
    pub summary: SolveSummary,
}

impl CurveStore {
    /// Solves the reach curves with at most `memory` bytes. Continues where an earlier run ended: parts whose objects
    /// exist are not solved again. Parts that turn out to be damaged are; if the table is complete, all are checked.
    ///
    /// # Errors
    /// If a part does not fit into memory, if the store fails or has other curves, or if the work is cancelled.
    pub fn solve(&self, memory: usize, observer: &dyn Observer) -> Result<SolvedReach, StoreError> {
        self.check_curves(Curves::Reach)?;
        let was_complete = match self.manifest() {
            Ok(found) => found.is_some(),
            Err(StoreError::DamagedPart { name, damage }) => {
                observer.notice(&format!("{name} is damaged ({damage}): it is written again"));
                self.folder.remove(&[name])?;
                false
            }
            Err(error) => return Err(error),
        };
        let mut run = Run::new(self, ReachRecurrence::new(self.game()), memory, true, observer)?;
        run.solve_to(self.partition.start(), was_complete)?;
        let indices: Vec<Index> = run.indices.iter().flatten().cloned().collect();
        let (_, root) = self.write_manifest(&indices)?;
        Ok(SolvedReach { root, computed: run.solver.recurrence().computed(), summary: run.summary() })
    }

    /// Returns the distribution of the points of a whole game that is played by the strategy with the best expected score,
    /// from 0 on. Solves it with at most `memory` bytes if it is not stored, and continues where an earlier run ended.
    /// Parts are removed when no other part is solved from them any more; only the last one stays.
    ///
    /// # Errors
    /// If a part does not fit into memory, if the store fails or has other curves, or if the work is cancelled.
    pub fn distribution(
        &self,
        table: &Arc<ExpectedTable>,
        memory: usize,
        observer: &dyn Observer,
    ) -> Result<(Vec<f64>, SolveSummary), StoreError> {
        self.check_curves(Curves::Distribution)?;
        let mut run = Run::new(self, ScoreRecurrence::new(table), memory, false, observer)?;
        let last = self.partition.start();
        run.solve_to(last, false)?;
        let curves = run.curves(last)?;
        run.finish_write()?;
        Ok((start_distribution(&curves), run.summary()))
    }

    /// Returns the distribution that [`CurveStore::distribution`] has stored, if it is complete.
    pub(super) fn stored_distribution(&self) -> Result<Option<Vec<f64>>, StoreError> {
        let read = self.read(self.partition.start(), [0.0, 0.0])?;
        let read = read.transpose().map_err(|damage| self.damaged_start(damage))?;
        Ok(read.map(|curves| start_distribution(&curves)))
    }

    /// Returns the best expected utility of the final score from a card. `utility[s]` is the utility of the final score s;
    /// scores beyond its end have the utility of the last. Memory, store and interruptions are as for
    /// [`CurveStore::distribution`]; with [`Keep::AllParts`], all parts stay in the store, and [`StoredCurves`](super::StoredCurves)
    /// reads them.
    ///
    /// # Errors
    /// If a part does not fit into memory, if the store fails or has other curves, or if the work is cancelled.
    pub fn best_utility(
        &self,
        card: &Card,
        utility: &[f64],
        (memory, keep): (usize, Keep),
        observer: &dyn Observer,
    ) -> Result<(f64, SolveSummary), StoreError> {
        self.check_curves(Curves::of_utility(card, utility))?;
        // A complete table stays complete.
        let keeps = keep == Keep::AllParts || self.manifest()?.is_some();
        let counting = Work::new(observer, format!("counting the values of {}", self.game().rules().name()));
        let recurrence = UtilityRecurrence::new(card, utility, &counting)?;
        let place = self.place_of(card);
        let mut run = Run::new(self, recurrence, memory, keeps, observer)?;
        run.solve_to(place.part, false)?;
        let curves = run.curves(place.part)?;
        run.finish_write()?;
        if keeps {
            let indices: Vec<Index> = run.indices.iter().flatten().cloned().collect();
            self.write_manifest(&indices)?;
        }
        Ok((utility_at(&curves, &place, card), run.summary()))
    }

    /// Returns the utility that [`CurveStore::best_utility`] has stored, if it is complete.
    pub(super) fn stored_utility(&self, card: &Card) -> Result<Option<f64>, StoreError> {
        let place = self.place_of(card);
        let read = self.read(place.part, [0.0, 0.0])?;
        let read = read.transpose().map_err(|damage| self.damaged_start(damage))?;
        Ok(read.map(|curves| utility_at(&curves, &place, card)))
    }

    fn damaged_start(&self, damage: Damage) -> StoreError {
        StoreError::DamagedPart { name: part_name(self.partition.start()), damage }
    }

    fn place_of(&self, card: &Card) -> Place {
        let space = self.game().space();
        let state = space.index(card.filled(), card.upper_total()).expect("every card has a score state");
        let group = space.group_index_of(state);
        let (part, nth) = self.partition.locate(group);
        Place { part, nth, class: state - space.groups()[group].first() }
    }

    fn check_curves(&self, wanted: Curves) -> Result<(), StoreError> {
        if self.curves == wanted {
            return Ok(());
        }
        let (address, curves) = (self.folder.address(), self.curves.name());
        Err(StoreError::Foreign(format!("{address} has the objective {curves}: choose another store")))
    }
}

/// Where the curve of a state is: its part, the index of its group in the part, and its index in the group.
struct Place {
    part: PartId,
    nth: usize,
    class: usize,
}

/// Returns the distribution in the part with the empty card, from 0 on.
fn start_distribution(curves: &PartCurves<f64>) -> Vec<f64> {
    let group = curves.group(0);
    let mut probability = vec![0.0; group.windows()[0].first.into()];
    probability.extend_from_slice(group.values(0));
    probability
}

/// Returns the utility of a card.
fn utility_at(curves: &PartCurves<f64>, place: &Place, card: &Card) -> f64 {
    let group = curves.group(place.nth);
    group.values(place.class)[usize::from(card.total() - group.windows()[place.class].first)]
}

/// A solve in progress.
struct Run<'a, R: Recurrence> {
    store: &'a CurveStore,
    solver: PartSolver<'a, R>,
    /// The index of each part that is stored, by position.
    indices: Vec<Option<Index>>,
    /// Whether each part must still be solved, by position.
    waiting: Vec<bool>,
    /// Whether parts stay in the store when no other part is solved from them any more.
    keep: bool,
    cache: PartCache<R::Cell>,
    /// The position of the part that is being solved.
    position: usize,
    /// The write of the last part, which runs while the next one is solved.
    pending: Option<(PartId, JoinHandle<Result<(), StoreError>>)>,
    work: Work<'a>,
    solved: usize,
    /// The number of parts that were stored at the start.
    existed: usize,
    started: Instant,
    /// The time spent solving, reading and waiting for writes.
    spent: [Duration; 3],
}

impl<'a, R: Recurrence> Run<'a, R>
where
    R::Cell: Stored,
{
    fn new(
        store: &'a CurveStore,
        recurrence: R,
        memory: usize,
        keep: bool,
        observer: &'a dyn Observer,
    ) -> Result<Run<'a, R>, StoreError> {
        let partition = &store.partition;
        let needed = needed_memory::<R::Cell>(partition);
        if needed > memory {
            return Err(too_little(store.game(), needed, memory));
        }
        store.folder.remove_abandoned();
        let all = partition.parts().count();
        let (name, curves) = (store.game().rules().name(), store.curves.name());
        let mut run = Run {
            store,
            solver: PartSolver::new(partition, recurrence),
            indices: vec![None; all],
            waiting: vec![false; all],
            keep,
            cache: PartCache::new(cache_bytes::<R::Cell>(partition, memory)),
            position: 0,
            pending: None,
            work: Work::new(observer, format!("solving {name} in parts ({curves})")),
            solved: 0,
            existed: 0,
            started: Instant::now(),
            spent: [Duration::ZERO; 3],
        };
        for (part, index) in partition.parts().zip(store.indices()?) {
            match index {
                Some(Ok(index)) => run.indices[partition.position(part)] = Some(index),
                Some(Err(damage)) => run.remove_damaged(part, &damage)?,
                None => {}
            }
        }
        run.existed = run.indices.iter().flatten().count();
        Ok(run)
    }

    fn summary(&self) -> SolveSummary {
        let (boxes, fixed) = (self.store.game().space().boxes(), self.store.partition.fixed().len());
        let [solving, reading, writing] = self.spent.map(|time| time.as_secs_f64());
        SolveSummary {
            values: self.indices.iter().flatten().map(|index| index.summary.values).sum(),
            parts_solved: self.solved,
            // Parts that were stored but damaged count as solved.
            parts_done_before: self.existed.min(self.indices.len().saturating_sub(self.solved)),
            io: self.store.folder.io(),
            inputs: self.cache.summary,
            cremers: Cremers { boxes: boxes as u32, fixed: fixed as u32 }.figures(),
            seconds_solving: solving,
            seconds_reading: reading,
            seconds_waiting_for_writes: writing,
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }

    fn index(&self, part: PartId) -> Option<&Index> {
        self.indices[self.store.partition.position(part)].as_ref()
    }

    /// Solves a part, and all others if they are kept; otherwise, only those that are needed. With `check`, reads the parts
    /// that are stored, and solves them again if they are damaged.
    fn solve_to(&mut self, last: PartId, check: bool) -> Result<(), StoreError> {
        let partition = &self.store.partition;
        // From the last part back: a part that is not stored is solved if it is kept, or if one that is solved needs it.
        let mut parts: Vec<PartId> = partition.parts().collect();
        parts.reverse();
        for part in parts {
            let is_needed = self.keep
                || part == last
                || partition.outputs(part).iter().any(|&output| self.waiting[partition.position(output)]);
            self.waiting[partition.position(part)] = is_needed && self.index(part).is_none();
        }
        let sizes: Vec<usize> = partition.parts().map(|part| partition.size(part).values.max(1)).collect();
        let all: usize = sizes.iter().sum();
        let mut done: usize = 0;
        for (position, part) in partition.parts().enumerate() {
            self.work.step(done, all)?;
            self.position = position;
            if self.waiting[position] {
                self.solve_part(part)?;
            } else if check {
                self.check_part(part)?;
            }
            done += sizes[position];
        }
        self.finish_write()?;
        if !self.keep {
            // A run that was interrupted may have left parts that are not needed.
            let others = partition.parts().filter(|&part| part != last && self.index(part).is_some());
            self.store.folder.remove(&others.map(part_name).collect::<Vec<_>>())?;
        }
        self.work.report(all, all);
        Ok(())
    }

    /// Solves a part and starts to write it.
    fn solve_part(&mut self, part: PartId) -> Result<Arc<PartCurves<R::Cell>>, StoreError> {
        let partition = &self.store.partition;
        let mut inputs = Vec::new();
        for input in partition.inputs(part) {
            inputs.push((input, self.curves(input)?));
        }
        let started = Instant::now();
        let (curves, groups) =
            self.solver.solve(part, &inputs, &self.work, |group| frame::encode(group.view()))?;
        let needed = curves.values() + inputs.iter().map(|(_, input)| input.values()).sum::<usize>();
        let summary = &mut self.cache.summary;
        summary.most_needed_values = summary.most_needed_values.max(needed as u64);
        drop(inputs);
        let (bytes, index) = self.store.object::<R::Cell>(part, &groups);
        drop(groups);
        self.spent[0] += started.elapsed();
        let position = partition.position(part);
        self.indices[position] = Some(index);
        self.waiting[position] = false;
        self.solved += 1;
        self.finish_write()?;
        let folder = Arc::clone(&self.store.folder);
        self.pending = Some((part, std::thread::spawn(move || parts::write(&folder, part, bytes))));
        let curves = Arc::new(curves);
        self.hold(part, &curves);
        Ok(curves)
    }

    /// Returns the curves of a part: from memory, from the store, or solved again if its object is damaged or missing.
    fn curves(&mut self, part: PartId) -> Result<Arc<PartCurves<R::Cell>>, StoreError> {
        if let Some(curves) = self.cache.get(part) {
            return Ok(curves);
        }
        if self.pending.as_ref().is_some_and(|(written, _)| *written == part) {
            self.finish_write()?;
        }
        match self.read(part)? {
            Some(Ok(curves)) => {
                self.cache.count_miss(&curves);
                let curves = Arc::new(curves);
                self.hold(part, &curves);
                Ok(curves)
            }
            Some(Err(damage)) => {
                self.remove_damaged(part, &damage)?;
                self.solve_part(part)
            }
            None => {
                let damage = Damage::missing();
                self.work.observer().notice(&format!("{}: {damage}; it is solved again", part_name(part)));
                self.solve_part(part)
            }
        }
    }

    fn read(&mut self, part: PartId) -> Result<Option<ReadPart<R::Cell>>, StoreError> {
        let started = Instant::now();
        let read = self.store.read(part, self.solver.recurrence().outside());
        self.spent[1] += started.elapsed();
        read
    }

    /// Reads a part of a complete table, and solves it again if it is damaged.
    fn check_part(&mut self, part: PartId) -> Result<(), StoreError> {
        if let Some(Err(damage)) = self.read(part)? {
            self.remove_damaged(part, &damage)?;
            self.solve_part(part)?;
        }
        Ok(())
    }

    /// Holds a part in memory until the last part that is solved from it.
    fn hold(&mut self, part: PartId, curves: &Arc<PartCurves<R::Cell>>) {
        let (partition, position, waiting) = (&self.store.partition, self.position, &self.waiting);
        let next_use = |part: PartId| {
            let later = partition.outputs(part).into_iter().map(|output| partition.position(output));
            later.filter(|&output| output >= position && waiting[output]).min()
        };
        self.cache.add(part, curves, next_use);
    }

    fn remove_damaged(&mut self, part: PartId, damage: &Damage) -> Result<(), StoreError> {
        let name = part_name(part);
        self.work.observer().notice(&format!("{name} is damaged ({damage}): it is solved again"));
        self.indices[self.store.partition.position(part)] = None;
        self.store.folder.remove(&[name])
    }

    /// Waits for the last write. Then removes the inputs of that part that no other part needs, if parts are not kept.
    fn finish_write(&mut self) -> Result<(), StoreError> {
        let Some((part, writing)) = self.pending.take() else { return Ok(()) };
        let started = Instant::now();
        let written = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.spent[2] += started.elapsed();
        written?;
        if self.keep {
            return Ok(());
        }
        let partition = &self.store.partition;
        let is_waiting = |&output: &PartId| self.waiting[partition.position(output)];
        let unused = |input: &PartId| !partition.outputs(*input).iter().any(is_waiting);
        let names: Vec<String> = partition.inputs(part).into_iter().filter(unused).map(part_name).collect();
        self.store.folder.remove(&names)
    }
}

impl<R: Recurrence> Drop for Run<'_, R> {
    fn drop(&mut self) {
        if let Some((_, writing)) = self.pending.take() {
            // An error of the write is less important than the one that ended the run.
            let _ = writing.join();
        }
    }
}
