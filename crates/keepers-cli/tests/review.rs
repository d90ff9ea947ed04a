//! `keepers review`: reports, tables, exports, and what is refused.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A turn that is played badly, one that is played well, and a few rolls more.
const SOLO: &str = "\
rules: yacht
players: Ann
place: home, by the fire

33566 3366
33366 fh=21

12346 1234
12345 ls=30

55512 555
55542 -
12346";

const DUEL: &str = "\
rules: yacht
players: Ann, Bob

Ann: 66612 666
     66654 666
     66653 6=18
Bob: 66612 12
     12366 fh=0
Ann: 11111 y
Bob: 23456 bs
";

struct Keepers {
    folder: tempfile::TempDir,
}

impl Keepers {
    fn new() -> Keepers {
        Keepers { folder: tempfile::tempdir().expect("a temporary directory") }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.arg("review").args(args);
        command.env("KEEPERS_CACHE", self.path("cache")).env("KEEPERS_QUIET", "1");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program runs")
    }

    fn text(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.text(&[args, &["--json"]].concat())).expect("JSON")
    }

    /// The one sentence on stderr.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{args:?} prints {}", text(&output.stdout));
        let message = text(&output.stderr);
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        message.trim_end().to_string()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

#[test]
fn a_record_is_judged_roll_by_roll() {
    let keepers = Keepers::new();
    let file = keepers.file("solo.game", SOLO);
    let answer = keepers.json(&[&file]);
    assert_eq!((&answer["rules"], &answer["objective"]), (&"yacht".into(), &"expected".into()));
    assert_eq!(answer["tags"][0], serde_json::json!(["place", "home, by the fire"]));
    let ann = &answer["players"][0];
    assert_eq!((&ann["name"], &ann["finished"], &ann["score"]), (&"Ann".into(), &false.into(), &51.into()));
    assert_eq!(ann["card"], "fh=21,ls=30");
    let ledger = number(&ann["start"]) + number(&ann["luck"]) + number(&ann["others"]) - number(&ann["loss"]);
    assert!((ledger - number(&ann["end"])).abs() < 1e-9);
    assert!((number(&ann["start"]) - 166.988118).abs() < 1e-6);

    let turns = list(&ann["turns"]);
    let shape: Vec<Vec<usize>> = turns
        .iter()
        .map(|turn| list(&turn["rolls"]).iter().map(|roll| list(&roll["decisions"]).len()).collect())
        .collect();
    assert_eq!(shape, [vec![1, 2], vec![1, 2], vec![1, 1, 0]], "two decisions when a turn ends early");
    assert_eq!(turns[1]["card"], "fh=21");
    let worst = &turns[2]["rolls"][1]["decisions"][0];
    assert_eq!((&worst["keep"], &worst["best"]["keep"]), (&"-".into(), &"555".into()));
    assert!(number(&worst["loss"]) > 5.0 && number(&worst["rank"]) > 1.0);
    let last = &turns[1]["rolls"][1]["decisions"][1];
    assert_eq!((&last["score"], &last["points"], &last["loss"]), (&"ls".into(), &30.into(), &0.0.into()));
    assert_eq!(number(&ann["decisions"]), 8.0);
    assert!((number(&ann["error"]) - number(&ann["loss"]) / 8.0).abs() < 1e-12);

    let report = keepers.text(&[&file]);
    for part in
        ["Ann: yacht, playing for the best expected score", "place: home", "keep nothing", "value so far"]
    {
        assert!(report.contains(part), "{part} is not in\n{report}");
    }
    assert!(!report.contains('\u{1b}'), "no colours into a pipe");
    assert!(keepers.text(&[&file, "--worst", "0"]).len() < report.len());
}

#[test]
fn csv_has_a_line_a_decision_and_the_ledger_in_it() {
    let keepers = Keepers::new();
    let (solo, duel) = (keepers.file("a, b.game", SOLO), keepers.file("duel.game", DUEL));
    let csv = keepers.text(&[&solo, "--csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(
        rows[0],
        "file,player,turn,number,dice,rolls_left,luck,choice,value,best,loss,rank,choices,open_boxes,exact"
    );
    assert_eq!(rows.len(), 1 + 8 + 1, "eight decisions, and a roll that stands alone");
    assert!(rows[1..].iter().all(|row| row.starts_with('"') && row.contains("a, b.game\",Ann,")));
    let column = |at: usize| -> f64 {
        let field = |row: &&str| {
            row.split("\",").nth(1).and_then(|rest| rest.split(',').nth(at)?.parse::<f64>().ok())
        };
        rows[1..].iter().filter_map(field).sum()
    };
    let ann = &keepers.json(&[&solo])["players"][0];
    assert!(
        (column(5) - number(&ann["luck"])).abs() < 1e-9 && (column(9) - number(&ann["loss"])).abs() < 1e-9
    );
    let both = keepers.text(&[&solo, &duel, "--csv", "--player", "Bob"]);
    assert_eq!(both.lines().count(), 1 + 2 + 1 + 1 + 1, "{both}");
}

#[test]
fn players_are_judged_apart_and_compared_in_a_table() {
    let keepers = Keepers::new();
    keepers.file("games/solo.game", SOLO);
    keepers.file("games/duel.game", DUEL);
    keepers.file("games/notes.txt", "no record");
    let folder = keepers.path("games").to_string_lossy().into_owned();
    let table = keepers.text(&[&folder]);
    let row = |name: &str| {
        let rows: Vec<&str> = table.lines().filter(|line| line.contains(&format!(" {name} "))).collect();
        rows.first()
            .unwrap_or_else(|| panic!("{name} is not in\n{table}"))
            .split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("Ann")[..4], ["yacht", "Ann", "2", "-"]);
    assert_eq!(row("Bob")[..4], ["yacht", "Bob", "1", "-"]);
    assert_eq!(row("Bob").last().map(String::as_str), Some("beginner"));
    assert!(table.contains("duel.game") && table.find(" Ann ") < table.find(" Bob "), "{table}");
    let alone = keepers.text(&[&folder, "--player", "Bob"]);
    assert!(!alone.contains(" Ann "), "{alone}");

    let output = keepers.text(&[&folder, "--json"]);
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 2, "an object a record, by name");
    let names =
        |answer: &Value| list(&answer["players"]).iter().map(|p| p["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&answers[0]), ["Ann", "Bob"]);
    assert_eq!(names(&answers[1]), ["Ann"]);
}

#[test]
fn other_objectives_judge_by_what_they_count() {
    let keepers = Keepers::new();
    let file = keepers.file("duel.game", DUEL);
    let worth = keepers.file("worth.csv", "step\n0,0\n200,1\n");
    let of = |objective: &str| keepers.json(&[&file, "--objective", objective])["players"][1].clone();
    let (reach, utility, field) = (of("reach:200"), of(&format!("utility:{worth}")), of("tournament:10"));
    for player in [&reach, &utility, &field] {
        let ledger = number(&player["start"]) + number(&player["luck"]) - number(&player["loss"]);
        assert!((ledger - number(&player["end"])).abs() < 1e-9);
        assert!(number(&player["loss"]) > 0.0);
    }
    // The table of all targets is kept in single precision.
    assert!((number(&reach["loss"]) - number(&utility["loss"])).abs() < 1e-5);
    assert!(utility["grade"].is_null() && reach["grade"].is_string() && field["grade"].is_string());
    let report = keepers.text(&[&file, "--objective", "reach:200", "--player", "Bob"]);
    assert!(report.contains("playing for at least 200") && report.contains(" %"), "{report}");
    assert!(keepers.refusal(&[&file, "--objective", "reach:300"]).contains("out of reach"));
    assert!(keepers.refusal(&[&file, "--objective", "luck"]).contains("there is no objective \"luck\""));
}

#[test]
fn damaged_records_are_refused_with_line_and_reason() {
    let keepers = Keepers::new();
    let good = keepers.file("games/good.game", SOLO);
    let bad = keepers.file("games/bad.game", "rules: yacht\n\n22345 66\n2234 22\n11111 zz");
    let message = keepers.refusal(&[&bad]);
    for part in [
        "bad.game: line 3: 66 cannot be kept: 22345 does not contain it",
        "line 4: \"2234\" has 4 dice",
        "line 5: there is no box",
    ] {
        assert!(message.contains(part), "{message}");
    }
    // Among others it is refused, and the others are reviewed.
    let folder = keepers.path("games").to_string_lossy().into_owned();
    let output = keepers.run(&[&folder]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains(" Ann "));
    assert!(
        text(&output.stderr).contains("bad.game: line 3")
            && text(&output.stderr).contains("1 record was refused")
    );
    let output = keepers.run(&[&folder, "--json"]);
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 2);
    assert!(answers[0]["error"].as_str().is_some_and(|error| error.contains("line 3")));
    assert_eq!(answers[1]["players"][0]["name"], "Ann");

    std::fs::create_dir(keepers.path("empty")).expect("made");
    let empty = keepers.path("empty").to_string_lossy().into_owned();
    let nowhere = keepers.path("nowhere.game").to_string_lossy().into_owned();
    let bytes = keepers.path("bytes.game");
    std::fs::write(&bytes, b"22345 \xff\xfe\n").expect("written");
    let strange = keepers.file("strange.game", "rules: nope\n\n22345 22");
    let cases: &[(&[&str], &str)] = &[
        (&[], "required arguments were not provided"),
        (&[&nowhere], "cannot be read"),
        (&[&empty], "no records in"),
        (&[&bytes.to_string_lossy()], "line 1: "),
        (&[&strange], "unknown rules \"nope\""),
        (&[&good, "--player", "Zoe"], "\"Zoe\" is not in this record: its players are Ann"),
        (&[&good, "--rules", "maxi-yatzy"], "line 5: \"33566\" has 5 dice, but this game rolls 6"),
        (&[&good, "--json", "--csv"], "cannot be used with"),
        (&[&good, "--worst", "few"], "--worst"),
    ];
    for (args, wanted) in cases {
        let message = keepers.refusal(args);
        assert!(message.contains(wanted), "{args:?}: {message}");
    }
}

#[test]
fn rules_come_from_the_record_a_file_beside_it_or_the_command_line() {
    let keepers = Keepers::new();
    let yacht = Command::new(env!("CARGO_BIN_EXE_keepers"))
        .args(["rules", "show", "yacht"])
        .output()
        .expect("it runs");
    let ours = text(&yacht.stdout).replace("name = \"yacht\"", "name = \"ours\"");
    keepers.file("deep/ours.toml", &ours);
    let file = keepers.file("deep/solo.game", &SOLO.replace("rules: yacht", "rules: ours.toml"));
    assert_eq!(keepers.json(&[&file])["rules"], "ours");
    assert_eq!(keepers.json(&[&file, "--rules", "yacht"])["rules"], "yacht");

    let mut command = keepers.command(&["-", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("piped").write_all(SOLO.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&answer["file"], &answer["rules"]), (&"-".into(), &"yacht".into()));
    assert!(Path::new(&file).exists());
}

#[test]
fn why_explains_the_worst_decisions() {
    let keepers = Keepers::new();
    let file = keepers.file("solo.game", SOLO);
    let page = keepers.text(&[&file, "--why"]);
    let (_, why) =
        page.split_once("Turn 1, roll 1:\nKeeping 3 3 6 6 instead of ").expect("the worst decision");
    let sentence = why.lines().next().expect("a sentence");
    assert!(sentence.contains(" points on average") && sentence.ends_with('.'), "{sentence}");
    assert!(!keepers.text(&[&file]).contains("instead of"));
    // The numbers behind the sentences.
    let answer = keepers.json(&[&file, "--why"]);
    let decision = &answer["players"][0]["turns"][0]["rolls"][0]["decisions"][0];
    let reason = &decision["reasons"][0];
    assert_eq!((reason["kind"].as_str(), reason["chosen"].as_bool()), (Some("costs"), Some(true)));
    assert_eq!(reason["loss"], decision["loss"]);
    assert_eq!(reason["choice"]["keep"], "3366");
    // Decisions without a loss have no reasons.
    let decisions = answer["players"][0]["turns"].as_array().expect("turns").iter().flat_map(|turn| {
        turn["rolls"]
            .as_array()
            .expect("rolls")
            .iter()
            .flat_map(|roll| roll["decisions"].as_array().expect("decisions"))
    });
    for decision in decisions {
        assert_eq!(decision.get("reasons").is_some(), decision["loss"].as_f64() > Some(0.0), "{decision}");
    }
    // In a folder, the player and the file are named.
    let folder = keepers.path("").to_string_lossy().into_owned();
    assert!(keepers.text(&[&folder, "--why"]).contains(&format!("Ann, turn 1, roll 1 of {file}:\nKeeping")));
}

const COINS: &str = "\
dice = 2
faces = 2
rolls = 1
[[box]]
id = \"1\"
pattern = \"face\"
face = 1
[[box]]
id = \"c\"
pattern = \"chance\"
";

#[test]
fn a_folder_shows_who_is_better() {
    let keepers = Keepers::new();
    keepers.file("games/coins.toml", COINS);
    let game = |[a, b, c, d]: [&str; 4]| {
        format!("rules: coins.toml\nplayers: Ann, Bob\n\nAnn: {a}\nBob: {b}\nAnn: {c}\nBob: {d}\n")
    };
    // Ann always takes the best box. Bob wastes two ones in the sum, except in the last game.
    keepers.file("games/a.game", &game(["22 c=4", "11 c=2", "11 1=2", "12 1=1"]));
    keepers.file("games/b.game", &game(["11 1=2", "11 c=2", "22 c=4", "22 1=0"]));
    keepers.file("games/c.game", &game(["22 c=4", "11 1=2", "22 1=0", "22 c=4"]));
    let folder = keepers.path("games").to_string_lossy().into_owned();
    let page = keepers.text(&[&folder]);
    for expected in [
        "Ann and Bob\n",
        // The scores are 6, 6, 4 and 3, 2, 6: differences of 3, 4 and -2.
        "by score: Ann leads by 1.7 points per game, which may be coincidence (95 % interval -6.3 to +9.7); about ",
        "together: Ann won 2 of 3 games, Bob 1, 0 drawn",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let mut compare = Command::new(env!("CARGO_BIN_EXE_keepers"));
    compare.args(["compare", &folder]).env("KEEPERS_CACHE", keepers.path("cache")).env("KEEPERS_QUIET", "1");
    let output = compare.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    for expected in ["Ann and Bob\n", "by loss: ", "box", "expected"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}
