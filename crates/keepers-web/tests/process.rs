//! Servers as processes of their own: without a reader of their messages, and with little memory.
#![cfg(target_os = "linux")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Remote, many_boxes};
use keepers::Store;
use keepers_web::{Settings, serve};
use serde_json::json;
use tempfile::TempDir;

const DIRECTORY: &str = "KEEPERS_TEST_DIRECTORY";

/// Not a test: the process that the tests below start. It serves until it is killed.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let store = Store::at(Path::new(&directory));
    let settings = Settings { port: Some(0), first_rules: None, ..Settings::new(store) };
    let listening =
        |server: &keepers_web::Server| writeln!(std::io::stdout(), "address {}", server.address()).unwrap();
    serve(settings, listening).unwrap();
}

/// A server in a process, which is killed at the end.
struct Process {
    child: Child,
    server: Remote,
}

/// Starts a server with a limit of its address space in KiB.
fn start(directory: &TempDir, limit: &str) -> Process {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {limit} && exec \"$0\" --exact child --nocapture")])
        .arg(std::env::current_exe().unwrap())
        .env(DIRECTORY, directory.path())
        // Each arena takes 64 MiB of addresses.
        .env("MALLOC_ARENA_MAX", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Nobody reads its messages: writing them fails.
    drop(child.stderr.take());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line = line.unwrap();
        // The test harness writes to the same line.
        line.split_once("address ").map(|(_, address)| address.parse().unwrap())
    });
    // The pipe stays open for what else the harness writes.
    std::thread::spawn(move || lines.for_each(drop));
    Process { child, server: Remote { address: address.expect("the server prints its address") } }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_without_a_reader_of_its_messages_answers() {
    let directory = TempDir::new().unwrap();
    let about = json!({ "rules": "yacht" });
    let right = start(&directory, "unlimited").server.answer("/value", &about);
    // A damaged table is a reason for a message.
    let table = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
    let table = table.into_iter().find(|path| path.extension().is_some_and(|of| of == "keepers")).unwrap();
    let bytes = std::fs::read(&table).unwrap();
    std::fs::write(&table, &bytes[..bytes.len() / 2]).unwrap();
    let process = start(&directory, "unlimited");
    assert_eq!(process.server.answer("/value", &about), right);
}

#[test]
fn a_failed_allocation_is_an_answer_and_not_the_end_of_the_server() {
    let directory = TempDir::new().unwrap();
    // 2 GiB, and curves of nearly 4 GB.
    let mut process = start(&directory, "2097152");
    let server = &process.server;
    server.answer("/value", &json!({ "rules": "yacht" }));
    let refused = server.finished(server.post("/reach", &json!({ "rules": many_boxes(12) })));
    match refused.status {
        503 => assert_ne!(refused.header("retry-after"), ""),
        // On a machine with less memory than that, it is refused before.
        status => assert_eq!(status, 422, "{}", refused.text),
    }
    assert!(refused.json()["error"].as_str().is_some_and(|error| error.contains("B")), "{}", refused.text);
    assert_eq!(server.post("/value", &json!({ "rules": "yacht" })).status, 200);
    assert!(process.child.try_wait().unwrap().is_none(), "the server still runs");
}
