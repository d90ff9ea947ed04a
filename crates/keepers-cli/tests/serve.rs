//! `keepers serve`: it prints its address, answers, and ends on a signal.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tempfile::TempDir;

fn keepers(arguments: &[&str], cache: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
    command.args(arguments).env("KEEPERS_CACHE", cache.path());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// How long a test waits for anything.
const LIMIT: Duration = Duration::from_secs(60);

/// A program that is ended with the test, whatever happens.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines of a stream, each within the limit.
struct Lines(mpsc::Receiver<String>);

impl Lines {
    fn of(stream: impl Read + Send + 'static) -> Lines {
        let (send, lines) = mpsc::channel();
        let mut read = BufReader::new(stream).lines().map_while(Result::ok);
        std::thread::spawn(move || read.try_for_each(|line| send.send(line)));
        Lines(lines)
    }

    fn next(&self) -> String {
        self.0.recv_timeout(LIMIT).expect("a line in time")
    }
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    write!(stream, "{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn end(mut running: Running, signal: &str) -> Option<i32> {
    let sent = Command::new("kill").args([signal, &running.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(status) = running.0.try_wait().unwrap() {
            return status.code();
        }
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The part between `http://` and the next `/`.
fn address(line: &str) -> String {
    line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address").to_string()
}

#[test]
fn it_prints_its_address_as_json_and_ends_on_a_signal() {
    let cache = TempDir::new().unwrap();
    for signal in ["-TERM", "-INT"] {
        let arguments = ["serve", "--json", "--port", "0", "--no-open", "--idle-memory", "64"];
        let mut running = Running(keepers(&arguments, &cache).spawn().unwrap());
        let line = Lines::of(running.0.stdout.take().unwrap()).next();
        assert!(line.starts_with("{\"address\":\"http://127.0.0.1:"), "{line}");
        let address = address(&line);
        assert!(ask(&address, "GET /api/v1/status").starts_with("HTTP/1.1 200"));
        assert!(ask(&address, "GET /").contains("<title>Keepers</title>"));
        assert_eq!(end(running, signal), Some(0), "{signal}");
    }
}

#[test]
fn without_a_command_it_serves() {
    let cache = TempDir::new().unwrap();
    // Another one may have the usual port: then this one takes a free one.
    let mut running = Running(keepers(&[], &cache).spawn().unwrap());
    let line = Lines::of(running.0.stderr.take().unwrap()).next();
    assert!(
        line.starts_with("Keepers is at http://127.0.0.1:") && line.ends_with("/ (stop with Ctrl-C)"),
        "{line}"
    );
    assert!(ask(&address(&line), "GET /api/v1/rules").contains("\"yahtzee\""));
    assert_eq!(end(running, "-TERM"), Some(0));
}

#[test]
fn what_it_cannot_do_is_bad_input() {
    let cache = TempDir::new().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, told) in [
        (vec!["serve", "--no-open", "--port", &port], "choose another --port"),
        (vec!["serve", "--no-open", "--host", "192.0.2.1"], "choose another --host"),
        (vec!["serve", "--no-open", "--allow-origin", "localhost"], "is not an origin"),
        (vec!["serve", "--no-open", "--host", "nowhere"], "invalid value 'nowhere'"),
        (vec!["serve", "--no-open", "--idle-memory", "-1"], "must be a whole number from 0 to"),
        (vec!["serve", "--no-open", "--idle-memory", "much"], "; see keepers serve --help"),
    ] {
        let output = keepers(&arguments, &cache).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
}

#[test]
fn others_are_warned_of() {
    let cache = TempDir::new().unwrap();
    let arguments = ["serve", "--no-open", "--port", "0", "--host", "0.0.0.0"];
    let mut running = Running(keepers(&arguments, &cache).spawn().unwrap());
    let lines = Lines::of(running.0.stderr.take().unwrap());
    let warning = lines.next();
    assert!(warning.contains("listening on 0.0.0.0: anyone who can reach this machine"), "{warning}");
    // From here on it handles signals.
    assert!(lines.next().contains("http://localhost:"));
    assert_eq!(end(running, "-TERM"), Some(0));
}

#[test]
fn a_phone_needs_the_token_that_is_printed() {
    let cache = TempDir::new().unwrap();
    // Tests listen on this machine alone.
    let arguments = ["serve", "--json", "--port", "0", "--no-open", "--phone", "--host", "127.0.0.1"];
    let mut running = Running(keepers(&arguments, &cache).spawn().unwrap());
    let line = Lines::of(running.0.stdout.take().unwrap()).next();
    let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["address"], answer["phone"], "{line}");
    let token = answer["phone"].as_str().unwrap().split_once("/?token=").unwrap().1;
    let address = address(&line);
    let refused = ask(&address, "GET /api/v1/status");
    assert!(refused.starts_with("HTTP/1.1 401") && refused.contains("needs an access token"), "{refused}");
    assert!(ask(&address, &format!("GET /?token={token}")).starts_with("HTTP/1.1 303"));
    assert_eq!(end(running, "-TERM"), Some(0));

    let arguments = ["serve", "--port", "0", "--no-open", "--phone", "--host", "127.0.0.1"];
    let mut running = Running(keepers(&arguments, &cache).spawn().unwrap());
    let lines = Lines::of(running.0.stderr.take().unwrap());
    assert!(lines.next().starts_with("Keepers is at http://127.0.0.1:"));
    let rest: Vec<String> = std::iter::from_fn(|| Some(lines.next()))
        .take_while(|line| !line.starts_with("On a phone"))
        .collect();
    assert!(rest.iter().filter(|line| line.contains('█')).count() > 10, "a QR code: {rest:?}");
    assert!(lines.next().starts_with("http://127.0.0.1:"));
    assert_eq!(end(running, "-TERM"), Some(0));
}
