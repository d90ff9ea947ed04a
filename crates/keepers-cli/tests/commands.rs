//! The interfaces that others rely on: JSON shapes, exit codes, standard input and output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

struct Keepers {
    cache: tempfile::TempDir,
}

impl Keepers {
    fn new() -> Keepers {
        Keepers { cache: tempfile::tempdir().expect("a temporary directory") }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.args(args).env("KEEPERS_CACHE", self.cache.path());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program runs")
    }

    fn with_input(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        child.stdin.take().expect("piped").write_all(input).expect("it reads");
        child.wait_with_output().expect("it ends")
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
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

/// The lines on stderr but for progress, which a slow machine may show.
fn notices(output: &Output) -> Vec<String> {
    let progress = |line: &&str| line.contains(" %, about ");
    text(&output.stderr).lines().filter(|line| !progress(line)).map(str::to_string).collect()
}

fn close(value: &Value, wanted: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - wanted).abs() < 1e-8)
}

#[test]
fn value_tells_the_expected_final_total() {
    let keepers = Keepers::new();
    let empty = keepers.json(&["value", "--json"]);
    assert_eq!(empty["card"], "");
    assert!(close(&empty["value"], 254.587728734));
    let finished = "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=0,ch=22";
    let value = keepers.json(&["value", "--json", finished]);
    assert!(close(&value["value"], 195.0), "63 in the upper section earn 35");
}

#[test]
fn value_answers_a_card_a_line_and_bad_lines_in_their_place() {
    let keepers = Keepers::new();
    let output = keepers.with_input(&["value", "-", "--json"], b"1=3\nfh=24\n\n\xff=1\ny=50,1=5,extra=1\r\n");
    assert_eq!(output.status.code(), Some(2));
    let answers: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0]["card"], "1=3");
    assert_eq!(answers[1]["error"], "fh cannot hold 24: it holds 0 or 25");
    assert!(close(&answers[2]["value"], 254.587728734), "an empty line is an empty card");
    assert!(answers[3]["error"].as_str().is_some_and(|error| error.contains("there is no box")));
    assert_eq!(answers[4]["card"], "1=5,y=50,extra=1");
    assert!(text(&output.stderr).contains("line 2: fh cannot hold 24"));
    assert!(text(&output.stderr).contains("line 4: "));
}

#[test]
fn advise_ranks_every_keep_and_every_box() {
    let keepers = Keepers::new();
    let advice = keepers.json(&["advise", "--roll", "22345", "--rolls-left", "2", "--json"]);
    let choices = advice["choices"].as_array().expect("a list");
    assert_eq!(choices.len(), 24, "22345 has 3 x 2 x 2 x 2 keeps");
    assert_eq!(choices[0]["keep"], "2345");
    assert_eq!(choices[0]["loss"], 0.0);
    assert_eq!(choices[0]["value"], advice["value"]);
    assert!(choices.iter().any(|choice| choice["keep"] == "-"));
    let losses: Vec<f64> = choices.iter().map(|choice| choice["loss"].as_f64().expect("a number")).collect();
    assert!(losses.is_sorted());
    for choice in choices {
        let aims = choice["aims"].as_array().expect("a list");
        let sum: f64 = aims.iter().map(|aim| aim["probability"].as_f64().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-12, "a turn ends in some box");
    }

    let advice = keepers.json(&["advise", "--roll", "66611", "--rolls-left", "0", "--json"]);
    let best = &advice["choices"][0];
    assert_eq!((&best["score"], &best["points"]), (&"fh".into(), &25.into()));
    assert_eq!(advice["choices"].as_array().map(Vec::len), Some(13));
}

#[test]
fn a_yahtzee_scored_early_tells_its_bonus_too() {
    let keepers = Keepers::new();
    let page = keepers.run(&["advise", "--card", "6=24,y=50", "--roll", "66666", "--rolls-left", "1"]);
    assert!(
        text(&page.stdout)
            .contains("Stop rolling: score Large Straight for 40 and 100 for the extra Yahtzee.")
    );
}

#[test]
fn a_program_that_waits_for_each_answer_gets_it() {
    use std::io::{BufRead, BufReader};
    let keepers = Keepers::new();
    let mut command = keepers.command(&["value", "--rules", "yacht", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let (mut ask, answer) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let (send, answers) = std::sync::mpsc::channel();
    let mut lines = BufReader::new(answer).lines().map_while(Result::ok);
    std::thread::spawn(move || lines.try_for_each(|line| send.send(line)));
    for card in ["", "1=3", "y=50"] {
        writeln!(ask, "{card}").expect("it listens");
        let answer = answers.recv_timeout(std::time::Duration::from_secs(60)).expect("an answer in time");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["card"], card);
    }
    drop(ask);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn the_value_of_a_turn_is_the_mean_over_its_first_rolls() {
    let keepers = Keepers::new();
    // Two dice of two faces: 11, 12 twice, 22.
    let file = keepers.cache.path().join("toy.toml");
    std::fs::write(&file, toy()).expect("it can be written");
    let rules = file.to_string_lossy();
    let of = |roll| {
        let advice = keepers.json(&["advise", "--rules", &rules, "--roll", roll, "--json"]);
        advice["value"].as_f64().expect("a number")
    };
    let mean = (of("11") + 2.0 * of("12") + of("22")) / 4.0;
    assert!(close(&keepers.json(&["value", "--rules", &rules, "--json"])["value"], mean));
}

fn toy() -> &'static str {
    "dice = 2\nfaces = 2\nrolls = 2\n[[box]]\nid = \"2\"\npattern = \"face\"\nface = 2\n\
     [[box]]\nid = \"p\"\npattern = \"sets\"\nof = [2]\npays = 7\n"
}

#[test]
fn solve_reports_what_it_solved_and_how_fast() {
    let keepers = Keepers::new();
    let answer = keepers.json(&["solve", "--rules", "yacht", "--threads", "1", "--json"]);
    assert_eq!(answer["rules"], "yacht");
    assert_eq!(answer["objective"], "expected");
    assert_eq!(answer["states"], 4096);
    assert_eq!(answer["threads"], 1);
    assert!(answer["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(answer["value"].as_f64().is_some_and(|value| (value - 166.988118).abs() < 1e-6));
}

#[test]
fn rules_show_the_expected_score_once_it_is_known() {
    let keepers = Keepers::new();
    let value_of_yacht = || {
        let list = keepers.json(&["rules", "--json"]);
        let all = list["rules"].as_array().expect("a list").clone();
        assert_eq!(all.len(), 10);
        all.into_iter().find(|rules| rules["name"] == "yacht").expect("it is listed")["value"].clone()
    };
    assert!(value_of_yacht().is_null());
    keepers.json(&["solve", "--rules", "yacht", "--json"]);
    assert!(value_of_yacht().as_f64().is_some_and(|value| (value - 166.988118).abs() < 1e-6));
}

#[test]
fn shown_rules_can_be_edited_and_given_back() {
    let keepers = Keepers::new();
    let shown = text(&keepers.run(&["rules", "show", "yatzy"]).stdout);
    let edited = shown.replace("of = [3, 2]\nsame_face = false", "of = [3, 2]\nsame_face = true");
    assert_ne!(shown, edited);
    let file = keepers.cache.path().join("my.toml");
    std::fs::write(&file, edited).expect("it can be written");
    let value = keepers.json(&["value", "--rules", &file.to_string_lossy(), "--json"]);
    assert!(value["value"].as_f64().is_some_and(|value| (value - 248.4680909).abs() < 1e-6));
}

#[test]
fn every_alias_names_its_rules() {
    let keepers = Keepers::new();
    let list = keepers.json(&["rules", "--json"]);
    for rules in list["rules"].as_array().expect("a list") {
        for alias in rules["aliases"].as_array().expect("a list") {
            let shown = keepers.json(&["rules", "show", alias.as_str().expect("a name"), "--json"]);
            assert_eq!(shown["name"], rules["name"]);
        }
    }
}

#[test]
fn all_problems_of_an_advice_are_told_at_once() {
    let keepers = Keepers::new();
    let message = keepers.refusal(&[
        "advise",
        "--card",
        "fh=24,zz=1",
        "--roll",
        "2234",
        "--rolls-left",
        "7",
        "--objective",
        "luck",
    ]);
    for part in [
        "fh cannot hold 24",
        "no box \"zz\"",
        "4 dice",
        "rolls-left: must be 0 to 2, not 7",
        "objective \"luck\"",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn bad_arguments_get_one_sentence() {
    let keepers = Keepers::new();
    let directory = keepers.cache.path().to_string_lossy().into_owned();
    let cases: &[(&[&str], &str)] = &[
        (&["advise"], "--roll <DICE>"),
        (&["advise", "--roll", "12345", "--rolls-left", "-1"], "rolls-left: must be 0 to 2, not \"-1\""),
        (&["advise", "--roll", "12345", "--rolls-left", "two"], "rolls-left: must be 0 to 2, not \"two\""),
        (&["advise", "--roll", ""], "digit from 1 to 6"),
        (&["advise", "--roll", "123456"], "has 6 dice, but this game rolls 5"),
        (&["advise", "--roll", "12345", "--rules", "maxi-yatzy"], "has 5 dice, but this game rolls 6"),
        (&["value", "--rules", "nope"], "unknown rules \"nope\""),
        (&["value", "--rules", "no/such.toml"], "cannot read the rules file no/such.toml: "),
        (&["value", "--rules", &directory], "cannot read the rules file "),
        (&["value", "1=3", "2=4"], "unexpected argument '2=4'"),
        (&["solve", "--objective", "luck"], "objective: must be expected or reach, not \"luck\""),
        (&["solve", "--threads", "0"], "must be a whole number from 1 to 1024; see keepers solve --help"),
        (&["value", "--bogus"], "unexpected argument '--bogus'"),
        (&["reach", "--rules", "yacht", "--csv", "--json"], "cannot be used with"),
        (&["reach", "--rules", "maxi-yatzy"], "GiB of memory"),
        (&["nonsense"], "unrecognized subcommand 'nonsense'"),
        (&["completions", "cmd"], "invalid value 'cmd'"),
        (&["man", "--dir", "/dev/null/pages"], "dir: cannot write to /dev/null/pages: "),
        (
            &[
                "advise",
                "--roll",
                "12345",
                "--card",
                "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=0,ch=22",
            ],
            "every box is filled",
        ),
    ];
    for (args, wanted) in cases {
        let message = keepers.refusal(args);
        assert!(message.contains(wanted), "{args:?}: {message}");
    }
}

#[test]
fn a_rules_file_with_errors_names_the_lines() {
    let keepers = Keepers::new();
    let file = keepers.cache.path().join("bad.toml");
    std::fs::write(&file, toy().replace("dice = 2", "dice = 12").replace("\"sets\"", "\"pair\""))
        .expect("written");
    let message = keepers.refusal(&["value", "--rules", &file.to_string_lossy()]);
    assert!(message.contains("line 1: dice must be a whole number from 2 to 6, not 12"), "{message}");
    assert!(message.contains("line 10: pattern must be face, sets, straight or chance"), "{message}");
}

#[test]
fn a_damaged_table_is_rebuilt_with_one_notice() {
    let keepers = Keepers::new();
    let right = keepers.json(&["value", "--rules", "yacht", "--json"]);
    let path = only_table(keepers.cache.path());
    let mut bytes = std::fs::read(&path).expect("it is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("it can be written");

    let output = keepers.run(&["value", "--rules", "yacht", "--json"]);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), right);
    let told = notices(&output);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("keepers: solving again: "), "{told:?}");
    let again = keepers.run(&["value", "--rules", "yacht", "--json"]);
    assert_eq!(notices(&again), [] as [String; 0], "it is whole again");
}

#[test]
fn damaged_reach_curves_are_rebuilt_with_one_notice() {
    let keepers = Keepers::new();
    let ask = ["advise", "--rules", "yacht", "--objective", "reach:150", "--roll", "12345", "--json"];
    let right = keepers.json(&ask);
    let files = std::fs::read_dir(keepers.cache.path()).expect("it is there");
    let path =
        files.map(|file| file.expect("a file").path()).find(|path| path.to_string_lossy().contains("reach"));
    let path = path.expect("the curves were kept");
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("it can be written");
    let output = keepers.run(&ask);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), right);
    let told = notices(&output);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("keepers: solving again: "), "{told:?}");
}

#[test]
fn without_a_place_for_tables_everything_works_in_memory() {
    let keepers = Keepers::new();
    let file = keepers.cache.path().join("file");
    std::fs::write(&file, "not a directory").expect("it can be written");
    let output = keepers
        .command(&["value", "--rules", "yacht", "--json"])
        .env("KEEPERS_CACHE", file.join("below"))
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("the table is not kept"), "{}", text(&output.stderr));
    let listed = keepers.command(&["cache"]).env("KEEPERS_CACHE", &file).output().expect("it runs");
    assert!(text(&listed.stdout).starts_with("no tables in "), "{}", text(&listed.stdout));
    let silent = keepers.run(&["value", "--rules", "yacht", "--json", "--no-cache"]);
    assert_eq!(silent.stdout, output.stdout);
    assert_eq!(notices(&silent), [] as [String; 0]);
    assert!(std::fs::read_dir(keepers.cache.path()).expect("it is there").count() == 1, "nothing was kept");
}

#[test]
fn many_processes_may_solve_at_the_same_moment() {
    let keepers = Keepers::new();
    let start = || {
        let mut command = keepers.command(&["value", "--rules", "classic", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs")
    };
    let children: Vec<_> = (0..6).map(|_| start()).collect();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(notices(&output), [] as [String; 0]);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(close(&answer["value"], 245.870774514));
    }
    only_table(keepers.cache.path());
}

/// The one file in the directory: a table, and nothing left over.
fn only_table(directory: &Path) -> std::path::PathBuf {
    let files: Vec<_> =
        std::fs::read_dir(directory).expect("it is there").map(|f| f.expect("a file").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(files[0].extension().and_then(|ending| ending.to_str()), Some("keepers"));
    files[0].clone()
}

#[test]
fn cache_shows_checks_and_clears() {
    let keepers = Keepers::new();
    assert!(text(&keepers.run(&["cache"]).stdout).contains("no tables in"));
    keepers.json(&["solve", "--rules", "yacht", "--json"]);
    let list = keepers.json(&["cache", "--json"]);
    assert_eq!(list["tables"][0]["rules"], "yacht");
    assert!(list["tables"][0]["problem"].is_null());
    let path = only_table(keepers.cache.path());
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("it can be written");
    let list = keepers.json(&["cache", "--json"]);
    assert!(
        list["tables"][0]["problem"].as_str().is_some_and(|problem| problem.contains("bytes instead of"))
    );
    let cleared = keepers.json(&["cache", "clear", "--json"]);
    assert_eq!(cleared["bytes"].as_u64(), Some(bytes.len() as u64 - 1));
    assert_eq!(std::fs::read_dir(keepers.cache.path()).expect("it is there").count(), 0);
    assert_eq!(text(&keepers.run(&["cache", "path"]).stdout).trim(), keepers.cache.path().to_string_lossy());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let keepers = Keepers::new();
    let mut command = keepers.command(&["rules", "show", "maxi-yatzy"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn reach_tells_the_best_chance_of_every_score() {
    let keepers = Keepers::new();
    let answer = keepers.json(&["reach", "--rules", "yacht", "--json"]);
    let reach: Vec<f64> =
        answer["reach"].as_array().expect("a list").iter().map(|p| p.as_f64().expect("a number")).collect();
    assert_eq!(reach.len(), 300);
    assert_eq!(reach[0], 1.0);
    assert!(reach.is_sorted_by(|a, b| a >= b) && reach[299] > 0.0);
    let precise = keepers.json(&["reach", "--rules", "yacht", "--json", "--precise"]);
    assert!((precise["reach"][200].as_f64().expect("a number") - reach[200]).abs() < 2e-6);
    let csv = text(&keepers.run(&["reach", "--rules", "yacht", "--csv"]).stdout);
    assert_eq!(csv.lines().count(), 301);
    assert_eq!(csv.lines().next(), Some("score,probability"));

    let advice = keepers.json(&[
        "advise",
        "--rules",
        "yacht",
        "--roll",
        "11345",
        "--objective",
        "reach:200",
        "--json",
    ]);
    let value = advice["value"].as_f64().expect("a number");
    assert!(0.1 < value && value < reach[200], "an ordinary roll is worse than none");
    let message =
        keepers.refusal(&["advise", "--rules", "yacht", "--roll", "11345", "--objective", "reach:300"]);
    assert!(message.contains("300 is out of reach: at most 299"), "{message}");
}

#[test]
fn distributions_of_all_strategies_are_exact() {
    let keepers = Keepers::new();
    let of = |strategy: &str| {
        keepers.json(&["distribution", "--rules", "yacht", "--strategy", strategy, "--json"])
    };
    let at_least = |answer: &Value, score: usize| -> f64 {
        let list = answer["probability"].as_array().expect("a list");
        list.iter().skip(score).map(|p| p.as_f64().expect("a number")).sum()
    };
    let expected = of("expected");
    assert!(expected["mean"].as_f64().is_some_and(|mean| (mean - 166.988118).abs() < 1e-6));
    assert_eq!(expected["percentiles"]["50"], 167);
    let target = of("reach:200");
    let reach = keepers.json(&["reach", "--rules", "yacht", "--json", "--precise"]);
    assert!((at_least(&target, 200) - reach["reach"][200].as_f64().expect("a number")).abs() < 1e-9);
    let file = keepers.cache.path().join("worth.csv");
    std::fs::write(&file, "step\n0,0\n200,1\n").expect("it can be written");
    let utility = of(&format!("utility:{}", file.display()));
    assert!((at_least(&utility, 200) - at_least(&target, 200)).abs() < 1e-12);
    std::fs::write(&file, "200,0\n100,1\n").expect("it can be written");
    let strategy = format!("utility:{}", file.display());
    let message = keepers.refusal(&["distribution", "--rules", "yacht", "--strategy", &strategy]);
    assert!(message.contains("line 2: 100 is not higher than the score before it"), "{message}");
    for (strategy, wanted) in [
        ("luck", "there is no objective"),
        ("reach:301", "out of reach"),
        ("tournament:0", "N from 1 to 1000000000"),
        ("reach:many", "S from 0 to 65535"),
    ] {
        let message = keepers.refusal(&["distribution", "--rules", "yacht", "--strategy", strategy]);
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn tournaments_tell_the_advantage_of_playing_to_win() {
    let keepers = Keepers::new();
    let answer = keepers.json(&["tournament", "--rules", "yacht", "--opponents", "1,100", "--json"]);
    let sizes = answer["sizes"].as_array().expect("a list");
    assert_eq!(sizes.len(), 2);
    for size in sizes {
        let number = |key: &str| size[key].as_f64().expect("a number");
        assert!(number("win") > number("win_if_expected"));
        assert!((number("win") / number("win_if_expected") - 1.0 - number("advantage")).abs() < 1e-12);
        assert!(number("mean") < 166.99 && number("sd") > 30.0);
    }
    // All that differs is the field: observed scores of 100 are easier to beat.
    let file = keepers.cache.path().join("scores");
    std::fs::write(&file, "# seen\n100\n100\n").expect("it can be written");
    let against = |args: &[&str]| {
        let all = [&["tournament", "--rules", "yacht", "--opponents", "1", "--json"], args].concat();
        keepers.json(&all)["sizes"][0]["win"].as_f64().expect("a number")
    };
    let reach = keepers.json(&["reach", "--rules", "yacht", "--json", "--precise"]);
    let observed = against(&["--opponent-scores", &file.to_string_lossy()]);
    assert!((observed - reach["reach"][101].as_f64().expect("a number")).abs() < 1e-9);
    let (expected, target) = (against(&[]), against(&["--opponent", "reach:200"]));
    let mixed = against(&["--opponent", "expected:0.7,reach:200:0.3"]);
    assert!(expected < mixed && mixed < target, "{expected}, {mixed}, {target}");
    for (opponent, wanted) in [
        ("expected:0.7,reach:200:0.2", "add up to 0.89"),
        ("expected,expected", "add up to 2"),
        ("luck", "there is no objective \"luck\""),
        ("reach:300", "300 is out of reach"),
    ] {
        let message = keepers.refusal(&["tournament", "--rules", "yacht", "--opponent", opponent]);
        assert!(message.contains(wanted), "{message}");
    }
    std::fs::write(&file, "100\nmany\n").expect("it can be written");
    let message =
        keepers.refusal(&["tournament", "--rules", "yacht", "--opponent-scores", &file.to_string_lossy()]);
    assert!(message.contains("line 2: \"many\" is not a score"), "{message}");
    for opponents in ["0", "-3", "ten", "", "1,,2"] {
        let message = keepers.refusal(&["tournament", "--rules", "yacht", "--opponents", opponents]);
        assert!(message.contains("whole numbers from 1 to 1000000000"), "{message}");
    }
}

#[test]
fn several_strategies_are_summed_up_in_one_table() {
    let keepers = Keepers::new();
    let several = "expected,reach:140..180:20,tournament:10";
    let card = "1=3,6=18,fh=24,ch=22,4=12,5=15,ls=30,y=0";
    let of =
        |strategy, form| ["distribution", "--rules", "yacht", "--card", card, "--strategy", strategy, form];
    let answer = keepers.json(&of(several, "--json"));
    let strategies = answer["strategies"].as_array().expect("a list");
    let names = ["expected", "reach:140", "reach:160", "reach:180", "tournament:10"];
    assert_eq!(strategies.iter().map(|of| of["strategy"].clone()).collect::<Vec<_>>(), names);
    let number = |value: &Value| value.as_f64().expect("a number");
    let numbers = |value: &Value| value.as_array().expect("a list").iter().map(number).collect::<Vec<f64>>();
    for (name, summary) in names.iter().zip(strategies) {
        // One strategy alone says the same, and more.
        let alone = keepers.json(&of(name, "--json"));
        assert_eq!(summary["percentiles"], alone["percentiles"], "{name}");
        assert!(close(&summary["mean"], number(&alone["mean"])), "{name}");
        assert!(close(&summary["sd"], number(&alone["sd"])), "{name}");
        let probability = numbers(&summary["probability"]);
        for (ours, wanted) in probability.iter().zip(numbers(&alone["probability"])) {
            assert!((ours - wanted).abs() < 1e-12, "{name}");
        }
        if let Some(target) = name.strip_prefix("reach:").map(|target| target.parse().expect("a number")) {
            let reached: f64 = probability.iter().skip(target).sum();
            assert!((reached - number(&summary["value"])).abs() < 1e-12, "{name}: {reached}");
        }
    }
    // The value comes from the table, the mean from the distribution.
    assert!((number(&strategies[0]["value"]) - number(&strategies[0]["mean"])).abs() < 1e-10);

    let csv = text(&keepers.run(&of(several, "--csv")).stdout);
    let heading = "strategy,mean,sd,value,p1,p5,p10,p25,p50,p75,p90,p95,p99\nexpected,155.559";
    assert!(csv.starts_with(heading), "{csv}");
    assert_eq!(csv.lines().count(), 6);
    let page = text(&keepers.run(&of(several, "--quiet")).stdout);
    assert!(page.lines().any(|line| line.trim_start().starts_with("reach:160")), "{page}");

    for (strategy, wanted) in [
        ("reach:100..50:10", "\"reach:100..50:10\" is not a range"),
        ("reach:0..100:0", "is not a range"),
        ("reach:0..1000", "at most 1000 numbers"),
        ("expected,luck,reach:x", "there is no objective \"luck\""),
        ("expected,luck,reach:x", "strategy: \"x\" is not a score to reach"),
        ("reach:200..400:100", "strategy: 300 is out of reach: at most 203 can be reached from this card"),
        ("reach:200..400:100", "strategy: 400 is out of reach"),
        ("", "there is no objective \"\""),
    ] {
        let message = keepers.refusal(&of(strategy, "--json"));
        assert!(message.contains(wanted), "{message}");
    }
    let message = keepers.refusal(&[&of("expected,reach:150", "--json")[..], &["--judge", "yacht"]].concat());
    assert!(message.contains("judge: "), "{message}");
}

#[test]
fn states_are_counted_for_one_player_and_for_two() {
    let keepers = Keepers::new();
    let one = keepers.json(&["states", "--json"]);
    assert_eq!(one, keepers.json(&["states", "--players", "1", "--json"]));
    assert_eq!(one["states"], 310_656);
    let two = keepers.json(&["states", "--rules", "yahtzee-used-joker", "--players", "2", "--json"]);
    assert_eq!(two["states"], 12_671_976_997_282_u64);
    assert_eq!(two["bytes"], 8 * 12_671_976_997_282_u64);
    for key in ["pairs", "turns", "seconds_a_turn", "core_days"] {
        assert!(two[key].as_f64().is_some_and(|number| number > 0.0), "{key}");
    }
    for players in ["0", "3", "-1", "two", ""] {
        let message = keepers.refusal(&["states", "--players", players]);
        let wanted = format!("players: must be 1 or 2, not \"{players}\"");
        assert!(message.contains(&wanted), "{message}");
    }
    let message = keepers.refusal(&["states", "--players", "3", "--rules", "nothing"]);
    assert!(message.contains("unknown rules \"nothing\"") && message.contains("must be 1 or 2"), "{message}");
}

#[test]
fn completions_and_manual_come_from_the_same_definition() {
    let keepers = Keepers::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&keepers.run(&["completions", shell]).stdout);
        assert!(script.contains("rolls-left"), "{shell}");
    }
    assert!(text(&keepers.run(&["man"]).stdout).starts_with(".ie"));
    let directory = keepers.cache.path().join("man");
    let output = keepers.run(&["man", "--dir", &directory.to_string_lossy()]);
    assert!(output.status.success());
    assert!(directory.join("keepers-advise.1").exists());
}

/// Two cards of Yahtzee with two open boxes each.
const DUEL: [&str; 4] = [
    "--to-move",
    "1=3,2=6,3=9,4=12,5=15,3k=20,4k=0,fh=25,ss=30,y=50,ch=22",
    "--other",
    "1=3,2=6,3=9,4=12,5=15,6=18,3k=24,4k=16,ss=30,ls=0,y=0",
];

#[test]
fn a_duel_tells_the_exact_result_and_ranks_every_choice() {
    let keepers = Keepers::new();
    let duel = |more: &[&str]| keepers.json(&[&["duel", "--json"], &DUEL[..], more].concat());
    let before = duel(&[]);
    let value = before["value"].as_f64().expect("a number");
    assert!(0.0 < value && value < 1.0);
    assert_eq!(before["exact"], true);
    assert!(before["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
    assert!(before.get("choices").is_none() && before.get("before_roll").is_none());

    let first = duel(&["--roll", "22345"]);
    assert_eq!(first["before_roll"], before["value"]);
    assert_eq!(first["value"], first["choices"][0]["value"]);
    assert_eq!(first["choices"].as_array().map(Vec::len), Some(24), "every keep of 22345");
    assert_eq!(first["choices"][0]["keep"], "2345");
    let last = duel(&["--roll", "23456", "--rolls-left", "0"]);
    assert_eq!(last["choices"][0]["score"], "ls");
    assert_eq!(last["choices"][0]["loss"], 0.0);
    assert!(last["choices"][1]["loss"].as_f64().is_some_and(|loss| loss > 0.0));

    let page = text(&keepers.run(&[&["duel", "--roll", "22345"], &DUEL[..]].concat()).stdout);
    assert!(page.contains("Keep 2 3 4 5, roll 1 die.") && page.contains("14 more: use --all"), "{page}");
    let page = text(&keepers.run(&[&["duel"], &DUEL[..]].concat()).stdout);
    assert!(page.starts_with("192 points and 2 open boxes against "), "{page}");
}

#[test]
fn duels_that_cannot_be_are_refused_with_all_reasons() {
    let keepers = Keepers::new();
    let message = keepers.refusal(&[
        "duel",
        "--to-move",
        "fh=24",
        "--other",
        "zz=1",
        "--roll",
        "127",
        "--rolls-left",
        "3",
    ]);
    for wanted in ["to-move: fh cannot hold 24", "other: there is no box \"zz\"", "roll: ", "rolls-left: "] {
        assert!(message.contains(wanted), "{message}");
    }
    let message = keepers.refusal(&["duel", "--to-move", "ch=20", "--other", ""]);
    assert!(message.contains("to-move: the player to move has 12 open boxes and the other 13"), "{message}");
    let message = keepers.refusal(&["duel", "--to-move", "", "--other", ""]);
    assert!(message.contains("keepers: memory: the duel needs "), "{message}");
    assert!(message.contains(" but the limit is 8.0 GiB; raise it with --memory GIB"), "{message}");
    let message = keepers.refusal(&["duel", "--rules", "maxi-yatzy", "--to-move", "", "--other", ""]);
    assert!(message.contains("20 open boxes on a card are too many for a duel"), "{message}");
    let full = "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,ls=0,y=0,ch=22";
    let message = keepers.refusal(&["duel", "--to-move", full, "--other", full, "--roll", "22345"]);
    assert!(message.contains("to-move: every box is filled"), "{message}");
    let answer = keepers.json(&["duel", "--to-move", full, "--other", full, "--json"]);
    assert_eq!(answer["value"], 0.5);
    let message = keepers.refusal(&["duel", "--to-move", "", "--other", "", "--rolls-left", "1"]);
    assert!(message.contains("--roll"), "{message}");
}
