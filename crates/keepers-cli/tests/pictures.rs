//! Pictures that commands draw: asked for, refused, written.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Keepers {
    directory: tempfile::TempDir,
}

impl Keepers {
    fn new() -> Keepers {
        Keepers { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.args(args).current_dir(self.directory.path());
        command.env("KEEPERS_CACHE", self.cache()).env("KEEPERS_QUIET", "1");
        command.output().expect("the program runs")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.directory.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn svg(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.directory.path()).expect("it is there");
        let mut names: Vec<String> =
            files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[test]
fn a_reach_curve_is_drawn_as_svg_and_png() {
    let keepers = Keepers::new();
    let output =
        keepers.run(&["reach", "--rules", "yacht", "--json", "--plot", "curve.svg", "--plot", "curve.PNG"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("one JSON object");
    let told = "keepers: wrote curve.svg\nkeepers: wrote curve.PNG\n";
    assert_eq!(text(&output.stderr), told);
    let svg = keepers.svg("curve.svg");
    assert!(svg.contains("<title>The best probability of every final score of yacht</title>"));
    assert!(svg.contains("172 with 50.425 %") && svg.contains("rules yacht"), "{svg}");
    assert!(keepers.read("curve.PNG").starts_with(PNG));
    assert_eq!(keepers.names(), ["cache", "curve.PNG", "curve.svg"], "nothing is left over");

    let card = "1=3,6=18,fh=24,ch=22,4=12,5=15,ls=30,y=0";
    keepers.run(&["reach", "--rules", "yacht", "--card", card, "--plot", "curve.svg"]);
    assert!(keepers.svg("curve.svg").contains("from the card 1=3,4=12"), "the picture is replaced");
}

#[test]
fn distributions_are_drawn_in_two_ways() {
    let keepers = Keepers::new();
    let args = ["distribution", "--rules", "yacht", "--plot", "d.svg", "--plot-grid", "g.svg"];
    let output = keepers.run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let curve = keepers.svg("d.svg");
    assert!(curve.contains(">mean 166.99<") && curve.contains(">median 167<"));
    let grid = keepers.svg("g.svg");
    assert!(grid.contains(">Little Straight<") && grid.contains("Yacht, turn 12: scored well "));
    let again = keepers.run(&[&args[..], &["--plot-theme", "dark"]].concat());
    assert_eq!(again.stdout, output.stdout);
    assert_ne!(keepers.svg("d.svg"), curve);
}

#[test]
fn several_strategies_are_drawn_in_one_chart() {
    let keepers = Keepers::new();
    let card = "1=3,6=18,fh=24,ch=22,4=12,5=15,ls=30,y=0";
    let args = ["distribution", "--rules", "yacht", "--card", card, "--strategy", "expected,reach:170"];
    let output = keepers.run(&[&args[..], &["--plot", "several.svg"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let svg = keepers.svg("several.svg");
    assert!(svg.contains(">expected<") && svg.contains(">reach:170<"), "{svg}");
    let output = keepers.run(&[&args[..], &["--plot-grid", "grid.svg"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("needs a single strategy"), "{}", text(&output.stderr));
}

#[test]
fn tournaments_are_drawn_in_three_ways() {
    let keepers = Keepers::new();
    let output = keepers.run(&[
        "tournament",
        "--rules",
        "yacht",
        "--opponents",
        "1,100",
        "--plot",
        "a.svg",
        "--plot-scores",
        "s.svg",
        "--plot-grid",
        "g.png",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(keepers.svg("a.svg").contains("against 100 1.297 % instead of 0.921 %"));
    let scores = keepers.svg("s.svg");
    assert!(scores.contains(">best of 100<") && scores.contains("247 against 100"));
    assert!(keepers.read("g.png").starts_with(PNG));
}

/// The one sentence on stderr; nothing may have been solved.
fn refusal(keepers: &Keepers, args: &[&str]) -> String {
    let output = keepers.run(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(output.stdout.is_empty());
    assert!(!keepers.cache().exists(), "{args:?} solves before it refuses");
    message
}

#[test]
fn what_cannot_be_written_is_refused_before_any_work() {
    let keepers = Keepers::new();
    std::fs::create_dir(keepers.directory.path().join("folder.svg")).expect("it can be made");
    let missing = Path::new("missing").join("a.svg");
    let cases = [
        ("curve.pdf", "must end in .svg or .png, not \"curve.pdf\""),
        ("curve", "must end in .svg or .png, not \"curve\""),
        ("folder.svg", "cannot write folder.svg: it is a directory"),
        (missing.to_str().expect("text"), "a.svg: No such file or directory"),
    ];
    for (name, wanted) in cases {
        for command in ["reach", "distribution", "tournament"] {
            let message = refusal(&keepers, &[command, "--rules", "yacht", &format!("--plot={name}")]);
            assert!(message.contains(wanted), "{message}");
        }
    }
    let all =
        ["tournament", "--opponents", "ten", "--plot", "a.gif", "--plot-scores", "b.gif", "--judge", "no"];
    let message = refusal(&keepers, &all);
    for part in [
        "opponents: must be whole numbers",
        "plot: must end in .svg or .png, not \"a.gif\"",
        "plot-scores: must end in .svg or .png, not \"b.gif\"",
        "judge: unknown rules",
    ] {
        assert!(message.contains(part), "{message}");
    }
    let message = refusal(&keepers, &["distribution", "--plot", "a.svg", "--plot-grid", "a.svg"]);
    assert!(message.contains("a.svg is used twice"), "{message}");
    let message = refusal(&keepers, &["tournament", "--opponent", "self", "--plot-grid", "a.svg"]);
    assert!(message.contains("--opponent self has only one picture"), "{message}");
    let message = refusal(&keepers, &["reach", "--plot", "a.bmp", "--card", "zz=1"]);
    assert!(message.contains("there is no box") && message.contains("a.bmp"), "{message}");
    assert_eq!(keepers.names(), ["folder.svg"], "nothing is left over");
}
