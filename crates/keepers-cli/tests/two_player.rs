//! `keepers two-player`: what it prints, and one sentence for every mistake.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Two dice of three faces, two boxes, an upper bonus and extra Yahtzees.
const TOY: &str = "name = \"toy\"\ndice = 2\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 3\npoints = 4\n[extra]\n\
    box = \"y\"\npoints = 3\njoker = \"free\"\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n[[box]]\nid = \"y\"\n\
    pattern = \"sets\"\nof = [2]\npays = 5\n";

/// Other rules with the same name.
const OTHER: &str =
    "name = \"toy\"\ndice = 2\nfaces = 3\nrolls = 3\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n";

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(tempfile::tempdir().unwrap());
        fs::write(bench.path("toy.toml"), TOY).unwrap();
        fs::write(bench.path("other.toml"), OTHER).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.arg("two-player").args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("KEEPERS_CACHE", self.path("cache")).env("KEEPERS_QUIET", "1");
        command.env_remove("KEEPERS_TWO_PLAYER");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs a command with some lines on standard input.
    fn run_with_input(&self, args: &[&str], input: &str) -> Output {
        fs::write(self.path("input"), input).unwrap();
        let mut command = self.command(args);
        command.stdin(fs::File::open(self.path("input")).unwrap()).output().unwrap()
    }

    fn text(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.text(&[args, &["--json"]].concat())).unwrap()
    }

    /// The one sentence on stderr, with an exit code.
    fn ended(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?} prints {}", text(&output.stdout));
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        assert!(!message.trim_end().contains(|c: char| c.is_control()), "{message:?}");
        message.trim_end().to_string()
    }

    fn refusal(&self, args: &[&str]) -> String {
        self.ended(2, args)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The keys of an object, sorted.
fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

const ACTIONS: [&str; 6] = ["plan", "run", "solve", "verify", "status", "publish"];

#[test]
fn every_action_has_help() {
    let bench = Bench::new();
    let all = bench.text(&["--help"]);
    for action in ACTIONS {
        assert!(all.contains(&format!("\n  {action} ")), "{all}");
        let help = bench.text(&[action, "--help"]);
        assert!(help.contains(&format!("Usage: keepers two-player {action}")), "{help}");
        assert!(help.contains("--rules"), "{help}");
        assert!(action == "plan" || help.contains("--store"), "{help}");
        assert!(bench.text(&[action, "-h"]).lines().count() <= help.lines().count());
    }
    assert!(!bench.path("cache").exists(), "help has made files");
}

#[test]
fn json_has_the_documented_fields() {
    let bench = Bench::new();
    let store = ["--rules", "toy.toml", "--store", "store"];
    let json = |action: &str, more: &[&str]| bench.json(&[&[action], &store[..], more].concat());
    let solved = json("solve", &["--values", "f64"]);
    let fields = [
        "error_bound",
        "game",
        "io",
        "root",
        "seconds",
        "store",
        "tasks_done_before",
        "tasks_run",
        "value",
        "values",
    ];
    assert_eq!(keys(&solved), fields);
    assert_eq!(keys(&solved["io"]), ["read_bytes", "reads", "writes", "written_bytes"]);
    assert_eq!((&solved["game"], &solved["store"]), (&"toy".into(), &"store".into()));
    // Layers of 0 to 4 open boxes: the other player has one set of none or both boxes, and two sets of one.
    assert_eq!((&solved["tasks_run"], &solved["tasks_done_before"]), (&7.into(), &0.into()));
    let value = solved["value"].as_f64().unwrap();
    assert!(value > 0.3 && value < 0.5, "who starts is at a disadvantage: {value}");
    assert_eq!(solved["root"].as_str().unwrap().len(), 64);

    let status = json("status", &[]);
    assert_eq!(keys(&status), ["bytes", "error_bound", "game", "lanes", "layers", "root", "value", "values"]);
    for field in ["value", "root", "error_bound", "game"] {
        assert_eq!(status[field], solved[field], "{field}");
    }
    assert_eq!((&status["values"], &status["lanes"]), (&"f64".into(), &"f64".into()));
    let layers = status["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 5);
    assert_eq!(keys(&layers[0]), ["bytes", "complete", "count", "layer", "stored", "tasks"]);
    let counts: u64 = layers.iter().map(|layer| layer["count"].as_u64().unwrap()).sum();
    assert_eq!(solved["values"], counts);

    let verified = json("verify", &["--blocks", "3", "--duels", "2"]);
    let fields = [
        "blocks",
        "duels",
        "error_bound",
        "largest_difference",
        "layers",
        "objects",
        "solved_again",
        "too_large",
    ];
    assert_eq!(keys(&verified), fields);
    assert_eq!((&verified["layers"], &verified["objects"]), (&5.into(), &7.into()));
    assert_eq!((&verified["blocks"], &verified["solved_again"]), (&15.into(), &15.into()));

    let published = json("publish", &["--from", "3", "copy"]);
    assert_eq!(keys(&published), ["bytes", "error_bound", "from", "objects", "values"]);
    assert_eq!((&published["from"], &published["objects"]), (&3.into(), &3.into()));

    let plan = bench.json(&["plan", "--rules", "toy.toml", "--seconds", "0.01"]);
    let fields = [
        "core_hours",
        "layers",
        "live_bytes",
        "read_bytes",
        "task_memory",
        "tasks",
        "values",
        "written_bytes",
    ];
    assert_eq!(keys(&plan), fields);
    assert_eq!((&plan["tasks"], &plan["values"]), (&7.into(), &solved["values"]));

    // One line per task.
    let output = bench
        .text(&["run", "--rules", "toy.toml", "--store", "other", "--layer", "0", "--task", "0", "--json"]);
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(keys(&report), ["existed", "hash", "layer", "task", "values"]);
    assert_eq!((&report["existed"], &report["task"]), (&false.into(), &0.into()));
}

#[test]
fn solve_reports_the_value_and_the_second_time_does_nothing() {
    let bench = Bench::new();
    let solve = ["solve", "--rules", "toy.toml", "--store", "store"];
    let first = bench.text(&solve);
    assert!(first.starts_with("The player who starts has an expected result of 0."), "{first}");
    assert!(first.contains("7 tasks run in ") && first.contains(" s, 0 done before.\n"), "{first}");
    let root = |text: &str| text.lines().find(|line| line.starts_with("Root hash ")).unwrap().to_string();
    assert!(first.ends_with("Stored in store\n"), "{first}");
    let files = |folder: &str| {
        let mut found: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        for layer in fs::read_dir(bench.path(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            if layer.is_dir() {
                let files = fs::read_dir(layer).unwrap().map(|entry| entry.unwrap().path());
                found.extend(files.map(|file| (file.clone(), fs::read(file).unwrap())));
            }
        }
        found.sort();
        found
    };
    let before = files("store");
    assert_eq!(before.len(), 7 + 5);
    let second = bench.text(&solve);
    assert!(second.contains("; 0 tasks run in ") && second.contains(" s, 7 done before.\n"), "{second}");
    assert!(second.contains("wrote 0 bytes in 0 objects"), "{second}");
    assert_eq!(root(&first), root(&second));
    assert!(files("store") == before, "the second run has changed files");
    let again = bench.json(&solve);
    assert_eq!((&again["tasks_run"], &again["tasks_done_before"]), (&0.into(), &7.into()));
    assert_eq!(again["io"]["writes"], 0);
    // The number of threads does not change a bit.
    let threads = bench.text(&["solve", "--rules", "toy.toml", "--store", "threads", "--threads", "3"]);
    assert_eq!(root(&threads), root(&first));
    // Settings that are not given are those of the store.
    assert!(bench.text(&[&solve[..], &["--values", "f32"]].concat()).contains("; 0 tasks run"));
}

#[test]
fn batches_are_read_from_standard_input_until_it_ends_or_one_fails() {
    let bench = Bench::new();
    let run = ["run", "--stdin", "--rules", "toy.toml", "--store", "store", "--json"];
    let output = bench.run_with_input(&run, "0 0\n1 0..1\n 2 1\n2 0..2\n");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let reports: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let layers: Vec<(u64, bool)> = reports
        .iter()
        .map(|report| (report["layer"].as_u64().unwrap(), report["complete"].as_bool().unwrap()))
        .collect();
    assert_eq!(layers, [(0, true), (1, true), (2, false), (2, true)]);
    let existed: Vec<bool> =
        reports[3]["tasks"].as_array().unwrap().iter().map(|task| task["existed"] == true).collect();
    assert_eq!(existed, [false, true]);

    for (input, message) in [
        ("3 0\n3\n", "a line must be a layer and its tasks, such as 7 0..64, not \"3\""),
        ("3 0\n3 x\n", "task must be a number or a range such as 0..64, not \"x\""),
        ("3 0\n9 0\n", "layer must be 0 to 4, not 9"),
    ] {
        let output = bench.run_with_input(&run, input);
        assert_eq!(output.status.code(), Some(2), "{input}");
        assert_eq!(text(&output.stdout).lines().count(), 1, "{input}");
        assert!(text(&output.stderr).trim_end().ends_with(message), "{}", text(&output.stderr));
    }
    assert!(bench.refusal(&["run", "--stdin", "--layer", "0"]).contains("cannot be used with"));
    assert!(bench.refusal(&["run", "--layer", "0"]).contains("--task"));
}

#[test]
fn tasks_are_run_one_by_one_and_status_shows_what_is_left() {
    let bench = Bench::new();
    let store = ["--rules", "toy.toml", "--store", "store", "--values", "d16"];
    let run = |layer: &str, task: &str| {
        bench.text(&[&["run", "--layer", layer, "--task", task], &store[..]].concat())
    };
    let status = || bench.text(&["status", "--rules", "toy.toml", "--store", "store"]);
    assert!(run("0", "0").contains("solved"));
    assert!(run("0", "0..1").contains("already done"));
    let shown = status();
    assert!(shown.starts_with("toy: values d16, lanes f32, "), "{shown}");
    assert!(
        shown.ends_with("4 layers are to solve. Run `keepers two-player solve` to continue.\n"),
        "{shown}"
    );
    run("1", "0");
    assert!(run("2", "1").contains("solved"));
    assert!(status().contains("in progress"), "{}", status());
    let both = run("2", "0..2");
    assert!(both.contains("solved") && both.contains("already done"), "{both}");
    run("3", "0..2");
    run("4", "0");
    let shown = status();
    assert!(shown.contains("The player who starts has an expected result of 0."), "{shown}");
    let solved = bench.json(&["solve", "--rules", "toy.toml", "--store", "store"]);
    assert_eq!(solved["tasks_run"], 0);
    assert!(shown.contains(solved["root"].as_str().unwrap()), "{shown}");
    let verified = bench.text(&["verify", "--rules", "toy.toml", "--store", "store"]);
    assert!(
        verified
            .starts_with("5 layers with 7 objects: the hashes of all headers, blocks and manifests agree.\n"),
        "{verified}"
    );
}

#[test]
fn a_plan_is_a_table_of_layers() {
    let bench = Bench::new();
    let plan = bench.text(&["plan", "--rules", "toy.toml", "--seconds", "0.01"]);
    assert!(plan.contains(" layer ") && plan.contains("core-seconds"), "{plan}");
    assert!(plan.contains("7 tasks and ") && plan.contains(" core-hours ("), "{plan}");
    assert!(!bench.path("cache/two-player").exists(), "a plan has made a store");
}

#[test]
fn the_default_store_is_in_the_cache() {
    let bench = Bench::new();
    let solved = bench.json(&["solve", "--rules", "toy.toml"]);
    let store = solved["store"].as_str().unwrap();
    assert!(store.starts_with(bench.path("cache").to_str().unwrap()), "{store}");
    assert_eq!(bench.json(&["status", "--rules", "toy.toml"])["root"], solved["root"]);
    // Other rules of the same name have their own store.
    let other = bench.json(&["solve", "--rules", "other.toml"]);
    assert_ne!(other["store"], solved["store"]);
}

#[test]
fn layers_that_are_not_kept_are_removed_and_shown_so() {
    let bench = Bench::new();
    let args = ["--rules", "toy.toml", "--store", "store"];
    bench.text(&[&["solve", "--keep-from", "3"], &args[..]].concat());
    let status = bench.text(&[&["status"], &args[..]].concat());
    assert_eq!(status.matches("solved, values removed").count(), 3, "{status}");
    let verified = bench.text(&[&["verify"], &args[..]].concat());
    assert!(
        verified
            .starts_with("2 layers with 3 objects: the hashes of all headers, blocks and manifests agree."),
        "{verified}"
    );
    // The layers that are left can be copied, the others cannot.
    let copied = bench.text(&[&["publish", "--from", "3", "copy"], &args[..]].concat());
    assert!(copied.starts_with("Copied layers 3 to 4 to copy: "), "{copied}");
    let message = text(&bench.run(&[&["publish", "--from", "2", "copy2"], &args[..]].concat()).stderr);
    assert!(message.contains("layer") && message.trim_end().lines().count() == 1, "{message}");
}

#[test]
fn bad_input_is_one_sentence() {
    let bench = Bench::new();
    let toy = ["--rules", "toy.toml", "--store", "store"];
    let refusal = |args: &[&str]| bench.refusal(&[args, &toy[..]].concat());
    for action in ["solve", "status", "verify", "plan"] {
        let store: &[&str] = if action == "plan" { &[] } else { &["--store", "store"] };
        let message = bench.refusal(&[&[action, "--rules", "nope"], store].concat());
        assert!(message.contains("nope"), "{message}");
        let message = bench.refusal(&[&[action, "--rules", "missing.toml"], store].concat());
        assert!(message.contains("missing.toml"), "{message}");
    }
    assert!(!bench.path("store").exists(), "a store was made for unknown rules");
    // A store that has nothing.
    for action in ["status", "verify"] {
        let message = refusal(&[action]);
        assert!(
            message.ends_with(
                "store has no two-player game: run `keepers two-player solve` with this store first"
            ),
            "{message}"
        );
    }
    assert!(refusal(&["publish", "--from", "3", "copy"]).contains("store has no two-player game"));
    assert!(!bench.path("copy").exists() && !bench.path("store").exists());

    let run = |layer: &str, task: &str| refusal(&["run", "--layer", layer, "--task", task]);
    assert!(run("5", "0").ends_with("layer must be 0 to 4, not 5"), "{}", run("5", "0"));
    assert!(run("x", "0").contains("--layer"), "{}", run("x", "0"));
    let tasks = "layer 2 has the tasks 0 to 1: give one of them, or a range such as 0..2";
    for task in ["2", "0..3", "1..1", "1..0", "18446744073709551615", "0..18446744073709551615"] {
        assert!(run("2", task).ends_with(tasks), "{}", run("2", task));
    }
    for task in ["x", "", "-1", "0..", "..2", "0...2", "1,2", "0x1", "99999999999999999999", "\u{1b}[31m"] {
        let message = refusal(&["run", "--layer", "0", &format!("--task={task}")]);
        assert!(message.contains("task must be a number or a range such as 0..64, not "), "{message}");
    }
    assert!(run("1", "0").contains("layer 0 of store is not complete: solve it first"), "{}", run("1", "0"));

    for memory in ["0", "-3", "x", "1e3"] {
        assert!(refusal(&["solve", "--memory", memory]).contains("must be a whole number from 1 to 65535"));
    }
    for option in [["--values", "f16"], ["--lanes", "d16"], ["--keep-from", "x"]] {
        let message = refusal(&[&["solve"], &option[..]].concat());
        assert!(message.contains(option[0]) && message.contains(option[1]), "{message}");
    }
    assert!(bench.refusal(&["plan", "--rules", "toy.toml", "--seconds", "x"]).contains("--seconds"));
    // Solved, so that only the layer is wrong.
    bench.text(&[&["solve"], &toy[..]].concat());
    assert!(refusal(&["publish", "--from", "9", "copy"]).ends_with("layer must be 0 to 4, not 9"));
    assert!(!bench.path("copy").exists());
    let message = refusal(&["solve", "--values", "d16"]);
    assert!(
        message.contains("store has --values f32 --lanes f32, not --values d16 --lanes f32: give those"),
        "{message}"
    );
    for action in ["solve", "status", "verify"] {
        let message = bench.refusal(&[action, "--rules", "other.toml", "--store", "store"]);
        assert!(message.contains("store belongs to other rules of the same name (toy)"), "{message}");
    }
}

#[test]
fn an_address_that_is_no_store_is_one_sentence() {
    let bench = Bench::new();
    fs::write(bench.path("file"), "not a folder").unwrap();
    for action in ["solve", "status", "verify"] {
        let refusal = |store: &str| bench.refusal(&[action, "--rules", "toy.toml", "--store", store]);
        let message = refusal("ftp://host/path");
        assert!(
            message.ends_with(
                "ftp://host/path is not the address of a store: ftp is not supported: give a folder or s3://bucket/path"
            ),
            "{message}"
        );
        assert!(refusal("file").ends_with("file is not the address of a store: it is a file, not a folder"));
        assert!(refusal("").contains("is not the address of a store"), "{}", refusal(""));
        assert!(refusal("file://relative/path").contains("is not the address of a store"));
        assert!(refusal("://").contains("is not the address of a store"), "{}", refusal("://"));
        if cfg!(not(feature = "s3")) {
            let message = refusal("s3://bucket/path");
            assert!(
                message.ends_with("this program was built without S3; build it with --features s3"),
                "{message}"
            );
        }
        // A path below a file: the store fails, which is no mistake in the arguments.
        let output = bench.run(&[action, "--rules", "toy.toml", "--store", "file/below"]);
        let message = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{message}");
        assert!(message.contains("file") && message.trim_end().lines().count() == 1, "{message}");
    }
    bench.text(&["solve", "--rules", "toy.toml", "--store", "store"]);
    let publish =
        |to: &str| bench.refusal(&["publish", "--rules", "toy.toml", "--store", "store", "--from", "3", to]);
    assert!(publish("ftp://x/y").contains("ftp is not supported"));
    assert!(publish("file").contains("it is a file, not a folder"));
    assert_eq!(fs::read(bench.path("file")).unwrap(), b"not a folder");
    // The folder of a URL.
    let url = format!("file://{}", bench.path("store").display());
    assert_eq!(bench.json(&["solve", "--rules", "toy.toml", "--store", &url])["tasks_run"], 0);
}

#[test]
fn damage_is_one_sentence_and_solve_repairs_it() {
    let bench = Bench::new();
    let args = ["--rules", "toy.toml", "--store", "store"];
    bench.text(&[&["solve"], &args[..]].concat());
    let object = bench.path("store/layer-02/task-00001.blocks");
    let bytes = fs::read(&object).unwrap();
    fs::write(&object, &bytes[..bytes.len() - 1]).unwrap();
    let message = bench.ended(4, &[&["verify"], &args[..]].concat());
    assert!(message.contains("layer-02/task-00001.blocks is damaged: "), "{message}");
    let output = bench.run(&[&["solve"], &args[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("; 1 task run in "), "{}", text(&output.stdout));
    assert_eq!(fs::read(&object).unwrap(), bytes);
    bench.text(&[&["verify"], &args[..]].concat());
}

#[test]
fn a_task_that_needs_more_memory_than_allowed_is_refused_at_once() {
    let bench = Bench::new();
    let message = bench.refusal(&["solve", "--rules", "yahtzee", "--store", "store", "--memory", "1"]);
    assert!(message.contains("GiB of memory, more than the limit of 1.0 GiB: raise --memory"), "{message}");
    assert!(!bench.path("store/layer-00").exists(), "a layer was solved");
}
