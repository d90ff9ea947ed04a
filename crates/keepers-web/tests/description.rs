//! The description of the interface: complete, with examples that are answered as described.

mod common;

use common::start;
use serde_json::{Value, json};

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
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    let hint = "cargo run -p keepers-web --example openapi > crates/keepers-web/openapi.json";
    assert!(kept == keepers_web::description(), "openapi.json is not up to date: {hint}");
}

/// Checks a value against a schema: types, required fields, and everything inside.
fn check(api: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let schema = &api["components"]["schemas"][name];
        assert!(schema.is_object(), "{at}: there is no schema {name}");
        return check(api, schema, value, at);
    }
    for any in ["oneOf", "anyOf"] {
        if let Some(schemas) = schema[any].as_array() {
            let failed: Vec<String> =
                schemas.iter().filter_map(|schema| check(api, schema, value, at).err()).collect();
            return if failed.len() < schemas.len() { Ok(()) } else { Err(failed.join(" or ")) };
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let is = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("{at}: unknown type {kind}"),
    };
    if !kinds.iter().any(is) {
        return Err(format!("{at}: {value} is not {kinds:?}"));
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        check(api, &schema["items"], item, &format!("{at}[{place}]"))?;
    }
    let Some(fields) = value.as_object() else { return Ok(()) };
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        if !fields.contains_key(name) {
            return Err(format!("{at}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}.{name}");
        match &schema["properties"][name] {
            Value::Null if schema["additionalProperties"].is_object() => {
                check(api, &schema["additionalProperties"], field, &at)?;
            }
            Value::Null if schema["properties"].is_object() => return Err(format!("{at} is not described")),
            described => check(api, described, field, &at)?,
        }
    }
    Ok(())
}

#[test]
fn the_check_of_answers_finds_mistakes() {
    let api = json!({});
    let schema = json!({ "type": "object", "required": ["a"], "properties": {
        "a": { "type": "array", "items": { "type": "integer" } }, "b": { "type": ["string", "null"] } } });
    let checked = |value: Value| check(&api, &schema, &value, "it").is_ok();
    assert!(checked(json!({ "a": [1, 2], "b": null })) && checked(json!({ "a": [] })));
    for wrong in [json!({}), json!([]), json!({ "a": 1 }), json!({ "a": [0.5] }), json!({ "a": [], "c": 1 })]
    {
        assert!(!checked(wrong.clone()), "{wrong}");
    }
}

#[test]
fn every_question_has_a_path() {
    let api = described();
    for name in keepers_api::QUESTIONS {
        let (path, method) = match *name {
            "rules-list" => ("/rules".to_string(), "get"),
            "players" => ("/players".to_string(), "get"),
            name => (format!("/{name}"), "post"),
        };
        let operation = &api["paths"][&path][method];
        assert!(operation["responses"]["200"].is_object(), "{method} {path}");
    }
}

#[test]
fn every_request_and_every_answer_has_an_example() {
    let api = described();
    assert!(api["openapi"].as_str().unwrap().starts_with("3.1"));
    for (path, method, operation) in operations(&api) {
        assert!(operation["summary"].is_string(), "{method} {path}");
        let request = &operation["requestBody"]["content"]["application/json"];
        assert_eq!(request.is_object(), method == "post", "{method} {path}");
        let of_request = (method == "post").then(|| ("the request".to_string(), request.clone()));
        let of_responses =
            operation["responses"].as_object().unwrap().iter().flat_map(|(status, response)| {
                let contents = response["content"].as_object().into_iter().flatten();
                contents.map(move |(kind, content)| (format!("{status} {kind}"), content.clone()))
            });
        for (what, content) in of_request.into_iter().chain(of_responses) {
            let at = format!("{method} {path}: {what}");
            let example = example(&api, &content).unwrap_or_else(|| panic!("{at} has no example"));
            check(&api, &content["schema"], &example, &at).unwrap();
        }
    }
}

#[test]
fn every_example_of_a_request_is_answered_as_described() {
    let server = start();
    let api = described();
    let mut answered = 0;
    for (path, method, operation) in operations(&api) {
        let described = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let answer = match (method.as_str(), path.as_str()) {
            ("post", _) => {
                let content = &operation["requestBody"]["content"]["application/json"];
                server.answer(&path, &example(&api, content).unwrap())
            }
            ("get", "/rules" | "/players" | "/status" | "/rules/{name}") => {
                let path = path.replace("{name}", "yahtzee");
                let answer = server.finished(server.get(&format!("/api/v1{path}")));
                assert_eq!(answer.status, 200, "{path}: {}", answer.text);
                answer.json()
            }
            _ => continue,
        };
        assert!(answer.as_object().is_some_and(|answer| !answer.is_empty()), "{path}: {answer}");
        check(&api, described, &answer, &format!("{method} {path}")).unwrap();
        answered += 1;
    }
    // With one path more for the state of the server, and another for a preset.
    assert_eq!(answered, keepers_api::QUESTIONS.len() + 2);
}

#[test]
fn refusals_and_jobs_are_as_described() {
    let server = start();
    let api = described();
    let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let refused = server.post("/card", &json!({ "card": "fh=24", "roll": "1" }));
    assert_eq!(refused.status, 422);
    check(&api, &schema("Refusal"), &refused.json(), "the refusal").unwrap();
    let accepted = server.post("/solve", &common::large_rules(91));
    assert_eq!(accepted.status, 202);
    check(&api, &schema("Accepted"), &accepted.json(), "the job").unwrap();
    assert_eq!(server.give_up(&accepted.json()), 204);
}

#[test]
fn seeds_of_20_digits_are_described_and_accepted() {
    let api = described();
    let texts = api["components"]["schemas"]["Seed"]["oneOf"].as_array().unwrap();
    let pattern = texts.iter().find_map(|of| of["pattern"].as_str()).unwrap();
    assert_eq!(pattern, "^[0-9]{1,20}$");
    let server = start();
    let largest = u64::MAX.to_string();
    assert_eq!(largest.len(), 20);
    let roll = |seed: &str| server.finished(server.post("/roll", &json!({ "rules": "yacht", "seed": seed })));
    assert_eq!(roll(&largest).status, 200);
    assert_eq!(roll("18446744073709551616").status, 422);
    assert_eq!(roll("000000000000000000001").text, roll("1").text, "leading zeros do not matter");
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
