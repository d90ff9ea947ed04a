//! Hostile input and a hostile system: no panic, no endless reading, nothing overwritten, one clear sentence.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const TOY: &str = "name = \"toy\"\ndice = 2\nfaces = 3\nrolls = 2\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
    [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 5\n";

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(tempfile::tempdir().unwrap());
        bench.file("toy.toml", TOY);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    fn fifo(&self, name: &str) {
        assert!(Command::new("mkfifo").arg(self.path(name)).status().unwrap().success());
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("KEEPERS_CACHE", self.path("cache")).env("KEEPERS_QUIET", "1");
        command
    }

    /// Runs a command that must end by itself.
    fn run(&self, args: &[&str]) -> Output {
        let mut command = self.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                child.kill().unwrap();
                panic!("{args:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.wait_with_output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The one sentence on stderr.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?} prints {}", text(&output.stdout));
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        assert!(!message.trim_end().contains(|c: char| c.is_control()), "{message:?}");
        message
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_match_does_not_touch_the_records_of_another() {
    let bench = Bench::new();
    let play = |rules: &'static str, to: &'static str| {
        ["match", "--rules", rules, "--players", "greedy,random", "--games", "3", "--records", to]
    };
    bench.json(&play("toy.toml", "games"));
    let before: Vec<Vec<u8>> = ["000000.game", "000002.game", "rules.toml"]
        .iter()
        .map(|f| fs::read(bench.path("games").join(f)).unwrap())
        .collect();
    for rules in ["toy.toml", "yacht"] {
        let message = bench.refusal(&play(rules, "games"));
        assert!(message.contains("records: games contains files of another match, like "), "{message}");
        assert!(message.contains("use another directory"), "{message}");
    }
    let after: Vec<Vec<u8>> = ["000000.game", "000002.game", "rules.toml"]
        .iter()
        .map(|f| fs::read(bench.path("games").join(f)).unwrap())
        .collect();
    assert_eq!(before, after);
    // Rules alone decide about records that may be written beside them later.
    fs::create_dir(bench.path("rules")).unwrap();
    bench.file("rules/rules.toml", TOY);
    assert!(bench.refusal(&play("yacht", "rules")).contains("like rules.toml"));
    // Other files do not matter, and nothing is solved before the directory is checked.
    fs::create_dir(bench.path("notes")).unwrap();
    bench.file("notes/readme.txt", "ours");
    bench.json(&play("toy.toml", "notes"));
    assert_eq!(fs::read_dir(bench.path("notes")).unwrap().count(), 1 + 3 + 1);
    let other = bench.0.path().join("other-cache");
    let mut command = bench.command(&["match", "--players", "expected,duel", "--records", "games"]);
    assert_eq!(command.env("KEEPERS_CACHE", &other).output().unwrap().status.code(), Some(2));
    assert!(!other.exists(), "a game was solved");
    bench.file("plain", "no directory");
    assert!(bench.refusal(&play("toy.toml", "plain")).contains("records: cannot write to plain: "));
    let message = bench.refusal(&["match", "--players", "who,random", "--records", "fresh"]);
    assert!(message.contains("there is no player \"who\"") && !bench.path("fresh").exists(), "{message}");
}

#[test]
fn a_stderr_that_cannot_be_written_to_is_no_panic() {
    let bench = Bench::new();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for (args, code) in [
        (&["value", "--rules", "nope"][..], 2),
        (&["value", "--bogus"], 2),
        (&["reach", "--rules", "toy.toml", "--plot", "a.svg"], 0),
        (&["tournament", "--rules", "toy.toml", "--opponent", "self", "--opponents", "2"], 0),
        (&["review", "nowhere.game"], 2),
        // Long enough for lines of progress.
        (&["tournament", "--rules", "yacht", "--opponent", "self", "--opponents", "2", "--rounds", "1"], 0),
    ] {
        let mut command = bench.command(args);
        let status =
            command.env_remove("KEEPERS_QUIET").stderr(full()).stdout(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
    let mut batch = bench.command(&["value", "-", "--rules", "toy.toml"]);
    bench.file("cards", "zz=1\n3=3\n");
    batch.stdin(File::open(bench.path("cards")).unwrap()).stderr(full());
    let output = batch.stdout(Stdio::piped()).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).lines().count()), (Some(2), 2));
}

#[test]
fn an_stdout_that_is_full_is_an_error() {
    let bench = Bench::new();
    for args in [&["--help"][..], &["--version"], &["advise", "--help"], &["rules"], &["players", "--json"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = bench.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(text(&output.stderr).contains("No space left on device"), "{args:?}");
    }
}

#[test]
fn only_regular_files_of_a_limited_size_are_read() {
    let bench = Bench::new();
    bench.fifo("pipe");
    bench.file("large", vec![b'#'; (16 << 20) + 1]);
    let game = "toy.toml";
    for name in ["/dev/zero", "pipe", "large", "."] {
        let utility = format!("utility:{name}");
        let why = match name {
            "." => "it is a directory",
            "large" => "it is larger than 16.0 MiB",
            _ => "it is not a regular file",
        };
        let mut cases: Vec<Vec<&str>> = vec![
            vec!["value", "--rules", name],
            vec!["value", "--rules", game, "--objective", &utility],
            vec!["distribution", "--rules", game, "--strategy", &utility],
            vec!["simulate", "--rules", game, "--strategy", &utility],
            vec!["match", "--rules", game, "--players", &utility],
            vec!["tournament", "--rules", game, "--opponent", &utility],
            vec!["tournament", "--rules", game, "--opponent-scores", name],
            vec!["distribution", "--rules", game, "--judge", name],
        ];
        if name != "." {
            cases.push(vec!["review", name]);
        }
        for args in cases {
            let message = bench.refusal(&args);
            let unreadable = message.contains("cannot read ") || message.contains(": cannot be read: ");
            assert!(unreadable && message.contains(why), "{args:?}: {message}");
        }
    }
    for name in ["/dev/zero", "pipe"] {
        assert!(bench.refusal(&["ask", name]).contains("it is not a regular file"));
    }
}

#[test]
fn a_record_names_a_preset_or_a_file_beside_it() {
    let bench = Bench::new();
    fs::create_dir(bench.path("games")).unwrap();
    bench.fifo("games/pipe.toml");
    bench.file("games/large.toml", vec![b'#'; (16 << 20) + 1]);
    let absolute = bench.path("toy.toml").display().to_string();
    for (rules, wanted) in [
        ("/dev/zero", "must be a preset or a file beside the record"),
        (absolute.as_str(), "must be a preset or a file beside the record"),
        ("../toy.toml", "must be a preset or a file beside the record"),
        ("x/../../toy.toml", "must be a preset or a file beside the record"),
        // Not beside the record, though it is in the current directory.
        ("toy.toml", "unknown rules \"toy.toml\""),
        ("pipe.toml", "it is not a regular file"),
        ("large.toml", "it is larger than 16.0 MiB"),
    ] {
        bench.file("games/a.game", format!("rules: {rules}\n\n13 3\n33 y\n"));
        let message = bench.refusal(&["review", "games/a.game"]);
        assert!(message.contains(wanted), "{rules}: {message}");
    }
    bench.file("beside.game", "rules: toy.toml\n\n13 3\n33 y\n");
    assert_eq!(bench.json(&["review", "beside.game"])["rules"], "toy");
    assert_eq!(bench.json(&["review", "./beside.game"])["rules"], "toy");
}

#[test]
fn what_comes_from_a_file_is_escaped() {
    let bench = Bench::new();
    let escape = "\u{1b}[31mred\u{1b}]0;title\u{7}";
    bench.file("e.game", format!("rules: {escape}\n\n12345 1\n"));
    bench.file("t.game", format!("rules: yacht\nplayers: {escape}\nplace: {escape}\n\n12345 1\n"));
    bench.file("cr.game", "rules: yacht\rno\n\n12345 1\n");
    bench.file("bad.toml", format!("name = \"{escape}\"\ndice = 2\n"));
    // The sentence may not contain control characters.
    for args in [
        &["review", "e.game"][..],
        &["review", "t.game"],
        &["review", "cr.game"],
        &["value", "--rules", "bad.toml"],
        &["value", "--rules", escape],
        &["value", escape],
        &["advise", "--roll", escape],
        &["value", "--objective", "utility:\u{1b}[31m"],
        &["match", "--players", "\u{1b}[31m,b"],
    ] {
        bench.refusal(args);
    }
    let name = "\u{1b}[31m.game";
    bench.file(name, "rules: yacht\nplayers: Ann\n\n12345 1\n");
    bench.file("other.game", "rules: yacht\nplayers: Ann\n\n12345 1\n");
    let output = bench.run(&["review", name, "other.game"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!text(&output.stdout).contains('\u{1b}'), "{:?}", text(&output.stdout));
}

#[test]
fn a_record_without_decisions_has_no_loss() {
    let bench = Bench::new();
    bench.file("none.game", "rules: toy.toml\nplayers: Ann\n\n");
    let page = text(&bench.run(&["review", "none.game"]).stdout);
    let loss = page.lines().find(|line| line.contains("loss of 0 decisions")).unwrap();
    assert_eq!(loss.split_whitespace().last(), Some("0.000"), "{page}");
    assert!(page.contains(", 0.000 lost per decision: perfect"), "{page}");
    let json = bench.run(&["review", "none.game", "--json"]);
    assert!(!text(&json.stdout).contains("-0.0,"), "{}", text(&json.stdout));
}

#[test]
fn a_game_of_one_box_can_be_measured() {
    let bench = Bench::new();
    bench.file("one.toml", "dice = 2\nfaces = 3\nrolls = 2\n[[box]]\nid = \"c\"\npattern = \"chance\"\n");
    let answer = bench.json(&["measure", "--rules", "one.toml", "--strategies", "greedy", "--games", "4"]);
    let depths = answer["strategies"][0]["depths"].as_array().unwrap();
    assert_eq!(depths.iter().map(|of| of["depth"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2]);
    let message = bench.refusal(&["measure", "--rules", "one.toml", "--depth", "1..8"]);
    assert!(message.contains("use two numbers from 1 to 2, like 1..2"), "{message}");
}

#[test]
fn numbers_are_refused_with_what_is_allowed() {
    let bench = Bench::new();
    let duel = ["duel", "--to-move", "", "--other", ""];
    for (args, wanted) in [
        (vec!["match", "--players", "greedy,random", "--games", "-1"], "whole number from 1 to 10000000"),
        (vec!["measure", "--games", "1"], "whole number from 2 to 10000000"),
        (vec!["simulate", "--games", "-1"], "whole number from 1 to 1000000000000"),
        (vec!["simulate", "--games", "1.5"], "whole number from 1 to 1000000000000"),
        (vec!["simulate", "--seed", "-1"], "whole number from 0 to 18446744073709551615"),
        (vec!["match", "--players", "greedy,random", "--seed", "-1"], "whole number from 0 to"),
        (vec!["puzzle", "--seed", "x"], "whole number from 0 to"),
        (vec!["measure", "--memory", "-1"], "whole number from 1 to 65535"),
        ([&duel[..], &["--memory", "-1"]].concat(), "whole number from 1 to 65535"),
        (vec!["advise", "--roll", "12345", "--time", "-1"], "number of seconds from 0 to 3600"),
        (vec!["value", "--time", "NaN"], "number of seconds from 0 to 3600"),
        (vec!["tournament", "--rounds", "-1"], "whole number from 1 to 10000"),
        (vec!["tournament", "--gap", "-1"], "number from 0 to 1"),
        (vec!["reach", "--step", "-1"], "whole number from 1 to 65535"),
        (vec!["review", "a.game", "--worst", "-1"], "whole number from 0 to"),
        (vec!["value", "--threads", "-1"], "whole number from 1 to 1024"),
        (vec!["roll", "--turn", "-1"], "whole number from 0 to 255"),
    ] {
        let message = bench.refusal(&args);
        assert!(message.contains(wanted), "{args:?}: {message}");
        let help = format!("; see keepers {} --help", args[0]);
        assert!(message.trim_end().ends_with(&help), "{args:?}: {message}");
    }
    assert!(bench.refusal(&["rules", "show", "--bogus"]).contains("see keepers rules show --help"));
    assert!(bench.refusal(&["--bogus"]).trim_end().ends_with("see keepers --help"));
}

#[test]
fn threads_that_cannot_be_started_are_reported_once() {
    let bench = Bench::new();
    // An address space without room for a thousand stacks.
    let command = format!(
        "ulimit -v 600000; exec {} value --rules toy.toml --threads 1024",
        env!("CARGO_BIN_EXE_keepers")
    );
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(bench.0.path())
        .env("KEEPERS_CACHE", bench.path("cache"))
        .output()
        .unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("keepers: cannot start 1024 threads: "), "{message}");
    assert_eq!(message.matches("os error").count(), 1, "{message}");
}

#[test]
fn solving_reports_where_the_table_is_or_fails() {
    let bench = Bench::new();
    let output = bench.run(&["solve", "--rules", "toy.toml"]);
    let page = text(&output.stdout);
    let path = page.lines().find_map(|line| line.strip_prefix("stored in ")).unwrap();
    assert!(output.status.success() && std::path::Path::new(path).is_file(), "{page}");
    let again = bench.run(&["solve", "--rules", "toy.toml"]);
    assert!(again.status.success() && text(&again.stdout).contains(&format!("stored in {path}")));
    let without = bench.run(&["solve", "--rules", "toy.toml", "--no-cache"]);
    assert!(without.status.success() && !text(&without.stdout).contains("stored in"));
    bench.file("plain", "no directory");
    for json in [&[][..], &["--json"]] {
        let mut command = bench.command(&[&["solve", "--rules", "toy.toml"], json].concat());
        let output = command.env("KEEPERS_CACHE", bench.path("plain").join("below")).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("could not be stored"), "{}", text(&output.stderr));
        assert!(!output.stdout.is_empty() && !text(&output.stdout).contains("stored in"));
    }
}

/// The contents of all files below a folder, by their paths in it.
fn files(folder: &std::path::Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Solves the toy for two players into the store `store` in a shell, after `before` and followed by `after`.
fn solve_in_shell(bench: &Bench, shell: &[&str], before: &str, store: &str, after: &str) -> Output {
    let solve = format!("\"$KEEPERS\" two-player solve --rules toy.toml --store {store}");
    bench.run(&["two-player", "solve", "--rules", "toy.toml", "--store", "whole"]);
    Command::new(shell[0])
        .args(&shell[1..])
        .args(["sh", "-c", &format!("{before}\n{solve}\ncode=$?\n{after}\nexit $code")])
        .current_dir(bench.0.path())
        .env("KEEPERS", env!("CARGO_BIN_EXE_keepers"))
        .env("KEEPERS_CACHE", bench.path("cache"))
        .env("KEEPERS_QUIET", "1")
        .output()
        .unwrap()
}

#[test]
fn a_two_player_store_with_a_limited_size_of_files_keeps_what_it_has() {
    let bench = Bench::new();
    // The limit of 512 bytes is exceeded by a manifest. Without the handler, a signal would end the program.
    let output = solve_in_shell(&bench, &["env"], "trap '' XFSZ; ulimit -f 1", "store", "");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(message.contains(" in store failed: the system allows no file of this size"), "{message}");
    let (whole, part) = (files(&bench.path("whole")), files(&bench.path("store")));
    // What was written is complete, and nothing else is left.
    assert!(part.len() > 2 && part.len() < whole.len(), "{:?}", part.keys());
    assert!(part.iter().all(|(name, bytes)| whole.get(name) == Some(bytes)), "{:?}", part.keys());
    let output = bench.run(&["two-player", "solve", "--rules", "toy.toml", "--store", "store"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(files(&bench.path("store")) == whole);
}

/// Solves the toy for two players into a store on a disk that `mount` mounts in a namespace of its own. Returns `None`,
/// with a message, where this user may not mount anything.
#[cfg(target_os = "linux")]
fn solve_on_disk(bench: &Bench, mount: &str, after: &str) -> Option<Output> {
    fs::create_dir(bench.path("disk")).unwrap();
    if let Err(error) = Command::new("unshare").arg("--version").output() {
        eprintln!("skipped: the program `unshare` cannot be run: {error}");
        return None;
    }
    let output =
        solve_in_shell(bench, &["unshare", "--map-root-user", "--mount"], mount, "disk/store", after);
    let message = text(&output.stderr);
    if output.status.code() == Some(77) || message.starts_with("unshare: ") {
        eprintln!("skipped: this user cannot mount a file system: {message}");
        return None;
    }
    Some(output)
}

#[cfg(target_os = "linux")]
#[test]
fn a_two_player_store_on_a_full_disk_keeps_what_it_has() {
    let bench = Bench::new();
    // A disk of seven pages.
    let mount = "mount -t tmpfs -o size=28k tmpfs disk || { echo cannot mount; exit 77; }";
    // What was written is kept for the test. Then the disk grows, and the same command continues.
    let after = "cp -r disk/store part && mount -o remount,size=9m disk && \"$KEEPERS\" two-player solve --rules toy.toml \
        --store disk/store >/dev/null; echo $?; cp -r disk/store continued";
    let Some(output) = solve_on_disk(&bench, mount, after) else { return };
    let (stdout, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{message}");
    let full = "disk/store failed: there is no space left; free some, and run the command again";
    assert!(message.trim_end().ends_with(full) && message.lines().count() == 1, "{message}");
    assert_eq!(stdout, "0\n");
    let (whole, part) = (files(&bench.path("whole")), files(&bench.path("part")));
    assert!(part.len() > 1 && part.len() < whole.len(), "{:?}", part.keys());
    assert!(part.iter().all(|(name, bytes)| whole.get(name) == Some(bytes)), "{:?}", part.keys());
    assert!(files(&bench.path("continued")) == whole);
}

#[cfg(target_os = "linux")]
#[test]
fn a_two_player_store_on_a_disk_that_cannot_be_written_is_one_sentence() {
    let bench = Bench::new();
    // Not even root may write to it.
    let mount = "mount -t tmpfs tmpfs disk && \"$KEEPERS\" two-player run --rules toy.toml --store disk/store --layer 0 \
        --task 0 >/dev/null && mount -o remount,ro disk || { echo cannot mount; exit 77; }";
    let after = "mount -o remount,rw disk && \"$KEEPERS\" two-player solve --rules toy.toml --store disk/store \
        >/dev/null; echo $?; cp -r disk/store continued";
    let Some(output) = solve_on_disk(&bench, mount, after) else { return };
    let (stdout, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{message}");
    let refused =
        "disk/store failed: there is no permission; choose another store, or change its permissions";
    assert!(message.trim_end().ends_with(refused) && message.lines().count() == 1, "{message}");
    assert_eq!(stdout, "0\n");
    assert!(files(&bench.path("continued")) == files(&bench.path("whole")));
}

/// Three dice of four faces and seven boxes: 255 tasks.
fn game_of_many_tasks() -> String {
    let face = |face| format!("[[box]]\nid = \"{face}\"\npattern = \"face\"\nface = {face}\n");
    let chance = |id| format!("[[box]]\nid = \"{id}\"\nname = \"All dice {id}\"\npattern = \"chance\"\n");
    let head = "name = \"many\"\ndice = 3\nfaces = 4\nrolls = 2\n[upper_bonus]\nthreshold = 12\npoints = 7\n";
    let sets = "[[box]]\nid = \"y\"\npattern = \"sets\"\nof = [3]\npays = 10\n";
    [head.to_string(), (1..=4).map(face).collect(), sets.to_string(), ["a", "b"].map(chance).concat()]
        .concat()
}

#[test]
fn a_two_player_solve_that_is_killed_at_any_moment_continues() {
    let bench = Bench::new();
    bench.file("many.toml", game_of_many_tasks());
    let solve = |store| ["two-player", "solve", "--rules", "many.toml", "--threads", "2", "--store", store];
    let whole = bench.json(&solve("whole"));
    let tasks = whole["tasks_run"].as_u64().unwrap();
    assert_eq!(tasks, 255);
    let objects = || {
        let layers = fs::read_dir(bench.path("store")).into_iter().flatten();
        let files = layers.filter_map(|layer| fs::read_dir(layer.ok()?.path()).ok()).flatten();
        files
            .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "blocks"))
            .count()
    };
    for wanted in [1, 40, 120, 200] {
        let mut child = bench.command(&solve("store")).stdout(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while objects() < wanted && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "no {wanted} tasks are done");
        }
        // On Unix that is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = objects() as u64;
    let continued = bench.json(&solve("store"));
    // No task that was done is run again. Those that were under way, at most one per thread, are.
    assert_eq!(
        (&continued["tasks_done_before"], &continued["tasks_run"]),
        (&done.into(), &(tasks - done).into())
    );
    assert_eq!(continued["root"], whole["root"]);
    let finished = |store| {
        let mut files = files(&bench.path(store));
        files.retain(|path, _| path.extension().is_none_or(|end| end == "blocks" || end == "json"));
        files
    };
    assert!(finished("store") == finished("whole"));
}
