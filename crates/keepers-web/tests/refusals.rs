//! All problems of a request are reported at once, and none of them breaks anything.

mod common;

use common::{Remote, small_memory, start, start_with};
use serde_json::{Value, json};

const POSTS: [&str; 20] = [
    "/rules",
    "/solve",
    "/card",
    "/value",
    "/advise",
    "/outlook",
    "/reach",
    "/distribution",
    "/tournament",
    "/review",
    "/roll",
    "/choose",
    "/puzzle",
    "/duel",
    "/match",
    "/simulate",
    "/measure",
    "/equilibrium",
    "/states",
    "/nothing",
];

fn is_refusal(answer: &common::Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "application/json");
    let body = answer.json();
    assert!(body["error"].as_str().is_some_and(|error| error.len() > 10), "{body}");
    assert!(body["problems"].is_array());
}

#[test]
fn what_is_not_json_is_refused_everywhere() {
    let server = start();
    let nested = "[".repeat(100_000) + &"]".repeat(100_000);
    let deep = format!("{{\"rules\": {nested}}}");
    for path in POSTS {
        let known = path != "/nothing";
        for text in ["", "{", "hello", "\u{0}", &nested[1..]] {
            is_refusal(&server.post_text(path, text), if known { 400 } else { 404 });
        }
        for text in [
            &nested,
            &deep,
            "7",
            "null",
            "\"x\"",
            "[]",
            "[\"yacht\"]",
            "{\"surprise\": 1}",
            "{\"rules\": 7}",
            "{\"rules\": [\"yahtzee\"]}",
        ] {
            is_refusal(&server.post_text(path, text), if known { 422 } else { 404 });
        }
        let plain = server.ask("POST", &format!("/api/v1{path}"), &[("content-type", "text/plain")], "{}");
        is_refusal(&plain, if known { 415 } else { 404 });
        let unnamed = server.ask("POST", &format!("/api/v1{path}"), &[], "{}");
        is_refusal(&unnamed, if known { 415 } else { 404 });
        let large = format!("{{\"rules\": \"{}\"}}", "x".repeat(300_000));
        is_refusal(&server.post_text(path, &large), if known { 413 } else { 404 });
    }
    is_refusal(&server.post_text("/card", "{} {}"), 400);
    assert_eq!(server.get("/api/v1/status").status, 200);
}

#[test]
fn other_methods_and_paths_are_refused_as_json() {
    let server = start();
    for path in POSTS.into_iter().filter(|path| *path != "/nothing") {
        for method in ["PUT", "PATCH", "DELETE"] {
            let answer = server.ask(method, &format!("/api/v1{path}"), &[], "");
            is_refusal(&answer, 405);
            assert!(answer.header("allow").contains("POST"), "{answer:?}");
        }
    }
    is_refusal(&server.ask("POST", "/", &[], ""), 405);
    for path in ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/rules", "/api/v1/jobs/x"]
    {
        is_refusal(&server.get(path), 404);
    }
    is_refusal(&server.ask("DELETE", "/api/v1/jobs/x", &[], ""), 404);
    is_refusal(&server.get("/api/v1/jobs/x/events"), 404);
}

fn fields(server: &Remote, path: &str, body: &Value) -> String {
    let mut fields = server.refused(path, body);
    fields.dedup();
    fields.join(" ")
}

#[test]
fn all_problems_are_reported_at_once() {
    let server = start();
    let wrong =
        json!({ "card": "zz=1,fh=24", "roll": "2234", "rolls_left": 3, "objective": "luck", "seconds": -1 });
    assert_eq!(
        server.refused("/advise", &wrong),
        ["card", "card", "roll", "rolls_left", "objective", "seconds"]
    );
    let wrong = json!({ "player": "nobody", "cards": ["zz=1"], "mover": 3, "roll": "777", "rolls_left": 9, "seed": "x" });
    assert_eq!(fields(&server, "/choose", &wrong), "cards player roll rolls_left seed");
    let wrong = json!({ "seed": 1, "turn": 13, "number": 3, "keep": "777" });
    assert_eq!(fields(&server, "/roll", &wrong), "keep turn number");
    let wrong = json!({ "card": "1=7", "strategy": "win", "utility": "1,1" });
    assert_eq!(fields(&server, "/distribution", &wrong), "card utility strategy");
    let wrong = json!({ "opponents": [], "opponent": "utility:/etc/passwd" });
    assert_eq!(fields(&server, "/tournament", &wrong), "opponents opponent");
}

#[test]
fn what_cannot_be_is_refused() {
    let server = start();
    let full = "1=2,2=4,3=9,4=12,5=15,6=18,fh=20,4k=0,ls=30,bs=0,ch=22,y=0";
    let yacht = |more: Value| {
        let mut about = json!({ "rules": "yacht" });
        about.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        about
    };
    for (path, body, field) in [
        ("/rules", json!({ "rules": "snap" }), "rules"),
        ("/card", json!({ "rules": "" }), "rules"),
        ("/card", json!({ "rules": "a\u{0}b" }), "rules"),
        ("/card", yacht(json!({ "card": "extra=1" })), "card"),
        ("/advise", yacht(json!({ "card": full, "roll": "12345" })), "card"),
        ("/advise", yacht(json!({ "roll": "" })), "roll"),
        ("/advise", yacht(json!({ "roll": "12340" })), "roll"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "reach:9999" })), "objective"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "reach:99999" })), "objective"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "tournament:0" })), "objective"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "utility:/etc/passwd" })), "objective"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "utility" })), "utility"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "utility", "utility": "x" })), "utility"),
        ("/advise", yacht(json!({ "roll": "12345", "utility": "1,1" })), "utility"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "win" })), "against"),
        ("/advise", yacht(json!({ "roll": "12345", "against": [""] })), "against"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "win", "against": [full] })), "against"),
        ("/advise", yacht(json!({ "roll": "12345", "objective": "win", "against": vec![""; 8] })), "against"),
        ("/value", yacht(json!({ "objective": "win", "against": ["zz"] })), "against"),
        ("/outlook", yacht(json!({ "roll": "12345", "choices": [] })), "choices"),
        ("/outlook", yacht(json!({ "roll": "12345", "choices": [{ "keep": "66" }] })), "choices"),
        ("/outlook", yacht(json!({ "roll": "12345", "choices": [{ "score": "zz" }] })), "choices"),
        (
            "/outlook",
            yacht(json!({ "roll": "12345", "rolls_left": 0, "choices": [{ "keep": "1" }] })),
            "choices",
        ),
        (
            "/outlook",
            yacht(json!({ "roll": "12345", "objective": "win", "choices": [{ "keep": "1" }] })),
            "objective",
        ),
        (
            "/outlook",
            yacht(json!({ "roll": "12345", "choices": vec![json!({ "keep": "1" }); 5] })),
            "choices",
        ),
        ("/reach", yacht(json!({ "card": full, "roll": "12345" })), "card"),
        ("/reach", yacht(json!({ "rolls_left": 1 })), "rolls_left"),
        ("/distribution", yacht(json!({ "card": full, "strategy": "reach:9999" })), "strategy"),
        ("/tournament", yacht(json!({ "opponents": [0] })), "opponents"),
        ("/tournament", yacht(json!({ "opponents": vec![1; 9] })), "opponents"),
        ("/tournament", yacht(json!({ "opponents": [1], "opponent": "expected:0.5" })), "opponent"),
        ("/tournament", yacht(json!({ "opponents": [1], "opponent": "self" })), "opponent"),
        ("/tournament", yacht(json!({ "opponents": [1], "opponent_scores": "many" })), "opponent_scores"),
        ("/roll", yacht(json!({ "seed": 1, "keep": "1" })), "keep"),
        ("/roll", yacht(json!({ "seed": 9_007_199_254_740_992_u64 })), "seed"),
        ("/roll", yacht(json!({ "seed": "-1" })), "seed"),
        ("/roll", yacht(json!({ "seed": "18446744073709551616" })), "seed"),
        ("/solve", yacht(json!({ "objective": "win" })), "objective"),
        ("/duel", yacht(json!({ "to_move": "zz=1", "other": "" })), "to_move"),
        ("/duel", yacht(json!({ "to_move": "", "other": "", "rolls_left": 1 })), "rolls_left"),
        ("/duel", yacht(json!({ "to_move": full, "other": full, "memory": 9 })), "memory"),
        ("/match", yacht(json!({ "players": ["greedy"] })), "players"),
        ("/match", yacht(json!({ "players": ["greedy", "nobody"] })), "players"),
        ("/match", yacht(json!({ "players": ["greedy", "random"], "games": 1_000_000 })), "games"),
        ("/simulate", yacht(json!({ "strategy": "emp:1" })), "strategy"),
        ("/simulate", yacht(json!({ "games": 0 })), "games"),
        ("/simulate", yacht(json!({ "card": full })), "card"),
        ("/measure", yacht(json!({ "strategies": ["nobody"] })), "strategies"),
        ("/measure", yacht(json!({ "strategies": ["greedy"], "depth": "8..1" })), "depth"),
        ("/equilibrium", yacht(json!({ "opponents": [] })), "opponents"),
        ("/equilibrium", yacht(json!({ "opponents": [1], "gap": 2.0, "rounds": 0 })), "gap rounds"),
        ("/states", yacht(json!({ "players": 3 })), "players"),
        (
            "/choose",
            yacht(json!({ "player": "emp:9", "cards": ["", ""], "roll": "12345", "seed": 1 })),
            "player",
        ),
        ("/choose", yacht(json!({ "player": "emp:1", "cards": [""], "roll": "12345", "seed": 1 })), "player"),
        (
            "/choose",
            yacht(json!({ "player": "utility:x", "cards": [""], "roll": "12345", "seed": 1 })),
            "player",
        ),
        ("/choose", yacht(json!({ "cards": [], "roll": "12345", "seed": 1 })), "cards"),
        ("/choose", yacht(json!({ "cards": [full], "roll": "12345", "seed": 1 })), "cards"),
        ("/choose", yacht(json!({ "cards": ["", "1=1"], "roll": "12345", "seed": 1 })), "cards"),
        ("/choose", yacht(json!({ "cards": ["", ""], "mover": 2, "roll": "12345", "seed": 1 })), "mover"),
        ("/puzzle", yacht(json!({ "seed": 1, "objective": "reach:100" })), "objective"),
        ("/review", yacht(json!({ "record": "12345 1\n", "objective": "win" })), "objective"),
    ] {
        assert_eq!(fields(&server, path, &body), field, "{path} {body}");
    }
}

#[test]
fn problems_of_texts_have_lines() {
    let server = start();
    let record = "rules: yacht\n\n33566 22\n66612 sixes\n";
    let problems = server.post("/review", &json!({ "record": record })).json()["problems"].clone();
    assert_eq!((&problems[0]["field"], &problems[0]["line"]), (&json!("record"), &json!(3)));
    assert_eq!(problems[1]["line"], 4);
    let toml = "dice = 9\nfaces = 6\nrolls = 3\n";
    let problems = server.post("/rules", &json!({ "rules": toml })).json()["problems"].clone();
    assert!(problems.as_array().unwrap().iter().all(|problem| problem["field"] == "rules"));
    assert_eq!(problems[0]["line"], 1);
    let utility = json!({ "roll": "12345", "objective": "utility", "utility": "1,2\nx\n" });
    let problems = server.post("/advise", &utility).json()["problems"].clone();
    assert_eq!(problems[0]["line"], 2);
}

#[test]
fn rules_that_would_take_too_much_are_refused() {
    let server = start_with(small_memory);
    let upper = (1..=6).map(|n| format!("[[box]]\nid = \"{n}\"\npattern = \"face\"\nface = {n}\n"));
    let lower = (1..=16).map(|n| format!("[[box]]\nid = \"c{n}\"\npattern = \"chance\"\n"));
    let boxes: String = upper.chain(lower).collect();
    let bonus = "[upper_bonus]\nthreshold = 84\npoints = 50\n";
    let rules = format!("dice = 6\nfaces = 6\nrolls = 3\n{bonus}{boxes}");
    for path in ["/rules", "/solve", "/card", "/value"] {
        assert_eq!(server.refused(path, &json!({ "rules": rules })), ["rules"]);
    }
    // This game can be solved for the expected score, but the probabilities of every score would take many GiB.
    let more: String = (1..=3).map(|n| format!("[[box]]\nid = \"c{n}\"\npattern = \"chance\"\n")).collect();
    let rules = keepers::Rules::preset("yatzy").unwrap().to_toml() + &more;
    assert_eq!(server.post("/card", &json!({ "rules": rules })).status, 200);
    assert_eq!(server.refused("/reach", &json!({ "rules": rules })), ["rules"]);
}

#[test]
fn a_name_that_is_not_text_is_refused_like_any_other() {
    let server = start();
    for path in ["/api/v1/jobs/%FF", "/api/v1/jobs/%FF/events", "/api/v1/rules/%C3"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.json()["error"].is_string(), "{path}");
    }
}
