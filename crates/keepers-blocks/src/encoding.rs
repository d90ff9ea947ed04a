//! Encodings of values in frames.
//!
//! A frame holds the values of consecutive blocks, each a list of curves: values between 0 and 1 that never decrease. A
//! frame can be decoded without knowing the game:
//!
//! | bytes | contents |
//! |---|---|
//! | 4, 4, 4 | number of blocks, of curves and of values |
//! | 4 per block | number of curves |
//! | 4 per curve | number of values |
//! | 1 per curve, then 8 per curve | only [`Encoding::D16`]: exponent k and first multiple q |
//! | 8, 4 or 2 per value | the elements, by planes: the lowest bytes of all elements, then the next bytes, and so on |
//!
//! An element is the difference to the value before it in the same curve. Bits of positive floating-point numbers, read
//! as integers, have the order of the numbers, so differences within a curve are small, and their upper planes compress
//! well.

use keepers::internals::turn::Number;

use crate::error::Damage;

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Double precision: nothing is lost. The elements are differences of bits.
    F64,
    /// Single precision. The elements are differences of bits.
    F32,
    /// Each curve in multiples of a power of two, 2^-k, with the largest k up to 32 for which the differences of
    /// multiples fit in 16 bits. The error of a value is at most 2^-(k+1).
    D16,
}

/// The largest exponent of [`Encoding::D16`].
const MAX_EXPONENT: u8 = 32;

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 3] = [Encoding::F64, Encoding::F32, Encoding::D16];

    /// Returns the name that is used on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::F64 => "f64",
            Encoding::F32 => "f32",
            Encoding::D16 => "d16",
        }
    }

    /// Returns the encoding with a name.
    pub fn by_name(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// Returns the bytes of a value before compression.
    pub fn bytes(self) -> usize {
        match self {
            Encoding::F64 => 8,
            Encoding::F32 => 4,
            Encoding::D16 => 2,
        }
    }
}

/// Collects the values of a frame.
pub(crate) struct FrameWriter {
    encoding: Encoding,
    blocks: Vec<u32>,
    curves: Vec<u32>,
    exponents: Vec<u8>,
    firsts: Vec<u64>,
    elements: Elements,
    /// The largest error of a value so far.
    pub error: f64,
}

enum Elements {
    F64(Vec<u64>),
    F32(Vec<u32>),
    D16(Vec<u16>),
}

impl FrameWriter {
    pub fn new(encoding: Encoding) -> FrameWriter {
        let elements = match encoding {
            Encoding::F64 => Elements::F64(Vec::new()),
            Encoding::F32 => Elements::F32(Vec::new()),
            Encoding::D16 => Elements::D16(Vec::new()),
        };
        FrameWriter {
            encoding,
            blocks: Vec::new(),
            curves: Vec::new(),
            exponents: Vec::new(),
            firsts: Vec::new(),
            elements,
            error: 0.0,
        }
    }

    /// Adds a block: its curves, one after the other, and their lengths. Appends the values as they will be read to
    /// `stored`, in the bytes that [`hash_of`] expects.
    pub fn add<T: Number>(&mut self, mut values: &[T], lengths: &[u32], stored: &mut Vec<u8>) {
        self.blocks.push(lengths.len() as u32);
        for &length in lengths {
            let (curve, rest) = values.split_at(length as usize);
            values = rest;
            self.curves.push(length);
            match &mut self.elements {
                Elements::F64(elements) => {
                    let mut before = 0;
                    for &value in curve {
                        let value: f64 = value.into();
                        elements.push(value.to_bits().wrapping_sub(before));
                        before = value.to_bits();
                        stored.extend(value.to_le_bytes());
                    }
                }
                Elements::F32(elements) => {
                    let mut before = 0;
                    for &value in curve {
                        let exact: f64 = value.into();
                        let value = exact as f32;
                        elements.push(value.to_bits().wrapping_sub(before));
                        before = value.to_bits();
                        stored.extend(value.to_le_bytes());
                        self.error = self.error.max((f64::from(value) - exact).abs());
                    }
                }
                Elements::D16(elements) => {
                    let exponent = exponent_of(curve);
                    let scale = power_of_two(exponent);
                    let mut before = multiple_of(curve[0], scale);
                    self.exponents.push(exponent);
                    self.firsts.push(before);
                    for &value in curve {
                        let multiple = multiple_of(value, scale);
                        // Values of a curve never decrease, and neither do rounded values.
                        elements.push(multiple.wrapping_sub(before) as u16);
                        before = multiple;
                        stored.extend((multiple as f64 / scale).to_le_bytes());
                    }
                    self.error = self.error.max(0.5 / scale);
                }
            }
        }
        assert!(values.is_empty(), "the curves do not have all values of the block");
    }

    /// Returns the size of the frame, in bytes.
    pub fn bytes(&self) -> usize {
        let values = match &self.elements {
            Elements::F64(elements) => size_of_val(&**elements),
            Elements::F32(elements) => size_of_val(&**elements),
            Elements::D16(elements) => size_of_val(&**elements),
        };
        12 + 4 * (self.blocks.len() + self.curves.len())
            + self.exponents.len()
            + 8 * self.firsts.len()
            + values
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the bytes of the frame, and starts the next one.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes());
        let values = match &self.elements {
            Elements::F64(elements) => elements.len(),
            Elements::F32(elements) => elements.len(),
            Elements::D16(elements) => elements.len(),
        };
        for number in [self.blocks.len(), self.curves.len(), values] {
            out.extend((number as u32).to_le_bytes());
        }
        self.blocks.iter().chain(&self.curves).for_each(|number| out.extend(number.to_le_bytes()));
        out.extend(&self.exponents);
        self.firsts.iter().for_each(|first| out.extend(first.to_le_bytes()));
        match &self.elements {
            Elements::F64(elements) => planes::<8>(&mut out, elements.iter().map(|e| e.to_le_bytes())),
            Elements::F32(elements) => planes::<4>(&mut out, elements.iter().map(|e| e.to_le_bytes())),
            Elements::D16(elements) => planes::<2>(&mut out, elements.iter().map(|e| e.to_le_bytes())),
        }
        let error = self.error;
        *self = FrameWriter::new(self.encoding);
        self.error = error;
        out
    }
}

/// Appends the planes of some elements: the first bytes of all, then the second bytes, and so on.
fn planes<const N: usize>(out: &mut Vec<u8>, elements: impl ExactSizeIterator<Item = [u8; N]>) {
    let (start, count) = (out.len(), elements.len());
    out.resize(start + N * count, 0);
    let mut planes = out[start..].chunks_exact_mut(count.max(1));
    let planes: [&mut [u8]; N] = std::array::from_fn(|_| planes.next().unwrap_or_default());
    if count == 0 {
        return;
    }
    for (nth, element) in elements.enumerate() {
        for (plane, byte) in (0..N).zip(element) {
            planes[plane][nth] = byte;
        }
    }
}

/// Returns the largest exponent for which the multiples of a curve differ by less than 2^16.
fn exponent_of<T: Number>(curve: &[T]) -> u8 {
    let fits = |exponent: u8| {
        let scale = power_of_two(exponent);
        curve.windows(2).all(|pair| multiple_of(pair[1], scale) - multiple_of(pair[0], scale) <= 0xffff)
    };
    let widest = curve.windows(2).map(|pair| pair[1].into() - pair[0].into()).fold(0.0, f64::max);
    // A difference of w has at most w·2^k + 1 multiples.
    let mut exponent = MAX_EXPONENT;
    while exponent > 0 && widest * power_of_two(exponent) > 65534.0 {
        exponent -= 1;
    }
    debug_assert!(fits(exponent));
    exponent
}

fn power_of_two(exponent: u8) -> f64 {
    (1_u64 << exponent) as f64
}

fn multiple_of<T: Number>(value: T, scale: f64) -> u64 {
    (value.into() * scale).round_ties_even() as u64
}

/// Returns the hash of a block: the first 16 bytes of the blake3 hash of its values, as they are read. Values are
/// little-endian, in single precision for [`Encoding::F32`] and in double precision otherwise.
pub(crate) fn hash_of(stored: &[u8]) -> [u8; 16] {
    let hash = blake3::hash(stored);
    *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
}

/// A decoded frame.
pub(crate) struct Frame<T> {
    /// The values of all blocks, and the end of each block.
    pub values: Vec<T>,
    pub ends: Vec<usize>,
    /// The lengths of the curves, and the end of the curves of each block.
    pub curves: Vec<u32>,
    pub curve_ends: Vec<usize>,
}

impl<T: Number> Frame<T> {
    /// Decodes a frame.
    pub fn decode(encoding: Encoding, bytes: &[u8]) -> Result<Frame<T>, Damage> {
        let mut reader = Reader(bytes);
        let [blocks, curve_count, count] = reader.numbers()?;
        let per_curve = if encoding == Encoding::D16 { 13 } else { 4 };
        let size = 4 * u64::from(blocks)
            + per_curve * u64::from(curve_count)
            + encoding.bytes() as u64 * u64::from(count);
        if reader.0.len() as u64 != size {
            return Err(Damage("a frame has another size than its header states".into()));
        }
        let curves_in_block = reader.list(blocks)?;
        let curves = reader.list(curve_count)?;
        let (exponents, firsts) = match encoding {
            Encoding::D16 => (reader.take(curve_count as usize)?, reader.take(8 * curve_count as usize)?),
            _ => (&[][..], &[][..]),
        };
        let sum = |list: &[u32]| list.iter().map(|&n| u64::from(n)).sum::<u64>();
        if sum(&curves_in_block) != u64::from(curve_count) || sum(&curves) != u64::from(count) {
            return Err(Damage("the numbers in the header of a frame do not add up".into()));
        }
        let count = count as usize;
        let mut values = Vec::with_capacity(count);
        let planes = reader.0;
        let mut from = 0;
        for (nth, &length) in curves.iter().enumerate() {
            let to = from + length as usize;
            match encoding {
                Encoding::F64 => {
                    let mut bits = 0_u64;
                    for element in from..to {
                        let bytes = std::array::from_fn(|plane| planes[plane * count + element]);
                        bits = bits.wrapping_add(u64::from_le_bytes(bytes));
                        values.push(T::nearest(f64::from_bits(bits)));
                    }
                }
                Encoding::F32 => {
                    let mut bits = 0_u32;
                    for element in from..to {
                        let bytes = std::array::from_fn(|plane| planes[plane * count + element]);
                        bits = bits.wrapping_add(u32::from_le_bytes(bytes));
                        values.push(T::from(f32::from_bits(bits)));
                    }
                }
                Encoding::D16 => {
                    let scale = 1.0 / power_of_two(exponents[nth].min(MAX_EXPONENT));
                    let first = firsts[8 * nth..].first_chunk().expect("the size was checked");
                    let mut multiple = u64::from_le_bytes(*first);
                    for element in from..to {
                        let bytes = std::array::from_fn(|plane| planes[plane * count + element]);
                        multiple = multiple.wrapping_add(u16::from_le_bytes(bytes).into());
                        values.push(T::nearest(multiple as f64 * scale));
                    }
                }
            }
            from = to;
        }
        let (mut ends, mut curve_ends) = (Vec::with_capacity(blocks as usize), Vec::new());
        let (mut end, mut curve_end) = (0, 0);
        for &in_block in &curves_in_block {
            let next = curve_end + in_block as usize;
            end += curves[curve_end..next].iter().map(|&length| length as usize).sum::<usize>();
            curve_end = next;
            ends.push(end);
            curve_ends.push(curve_end);
        }
        Ok(Frame { values, ends, curves, curve_ends })
    }

    /// Returns the values of a block.
    pub fn block(&self, nth: usize) -> &[T] {
        &self.values[if nth == 0 { 0 } else { self.ends[nth - 1] }..self.ends[nth]]
    }

    /// Returns the lengths of the curves of a block.
    pub fn curves_of(&self, nth: usize) -> &[u32] {
        &self.curves[if nth == 0 { 0 } else { self.curve_ends[nth - 1] }..self.curve_ends[nth]]
    }
}

/// Returns the bytes of decoded values that [`hash_of`] expects.
pub(crate) fn stored_bytes(encoding: Encoding, values: &[f64]) -> Vec<u8> {
    match encoding {
        Encoding::F32 => values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect(),
        Encoding::F64 | Encoding::D16 => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) =
            self.0.split_at_checked(bytes).ok_or_else(|| Damage("a frame ends too early".into()))?;
        self.0 = rest;
        Ok(taken)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[u32; N], Damage> {
        let list = self.list(N as u32)?;
        Ok(std::array::from_fn(|nth| list[nth]))
    }

    fn list(&mut self, len: u32) -> Result<Vec<u32>, Damage> {
        let (words, _) = self.take(4 * len as usize)?.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Curves of values between 0 and 1 that never decrease, in blocks.
    fn blocks() -> impl Strategy<Value = Vec<Vec<Vec<f64>>>> {
        let curve = prop::collection::vec(prop_oneof![Just(0.0), Just(1.0), 0.0..1.0, 0.4..0.41], 1..40);
        let sorted = curve.prop_map(|mut curve| {
            curve.sort_by(f64::total_cmp);
            curve
        });
        prop::collection::vec(prop::collection::vec(sorted, 0..4), 0..6)
    }

    proptest! {
        #[test]
        fn frames_are_read_as_they_were_written(blocks in blocks()) {
            for encoding in Encoding::ALL {
                let mut writer = FrameWriter::new(encoding);
                let mut hashes = Vec::new();
                for block in &blocks {
                    let lengths: Vec<u32> = block.iter().map(|curve| curve.len() as u32).collect();
                    let mut stored = Vec::new();
                    writer.add(&block.concat(), &lengths, &mut stored);
                    hashes.push(hash_of(&stored));
                }
                let (size, error) = (writer.bytes(), writer.error);
                let bytes = writer.finish();
                prop_assert_eq!(bytes.len(), size);
                let frame: Frame<f64> = Frame::decode(encoding, &bytes).unwrap();
                prop_assert_eq!(frame.ends.len(), blocks.len());
                for (nth, block) in blocks.iter().enumerate() {
                    let (read, written) = (frame.block(nth), block.concat());
                    prop_assert_eq!(read.len(), written.len());
                    for (read, written) in read.iter().zip(written) {
                        prop_assert!((read - written).abs() <= error, "{encoding:?}: {read} {written} {error}");
                    }
                    prop_assert_eq!(hash_of(&stored_bytes(encoding, read)), hashes[nth]);
                    let lengths: Vec<u32> = block.iter().map(|curve| curve.len() as u32).collect();
                    prop_assert_eq!(frame.curves_of(nth), lengths);
                }
                prop_assert!(encoding != Encoding::F64 || error == 0.0);
                prop_assert!(encoding != Encoding::F32 || error <= 2.0_f64.powi(-25));
                prop_assert!(encoding != Encoding::D16 || error <= 2.0_f64.powi(-16));
                // A frame that lost a byte, or gained one, is damaged.
                prop_assert!(Frame::<f64>::decode(encoding, &bytes[..bytes.len() - 1]).is_err());
                prop_assert!(Frame::<f64>::decode(encoding, &[&*bytes, &[0]].concat()).is_err());
            }
        }

        #[test]
        fn foreign_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for encoding in Encoding::ALL {
                // Whatever the bytes are, decoding does not panic.
                let _ = Frame::<f64>::decode(encoding, &bytes);
            }
        }
    }
}
