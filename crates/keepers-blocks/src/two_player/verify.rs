//! Checks a store: hashes, bounds, monotonicity, and a sample of values that are solved again.

use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{DuelTask, Retain, TaskId, TaskSolver};
use keepers::internals::turn::Number;
use keepers::{Observer, RandomStream};
use serde::Serialize;

use super::layer_reader::LayerReader;
use super::{Lanes, Manifest, TwoPlayerStore, manifest_name, object_name};
use crate::encoding::Encoding;
use crate::error::{Damage, StoreError};
use crate::object::{Header, ObjectWriter, block_hash};

/// How much to check.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// Blocks of each layer to solve again from the layer below.
    pub blocks: usize,
    /// Positions of each layer to solve again to the end of the game.
    pub duels: usize,
    /// The seed of the samples.
    pub seed: u64,
    /// The most memory of a duel, in bytes.
    pub duel_bytes: usize,
    /// The most turns of a duel: larger ones are left out.
    pub duel_turns: usize,
}

/// What was checked.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Verified {
    /// Layers whose objects are stored.
    pub layers: usize,
    /// Objects whose hashes were checked.
    pub objects: usize,
    /// Blocks whose values were checked: hash, bounds and monotonicity.
    pub blocks: usize,
    /// Of these, blocks that were solved again from the layer below, with the same bits.
    pub solved_again: usize,
    /// Positions that were solved again to the end of the game.
    pub duels: usize,
    /// Positions that were left out because their duels are too large.
    pub too_large: usize,
    /// The largest difference between a duel and the stored value.
    pub largest_difference: f64,
    /// The bound on that difference.
    pub error_bound: f64,
}

impl TwoPlayerStore {
    /// Checks the layers whose objects are stored.
    ///
    /// # Errors
    /// If something is wrong: the message names the object. Or if the store fails, or if the work is cancelled.
    pub fn verify(&self, options: VerifyOptions, observer: &dyn Observer) -> Result<Verified, StoreError> {
        let work = Work::new(observer, "checking");
        let mut verified = Verified::default();
        let layers = self.complete.layers();
        let mut below: Option<LayerReader<'_>> = None;
        let mut below_manifest: Option<(Manifest, String)> = None;
        let mut missing: Option<usize> = None;
        for layer in 0..layers {
            work.step(layer, layers)?;
            let Some((manifest, hash)) = self.manifest(layer)? else {
                // A copy has only the layers of the opening, a solve that is not finished only those of the end.
                let is_left_out = self.is_copy && below_manifest.is_none();
                missing = missing.or(Some(layer).filter(|_| !is_left_out));
                continue;
            };
            if let Some(missing) = missing {
                return Err(StoreError::Missing(format!(
                    "{} is missing, but later layers are solved: run `keepers two-player solve`",
                    manifest_name(missing)
                )));
            }
            let is_chained = layer > 0 && !self.is_copy;
            if is_chained && manifest.below.as_ref() != below_manifest.as_ref().map(|(_, hash)| hash) {
                return Err(self.broken_chain(layer));
            }
            verified.error_bound = manifest.error_bound;
            let stored = self.existing(layer)?;
            if !stored.contains(&true) {
                below = None;
                below_manifest = Some((manifest, hash));
                continue;
            }
            let reader = self.reader(layer)?;
            verified.layers += 1;
            self.verify_hashes(layer, &reader)?;
            verified.objects += stored.len();
            self.verify_manifest(
                &manifest,
                &reader,
                below.is_some(),
                below_manifest.as_ref().map(|(below, _)| below),
            )?;
            let mut random = RandomStream::new(options.seed, layer as u64);
            for _ in 0..options.blocks {
                work.check()?;
                let task = TaskId { layer, other: pick(&mut random, self.complete.tasks(layer)) };
                let mover = pick(&mut random, self.complete.blocks(layer));
                self.verify_block(&reader, below.as_ref(), task, mover, &work, &mut verified)?;
            }
            for _ in 0..options.duels {
                work.check()?;
                let task = TaskId { layer, other: pick(&mut random, self.complete.tasks(layer)) };
                let mover = pick(&mut random, self.complete.blocks(layer));
                self.verify_duel(
                    &reader,
                    task,
                    mover,
                    &mut random,
                    (options, manifest.error_bound),
                    &mut verified,
                )?;
            }
            // The values of a copy do not follow from each other.
            below = (!self.is_copy).then_some(reader);
            below_manifest = Some((manifest, hash));
        }
        work.report(layers, layers);
        Ok(verified)
    }

    /// Checks the header and the hashes of every object of a layer.
    fn verify_hashes(&self, layer: usize, reader: &LayerReader<'_>) -> Result<(), StoreError> {
        let indices: Vec<_> = reader.indices().iter().cloned().enumerate().collect();
        self.each_hashes(layer, &indices, |other, hashes| match hashes {
            Ok(_) => Ok(()),
            Err(damage) => Err(self.damaged(&object_name(TaskId { layer, other }), damage)),
        })
    }

    /// Checks that a manifest is the one that follows from the objects of its layer, and from the layer below if that is
    /// stored.
    fn verify_manifest(
        &self,
        manifest: &Manifest,
        reader: &LayerReader<'_>,
        has_inputs: bool,
        below: Option<&Manifest>,
    ) -> Result<(), StoreError> {
        let layer = manifest.layer;
        let inputs = if layer > 0 && has_inputs {
            self.row_hashes(layer - 1)?.into_iter().map(Some).collect()
        } else {
            manifest.tasks.iter().map(|task| task.inputs.clone()).collect()
        };
        let error_bound =
            if self.is_copy { manifest.error_bound } else { self.error_bound(below, reader.indices()) };
        let expected = self.manifest_of(layer, reader.indices(), manifest.below.clone(), inputs, error_bound);
        if *manifest == expected {
            return Ok(());
        }
        let what = "it is not the one that follows from the objects of its layer and of the layer below";
        Err(self.damaged(&manifest_name(layer), Damage(what.into())))
    }

    /// Checks the values of a block, and solves it again if the layer below is stored.
    fn verify_block(
        &self,
        reader: &LayerReader<'_>,
        below: Option<&LayerReader<'_>>,
        task: TaskId,
        mover: usize,
        work: &Work<'_>,
        verified: &mut Verified,
    ) -> Result<(), StoreError> {
        let name = object_name(task);
        let wrong = |what: &str| self.damaged(&name, Damage(format!("{what} in block {mover}")));
        let (values, curves) = reader.block(task.other, mover)?;
        let at = reader.index(task.other).hashes(mover..mover + 1);
        let hash = &self.folder.ranges([(name.as_str(), at)])?[0];
        if block_hash(self.settings.encoding, &values) != **hash {
            return Err(wrong("the values do not have their hash"));
        }
        if curves != self.complete.curves(task, mover) {
            return Err(wrong("the leads are not those of the game"));
        }
        if values.iter().any(|value| !(0.0..=1.0).contains(value)) {
            return Err(wrong("a value is not between 0 and 1"));
        }
        let mut rest = values.as_slice();
        for &length in &curves {
            let (curve, after) = rest.split_at(length as usize);
            if !curve.is_sorted() {
                return Err(wrong("a value falls as the lead rises"));
            }
            rest = after;
        }
        verified.blocks += 1;
        if task.layer == 0 && !self.is_copy || below.is_some() {
            let again = match self.settings.lanes {
                Lanes::F64 => self.solve_again::<f64, 8>(below, task, mover, work)?,
                Lanes::F32 | Lanes::F32Settled => self.solve_again::<f32, 16>(below, task, mover, work)?,
            };
            if again != **hash {
                return Err(wrong("the values are not those that follow from the layer below"));
            }
            verified.solved_again += 1;
        }
        Ok(())
    }

    /// Solves a block again from its inputs. Returns the hash of its values.
    fn solve_again<T: Number, const W: usize>(
        &self,
        below: Option<&LayerReader<'_>>,
        task: TaskId,
        mover: usize,
        work: &Work<'_>,
    ) -> Result<[u8; 16], StoreError> {
        let solver: TaskSolver<'_, T, W> =
            TaskSolver::new(&self.complete, Threads::One).settling(self.settings.lanes.settled());
        let filled = self.complete.filled_by_mover(task.layer, mover);
        let read = |input: TaskId, values: &mut Vec<T>| {
            if filled.minus(self.complete.filled(input)).is_empty() {
                let below = below.expect("only layer 0 has no layer below");
                let (block, _) = below.block(input.other, task.other)?;
                values.extend(block.into_iter().map(T::nearest));
            }
            Ok::<(), StoreError>(())
        };
        let solved = solver.solve(task, &[mover], work, read)?;
        let mut writer = ObjectWriter::new(Header { blocks: 1, ..self.header(task) });
        writer.add(&solved.values, &self.complete.curves(task, mover));
        Ok(writer.hash_of_block(0))
    }

    /// Solves a position to the end of the game, and compares its value with the stored one.
    fn verify_duel(
        &self,
        reader: &LayerReader<'_>,
        task: TaskId,
        mover: usize,
        random: &mut RandomStream,
        (options, error_bound): (VerifyOptions, f64),
        verified: &mut Verified,
    ) -> Result<(), StoreError> {
        let (values, _) = reader.block(task.other, mover)?;
        if values.is_empty() {
            return Ok(());
        }
        let index = pick(random, values.len());
        let Some([to_move, other]) = self.complete.position(task, mover, index) else { return Ok(()) };
        let silent = Work::silent();
        let failed = |error: keepers::errors::DuelError| StoreError::Request(error.to_string());
        let duel = DuelTask::from_standings(self.game(), &to_move, &other, &silent).map_err(failed)?;
        let cost = duel.cost(Retain::Root, &silent)?;
        if cost.turns > options.duel_turns || cost.bytes > options.duel_bytes {
            verified.too_large += 1;
            return Ok(());
        }
        let solved = 1.0 - duel.solve(Retain::Root, &silent)?.value();
        let difference = (solved - values[index]).abs();
        let is_exact = self.settings.encoding == Encoding::F64 && self.settings.lanes == Lanes::F64;
        if difference > error_bound || is_exact && solved != 1.0 - (1.0 - values[index]) {
            return Err(self.damaged(
                &object_name(task),
                Damage(format!(
                    "value {index} of block {mover} is {}, but a duel gives {solved}",
                    values[index]
                )),
            ));
        }
        verified.largest_difference = verified.largest_difference.max(difference);
        verified.duels += 1;
        Ok(())
    }
}

fn pick(random: &mut RandomStream, count: usize) -> usize {
    (random.unit() * count as f64) as usize
}
