//! Reads rows of a layer: all blocks in which some box sets are to move.

use std::ops::Range;

use keepers::internals::solve::TaskId;
use keepers::internals::turn::Number;

use super::{Manifest, TwoPlayerStore, hex, object_name};
use crate::error::{Damage, StoreError};
use crate::object::{HEADER, Header, Index};
use crate::store::Tail;

/// The bytes that are read from the end of an object to find its table of frames. They hold those of 5 MB of values.
const TAIL: u64 = 2680;

/// The number of objects whose bytes are in memory at the same time.
const OBJECTS_AT_A_TIME: usize = 128;

/// A complete layer whose blocks can be read.
pub(super) struct LayerReader<'a> {
    store: &'a TwoPlayerStore,
    names: Vec<String>,
    indices: Vec<Index>,
}

/// A row: the values of all blocks in which one box set is to move, in the order of the other player's box sets.
#[derive(Clone, Debug)]
pub(super) struct BlockRow<T> {
    values: Vec<T>,
    ends: Vec<usize>,
}

impl<T> BlockRow<T> {
    /// Returns the values of the block with the `nth` box set of the other player.
    pub fn block(&self, nth: usize) -> &[T] {
        &self.values[if nth == 0 { 0 } else { self.ends[nth - 1] }..self.ends[nth]]
    }
}

impl TwoPlayerStore {
    /// Returns the index of every object of a layer, or what is wrong with the object.
    pub(super) fn indices(&self, layer: usize) -> Result<Vec<Result<Index, Damage>>, StoreError> {
        let tasks = self.complete.tasks(layer);
        let names: Vec<String> = (0..tasks).map(|other| object_name(TaskId { layer, other })).collect();
        self.indices_of(&names)
    }

    /// Returns the index of each of some objects, or what is wrong with the object.
    pub(super) fn indices_of(&self, names: &[String]) -> Result<Vec<Result<Index, Damage>>, StoreError> {
        let mut indices = Vec::with_capacity(names.len());
        for (name, tail) in names.iter().zip(self.folder.tails(names, TAIL)?) {
            let Some(Tail { size, bytes }) = tail else {
                indices.push(Err(Damage::missing()));
                continue;
            };
            indices.push(match Index::parse(size, &bytes) {
                Ok(Ok(index)) => Ok(index),
                Ok(Err(needed)) => {
                    let longer = self.folder.tails(std::slice::from_ref(name), needed)?;
                    let longer = longer.into_iter().flatten().next();
                    match longer.map(|tail| Index::parse(tail.size, &tail.bytes)) {
                        Some(Ok(Ok(index))) => Ok(index),
                        Some(Err(damage)) => Err(damage),
                        _ => Err(Damage("it changes while it is read".into())),
                    }
                }
                Err(damage) => Err(damage),
            });
        }
        Ok(indices)
    }

    /// Returns the index of each of some tasks of a layer whose header and hashes are right, or what is wrong with the
    /// object.
    pub(super) fn checked_indices(
        &self,
        layer: usize,
        tasks: Range<usize>,
    ) -> Result<Vec<Result<Index, Damage>>, StoreError> {
        let names: Vec<String> = tasks.clone().map(|other| object_name(TaskId { layer, other })).collect();
        let mut indices = self.indices_of(&names)?;
        let found: Vec<(usize, Index)> = tasks
            .clone()
            .zip(&indices)
            .filter_map(|(other, index)| Some((other, index.clone().ok()?)))
            .collect();
        self.each_hashes(layer, &found, |other, hashes| {
            if let Err(damage) = hashes {
                indices[other - tasks.start] = Err(damage);
            }
            Ok(())
        })?;
        Ok(indices)
    }

    /// Calls `visit` with each of some tasks of a layer and the hashes of its blocks, or with what is wrong with its
    /// header or its hashes.
    pub(super) fn each_hashes(
        &self,
        layer: usize,
        indices: &[(usize, Index)],
        mut visit: impl FnMut(usize, Result<&[u8], Damage>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let blocks = self.complete.blocks(layer);
        for indices in indices.chunks(OBJECTS_AT_A_TIME) {
            let names: Vec<String> =
                indices.iter().map(|(other, _)| object_name(TaskId { layer, other: *other })).collect();
            // Every object has a header and an end, which are longer than this.
            let hashes_of =
                |index: &Index| if index.blocks() == blocks { index.hashes(0..blocks) } else { 0..1 };
            let ranges = names.iter().zip(indices).flat_map(|(name, (_, index))| {
                [(name.as_str(), 0..HEADER as u64), (name.as_str(), hashes_of(index))]
            });
            let bytes = self.folder.ranges(ranges)?;
            for ((other, index), bytes) in indices.iter().zip(bytes.as_chunks::<2>().0) {
                let expected = self.header(TaskId { layer, other: *other });
                let checked = Header::parse(&bytes[0]).and_then(|header| {
                    if header != expected || index.blocks() != blocks {
                        return Err(Damage("it belongs to another task".into()));
                    }
                    index.check_hashes(&header, &bytes[1])
                });
                visit(*other, checked.map(|()| &*bytes[1]))?;
            }
        }
        Ok(())
    }

    /// Checks that the object of a task is the one in the manifest.
    pub(super) fn in_manifest(
        &self,
        manifest: &Manifest,
        task: usize,
        index: Result<Index, Damage>,
    ) -> Result<Index, Damage> {
        let index = index?;
        if hex(&index.hash) != manifest.tasks[task].hash {
            return Err(Damage("its hash is not the one in the manifest".into()));
        }
        if index.blocks() != self.complete.blocks(manifest.layer) {
            return Err(Damage("it has another number of blocks".into()));
        }
        Ok(index)
    }

    /// Opens a complete layer for reading. Checks that its objects are those of its manifest.
    pub(super) fn reader(&self, layer: usize) -> Result<LayerReader<'_>, StoreError> {
        let (manifest, _) = self.required_manifest(layer)?;
        let tasks = self.complete.tasks(layer);
        let names: Vec<String> = (0..tasks).map(|other| object_name(TaskId { layer, other })).collect();
        let indices = self.indices_of(&names)?;
        let indices = names.iter().zip(indices).enumerate().map(|(nth, (name, index))| {
            self.in_manifest(&manifest, nth, index).map_err(|damage| self.damaged(name, damage))
        });
        let indices = indices.collect::<Result<Vec<Index>, StoreError>>()?;
        Ok(LayerReader { store: self, names, indices })
    }

    /// Opens a single object for reading, as task 0 of the reader.
    pub(super) fn object_reader(&self, task: TaskId, index: Index) -> LayerReader<'_> {
        LayerReader { store: self, names: vec![object_name(task)], indices: vec![index] }
    }
}

impl LayerReader<'_> {
    /// Returns the rows of consecutive box sets of the mover.
    pub fn rows<T: Number>(&self, movers: Range<usize>) -> Result<Vec<BlockRow<T>>, StoreError> {
        let new = || BlockRow { values: Vec::new(), ends: Vec::with_capacity(self.names.len()) };
        let mut rows: Vec<BlockRow<T>> = movers.clone().map(|_| new()).collect();
        let encoding = self.store.settings.encoding;
        for (names, indices) in
            self.names.chunks(OBJECTS_AT_A_TIME).zip(self.indices.chunks(OBJECTS_AT_A_TIME))
        {
            let location = |(name, index): (&String, &Index)| (name.clone(), index.frames(movers.clone()).1);
            let locations: Vec<(String, Range<u64>)> = names.iter().zip(indices).map(location).collect();
            let found =
                self.store.folder.ranges(locations.iter().map(|(name, at)| (name.as_str(), at.clone())));
            for (bytes, (name, index)) in found?.iter().zip(names.iter().zip(indices)) {
                let decoded = index.decode(encoding, movers.clone(), bytes, |block, values: &[T], _| {
                    let row = &mut rows[block - movers.start];
                    row.values.extend_from_slice(values);
                    row.ends.push(row.values.len());
                });
                decoded.map_err(|damage| self.store.damaged(name, damage))?;
            }
        }
        Ok(rows)
    }

    /// Returns the indices of all objects of the layer.
    pub fn indices(&self) -> &[Index] {
        &self.indices
    }

    /// Returns the index of the object of a task.
    pub fn index(&self, task: usize) -> &Index {
        &self.indices[task]
    }

    /// Calls `visit` with the values and the curve lengths of every block of a task.
    pub fn each_block(&self, task: usize, mut visit: impl FnMut(&[f64], &[u32])) -> Result<(), StoreError> {
        let (name, index) = (&self.names[task], &self.indices[task]);
        let blocks = 0..index.blocks();
        let bytes = self.store.folder.ranges([(name.as_str(), index.frames(blocks.clone()).1)])?;
        index
            .decode(self.store.settings.encoding, blocks, &bytes[0], |_, values, curves| {
                visit(values, curves)
            })
            .map_err(|damage| self.store.damaged(name, damage))
    }

    /// Returns the values of one block, and the lengths of its curves.
    pub fn block(&self, task: usize, mover: usize) -> Result<(Vec<f64>, Vec<u32>), StoreError> {
        let (name, index) = (&self.names[task], &self.indices[task]);
        let bytes = self.store.folder.ranges([(name.as_str(), index.frames(mover..mover + 1).1)])?;
        let (mut found, mut curves) = (Vec::new(), Vec::new());
        index
            .decode(
                self.store.settings.encoding,
                mover..mover + 1,
                &bytes[0],
                |_, values: &[f64], lengths| {
                    found = values.to_vec();
                    curves = lengths.to_vec();
                },
            )
            .map_err(|damage| self.store.damaged(name, damage))?;
        Ok((found, curves))
    }
}
