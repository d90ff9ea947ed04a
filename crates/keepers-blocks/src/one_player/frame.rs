//! The frames of a one-player table. A frame has the curves of one group of states:
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | number of curves |
//! | 2 per curve | lane of its first value |
//! | 2 per curve | number of its values |
//! | 4 or 8 per value | the elements, by planes: the lowest bytes of all elements, then the next bytes, and so on |
//!
//! An element is the difference between the bits of a value and those of the value before it in the same curve. The hash
//! of a block is the blake3 hash of its frame before compression.

use keepers::internals::solve::{CurveWriter, GroupView};
use keepers::internals::turn::Number;

use crate::encoding::{Encoding, hash_of};
use crate::error::Damage;
use crate::object::{PackedFrame, Summary};

/// A number that frames can hold.
pub trait Stored: Number {
    /// How it is stored.
    const ENCODING: Encoding;
    /// Its size, in bytes.
    const BYTES: usize;
    /// Returns its bits.
    fn to_word(self) -> u64;
    /// Returns the number with these bits.
    fn from_word(word: u64) -> Self;
}

impl Stored for f32 {
    const ENCODING: Encoding = Encoding::F32;
    const BYTES: usize = 4;

    #[inline(always)]
    fn to_word(self) -> u64 {
        self.to_bits().into()
    }

    #[inline(always)]
    fn from_word(word: u64) -> f32 {
        f32::from_bits(word as u32)
    }
}

impl Stored for f64 {
    const ENCODING: Encoding = Encoding::F64;
    const BYTES: usize = 8;

    #[inline(always)]
    fn to_word(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn from_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
}

/// A group, encoded.
pub(super) struct EncodedGroup {
    pub frame: PackedFrame,
    pub hash: [u8; 16],
    pub summary: Summary,
}

/// Encodes the curves of a group.
pub(super) fn encode<T: Stored>(group: GroupView<'_, T>) -> EncodedGroup {
    let windows = group.windows();
    let count: usize = windows.iter().map(|window| usize::from(window.len)).sum();
    let head = head_bytes(windows.len());
    let mut raw = Vec::with_capacity(head + T::BYTES * count);
    raw.extend((windows.len() as u32).to_le_bytes());
    windows.iter().for_each(|window| raw.extend(window.first.to_le_bytes()));
    windows.iter().for_each(|window| raw.extend(window.len.to_le_bytes()));
    raw.resize(head + T::BYTES * count, 0);
    let mut summary =
        Summary { values: count as u64, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY, error: 0.0 };
    let planes = &mut raw[head..];
    let mut nth = 0;
    for class in 0..windows.len() {
        let mut before = 0_u64;
        for &value in group.values(class) {
            let word = value.to_word();
            let element = word.wrapping_sub(before);
            before = word;
            for plane in 0..T::BYTES {
                planes[plane * count + nth] = (element >> (8 * plane)) as u8;
            }
            nth += 1;
            let value: f64 = value.into();
            summary.sum += value;
            summary.min = summary.min.min(value);
            summary.max = summary.max.max(value);
        }
    }
    let hash = hash_of(&raw);
    EncodedGroup { frame: PackedFrame::pack(raw), hash, summary }
}

fn head_bytes(curves: usize) -> usize {
    4 + 4 * curves
}

/// Returns the number of values in a frame of this size with this many curves.
pub(super) fn values_in<T: Stored>(bytes: usize, curves: usize) -> Result<usize, Damage> {
    let values = bytes.checked_sub(head_bytes(curves)).filter(|bytes| bytes.is_multiple_of(T::BYTES));
    values.map(|bytes| bytes / T::BYTES).ok_or_else(other_size)
}

fn other_size() -> Damage {
    Damage("a frame has another size than its header states".into())
}

/// Decodes the curves of a group.
pub(super) fn decode<T: Stored>(raw: &[u8], curves: &mut CurveWriter<'_, T>) -> Result<(), Damage> {
    let (head, rest) = raw.split_first_chunk::<4>().ok_or_else(other_size)?;
    let number = u32::from_le_bytes(*head) as usize;
    let (windows, planes) = rest.split_at_checked(4 * number).ok_or_else(other_size)?;
    let (windows, _) = windows.as_chunks::<2>();
    let (firsts, lens) = windows.split_at(number);
    let count = values_in::<T>(raw.len(), number)?;
    let mut nth = 0;
    for (first, len) in firsts.iter().zip(lens) {
        let len = u16::from_le_bytes(*len);
        let values = curves.push(u16::from_le_bytes(*first), len).ok_or_else(other_size)?;
        if nth + values.len() > count {
            return Err(other_size());
        }
        let mut word = 0_u64;
        for value in values {
            let mut element = 0;
            for plane in 0..T::BYTES {
                element |= u64::from(planes[plane * count + nth]) << (8 * plane);
            }
            word = word.wrapping_add(element);
            *value = T::from_word(word);
            nth += 1;
        }
    }
    if nth == count && curves.is_complete() { Ok(()) } else { Err(other_size()) }
}
