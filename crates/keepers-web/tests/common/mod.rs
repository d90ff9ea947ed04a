//! A real server on a free port with a store of its own, and a small client that sends what it is told.

#![allow(dead_code, reason = "no test file needs all of it")]

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use keepers::Store;
use keepers_web::{JobLimits, Server, Settings};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server that runs.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    store: TempDir,
}

/// Starts a server.
pub fn start() -> Running {
    start_with(|settings| settings)
}

/// Starts a server with other settings.
pub fn start_with(change: impl FnOnce(Settings) -> Settings) -> Running {
    let store = TempDir::new().unwrap();
    let usual = Settings {
        port: Some(0),
        // What is solved without being asked would be counted among the jobs.
        first_rules: None,
        ..Settings::new(Store::at(store.path()))
    };
    let settings = change(usual);
    let (told, address) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::bind(settings).await.unwrap();
            told.send(server.address()).unwrap();
            server.run(async { _ = stopped.await }).await;
        });
        runtime.shutdown_background();
    });
    Running { address: address.recv().unwrap(), stop: Some(stop), thread: Some(thread), store }
}

/// Few jobs at a time.
pub fn few_jobs(settings: Settings) -> Settings {
    Settings { jobs: JobLimits { running: 1, waiting: 1, ..JobLimits::default() }, ..settings }
}

impl Running {
    /// Where its tables are.
    pub fn store_path(&self) -> std::path::PathBuf {
        self.store.path().to_path_buf()
    }

    /// Ends the server, and says how long that took.
    pub fn stop(&mut self) -> Duration {
        let started = Instant::now();
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        started.elapsed()
    }

    /// Sends a request as it is, and reads the answer.
    pub fn send(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(body);
        Answer::read(&mut BufReader::new(stream))
    }

    /// Sends a request with some more headers.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let host = if headers.iter().any(|(name, _)| *name == "host") {
            String::new()
        } else {
            format!("host: {}\r\n", self.address)
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {length}\r\n{more}\r\n"
        );
        self.send(&head, body.as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    /// Posts JSON to the interface.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string())
    }

    pub fn post_text(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", &format!("/api/v1{path}"), &[("content-type", "application/json")], body)
    }

    /// Posts JSON, and waits for the answer if that takes a while.
    pub fn answer(&self, path: &str, body: &Value) -> Value {
        let answer = self.finished(self.post(path, body));
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text);
        answer.json()
    }

    /// Follows a job to its end.
    pub fn finished(&self, answer: Answer) -> Answer {
        if answer.status != 202 {
            return answer;
        }
        let accepted = answer.json();
        let events = self.get(accepted["events"].as_str().unwrap());
        assert_eq!(events.status, 200);
        self.get(&format!("/api/v1/jobs/{}", accepted["job"].as_str().unwrap()))
    }

    /// The fields of the problems that a request is refused with.
    pub fn refused(&self, path: &str, body: &Value) -> Vec<String> {
        let answer = self.finished(self.post(path, body));
        assert_eq!(answer.status, 422, "{path} {body}: {}", answer.text);
        let answer = answer.json();
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()));
        let field = |problem: &Value| problem["field"].as_str().unwrap().to_string();
        answer["problems"].as_array().unwrap().iter().map(field).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
}

impl Answer {
    fn read(stream: &mut impl BufRead) -> Answer {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {line:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            line.clear();
            stream.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_string()));
        }
        let mut body = Vec::new();
        if headers.contains(&("transfer-encoding".to_string(), "chunked".to_string())) {
            while let Some(chunk) = chunk(stream) {
                body.extend(chunk);
            }
        } else {
            let _ = stream.read_to_end(&mut body);
        }
        Answer { status, headers, text: String::from_utf8(body).unwrap() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// One chunk of a body that comes in chunks.
fn chunk(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|length| *length > 0)?;
    let mut chunk = vec![0; length + 2];
    stream.read_exact(&mut chunk).ok()?;
    chunk.truncate(length);
    Some(chunk)
}

/// The rules of Maxi Yatzy, which take most of a minute to solve, with another bonus each time.
pub fn large_rules(bonus: u16) -> Value {
    let maxi = keepers::Rules::preset("maxi-yatzy").unwrap();
    let (threshold, points) = maxi.upper_bonus().map(|bonus| (bonus.threshold, bonus.points)).unwrap();
    let other = maxi.to_toml().replace(
        &format!("threshold = {threshold}\npoints = {points}\n"),
        &format!("threshold = {threshold}\npoints = {bonus}\n"),
    );
    assert_ne!(keepers::Rules::from_toml(&other).unwrap().fingerprint(), maxi.fingerprint());
    json!({ "rules": other })
}
