//! The golden file, checked through the program: by `keepers ask`, and by the commands with their options.

#[path = "../../keepers-api/tests/parity/mod.rs"]
mod parity;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn keepers(cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keepers"));
    command.env("KEEPERS_CACHE", cache).env("KEEPERS_QUIET", "1");
    command
}

#[test]
fn every_request_of_the_golden_file_has_its_answer_through_keepers_ask() {
    let cache = tempfile::tempdir().unwrap();
    let golden = parity::golden();
    let asked = |line: &parity::Golden| format!("{}\n", json!({ "ask": line.ask, "request": line.request }));
    let input: String = golden.iter().map(asked).collect();
    let mut command = keepers(cache.path());
    command.args(["ask", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(output.status.code(), Some(2), "some requests are refused");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), golden.len());
    for (golden, line) in golden.into_iter().zip(text.lines()) {
        let found: Value = serde_json::from_str(line).unwrap();
        let expected = golden.expected.unwrap_or_else(|refusal| refusal);
        assert_eq!(
            parity::masked(found),
            expected,
            "line {}: {} {}",
            golden.line,
            golden.ask,
            golden.request
        );
    }
}

#[test]
fn every_request_that_options_can_say_has_its_answer_through_the_commands() {
    let cache = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut checked = std::collections::BTreeMap::<String, usize>::new();
    let mut differences = Vec::new();
    for golden in parity::golden() {
        let Some(args) = arguments(&golden.ask, &golden.request, folder.path()) else { continue };
        let output = keepers(cache.path()).current_dir(&folder).arg("--json").args(&args).output().unwrap();
        if let Some(difference) = difference(&golden, &output) {
            differences.push(format!("line {}: {args:?} {difference}", golden.line));
        }
        *checked.entry(golden.ask).or_default() += 1;
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    // Every question can be asked by a command.
    let missing: Vec<&&str> =
        keepers_api::QUESTIONS.iter().filter(|name| !checked.contains_key(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(checked.values().sum::<usize>() >= 300, "{checked:?}");
}

/// What is wrong with the output of a command. Returns `None` if it is right.
fn difference(golden: &parity::Golden, output: &Output) -> Option<String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    match &golden.expected {
        Ok(_) if code != Some(0) => Some(format!("ends with {code:?}: {stderr}")),
        Ok(answer) => {
            let Ok(mut found) = serde_json::from_slice::<Value>(&output.stdout) else {
                return Some("prints no JSON".to_string());
            };
            if answer.get("file").is_none() {
                // The program names the file of a record, which the request need not.
                found.as_object_mut()?.remove("file");
            }
            let found = parity::masked(found);
            (found != *answer)
                .then(|| format!("prints {}", found.to_string().chars().take(300).collect::<String>()))
        }
        Err(_) if code != Some(2) || !output.stdout.is_empty() => {
            Some(format!("ends with {code:?}: {stderr}"))
        }
        Err(refusal) => {
            let problems =
                refusal["problems"].as_array()?.iter().filter_map(|problem| problem["message"].as_str());
            let lacking: Vec<&str> = problems.filter(|message| !stderr.contains(message)).collect();
            (!lacking.is_empty()).then(|| format!("{stderr} lacks {lacking:?}"))
        }
    }
}

/// The command that asks the same question. Returns `None` where the options cannot say it: fields of the wrong type,
/// records in the answer, and names of utilities that are not those of files.
fn arguments(ask: &str, request: &Value, folder: &Path) -> Option<Vec<String>> {
    let fields = request.as_object()?;
    let text = |name: &str| {
        fields.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        })
    };
    let list = |name: &str| -> Option<Vec<String>> {
        let strings = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        Some(fields.get(name)?.as_array()?.iter().map(strings).collect())
    };
    let file = |name: &str, content: &str| {
        std::fs::write(folder.join(name), content).unwrap();
        name.to_string()
    };
    let mut args: Vec<String> = match ask {
        "equilibrium" => vec!["tournament".into(), "--opponent".into(), "self".into()],
        "rules-list" => vec!["rules".into()],
        "rules" => vec!["rules".into(), "show".into()],
        ask => vec![ask.into()],
    };
    // Without these fields the request is malformed, and with others it is not one of the program's.
    // The parser of options refuses some requests by itself, in its own words.
    let refused_by_options = ask == "reach"
        && fields.contains_key("rolls_left") != fields.contains_key("roll")
        || ask == "reach" && fields.contains_key("roll") && fields.contains_key("precise")
        || ask == "equilibrium" && fields["gap"] == json!(2.0)
        || ask == "tournament" && fields.contains_key("seed") && !fields.contains_key("same_dice")
        || ask == "states" && fields.get("players") == Some(&json!(3))
        || ask == "outlook" && fields.get("rolls_left") == Some(&json!(0));
    let unsayable = refused_by_options
        || text("rules").is_some_and(|rules| rules == "chess")
        || fields.get("card").is_some_and(|card| !card.is_string())
        || fields.contains_key("colour")
        || ask == "advise" && !fields.contains_key("roll")
        || ask == "match" && fields.contains_key("records")
        || ask == "compare" && fields["records"].as_array()?.is_empty()
        || ask == "advise" && fields.contains_key("chosen") && !fields.contains_key("why")
        || ask == "outlook" && fields["choices"].as_array()?.is_empty()
        || ask == "puzzle"
            && (text("difficulty").is_some_and(|name| name == "brutal")
                || text("theme").is_some_and(|name| name == "luck")
                || fields["seed"] == json!(-1))
        || ask == "puzzle"
            && text("seed").is_some_and(|seed| seed.len() == 20 && seed > u64::MAX.to_string())
        || ask == "choose" && text("seed").is_some_and(|seed| seed == "x")
        || ask == "value" && text("utility").is_some() && text("objective").is_none()
        || text("against").is_some() && text("objective").is_none_or(|objective| objective != "win")
        || text("objective").is_some_and(|objective| objective == "win" || objective == "utility")
            && list("against").is_none_or(|against| against.is_empty())
            && text("utility").is_none_or(|utility| utility == "null")
            && ask != "review"
        || matches!(ask, "distribution" | "simulate") && text("utility").is_some()
        || text("strategy").is_some_and(|strategy| strategy == "utility:none" || strategy == "win")
        || text("objective").is_some_and(|objective| objective == "luck")
        || ask == "puzzle" && text("objective").is_some_and(|objective| objective != "expected");
    if unsayable {
        return None;
    }
    let mut option = |name: &str, value: String| args.extend([format!("--{name}"), value]);
    for (name, utility) in fields.get("utilities").and_then(Value::as_object).into_iter().flatten() {
        file(name, utility.as_str()?);
    }
    for name in fields.keys() {
        let value = || text(name).expect("it is there");
        match (name.as_str(), fields[name].clone()) {
            ("utilities", _) | (_, Value::Null) => {}
            ("rules", _) if ask == "rules" => {}
            ("rules", Value::String(rules)) | ("judge", Value::String(rules)) if rules.contains('=') => {
                option(name, file("given.toml", &rules));
            }
            ("card", _) if ["value", "cost", "card"].contains(&ask) => {}
            ("utility", Value::String(utility)) => {
                option("objective", format!("utility:{}", file("u.csv", &utility)))
            }
            ("objective", Value::String(objective)) if objective == "utility" => {}
            ("objective", Value::String(objective)) if objective == "win" && ask != "review" => {}
            ("against", _) => list(name)?.into_iter().for_each(|card| option("against", card)),
            ("cards", _) => list(name)?.into_iter().for_each(|card| option("cards", card)),
            ("given", _) => option("opponents", value()),
            ("seconds", _) => option("time", value()),
            ("opponents" | "players" | "strategies", Value::Array(_)) => option(name, list(name)?.join(",")),
            ("choices", Value::Array(choices)) => {
                let choice =
                    |choice: &Value| choice["keep"].as_str().or(choice["score"].as_str()).map(String::from);
                option(name, choices.iter().map(choice).collect::<Option<Vec<_>>>()?.join(","));
            }
            ("opponent_scores", Value::String(scores)) => {
                option("opponent-scores", file("scores.txt", &scores))
            }
            ("chosen", choice) => option(name, choice["keep"].as_str().or(choice["score"].as_str())?.into()),
            ("why", Value::Bool(true)) if ask == "puzzle" => args_flag(&mut option, "answer"),
            ("record" | "records", _) | ("file", _) => {}
            ("afresh", _) if ask == "solve" => {}
            (_, Value::Bool(true)) => args_flag(&mut option, name),
            (_, Value::Bool(false)) => {}
            _ => option(&name.replace('_', "-"), value()),
        }
    }
    if ask == "rules" {
        let rules = text("rules")?;
        args.push(if rules.contains('=') { file("given.toml", &rules) } else { rules });
    }
    if ["value", "cost", "card"].contains(&ask) {
        args.push(text("card").unwrap_or_default());
    }
    if ask == "review" {
        args.push(file(&text("file").unwrap_or_else(|| "given.game".into()), &text("record")?));
    }
    if ask == "compare" {
        let files = list("records")?.into_iter().enumerate();
        args.extend(files.map(|(nth, record)| file(&format!("compared-{nth:02}.game"), &record)));
    }
    // A flag has no value.
    args.retain(|arg| arg != "\0");
    Some(args)
}

fn args_flag(option: &mut impl FnMut(&str, String), name: &str) {
    option(&name.replace('_', "-"), "\0".to_string());
}
