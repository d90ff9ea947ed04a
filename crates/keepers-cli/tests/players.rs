//! Players against each other, as the program shows them.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// Small enough to be solved at once.
const TOY: &str = "name = \"toy\"\ndice = 2\nfaces = 3\nrolls = 2\n[upper_bonus]\nthreshold = 5\npoints = 4\n\
    [[box]]\nid = \"1\"\npattern = \"face\"\nface = 1\n[[box]]\nid = \"3\"\npattern = \"face\"\nface = 3\n\
    [[box]]\nid = \"y\"\npattern = \"sets\"\nof = [2]\npays = 5\n[[box]]\nid = \"c\"\npattern = \"chance\"\n";

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Bench {
        let bench = Bench(tempfile::tempdir().unwrap());
        fs::write(bench.0.path().join("toy.toml"), TOY).unwrap();
        bench
    }

    fn run(&self, line: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_keepers"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env("KEEPERS_CACHE", self.0.path().join("cache"))
            .env("KEEPERS_QUIET", "1")
            .output()
            .unwrap()
    }

    fn json(&self, line: &str) -> Value {
        let output = self.run(&format!("{line} --json"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {told}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn refused(&self, line: &str, says: &[&str]) {
        let output = self.run(line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {told}");
        assert_eq!(told.trim_end().lines().count(), 1, "{line}: {told}");
        says.iter().for_each(|says| assert!(told.contains(says), "{line}: {told}"));
    }
}

#[test]
fn a_match_adds_up_and_repeats_by_its_seed() {
    let bench = Bench::new();
    let line = "match --rules toy.toml --players emp:1,expected,random --games 60 --seed 4";
    let answer = bench.json(line);
    assert_eq!(answer, bench.json(&format!("{line} --threads 1")));
    assert_ne!(answer["players"], bench.json(&line.replace("seed 4", "seed 5"))["players"]);
    let players = answer["players"].as_array().unwrap();
    let sum = |field: &str| players.iter().map(|player| player[field].as_f64().unwrap()).sum::<f64>();
    assert!((sum("rank") - 6.0).abs() < 1e-9);
    for player in players {
        let part = |field: &str| player[field].as_f64().unwrap();
        assert!((part("win") + part("draw") + part("loss") - 1.0).abs() < 1e-9);
        assert!(part("rank_error") > 0.0 && part("mean_error") > 0.0 && part("sd") > part("mean_error"));
        // Games on other dice are independent.
        let (win, games) = (part("win"), answer["games"].as_f64().unwrap());
        let of_a_share = (win * (1.0 - win) / (games - 1.0)).sqrt();
        assert!((part("win_error") - of_a_share).abs() < 1e-9);
    }
    assert!(players[0]["rank"].as_f64() < players[2]["rank"].as_f64());
}

#[test]
fn every_player_can_play_and_a_league_ranks_them() {
    let bench = Bench::new();
    let all = "random,greedy,felldin-sood,expected,reach:10,tournament:3,emp:0,dyns:1";
    let answer = bench.json(&format!("match --rules toy.toml --players {all} --games 8 --league"));
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players.len(), 8);
    let results: Vec<f64> = players.iter().map(|player| player["result"].as_f64().unwrap()).collect();
    assert!(results.is_sorted_by(|a, b| a >= b));
    assert!((results.iter().sum::<f64>() - 4.0).abs() < 1e-9);
    for (nth, player) in players.iter().enumerate() {
        assert!(player["against"][nth].is_null());
    }
    let answer = bench.json("match --rules toy.toml --players duel,human-like:100 --games 10 --same-dice");
    assert_eq!(answer["players"][1]["strategy"], "human-like:100");
    let text = bench.run("match --rules toy.toml --players duel,greedy --games 10 --league");
    assert!(String::from_utf8_lossy(&text.stdout).contains("10 games per pair"));
}

#[test]
fn records_of_a_match_are_reviewed_and_their_ledgers_add_up() {
    let bench = Bench::new();
    bench.json("match --rules toy.toml --players duel,random --games 6 --records games");
    // Rules that are not known by name are written beside the records.
    assert_eq!(fs::read_dir(bench.0.path().join("games")).unwrap().count(), 6 + 1);
    for nth in 0..6 {
        let answer = bench.json(&format!("review games/{nth:06}.game --objective win"));
        let players = answer["players"].as_array().unwrap();
        let mut end = 0.0;
        for player in players {
            let part = |field: &str| player[field].as_f64().unwrap_or_else(|| panic!("{field}: {player}"));
            let sum = part("start") + part("luck") + part("others") - part("loss");
            assert!((sum - part("end")).abs() < 1e-9, "{player}");
            assert!([0.0, 0.5, 1.0].contains(&part("end")), "{player}");
            end += part("end");
            // The whole toy can be solved: the exact player never errs.
            if player["name"] == "duel" {
                assert!(part("loss") < 1e-12, "{player}");
            }
        }
        assert_eq!(end, 1.0);
    }

    bench.json("match --rules toy.toml --players emp:1,emp:1,reach:9 --games 1 --records named");
    let names: Vec<Value> = bench.json("review named/000000.game")["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["name"].clone())
        .collect();
    assert_eq!(names, ["emp 1 (1)", "emp 1 (2)", "reach 9"]);
}

#[test]
fn exact_advice_needs_no_curves() {
    // Those of Maxi Yatzy would take far too much memory.
    let bench = Bench::new();
    let filled =
        "1=3,2=6,3=9,4=12,5=15,6=18,1p=10,2p=18,3p=0,3k=15,4k=0,5k=0,ss=15,ls=20,fs=0,fh=0,vi=0,to=0";
    let line =
        format!("advise --rules maxi-yatzy --card {filled},y=0 --against {filled},ch=20 --roll 112345");
    let answer = bench.json(&line);
    assert_eq!(answer["exact"], true);
    let others = format!("--against {filled},ch=20,y=0 --against {filled},ch=20,y=100");
    let last = bench.json(&format!("advise --rules maxi-yatzy --card {filled},y=0 {others} --roll 112345"));
    assert_eq!(last["exact"], true);
    // One of two has won already.
    assert!(last["value"].as_f64().unwrap() < 0.5);
    let early = line.replace("1=3,2=6,3=9,4=12,5=15,6=18,1p=10,2p=18,3p=0,", "");
    // The curves of these cards fit into memory.
    assert_eq!(bench.json(&early)["exact"], false);
    let first = "advise --rules maxi-yatzy --card 1=3 --against 2=4 --roll 112345";
    bench.refused(first, &["reach curves of maxi-yatzy", "memory"]);
}

#[test]
fn advice_against_others_is_exact_or_says_that_it_is_not() {
    let bench = Bench::new();
    let line = "advise --rules toy.toml --card 1=2 --against 3=3 --roll 13";
    let exact = bench.json(line);
    assert_eq!(exact["exact"], true);
    let duel = bench.json("duel --rules toy.toml --to-move 1=2 --other 3=3 --roll 13");
    assert_eq!(exact["choices"], duel["choices"]);
    // What takes no time is exact without it; what does is estimated.
    let at_once = bench.json(&format!("{line} --time 0"));
    assert_eq!((&at_once["exact"], &at_once["choices"]), (&exact["exact"], &exact["choices"]));
    let early = bench.json("advise --rules yacht --card 1=2 --against 2=6 --roll 13355 --time 0");
    assert_eq!(early["exact"], false);
    let several =
        bench.json("advise --rules toy.toml --card 1=2 --against 3=3 --against c=4 --roll 13 --rolls-left 0");
    assert_eq!(several["exact"], false);
    assert_eq!(several["choices"].as_array().unwrap().len(), 3);
    let text = bench.run("advise --rules toy.toml --card 1=2 --against 3=3 --against c=4 --roll 13");
    assert!(String::from_utf8_lossy(&text.stdout).contains("Expected rank among 3"));
}

#[test]
fn a_single_game_says_nothing_about_errors() {
    let bench = Bench::new();
    for line in [
        "simulate --rules toy.toml --strategy greedy --games 1 --plot one.svg",
        "match --rules toy.toml --players greedy,random --games 1",
        "match --rules toy.toml --players greedy,random --games 1 --league",
    ] {
        let output = bench.run(line);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !text.contains("NaN"), "{text}");
        let json = bench.json(line).to_string();
        assert!(json.contains("error\":null"), "{json}");
    }
    let picture = fs::read_to_string(bench.0.path().join("one.svg")).unwrap();
    assert!(picture.contains("standard deviation -") && !picture.contains("NaN"));
}

#[test]
fn perfect_players_measure_no_error_and_others_do() {
    let bench = Bench::new();
    let answer = bench
        .json("measure --rules toy.toml --strategies duel,emp:0..1,expected,random --depth 2..6 --games 20");
    let strategies = answer["strategies"].as_array().unwrap();
    assert_eq!(strategies.len(), 5);
    let errors = |name: &str| -> Vec<f64> {
        let found = strategies.iter().find(|strategy| strategy["strategy"] == name).unwrap();
        let depths = found["depths"].as_array().unwrap();
        assert_eq!(depths.len(), 5);
        assert_eq!(depths[0]["depth"], 2);
        depths.iter().map(|depth| depth["error"].as_f64().unwrap()).collect()
    };
    let most = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    assert!(most(&errors("duel")) < 1e-12);
    let (random, expected) = (errors("random"), errors("expected"));
    assert!(random.iter().all(|error| *error > 0.05), "{random:?}");
    for name in ["emp:0", "emp:1"] {
        let emp = errors(name);
        // A player that ignores the rival loses about 0.0025; EMP loses 0.0003.
        assert!(most(&emp) < 0.0006 && most(&emp) < most(&expected) / 4.0, "{name}: {emp:?}, {expected:?}");
        assert!(emp.iter().zip(&random).all(|(emp, random)| *emp < random / 200.0), "{name}: {emp:?}");
    }
}

#[test]
fn bad_input_gets_one_clear_sentence() {
    let bench = Bench::new();
    bench.refused("match --rules toy.toml --players emp:1", &["players: a match has 2 to 8 players, not 1"]);
    bench.refused(
        "match --rules toy.toml --players emp:x,who",
        &["\"x\" is not a depth", "there is no player \"who\""],
    );
    bench.refused(
        "match --rules toy.toml --players greedy,greedy,greedy,greedy,greedy,greedy,greedy,greedy,random",
        &["players: a match has 2 to 8 players, not 9"],
    );
    for (games, command) in [
        ("0", "match --rules toy.toml --players greedy,expected"),
        ("-1", "match --rules toy.toml --players greedy,expected"),
        ("10000001", "match --rules toy.toml --players greedy,expected"),
    ] {
        bench.refused(
            &format!("{command} --games {games}"),
            &[&format!("'{games}' for '--games <N>': must be a whole number from 1 to 10000000")],
        );
    }
    bench.refused("match --rules toy.toml --players reach:999,expected --games 1", &["out of reach"]);
    bench.refused(
        "measure --rules toy.toml --depth 0..3",
        &["\"0..3\" is not a range of open boxes", "1 to 8"],
    );
    bench.refused(
        "measure --rules toy.toml --strategies dyns:3..1",
        &["\"dyns:3..1\" is not a range of depths from 0 to 30", "the smaller depth first"],
    );
    bench.refused("measure --rules toy.toml --strategies dyns:0..99", &["from 0 to 30"]);
    bench.refused("advise --rules toy.toml --card 1=2,3=3 --against c=4 --roll 13", &["players take turns"]);
    bench.refused(
        "advise --rules toy.toml --card 1=2 --against 1=2,3=3 --against 1=2 --roll 13",
        &["in the order of play"],
    );
    bench.refused("advise --rules toy.toml --card 1=2 --against zz=3 --roll 13", &["against", "zz"]);
    bench.refused("advise --rules toy.toml --objective win --roll 13", &["--against CARD"]);
    bench.refused("simulate --rules toy.toml --strategy emp:1", &["plays against others"]);
    bench.refused("simulate --rules toy.toml --strategy what", &["there is no player \"what\""]);
    bench.refused("simulate --rules toy.toml --card 1=2,3=3,y=0,c=4", &["card: every box is filled"]);
    bench.refused("tournament --rules toy.toml --opponent self --gap 2", &["from 0 to 1"]);
    bench.refused(
        "tournament --rules toy.toml --opponents 0 --opponent luck",
        &["opponents: must be whole numbers from 1 to ", "\"luck\""],
    );
}

#[test]
fn simulated_games_repeat_by_their_seed_and_add_up() {
    let bench = Bench::new();
    for strategy in ["expected", "reach:10", "felldin-sood", "greedy", "random"] {
        let line = format!("simulate --rules toy.toml --strategy {strategy} --games 3000 --seed 8");
        let mut answer = bench.json(&line);
        let mut again = bench.json(&format!("{line} --threads 1"));
        for timed in ["seconds", "games_per_second"] {
            answer[timed] = Value::Null;
            again[timed] = Value::Null;
        }
        assert_eq!(answer, again, "{strategy}");
        let totals = answer["totals"].as_array().unwrap();
        assert_eq!(totals.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 3000);
        let boxes = answer["boxes"].as_object().unwrap();
        let means: f64 = boxes.values().map(|of| of["mean"].as_f64().unwrap()).sum();
        let bonus = 4.0 * answer["upper_bonus"].as_f64().unwrap();
        assert!((means + bonus - answer["mean"].as_f64().unwrap()).abs() < 1e-9, "{strategy}");
    }
    let csv = bench.run("simulate --rules toy.toml --games 50 --csv");
    assert!(String::from_utf8_lossy(&csv.stdout).starts_with("score,games\n0,"));
}

#[test]
fn an_equilibrium_continues_where_it_stopped_and_distrusts_what_is_damaged() {
    let bench = Bench::new();
    let line = "tournament --rules toy.toml --opponent self --opponents 3 --gap 0";
    let rounds = |answer: &Value| answer["sizes"][0]["rounds"].as_array().unwrap().clone();
    let two = rounds(&bench.json(&format!("{line} --rounds 2")));
    let five = rounds(&bench.json(&format!("{line} --rounds 5")));
    assert_eq!((two.len(), five.len()), (2, 5));
    assert_eq!(two[..], five[..2]);
    let afresh = rounds(&bench.json(&format!("{line} --rounds 5 --afresh")));
    assert_eq!(afresh, five);
    let gap = |round: &Value| round["gap"].as_f64().unwrap();
    assert!(gap(&five[4]) <= gap(&five[0]));

    // Damaged rounds are found by their checksum, and played again.
    let cache = bench.0.path().join("cache");
    let kept = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let is_rounds =
        |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("eq-3-l-");
    let kept = kept.into_iter().find(is_rounds).unwrap();
    let whole = fs::read(&kept).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damage in [Vec::new(), b"{}".to_vec(), whole[..whole.len() - 8].to_vec(), flipped] {
        fs::write(&kept, damage).unwrap();
        let output = bench.run(&format!("{line} --rounds 2 --json"));
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("solving again: "));
        assert_eq!(rounds(&serde_json::from_slice(&output.stdout).unwrap()), two);
    }

    // What is kept is shown, and cleared with the tables.
    let listed = |name: &str| {
        let list = bench.json("cache");
        let files = list["tables"].as_array().unwrap().clone();
        files.into_iter().find(|file| file["file"].as_str().unwrap() == name)
    };
    let name = kept.file_name().unwrap().to_string_lossy().into_owned();
    let file = listed(&name).unwrap();
    assert_eq!((&file["rules"], &file["objective"]), (&"toy".into(), &"tournament:3 against itself".into()));
    assert_eq!(
        (&file["problem"], file["bytes"].as_u64()),
        (&Value::Null, Some(fs::metadata(&kept).unwrap().len()))
    );
    fs::write(&kept, &whole[..whole.len() - 1]).unwrap();
    assert!(listed(&name).unwrap()["problem"].is_string());
    let left = cache.join(format!("{name}.1.0.tmp"));
    fs::write(&left, "half").unwrap();
    let old = cache.join("equilibrium-0123456789abcdef-3-lose.json");
    fs::write(&old, "{}").unwrap();
    assert!(bench.run("cache clear").status.success());
    assert!(!kept.exists() && !left.exists() && !old.exists() && listed(&name).is_none());
}
