//! The golden file, checked over HTTP: the same requests are checked through the library and the program.

mod common;
#[path = "../../keepers-api/tests/parity/mod.rs"]
mod parity;

#[test]
fn every_request_of_the_golden_file_has_its_answer_over_http() {
    let server = common::start();
    for golden in parity::golden() {
        let asked = match golden.ask.as_str() {
            "players" => server.get("/api/v1/players"),
            "rules-list" => server.get("/api/v1/rules"),
            ask => server.post(&format!("/{ask}"), &golden.request),
        };
        let answer = server.finished(asked);
        let found = match answer.status {
            200 => Ok(parity::masked(answer.json())),
            422 => Err(answer.json()),
            status => panic!("line {}: {} answers {status}: {}", golden.line, golden.ask, answer.text),
        };
        assert_eq!(found, golden.expected, "line {}: {} {}", golden.line, golden.ask, golden.request);
    }
}
