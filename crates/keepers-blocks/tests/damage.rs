//! Damaged and foreign stores: one clear sentence, or `solve` repairs them, and nothing else is lost.

mod toy;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use keepers::{Game, Observer, Silent, Standing};
use keepers_blocks::two_player::{SolveOptions, StoredSolution, TaskRunner, TwoPlayerStore, Verified};
use keepers_blocks::{ObjectFolder, StoreError};
use tempfile::TempDir;
use toy::store::{
    DOUBLE, Notices, SHORT, SINGLE, SOLVE, copy, create, files, open, solution, solve, tempdir, verify,
};
use toy::{Joker, SMALL, Toy, UPPER};

type Files = BTreeMap<String, Vec<u8>>;

/// The layer whose objects are damaged, and one of its tasks.
const LAYER: usize = 3;
const OBJECT: &str = "layer-03/task-00001.blocks";
const MANIFEST: &str = "layer-03/manifest.json";

/// Other rules of the same name.
const FREE: Toy = Toy { extra: Some((3, Joker::Free)), ..SMALL };

fn game() -> Game {
    SMALL.game()
}

/// The files of a store that is solved.
fn whole() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempdir();
        solve(folder.path(), &game(), SINGLE);
        files(folder.path())
    })
}

/// Checks a store with a sample that has all its objects.
fn check(path: &Path) -> Result<Verified, StoreError> {
    verify(path, &game(), 40)
}

fn layer_of(name: &str) -> Option<usize> {
    name.strip_prefix("layer-")?.get(..2)?.parse().ok()
}

/// How far the solve has come that leaves the damaged store.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// The last object of the layer and its manifest are not yet written.
    InProgress,
    /// The layer is complete, and the next one is not begun.
    Complete,
    /// The game is solved.
    Solved,
}

/// A store at some stage, with an object that is replaced or missing.
fn store_with(stage: Stage, name: &str, bytes: Option<&[u8]>) -> TempDir {
    let mut files = whole().clone();
    let tasks = files.keys().filter(|name| layer_of(name) == Some(LAYER)).count() - 1;
    let last = format!("layer-{LAYER:02}/task-{:05}.blocks", tasks - 1);
    assert_ne!(last, OBJECT);
    files.retain(|name, _| {
        let layer = layer_of(name);
        match stage {
            Stage::Solved => true,
            Stage::Complete => layer.is_none_or(|layer| layer <= LAYER),
            Stage::InProgress => {
                layer.is_none_or(|layer| layer <= LAYER) && name != MANIFEST && *name != last
            }
        }
    });
    files.remove(name);
    files.extend(bytes.map(|bytes| (name.to_string(), bytes.to_vec())));
    let folder = tempdir();
    copy(&files, folder.path());
    folder
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x10;
    bytes
}

/// The offsets of the hashes and of the table in an object.
fn offsets(object: &[u8]) -> (usize, usize) {
    let trailer = &object[object.len() - 120..];
    let number = |at: usize| u64::from_le_bytes(trailer[at..at + 8].try_into().unwrap()) as usize;
    (number(48), number(56))
}

/// Every kind of damage of an object, with whether its index shows it: then any solve repairs it.
fn damages() -> Vec<(&'static str, Option<Vec<u8>>, bool)> {
    let object = &whole()[OBJECT];
    let (hashes, table) = offsets(object);
    let trailer = object.len() - 120;
    let mut version = object.clone();
    version[8] = 2;
    vec![
        ("missing", None, true),
        ("empty", Some(Vec::new()), true),
        ("one byte", Some(object[..1].to_vec()), true),
        ("only its header", Some(object[..80].to_vec()), true),
        ("cut in half", Some(object[..object.len() / 2].to_vec()), true),
        ("without its last byte", Some(object[..object.len() - 1].to_vec()), true),
        ("one byte longer", Some([object.as_slice(), b"x"].concat()), true),
        ("without its first byte", Some(object[1..].to_vec()), true),
        ("zeros", Some(vec![0; object.len()]), true),
        ("a newer version", Some(version), false),
        ("a bit of the magic", Some(flipped(object, 3)), false),
        ("a bit of the fingerprint", Some(flipped(object, 20)), false),
        ("a bit of the number of the task", Some(flipped(object, 52)), false),
        ("a bit of the first frame", Some(flipped(object, 85)), false),
        ("a bit of the last frame", Some(flipped(object, hashes - 1)), false),
        ("a bit of the hashes", Some(flipped(object, hashes + 5)), false),
        ("a bit of the table", Some(flipped(object, table + 9)), true),
        ("a bit of the number of values", Some(flipped(object, trailer)), false),
        ("a bit of the sum", Some(flipped(object, trailer + 13)), false),
        ("a bit of the number of frames", Some(flipped(object, trailer + 40)), true),
        ("a bit of the offset of the hashes", Some(flipped(object, trailer + 48)), true),
        ("a bit of the offset of the table", Some(flipped(object, trailer + 56)), true),
        ("a bit of the hash of the table", Some(flipped(object, trailer + 70)), true),
        ("a bit of the hash of the object", Some(flipped(object, trailer + 90)), true),
        ("a bit of the last magic", Some(flipped(object, trailer + 115)), true),
        ("another task", Some(whole()["layer-03/task-00000.blocks"].clone()), true),
        ("another layer", Some(whole()["layer-02/task-00001.blocks"].clone()), true),
    ]
}

/// A message is one sentence for a user.
fn sentence(error: &StoreError) -> String {
    let message = error.to_string();
    assert!(!message.contains('\n') && !message.contains("Error"), "{message}");
    assert!(!message.contains(|c: char| c.is_control()), "{message:?}");
    message
}

fn assert_whole(folder: &Path, case: &str) {
    let found = files(folder);
    assert!(found.keys().eq(whole().keys()), "{case}: {:?}", found.keys());
    for (name, bytes) in whole() {
        assert!(&found[name] == bytes, "{case}: {name} has other bytes");
    }
}

#[test]
fn verify_names_every_damaged_object() {
    for (case, bytes, _) in damages() {
        for stage in [Stage::Complete, Stage::Solved] {
            let folder = store_with(stage, OBJECT, bytes.as_deref());
            let before = files(folder.path());
            let message = sentence(&check(folder.path()).expect_err(case));
            assert!(message.starts_with(&format!("{OBJECT} is damaged: ")), "{case}: {message}");
            assert!(files(folder.path()) == before, "{case}: a check has changed the store");
        }
    }
}

#[test]
fn verify_names_an_object_with_any_damaged_byte() {
    // Every byte of the parts that are not frames, and some of the frames.
    let name = "layer-02/task-00001.blocks";
    let object = &whole()[name];
    let (hashes, _) = offsets(object);
    let frames = (80..hashes).step_by(97);
    let folder = store_with(Stage::Complete, OBJECT, Some(&whole()[OBJECT]));
    let whole_layers: Vec<usize> = (0..80).chain(frames).chain(hashes..object.len()).collect();
    // Only this layer is left, so that checks are fast.
    for layer in 3..=LAYER {
        fs::remove_dir_all(folder.path().join(format!("layer-{layer:02}"))).unwrap();
    }
    for at in whole_layers {
        fs::write(folder.path().join(name), flipped(object, at)).unwrap();
        match check(folder.path()) {
            Ok(_) => panic!("byte {at} of {} is not checked", object.len()),
            Err(error) => {
                assert!(sentence(&error).starts_with(&format!("{name} is damaged: ")), "{at}: {error}")
            }
        }
    }
}

#[test]
fn solve_repairs_what_an_interrupted_solve_has_left() {
    for (case, bytes, _) in damages() {
        for stage in [Stage::InProgress, Stage::Complete] {
            for threads in [1, 2] {
                let folder = store_with(stage, OBJECT, bytes.as_deref());
                let notices = Notices::default();
                let store = open(folder.path(), &game(), SINGLE);
                let solved = store.solve(SolveOptions { threads, ..SOLVE }, &notices);
                solved.unwrap_or_else(|error| panic!("{case}, {stage:?}: {error}"));
                assert_whole(folder.path(), &format!("{case}, {stage:?}"));
                // An object that is not yet written is no damage.
                let expected = usize::from(!(bytes.is_none() && stage == Stage::InProgress));
                let notices = notices.all();
                assert_eq!(notices.len(), expected, "{case}, {stage:?}: {notices:?}");
                assert!(
                    notices.iter().all(|text| text.starts_with(&format!("{OBJECT} is damaged ("))),
                    "{notices:?}"
                );
            }
        }
    }
}

#[test]
fn solve_repairs_a_solved_game() {
    for (case, bytes, is_visible) in damages() {
        let folder = store_with(Stage::Solved, OBJECT, bytes.as_deref());
        let store = open(folder.path(), &game(), SINGLE);
        let solved = store.solve(SOLVE, &Silent).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(solved.run, usize::from(is_visible), "{case}");
        if !is_visible {
            // Only a check reads everything. Its message advises to remove the object.
            let message = sentence(&check(folder.path()).expect_err(case));
            assert!(message.contains("remove it, and run `keepers two-player solve`"), "{case}: {message}");
            fs::remove_file(folder.path().join(OBJECT)).unwrap();
            assert_eq!(store.solve(SOLVE, &Silent).unwrap().run, 1, "{case}");
        }
        assert_whole(folder.path(), case);
    }
}

#[test]
fn run_repairs_the_layer_below() {
    let next = LAYER + 1;
    for (case, bytes, _) in damages() {
        let folder = store_with(Stage::Complete, OBJECT, bytes.as_deref());
        let notices = Notices::default();
        let store = open(folder.path(), &game(), SINGLE);
        for task in 0..store.complete().tasks(next) {
            let ran = store.run(next, task..task + 1, 1 << 30, &notices);
            let reports = ran.unwrap_or_else(|error| panic!("{case}, task {task}: {error}"));
            assert!(!reports[0].existed, "{case}, task {task}");
        }
        let notices = notices.all();
        assert_eq!(notices.len(), 1, "{case}: {notices:?}");
        assert!(notices[0].starts_with(&format!("{OBJECT} is damaged (")), "{case}: {notices:?}");
        let found = files(folder.path());
        for (name, bytes) in whole().iter().filter(|(name, _)| layer_of(name) <= Some(next)) {
            assert!(found.get(name) == Some(bytes), "{case}: {name} has other bytes");
        }
    }
}

#[test]
fn a_runner_repairs_what_is_damaged_after_it_has_opened_the_layer_below() {
    let next = LAYER + 1;
    for (case, bytes, _) in damages() {
        let folder = store_with(Stage::Complete, OBJECT, Some(&whole()[OBJECT]));
        let store = open(folder.path(), &game(), SINGLE);
        let mut runner = TaskRunner::new(&store, 1 << 30);
        let mut run = |task: usize| {
            runner
                .run(next, task..task + 1, &Silent)
                .unwrap_or_else(|error| panic!("{case}, task {task}: {error}"))
        };
        run(0);
        match bytes {
            Some(bytes) => fs::write(folder.path().join(OBJECT), bytes).unwrap(),
            None => fs::remove_file(folder.path().join(OBJECT)).unwrap(),
        }
        let tasks = store.complete().tasks(next);
        assert!((1..tasks).all(|task| run(task).complete == (task + 1 == tasks)), "{case}");
        let found = files(folder.path());
        for (name, bytes) in whole().iter().filter(|(name, _)| layer_of(name) == Some(next)) {
            assert!(found.get(name) == Some(bytes), "{case}: {name} has other bytes");
        }
    }
}

#[test]
fn run_names_an_object_whose_inputs_are_gone() {
    let folder = store_with(Stage::Complete, OBJECT, None);
    fs::remove_file(folder.path().join("layer-02/task-00001.blocks")).unwrap();
    let before = files(folder.path());
    let error = open(folder.path(), &game(), SINGLE).run(LAYER + 1, 0..1, 1 << 30, &Silent).unwrap_err();
    assert!(
        error.is_bad_input() && sentence(&error).starts_with(&format!("{OBJECT} is damaged (")),
        "{error}"
    );
    assert!(files(folder.path()) == before, "something was lost");
}

#[test]
fn the_first_and_the_last_layer_are_repaired_too() {
    for name in ["layer-00/task-00000.blocks", "layer-06/task-00000.blocks"] {
        let object = &whole()[name];
        for bytes in [None, Some(&object[..object.len() - 7]), Some(&flipped(object, 85)[..])] {
            let folder = store_with(Stage::Solved, name, bytes);
            let solved = open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent);
            if solved.is_err() || check(folder.path()).is_err() {
                // A frame of the last layer is read for the value of the game, one of the first is not.
                let message = sentence(&check(folder.path()).unwrap_err());
                assert!(message.starts_with(&format!("{name} is damaged: frame 0 has changed")), "{message}");
                fs::remove_file(folder.path().join(name)).unwrap();
                open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
            }
            assert_whole(folder.path(), name);
        }
    }
}

#[test]
fn several_damaged_objects_of_adjacent_layers_are_repaired() {
    for stage in [Stage::Complete, Stage::Solved] {
        let folder = store_with(stage, OBJECT, None);
        for layer in 1..=LAYER {
            let name = format!("layer-{layer:02}/task-00000.blocks");
            let object = &whole()[&name];
            fs::write(folder.path().join(&name), &object[..object.len() - layer]).unwrap();
        }
        fs::remove_file(folder.path().join("layer-02/task-00002.blocks")).unwrap();
        open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
        assert_whole(folder.path(), "several");
    }
}

#[test]
fn damage_above_layers_that_were_removed_is_one_sentence() {
    let folder = tempdir();
    let options = SolveOptions { keep_from: LAYER, ..SOLVE };
    open(folder.path(), &game(), SINGLE).solve(options, &Silent).unwrap();
    let object = &whole()[OBJECT];
    fs::write(folder.path().join(OBJECT), &object[..100]).unwrap();
    let before = files(folder.path());
    let message = sentence(&open(folder.path(), &game(), SINGLE).solve(options, &Silent).unwrap_err());
    assert!(message.starts_with(&format!("{OBJECT} is damaged")), "{message}");
    assert!(message.contains("was removed"), "{message}");
    assert!(files(folder.path()) == before, "something was lost");
    // The next layer can be repaired.
    fs::write(folder.path().join(OBJECT), object).unwrap();
    fs::remove_file(folder.path().join("layer-04/task-00002.blocks")).unwrap();
    assert_eq!(open(folder.path(), &game(), SINGLE).solve(options, &Silent).unwrap().run, 1);
}

#[test]
fn damaged_manifests_are_named_and_repaired() {
    let manifest = &whole()[MANIFEST];
    let text = String::from_utf8(manifest.clone()).unwrap();
    let at = text.find("\"sum\":").unwrap() + 6;
    let mut other_sum = manifest.clone();
    other_sum[at] = if other_sum[at] == b'1' { b'2' } else { b'1' };
    let count = text.replacen("\"count\":", "\"count\":1", 1).into_bytes();
    let bound = text.replacen("\"error_bound\":", "\"error_bound\":1", 1).into_bytes();
    let cases: [(&str, Option<&[u8]>, bool); 9] = [
        ("empty", Some(b""), true),
        ("cut", Some(&manifest[..manifest.len() / 2]), true),
        ("no JSON", Some(b"\0\xff not a manifest"), true),
        ("other JSON", Some(b"{\"layer\":3}"), true),
        ("of another layer", Some(&whole()["layer-02/manifest.json"]), true),
        ("another sum", Some(&other_sum), false),
        ("another count", Some(&count), false),
        ("another bound", Some(&bound), true),
        ("missing", None, true),
    ];
    for (case, bytes, is_visible) in cases {
        for stage in [Stage::Complete, Stage::Solved] {
            let folder = store_with(stage, MANIFEST, bytes);
            let checked = check(folder.path());
            if bytes.is_some() || stage == Stage::Solved {
                let message = sentence(&checked.expect_err(case));
                assert!(message.contains(MANIFEST), "{case}, {stage:?}: {message}");
            }
            let solved = open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent);
            if is_visible {
                assert!(solved.is_ok(), "{case}, {stage:?}: {:?}", solved.err());
            } else {
                // Solved or not, the check names it; without it, it is written again.
                if stage == Stage::Solved {
                    assert!(sentence(&solved.expect_err(case)).contains(MANIFEST));
                    fs::remove_file(folder.path().join(MANIFEST)).unwrap();
                } else {
                    for layer in LAYER..=6 {
                        let name = format!("layer-{layer:02}/manifest.json");
                        let _ = fs::remove_file(folder.path().join(name));
                    }
                }
                open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
            }
            assert_whole(folder.path(), &format!("{case}, {stage:?}"));
        }
    }
}

#[test]
fn a_missing_layer_is_named_and_solved_again() {
    for layer in [0, LAYER, 6] {
        let folder = store_with(Stage::Solved, OBJECT, Some(&whole()[OBJECT]));
        fs::remove_dir_all(folder.path().join(format!("layer-{layer:02}"))).unwrap();
        if layer == LAYER {
            let message = sentence(&check(folder.path()).unwrap_err());
            assert!(message.contains(MANIFEST), "{message}");
        }
        let store = open(folder.path(), &game(), SINGLE);
        let solved = store.solve(SOLVE, &Silent).unwrap();
        assert_eq!(solved.run, store.complete().tasks(layer));
        assert_whole(folder.path(), &format!("layer {layer}"));
    }
}

#[test]
fn a_solution_reports_damage_instead_of_values() {
    let first = "layer-06/task-00000.blocks";
    let object = &whole()[first];
    let start = Standing::default();
    let after = |bytes: Option<&[u8]>| {
        let folder = store_with(Stage::Solved, first, bytes);
        let stored: StoredSolution = solution(folder.path(), &game());
        stored.after(&start, &start)
    };
    for bytes in [&object[..50], &flipped(object, 85), &whole()["layer-00/task-00000.blocks"], b""] {
        let message = sentence(&after(Some(bytes)).expect_err("a damaged object"));
        assert!(message.starts_with(&format!("{first} is damaged: ")), "{message}");
    }
    // Objects may be removed: then there is no value.
    assert_eq!(after(None).unwrap(), None);
    assert!(after(Some(object)).unwrap().is_some());
}

#[test]
fn a_store_of_another_game_or_version_is_refused_and_kept() {
    let folder = store_with(Stage::Solved, OBJECT, Some(&whole()[OBJECT]));
    let path = folder.path();
    let refused = |result: Result<TwoPlayerStore, StoreError>| {
        let Err(error) = result else { panic!("the store was accepted") };
        assert!(error.is_bad_input(), "{error}");
        sentence(&error)
    };
    let address = path.display().to_string();
    let other = UPPER.game();
    let wanted =
        format!("{address} belongs to the rules small, not to upper: choose another store, or other rules");
    assert_eq!(refused(create(path, &other, None)), wanted);
    let opened = ObjectFolder::open(&address).unwrap();
    assert_eq!(refused(TwoPlayerStore::open(opened, &other, &Silent)), wanted);
    // The same name, but other rules.
    let same_name = format!(
        "{address} belongs to other rules of the same name (small): choose another store, or those rules"
    );
    assert_eq!(refused(create(path, &FREE.game(), None)), same_name);
    for settings in [DOUBLE, SHORT] {
        let message = refused(create(path, &game(), Some(settings)));
        assert!(message.contains("has --values f32 --lanes f32, not --values "), "{message}");
    }
    // Without settings, those of the store hold.
    assert_eq!(create(path, &game(), None).unwrap().settings(), SINGLE);
    assert!(files(path) == *whole());

    let description = path.join("two-player.json");
    let text = String::from_utf8(whole()["two-player.json"].clone()).unwrap();
    let write = |text: &str| fs::write(&description, text).unwrap();
    write(&text.replace("\"format\": 1", "\"format\": 2"));
    let message = refused(create(path, &game(), None));
    let newer =
        "has version 2 of the format, and this program reads version 1: use the program that wrote it";
    assert_eq!(message, format!("{address} {newer}"));
    // A newer version may have other fields.
    write("{\"format\": 3, \"all\": \"new\"}");
    let message = refused(create(path, &game(), None));
    assert!(message.contains("has version 3 of the format"), "{message}");
    write(&text.replace("\"values\": \"f32\"", "\"values\": \"f8\""));
    assert!(refused(create(path, &game(), None)).contains("has unknown values f8"));
    for damaged in ["", "{", "\0\0", "[1]", &text[..text.len() / 2]] {
        write(damaged);
        let message = refused(create(path, &game(), None));
        assert!(
            message.contains("has a two-player.json that cannot be read") && message.ends_with("remove it")
        );
    }
    // Without its description, a store is not used with other settings or rules.
    fs::remove_file(&description).unwrap();
    for (game, settings) in [(game(), DOUBLE), (game(), SHORT), (FREE.game(), SINGLE)] {
        let error = open(path, &game, settings).solve(SOLVE, &Silent).unwrap_err();
        assert!(sentence(&error).contains("layer-00/manifest.json"), "{error}");
        fs::remove_file(&description).unwrap();
    }
    open(path, &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
    assert_whole(path, "after all");
}

/// Writes an object before a task is solved, as another machine would do.
struct OtherMachine<'a>(&'a Path, &'a [u8]);

impl Observer for OtherMachine<'_> {
    fn progress(&self, work: &str, _: usize, _: usize) {
        if work.starts_with("solving tasks") {
            fs::create_dir_all(self.0.parent().unwrap()).unwrap();
            fs::write(self.0, self.1).unwrap();
        }
    }
}

#[test]
fn an_object_with_other_values_is_a_conflict_that_names_both_hashes() {
    let folder = store_with(Stage::Complete, OBJECT, Some(&whole()[OBJECT]));
    let name = "layer-04/task-00000.blocks";
    let path = folder.path().join(name);
    let hash = |object: &[u8]| -> String {
        object[object.len() - 40..object.len() - 8].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    // Values of the same task with other settings.
    let other = tempdir();
    solve(other.path(), &game(), DOUBLE);
    let stored = fs::read(other.path().join(name)).unwrap();
    let store = open(folder.path(), &game(), SINGLE);
    let error = store.run(4, 0..1, 1 << 30, &OtherMachine(&path, &stored)).unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }), "{error:?}");
    let message = sentence(&error);
    assert!(message.starts_with(&format!("{name} exists with the hash {}", hash(&stored))), "{message}");
    assert!(message.contains(&hash(&whole()[name])), "{message}");
    assert_eq!(fs::read(&path).unwrap(), stored, "the object of the other machine was changed");
    // The same values are no conflict.
    fs::remove_file(&path).unwrap();
    store.run(4, 0..1, 1 << 30, &OtherMachine(&path, &whole()[name])).unwrap();
}

#[test]
fn a_missing_object_that_is_solved_again_must_have_the_hash_of_the_manifest() {
    let folder = store_with(Stage::Complete, OBJECT, None);
    let run = || open(folder.path(), &game(), SINGLE).run(LAYER, 1..2, 1 << 30, &Silent);
    let object = folder.path().join(OBJECT);
    let hash = run().unwrap()[0].hash.clone();
    assert!(object.exists());
    // The machine that wrote the manifest had other values.
    fs::remove_file(&object).unwrap();
    let manifest = folder.path().join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace(&hash, &"0".repeat(64))).unwrap();
    let error = run().unwrap_err();
    assert!(matches!(error, StoreError::Conflict { .. }) && sentence(&error).contains(&hash), "{error}");
    assert!(!object.exists(), "an object that nobody can use was left");
}

#[test]
fn a_store_that_cannot_be_written_is_one_sentence() {
    let folder = tempdir();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let Err(error) = create(&file, &game(), None) else { panic!("a file is no store") };
    assert_eq!(
        sentence(&error),
        format!("{} is not the address of a store: it is a file, not a folder", file.display())
    );
    // A path below a file can be neither read nor written, even by root.
    let Err(error) = create(&file.join("below"), &game(), None) else {
        panic!("a path below a file is no store")
    };
    let message = sentence(&error);
    assert!(message.contains("file") && message.len() < 300, "{message}");
    assert_eq!(fs::read(&file).unwrap(), b"not a folder");
    // A folder in the place of an object.
    let store = tempdir();
    copy(whole(), store.path());
    fs::remove_file(store.path().join(OBJECT)).unwrap();
    fs::create_dir_all(store.path().join(OBJECT).join("full")).unwrap();
    fs::write(store.path().join(OBJECT).join("full/of"), "files").unwrap();
    if let Err(error) = open(store.path(), &game(), SINGLE).solve(SOLVE, &Silent) {
        assert!(sentence(&error).contains(OBJECT), "{error}");
    }
    assert!(sentence(&check(store.path()).unwrap_err()).contains(OBJECT));
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_to_write_is_one_sentence() {
    use std::os::unix::fs::PermissionsExt;
    let folder = store_with(Stage::Complete, OBJECT, Some(&whole()[OBJECT]));
    let layer = folder.path().join("layer-04");
    fs::create_dir(&layer).unwrap();
    fs::set_permissions(&layer, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere.
    if fs::write(layer.join("probe"), "").is_ok() {
        return;
    }
    let error = open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap_err();
    let message = sentence(&error);
    assert!(message.contains("there is no permission; choose another store"), "{message}");
    fs::set_permissions(&layer, fs::Permissions::from_mode(0o755)).unwrap();
    open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
    assert_whole(folder.path(), "with permission");
}

#[test]
fn what_a_killed_writer_has_left_is_removed() {
    use std::time::{Duration, SystemTime};
    let folder = store_with(Stage::Complete, OBJECT, None);
    let staged = |name: &str, minutes: u64| {
        let path = folder.path().join("layer-03").join(name);
        fs::write(&path, "half an object").unwrap();
        let changed = SystemTime::now() - Duration::from_secs(60 * minutes);
        fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
        path
    };
    let abandoned = [staged("task-00001.blocks#1", 30), staged("task-00001.blocks#12", 11)];
    let kept = [
        staged("task-00002.blocks#1", 1),
        staged("task-00002.blocks#", 30),
        staged("task-00002.blocks#a", 30),
    ];
    open(folder.path(), &game(), SINGLE).solve(SOLVE, &Silent).unwrap();
    assert!(!abandoned.iter().any(|path| path.exists()));
    assert!(kept.iter().all(|path| path.exists()), "a writer may still need them, or they are not ours");
    kept.iter().for_each(|path| fs::remove_file(path).unwrap());
    assert_whole(folder.path(), "with remains of writers");
}

#[test]
fn foreign_files_in_a_store_do_not_matter() {
    let folder = store_with(Stage::Complete, OBJECT, Some(&whole()[OBJECT]));
    for name in [
        "notes.txt",
        "layer-03/task-99999.blocks",
        "layer-03/task-x.blocks",
        "layer-05/.hidden",
        "layer-77/a",
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "ours").unwrap();
    }
    let store = open(folder.path(), &game(), SINGLE);
    store.solve(SOLVE, &Silent).unwrap();
    check(folder.path()).unwrap();
    let status = store.status().unwrap();
    assert!(status.layers.iter().all(|layer| layer.stored == layer.tasks), "{status:?}");
    let found = files(folder.path());
    assert!(whole().iter().all(|(name, bytes)| found[name] == *bytes));
    assert_eq!(found["notes.txt"], b"ours");
}
