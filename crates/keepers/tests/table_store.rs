//! Faults in the table store, on a real file system: whatever happens to a file, the values are right.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use keepers::answers::{BoxSet, ExpectedTable};
use keepers::internals::rules::Filled;
use keepers::internals::table::{Header, READ_AT_ONCE, Table, TableError, TableKey, WriteError};
use keepers::internals::{NoWork, Work, solve};
use keepers::{Engine, Game, Observer, Rules, Store, WorkError};
use tempfile::TempDir;

/// Two upper boxes and a bonus: a file of a few hundred bytes that still has every part.
const TOY: &str = r#"name = "toy"
dice = 2
faces = 2
rolls = 1
upper_bonus = { threshold = 4, points = 5 }
extra = { box = "p", points = 9, joker = "none" }
box = [{ id = "1", pattern = "face", face = 1 }, { id = "2", pattern = "face", face = 2 },
    { id = "p", pattern = "sets", of = [2], pays = 7 }]"#;

/// The offsets of the parts of a file, as `table.rs` defines them.
const HEADER: usize = 192;
const CHECKSUM: usize = 16;
const CHUNK: usize = 1 << 16;

#[derive(Default)]
struct Notices(Mutex<Vec<String>>);

impl Observer for Notices {
    fn notice(&self, text: &str) {
        assert!(!text.contains('\n'), "a notice is one line");
        self.0.lock().unwrap().push(text.to_string());
    }
}

/// A game, its correct values, and a store in its own directory.
struct Bed {
    game: Game,
    right: Vec<f64>,
    key: TableKey,
    store: Store,
    notices: Notices,
    directory: TempDir,
}

impl Bed {
    fn unsolved(rules: Rules) -> Bed {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::at(directory.path());
        let game = Game::new(rules);
        let (rules, cells) = (game.rules().fingerprint(), game.space().states() as u64);
        let key = TableKey { rules, name: game.rules().name().into(), objective: "expected".into(), cells };
        Bed { key, game, right: Vec::new(), store, notices: Notices::default(), directory }
    }

    /// The toy or a preset.
    fn of(name: &str) -> Bed {
        let rules = if name == "toy" { Rules::from_toml(TOY).unwrap() } else { Rules::preset(name).unwrap() };
        let bed = Bed::unsolved(rules);
        Bed { right: solve::expected_scores(&bed.game, &Work::silent()).unwrap(), ..bed }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn path(&self) -> PathBuf {
        self.place(&self.key.file_name())
    }

    /// The names of the files in the directory, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.notices.0.lock().unwrap())
    }

    /// Writes a valid file and returns its bytes.
    fn good_file(&self) -> Vec<u8> {
        write_table(&self.path(), &self.key, &self.right);
        fs::read(self.path()).unwrap()
    }

    /// Opens the file and checks all of it.
    fn check(&self) -> Result<(), TableError> {
        Table::<f64>::open(&self.path(), &self.key, true)?;
        Header::check(&self.path()).map(|_| ())
    }

    fn open(&self) -> ExpectedTable {
        self.store.expected(&self.game, &self.notices).unwrap()
    }

    /// Whether the values have the same bits as the correct ones.
    fn is_right(&self, table: &ExpectedTable) -> bool {
        assert_eq!(self.right.len(), self.game.space().states());
        (0..self.right.len()).all(|state| table.get(state).to_bits() == self.right[state].to_bits())
    }

    /// Checks that the file is not used: the values are correct, there is this number of notices, and a valid file
    /// replaces it.
    fn heals(&self, notices: usize, case: &str) {
        let table = self.open();
        assert!(!table.is_stored() && self.is_right(&table), "{case}: solved again");
        let found = self.take_notices();
        assert_eq!(found.len(), notices, "{case}: {found:?}");
        self.is_good(case);
    }

    fn is_good(&self, case: &str) {
        assert!(self.check().is_ok(), "{case}: the file is good");
        let table = self.open();
        assert!(table.is_stored() && self.is_right(&table), "{case}: from the file");
        assert_eq!(self.take_notices(), [""; 0], "{case}");
        assert_eq!(self.names(), [self.key.file_name()], "{case}: nothing else is left");
    }
}

/// The name of an error's kind: `CellsDamaged`.
fn kind(error: &TableError) -> String {
    format!("{error:?}").chars().take_while(char::is_ascii_alphabetic).collect()
}

/// The error for a flipped byte; `cells` is the offset of the cells.
fn kind_of_flip(at: usize, cells: usize) -> &'static str {
    match at {
        0..8 => "NotATable",
        8..12 => "OtherVersion",
        12..HEADER => "HeaderDamaged",
        _ if at < cells => "ChecksumsDamaged",
        _ => "CellsDamaged",
    }
}

fn flip(path: &Path, at: usize) {
    let mut file = File::options().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at as u64)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek_relative(-1).unwrap();
    file.write_all(&[byte[0] ^ 16]).unwrap();
}

fn write_table<T: bytemuck::Pod + Sync>(path: &Path, key: &TableKey, cells: &[T]) {
    Table::write(path, key, cells, &Work::silent()).unwrap();
}

#[test]
fn the_first_use_solves_and_writes_a_file_and_the_second_reads_it() {
    for bed in ["toy", "yacht", "yahtzee"].map(Bed::of) {
        let case = bed.game.rules().name();
        assert!(matches!(bed.check(), Err(TableError::Missing)), "{case}");
        bed.heals(0, case);
        let start = bed.open().start();
        assert_eq!(start.to_bits(), bed.right.last().unwrap().to_bits(), "{case}");
        assert_eq!(fs::read(bed.path()).unwrap(), bed.good_file(), "{case}: the same bytes each time");
        let nowhere = Store::none().expected(&bed.game, &bed.notices).unwrap();
        assert!(!nowhere.is_stored() && bed.is_right(&nowhere), "{case}: a store that keeps nothing");
    }
}

#[test]
fn a_file_cut_at_any_boundary_or_too_long_is_solved_again() {
    let bed = Bed::of("yacht");
    let good = bed.good_file();
    let cells = HEADER + CHECKSUM;
    assert_eq!(good.len(), cells + 8 * bed.right.len(), "one chunk");
    let inside = [HEADER, HEADER + 7, cells, cells + 8, cells + 8003, good.len() - 1, good.len() + 1];
    for length in [0, 5, HEADER - 1].into_iter().chain(inside) {
        let wanted = if length < HEADER { "NotATable" } else { "WrongLength" };
        let mut bytes = good.clone();
        bytes.resize(length, 0);
        fs::write(bed.path(), bytes).unwrap();
        assert_eq!(kind(&bed.check().unwrap_err()), wanted, "{length} bytes");
        bed.heals(1, &format!("{length} bytes"));
    }
}

#[test]
fn a_flip_of_any_byte_of_a_small_file_is_found() {
    let bed = Bed::of("toy");
    let good = bed.good_file();
    let cells = HEADER + CHECKSUM;
    assert!(good.len() >= cells + 8 * 8, "there are some cells");
    for at in 0..good.len() {
        for bit in [1, 0x80] {
            let mut bytes = good.clone();
            bytes[at] ^= bit;
            fs::write(bed.path(), &bytes).unwrap();
            let error = bed.check().unwrap_err();
            assert_eq!(kind(&error), kind_of_flip(at, cells), "byte {at}: {error}");
            let error = Header::check(&bed.path()).unwrap_err();
            assert_eq!(kind(&error), kind_of_flip(at, cells), "byte {at}: {error}");
        }
        bed.heals(1, &format!("byte {at}"));
    }
}

#[test]
fn a_flip_in_any_chunk_of_a_file_with_many_is_found() {
    let bed = Bed::of("yahtzee");
    let length = bed.good_file().len();
    let chunks = (8 * bed.right.len()).div_ceil(CHUNK);
    let cells = HEADER + chunks * CHECKSUM;
    assert!(chunks > 30);
    let checksums = (0..chunks).map(|chunk| HEADER + chunk * CHECKSUM + chunk % CHECKSUM);
    let ends = (1..chunks).flat_map(|chunk| [cells + chunk * CHUNK - 1, cells + chunk * CHUNK]);
    for at in checksums.chain([cells]).chain(ends).chain([length - 1]) {
        flip(&bed.path(), at);
        let error = bed.check().unwrap_err();
        assert_eq!(kind(&error), kind_of_flip(at, cells), "byte {at}");
        if let TableError::CellsDamaged(chunk) = error {
            assert_eq!(chunk, (at - cells) / CHUNK, "byte {at}");
        }
        flip(&bed.path(), at);
    }
    flip(&bed.path(), cells + CHUNK);
    bed.heals(1, "yahtzee");
}

#[test]
fn a_foreign_file_is_replaced() {
    let bed = Bed::of("yacht");
    let random: Vec<u8> = (0..40_000u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    for (bytes, name) in [(random, "random bytes"), (vec![b'a'; 5000], "text"), (Vec::new(), "empty")] {
        fs::write(bed.path(), bytes).unwrap();
        assert!(matches!(bed.check(), Err(TableError::NotATable)), "{name}");
        bed.heals(1, name);
    }
}

#[test]
fn tables_of_an_earlier_version_are_reported_once() {
    let bed = Bed::of("toy");
    // Version 1 had another fingerprint for these rules, and so another file name.
    let old = bed.place("expected-0123456789abcdef.keepers");
    write_table(&old, &bed.key, &bed.right);
    let mut bytes = fs::read(&old).unwrap();
    bytes[8..12].copy_from_slice(&1_u32.to_ne_bytes());
    fs::write(&old, bytes).unwrap();
    for _ in 0..2 {
        bed.store.expected(&bed.game, &bed.notices).unwrap();
        fs::remove_file(bed.path()).unwrap();
    }
    let notices = bed.notices.0.lock().unwrap().clone();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].starts_with("solving again: tables of an earlier version in "), "{notices:?}");
}

#[test]
fn a_table_of_another_kind_is_not_used() {
    let bed = Bed::of("yacht");
    let good = bed.good_file();
    let write = |change: &dyn Fn(&mut TableKey)| {
        let mut key = bed.key.clone();
        change(&mut key);
        write_table(&bed.path(), &key, &bed.right[..key.cells as usize]);
    };
    let heals = |wanted: &str| {
        let error = bed.check().unwrap_err();
        assert_eq!(kind(&error), wanted);
        bed.heals(1, wanted);
        error.to_string()
    };

    write(&|key| key.rules = key.rules.map(|byte| !byte));
    assert_eq!(heals("OtherRules"), "it is for other rules");
    write(&|key| key.objective = "median".into());
    assert_eq!(heals("OtherObjective"), "it is for the objective median");
    write(&|key| key.cells -= 1);
    assert_eq!(heals("OtherShape"), "it has 4095 cells instead of 4096");
    // The name does not matter: a table with another name is the same table.
    write(&|key| key.name = "a name that is so long that the header has no room for all of it".into());
    bed.is_good("name");

    let mut newer = good.clone();
    newer[8..12].copy_from_slice(&77u32.to_ne_bytes());
    let seal = *blake3::hash(&newer[..160]).as_bytes();
    newer[160..192].copy_from_slice(&seal);
    fs::write(bed.path(), newer).unwrap();
    assert!(heals("OtherVersion").starts_with("it has layout 77, but this program reads layout "));

    // The same number of cells, but smaller ones.
    let narrow: Vec<f32> = bed.right.iter().map(|&value| value as f32).collect();
    write_table(&bed.path(), &bed.key, &narrow);
    let message = heals("OtherCells");
    assert_ne!(message, "it has 4096 cells instead of 4096", "that is no difference");
}

#[test]
fn a_directory_that_cannot_be_written_leaves_everything_working_in_memory() {
    let bed = Bed::of("yacht");
    fs::write(bed.place("file"), "x").unwrap();
    fs::create_dir_all(bed.place("taken").join(bed.key.file_name())).unwrap();
    // Root ignores permission bits, but not these obstacles.
    let mut directories = vec![bed.place("file"), bed.place("file").join("sub"), bed.place("taken")];
    if cfg!(target_os = "linux") {
        directories.extend(["/proc/keepers", "/dev/null/keepers"].map(PathBuf::from));
    }
    for directory in directories {
        let table = Store::at(&directory).expected(&bed.game, &bed.notices).unwrap();
        let case = directory.display();
        assert!(!table.is_stored() && bed.is_right(&table), "{case}");
        let (not_kept, others): (Vec<_>, Vec<_>) =
            bed.take_notices().into_iter().partition(|text| text.starts_with("the table is not kept: "));
        assert_eq!(not_kept.len(), 1, "{case}: {others:?}");
        // A table is solved "again" only where its path existed.
        assert_eq!(others.len(), usize::from(directory.ends_with("taken")), "{case}: {others:?}");
    }
    assert_eq!(fs::read_dir(bed.place("taken")).unwrap().count(), 1, "no temporary file is left");
}

#[test]
#[cfg(unix)]
fn links_and_directories_do_no_harm() {
    use std::os::unix::fs::symlink;
    let bed = Bed::of("toy");
    symlink("/nowhere/at/all", bed.path()).unwrap();
    bed.heals(0, "a link to nowhere is replaced");
    assert!(fs::symlink_metadata(bed.path()).unwrap().is_file());

    let bytes = fs::metadata(bed.path()).unwrap().len();
    symlink("/nowhere/at/all", bed.place("a.keepers")).unwrap();
    fs::create_dir(bed.place("b.keepers")).unwrap();
    let listed = bed.store.list().expect("one bad entry does not hide the others");
    assert_eq!(listed.iter().filter(|stored| stored.header.is_ok()).count(), 1);
    assert_eq!(bed.store.clear().expect("nor does it keep them from being removed"), bytes);
    assert!(!bed.path().exists());
}

/// A mapped table with made-up values: two dice of two faces and 22 boxes have nine million states, but are solved
/// quickly.
fn large() -> (Bed, Vec<f64>) {
    let boxes: String = (0..19).map(|n| format!(", {{ id = \"c{n}\", pattern = \"chance\" }}")).collect();
    let bed = Bed::unsolved(Rules::from_toml(&TOY.replace("}]", &format!("}}{boxes}]"))).unwrap());
    let states = bed.game.space().states();
    assert!(8 * states > READ_AT_ONCE, "too large to be checked at once");
    let made_up: Vec<f64> = (0..states).map(|state| -(state as f64)).collect();
    write_table(&bed.path(), &bed.key, &made_up);
    (bed, made_up)
}

#[test]
fn damage_in_a_large_table_is_found_when_its_chunk_is_read_and_solved_again_once() {
    let (bed, made_up) = large();
    let states = made_up.len();
    // The first 12 boxes are filled with zeros; each of the other ten is worth 3 on average.
    let filled = Filled { boxes: BoxSet::first(12), extras_pay: false };
    let damaged = bed.game.space().index(filled, 0).unwrap();
    let (chunks, per_chunk) = ((8 * states).div_ceil(CHUNK), CHUNK / 8);
    let bad = damaged / per_chunk;
    flip(&bed.path(), HEADER + chunks * CHECKSUM + 8 * damaged);

    let table = Table::<f64>::open(&bed.path(), &bed.key, true).unwrap();
    assert!(table.is_mapped());
    for chunk in [0, bad - 1, bad + 1, chunks - 1] {
        assert_eq!(table.get(chunk * per_chunk).unwrap(), made_up[chunk * per_chunk]);
    }
    // One cell is read twice: the error must occur the second time too.
    for cell in [bad * per_chunk, damaged, damaged, (bad + 1) * per_chunk - 1] {
        assert!(matches!(table.get(cell), Err(TableError::CellsDamaged(chunk)) if chunk == bad));
    }
    assert!(matches!(bed.check(), Err(TableError::CellsDamaged(chunk)) if chunk == bad));

    let table = bed.open();
    assert!(table.is_stored() && table.start() < 0.0, "what is whole is used");
    let is_right = |table: &ExpectedTable| (table.get(damaged) - 30.0).abs() < 1e-9;
    let start = Barrier::new(2);
    thread::scope(|scope| {
        let get = || (start.wait(), assert!(is_right(&table)));
        let _ = (scope.spawn(get), scope.spawn(get));
    });
    assert!(!table.is_stored() && table.start() > 0.0, "from then on all values are new");
    assert_eq!(bed.take_notices(), [""; 0], "nobody observed it");
    bed.store.pass_on_notices(&bed.notices);
    let notices = bed.take_notices();
    assert!(notices.len() == 1 && notices[0].starts_with("solving again: "), "{notices:?}");
    bed.store.pass_on_notices(&bed.notices);
    assert_eq!(bed.take_notices(), [""; 0], "it is reported once");
    let table = bed.open();
    assert!(table.is_stored() && is_right(&table) && bed.check().is_ok(), "and kept");
    assert_eq!((bed.names(), bed.take_notices()), (vec![bed.key.file_name()], vec![]));
}

#[test]
#[cfg(unix)] // elsewhere a file in use cannot be removed
fn a_file_removed_or_replaced_while_it_is_in_use_keeps_its_values() {
    let small = Bed::of("yacht");
    let (large, made_up) = large();
    for (bed, is_mapped) in [(small, false), (Bed { right: made_up, ..large }, true)] {
        for way in ["removed", "replaced", "cleared"] {
            write_table(&bed.path(), &bed.key, &bed.right);
            assert_eq!(Table::<f64>::open(&bed.path(), &bed.key, true).unwrap().is_mapped(), is_mapped);
            let table = bed.open();
            match way {
                "removed" => fs::remove_file(bed.path()).unwrap(),
                "replaced" => write_table(&bed.path(), &bed.key, &vec![-1.0; bed.right.len()]),
                _ => assert!(bed.store.clear().unwrap() > 0),
            }
            assert!(table.is_stored() && table.is_unchanged() && bed.is_right(&table), "{way}");
        }
    }
}

#[test]
fn a_mapped_file_that_is_changed_in_place_is_noticed() {
    let (bed, made_up) = large();
    let table = bed.open();
    assert!(table.is_unchanged());
    flip(&bed.path(), HEADER + 1);
    assert!(!table.is_unchanged() && table.is_stored());
    assert_eq!(table.start(), made_up[made_up.len() - 1]);
}

#[test]
fn damage_whose_new_table_cannot_be_stored_is_reported_with_the_reason() {
    let (bed, made_up) = large();
    let (states, chunks) = (made_up.len(), (8 * made_up.len()).div_ceil(CHUNK));
    flip(&bed.path(), HEADER + chunks * CHECKSUM + 8 * states - 1);
    let engine = Engine::new(bed.store.clone().limited_to(1 << 20));
    let table = engine.observed_by(&bed.notices).expected_table(&bed.game).unwrap();
    assert!(table.is_stored() && table.start() > 0.0 && !table.is_stored());
    assert_eq!(bed.take_notices(), [""; 0], "nobody observed it");
    // The next call passes the notices on without any work.
    assert!(Arc::ptr_eq(&table, &engine.observed_by(&bed.notices).expected_table(&bed.game).unwrap()));
    let notices = bed.take_notices();
    let begin = ["solving again: ", "the table is not kept: "];
    assert!(notices.iter().zip(begin).all(|(text, begin)| text.starts_with(begin)), "{notices:?}");
    assert_eq!(notices.len(), begin.len(), "{notices:?}");
    engine.observed_by(&bed.notices).expected_table(&bed.game).unwrap();
    assert_eq!(bed.take_notices(), [""; 0], "it is reported once");
}

#[test]
fn a_cancelled_write_leaves_everything_as_it_was() {
    let bed = Bed::of("yacht");
    let good = bed.good_file();
    let cancelled = Work::new(&NoWork, "");
    let written = Table::write(&bed.path(), &bed.key, &vec![-1.0; bed.right.len()], &cancelled);
    assert!(matches!(written, Err(WriteError::Work(WorkError::Cancelled))), "{written:?}");
    assert_eq!((fs::read(bed.path()).unwrap(), bed.names()), (good, vec![bed.key.file_name()]));
    // A stored table needs no work.
    assert!(bed.store.expected(&bed.game, &NoWork).unwrap().is_stored());
    bed.store.clear().unwrap();
    assert_eq!(bed.store.expected(&bed.game, &NoWork).err(), Some(WorkError::Cancelled));
    assert_eq!(bed.store.keep_expected(&bed.game, &bed.right, &NoWork), Err(WorkError::Cancelled));
    assert_eq!(bed.names(), [""; 0]);
}

#[test]
fn a_full_store_removes_the_least_recently_used_tables() {
    let bed = Bed::of("yacht");
    let length = bed.good_file().len() as u64;
    let old = |name: &str, hours: u64| {
        fs::copy(bed.path(), bed.place(name)).unwrap();
        let then = SystemTime::now() - Duration::from_secs(hours * 3600);
        let times = fs::FileTimes::new().set_accessed(then).set_modified(then);
        File::options().write(true).open(bed.place(name)).unwrap().set_times(times).unwrap();
    };
    old("a.keepers", 2);
    old("b.keepers", 3);
    old("c.keepers", 1);
    // Reading a table is using it.
    let table = Table::<f64>::open(&bed.place("b.keepers"), &bed.key, true).unwrap();
    assert_eq!(table.len(), bed.right.len());
    fs::remove_file(bed.path()).unwrap();
    let store = bed.store.clone().limited_to(3 * length);
    store.expected(&bed.game, &bed.notices).unwrap();
    assert_eq!(bed.names(), ["b.keepers", "c.keepers", &bed.key.file_name()]);
    // A file that is replaced needs no room besides its successor.
    store.solve_expected(&bed.game, &bed.notices).unwrap();
    assert_eq!(bed.names(), ["b.keepers", "c.keepers", &bed.key.file_name()]);
    assert_eq!(bed.take_notices(), [""; 0]);
    // A table larger than the limit is not stored, and removes no other table.
    let store = bed.store.clone().limited_to(length / 2);
    assert!(bed.is_right(&store.solve_expected(&bed.game, &bed.notices).unwrap()));
    let notices = bed.take_notices();
    assert!(notices.len() == 1 && notices[0].starts_with("the table is not kept: "), "{notices:?}");
    assert_eq!(bed.names(), ["b.keepers", "c.keepers", &bed.key.file_name()]);
}

#[test]
fn only_stale_temporary_files_are_removed_by_the_next_write() {
    let bed = Bed::of("toy");
    for (name, hours) in [("a.keepers.9.0.tmp", 25), ("b.keepers.9.0.tmp", 23), ("c.tmp", 1000)] {
        let file = File::create(bed.place(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
    }
    bed.open();
    assert_eq!(bed.names(), ["b.keepers.9.0.tmp", "c.tmp", &bed.key.file_name()]);
}

#[test]
fn a_list_shows_good_and_bad_files_and_clear_frees_them_all() {
    let bed = Bed::of("yacht");
    assert_eq!(Store::at(bed.place("none")).list().unwrap().len(), 0);
    assert_eq!(Store::at(bed.place("none")).clear().unwrap(), 0);
    let good = bed.good_file();
    fs::write(bed.place("a.keepers"), "nothing").unwrap();
    fs::write(bed.place("b.keepers"), &good[..good.len() - 1]).unwrap();
    fs::write(bed.place("c.keepers"), &good).unwrap();
    flip(&bed.place("c.keepers"), good.len() - 1);
    fs::write(bed.place("notes.txt"), "mine").unwrap();
    fs::write(bed.place("x.keepers.1.0.tmp"), "crashed").unwrap();
    // Left by a process whose clock was ahead.
    let ahead = File::create(bed.place("x.keepers.1.1.tmp")).unwrap();
    ahead.set_modified(SystemTime::now() + Duration::from_secs(3600)).unwrap();

    let listed = bed.store.list().unwrap();
    let names: Vec<_> = listed.iter().map(|stored| stored.path.file_name().unwrap()).collect();
    assert_eq!(names, ["a.keepers", "b.keepers", "c.keepers", &bed.key.file_name()]);
    let (bytes, length): (Vec<u64>, _) =
        (listed.iter().map(|stored| stored.bytes).collect(), good.len() as u64);
    assert_eq!(bytes, [7, length - 1, length, length]);
    let kinds: Vec<_> = listed[..3].iter().map(|stored| kind(stored.header.as_ref().unwrap_err())).collect();
    assert_eq!(kinds, ["NotATable", "WrongLength", "CellsDamaged"]);
    let header = listed[3].header.as_ref().unwrap();
    assert_eq!((header.name.as_str(), header.objective.as_str()), ("yacht", "expected"));
    assert_eq!((header.rules, header.cells, header.cell_bytes), (bed.key.rules, bed.key.cells, 8));

    assert_eq!(bed.store.clear().unwrap(), bytes.iter().sum::<u64>() + 7);
    assert_eq!(bed.names(), ["notes.txt"]);
}

/// Runs this test binary as a process that does only one job in a directory.
fn child(job: &str, directory: &Path) -> Child {
    // Simulates a full disk for this process: no file may grow beyond a few kilobytes.
    let limit = if job == "full" { "trap '' XFSZ; ulimit -f 8; " } else { "" };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}exec \"$0\" the_job_of_a_child_process --exact --nocapture")]);
    command.arg(std::env::current_exe().unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("KEEPERS_TEST_JOB", job).env("KEEPERS_TEST_DIRECTORY", directory).spawn().unwrap()
}

fn succeeds(child: Child) {
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Does nothing unless [`child`] calls it.
#[test]
fn the_job_of_a_child_process() {
    let Ok(job) = std::env::var("KEEPERS_TEST_JOB") else { return };
    let directory = PathBuf::from(std::env::var("KEEPERS_TEST_DIRECTORY").unwrap());
    let bed = Bed::of("yacht");
    let store = Store::at(&directory);
    let taken = directory.join(format!("{}.{}.0.tmp", bed.key.file_name(), std::process::id()));
    if job == "taken" {
        fs::write(&taken, "from a process of the same id in another container").unwrap();
    }
    if job == "together" {
        File::create(directory.with_extension(format!("ready-{}", std::process::id()))).unwrap();
        while !directory.with_extension("go").exists() {
            thread::yield_now();
        }
    }
    let get = || assert!(bed.is_right(&store.expected(&bed.game, &bed.notices).unwrap()));
    thread::scope(|scope| {
        // Two threads at the same time, but at most one notice.
        let _ = (job == "together").then(|| scope.spawn(get));
        get();
    });
    let notices = bed.take_notices();
    assert_eq!(notices.len(), usize::from(job == "full"), "{notices:?}");
    assert!(notices.iter().all(|text| text.starts_with("the table is not kept: ")), "{notices:?}");
    assert_eq!(taken.exists(), job == "taken", "another's file is left alone");
}

#[test]
#[cfg(unix)]
fn threads_and_processes_that_solve_at_the_same_moment_all_succeed() {
    let bed = Bed::of("yacht");
    let go = bed.directory.path().with_extension("go");
    for round in 0..4 {
        let mut children = [0, 1].map(|_| child("together", bed.directory.path()));
        // The signal is given when both wait for it, or one has failed.
        let ready = children.each_ref().map(|child| go.with_extension(format!("ready-{}", child.id())));
        let mut all_run = || children.iter_mut().all(|child| child.try_wait().unwrap().is_none());
        while !ready.iter().all(|file| file.exists()) && all_run() {
            thread::yield_now();
        }
        File::create(&go).unwrap();
        children.into_iter().for_each(succeeds);
        [go.clone()].iter().chain(&ready).for_each(|file| fs::remove_file(file).unwrap());
        bed.is_good(&format!("round {round}"));
        bed.store.clear().unwrap();
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_everything_working_in_memory_and_no_temporary_file() {
    let bed = Bed::of("yacht");
    succeeds(child("full", bed.directory.path()));
    assert_eq!(bed.names(), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_temporary_name_that_is_taken_is_neither_removed_nor_in_the_way() {
    let bed = Bed::of("yacht");
    succeeds(child("taken", bed.directory.path()));
    assert!(bed.check().is_ok());
}
