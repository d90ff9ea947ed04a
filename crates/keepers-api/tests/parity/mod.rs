//! What every interface shares that checks the golden file.

#![allow(dead_code, reason = "not every interface needs all of it")]

use serde_json::Value;

/// Fields that depend on the machine or on the moment.
const VOLATILE: [&str; 5] = ["seconds", "games_per_second", "seconds_a_turn", "core_days", "threads"];

/// A line of the golden file, or an answer, without the fields that depend on the machine or on the moment.
pub fn masked(mut value: Value) -> Value {
    let is_line = value.get("ask").is_some();
    let part = if is_line { value.get_mut("answer") } else { Some(&mut value) };
    if let Some(Value::Object(fields)) = part {
        VOLATILE.iter().for_each(|field| _ = fields.remove(*field));
        // The expected scores of presets are listed once they were solved.
        if let Some(Value::Array(rules)) = fields.get_mut("rules") {
            rules.iter_mut().filter_map(Value::as_object_mut).for_each(|rules| _ = rules.remove("value"));
        }
    }
    value
}

/// A request of the golden file, and what must come of it.
pub struct Golden {
    /// The line in the file.
    pub line: usize,
    /// The question.
    pub ask: String,
    /// Its fields.
    pub request: Value,
    /// The answer, or the refusal.
    pub expected: Result<Value, Value>,
}

/// All requests of the golden file.
pub fn golden() -> Vec<Golden> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/parity.jsonl");
    let text = std::fs::read_to_string(path).expect("the golden file is there");
    let read = |(line, text): (usize, &str)| {
        let mut value: Value = serde_json::from_str(text).expect("a line is JSON");
        let mut take = |name: &str| value.get_mut(name).map(Value::take);
        let (ask, request) = (take("ask").expect("a question"), take("request").expect("its fields"));
        let expected = match (take("answer"), take("refusal")) {
            (Some(answer), None) => Ok(answer),
            (None, Some(refusal)) => Err(refusal),
            _ => panic!("line {line} has neither an answer nor a refusal, or both"),
        };
        Golden { line, ask: ask.as_str().expect("a name").to_string(), request, expected }
    };
    (1..).zip(text.lines()).map(read).collect()
}
