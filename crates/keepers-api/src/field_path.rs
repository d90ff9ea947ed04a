//! The field of a request that is wrong.
//!
//! serde describes an error, but not the field that has it. The field is found by asking again: a request that consists of
//! that field alone has the same error.

use serde_json::{Map, Value};

/// Returns the path of the part of a request that has an error, like `choices[1].keep`. The path of the whole request is
/// empty. `error_of` returns the error of another request.
pub(crate) fn wrong_field(request: &Value, error_of: &dyn Fn(&Value) -> Option<String>) -> String {
    let mut path: Vec<Step> = Vec::new();
    let Some(error) = error_of(request) else { return String::new() };
    let has_error = |path: &[Step], part: Value| error_of(&within(path, part)).as_ref() == Some(&error);
    let mut part = request;
    loop {
        let next = match part {
            // If nothing inside is needed for the error, the object or the array itself is wrong.
            Value::Object(_) if has_error(&path, Value::Object(Map::new())) => None,
            Value::Array(_) if has_error(&path, Value::Array(Vec::new())) => None,
            Value::Object(fields) => fields
                .iter()
                .map(|(key, field)| (Step::Key(key.clone()), field))
                .find(wrong(&path, &has_error)),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(nth, item)| (Step::Item(nth), item))
                .find(wrong(&path, &has_error)),
            _ => None,
        };
        let Some((step, found)) = next else { break };
        // An object with one key can also be a variant, which is no field.
        if matches!(&step, Step::Key(key) if error.starts_with(&format!("unknown variant `{key}`"))) {
            break;
        }
        path.push(step);
        part = found;
    }
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) if text.is_empty() => text = key,
            Step::Key(key) => text = format!("{text}.{key}"),
            Step::Item(nth) => text = format!("{text}[{nth}]"),
        }
    }
    text
}

/// A step from an object to a field, or from an array to an item.
enum Step {
    Key(String),
    Item(usize),
}

impl Step {
    /// Returns an object or an array that has nothing else.
    fn around(&self, part: Value) -> Value {
        match self {
            Step::Key(key) => Value::Object(Map::from_iter([(key.clone(), part)])),
            Step::Item(_) => Value::Array(vec![part]),
        }
    }
}

/// Returns the request that has this part at the end of a path, and nothing else.
fn within(path: &[Step], part: Value) -> Value {
    path.iter().rev().fold(part, |part, step| step.around(part))
}

/// Returns whether the error remains if a part has only this field or item.
fn wrong(path: &[Step], has_error: &dyn Fn(&[Step], Value) -> bool) -> impl FnMut(&(Step, &Value)) -> bool {
    move |(step, part)| has_error(path, step.around((*part).clone()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::service::error_of;
    use crate::*;

    /// Reads a request, and returns the field that is found, and the one that `serde_path_to_error` tracked.
    fn fields<Q: Question>(json: &str) -> Option<(String, String)> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let error = serde_path_to_error::deserialize::<_, Q>(&mut reader).err()?;
        let path = error.path().to_string();
        if !error.into_inner().is_data() {
            return None;
        }
        let found = wrong_field(&serde_json::from_str(json).unwrap(), &error_of::<Q>);
        Some((found, path.trim_matches('.').to_string()))
    }

    fn fields_of(question: &str, json: &str) -> Option<(String, String)> {
        macro_rules! dispatch {
            ($($request:ty),* $(,)?) => {
                match question {
                    $(<$request as Question>::NAME => fields::<$request>(json),)*
                    _ => None,
                }
            };
        }
        crate::service::questions!(dispatch)
    }

    /// Replaces every value in turn by every one of `others`, and adds an unknown key to every object.
    fn spoil(value: &Value, others: &[Value], found: &mut Vec<Value>) {
        found.extend(others.iter().cloned());
        match value {
            Value::Object(fields) => {
                let mut longer = fields.clone();
                longer.insert("a \\ \"quoted\" field".to_string(), json!([{}]));
                found.push(Value::Object(longer));
                for (key, field) in fields {
                    let mut spoiled = Vec::new();
                    spoil(field, others, &mut spoiled);
                    found.extend(spoiled.into_iter().map(|spoiled| {
                        let mut fields = fields.clone();
                        fields.insert(key.clone(), spoiled);
                        Value::Object(fields)
                    }));
                }
            }
            Value::Array(items) => {
                for (nth, item) in items.iter().enumerate().take(3) {
                    let mut spoiled = Vec::new();
                    spoil(item, others, &mut spoiled);
                    found.extend(spoiled.into_iter().map(|spoiled| {
                        let mut items = items.clone();
                        items[nth] = spoiled;
                        Value::Array(items)
                    }));
                }
            }
            _ => {}
        }
    }

    #[test]
    fn the_field_of_an_error_is_the_one_that_was_being_read() {
        let others = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1.5),
            json!(1e300),
            json!("a } ] , \" text"),
            json!([]),
            json!({}),
            json!([[1]]),
            json!([{"b": [2]}]),
            json!({"c": {"d": 3}}),
        ];
        let golden = include_str!("../../../tests/golden/parity.jsonl");
        let mut errors = 0;
        for line in golden.lines().step_by(7) {
            let line: Value = serde_json::from_str(line).unwrap();
            let (Some(question), request @ Value::Object(_)) = (line["ask"].as_str(), &line["request"])
            else {
                continue;
            };
            let mut spoiled = Vec::new();
            spoil(request, &others, &mut spoiled);
            for request in spoiled.iter().filter(|request| request.is_object()) {
                for json in [request.to_string(), serde_json::to_string_pretty(request).unwrap()] {
                    if let Some((found, tracked)) = fields_of(question, &json) {
                        assert_eq!(found, tracked, "{question}: {json}");
                        errors += 1;
                    }
                }
            }
        }
        assert!(errors > 1000, "{errors} errors");
    }
}
