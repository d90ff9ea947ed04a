//! The format of tables: solved values of a rule set with checksums, in a file or in the storage of a browser.
//!
//! Numbers have the machine's own byte order, so that a file from a machine with the other byte order appears to have
//! another version. Layout:
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic, `KEEPERS\x1a` |
//! | 8 | 4 | version of this layout, [`VERSION`] |
//! | 12 | 4 | bytes in a cell |
//! | 16 | 8 | number of cells |
//! | 24 | 8 | bytes in a chunk |
//! | 32 | 32 | fingerprint of the rules ([`Rules::fingerprint`](crate::Rules::fingerprint)) |
//! | 64 | 16 | objective, ASCII, padded with zeros |
//! | 80 | 48 | name of the rules, UTF-8, padded with zeros; for people only |
//! | 128 | 32 | BLAKE3 of the checksums |
//! | 160 | 32 | BLAKE3 of bytes 0 to 159 |
//! | 192 | 16 a chunk | checksums: the first half of the BLAKE3 of each chunk |
//! | then | | the cells |

use std::io;
use std::ops::Range;

use bytemuck::Pod;

use crate::game::rules::Rules;
use crate::work::{WorkError, zeroed};

/// The version of the layout above, of the order of the cells, and of the encoding behind the fingerprint. Version 1 had
/// fingerprints of the text form of the rules.
pub const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"KEEPERS\x1a";
pub(super) const HEADER: usize = 192;
pub(super) const CHECKSUM: usize = 16;

/// The size of a chunk of cells in bytes. Each chunk has a checksum.
pub const CHUNK: usize = 1 << 16;

/// The description of a table: rules, objective and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKey {
    /// The fingerprint of the rules.
    pub rules: [u8; 32],
    /// The name of the rules, as information for people.
    pub name: String,
    /// The objective, at most 16 bytes.
    pub objective: String,
    /// The number of cells.
    pub cells: u64,
}

impl TableKey {
    /// Returns the file name of the table.
    pub fn file_name(&self) -> String {
        let hash: String = self.rules[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{hash}.keepers", self.objective)
    }
}

/// Returns the description of a table of a rule set.
pub(crate) fn key(rules: &Rules, objective: &str, cells: usize) -> TableKey {
    TableKey {
        rules: rules.fingerprint(),
        name: rules.name().to_string(),
        objective: objective.to_string(),
        cells: cells as u64,
    }
}

/// The reason why a file cannot be used as the wanted table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// The file cannot be read.
    #[error("it cannot be read ({0})")]
    Unreadable(#[source] io::Error),
    /// The file does not start with the header of a table.
    #[error("it is not a Keepers table")]
    NotATable,
    /// The file was written by another version, or on a machine with the other byte order.
    #[error("it has layout {0}, but this program reads layout {VERSION}")]
    OtherVersion(u32),
    /// The header is damaged.
    #[error("its header is damaged")]
    HeaderDamaged,
    /// The table belongs to other rules.
    #[error("it is for other rules")]
    OtherRules,
    /// The table belongs to another objective.
    #[error("it is for the objective {0}")]
    OtherObjective(String),
    /// The table has another number of cells.
    #[error("it has {found} cells instead of {wanted}")]
    OtherShape {
        /// The number of cells in the file.
        found: u64,
        /// The number of cells that the game needs.
        wanted: u64,
    },
    /// The cells have another size.
    #[error("its cells have {found} bytes instead of {wanted}")]
    OtherCells {
        /// The bytes per cell in the file.
        found: usize,
        /// The bytes per cell that this kind of table has.
        wanted: usize,
    },
    /// The file is too short or too long.
    #[error("it has {found} bytes instead of {wanted}")]
    WrongLength {
        /// The size of the file.
        found: u64,
        /// The size according to the header.
        wanted: u64,
    },
    /// The checksums are damaged.
    #[error("its checksums are damaged")]
    ChecksumsDamaged,
    /// A chunk of cells is damaged.
    #[error("its cells are damaged (chunk {0})")]
    CellsDamaged(usize),
    /// There is not enough memory to read the file.
    #[error(transparent)]
    Memory(#[from] WorkError),
}

/// Returns the size of a table whose cells have this many bytes.
pub(super) fn file_size(cells: u64) -> u64 {
    HEADER as u64 + cells.div_ceil(CHUNK as u64) * CHECKSUM as u64 + cells
}

/// The header of a table file.
#[derive(Clone, Debug)]
pub struct Header {
    /// The fingerprint of the rules.
    pub rules: [u8; 32],
    /// The name of the rules.
    pub name: String,
    /// The objective.
    pub objective: String,
    /// The number of cells.
    pub cells: u64,
    /// The bytes per cell.
    pub cell_bytes: u32,
}

impl Header {
    /// Checks that this is the header of the table that `key` describes. `key.cells` is the exact number of cells if
    /// `exact`, otherwise the minimum.
    pub(super) fn is_for<T>(&self, key: &TableKey, exact: bool) -> Result<(), TableError> {
        if self.rules != key.rules {
            return Err(TableError::OtherRules);
        }
        if self.objective != key.objective {
            return Err(TableError::OtherObjective(self.objective.clone()));
        }
        if self.cell_bytes as usize != size_of::<T>() {
            return Err(TableError::OtherCells { found: self.cell_bytes as usize, wanted: size_of::<T>() });
        }
        if self.cells < key.cells || exact && self.cells != key.cells {
            return Err(TableError::OtherShape { found: self.cells, wanted: key.cells });
        }
        Ok(())
    }

    pub(super) fn chunks(&self) -> usize {
        (self.cells as usize * self.cell_bytes as usize).div_ceil(CHUNK)
    }

    pub(super) fn file_bytes(&self) -> Option<u64> {
        let cells = self.cells.checked_mul(u64::from(self.cell_bytes))?;
        // The checksums and the header are smaller than this term, so `file_size` cannot overflow.
        cells.checked_add(cells / 1024 + (1 << 20)).map(|_| file_size(cells))
    }
}

/// Returns a whole table in the layout above.
pub(super) fn encode<T: Pod>(key: &TableKey, cells: &[T]) -> Vec<u8> {
    let cells: &[u8] = bytemuck::cast_slice(cells);
    let checksums: Vec<u8> = cells.chunks(CHUNK).flat_map(checksum).collect();
    let mut table = header_bytes(key, size_of::<T>(), &checksums);
    table.reserve_exact(checksums.len() + cells.len());
    table.extend(checksums);
    table.extend(cells);
    table
}

/// Reads the cells of a whole table in the layout above, after every byte of it was checked. `key.cells` is the exact
/// number of cells if `exact`, otherwise the minimum.
pub(super) fn decode<T: Pod>(table: &[u8], key: &TableKey, exact: bool) -> Result<Vec<T>, TableError> {
    let (header, rest) = table.split_first_chunk::<HEADER>().ok_or(TableError::NotATable)?;
    let found = parse_header(header)?;
    let wanted = found.file_bytes().ok_or(TableError::HeaderDamaged)?;
    if table.len() as u64 != wanted {
        return Err(TableError::WrongLength { found: table.len() as u64, wanted });
    }
    let (checksums, cells) = rest.split_at(found.chunks() * CHECKSUM);
    check_checksums(header, checksums)?;
    found.is_for::<T>(key, exact)?;
    check_chunks(cells, checksums)?;
    let mut values = zeroed::<T>(found.cells as usize)?;
    bytemuck::cast_slice_mut(&mut values).copy_from_slice(cells);
    Ok(values)
}

/// Checks the checksums of a table against its header.
pub(super) fn check_checksums(header: &[u8; HEADER], checksums: &[u8]) -> Result<(), TableError> {
    let is_valid = *blake3::hash(checksums).as_bytes() == header[128..160];
    if is_valid { Ok(()) } else { Err(TableError::ChecksumsDamaged) }
}

/// Checks all cells of a table against its checksums.
pub(super) fn check_chunks(cells: &[u8], checksums: &[u8]) -> Result<(), TableError> {
    let mut chunks = cells.chunks(CHUNK).zip(checksums.chunks(CHECKSUM)).enumerate();
    chunks.try_for_each(|(chunk, (cells, wanted))| check_chunk(chunk, cells, wanted))
}

/// Returns the header of a table whose cells have `cell_bytes` bytes and whose chunks have these checksums.
pub(super) fn header_bytes(key: &TableKey, cell_bytes: usize, checksums: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_ne_bytes());
    header.extend((cell_bytes as u32).to_ne_bytes());
    header.extend(key.cells.to_ne_bytes());
    header.extend((CHUNK as u64).to_ne_bytes());
    header.extend(key.rules);
    header.extend(padded::<16>(&key.objective));
    header.extend(padded::<48>(&key.name));
    header.extend(blake3::hash(checksums).as_bytes());
    let seal = blake3::hash(&header);
    header.extend(seal.as_bytes());
    header
}

pub(super) fn parse_header(bytes: &[u8; HEADER]) -> Result<Header, TableError> {
    let u32_at = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let u64_at = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let text_at =
        |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).trim_end_matches('\0').to_string();
    if bytes[..8] != MAGIC {
        return Err(TableError::NotATable);
    }
    if u32_at(8) != VERSION {
        return Err(TableError::OtherVersion(u32_at(8)));
    }
    if *blake3::hash(&bytes[..160]).as_bytes() != bytes[160..192] || u64_at(24) != CHUNK as u64 {
        return Err(TableError::HeaderDamaged);
    }
    Ok(Header {
        rules: bytes[32..64].try_into().expect("32 bytes"),
        name: text_at(80..128),
        objective: text_at(64..80),
        cells: u64_at(16),
        cell_bytes: u32_at(12),
    })
}

pub(super) fn check_chunk(chunk: usize, bytes: &[u8], wanted: &[u8]) -> Result<(), TableError> {
    if checksum(bytes) == wanted { Ok(()) } else { Err(TableError::CellsDamaged(chunk)) }
}

pub(super) fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::hash(bytes);
    hash.as_bytes()[..CHECKSUM].try_into().expect("a hash has 32 bytes")
}

/// Cuts text to at most N bytes, at a character boundary, and pads it with zeros.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let cut = &text[..text.floor_char_boundary(N)];
    bytes[..cut.len()].copy_from_slice(cut.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> TableKey {
        TableKey { rules: [7; 32], name: "toy".into(), objective: "expected".into(), cells: 20_000 }
    }

    #[test]
    fn an_encoded_table_has_the_same_bits() {
        let cells: Vec<f64> = (0..20_000).map(|nth| f64::from(nth).sqrt()).collect();
        let read: Vec<f64> = decode(&encode(&key(), &cells), &key(), true).unwrap();
        assert!(read.iter().zip(&cells).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn every_damaged_byte_of_an_encoded_table_is_found() {
        let table = encode(&key(), &vec![1.5_f64; 20_000]);
        for at in (0..HEADER + 64).chain([table.len() / 2, table.len() - 1]) {
            let mut damaged = table.clone();
            damaged[at] ^= 1;
            assert!(decode::<f64>(&damaged, &key(), true).is_err(), "byte {at}");
        }
        assert!(decode::<f64>(&table[..table.len() - 1], &key(), true).is_err());
        assert!(decode::<f64>(&[], &key(), true).is_err());
        let other = TableKey { rules: [8; 32], ..key() };
        assert!(matches!(decode::<f64>(&table, &other, true), Err(TableError::OtherRules)));
    }
}
