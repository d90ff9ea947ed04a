//! `keepers serve`: it says where it is, answers, and ends when it is told to.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

fn keepers(arguments: &[&str], cache: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
    command.args(arguments).env("KEEPERS_CACHE", cache.path());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn end(mut child: Child, signal: &str) -> Option<i32> {
    let told = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    child.wait().unwrap().code()
}

/// What stands between `http://` and the next `/`.
fn address(line: &str) -> String {
    line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address").to_string()
}

#[test]
fn it_tells_its_address_as_json_and_ends_when_told() {
    let cache = TempDir::new().unwrap();
    for signal in ["-TERM", "-INT"] {
        let mut child = keepers(&["serve", "--json", "--port", "0", "--no-open"], &cache).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("{\"address\":\"http://127.0.0.1:"), "{line}");
        let address = address(&line);
        assert!(ask(&address, "GET /api/v1/status").starts_with("HTTP/1.1 200"));
        assert!(ask(&address, "GET /").contains("<title>Keepers</title>"));
        assert_eq!(end(child, signal), Some(0), "{signal}");
    }
}

#[test]
fn without_a_command_it_serves() {
    let cache = TempDir::new().unwrap();
    // Another one may have the usual port: then this one takes a free one.
    let mut child = keepers(&[], &cache).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(
        line.starts_with("Keepers is at http://127.0.0.1:") && line.ends_with("/ (Ctrl-C stops it)\n"),
        "{line}"
    );
    assert!(ask(&address(&line), "GET /api/v1/rules").contains("\"yahtzee\""));
    assert_eq!(end(child, "-TERM"), Some(0));
}

#[test]
fn what_it_cannot_do_is_bad_input() {
    let cache = TempDir::new().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, told) in [
        (vec!["serve", "--no-open", "--port", &port], "use another --port"),
        (vec!["serve", "--no-open", "--host", "192.0.2.1"], "use another --host"),
        (vec!["serve", "--no-open", "--allow-origin", "localhost"], "is not an origin"),
        (vec!["serve", "--no-open", "--host", "nowhere"], "invalid value 'nowhere'"),
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
    let mut child =
        keepers(&["serve", "--no-open", "--port", "0", "--host", "0.0.0.0"], &cache).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let warning = lines.next().unwrap().unwrap();
    assert!(warning.contains("is not this machine alone"), "{warning}");
    // From here on it can be told to end.
    assert!(lines.next().unwrap().unwrap().contains("http://localhost:"));
    assert_eq!(end(child, "-TERM"), Some(0));
}
