//! Long work: jobs, their events, joining them, giving them up, and how many there may be.

mod common;

use std::time::Duration;

use common::{Running, few_jobs, large_rules, start, start_with};
use serde_json::{Value, json};

fn accepted(server: &Running, rules: &Value) -> Value {
    let answer = server.post("/solve", rules);
    assert_eq!(answer.status, 202, "{}", answer.text);
    answer.json()
}

fn jobs(server: &Running) -> u64 {
    server.get("/api/v1/status").json()["jobs"].as_u64().unwrap()
}

/// Waits until so many jobs are left.
fn wait_for_jobs(server: &Running, left: u64) {
    while jobs(server) != left {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn give_up(server: &Running, job: &Value) -> u16 {
    server.ask("DELETE", &format!("/api/v1/jobs/{}", job["job"].as_str().unwrap()), &[], "").status
}

#[test]
fn a_job_tells_its_progress_and_has_the_answer_in_the_end() {
    let server = start();
    let about = json!({ "rules": "yacht", "opponents": [1, 2, 3] });
    let answer = server.post("/tournament", &about);
    assert_eq!(answer.status, 202, "{}", answer.text);
    let job = answer.json();
    assert!(job["work"].as_str().is_some_and(|work| !work.is_empty()));
    let events = server.get(job["events"].as_str().unwrap());
    assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
    let last = events.text.trim_end().rsplit("\n\n").next().unwrap();
    assert_eq!(last, "event: done\ndata: {}");
    let first = events.text.split("\n\n").next().unwrap();
    let data = first.strip_prefix("event: progress\ndata: ").unwrap();
    let progress: Value = serde_json::from_str(data).unwrap();
    let share = progress["share"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&share) && progress["work"].is_string() && progress["all"].is_u64());
    assert!(progress.get("seconds_left").is_some());
    let done = server.get(&format!("/api/v1/jobs/{}", job["job"].as_str().unwrap()));
    assert_eq!(done.status, 200);
    assert_eq!(done.json()["sizes"].as_array().unwrap().len(), 3);
    // Now the answer comes at once, and so do the events.
    let again = server.post("/tournament", &about);
    assert_eq!((again.status, again.text), (200, done.text));
    assert!(server.get(job["events"].as_str().unwrap()).text.contains("event: done"));
}

#[test]
fn the_same_request_joins_the_same_work() {
    let server = start_with(few_jobs);
    let rules = large_rules(51);
    let (one, other) = (accepted(&server, &rules), accepted(&server, &rules));
    assert_eq!(one, other);
    assert_eq!(jobs(&server), 1);
    let state = server.get(&format!("/api/v1/jobs/{}", one["job"].as_str().unwrap()));
    assert_eq!(state.status, 202);
    // The first of two who give up does not stop it.
    assert_eq!(give_up(&server, &one), 204);
    assert_eq!(jobs(&server), 1);
    assert_eq!(give_up(&server, &other), 204);
    wait_for_jobs(&server, 0);
    assert_eq!(give_up(&server, &other), 404);
    // What was given up can be asked for again.
    let again = accepted(&server, &rules);
    assert_eq!(again["job"], one["job"]);
    assert_eq!(give_up(&server, &again), 204);
}

#[test]
fn beyond_the_cap_work_is_refused_for_now() {
    let server = start_with(few_jobs);
    server.answer("/value", &json!({ "rules": "yacht" }));
    let started: Vec<Value> = [61, 62].map(|bonus| accepted(&server, &large_rules(bonus))).to_vec();
    let refused = server.post("/solve", &large_rules(63));
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), "5");
    assert!(refused.json()["error"].is_string());
    // Light requests are answered all the same.
    let light = json!({ "rules": "yacht", "roll": "12345" });
    assert_eq!(server.post("/advise", &light).status, 200);
    assert_eq!(server.post("/roll", &json!({ "seed": 1 })).status, 200);
    started.iter().for_each(|job| assert_eq!(give_up(&server, job), 204));
    wait_for_jobs(&server, 0);
    let later = accepted(&server, &large_rules(63));
    assert_eq!(give_up(&server, &later), 204);
}

#[test]
fn the_server_ends_while_work_goes_on() {
    let mut server = start();
    let job = accepted(&server, &large_rules(71));
    let events = std::thread::scope(|scope| {
        let path = job["events"].as_str().unwrap();
        let address = server.address;
        let listening = scope.spawn(move || {
            use std::io::{Read, Write};
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        });
        std::thread::sleep(Duration::from_millis(500));
        let took = server.stop();
        // It may take what requests in flight may take, and a moment.
        assert!(took < Duration::from_secs(10), "{took:?}");
        listening.join().unwrap()
    });
    assert!(events.contains("event: progress") && !events.contains("event: done"), "{events}");
}

#[test]
fn solved_tables_outlive_the_server() {
    let mut first = start();
    first.answer("/reach", &json!({ "rules": "yacht" }));
    let directory = first.store_path();
    first.stop();
    let second =
        start_with(|settings| keepers_web::Settings { store: keepers::Store::at(&directory), ..settings });
    let answer = second.finished(second.post("/reach", &json!({ "rules": "yacht" })));
    assert_eq!(answer.status, 200);
    assert!(keepers::Store::at(&directory).list().unwrap().iter().all(|table| table.header.is_ok()));
}

#[test]
fn what_will_be_asked_first_is_solved_before() {
    let server =
        start_with(|settings| keepers_web::Settings { first_rules: Some("yacht".to_string()), ..settings });
    let (store, yacht) = (keepers::Store::at(server.store_path()), keepers::Rules::preset("yacht").unwrap());
    // Nobody asks: it ends when the table is there.
    while store.known_expected(&yacht).is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
}
