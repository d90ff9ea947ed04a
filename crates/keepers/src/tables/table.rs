//! Table files: solved values of a rule set on disk, in the format of `format.rs`.
//!
//! The header and the checksums are checked whenever a file is opened. A table of up to [`READ_AT_ONCE`] bytes is then
//! read into memory and checked as a whole. A larger table is mapped, and each chunk of cells is checked when it is
//! first read, so that the first answer from a table of a gigabyte comes at once. Files are written under a temporary
//! name, synced and renamed. So a file under its own name is complete, and Keepers never changes a file in place.
//! [`Table::is_unchanged`] detects that another program has done so.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use bytemuck::Pod;
use memmap2::Mmap;

use super::file::replace_with;
use super::format::{
    CHECKSUM, HEADER, check_checksums, check_chunk, check_chunks, checksum, header_bytes, parse_header,
};
pub use super::format::{CHUNK, Header, TableError, TableKey, VERSION};
use crate::parallel::Threads;
use crate::work::{Work, WorkError, zeroed};

/// Tables of up to this many bytes are read into memory when they are opened, which takes milliseconds.
pub const READ_AT_ONCE: usize = 64 << 20;

/// The number of bytes between two syncs while a file is written. A single sync of a large file could take many
/// seconds, in which the work could not be cancelled.
const SYNC_INTERVAL: usize = 64 << 20;

/// The reason why a table was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The work was cancelled.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// A solved table from a file, in memory or mapped.
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
    file: File,
    /// The modification time when the file was opened, if the system provides it.
    modified: Option<SystemTime>,
    first_cell: usize,
    cells: usize,
    /// One bit per chunk: whether its checksum was verified.
    checked: Vec<AtomicU64>,
    cell: PhantomData<T>,
}

impl<T: Pod> Table<T> {
    /// Opens a table file. `key.cells` is the exact number of cells if `exact`, otherwise the minimum.
    ///
    /// # Errors
    /// If the file is missing or damaged, or if it is not the table that `key` describes.
    pub fn open(path: &Path, key: &TableKey, exact: bool) -> Result<Table<T>, TableError> {
        let mut opened = Opened::new(path)?;
        opened.header.is_for::<T>(key, exact)?;
        // The access time decides which tables a full store removes first. If it cannot be set, this table is removed
        // earlier.
        let _ = opened.file.set_times(fs::FileTimes::new().set_accessed(SystemTime::now()));
        let cells = opened.header.cells as usize;
        let data = if cells * size_of::<T>() <= READ_AT_ONCE {
            let mut values = zeroed::<T>(cells)?;
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
            opened.file.read_exact(bytes).map_err(TableError::Unreadable)?;
            check_chunks(bytes, &opened.checksums)?;
            Data::Memory(values)
        } else {
            Data::Mapped(Mapped::new(opened)?)
        };
        Ok(Table { data })
    }

    /// Returns the last cell of a table file, read without the others.
    ///
    /// # Errors
    /// The same as [`Table::open`].
    pub fn last(path: &Path, key: &TableKey) -> Result<T, TableError> {
        let mut opened = Opened::new(path)?;
        opened.header.is_for::<T>(key, false)?;
        let missing = TableError::OtherShape { found: opened.header.cells, wanted: 1 };
        let bytes = opened.header.cells * size_of::<T>() as u64;
        let chunk = bytes.checked_sub(1).ok_or(missing)? / CHUNK as u64;
        let (start, wanted) = (chunk * CHUNK as u64, &opened.checksums[chunk as usize * CHECKSUM..]);
        let mut last = zeroed::<T>((bytes - start) as usize / size_of::<T>())?;
        let read: &mut [u8] = bytemuck::cast_slice_mut(&mut last);
        let seek = opened.file.seek_relative(start as i64);
        seek.and_then(|()| opened.file.read_exact(read)).map_err(TableError::Unreadable)?;
        check_chunk(chunk as usize, read, wanted)?;
        Ok(last[last.len() - 1])
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        match &self.data {
            Data::Memory(cells) => cells.len(),
            Data::Mapped(mapped) => mapped.cells,
        }
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the table is mapped from its file instead of held in memory.
    pub fn is_mapped(&self) -> bool {
        matches!(self.data, Data::Mapped(_))
    }

    /// Returns `false` if the file of a mapped table was changed in place since it was opened.
    pub fn is_unchanged(&self) -> bool {
        match &self.data {
            Data::Memory(_) => true,
            Data::Mapped(mapped) => mapped.file.metadata().is_ok_and(|now| {
                now.len() == mapped.map.len() as u64 && now.modified().ok() == mapped.modified
            }),
        }
    }

    /// Returns a cell after its chunk was checked.
    ///
    /// # Errors
    /// If the chunk is damaged.
    ///
    /// # Panics
    /// If there is no such cell.
    #[inline]
    pub fn get(&self, cell: usize) -> Result<T, TableError> {
        match &self.data {
            Data::Memory(cells) => Ok(cells[cell]),
            Data::Mapped(mapped) => {
                mapped.check_chunk(cell * size_of::<T>() / CHUNK)?;
                Ok(mapped.cells()[cell])
            }
        }
    }

    /// Returns a range of cells after their chunks were checked.
    ///
    /// # Errors
    /// If a chunk is damaged, or if the range exceeds the table.
    pub fn slice(&self, cells: Range<usize>) -> Result<&[T], TableError> {
        let missing = TableError::OtherShape { found: self.len() as u64, wanted: cells.end as u64 };
        match &self.data {
            Data::Memory(all) => all.get(cells).ok_or(missing),
            Data::Mapped(mapped) => {
                if cells.end > mapped.cells {
                    return Err(missing);
                }
                let size = size_of::<T>();
                let mut chunks = cells.start * size / CHUNK..(cells.end * size).div_ceil(CHUNK);
                chunks.try_for_each(|chunk| mapped.check_chunk(chunk))?;
                Ok(&mapped.cells()[cells])
            }
        }
    }

    /// Writes cells as a table file.
    ///
    /// # Errors
    /// If the file cannot be written, or if the work is cancelled.
    pub fn write(path: &Path, key: &TableKey, cells: &[T], work: &Work<'_>) -> Result<(), WriteError>
    where
        T: Sync,
    {
        Table::write_parts(path, key, &[cells], work)
    }

    /// Writes the cells of several slices as one table file.
    ///
    /// # Errors
    /// If the file cannot be written, or if the work is cancelled.
    ///
    /// # Panics
    /// If any slice but the last is not a multiple of [`CHUNK`] bytes, or if the number of cells differs from
    /// `key.cells`.
    pub fn write_parts(path: &Path, key: &TableKey, parts: &[&[T]], work: &Work<'_>) -> Result<(), WriteError>
    where
        T: Sync,
    {
        let cells: usize = parts.iter().map(|part| part.len()).sum();
        assert_eq!(cells as u64, key.cells, "the key has the number of cells");
        let parts: Vec<&[u8]> = parts.iter().map(|part| bytemuck::cast_slice(part)).collect();
        let whole = |part: &&[u8]| part.len().is_multiple_of(CHUNK);
        assert!(parts.iter().rev().skip(1).all(whole), "a chunk is in one slice");
        replace_with(path, |file| write_all(file, key, &parts, size_of::<T>(), work))
    }
}

/// An open file whose header and checksums are valid, positioned at its first cell.
struct Opened {
    file: File,
    header: Header,
    checksums: Vec<u8>,
}

impl Opened {
    fn new(path: &Path) -> Result<Opened, TableError> {
        let problem = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => TableError::Missing,
            _ => TableError::Unreadable(error),
        };
        // This must be checked before the file is opened, because opening a pipe waits for a writer.
        if !fs::metadata(path).map_err(problem)?.is_file() {
            return Err(TableError::NotATable);
        }
        let mut file = File::open(path).map_err(problem)?;
        let found = file.metadata().map_err(TableError::Unreadable)?.len();
        let mut bytes = [0; HEADER];
        if found < HEADER as u64 {
            return Err(TableError::NotATable);
        }
        file.read_exact(&mut bytes).map_err(TableError::Unreadable)?;
        let header = parse_header(&bytes)?;
        let wanted = header.file_bytes().ok_or(TableError::HeaderDamaged)?;
        if found != wanted {
            return Err(TableError::WrongLength { found, wanted });
        }
        let mut checksums = zeroed(header.chunks() * CHECKSUM)?;
        file.read_exact(&mut checksums).map_err(TableError::Unreadable)?;
        check_checksums(&bytes, &checksums)?;
        Ok(Opened { file, header, checksums })
    }
}

impl<T: Pod> Mapped<T> {
    fn new(opened: Opened) -> Result<Mapped<T>, TableError> {
        let Opened { file, header, .. } = opened;
        let chunks = header.chunks();
        // SAFETY: a map is sound as long as nobody changes the file. Keepers never does: files are written under
        // another name and renamed, and removing a file does not affect its maps. If another program truncates the file
        // in place, the process may receive SIGBUS. We accept that, because an answer from a stored table then reads a
        // few kilobytes of a file that may have hundreds of megabytes.
        let map = unsafe { Mmap::map(&file) }.map_err(TableError::Unreadable)?;
        // Reads are scattered. The advice only improves speed, so its failure is ignored.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Mapped {
            first_cell: HEADER + chunks * CHECKSUM,
            cells: header.cells as usize,
            checked: (0..chunks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            modified: file.metadata().and_then(|found| found.modified()).ok(),
            map,
            file,
            cell: PhantomData,
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.map[self.first_cell..]
    }

    fn cells(&self) -> &[T] {
        // The cast needs alignment: the map starts at a page, and the cells start at a multiple of 16 bytes.
        bytemuck::cast_slice(self.bytes())
    }

    #[inline]
    fn check_chunk(&self, chunk: usize) -> Result<(), TableError> {
        let (word, bit) = (&self.checked[chunk / 64], 1 << (chunk % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        let end = self.bytes().len().min((chunk + 1) * CHUNK);
        let wanted = &self.map[HEADER + chunk * CHECKSUM..][..CHECKSUM];
        check_chunk(chunk, &self.bytes()[chunk * CHUNK..end], wanted)?;
        word.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }
}

impl Header {
    /// Checks every byte of a table file of any game and objective.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn check(path: &Path) -> Result<Header, TableError> {
        let Opened { mut file, header, checksums } = Opened::new(path)?;
        let mut left = (header.cells * u64::from(header.cell_bytes)) as usize;
        let mut bytes = vec![0; CHUNK];
        for (chunk, wanted) in checksums.chunks(CHECKSUM).enumerate() {
            let bytes = &mut bytes[..left.min(CHUNK)];
            file.read_exact(bytes).map_err(TableError::Unreadable)?;
            check_chunk(chunk, bytes, wanted)?;
            left -= bytes.len();
        }
        Ok(header)
    }

    /// Returns whether a file is a table that an earlier version wrote.
    pub(super) fn is_of_earlier_version(path: &Path) -> bool {
        matches!(Opened::new(path), Err(TableError::OtherVersion(version)) if version < VERSION)
    }
}

fn write_all(
    file: &mut File,
    key: &TableKey,
    parts: &[&[u8]],
    cell_bytes: usize,
    work: &Work<'_>,
) -> Result<(), WriteError> {
    let chunks: Vec<&[u8]> = parts.iter().flat_map(|part| part.chunks(CHUNK)).collect();
    let checksums = Threads::All.try_map(0..chunks.len(), |chunk| {
        work.check()?;
        Ok::<_, WorkError>(checksum(chunks[chunk]))
    })?;
    let checksums: &[u8] = checksums.as_flattened();
    file.write_all(&header_bytes(key, cell_bytes, checksums))?;
    file.write_all(checksums)?;
    for piece in parts.iter().flat_map(|part| part.chunks(SYNC_INTERVAL)) {
        work.check()?;
        file.write_all(piece)?;
        if piece.len() == SYNC_INTERVAL {
            file.sync_data()?;
        }
    }
    Ok(())
}
