//! A real server on a free port with a store of its own, and a small client.

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

/// How long a test waits for anything, on a machine that may be busy.
pub const LIMIT: Duration = Duration::from_secs(300);

/// Waits until a condition holds; fails after `limit`.
pub fn wait_until(limit: Duration, what: &str, condition: impl Fn() -> bool) -> Duration {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < limit, "{what}: not within {limit:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    started.elapsed()
}

/// A server at an address.
pub struct Remote {
    pub address: SocketAddr,
}

/// A server that runs in this process.
pub struct Running {
    server: Remote,
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
        // It would be counted among the jobs.
        first_rules: None,
        ..Settings::new(Store::at(store.path()))
    };
    let settings = change(usual);
    let (sender, address) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::bind(settings).await.unwrap();
            sender.send(server.address()).unwrap();
            server.run(async { _ = stopped.await }).await;
        });
        runtime.shutdown_background();
    });
    let server = Remote { address: address.recv().unwrap() };
    Running { server, stop: Some(stop), thread: Some(thread), store }
}

/// The memory of a small machine.
pub fn small_memory(settings: Settings) -> Settings {
    Settings { solve_memory: 4 << 30, ..settings }
}

/// At most two unfinished jobs, and one solve at the same time.
pub fn few_jobs(settings: Settings) -> Settings {
    Settings { jobs: JobLimits { running: 1, waiting: 1, ..JobLimits::default() }, ..settings }
}

impl Running {
    /// Where its tables are.
    pub fn store_path(&self) -> std::path::PathBuf {
        self.store.path().to_path_buf()
    }

    /// Ends the server, and returns how long that took.
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
}

impl std::ops::Deref for Running {
    type Target = Remote;

    fn deref(&self) -> &Remote {
        &self.server
    }
}

impl Remote {
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
        let path = format!("/api/v1/jobs/{}", answer.json()["job"].as_str().unwrap());
        let started = Instant::now();
        loop {
            let answer = self.get(&path);
            if answer.status != 202 {
                return answer;
            }
            assert!(started.elapsed() < LIMIT, "{path}: not finished within {LIMIT:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// One number of the state of the server.
    pub fn status(&self, field: &str) -> u64 {
        let answer = self.get("/api/v1/status").json();
        answer[field].as_u64().unwrap_or_else(|| panic!("no {field} in {answer}"))
    }

    /// Gives up a job, and returns the status.
    pub fn give_up(&self, job: &Value) -> u16 {
        self.ask("DELETE", &format!("/api/v1/jobs/{}", job["job"].as_str().unwrap()), &[], "").status
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
            let started = Instant::now();
            while let Some(chunk) = chunk(stream) {
                // Events go on as long as their job.
                assert!(started.elapsed() < LIMIT, "the answer does not end");
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

/// One chunk of a chunked body.
fn chunk(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|length| *length > 0)?;
    let mut chunk = vec![0; length + 2];
    stream.read_exact(&mut chunk).ok()?;
    chunk.truncate(length);
    Some(chunk)
}

/// The rules of Maxi Yatzy with another bonus: they take most of a minute to solve.
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

/// A rule set with six dice, many states and this many boxes, as TOML. With 20 boxes it has 43.6 million states.
pub fn many_boxes(boxes: usize) -> String {
    let upper = (1..=6).map(|n| format!("[[box]]\nid = \"{n}\"\npattern = \"face\"\nface = {n}\n"));
    let lower = (8..=boxes).map(|n| format!("[[box]]\nid = \"c{n}\"\npattern = \"chance\"\n"));
    let all_equal = "[[box]]\nid = \"y\"\npattern = \"sets\"\nof = [6]\npays = 100\n".to_string();
    let boxes: String = upper.chain([all_equal]).chain(lower).collect();
    let bonus = "[upper_bonus]\nthreshold = 84\npoints = 50\n";
    let extra = "[extra]\nbox = \"y\"\npoints = 1000\njoker = \"used\"\n";
    format!("dice = 6\nfaces = 6\nrolls = 3\n{bonus}{extra}{boxes}")
}
