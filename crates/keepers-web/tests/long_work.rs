//! Long work: jobs, their events, joining them, cancelling them, how many there may be, and the memory they leave behind.

mod common;

use std::time::Duration;

use common::{
    LIMIT, Running, few_jobs, large_rules, many_boxes, small_memory, start, start_with, wait_until,
};
use keepers_web::Settings;
use serde_json::{Value, json};

/// The longest wait for work that was cancelled to end. The work itself takes minutes.
const CANCELLED: Duration = Duration::from_secs(15);

fn accepted_by(server: &Running, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body);
    assert_eq!(answer.status, 202, "{}", answer.text);
    answer.json()
}

fn accepted(server: &Running, rules: &Value) -> Value {
    accepted_by(server, "/solve", rules)
}

/// Waits until there are this many unfinished jobs.
fn wait_for_jobs(server: &Running, jobs: u64, limit: Duration) -> Duration {
    wait_until(limit, &format!("{jobs} jobs"), || server.status("jobs") == jobs)
}

fn state(server: &Running, job: &Value) -> u16 {
    server.get(&format!("/api/v1/jobs/{}", job["job"].as_str().unwrap())).status
}

#[test]
fn a_job_reports_its_progress_and_has_the_answer_in_the_end() {
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
fn equal_requests_join_one_job_and_each_gives_up_for_itself() {
    let server = start_with(few_jobs);
    let rules = large_rules(51);
    let (one, other) = (accepted(&server, &rules), accepted(&server, &rules));
    assert_eq!(server.status("jobs"), 1);
    // Each client has a name of its own for the job, and the events are shared.
    assert_ne!(one["job"], other["job"]);
    assert_eq!(one["events"], other["events"]);
    let path = format!("/api/v1/jobs/{}", one["job"].as_str().unwrap());
    assert_eq!((server.get(&path).status, &server.get(&path).json()["job"]), (202, &one["job"]));
    // Neither the first DELETE nor its repetitions give up for the other client.
    assert_eq!(server.give_up(&one), 204);
    for _ in 0..3 {
        assert_eq!(server.give_up(&one), 404);
    }
    let whole = json!({ "job": one["job"].as_str().unwrap().split('-').next().unwrap() });
    assert_eq!(server.give_up(&whole), 404, "without a client's number");
    assert_eq!((state(&server, &other), server.status("jobs")), (202, 1));
    assert_eq!(server.give_up(&other), 204);
    wait_for_jobs(&server, 0, CANCELLED);
    assert_eq!((state(&server, &other), server.give_up(&other)), (404, 404));
    // The work can be asked for again.
    let again = accepted(&server, &rules);
    assert_eq!(again["events"], one["events"]);
    assert_eq!(server.give_up(&one), 404, "a number is used once");
    assert_eq!(server.give_up(&again), 204);
}

#[test]
fn a_client_that_disconnects_gives_up() {
    use std::io::Write;
    let server = start();
    let body = large_rules(52).to_string();
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    let head = "POST /api/v1/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
    write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    wait_for_jobs(&server, 1, LIMIT);
    drop(stream);
    wait_for_jobs(&server, 0, CANCELLED);
}

#[test]
fn beyond_the_cap_work_is_refused_for_now() {
    let server = start_with(few_jobs);
    server.answer("/value", &json!({ "rules": "yacht" }));
    server.answer("/roll", &json!({ "seed": 2 }));
    let started: Vec<Value> = [61, 62].map(|bonus| accepted(&server, &large_rules(bonus))).to_vec();
    let refused = server.post("/solve", &large_rules(63));
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), "5");
    assert!(refused.json()["error"].is_string());
    // Requests that need no work are answered all the same.
    let light = json!({ "rules": "yacht", "roll": "12345" });
    assert_eq!(server.post("/advise", &light).status, 200);
    assert_eq!(server.post("/roll", &json!({ "seed": 1 })).status, 200);
    started.iter().for_each(|job| assert_eq!(server.give_up(job), 204));
    wait_for_jobs(&server, 0, CANCELLED);
    let later = accepted(&server, &large_rules(63));
    assert_eq!(server.give_up(&later), 204);
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
        assert!(took < CANCELLED, "{took:?}");
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
    let second = start_with(|settings| Settings { store: keepers::Store::at(&directory), ..settings });
    let answer = second.finished(second.post("/reach", &json!({ "rules": "yacht" })));
    assert_eq!(answer.status, 200);
    assert!(keepers::Store::at(&directory).list().unwrap().iter().all(|table| table.header.is_ok()));
}

#[test]
fn the_first_game_is_solved_when_the_server_starts() {
    let server = start_with(|settings| Settings { first_rules: Some("yacht".to_string()), ..settings });
    let (store, yacht) = (keepers::Store::at(server.store_path()), keepers::Rules::preset("yacht").unwrap());
    wait_until(LIMIT, "the table of yacht", || store.known_start(&yacht).is_some());
    wait_for_jobs(&server, 0, LIMIT);
    assert!(server.status("memory") > 0);
    let value = server.post("/value", &json!({ "rules": "yacht" }));
    assert_eq!(value.status, 200);
    assert_eq!(value.json()["value"].as_f64(), store.known_start(&yacht));
}

#[test]
fn abandoned_work_on_huge_rules_does_not_block_others() {
    let server = start();
    // 43.6 million states: as many jobs as solves that may run at the same time.
    let huge = many_boxes(20);
    for n in 0..3 {
        let rules = format!("name = \"huge{n}\"\n{huge}");
        let answer = server.post("/reach", &json!({ "rules": rules }));
        match answer.status {
            202 => assert_eq!(server.give_up(&answer.json()), 204),
            // Fast machines refuse it directly.
            status => assert_eq!(status, 422, "{}", answer.text),
        }
    }
    let value = server.answer("/value", &json!({ "rules": "yacht" }));
    assert!((value["value"].as_f64().unwrap() - 166.988_118).abs() < 1e-6);
    wait_for_jobs(&server, 0, CANCELLED);
}

#[test]
fn curves_that_are_too_large_are_refused() {
    let server = start_with(small_memory);
    assert_eq!(server.refused("/reach", &json!({ "rules": many_boxes(20) })), ["rules"]);
}

#[test]
fn a_running_solve_ends_soon_after_it_was_given_up() {
    let server = start();
    // The curves of 11 boxes have more than a gigabyte; 16 boxes have 2.7 million states. Either takes minutes.
    for (path, boxes, running) in
        [("/reach", 11, 1), ("/reach", 11, 4), ("/distribution", 16, 1), ("/tournament", 16, 1)]
    {
        let mut about = json!({ "rules": many_boxes(boxes) });
        if path == "/tournament" {
            about["opponents"] = json!([1]);
        }
        let job = accepted_by(&server, path, &about);
        std::thread::sleep(Duration::from_secs(running));
        assert_eq!(state(&server, &job), 202, "{path} is still running");
        assert_eq!(server.give_up(&job), 204);
        wait_for_jobs(&server, 0, CANCELLED);
    }
}

#[test]
fn an_idle_server_releases_its_memory() {
    let idle = Duration::from_millis(700);
    let server = start_with(|settings| Settings { idle_memory: 0, idle_after: idle, ..settings });
    let about = json!({ "rules": "yacht", "card": "1=3" });
    let before = server.answer("/value", &about);
    // On a busy machine a moment may be enough to be idle.
    wait_until(LIMIT, "tables in memory", || {
        server.answer("/value", &about);
        server.status("memory") > 0
    });
    wait_until(LIMIT, "no tables in memory", || server.status("memory") == 0);
    // The tables are read again.
    assert_eq!(server.answer("/value", &about), before);
}

#[test]
fn a_busy_server_keeps_its_tables() {
    let server = start_with(|settings| Settings {
        idle_memory: 0,
        idle_after: Duration::from_millis(700),
        ..settings
    });
    server.answer("/value", &json!({ "rules": "yacht" }));
    let job = accepted(&server, &large_rules(81));
    std::thread::sleep(Duration::from_secs(2));
    assert!(server.status("memory") > 0, "a job is running");
    assert_eq!(server.give_up(&job), 204);
}

#[test]
fn work_afresh_is_done_again() {
    let server = start();
    let about = json!({ "rules": "yacht", "afresh": true });
    let (one, other) = (server.answer("/solve", &about), server.answer("/solve", &about));
    assert_eq!(one["value"], other["value"]);
    assert_ne!(one["seconds"], other["seconds"], "measured twice");
}
