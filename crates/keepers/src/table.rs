//! Table files: the solved values of a rule set on disk, mapped into memory.
//!
//! Numbers are in the machine's own byte order (a file from a machine of the other order reads as
//! one of another version). Layout:
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
//!
//! The header and the checksums are checked whenever a file is opened, a chunk of cells when it is
//! first read: a table of a gigabyte gives its first answer at once and is still never trusted.
//! Files are written under a temporary name, synced and renamed, so a file under its own name is
//! complete, and nobody ever changes one in place.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Pod;
use memmap2::Mmap;
use rayon::prelude::*;

/// The version of the layout above, and of the order of the cells.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"KEEPERS\x1a";
const HEADER: usize = 192;
const CHECKSUM: usize = 16;

/// The cells are checked in chunks of so many bytes.
pub const CHUNK: usize = 1 << 16;

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKey {
    /// The fingerprint of the rules.
    pub rules: [u8; 32],
    /// The name of the rules, for people.
    pub name: String,
    /// The objective, at most 16 bytes.
    pub objective: String,
    /// The number of cells.
    pub cells: u64,
}

impl TableKey {
    /// The name of its file.
    pub fn file_name(&self) -> String {
        let hash: String = self.rules[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{hash}.keepers", self.objective)
    }
}

/// Why a file is not the table that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// It cannot be read.
    #[error("it cannot be read ({0})")]
    Unreadable(#[source] io::Error),
    /// It does not begin as a table does.
    #[error("it is not a Keepers table")]
    NotATable,
    /// It was written by another version, or on a machine of the other byte order.
    #[error("it is of layout {0}, and this program reads layout {VERSION}")]
    OtherVersion(u32),
    /// Its header is damaged.
    #[error("its header is damaged")]
    HeaderDamaged,
    /// It is the table of other rules.
    #[error("it is for other rules")]
    OtherRules,
    /// It is the table of another objective.
    #[error("it is for the objective {0}")]
    OtherObjective(String),
    /// It has another shape.
    #[error("it has {found} cells instead of {wanted}")]
    OtherShape {
        /// Cells in the file.
        found: u64,
        /// Cells of the game.
        wanted: u64,
    },
    /// It has cells of another size.
    #[error("its cells have {found} bytes instead of {wanted}")]
    OtherCells {
        /// Bytes in a cell of the file.
        found: usize,
        /// Bytes in a cell of such a table.
        wanted: usize,
    },
    /// It ends too early, or goes on too long.
    #[error("it has {found} bytes instead of {wanted}")]
    WrongLength {
        /// Bytes in the file.
        found: u64,
        /// Bytes that its header promises.
        wanted: u64,
    },
    /// The list of checksums is damaged.
    #[error("its checksums are damaged")]
    ChecksumsDamaged,
    /// Cells are damaged.
    #[error("its cells are damaged (chunk {0})")]
    CellsDamaged(usize),
}

/// A solved table, in memory or mapped from a file.
#[derive(Debug)]
pub struct Table<T> {
    data: Data<T>,
}

#[derive(Debug)]
enum Data<T> {
    Memory(Vec<T>),
    Mapped(Mapped<T>),
}

#[derive(Debug)]
struct Mapped<T> {
    map: Mmap,
    first_cell: usize,
    cells: usize,
    /// One bit for each chunk that was found whole.
    checked: Vec<AtomicU64>,
    cell: PhantomData<T>,
}

impl<T: Pod> From<Vec<T>> for Table<T> {
    fn from(cells: Vec<T>) -> Table<T> {
        Table { data: Data::Memory(cells) }
    }
}

impl<T: Pod> Table<T> {
    /// Opens a table file and checks all of it but the cells.
    pub fn open(path: &Path, key: &TableKey) -> Result<Table<T>, TableError> {
        let (header, map) = open(path)?;
        if header.rules != key.rules {
            return Err(TableError::OtherRules);
        }
        if header.objective != key.objective {
            return Err(TableError::OtherObjective(header.objective));
        }
        if header.cell_bytes as usize != size_of::<T>() {
            return Err(TableError::OtherCells { found: header.cell_bytes as usize, wanted: size_of::<T>() });
        }
        if header.cells != key.cells {
            return Err(TableError::OtherShape { found: header.cells, wanted: key.cells });
        }
        Ok(Table { data: Data::Mapped(Mapped::new(map, &header)) })
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Memory(cells) => cells.len(),
            Data::Mapped(mapped) => mapped.cells,
        }
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it lies in a file.
    pub fn is_mapped(&self) -> bool {
        matches!(self.data, Data::Mapped(_))
    }

    /// One cell, checked.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn get(&self, cell: usize) -> Result<T, TableError> {
        match &self.data {
            Data::Memory(cells) => Ok(cells[cell]),
            Data::Mapped(mapped) => {
                mapped.check_chunk(cell * size_of::<T>() / CHUNK)?;
                Ok(mapped.cells()[cell])
            }
        }
    }

    /// Cells side by side, checked.
    ///
    /// # Panics
    /// If there are no such cells.
    pub fn slice(&self, cells: Range<usize>) -> Result<&[T], TableError> {
        match &self.data {
            Data::Memory(all) => Ok(&all[cells]),
            Data::Mapped(mapped) => {
                let size = size_of::<T>();
                let chunks = cells.start * size / CHUNK..(cells.end * size).div_ceil(CHUNK);
                chunks.into_iter().try_for_each(|chunk| mapped.check_chunk(chunk))?;
                Ok(&mapped.cells()[cells])
            }
        }
    }

    /// Checks every cell.
    pub fn check(&self) -> Result<(), TableError> {
        match &self.data {
            Data::Memory(_) => Ok(()),
            Data::Mapped(mapped) => {
                let chunks = (mapped.cells * size_of::<T>()).div_ceil(CHUNK);
                (0..chunks).try_for_each(|chunk| mapped.check_chunk(chunk))
            }
        }
    }

    /// Writes cells as a table file: to a temporary name, synced, renamed.
    pub fn write(path: &Path, key: &TableKey, cells: &[T]) -> io::Result<()> {
        Table::write_parts(path, key, &[cells])
    }

    /// As [`Table::write`], for cells that lie in several places.
    ///
    /// # Panics
    /// If any part but the last is not a multiple of [`CHUNK`] bytes, or all are not as many cells as
    /// the key says.
    pub fn write_parts(path: &Path, key: &TableKey, parts: &[&[T]]) -> io::Result<()> {
        let cells: usize = parts.iter().map(|part| part.len()).sum();
        assert_eq!(cells as u64, key.cells, "the key says how many cells there are");
        let parts: Vec<&[u8]> = parts.iter().map(|part| bytemuck::cast_slice(part)).collect();
        let whole = |part: &&[u8]| part.len().is_multiple_of(CHUNK);
        assert!(parts.iter().rev().skip(1).all(whole), "a chunk lies in one part");
        let (temporary, file) = create_temporary(path)?;
        let written =
            write_all(file, key, &parts, size_of::<T>()).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // What matters is the first error.
            let _ = fs::remove_file(&temporary);
        } else {
            // Not every file system can; at worst the table is solved again after a crash.
            let _ = sync_directory(path);
        }
        written
    }
}

impl<T: Pod> Mapped<T> {
    fn new(map: Mmap, header: &Header) -> Mapped<T> {
        let chunks = header.chunks();
        Mapped {
            first_cell: HEADER + chunks * CHECKSUM,
            cells: header.cells as usize,
            checked: (0..chunks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            map,
            cell: PhantomData,
        }
    }

    fn bytes(&self) -> &[u8] {
        &self.map[self.first_cell..]
    }

    fn cells(&self) -> &[T] {
        // The map starts on a page and the cells on a multiple of 16 bytes after it.
        bytemuck::cast_slice(self.bytes())
    }

    fn check_chunk(&self, chunk: usize) -> Result<(), TableError> {
        let (word, bit) = (&self.checked[chunk / 64], 1 << (chunk % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        let end = self.bytes().len().min((chunk + 1) * CHUNK);
        let found = checksum(&self.bytes()[chunk * CHUNK..end]);
        let wanted = &self.map[HEADER + chunk * CHECKSUM..][..CHECKSUM];
        if found != wanted {
            return Err(TableError::CellsDamaged(chunk));
        }
        word.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }
}

/// What the header of a table file says.
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
    /// Bytes in a cell.
    pub cell_bytes: u32,
}

impl Header {
    /// Reads the header of a table file, and checks it and the list of checksums.
    pub fn read(path: &Path) -> Result<Header, TableError> {
        open(path).map(|(header, _)| header)
    }

    /// Checks a whole table file, whatever it is of.
    pub fn check(path: &Path) -> Result<Header, TableError> {
        let (header, map) = open(path)?;
        let bytes = Mapped::<u8>::new(map, &header);
        (0..header.chunks()).try_for_each(|chunk| bytes.check_chunk(chunk))?;
        Ok(header)
    }

    fn chunks(&self) -> usize {
        (self.cells as usize * self.cell_bytes as usize).div_ceil(CHUNK)
    }

    fn file_bytes(&self) -> Option<u64> {
        let payload = self.cells.checked_mul(u64::from(self.cell_bytes))?;
        let checksums = payload.div_ceil(CHUNK as u64) * CHECKSUM as u64;
        payload.checked_add(checksums)?.checked_add(HEADER as u64)
    }
}

fn open(path: &Path) -> Result<(Header, Mmap), TableError> {
    let problem = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => TableError::Missing,
        _ => TableError::Unreadable(error),
    };
    // Asked before it is opened: opening a pipe would wait for a writer.
    if !fs::metadata(path).map_err(problem)?.is_file() {
        return Err(TableError::NotATable);
    }
    let file = File::open(path).map_err(problem)?;
    // SAFETY: a map is sound as long as nobody changes the file under it. We never do: files are
    // written under another name and renamed, and removing one leaves its maps alone. The gain: a
    // cached advice reads a few kilobytes of a file that may have hundreds of megabytes.
    let map = unsafe { Mmap::map(&file) }.map_err(TableError::Unreadable)?;
    let header = parse_header(&map)?;
    let wanted = header.file_bytes().ok_or(TableError::HeaderDamaged)?;
    if map.len() as u64 != wanted {
        return Err(TableError::WrongLength { found: map.len() as u64, wanted });
    }
    let checksums = &map[HEADER..HEADER + header.chunks() * CHECKSUM];
    if *blake3::hash(checksums).as_bytes() != map[128..160] {
        return Err(TableError::ChecksumsDamaged);
    }
    // Reads are scattered; where the system takes no advice, nothing is lost.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    Ok((header, map))
}

fn parse_header(bytes: &[u8]) -> Result<Header, TableError> {
    if bytes.len() < HEADER {
        return Err(TableError::NotATable);
    }
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

fn write_all(file: File, key: &TableKey, parts: &[&[u8]], cell_bytes: usize) -> io::Result<()> {
    let checksums: Vec<u8> =
        parts.par_iter().flat_map(|part| part.par_chunks(CHUNK)).flat_map_iter(checksum).collect();
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_ne_bytes());
    header.extend((cell_bytes as u32).to_ne_bytes());
    header.extend(key.cells.to_ne_bytes());
    header.extend((CHUNK as u64).to_ne_bytes());
    header.extend(key.rules);
    header.extend(padded::<16>(&key.objective));
    header.extend(padded::<48>(&key.name));
    header.extend(blake3::hash(&checksums).as_bytes());
    let seal = blake3::hash(&header);
    header.extend(seal.as_bytes());

    let mut file = BufWriter::new(file);
    file.write_all(&header)?;
    file.write_all(&checksums)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let hash = blake3::hash(bytes);
    hash.as_bytes()[..CHECKSUM].try_into().expect("a hash has 32 bytes")
}

/// The text cut to N bytes, between characters, and filled up with zeros.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let cut = &text[..text.floor_char_boundary(N)];
    bytes[..cut.len()].copy_from_slice(cut.as_bytes());
    bytes
}

/// A new file beside this one, under a name that nobody else uses: not another thread, nor a process
/// with the same number on another machine, nor one that crashed.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!("{name}.{}.{count}.tmp", std::process::id()));
        match File::options().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => return Ok((temporary, file?)),
        }
    }
}

/// Makes a rename last, where the system can do that.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}
