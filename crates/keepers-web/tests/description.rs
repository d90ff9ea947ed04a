//! The description of the interface: complete, with examples that hold, and the same as the page's.

mod common;

use common::start;
use serde_json::Value;

fn described() -> Value {
    serde_json::from_str(&keepers_web::description()).unwrap()
}

/// Each operation with its path and method.
fn operations(api: &Value) -> Vec<(String, String, Value)> {
    let of_path = |(path, methods): (&String, &Value)| {
        let of_method =
            |(method, operation): (&String, &Value)| (path.clone(), method.clone(), operation.clone());
        methods.as_object().unwrap().iter().map(of_method).collect::<Vec<_>>()
    };
    api["paths"].as_object().unwrap().iter().flat_map(of_path).collect()
}

fn example(api: &Value, content: &Value) -> Option<Value> {
    let name = content["schema"]["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let schema = name.map_or(&content["schema"], |name| &api["components"]["schemas"][name]);
    [&content["example"], &schema["example"]].into_iter().find(|example| !example.is_null()).cloned()
}

#[test]
fn the_page_has_the_same_description() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    let hint = "cargo run -p keepers-web --example openapi > web/openapi.json";
    assert!(kept == keepers_web::description(), "web/openapi.json is not up to date: {hint}");
}

#[test]
fn every_request_and_every_answer_has_an_example() {
    let api = described();
    assert!(api["openapi"].as_str().unwrap().starts_with("3.1"));
    for (path, method, operation) in operations(&api) {
        assert!(operation["summary"].is_string(), "{method} {path}");
        if method == "post" {
            let content = &operation["requestBody"]["content"]["application/json"];
            assert!(example(&api, content).is_some(), "{method} {path}: no example of a request");
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            for (kind, content) in response["content"].as_object().into_iter().flatten() {
                assert!(example(&api, content).is_some(), "{method} {path}: no example of {status} {kind}");
            }
        }
    }
}

#[test]
fn every_example_of_a_request_is_answered() {
    let server = start();
    let api = described();
    for (path, method, operation) in operations(&api) {
        let content = &operation["requestBody"]["content"]["application/json"];
        if let Some(example) = example(&api, content).filter(|_| method == "post") {
            let answer = server.answer(&path, &example);
            assert!(answer.is_object(), "{path}");
        }
    }
}

#[test]
fn the_description_can_be_read_by_people_and_programs() {
    let server = start();
    let text = server.get("/api/v1/openapi.json");
    assert_eq!(text.header("content-type"), "application/json");
    assert_eq!(text.text, keepers_web::description());
    let page = server.get("/api/v1/docs");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    for (path, _, operation) in operations(&described()) {
        let path = path.replace('<', "&lt;");
        assert!(page.text.contains(&path) && page.text.contains(operation["summary"].as_str().unwrap()));
    }
    assert!(!page.text.contains("<script"));
}
