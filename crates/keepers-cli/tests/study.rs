//! `keepers two-player study`: what it prints and writes, and one sentence for every mistake.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Two dice of three faces and three boxes.
const TOY: &str = "name = \"toy\"\ndice = 2\nfaces = 3\nrolls = 2\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
    [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 5\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(tempfile::tempdir().unwrap());
        fs::write(bench.0.path().join("toy.toml"), TOY).unwrap();
        bench
    }

    fn run(&self, args: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.arg("two-player").args(args.split(' ')).args(["--rules", "toy.toml", "--store", "store"]);
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command.env("KEEPERS_CACHE", self.0.path().join("cache")).env("KEEPERS_QUIET", "1");
        command.env_remove("KEEPERS_TWO_PLAYER").output().unwrap()
    }

    fn text(&self, args: &str) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refusal(&self, args: &str) -> String {
        let output = self.run(args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), message.trim_end().lines().count()),
            (Some(2), 1),
            "{args}: {message}"
        );
        assert!(output.stdout.is_empty());
        message
    }
}

#[test]
fn a_study_prints_tables_and_writes_its_report() {
    let bench = Bench::new();
    bench.text("solve --values f64");
    let args =
        "study --players expected,greedy --games 300,200 --exact-games 2000 --compared 100 --report out";
    let text = bench.text(args);
    for part in [
        "expected result of 0.",
        "2,000 games of exact play",
        "greedy",
        "same card",
        "best choices",
        "open boxes",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let answer: Value = serde_json::from_str(&bench.text(&format!("{args} --json"))).unwrap();
    let number = |pointer: &str| answer.pointer(pointer).and_then(Value::as_f64).unwrap();
    let value = number("/value");
    assert!(number("/exact/standard_errors_from_value").abs() < 4.0);
    assert_eq!(answer["players"].as_array().unwrap().len(), 4);
    assert_eq!([number("/players/0/games"), number("/players/3/games")], [300.0, 200.0]);
    assert!(
        (number("/players/0/expected_result/mean") - (value - number("/players/0/loss/mean"))).abs() < 1e-12
    );
    assert!(
        (number("/players/3/expected_result/mean") - (1.0 - value - number("/players/3/loss/mean"))).abs()
            < 1e-12
    );
    let file = |name: &str| fs::read_to_string(bench.0.path().join("out").join(name)).unwrap();
    let written: Value = serde_json::from_str(&file("study.json")).unwrap();
    assert_eq!(written["players"], answer["players"]);
    // Two players and the comparison, two seats, three turns, and a line of headings.
    assert_eq!(file("turns.csv").lines().count(), 3 * 2 * 3 + 1);
    assert!(file("leads.csv").lines().count() > 19);
    assert!(["errors.svg", "leads.svg", "start.svg"].iter().all(|name| file(name).starts_with("<svg")));
    assert!(text.starts_with(file("study.txt").trim_end()));
}

#[test]
fn the_seed_determines_the_study() {
    let bench = Bench::new();
    bench.text("solve");
    let run = |more: &str| {
        let args = format!("study --players emp:0,human-like:20 --games 50 --exact-games 500 --json {more}");
        let mut answer: Value = serde_json::from_str(&bench.text(&args)).unwrap();
        answer.as_object_mut().unwrap().remove("seconds").unwrap();
        answer
    };
    assert_eq!(run("--seed 5 --threads 1"), run("--seed 5 --threads 2"));
    assert_ne!(run("--seed 5"), run("--seed 6"));
}

#[test]
fn mistakes_are_one_sentence() {
    let bench = Bench::new();
    assert!(bench.refusal("study").contains("has no two-player game"));
    bench.text("solve --keep-from 6");
    assert!(bench.refusal("study").contains("no turn can be studied"));
    assert!(bench.refusal("study --players expected,nobody").contains("there is no player \"nobody\""));
    assert!(bench.refusal("study --players expected,greedy --games 10,20,30").contains("one per player"));
    assert!(bench.refusal("study --games 1").contains("2 to 10,000,000"));
    fs::write(bench.0.path().join("file"), "").unwrap();
    assert!(bench.refusal("study --report file/out").contains("cannot write to"));
}

#[test]
fn only_the_opening_is_studied_where_only_the_opening_is_stored() {
    let bench = Bench::new();
    bench.text("solve --keep-from 3");
    let output = bench.run("study --players greedy --games 50 --exact-games 500 --json");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["last_turn"], &answer["exact"]["record"]), (&Value::from(4), &Value::Null));
    let notice = String::from_utf8(output.stderr).unwrap();
    assert!(notice.contains("only the layers of the opening are stored"), "{notice}");
}
