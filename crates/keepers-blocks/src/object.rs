//! The format of an object: the blocks of one task.
//!
//! All numbers are little-endian.
//!
//! | part | bytes | contents |
//! |---|---|---|
//! | header | 8 | magic `KPBLOCKS` |
//! | | 4 | version: 1 |
//! | | 4 | kind: 1 for a task of the two-player game, 2 for reach curves, 3 for distributions, 4 for utilities |
//! | | 32 | fingerprint of the rules |
//! | | 4, 4 | layer and task |
//! | | 8 | filled boxes of the task, as a mask |
//! | | 4, 4 | encoding (0 `f64`, 1 `f32`, 2 `d16`), and bytes of a lane in which values were computed (8 or 4) |
//! | | 4, 4 | number of blocks; 0 |
//! | frames | | see `encoding.rs` (kind 1) and `one_player/frame.rs` (other kinds), compressed with zstd where that saves at least 1 byte in 16 |
//! | hashes | 16 per block | hash of its values |
//! | table | 32 per frame | first block (4), 1 if compressed (4), offset in the object (8), stored and decoded size (4, 4), first 8 bytes of the blake3 hash of the stored bytes |
//! | trailer | 8 | number of values |
//! | | 8, 8, 8, 8 | sum, least and greatest value, and the largest error of the encoding, in double precision |
//! | | 4, 4 | number of frames; 0 |
//! | | 8, 8 | offsets of hashes and table |
//! | | 16 | first 16 bytes of the blake3 hash of the table |
//! | | 32 | hash of the object |
//! | | 8 | magic `SKCOLBPK` |
//!
//! The hash of the object is the blake3 hash of the header, the first 40 bytes of the trailer, and the hashes. It depends
//! on the values, but not on frames and compression.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use keepers::internals::turn::Number;

use crate::encoding::{Encoding, Frame, FrameWriter, hash_of, stored_bytes};
use crate::error::Damage;

const MAGIC: &[u8; 8] = b"KPBLOCKS";
const END_MAGIC: &[u8; 8] = b"SKCOLBPK";
const VERSION: u32 = 1;
/// The size of a header, in bytes.
pub(crate) const HEADER: usize = 80;
/// The size of a trailer, in bytes.
pub(crate) const TRAILER: usize = 120;
const TABLE_ROW: usize = 32;
const HASH: usize = 16;

/// The size at which a frame is complete, before compression. Smaller frames compress worse, and a reader of one block
/// decodes a whole frame.
const FRAME_BYTES: usize = 64 << 10;

/// The level of compression. Level 3 saves another 1 % and takes twice as long.
const LEVEL: i32 = 1;

/// What an object contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A task of the two-player game.
    TwoPlayer,
    /// Reach curves of one player.
    Reach,
    /// Distributions of the points of one player.
    Distribution,
    /// Expected utilities of one player.
    Utility,
}

/// The first bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the object contains.
    pub kind: Kind,
    /// The fingerprint of the rules.
    pub fingerprint: [u8; 32],
    /// The layer.
    pub layer: u32,
    /// The index of the task in its layer.
    pub task: u32,
    /// The filled boxes that the task stands for, as a mask.
    pub filled: u64,
    /// How values are stored.
    pub encoding: Encoding,
    /// The bytes of the numbers in which values were computed.
    pub lane_bytes: u32,
    /// The number of blocks.
    pub blocks: u32,
}

impl Header {
    fn bytes(&self) -> [u8; HEADER] {
        let kind: u32 = match self.kind {
            Kind::TwoPlayer => 1,
            Kind::Reach => 2,
            Kind::Distribution => 3,
            Kind::Utility => 4,
        };
        let encoding = match self.encoding {
            Encoding::F64 => 0,
            Encoding::F32 => 1,
            Encoding::D16 => 2,
        };
        let mut out = Vec::with_capacity(HEADER);
        out.extend(MAGIC);
        [VERSION, kind].iter().for_each(|word: &u32| out.extend(word.to_le_bytes()));
        out.extend(self.fingerprint);
        [self.layer, self.task].iter().for_each(|word| out.extend(word.to_le_bytes()));
        out.extend(self.filled.to_le_bytes());
        let words = [encoding, self.lane_bytes, self.blocks, 0];
        words.iter().for_each(|word: &u32| out.extend(word.to_le_bytes()));
        out.try_into().expect("the parts have the size of a header")
    }

    /// Reads a header.
    pub fn parse(bytes: &[u8]) -> Result<Header, Damage> {
        let bytes: &[u8; HEADER] =
            bytes.first_chunk().ok_or_else(|| Damage("it is shorter than a header".into()))?;
        if &bytes[..8] != MAGIC {
            return Err(Damage("it does not start like a file of blocks".into()));
        }
        let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("within the header"));
        if word(8) != VERSION {
            return Err(Damage(format!(
                "it has version {} of the format, and this program reads version {VERSION}",
                word(8)
            )));
        }
        if word(76) != 0 {
            return Err(Damage("its header has changed".into()));
        }
        let unknown = |what: &str, number: u32| Damage(format!("it has the unknown {what} {number}"));
        Ok(Header {
            kind: match word(12) {
                1 => Kind::TwoPlayer,
                2 => Kind::Reach,
                3 => Kind::Distribution,
                4 => Kind::Utility,
                other => return Err(unknown("kind", other)),
            },
            fingerprint: *bytes[16..].first_chunk().expect("within the header"),
            layer: word(48),
            task: word(52),
            filled: u64::from_le_bytes(*bytes[56..].first_chunk().expect("within the header")),
            encoding: match word(64) {
                0 => Encoding::F64,
                1 => Encoding::F32,
                2 => Encoding::D16,
                other => return Err(unknown("encoding", other)),
            },
            lane_bytes: word(68),
            blocks: word(72),
        })
    }
}

/// Statistics of the values of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of values.
    pub values: u64,
    /// Their sum, added block by block.
    pub sum: f64,
    /// The least value; infinite if there are none.
    pub min: f64,
    /// The greatest value; minus infinity if there are none.
    pub max: f64,
    /// The largest error by which the encoding changed a value.
    pub error: f64,
}

/// An entry of the table of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FrameEntry {
    first_block: u32,
    compressed: bool,
    offset: u64,
    stored: u32,
    decoded: u32,
    check: u64,
}

/// The end of an object: everything but its frames.
#[derive(Clone, Debug)]
pub struct Index {
    /// Statistics of the values.
    pub summary: Summary,
    /// The hash of the object.
    pub hash: [u8; 32],
    blocks: usize,
    hashes_offset: u64,
    table: Vec<FrameEntry>,
}

/// A frame as it is stored.
pub(crate) struct PackedFrame {
    stored: Vec<u8>,
    compressed: bool,
    decoded: u32,
    check: u64,
}

impl PackedFrame {
    /// Compresses a frame if that saves enough.
    fn new(raw: Vec<u8>, compressor: &mut zstd::bulk::Compressor<'_>) -> PackedFrame {
        let decoded = raw.len() as u32;
        let compressed = compressor.compress(&raw).ok();
        let compressed = compressed.filter(|compressed| compressed.len() + raw.len() / 16 < raw.len());
        let (stored, compressed) = match compressed {
            Some(compressed) => (compressed, true),
            None => (raw, false),
        };
        PackedFrame { check: check_of(&stored), stored, compressed, decoded }
    }

    /// Compresses a frame if that saves enough, with a compressor of the current thread.
    pub fn pack(raw: Vec<u8>) -> PackedFrame {
        thread_local! {
            static COMPRESSOR: RefCell<zstd::bulk::Compressor<'static>> =
                RefCell::new(zstd::bulk::Compressor::new(LEVEL).expect("the level exists"));
        }
        COMPRESSOR.with_borrow_mut(|compressor| PackedFrame::new(raw, compressor))
    }
}

/// Encodes an object. Blocks are added in order.
pub struct ObjectWriter {
    header: Header,
    frame: FrameWriter,
    out: Vec<u8>,
    hashes: Vec<u8>,
    table: Vec<FrameEntry>,
    summary: Summary,
    stored: Vec<u8>,
    compressor: zstd::bulk::Compressor<'static>,
}

impl ObjectWriter {
    /// Starts an object.
    pub fn new(header: Header) -> ObjectWriter {
        ObjectWriter {
            header,
            frame: FrameWriter::new(header.encoding),
            out: header.bytes().to_vec(),
            hashes: Vec::new(),
            table: Vec::new(),
            summary: Summary { values: 0, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY, error: 0.0 },
            stored: Vec::new(),
            compressor: zstd::bulk::Compressor::new(LEVEL).expect("the level exists"),
        }
    }

    /// Adds a block: its curves, one after the other, and their lengths. The values of a curve are between 0 and 1 and
    /// never decrease.
    pub fn add<T: Number>(&mut self, values: &[T], curves: &[u32]) {
        self.stored.clear();
        self.frame.add(values, curves, &mut self.stored);
        self.hashes.extend(hash_of(&self.stored));
        let mut sum = 0.0;
        for &value in values {
            let value: f64 = value.into();
            sum += value;
            self.summary.min = self.summary.min.min(value);
            self.summary.max = self.summary.max.max(value);
        }
        self.summary.sum += sum;
        self.summary.values += values.len() as u64;
        if self.frame.bytes() >= FRAME_BYTES {
            self.end_frame();
        }
    }

    /// Returns the hash of a block that was added.
    pub fn hash_of_block(&self, nth: usize) -> [u8; 16] {
        *self.hashes[HASH * nth..].first_chunk().expect("the block was added")
    }

    fn end_frame(&mut self) {
        let blocks = self.frame.blocks();
        let raw = self.frame.finish();
        let first_block = (self.hashes.len() / HASH - blocks) as u32;
        let packed = PackedFrame::new(raw, &mut self.compressor);
        self.add_packed(first_block, &packed);
    }

    fn add_packed(&mut self, first_block: u32, frame: &PackedFrame) {
        self.table.push(FrameEntry {
            first_block,
            compressed: frame.compressed,
            offset: self.out.len() as u64,
            stored: frame.stored.len() as u32,
            decoded: frame.decoded,
            check: frame.check,
        });
        self.out.extend_from_slice(&frame.stored);
    }

    /// Adds a block that is a frame of its own and was packed on another thread: the hash of its values, and their
    /// statistics.
    pub(crate) fn add_frame(&mut self, frame: &PackedFrame, hash: [u8; 16], summary: &Summary) {
        let first_block = (self.hashes.len() / HASH) as u32;
        self.hashes.extend(hash);
        self.summary.values += summary.values;
        self.summary.sum += summary.sum;
        self.summary.min = self.summary.min.min(summary.min);
        self.summary.max = self.summary.max.max(summary.max);
        self.add_packed(first_block, frame);
    }

    /// Returns the bytes of the object, its summary and its hash.
    ///
    /// # Panics
    /// If the object does not have as many blocks as its header states.
    pub fn finish(mut self) -> (Vec<u8>, Summary, [u8; 32]) {
        if self.frame.blocks() > 0 {
            self.end_frame();
        }
        assert_eq!(self.hashes.len() / HASH, self.header.blocks as usize, "the object has other blocks");
        self.summary.error = self.frame.error;
        let hashes_offset = self.out.len() as u64;
        self.out.extend(&self.hashes);
        let table_offset = self.out.len();
        for entry in &self.table {
            self.out.extend(entry.first_block.to_le_bytes());
            self.out.extend(u32::from(entry.compressed).to_le_bytes());
            self.out.extend(entry.offset.to_le_bytes());
            self.out.extend(entry.stored.to_le_bytes());
            self.out.extend(entry.decoded.to_le_bytes());
            self.out.extend(entry.check.to_le_bytes());
        }
        let table_check = hash_of(&self.out[table_offset..]);
        let summary = summary_bytes(&self.summary);
        let hash = object_hash(&self.header.bytes(), &summary, &self.hashes);
        self.out.extend(summary);
        self.out.extend((self.table.len() as u32).to_le_bytes());
        self.out.extend(0_u32.to_le_bytes());
        self.out.extend(hashes_offset.to_le_bytes());
        self.out.extend((table_offset as u64).to_le_bytes());
        self.out.extend(table_check);
        self.out.extend(hash);
        self.out.extend(END_MAGIC);
        (self.out, self.summary, hash)
    }
}

fn summary_bytes(summary: &Summary) -> [u8; 40] {
    let numbers = [summary.sum, summary.min, summary.max, summary.error].map(f64::to_bits);
    let words = [summary.values, numbers[0], numbers[1], numbers[2], numbers[3]];
    let mut out = [0; 40];
    out.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    out
}

fn object_hash(header: &[u8], summary: &[u8], hashes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header).update(summary).update(hashes);
    *hasher.finalize().as_bytes()
}

fn check_of(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*blake3::hash(bytes).as_bytes().first_chunk().expect("a hash has 32 bytes"))
}

/// Returns whether the first frame starts with the first block, each of the others with a later one, and all of them end
/// before the hashes. Readers rely on it.
fn holds_blocks(frames: &[FrameEntry], blocks: usize, hashes_offset: u64) -> bool {
    let starts = frames.first().map_or(blocks == 0, |first| first.first_block == 0);
    let ends = |frame: &FrameEntry| frame.offset.checked_add(u64::from(frame.stored));
    starts
        && frames.is_sorted_by(|before, after| before.first_block < after.first_block)
        && frames.iter().all(|frame| ends(frame).is_some_and(|end| end <= hashes_offset))
}

impl Index {
    /// Returns where the table of frames starts, from the last bytes of an object of `size` bytes.
    fn table_start(size: u64, trailer: &[u8; TRAILER]) -> Result<u64, Damage> {
        if &trailer[TRAILER - 8..] != END_MAGIC {
            return Err(Damage("its end is missing".into()));
        }
        let word = |at: usize| u64::from_le_bytes(*trailer[at..].first_chunk().expect("within the trailer"));
        let frames = u64::from(u32::from_le_bytes(*trailer[40..].first_chunk().expect("within the trailer")));
        let (hashes, table) = (word(48), word(56));
        let end = size.checked_sub(TRAILER as u64);
        let fits = end.is_some_and(|end| {
            table.checked_add(frames * TABLE_ROW as u64) == Some(end)
                && (HEADER as u64..=table).contains(&hashes)
                && (table - hashes).is_multiple_of(HASH as u64)
                && trailer[44..48] == [0; 4]
        });
        if fits { Ok(table) } else { Err(Damage("its size is not the one it was written with".into())) }
    }

    /// Reads an index from the last bytes of an object of `size` bytes. Returns `Ok(Err(bytes))` if more of its last
    /// bytes are needed.
    pub fn parse(size: u64, tail: &[u8]) -> Result<Result<Index, u64>, Damage> {
        let trailer: &[u8; TRAILER] =
            tail.last_chunk().ok_or_else(|| Damage("it is shorter than its end".into()))?;
        let table = Index::table_start(size, trailer)?;
        let needed = size - table;
        let Some(from) = (tail.len() as u64).checked_sub(needed) else { return Ok(Err(needed)) };
        let rows = &tail[from as usize..tail.len() - TRAILER];
        if hash_of(rows) != trailer[64..80] {
            return Err(Damage("its table of frames has changed".into()));
        }
        let number =
            |at: usize| u64::from_le_bytes(*trailer[at..].first_chunk().expect("within the trailer"));
        let float = |at: usize| f64::from_bits(number(at));
        let (rows, _) = rows.as_chunks::<TABLE_ROW>();
        let entry = |row: &[u8; TABLE_ROW]| {
            let word = |at: usize| u32::from_le_bytes(*row[at..].first_chunk().expect("within the row"));
            let long = |at: usize| u64::from_le_bytes(*row[at..].first_chunk().expect("within the row"));
            FrameEntry {
                first_block: word(0),
                compressed: word(4) == 1,
                offset: long(8),
                stored: word(16),
                decoded: word(20),
                check: long(24),
            }
        };
        let (hashes_offset, blocks) = (number(48), ((number(56) - number(48)) as usize) / HASH);
        let frames: Vec<FrameEntry> = rows.iter().map(entry).collect();
        if !holds_blocks(&frames, blocks, hashes_offset) {
            return Err(Damage("its frames do not hold its blocks".into()));
        }
        Ok(Ok(Index {
            summary: Summary {
                values: number(0),
                sum: float(8),
                min: float(16),
                max: float(24),
                error: float(32),
            },
            hash: *trailer[80..].first_chunk().expect("within the trailer"),
            blocks,
            hashes_offset,
            table: frames,
        }))
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns the location of the hashes of some blocks.
    pub fn hashes(&self, blocks: Range<usize>) -> Range<u64> {
        let at = |block: usize| self.hashes_offset + (HASH * block) as u64;
        at(blocks.start)..at(blocks.end)
    }

    /// Checks the header and all hashes of an object against the hash of the object.
    pub fn check_hashes(&self, header: &Header, hashes: &[u8]) -> Result<(), Damage> {
        if object_hash(&header.bytes(), &summary_bytes(&self.summary), hashes) == self.hash {
            Ok(())
        } else {
            Err(Damage("its hashes have changed".into()))
        }
    }

    /// Returns the frames that hold some blocks, and their location in the object. There must be at least one block.
    pub fn frames(&self, blocks: Range<usize>) -> (Range<usize>, Range<u64>) {
        let holding = |block: usize| self.table.partition_point(|e| e.first_block as usize <= block) - 1;
        let frames = holding(blocks.start)..holding(blocks.end - 1) + 1;
        let last = &self.table[frames.end - 1];
        (frames.clone(), self.table[frames.start].offset..last.offset + u64::from(last.stored))
    }

    /// Returns the decoded size of a frame, in bytes.
    pub(crate) fn decoded_bytes(&self, frame: usize) -> usize {
        self.table[frame].decoded as usize
    }

    /// Returns the number of frames.
    pub(crate) fn frame_count(&self) -> usize {
        self.table.len()
    }

    /// Checks and decompresses a frame. `bytes` are those of the object from `from` on.
    pub(crate) fn unpack<'b>(
        &self,
        frame: usize,
        bytes: &'b [u8],
        from: u64,
        decompressor: &mut zstd::bulk::Decompressor<'_>,
    ) -> Result<Cow<'b, [u8]>, Damage> {
        let entry = &self.table[frame];
        let cut_off = || Damage(format!("frame {frame} is cut off"));
        let start = entry.offset.checked_sub(from).ok_or_else(cut_off)? as usize;
        let stored = bytes.get(start..start + entry.stored as usize).ok_or_else(cut_off)?;
        if check_of(stored) != entry.check {
            return Err(Damage(format!("frame {frame} has changed")));
        }
        if !entry.compressed {
            return Ok(Cow::Borrowed(stored));
        }
        let unpacked = decompressor.decompress(stored, entry.decoded as usize);
        unpacked.map(Cow::Owned).map_err(|_| Damage(format!("frame {frame} cannot be decompressed")))
    }

    /// Calls `visit` with the index, the values and the curve lengths of each of some blocks. `bytes` are those at the
    /// location that [`Index::frames`] returns for the blocks.
    pub fn decode<T: Number>(
        &self,
        encoding: Encoding,
        blocks: Range<usize>,
        bytes: &[u8],
        mut visit: impl FnMut(usize, &[T], &[u32]),
    ) -> Result<(), Damage> {
        let (frames, location) = self.frames(blocks.clone());
        let mut decompressor = zstd::bulk::Decompressor::new().map_err(|error| Damage(error.to_string()))?;
        let mut visited = 0;
        for nth in frames {
            let raw = self.unpack(nth, bytes, location.start, &mut decompressor)?;
            let frame: Frame<T> = Frame::decode(encoding, &raw)?;
            let first = self.table[nth].first_block as usize;
            for block in blocks.start.max(first)..blocks.end.min(first + frame.ends.len()) {
                visit(block, frame.block(block - first), frame.curves_of(block - first));
                visited += 1;
            }
        }
        if visited == blocks.len() { Ok(()) } else { Err(Damage("its frames do not have all blocks".into())) }
    }
}

/// Returns the hash of a block from its decoded values.
pub fn block_hash(encoding: Encoding, values: &[f64]) -> [u8; 16] {
    hash_of(&stored_bytes(encoding, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of three blocks in one frame.
    fn object() -> Vec<u8> {
        let mut writer = ObjectWriter::new(Header {
            kind: Kind::TwoPlayer,
            fingerprint: [7; 32],
            layer: 1,
            task: 2,
            filled: 3,
            encoding: Encoding::F64,
            lane_bytes: 8,
            blocks: 3,
        });
        (0..3).for_each(|_| writer.add(&[0.0, 0.5, 1.0], &[3]));
        writer.finish().0
    }

    /// Changes the table of frames, and its hash with it.
    fn with_table(change: impl Fn(&mut [u8])) -> Vec<u8> {
        let mut bytes = object();
        let end = bytes.len() - TRAILER;
        change(&mut bytes[end - TABLE_ROW..end]);
        let check = hash_of(&bytes[end - TABLE_ROW..end]);
        bytes[end + 64..end + 80].copy_from_slice(&check);
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Index, Damage> {
        Ok(Index::parse(bytes.len() as u64, bytes)?.expect("the whole object was given"))
    }

    #[test]
    fn a_table_with_the_right_hash_may_still_be_wrong() {
        assert_eq!(parse(&with_table(|_| ())).unwrap().blocks(), 3);
        for (at, byte) in [(0, 1), (8, 255), (15, 255), (18, 1)] {
            let damage = parse(&with_table(|row| row[at] = byte)).unwrap_err();
            assert_eq!(damage.0, "its frames do not hold its blocks", "byte {at}");
        }
    }

    #[test]
    fn a_frame_with_too_few_blocks_is_damage() {
        let bytes = object();
        let mut index = parse(&bytes).unwrap();
        let decode = |index: &Index, blocks: Range<usize>| {
            let at = index.frames(blocks.clone()).1;
            let frames = &bytes[at.start as usize..at.end as usize];
            let mut seen = 0;
            index
                .decode(Encoding::F64, blocks, frames, |_, values: &[f64], _| seen += values.len())
                .map(|()| seen)
        };
        assert_eq!(decode(&index, 0..3), Ok(9));
        index.blocks = 4;
        assert_eq!(decode(&index, 0..4).unwrap_err().0, "its frames do not have all blocks");
    }
}
