//! Commands and the server read a two-player game that `keepers two-player solve` has stored, and give the bits of a
//! solve from the position.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Three dice of three faces, five boxes, an upper bonus and extra Yahtzees.
const TOY: &str = "name = \"toy\"\ndice = 3\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 6\npoints = 9\n[extra]\n\
    box = \"y\"\npoints = 10\njoker = \"forced\"\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n[[box]]\nid = \"s\"\n\
    pattern = \"straight\"\nlength = 3\npays = 12\n[[box]]\nid = \"p\"\npattern = \"sets\"\nof = [2]\npays = 25\n[[box]]\n\
    id = \"y\"\npattern = \"sets\"\nof = [3]\npays = 15\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";

struct Bench(tempfile::TempDir);

impl Bench {
    /// A folder with the rules and, if `solved`, with the solution in the cache.
    fn new(solved: bool) -> Bench {
        let bench = Bench(tempfile::tempdir().unwrap());
        fs::write(bench.path("toy.toml"), TOY).unwrap();
        if solved {
            bench.text(&["two-player", "solve", "--rules", "toy.toml", "--values", "f64"]);
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("KEEPERS_CACHE", self.path("cache")).env("KEEPERS_QUIET", "1");
        command.env_remove("KEEPERS_TWO_PLAYER");
        command
    }

    fn run(&self, args: &[&str], store: Option<&str>) -> Output {
        let mut command = self.command(args);
        store.map(|store| command.env("KEEPERS_TWO_PLAYER", store));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        output
    }

    fn text(&self, args: &[&str]) -> String {
        text(&self.run(args, None).stdout)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.text(&[args, &["--json"]].concat())).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const DUEL: [&str; 11] = [
    "duel",
    "--rules",
    "toy.toml",
    "--to-move",
    "3=6",
    "--other",
    "y=15",
    "--roll",
    "133",
    "--rolls-left",
    "1",
];
const ADVISE: [&str; 11] = [
    "advise",
    "--rules",
    "toy.toml",
    "--card",
    "3=6",
    "--against",
    "y=15",
    "--roll",
    "133",
    "--rolls-left",
    "1",
];

#[test]
fn duel_and_advice_read_the_stored_solution_and_call_it_exact() {
    let (solved, live) = (Bench::new(true), Bench::new(false));
    let (stored, computed) = (solved.json(&DUEL), live.json(&DUEL));
    assert_eq!(stored["stored"], true);
    assert_eq!(computed["stored"], Value::Null);
    for field in ["exact", "value", "before_roll", "choices"] {
        assert_eq!(stored[field], computed[field], "{field}");
    }
    assert_eq!(stored["exact"], true);
    let shown = solved.text(&DUEL[..7]);
    assert!(shown.contains("exact: read from a stored solution in "), "{shown}");

    let (stored, computed) = (solved.json(&ADVISE), live.json(&ADVISE));
    assert_eq!((&stored["exact"], &stored), (&Value::Bool(true), &computed));
    let shown = solved.text(&ADVISE);
    assert!(shown.contains("(exact; a draw is half a win)"), "{shown}");
}

#[test]
fn matches_reviews_and_measurements_read_the_stored_solution() {
    let (solved, live) = (Bench::new(true), Bench::new(false));
    let play = ["match", "--rules", "toy.toml", "--players", "duel,expected", "--games", "6", "--seed", "1"];
    let review = ["review", "records/000000.game", "--objective", "win"];
    let measure =
        ["measure", "--rules", "toy.toml", "--strategies", "expected", "--games", "20", "--seed", "1"];
    let answers = [&solved, &live].map(|bench| {
        bench.text(&[&play[..], &["--records", "records"]].concat());
        let records: Vec<String> = (0..6)
            .map(|nth| fs::read_to_string(bench.path(&format!("records/{nth:06}.game"))).unwrap())
            .collect();
        (records, bench.json(&review), bench.json(&measure))
    });
    let [stored, computed] = answers;
    assert_eq!(stored, computed);
    let players = stored.1["players"].as_array().unwrap();
    for player in players {
        assert_eq!(player["estimated"]["decisions"], 0, "{player}");
        assert_eq!(player["exact"]["decisions"], player["decisions"]);
    }
    assert_eq!(players[0]["loss"], 0.0, "an exact player loses nothing");
}

#[test]
fn a_store_is_named_by_the_environment_and_a_wrong_name_is_one_notice() {
    let bench = Bench::new(false);
    let solve = ["two-player", "solve", "--rules", "toy.toml", "--store", "elsewhere"];
    bench.text(&solve);
    let named = bench.run(&DUEL[..7], Some("elsewhere"));
    assert!(text(&named.stdout).contains("read from a stored solution"), "{}", text(&named.stdout));
    assert!(named.stderr.is_empty());
    let wrong = bench.run(&DUEL[..7], Some("elsewere"));
    assert!(text(&wrong.stdout).contains("pairs of states"), "{}", text(&wrong.stdout));
    assert_eq!(
        text(&wrong.stderr),
        "keepers: no stored solution of toy is used: elsewere has no two-player game: run `keepers two-player solve` \
         with this store first\n"
    );
}

/// A server, which ends with the test.
#[cfg(feature = "serve")]
struct Server(std::process::Child);

#[cfg(feature = "serve")]
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(feature = "serve")]
#[test]
fn the_server_reads_the_stored_solution() {
    use std::io::{BufRead, BufReader, Read, Write};

    let bench = Bench::new(true);
    let mut command = bench.command(&["serve", "--json", "--port", "0", "--no-open"]);
    let mut server = Server(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(['/', '"']).next()).unwrap();
    let post = |path: &str, request: Value| -> Value {
        let body = request.to_string();
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        write!(
            stream,
            "POST /api/v1/{path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).unwrap()
    };
    let cards = serde_json::json!({ "rules": TOY, "to_move": "3=6", "other": "y=15", "roll": "133", "rolls_left": 1 });
    let duel = post("duel", cards);
    let wanted = bench.json(&DUEL);
    assert_eq!(duel["stored"], true);
    assert_eq!((&duel["value"], &duel["choices"]), (&wanted["value"], &wanted["choices"]));
    let against = serde_json::json!({ "rules": TOY, "card": "3=6", "objective": "win", "against": ["y=15"], "roll": "133", "rolls_left": 1 });
    assert_eq!(post("advise", against), bench.json(&ADVISE));
}
