//! Every path of the interface gives the answers of the library.

mod common;

use common::start;
use keepers::Rules;
use serde_json::{Value, json};

/// Yacht has twelve boxes and is solved in no time; with three open ones everything is.
const LATE: &str = "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30";

fn near(value: &Value, right: f64, within: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - right).abs() < within, "{value} is not {right}");
}

#[test]
fn the_status_says_which_version_runs() {
    let server = start();
    let status = server.get("/api/v1/status").json();
    assert_eq!((&status["jobs"], &status["memory"]), (&json!(0), &json!(0)));
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert!(status["threads"].as_u64().unwrap() >= 1 && status["uptime_seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn rules_are_listed_shown_and_read() {
    let server = start();
    let list = server.get("/api/v1/rules").json();
    let listed = |name: &str| {
        let all = list["rules"].as_array().unwrap().iter();
        all.clone().find(|rules| rules["name"] == name).cloned().unwrap()
    };
    let yatzy = listed("yatzy");
    assert_eq!((&yatzy["dice"], &yatzy["boxes"], &yatzy["value"]), (&json!(5), &json!(15), &Value::Null));
    assert!(listed("yahtzee")["aliases"].as_array().unwrap().contains(&json!("official")));
    let yahtzee = server.finished(server.get("/api/v1/rules/yahtzee")).json();
    assert_eq!((&yahtzee["states"], &yahtzee["most"]), (&json!(310_656), &json!(1575)));
    assert_eq!(yahtzee["extra"], json!({ "name": "Yahtzee", "box": "y", "points": 100, "joker": "forced" }));
    assert_eq!(yahtzee["upper_bonus"], json!({ "threshold": 63, "points": 35 }));
    let ones = &yahtzee["boxes"][0];
    assert_eq!((&ones["id"], &ones["face"], &ones["upper"]), (&json!("1"), &json!(1), &json!(true)));
    assert_eq!(ones["possible"], json!([0, 1, 2, 3, 4, 5]));
    // What is shown can be sent back.
    let again = server.answer("/rules", &json!({ "rules": yahtzee["toml"] }));
    assert_eq!(again, yahtzee);
    assert_eq!(server.get("/api/v1/rules/snap").status, 404);
}

#[test]
fn a_game_of_ones_own_is_solved_and_played() {
    let server = start();
    let toml = Rules::preset("yacht").unwrap().to_toml().replace("same_face = true", "same_face = false");
    let solved = server.answer("/solve", &json!({ "rules": toml }));
    near(&solved["value"], 166.955_068, 1e-6);
    assert_eq!(solved["objective"], "expected");
    assert!(solved["threads"].as_u64() >= Some(1));
    let value = server.answer("/value", &json!({ "rules": toml }));
    assert_eq!(value["value"], solved["value"]);
}

#[test]
fn a_card_is_shown_with_all_that_can_be_entered() {
    let server = start();
    let card = server.answer("/card", &json!({ "card": "y=50,6=18,extra=1,1=5", "roll": "66666" }));
    assert_eq!((&card["card"], &card["total"]), (&json!("1=5,6=18,y=50,extra=1"), &json!(173)));
    assert_eq!((&card["extras"], &card["extra_points"]), (&json!(1), &json!(100)));
    assert_eq!((&card["boxes"]["6"], &card["boxes"]["2"]), (&json!(18), &Value::Null));
    // The joker goes to a lower box, since that of the sixes is filled.
    let entries = card["entries"].as_array().unwrap();
    let full_house = entries.iter().find(|entry| entry["score"] == "fh").unwrap();
    let after = "1=5,6=18,fh=25,y=50,extra=2";
    assert_eq!(*full_house, json!({ "score": "fh", "points": 25, "extra": 100, "card": after }));
    assert!(entries.iter().all(|entry| entry["score"] != "2"));
    assert!(server.answer("/card", &json!({ "card": "" })).get("entries").is_none());
}

#[test]
fn a_card_has_the_value_of_the_library() {
    let server = start();
    let value = server.answer("/value", &json!({ "card": "1=3,4=12,fh=25" }));
    near(&value["value"], 241.4293, 1e-4);
    let yacht = server.answer("/value", &json!({ "rules": "yacht" }));
    near(&yacht["value"], 166.988_118, 1e-6);
}

#[test]
fn choices_are_ranked_for_every_objective() {
    let server = start();
    let with = |more: Value| {
        let mut question = json!({ "rules": "yacht", "card": LATE, "roll": "22345", "rolls_left": 1 });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.answer("/advise", &question)
    };
    let rival = "1=3,2=6,3=9,4=8,5=15,6=18,fh=20,4k=0,ls=30";
    for more in [
        json!({}),
        json!({ "objective": "reach:150" }),
        json!({ "objective": "tournament:3" }),
        json!({ "objective": "utility", "utility": "100,0\n200,1\n" }),
        json!({ "objective": "win", "against": [rival] }),
        json!({ "objective": "win", "against": [rival, rival], "seconds": 0.5 }),
    ] {
        let advice = with(more.clone());
        let choices = advice["choices"].as_array().unwrap();
        assert_eq!(advice["value"], choices[0]["value"], "{more}");
        assert_eq!(choices[0]["loss"], 0.0);
        let losses: Vec<f64> = choices.iter().map(|choice| choice["loss"].as_f64().unwrap()).collect();
        // Equal choices differ by rounding.
        assert!(losses.is_sorted_by(|a, b| *a <= b + 1e-9), "{more}: {losses:?}");
        assert_eq!(advice["objective"], more.get("objective").unwrap_or(&json!("expected")).clone());
        assert_eq!(advice.get("exact").is_none(), more.get("against").is_none());
        // Asked again it is the same, now from memory.
        assert_eq!(with(more), advice);
    }
    let exact = with(json!({ "objective": "win", "against": [rival] }));
    assert_eq!(exact["exact"], true);
    let scores = with(json!({ "rolls_left": 0 }));
    assert!(scores["choices"].as_array().unwrap().iter().all(|choice| choice["score"].is_string()));
}

#[test]
fn values_of_all_objectives_agree_with_the_advice() {
    // Over all first rolls the best choices are worth what the card is worth.
    let server = start();
    let card = format!("{LATE},bs=30,ch=22");
    for objective in ["expected", "reach:170", "tournament:3"] {
        let about = json!({ "rules": "yacht", "card": card, "objective": objective });
        let value = server.answer("/value", &about)["value"].as_f64().unwrap();
        let (mut mean, mut all) = (0.0, 0.0);
        let lattice = keepers::internals::Lattice::new(5, 6);
        for roll in lattice.rolls() {
            let orders = f64::from(lattice.keeps()[roll].orders());
            let mut about = about.clone();
            about["roll"] = json!(lattice.roll(roll).to_string());
            mean += orders * server.answer("/advise", &about)["value"].as_f64().unwrap();
            all += orders;
        }
        // Reach curves are kept in single precision.
        assert!((mean / all - value).abs() < 1e-5, "{objective}: {} and {value}", mean / all);
    }
}

#[test]
fn an_outlook_adds_up_to_its_mean() {
    let server = start();
    for (objective, rules, card) in [
        ("expected", "yacht", LATE),
        ("reach:150", "yacht", LATE),
        ("expected", "yahtzee", "1=3,2=6,3=9,4=12,5=15,3k=20,4k=0,fh=25,ss=30,y=50,extra=1"),
        ("tournament:2", "yahtzee", "1=3,2=6,3=9,4=12,5=15,6=18,3k=20,4k=0,fh=25,ss=30,y=50"),
    ] {
        let choices = json!([{ "keep": "66" }, { "keep": "-" }, { "score": "ch" }]);
        let about =
            json!({ "rules": rules, "card": card, "roll": "33566", "rolls_left": 1, "objective": objective });
        let mut question = about.clone();
        question["choices"] = choices.clone();
        let outlooks = server.answer("/outlook", &question);
        let advice = server.answer("/advise", &about);
        for (place, outlook) in outlooks["outlooks"].as_array().unwrap().iter().enumerate() {
            assert_eq!(outlook["choice"], choices[place]);
            let mean = outlook["mean"].as_f64().unwrap();
            let number = |value: &Value| value.as_f64().unwrap();
            let boxes: f64 =
                outlook["boxes"].as_array().unwrap().iter().map(|of| number(&of["points"])).sum();
            let parts = boxes + number(&outlook["upper_bonus_points"]) + number(&outlook["extra_points"]);
            assert!((parts - mean).abs() < 1e-9, "{rules} {objective}: {parts} is not {mean}");
            let probabilities = outlook["probability"].as_array().unwrap();
            let of_all: f64 = probabilities.iter().map(number).sum();
            assert!((of_all - 1.0).abs() < 1e-9);
            let by_probabilities: f64 =
                probabilities.iter().zip(0..).map(|(p, n)| number(p) * f64::from(n)).sum();
            assert!((by_probabilities - mean).abs() < 1e-9);
            if objective == "expected" {
                near(&outlook["value"], mean, 1e-9);
            }
            let ranked = advice["choices"]
                .as_array()
                .unwrap()
                .iter()
                .find(|of| of["keep"] == outlook["choice"]["keep"]);
            if let Some(ranked) = ranked.filter(|_| outlook["choice"]["keep"].is_string()) {
                near(&ranked["value"], number(&outlook["value"]), 1e-5);
            }
        }
    }
}

#[test]
fn an_outlook_after_advice_from_an_earlier_card_is_answered() {
    // The tables that the advice needed start at the earlier card.
    let server = start();
    let later = "1=2,2=4,3=6";
    for more in [
        json!({ "objective": "tournament:1" }),
        json!({ "objective": "reach:150" }),
        json!({ "objective": "utility", "utility": "100,0\n200,1\n" }),
    ] {
        let with = |fields: Value| {
            let mut about = json!({ "rules": "yacht", "roll": "33566", "rolls_left": 2 });
            about.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            about.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            about
        };
        server.answer("/advise", &with(json!({})));
        let choices = json!([{ "keep": "66" }]);
        server.answer("/outlook", &with(json!({ "choices": choices })));
        let outlook = server.answer("/outlook", &with(json!({ "card": later, "choices": choices })));
        let advice = server.answer("/advise", &with(json!({ "card": later })));
        let ranked =
            advice["choices"].as_array().unwrap().iter().find(|choice| choice["keep"] == "66").unwrap();
        near(&outlook["outlooks"][0]["value"], ranked["value"].as_f64().unwrap(), 1e-5);
        // A server that starts at the later card agrees.
        let fresh = start();
        let again = fresh.answer("/outlook", &with(json!({ "card": later, "choices": choices })));
        near(&again["outlooks"][0]["mean"], outlook["outlooks"][0]["mean"].as_f64().unwrap(), 1e-6);
    }
}

#[test]
fn reach_falls_from_one_and_starts_where_the_roll_is() {
    let server = start();
    let about = json!({ "rules": "yacht", "card": LATE });
    let reach = |about: &Value| -> Vec<f64> {
        let answer = server.answer("/reach", about);
        answer["reach"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect()
    };
    let before = reach(&about);
    assert_eq!(before[0], 1.0);
    assert!(before.is_sorted_by(|a, b| a >= b));
    let after = reach(&json!({ "rules": "yacht", "card": LATE, "roll": "66666", "rolls_left": 0 }));
    assert!(after.len() <= before.len() && after[165] > before[165]);
}

#[test]
fn distributions_are_exact() {
    let server = start();
    let all = server.answer("/distribution", &json!({ "rules": "yacht" }));
    near(&all["mean"], 166.988_118, 1e-6);
    assert_eq!(all["boxes"].as_object().unwrap().len(), 12);
    let of_ones = &all["boxes"]["1"];
    assert_eq!(of_ones["name"], "Ones");
    for turns in ["turns", "well", "badly"] {
        assert_eq!(of_ones[turns].as_array().unwrap().len(), 12, "{turns}");
    }
    near(&of_ones["zero"], of_ones["points"]["0"].as_f64().unwrap(), 1e-12);
    let percentiles = all["percentiles"].as_object().unwrap();
    let mut shares: Vec<u8> = percentiles.keys().map(|share| share.parse().unwrap()).collect();
    shares.sort_unstable();
    assert_eq!(shares, [1, 5, 10, 25, 50, 75, 90, 95, 99]);
    let reach = json!({ "rules": "yacht", "card": LATE, "strategy": "reach:150" });
    let some = server.answer("/distribution", &reach);
    assert_eq!(some["strategy"], "reach:150");
    assert_eq!(some["boxes"].as_object().unwrap().len(), 3);
    let probabilities = some["probability"].as_array().unwrap();
    let reached: f64 = probabilities.iter().skip(150).map(|p| p.as_f64().unwrap()).sum();
    let value = server.answer("/value", &json!({ "rules": "yacht", "card": LATE, "objective": "reach:150" }));
    near(&value["value"], reached, 1e-6);
}

#[test]
fn tournaments_are_won_by_more_than_the_best_score() {
    let server = start();
    let about = json!({ "rules": "yacht", "opponents": [1, 20] });
    let tournament = server.answer("/tournament", &about);
    near(&tournament["expected"]["mean"], 166.988_118, 1e-6);
    let sizes = tournament["sizes"].as_array().unwrap();
    for size in sizes {
        assert!(
            size["win"].as_f64() > size["win_if_expected"].as_f64() && size["advantage"].as_f64() > Some(0.0)
        );
        assert_eq!(size["grid"].as_array().unwrap().len(), 12);
        assert_eq!(size["grid"][0]["turns"].as_array().unwrap().len(), 12);
    }
    let seen =
        json!({ "rules": "yacht", "opponents": [1], "opponent_scores": "150\n150\n", "ties": "share" });
    let seen = server.answer("/tournament", &seen);
    // To beat 150 for certain one needs 151; a draw is half a win.
    assert!(seen["sizes"][0]["win"].as_f64().unwrap() > 0.6);
}

#[test]
fn records_are_judged() {
    let server = start();
    let record = "players: Ann, Bob\nplace: home\n\nAnn: 33566 66\n22266 fh\n\nBob: 12345 ls\n";
    let review = server.answer("/review", &json!({ "record": record, "rules": "yacht" }));
    assert_eq!((&review["rules"], &review["objective"]), (&json!("yacht"), &json!("expected")));
    assert_eq!(review["tags"], json!([["place", "home"]]));
    for player in review["players"].as_array().unwrap() {
        let number = |key: &str| player[key].as_f64().unwrap();
        let sum = number("start") + number("luck") + number("others") - number("loss");
        assert!((sum - number("end")).abs() < 1e-9, "{sum} is not {}", number("end"));
    }
    assert_eq!(review["players"][0]["turns"][0]["rolls"][0]["decisions"][0]["keep"], "66");
    // A record that names its rules is read by them, unless there is TOML.
    let named = format!("rules: yacht\n{record}");
    assert_eq!(server.answer("/review", &json!({ "record": named, "rules": "yahtzee" }))["rules"], "yacht");
    let toml = Rules::preset("yacht").unwrap().to_toml().replace("name = \"yacht\"", "name = \"ours\"");
    assert_eq!(server.answer("/review", &json!({ "record": named, "rules": toml }))["rules"], "ours");
    let begun = "rules: yacht\nplayers: Ann, Bob\n";
    let win = server.answer("/review", &json!({ "record": begun, "objective": "win", "seconds": 0 }));
    assert_eq!(win["players"][0]["start"].as_f64(), win["players"][0]["end"].as_f64());
}

#[test]
fn the_same_dice_fall_for_the_same_request() {
    let server = start();
    let roll = |about: Value| server.answer("/roll", &about)["roll"].as_str().unwrap().to_string();
    let first = roll(json!({ "seed": "18446744073709551615", "stream": 1, "turn": 3 }));
    assert_eq!(first, roll(json!({ "seed": "18446744073709551615", "stream": 1, "turn": 3, "keep": "-" })));
    // As in a match of the library.
    let game = keepers::Game::new(Rules::preset("yahtzee").unwrap());
    let throws = keepers::internals::random::RerollTable::new(game.lattice());
    let mut dice = keepers::internals::random::GameDice::new(7, 1, 3);
    for turn in 0..13 {
        dice.start_turn(turn);
        let mut keep = String::from("-");
        for number in 0..3 {
            let about = json!({ "seed": 7, "stream": 1, "turn": turn, "number": number, "keep": keep });
            let index = game.lattice().index_of(&keep.parse().unwrap());
            let rolled = dice.throw(&throws, index as u16);
            let rolled = game.lattice().roll(rolled.into()).to_string();
            assert_eq!(roll(about), rolled);
            keep = rolled[..2].to_string();
        }
    }
}

#[test]
fn a_computer_player_whose_target_is_out_of_reach_plays_on() {
    let server = start();
    let about = json!({ "rules": "yacht", "player": "reach:290", "cards": [LATE, LATE], "mover": 0, "roll": "22345",
        "rolls_left": 0, "seed": 3 });
    assert!(server.answer("/choose", &about)["score"].is_string());
}

#[test]
fn computer_players_make_moves_that_the_rules_allow() {
    let server = start();
    let players = server.get("/api/v1/players").json();
    for player in players["players"].as_array().unwrap() {
        let name = player["name"].as_str().unwrap();
        let name = match &player["parameter"] {
            Value::Null => name.to_string(),
            parameter => format!("{name}:{}", parameter["default"].as_u64().unwrap().min(150)),
        };
        for left in [0, 1] {
            let about = json!({ "rules": "yacht", "player": name, "cards": [LATE, LATE], "mover": 0, "roll": "22345",
                "rolls_left": left, "seed": 3 });
            let choice = server.answer("/choose", &about);
            assert_eq!(choice, server.answer("/choose", &about), "{name}");
            match left {
                0 => {
                    let card =
                        server.answer("/card", &json!({ "rules": "yacht", "card": LATE, "roll": "22345" }));
                    assert!(card["entries"].as_array().unwrap().contains(&choice), "{name}: {choice}");
                }
                _ => {
                    let keep: keepers::Keep = choice["keep"].as_str().unwrap().parse().unwrap();
                    assert!(keep.is_within(&"22345".parse().unwrap()), "{name}: {choice}");
                }
            }
        }
    }
}

#[test]
fn puzzles_have_a_decision_of_their_difficulty() {
    let server = start();
    for (difficulty, least, most) in [("easy", 2.0, 8.0), ("medium", 0.5, 2.0), ("hard", 0.1, 0.5)] {
        for seed in 0..5 {
            let about = json!({ "rules": "yacht", "seed": seed, "difficulty": difficulty });
            let puzzle = server.answer("/puzzle", &about);
            assert_eq!(puzzle, server.answer("/puzzle", &about));
            let position = json!({ "rules": "yacht", "card": puzzle["card"], "roll": puzzle["roll"],
                "rolls_left": puzzle["rolls_left"] });
            let advice = server.answer("/advise", &position);
            let losses =
                advice["choices"].as_array().unwrap().iter().map(|choice| choice["loss"].as_f64().unwrap());
            let gap = losses.into_iter().find(|loss| *loss > 0.0).unwrap();
            assert!((least..most).contains(&gap), "{difficulty}: {gap}");
        }
    }
}

#[test]
fn duels_matches_simulations_and_counts_agree_with_the_library() {
    let server = start();
    let (mine, rival) = (format!("{LATE},bs=30,ch=22"), format!("{LATE},bs=30,ch=20"));
    let duel = server.answer("/duel", &json!({ "rules": "yacht", "to_move": mine, "other": rival }));
    let win = json!({ "rules": "yacht", "card": mine, "objective": "win", "against": [rival] });
    near(&duel["value"], server.answer("/value", &win)["value"].as_f64().unwrap(), 1e-12);
    let games = json!({ "rules": "yacht", "games": 20_000, "seed": 5 });
    let simulated = server.answer("/simulate", &games);
    let error = simulated["error"].as_f64().unwrap();
    near(&simulated["mean"], 166.988_118, 5.0 * error);
    let about = json!({ "rules": "yacht", "players": ["expected", "random"], "games": 50, "seed": 1, "records": true });
    let played = server.answer("/match", &about);
    assert!(played["players"][0]["win"].as_f64() > Some(0.9));
    assert_eq!(played["records"].as_array().unwrap().len(), 50);
    let review = json!({ "rules": "yacht", "record": played["records"][0] });
    assert_eq!(server.answer("/review", &review)["players"].as_array().unwrap().len(), 2);
    let states = server.answer("/states", &json!({ "rules": "yahtzee" }));
    assert_eq!(states["states"], 310_656);
    let two = server.answer("/states", &json!({ "rules": "yacht", "players": 2 }));
    assert!(two["pairs"].as_u64() > Some(1_000_000) && two["core_days"].as_f64() > Some(0.0));
    let measured =
        json!({ "rules": "yacht", "strategies": ["expected", "random"], "depth": "1..2", "games": 20 });
    let measured = server.answer("/measure", &measured);
    let loss = |player: usize| measured["strategies"][player]["depths"][1]["error"].as_f64().unwrap();
    assert!(loss(0) < loss(1), "{measured}");
    let equilibrium = json!({ "rules": "yacht", "opponents": [1], "ties": "share", "gap": 0.01 });
    let found = server.answer("/equilibrium", &equilibrium);
    near(&found["sizes"][0]["win"], 0.5, 1e-6);
}
