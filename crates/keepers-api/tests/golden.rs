//! The golden file, checked through the library: the same requests are checked through the program and over HTTP.

mod parity;

use keepers::{Engine, Silent, Store};
use keepers_api::{QUESTIONS, Service};
use serde_json::Value;

#[test]
fn every_request_of_the_golden_file_has_its_answer() {
    let service = Service::new(Engine::new(Store::none()));
    for golden in parity::golden() {
        let json = serde_json::to_vec(&golden.request).unwrap();
        let found = match service.ask(&golden.ask, &json, &Silent) {
            Ok(answer) => Ok(parity::masked(serde_json::from_slice::<Value>(&answer).unwrap())),
            Err(refusal) => Err(serde_json::to_value(refusal.body()).unwrap()),
        };
        assert_eq!(found, golden.expected, "line {}: {} {}", golden.line, golden.ask, golden.request);
    }
}

#[test]
fn the_golden_file_has_many_requests_of_every_kind() {
    let golden = parity::golden();
    assert!(golden.len() >= 300, "{}", golden.len());
    for name in QUESTIONS {
        assert!(golden.iter().any(|line| line.ask == *name && line.expected.is_ok()), "{name}");
    }
    assert!(golden.iter().filter(|line| line.expected.is_err()).count() >= 50);
}
