//! Stores in temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use keepers::{Game, Observer, Silent};
use keepers_blocks::two_player::{
    Lanes, Settings, SolveOptions, Solved, StoredSolution, TwoPlayerStore, Verified, VerifyOptions,
};
use keepers_blocks::{Encoding, ObjectFolder, StoreError};
use tempfile::TempDir;

pub const DOUBLE: Settings = Settings { encoding: Encoding::F64, lanes: Lanes::F64 };
pub const SINGLE: Settings = Settings { encoding: Encoding::F32, lanes: Lanes::F32 };
pub const SHORT: Settings = Settings { encoding: Encoding::D16, lanes: Lanes::F32 };

/// Returns a temporary folder, in memory where that is possible: stores sync every object, which is slow on a disk.
pub fn tempdir() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// One thread, enough memory, and all layers are kept.
pub const SOLVE: SolveOptions = SolveOptions { memory: 1 << 30, threads: 1, keep_from: 0 };

pub fn open(path: &Path, game: &Game, settings: Settings) -> TwoPlayerStore {
    create(path, game, Some(settings)).unwrap()
}

pub fn create(path: &Path, game: &Game, settings: Option<Settings>) -> Result<TwoPlayerStore, StoreError> {
    let folder = ObjectFolder::open(path.to_str().unwrap())?;
    TwoPlayerStore::create(folder, game, settings, &Silent)
}

pub fn solution(path: &Path, game: &Game) -> StoredSolution {
    StoredSolution::open(ObjectFolder::open(path.to_str().unwrap()).unwrap(), game, &Silent).unwrap()
}

pub fn solve(path: &Path, game: &Game, settings: Settings) -> Solved {
    open(path, game, settings).solve(SOLVE, &Silent).unwrap()
}

/// Checks a store, with a sample of `blocks` blocks of each layer.
pub fn verify(path: &Path, game: &Game, blocks: usize) -> Result<Verified, StoreError> {
    let options = VerifyOptions { blocks, duels: 2, seed: 1, duel_bytes: 1 << 30, duel_turns: 1_000_000 };
    let folder = ObjectFolder::open(path.to_str().unwrap()).unwrap();
    TwoPlayerStore::open(folder, game, &Silent)?.verify(options, &Silent)
}

/// All files below a folder with their contents, by their names within it.
pub fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    fn visit(folder: &Path, root: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, root, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(path, path, &mut found);
    found
}

pub fn manifests(path: &Path) -> BTreeMap<String, Vec<u8>> {
    files(path).into_iter().filter(|(name, _)| name.ends_with("manifest.json")).collect()
}

/// Copies a store.
pub fn copy(files: &BTreeMap<String, Vec<u8>>, to: &Path) {
    for (name, bytes) in files {
        let path: PathBuf = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Cancels the work after some reports of progress of the solve.
pub struct CancelAfter {
    reports: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl CancelAfter {
    pub fn new(reports: usize) -> CancelAfter {
        CancelAfter { reports: AtomicUsize::new(reports), is_cancelled: AtomicBool::new(false) }
    }
}

impl Observer for CancelAfter {
    fn progress(&self, work: &str, _: usize, _: usize) {
        if work.starts_with("solving") {
            let left = self.reports.load(Ordering::SeqCst).saturating_sub(1);
            self.reports.store(left, Ordering::SeqCst);
            self.is_cancelled.fetch_or(left == 0, Ordering::SeqCst);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }
}

/// Records notices, and checks what an observer may rely on.
#[derive(Default)]
pub struct Notices {
    pub texts: Mutex<Vec<String>>,
    latest: Mutex<BTreeMap<String, (usize, usize)>>,
}

impl Notices {
    pub fn all(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }

    /// Checks that all work that was reported has ended.
    pub fn check_ends(&self) {
        for (work, (done, all)) in &*self.latest.lock().unwrap() {
            assert_eq!(done, all, "{work}");
        }
    }
}

impl Observer for Notices {
    fn progress(&self, work: &str, done: usize, all: usize) {
        let mut latest = self.latest.lock().unwrap();
        assert!(done <= all, "{work}: {done} of {all}");
        if let Some((before, all_before)) = latest.insert(work.into(), (done, all))
            && before != all_before
        {
            assert!(
                before <= done && all_before == all,
                "{work}: {done} of {all} after {before} of {all_before}"
            );
        }
    }

    fn notice(&self, text: &str) {
        assert!(!text.contains('\n'), "{text}");
        self.texts.lock().unwrap().push(text.into());
    }
}
