//! The table store: solved tables kept in a directory, solved again when they are not there or not
//! to be trusted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use crate::game::Game;
use crate::rules::Rules;
use crate::solve::{self, Progress};
use crate::table::{Header, Table, TableError, TableKey};

/// Tables up to this size are checked as a whole when they are opened; it takes milliseconds.
const CHECKED_AT_ONCE: usize = 64 << 20;

/// A solve gives up its temporary file only by crashing; after a day nobody is writing it any more.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Where solved tables are kept, and whom to tell about it.
#[derive(Clone)]
pub struct Store {
    directory: Option<PathBuf>,
    watcher: Arc<dyn Watcher>,
}

/// Is told what a store does.
pub trait Watcher: Send + Sync {
    /// Something the user should know, in one line.
    fn notice(&self, text: &str) {
        let _ = text;
    }

    /// A solve goes on: so many states of so many are done.
    fn progress(&self, rules: &str, done: usize, all: usize) {
        let _ = (rules, done, all);
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

impl Store {
    /// A store in this directory, which need not exist yet.
    pub fn at(directory: impl Into<PathBuf>) -> Store {
        Store { directory: Some(directory.into()), watcher: Arc::new(Silent) }
    }

    /// A store that keeps nothing.
    pub fn none() -> Store {
        Store { directory: None, watcher: Arc::new(Silent) }
    }

    /// The store of this user: `KEEPERS_CACHE`, or `keepers` in the platform's cache directory; one
    /// that keeps nothing if there is no such directory.
    pub fn of_user() -> Store {
        Store { directory: user_directory(), watcher: Arc::new(Silent) }
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
        let table = self.stored_expected(game).unwrap_or_else(|| self.solve_expected(game).into());
        ExpectedTable { game: Arc::clone(game), store: self.clone(), table, solved_again: OnceLock::new() }
    }

    /// The expected score of a whole game, if its table is in the store: nothing is solved.
    pub fn known_expected(&self, rules: &Rules) -> Option<f64> {
        let mut key = expected_key(rules, 0);
        let path = self.directory.as_ref()?.join(key.file_name());
        key.cells = Header::read(&path).ok()?.cells;
        let table = Table::open(&path, &key).ok()?;
        table.get(table.len().checked_sub(1)?).ok()
    }

    /// Keeps a table that was solved. Says where, if it was kept.
    pub fn keep_expected(&self, game: &Game, cells: &[f64]) -> Option<PathBuf> {
        let key = expected_key(game.rules(), game.space().states());
        let path = self.directory.as_ref()?.join(key.file_name());
        match self.write(&path, &key, cells) {
            Ok(()) => Some(path),
            Err(error) => {
                let text = format!("the table is not kept: {} cannot be written ({error})", path.display());
                self.watcher.notice(&text);
                None
            }
        }
    }

    fn stored_expected(&self, game: &Game) -> Option<Table<f64>> {
        let key = expected_key(game.rules(), game.space().states());
        let path = self.directory.as_ref()?.join(key.file_name());
        let opened = Table::open(&path, &key).and_then(|table| {
            if table.len() * size_of::<f64>() <= CHECKED_AT_ONCE {
                table.check()?;
            }
            Ok(table)
        });
        match opened {
            Ok(table) => Some(table),
            Err(TableError::Missing) => None,
            Err(error) => {
                self.watcher.notice(&format!("solving again: {} is not used, {error}", path.display()));
                None
            }
        }
    }

    fn solve_expected(&self, game: &Game) -> Vec<f64> {
        let name = game.rules().name().to_string();
        let progress: Progress<'_> = &|done, all| self.watcher.progress(&name, done, all);
        let cells = solve::expected_scores(game, progress);
        self.keep_expected(game, &cells);
        cells
    }

    fn write(&self, path: &Path, key: &TableKey, cells: &[f64]) -> io::Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
            remove_temporaries(directory, STALE)?;
        }
        Table::write(path, key, cells)
    }

    /// The table files in the store, by name, each checked.
    pub fn list(&self) -> io::Result<Vec<Stored>> {
        let Some(directory) = &self.directory else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for path in files(directory, "keepers")? {
            let bytes = fs::metadata(&path)?.len();
            found.push(Stored { header: Header::check(&path), path, bytes });
        }
        Ok(found)
    }

    /// Removes every table, and what crashed solves left behind. Says how many bytes that freed.
    pub fn clear(&self) -> io::Result<u64> {
        let Some(directory) = &self.directory else { return Ok(0) };
        let mut freed = 0;
        for path in files(directory, "keepers")? {
            freed += fs::metadata(&path)?.len();
            fs::remove_file(&path)?;
        }
        Ok(freed + remove_temporaries(directory, Duration::ZERO)?)
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
        match self.table.get(state) {
            Ok(value) => value,
            Err(error) => {
                let again = self.solved_again.get_or_init(|| {
                    let watcher = &self.store.watcher;
                    watcher.notice(&format!("solving again: the stored table is not used, {error}"));
                    self.store.solve_expected(&self.game)
                });
                again[state]
            }
        }
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

fn expected_key(rules: &Rules, states: usize) -> TableKey {
    TableKey {
        rules: rules.fingerprint(),
        name: rules.name().to_string(),
        objective: "expected".to_string(),
        cells: states as u64,
    }
}

/// The files with this ending in a directory, by name; none if there is no such directory.
fn files(directory: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
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
        let now = SystemTime::now();
        let old = found.modified().is_ok_and(|then| now.duration_since(then).is_ok_and(|past| past >= age));
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
