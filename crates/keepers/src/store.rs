//! The table store: solved tables kept in a directory, solved again when they are not there or not
//! to be trusted.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use bytemuck::Pod;

use crate::game::Game;
use crate::rules::Rules;
use crate::solve::{self, Curve, ReachCurves};
use crate::table::{CHUNK, Header, Table, TableError, TableKey};

/// Tables up to this size are checked as a whole when they are opened; it takes milliseconds.
const CHECKED_AT_ONCE: usize = 64 << 20;

/// A solve gives up its temporary file only by crashing; after a day nobody is writing it any more.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Where solved tables are kept, and whom to tell about it.
#[derive(Clone)]
pub struct Store {
    directory: Option<PathBuf>,
    watcher: Arc<dyn Watcher>,
    /// Files that cannot be used, and about which that was told: whoever asks again need not hear it twice.
    told: Arc<Mutex<HashSet<PathBuf>>>,
}

/// Is told what a store does.
pub trait Watcher: Send + Sync {
    /// Something the user should know, in one line.
    fn notice(&self, text: &str) {
        let _ = text;
    }

    /// Long work goes on: what it is, how much is done, and how much there is in all.
    fn progress(&self, work: &str, done: usize, all: usize) {
        let _ = (work, done, all);
    }
}

/// Tells nobody.
pub struct Silent;

impl Watcher for Silent {}

/// A table file in the store.
#[derive(Debug)]
pub struct Stored {
    /// Where it is.
    pub path: PathBuf,
    /// How large it is.
    pub bytes: u64,
    /// What its header says, after every byte was checked, or why it is not to be trusted.
    pub header: Result<Header, TableError>,
}

/// The expected points still to come from every score state of a game: from a file of the store,
/// or solved when that is not there, and solved again when it turns out to be damaged.
pub struct ExpectedTable {
    game: Arc<Game>,
    store: Store,
    table: Table<f64>,
    solved_again: OnceLock<Vec<f64>>,
}

/// The reach curves of every score state of a game, kept and mended in the same way.
///
/// In the file, cells are words of four bytes: for each state where its curve starts among the
/// probabilities, and its first s and length in the lower and upper half of a word; zeros up to a
/// whole chunk; then the probabilities as `f32`.
pub struct ReachTable {
    game: Arc<Game>,
    store: Store,
    /// Nothing if the curves were solved now.
    table: Option<Table<u32>>,
    solved: OnceLock<ReachCurves>,
}

impl Store {
    /// A store in this directory, which need not exist yet.
    pub fn at(directory: impl Into<PathBuf>) -> Store {
        Store::in_directory(Some(directory.into()))
    }

    /// A store that keeps nothing.
    pub fn none() -> Store {
        Store::in_directory(None)
    }

    /// The store of this user: `KEEPERS_CACHE`, or `keepers` in the platform's cache directory; one
    /// that keeps nothing if there is no such directory.
    pub fn of_user() -> Store {
        Store::in_directory(user_directory())
    }

    fn in_directory(directory: Option<PathBuf>) -> Store {
        Store { directory, watcher: Arc::new(Silent), told: Arc::default() }
    }

    /// The same store, telling `watcher` what it does.
    #[must_use]
    pub fn watched_by(mut self, watcher: Arc<dyn Watcher>) -> Store {
        self.watcher = watcher;
        self
    }

    /// Who is told what the store does.
    pub fn watcher(&self) -> &dyn Watcher {
        &*self.watcher
    }

    /// The directory, if tables are kept.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The best expected scores of a game, from the store or solved now.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use keepers::{Game, Rules, Store};
    /// let game = Arc::new(Game::new(Rules::preset("yacht").unwrap()));
    /// let table = Store::none().expected(&game);
    /// assert!((table.start() - 166.988).abs() < 0.001);
    /// ```
    pub fn expected(&self, game: &Arc<Game>) -> ExpectedTable {
        let states = game.space().states();
        let stored = self.stored(&key(game.rules(), "expected", states), |table| table.len() == states);
        let table = stored.unwrap_or_else(|| self.solve_expected(game).into());
        ExpectedTable { game: Arc::clone(game), store: self.clone(), table, solved_again: OnceLock::new() }
    }

    /// The reach curves of a game, from the store or solved now.
    pub fn reach(&self, game: &Arc<Game>) -> ReachTable {
        self.known_reach(game).unwrap_or_else(|| {
            let solved = OnceLock::from(self.solve_reach(game));
            ReachTable { game: Arc::clone(game), store: self.clone(), table: None, solved }
        })
    }

    /// The reach curves of a game if the store has them: nothing is solved.
    pub fn known_reach(&self, game: &Arc<Game>) -> Option<ReachTable> {
        let words = first_probability(game.space().states());
        let table = self.stored(&key(game.rules(), "reach", words), |table| table.len() >= words)?;
        let (game, store) = (Arc::clone(game), self.clone());
        Some(ReachTable { game, store, table: Some(table), solved: OnceLock::new() })
    }

    /// The expected score of a whole game, if its table is in the store: nothing is solved.
    pub fn known_expected(&self, rules: &Rules) -> Option<f64> {
        let mut key = key(rules, "expected", 0);
        let path = self.directory.as_ref()?.join(key.file_name());
        key.cells = Header::read(&path).ok()?.cells;
        let table = Table::open(&path, &key).ok()?;
        table.get(table.len().checked_sub(1)?).ok()
    }

    /// Keeps expected scores that were solved. Says where, if they were kept.
    pub fn keep_expected(&self, game: &Game, cells: &[f64]) -> Option<PathBuf> {
        self.keep(&key(game.rules(), "expected", cells.len()), &[cells])
    }

    /// Keeps reach curves that were solved. Says where, if they were kept.
    pub fn keep_reach(&self, game: &Game, curves: &ReachCurves) -> Option<PathBuf> {
        if u32::try_from(curves.cells().len()).is_err() {
            self.watcher.notice("the table is not kept: it has more probabilities than a file can number");
            return None;
        }
        let windows = curves.windows().iter();
        let mut words: Vec<u32> = windows
            .flat_map(|window| [window.offset as u32, u32::from(window.first) | u32::from(window.len) << 16])
            .collect();
        words.resize(first_probability(curves.windows().len()), 0);
        let probabilities: &[u32] = bytemuck::cast_slice(curves.cells());
        let key = key(game.rules(), "reach", words.len() + probabilities.len());
        self.keep(&key, &[&words, probabilities])
    }

    fn keep<T: Pod + Sync>(&self, key: &TableKey, parts: &[&[T]]) -> Option<PathBuf> {
        let path = self.directory.as_ref()?.join(key.file_name());
        match self.write(&path, key, parts) {
            Ok(()) => {
                self.told().remove(&path);
                Some(path)
            }
            Err(error) => {
                let text = format!("the table is not kept: {} cannot be written ({error})", path.display());
                self.watcher.notice(&text);
                None
            }
        }
    }

    /// A table of the store, if it is there and to be trusted; `fits` says whether its shape is right.
    fn stored<T: Pod>(&self, key: &TableKey, fits: impl Fn(&Table<T>) -> bool) -> Option<Table<T>> {
        let path = self.directory.as_ref()?.join(key.file_name());
        let opened = Header::read(&path).and_then(|header| {
            let table = Table::open(&path, &TableKey { cells: header.cells, ..key.clone() })?;
            if !fits(&table) {
                return Err(TableError::OtherShape { found: header.cells, wanted: key.cells });
            }
            if table.len() * size_of::<T>() <= CHECKED_AT_ONCE {
                table.check()?;
            }
            Ok(table)
        });
        match opened {
            Ok(table) => Some(table),
            Err(TableError::Missing) => None,
            Err(error) => {
                let text = format!("solving again: {} is not used, {error}", path.display());
                if self.told().insert(path) {
                    self.watcher.notice(&text);
                }
                None
            }
        }
    }

    fn told(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn solve_expected(&self, game: &Game) -> Vec<f64> {
        let work = format!("solving {}", game.rules().name());
        let cells = solve::expected_scores(game, &|done, all| self.watcher.progress(&work, done, all));
        self.keep_expected(game, &cells);
        cells
    }

    fn solve_reach(&self, game: &Game) -> ReachCurves {
        let work = format!("solving {} for every score", game.rules().name());
        let curves = solve::reach_curves(game, &|done, all| self.watcher.progress(&work, done, all));
        self.keep_reach(game, &curves);
        curves
    }

    fn write<T: Pod + Sync>(&self, path: &Path, key: &TableKey, parts: &[&[T]]) -> io::Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
            // Tidying up is no reason not to write.
            let _ = remove_temporaries(directory, STALE);
        }
        Table::write_parts(path, key, parts)
    }

    /// The table files in the store, by name, each checked.
    pub fn list(&self) -> io::Result<Vec<Stored>> {
        let Some(directory) = &self.directory else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for path in files(directory, "keepers")? {
            // The length of the file itself, should it be a link that leads nowhere.
            let bytes = fs::symlink_metadata(&path)?.len();
            found.push(Stored { header: Header::check(&path), path, bytes });
        }
        Ok(found)
    }

    /// Removes every table, and what crashed solves left behind. Says how many bytes that freed.
    pub fn clear(&self) -> io::Result<u64> {
        let Some(directory) = &self.directory else { return Ok(0) };
        let mut freed = 0;
        for path in files(directory, "keepers")? {
            let found = fs::symlink_metadata(&path)?;
            if !found.is_dir() {
                fs::remove_file(&path)?;
                freed += if found.is_file() { found.len() } else { 0 };
            }
        }
        Ok(freed + remove_temporaries(directory, Duration::ZERO)?)
    }

    /// Solves again what turned out to be damaged. On a thread and a pool of its own: a worker of the
    /// current pool could pick up other work that waits for this very solve.
    fn mend<T: Send>(&self, error: &TableError, solve: impl FnOnce() -> T + Send) -> T {
        self.watcher.notice(&format!("solving again: the stored table is not used, {error}"));
        let threads = rayon::current_num_threads();
        std::thread::scope(|scope| {
            let solving =
                scope.spawn(|| match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                    Ok(pool) => pool.install(solve),
                    Err(_) => solve(),
                });
            solving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

impl ExpectedTable {
    /// The game it is of.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The expected points still to come from a state.
    pub fn get(&self, state: usize) -> f64 {
        if let Some(cells) = self.solved_again.get() {
            return cells[state];
        }
        self.table.get(state).unwrap_or_else(|error| {
            let solve = || self.store.solve_expected(&self.game);
            self.solved_again.get_or_init(|| self.store.mend(&error, solve))[state]
        })
    }

    /// The expected score of a whole game.
    pub fn start(&self) -> f64 {
        self.get(self.table.len() - 1)
    }

    /// Whether it came from a file of the store.
    pub fn is_stored(&self) -> bool {
        self.table.is_mapped() && self.solved_again.get().is_none()
    }
}

impl ReachTable {
    /// The game it is of.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The best probabilities of getting every number of points from a state.
    pub fn curve(&self, state: usize) -> Curve<'_> {
        let stored = self.table.as_ref().filter(|_| self.solved.get().is_none());
        match stored.map(|table| self.stored_curve(table, state)) {
            Some(Ok(curve)) => curve,
            Some(Err(error)) => {
                let solve = || self.store.solve_reach(&self.game);
                self.solved.get_or_init(|| self.store.mend(&error, solve)).curve(state)
            }
            None => self.solved.get_or_init(|| self.store.solve_reach(&self.game)).curve(state),
        }
    }

    fn stored_curve<'t>(&self, table: &'t Table<u32>, state: usize) -> Result<Curve<'t>, TableError> {
        let words = table.slice(2 * state..2 * state + 2)?;
        let (first, len) = (words[1] as u16, (words[1] >> 16) as usize);
        let start = first_probability(self.game.space().states()) + words[0] as usize;
        Ok(Curve { first, cells: bytemuck::cast_slice(table.slice(start..start + len)?) })
    }

    /// Whether it came from a file of the store.
    pub fn is_stored(&self) -> bool {
        self.table.is_some() && self.solved.get().is_none()
    }
}

/// The first word of a reach table that is a probability.
fn first_probability(states: usize) -> usize {
    (2 * states).next_multiple_of(CHUNK / size_of::<u32>())
}

fn key(rules: &Rules, objective: &str, cells: usize) -> TableKey {
    TableKey {
        rules: rules.fingerprint(),
        name: rules.name().to_string(),
        objective: objective.to_string(),
        cells: cells as u64,
    }
}

/// The files with this ending in a directory, by name; none if there is no such directory.
fn files(directory: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries?,
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    Ok(paths)
}

/// Removes temporary files that are older than `age`; says how many bytes that freed.
fn remove_temporaries(directory: &Path, age: Duration) -> io::Result<u64> {
    let mut freed = 0;
    for path in files(directory, "tmp")? {
        let ours = path.file_name().is_some_and(|name| name.to_string_lossy().contains(".keepers."));
        // Another process may have finished or removed it meanwhile.
        let Some(found) = fs::metadata(&path).ok().filter(|_| ours) else { continue };
        // A time in the future is no age at all.
        let past = |then| SystemTime::now().duration_since(then).unwrap_or_default();
        let old = found.modified().is_ok_and(|then| past(then) >= age);
        if old && fs::remove_file(&path).is_ok() {
            freed += found.len();
        }
    }
    Ok(freed)
}

/// Where this platform keeps what can be made again.
fn user_directory() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    set("KEEPERS_CACHE").or_else(|| {
        let cache = if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Caches"))
        } else {
            set("XDG_CACHE_HOME").or_else(|| home().map(|home| home.join(".cache")))
        };
        cache.map(|cache| cache.join("keepers"))
    })
}
