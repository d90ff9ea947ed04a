//! Commands for bots and for training, and what `--json` prints: the answers of the service, to the last byte.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("KEEPERS_CACHE", self.0.path().join("cache")).env("KEEPERS_QUIET", "1");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn page(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.page(&[args, &["--json"]].concat())).unwrap()
    }

    fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    }

    /// The answers to lines of `ask`, and the exit code.
    fn ask(&self, lines: &str) -> (Vec<String>, Option<i32>) {
        let mut command = self.command(&["ask"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (text(&output.stdout).lines().map(str::to_string).collect(), output.status.code())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn json_is_the_answer_of_the_service_to_the_last_byte() {
    let bench = Bench::new();
    let card = "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0";
    let cases: &[(&[&str], &str, Value)] = &[
        (&["value", "--rules", "yacht", "1=3"], "value", json!({"rules": "yacht", "card": "1=3"})),
        (
            &["advise", "--rules", "yacht", "--roll", "33566", "--objective", "reach:160", "--card", card],
            "advise",
            json!({"rules": "yacht", "roll": "33566", "objective": "reach:160", "card": card}),
        ),
        (
            &["outlook", "--rules", "yacht", "--card", card, "--roll", "33566", "--choices", "66,ch"],
            "outlook",
            json!({"rules": "yacht", "card": card, "roll": "33566", "choices": [{"keep": "66"}, {"score": "ch"}]}),
        ),
        (
            &["card", "--rules", "yacht", card, "--roll", "33366"],
            "card",
            json!({"rules": "yacht", "card": card, "roll": "33366"}),
        ),
        (
            &["reach", "--rules", "yacht", "--card", card, "--roll", "33566", "--rolls-left", "1"],
            "reach",
            json!({"rules": "yacht", "card": card, "roll": "33566", "rolls_left": 1}),
        ),
        (
            &["distribution", "--rules", "yacht", "--card", card, "--strategy", "reach:150..160:10"],
            "distribution",
            json!({"rules": "yacht", "card": card, "strategy": "reach:150..160:10"}),
        ),
        (
            &["match", "--rules", "yacht", "--players", "greedy, expected", "--games", "10", "--seed", "3"],
            "match",
            json!({"rules": "yacht", "players": ["greedy", "expected"], "games": 10, "seed": 3}),
        ),
        (&["states", "--rules", "yacht"], "states", json!({"rules": "yacht"})),
        (&["players"], "players", json!({})),
        (&["rules"], "rules-list", json!({})),
        (&["rules", "show", "yacht"], "rules", json!({"rules": "yacht"})),
        (
            &["puzzle", "--rules", "yacht", "--seed", "9", "--difficulty", "hard"],
            "puzzle",
            json!({"rules": "yacht", "seed": 9, "difficulty": "hard"}),
        ),
        (
            &["roll", "--seed", "7", "--turn", "2", "--stream", "1"],
            "roll",
            json!({"seed": 7, "turn": 2, "stream": 1}),
        ),
        (
            &[
                "choose", "--rules", "yacht", "--player", "emp:0", "--cards", "1=2", "--cards", "1=3",
                "--roll", "33566",
            ],
            "choose",
            json!({"rules": "yacht", "player": "emp:0", "cards": ["1=2", "1=3"], "roll": "33566", "seed": 1}),
        ),
    ];
    let lines: Vec<String> =
        cases.iter().map(|(_, ask, request)| json!({"ask": ask, "request": request}).to_string()).collect();
    // Solved before, so that the list of presets is the same in both.
    bench.json(&["solve", "--rules", "yacht"]);
    let (answers, code) = bench.ask(&lines.join("\n"));
    assert_eq!((answers.len(), code), (cases.len(), Some(0)));
    for ((args, ..), answer) in cases.iter().zip(answers) {
        assert_eq!(bench.page(&[args, &["--json"][..]].concat()), answer + "\n", "{args:?}");
    }
}

#[test]
fn ask_answers_every_line_and_refuses_bad_ones_in_their_place() {
    let bench = Bench::new();
    let lines = "{\"ask\": \"roll\", \"request\": {\"seed\": 1}}\n\n{\"ask\": \"nonsense\"}\nno JSON\n\
                 {\"ask\": \"value\", \"request\": {\"rules\": \"yacht\", \"card\": \"fh=1,zz=1\"}}\n\
                 {\"ask\": \"value\", \"request\": {\"crad\": \"\"}}\n{\"ask\": \"roll\", \"extra\": 1}\n\
                 {\"ask\": \"value\", \"request\": []}\n{\"ask\": \"players\"}";
    let (answers, code) = bench.ask(lines);
    assert_eq!((answers.len(), code), (8, Some(2)), "{answers:?}");
    let answers: Vec<Value> = answers.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["roll"].as_str().map(str::len), Some(5));
    assert!(answers[1]["error"].as_str().unwrap().contains("unknown question \"nonsense\""));
    assert!(answers[2]["error"].as_str().unwrap().contains("not a request"));
    let fields: Vec<&Value> =
        answers[3]["problems"].as_array().unwrap().iter().map(|problem| &problem["field"]).collect();
    assert_eq!(fields, ["card", "card"]);
    for answer in &answers[4..7] {
        assert!(answer["error"].is_string() && answer["problems"].is_array(), "{answer}");
    }
    assert!(answers[7]["players"].is_array());
    std::fs::write(bench.0.path().join("lines"), lines).unwrap();
    let from_file = bench.run(&["ask", "lines"]);
    assert_eq!((text(&from_file.stdout).lines().count(), from_file.status.code()), (8, Some(2)));
    assert!(text(&from_file.stderr).contains("keepers: 6 requests were refused; all others were answered"));
}

/// A bot on the other side of two pipes. It waits for an answer, but not for ever.
struct Bot {
    child: Child,
    answers: mpsc::Receiver<String>,
}

impl Bot {
    fn new(mut command: Command) -> Bot {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (send, answers) = mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
        Bot { child, answers }
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.child.stdin.as_mut().unwrap(), "{question}").unwrap();
        let answer = self.answers.recv_timeout(Duration::from_secs(60)).expect("an answer within a minute");
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_bot_plays_a_game_through_pipes() {
    let bench = Bench::new();
    let mut bot = Bot::new(bench.command(&["ask", "-"]));
    let mut card = String::new();
    for turn in 0..12 {
        let mut keep = "-".to_string();
        for number in 0..3 {
            let rolled = json!({"rules": "yacht", "seed": 5, "turn": turn, "number": number, "keep": keep});
            let roll = bot.ask(&json!({"ask": "roll", "request": rolled}))["roll"].clone();
            let position =
                json!({"rules": "yacht", "cards": [card], "roll": roll, "rolls_left": 2 - number, "seed": 5});
            let chosen = bot.ask(&json!({"ask": "choose", "request": position}));
            match chosen["keep"].as_str() {
                Some(kept) => keep = kept.to_string(),
                None => {
                    card = chosen["card"].as_str().unwrap().to_string();
                    break;
                }
            }
        }
    }
    let shown = bot.ask(&json!({"ask": "card", "request": {"rules": "yacht", "card": card}}));
    assert_eq!(shown["finished"], true, "{shown}");
    drop(bot.child.stdin.take());
    assert!(bot.child.wait().unwrap().success());
}

#[test]
fn puzzles_are_shown_and_solved() {
    let bench = Bench::new();
    let args = ["puzzle", "--rules", "yacht", "--seed", "3"];
    let puzzle = bench.json(&args);
    assert_eq!(puzzle["difficulty"], "medium");
    let page = bench.page(&args);
    for part in
        ["What would you keep?", "1 roll left, 11 boxes open, 8 points on the card", "--seed 3", " Fours"]
    {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    let answer = bench.page(&[&args[..], &["--answer"]].concat());
    assert!(answer.contains("Keep 6 6 6, roll 2 dice.") && !answer.contains("What would you"), "{answer}");
    // Without a seed it is another one each time, and the seed is shown.
    let output = bench.run(&["puzzle", "--rules", "yacht", "--json"]);
    assert!(text(&output.stderr).contains("keepers: the seed is "), "{}", text(&output.stderr));
    assert!(bench.refusal(&["puzzle", "--difficulty", "extreme"]).contains("easy, medium, hard"));
    assert!(bench.refusal(&["puzzle", "--answer", "--json"]).contains("cannot be used with"));
}

#[test]
fn outlooks_compare_choices() {
    let bench = Bench::new();
    let args = ["outlook", "--rules", "yacht", "--card", "1=2,2=4,3=9", "--roll", "33566"];
    let page = bench.page(&[&args[..], &["--choices", "66,33,-,score:6,ch"]].concat());
    let heading = page.lines().find(|line| line.contains("keep 66")).unwrap();
    let columns: Vec<&str> = heading.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    assert_eq!(columns, ["after", "keep 66", "keep 33", "keep nothing", "Sixes", "Choice"]);
    assert!(page.contains("deviation") && page.contains("Full House"), "{page}");
    assert!(!page.contains(" Twos"), "a filled box is the same everywhere\n{page}");
    assert!(!page.contains("upper bonus"), "this game has none\n{page}");
    // Without a roll left, a digit is a box.
    let scored = bench.json(&[&args[..], &["--rolls-left", "0", "--choices", "6,ch"]].concat());
    assert_eq!(scored["outlooks"][0]["choice"], json!({"score": "6"}));
    let yahtzee = bench.page(&["outlook", "--roll", "33566", "--choices", "66"]);
    assert!(yahtzee.contains("upper bonus"), "{yahtzee}");
    for (choices, wanted) in [
        ("77", "write each die as a digit"),
        ("11", "11 cannot be kept: the roll is 33566"),
        ("zz", "there is no box \"zz\""),
        ("1=3", "there is no box \"1=3\""),
        ("score:1", "33566 cannot be scored in 1 now"),
    ] {
        let message = bench.refusal(&[&args[..], &["--choices", choices]].concat());
        assert!(message.contains("choices: ") && message.contains(wanted), "{choices}: {message}");
    }
}

#[test]
fn cards_players_and_dice_are_shown() {
    let bench = Bench::new();
    let page = bench.page(&["card", "6=24,fh=25,y=50,extra=1", "--roll", "66666"]);
    for part in ["upper bonus (24 of 63)", "1 bonus for an extra Yahtzee", " Yahtzee ", "30 + 100", "total"] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(page.contains("--card 6=24,fh=25,y=50,extra=1"));
    assert!(bench.refusal(&["card", "zz=1", "--roll", "1"]).contains("roll: "));

    let page = bench.page(&["players"]);
    for player in
        ["expected", "emp:1", "human-like:100", "EMP, expected match points", "DynS, dynamic fixed score"]
    {
        assert!(page.contains(player), "{player} is not in\n{page}");
    }

    let first = bench.json(&["roll", "--seed", "2026"]);
    assert_eq!(first, bench.json(&["roll", "--seed", "2026"]));
    assert_ne!(first, bench.json(&["roll", "--seed", "2026", "--stream", "1"]));
    let roll = first["roll"].as_str().unwrap();
    let kept = &roll[..2];
    let second = bench.json(&["roll", "--seed", "2026", "--number", "1", "--keep", kept]);
    let dice = second["roll"].as_str().unwrap();
    assert!(kept.chars().all(|die| dice.contains(die)), "{kept} is not in {dice}");
    assert!(bench.page(&["roll", "--seed", "2026"]).contains(&format!("{roll} (seed 2026)")));
    assert!(bench.refusal(&["roll", "--seed", "1", "--keep", "22"]).contains("before the first roll"));

    let scored = ["choose", "--cards", "6=24,y=50", "--roll", "66666", "--rolls-left", "0"];
    assert_eq!(bench.page(&scored), "scores Large Straight for 40 and 100 for the extra Yahtzee\n");
    assert_eq!(bench.page(&["choose", "--cards", "", "--roll", "66661"]), "keeps 6666\n");
    let message =
        bench.refusal(&["choose", "--cards", "1=2", "--cards", "", "--mover", "1", "--roll", "66661x"]);
    assert!(message.contains("roll: ") && !message.contains("cards: "), "{message}");
    assert!(bench.refusal(&["choose", "--cards", "", "--mover", "3", "--roll", "66661"]).contains("mover: "));
}

#[test]
fn values_have_objectives_too() {
    let bench = Bench::new();
    let of = |more: &[&str]| {
        let args = [&["value", "--rules", "yacht", "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0"], more].concat();
        bench.json(&args)["value"].as_f64().unwrap()
    };
    let reach = bench.json(&["reach", "--rules", "yacht", "--card", "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0"]);
    let wanted = reach["reach"][140].as_f64().unwrap();
    assert!((of(&["--objective", "reach:140"]) - wanted).abs() < 1e-9);
    std::fs::write(bench.0.path().join("step.csv"), "step\n0,0\n140,1\n").unwrap();
    assert!((of(&["--objective", "utility:step.csv"]) - wanted).abs() < 2e-6);
    let (mine, theirs) = ("1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0", "1=3,2=6,3=6,4=8,5=20,6=18,fh=0,ch=25");
    let duel = bench.json(&["duel", "--rules", "yacht", "--to-move", mine, "--other", theirs]);
    assert!((of(&["--against", theirs]) - duel["value"].as_f64().unwrap()).abs() < 1e-12);
    let page = bench.page(&["value", "--rules", "yacht", "--objective", "utility:step.csv"]);
    assert!(page.starts_with("Expected utility by step.csv: 0."), "{page}");
    for (args, wanted) in [
        (["--objective", "win"], "objective: win needs the opponents' cards: add --against CARD"),
        (["--objective", "luck"], "objective: there is no objective \"luck\""),
        (["--objective", "utility:missing.csv"], "cannot read missing.csv"),
    ] {
        let message = bench.refusal(&[&["value", "--rules", "yacht", "zz=1"], &args[..]].concat());
        assert!(message.contains(wanted) && message.contains("there is no box \"zz\""), "{message}");
    }
    std::fs::write(bench.0.path().join("bad.csv"), "200,0\n100,1\n").unwrap();
    let message = bench.refusal(&["value", "--rules", "yacht", "--objective", "utility:bad.csv"]);
    assert!(message.contains("keepers: bad.csv: line 2: 100 is not higher"), "{message}");
    let message = bench.refusal(&["value", "--rules", "yacht", "--against", "", "--objective", "reach:100"]);
    assert!(message.contains("against: only works with the objective win"), "{message}");
}
