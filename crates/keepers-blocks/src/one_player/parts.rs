//! Reads and writes the objects of parts.

use std::sync::Arc;

use keepers::internals::solve::{PartCurves, PartId};

use super::frame::{self, EncodedGroup, Stored};
use super::{CurveStore, part_name};
use crate::error::{Damage, StoreError};
use crate::object::{HEADER, Header, Index, ObjectWriter};
use crate::store::ObjectFolder;
use crate::two_player::hex;

/// The curves of a part as they were read, or what is wrong with its object.
pub(super) type ReadPart<T> = Result<PartCurves<T>, Damage>;

/// The bytes at the end of an object that are read first. Enough for the table of most parts.
const TAIL: u64 = 256 << 10;

impl CurveStore {
    /// Returns the index of each part whose object exists, in the order of the parts. The index of an object that is
    /// visibly damaged is an error.
    pub(super) fn indices(&self) -> Result<Vec<Option<Result<Index, Damage>>>, StoreError> {
        let parts: Vec<PartId> = self.partition.parts().collect();
        let names: Vec<String> = parts.iter().map(|&part| part_name(part)).collect();
        let existing: std::collections::HashSet<String> =
            self.folder.list("")?.into_iter().map(|(name, _)| name).collect();
        let some: Vec<usize> = (0..parts.len()).filter(|&nth| existing.contains(&names[nth])).collect();
        let mut found: Vec<Option<Result<Index, Damage>>> = vec![None; parts.len()];
        for nth in some {
            found[nth] = self.index(parts[nth])?;
        }
        Ok(found)
    }

    /// Returns the index of a part, or `None` if its object does not exist.
    pub(super) fn index(&self, part: PartId) -> Result<Option<Result<Index, Damage>>, StoreError> {
        let name = part_name(part);
        let Some(tail) = self.folder.tails(std::slice::from_ref(&name), TAIL)?.remove(0) else {
            return Ok(None);
        };
        let more;
        let (size, mut parsed) = (tail.size, Index::parse(tail.size, &tail.bytes));
        if let Ok(Err(needed)) = parsed {
            more = self.folder.ranges([(name.as_str(), size - needed..size)])?.remove(0);
            parsed = Index::parse(size, &more);
        }
        let index = match parsed {
            Ok(Ok(index)) => index,
            Ok(Err(_)) => return Ok(Some(Err(Damage("its end cannot be read".into())))),
            Err(damage) => return Ok(Some(Err(damage))),
        };
        let hashes = index.hashes(0..index.blocks());
        let read = self.folder.ranges([(name.as_str(), 0..HEADER as u64), (name.as_str(), hashes)])?;
        Ok(Some(self.check(part, &read[0], &read[1], &index).map(|()| index)))
    }

    /// Checks that an object is the one of a part, and that its hash is that of its hashes.
    fn check(&self, part: PartId, header: &[u8], hashes: &[u8], index: &Index) -> Result<(), Damage> {
        let header = Header::parse(header)?;
        if header != self.header(part, header.encoding) || index.blocks() != header.blocks as usize {
            return Err(Damage("it belongs to another part or to other rules".into()));
        }
        index.check_hashes(&header, hashes)
    }

    /// Reads the curves of a part. Returns `None` if its object does not exist.
    pub(super) fn read<T: Stored>(
        &self,
        part: PartId,
        outside: [T; 2],
    ) -> Result<Option<ReadPart<T>>, StoreError> {
        let Some(bytes) = self.folder.get(&part_name(part))? else { return Ok(None) };
        match self.decode(part, &bytes, outside) {
            Ok(curves) => Ok(Some(Ok(curves))),
            Err(ReadError::Damage(damage)) => Ok(Some(Err(damage))),
            Err(ReadError::Work(error)) => Err(error.into()),
        }
    }

    fn decode<T: Stored>(
        &self,
        part: PartId,
        bytes: &[u8],
        outside: [T; 2],
    ) -> Result<PartCurves<T>, ReadError> {
        let index = Index::parse(bytes.len() as u64, bytes)?;
        let index = index.map_err(|_| Damage("it is cut off".into()))?;
        let hashes = index.hashes(0..index.blocks());
        let hashes = bytes.get(hashes.start as usize..hashes.end as usize).unwrap_or_default();
        self.check(part, bytes, hashes, &index)?;
        let sizes = self.sizes::<T>(part, &index)?;
        PartCurves::read(&sizes, outside, |nth, writer| {
            let mut decompressor =
                zstd::bulk::Decompressor::new().map_err(|error| Damage(error.to_string()))?;
            let raw = index.unpack(nth, bytes, 0, &mut decompressor)?;
            Ok(frame::decode(&raw, writer)?)
        })
    }

    /// Returns the numbers of curves and of values of all groups of a part.
    pub(super) fn sizes<T: Stored>(
        &self,
        part: PartId,
        index: &Index,
    ) -> Result<Vec<(usize, usize)>, Damage> {
        let groups = self.partition.groups(part);
        if index.frame_count() != groups.len() {
            return Err(Damage("it does not have one frame per group".into()));
        }
        let space = self.game().space();
        let size = |(nth, &group): (usize, &u32)| {
            let curves = space.states_of(&space.groups()[group as usize]).len();
            Ok((curves, frame::values_in::<T>(index.decoded_bytes(nth), curves)?))
        };
        groups.iter().enumerate().map(size).collect()
    }

    /// Returns the object of a part, and its index.
    pub(super) fn object<T: Stored>(&self, part: PartId, groups: &[EncodedGroup]) -> (Vec<u8>, Index) {
        let mut writer = ObjectWriter::new(self.header(part, T::ENCODING));
        groups.iter().for_each(|group| writer.add_frame(&group.frame, group.hash, &group.summary));
        let (bytes, _, _) = writer.finish();
        let Ok(Ok(index)) = Index::parse(bytes.len() as u64, &bytes) else {
            unreachable!("an object that was just written can be read")
        };
        (bytes, index)
    }
}

/// Writes the object of a part. If it exists, it must have the same hash.
pub(super) fn write(folder: &Arc<ObjectFolder>, part: PartId, bytes: Vec<u8>) -> Result<(), StoreError> {
    let name = part_name(part);
    let solved = hash_in(&bytes);
    if folder.create(&name, bytes)? {
        return Ok(());
    }
    let stored = folder.get(&name)?.map(|bytes| hash_in(&bytes)).unwrap_or_default();
    if stored == solved { Ok(()) } else { Err(StoreError::Conflict { name, stored, solved }) }
}

/// Returns the hash of an object, in hexadecimal.
fn hash_in(bytes: &[u8]) -> String {
    match Index::parse(bytes.len() as u64, bytes) {
        Ok(Ok(index)) => hex(&index.hash),
        _ => "of a damaged object".into(),
    }
}

enum ReadError {
    Damage(Damage),
    Work(keepers::WorkError),
}

impl From<Damage> for ReadError {
    fn from(damage: Damage) -> ReadError {
        ReadError::Damage(damage)
    }
}

impl From<keepers::WorkError> for ReadError {
    fn from(error: keepers::WorkError) -> ReadError {
        ReadError::Work(error)
    }
}
