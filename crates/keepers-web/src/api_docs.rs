//! `/docs`: the OpenAPI description as an HTML page without scripts.

use std::fmt::Write;

use serde_json::Value;
use utoipa::openapi::OpenApi;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
    color-scheme:light dark}pre{background:#8882;padding:.75rem;overflow:auto;border-radius:.5rem;font-size:14px}\
    code{font-family:ui-monospace,monospace}h2{margin-top:2.5rem;border-top:1px solid #8886;padding-top:1rem}\
    table{border-collapse:collapse}td{padding:.2rem .8rem .2rem 0;vertical-align:top}";

/// Formats the description as HTML.
pub fn page(api: &OpenApi) -> String {
    let api = serde_json::to_value(api).unwrap_or_default();
    let mut out = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>Keepers: the HTTP API</title><style>{STYLE}</style><h1>The HTTP API of Keepers</h1>\
         <p>{}</p><p>For programs: <a href=openapi.json>openapi.json</a> (OpenAPI 3.1).</p>",
        escaped(text(&api["info"]["description"]))
    );
    let no_paths = serde_json::Map::new();
    for (path, methods) in api["paths"].as_object().unwrap_or(&no_paths) {
        for (method, operation) in methods.as_object().unwrap_or(&no_paths) {
            one(&mut out, &api, path, method, operation);
        }
    }
    out + "</html>\n"
}

fn one(out: &mut String, api: &Value, path: &str, method: &str, operation: &Value) {
    let mut put =
        |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("writing to a string does not fail");
    let (method, path) = (method.to_uppercase(), escaped(path));
    put(format_args!("<h2><code>{method} {path}</code></h2><p>{}.", escaped(text(&operation["summary"]))));
    put(format_args!(" {}</p>", escaped(text(&operation["description"]))));
    let content = &operation["requestBody"]["content"]["application/json"];
    if let Some(example) = example(api, content) {
        put(format_args!("<p>For example:</p><pre>{}</pre>", escaped(&example)));
        put(format_args!("{}", fields(api, &content["schema"])));
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let meaning = escaped(text(&response["description"]));
        put(format_args!("<p><code>{status}</code> {meaning}</p>"));
        let shown = status.starts_with('2').then(|| example(api, &response["content"]["application/json"]));
        if let Some(example) = shown.flatten() {
            put(format_args!("<pre>{}</pre>", escaped(&example)));
        }
    }
}

/// Formats the fields of a request, one per line.
fn fields(api: &Value, schema: &Value) -> String {
    let schema = resolved(api, schema);
    let one = |(name, field): (&String, &Value)| {
        format!("<tr><td><code>{}</code><td>{}", escaped(name), escaped(text(&field["description"])))
    };
    let rows: String = schema["properties"].as_object().into_iter().flatten().map(one).collect();
    format!("<table>{rows}</table>")
}

fn example(api: &Value, content: &Value) -> Option<String> {
    let schema = resolved(api, &content["schema"]);
    let found = [&content["example"], &schema["example"], &schema["examples"][0]];
    let found = found.into_iter().find(|example| !example.is_null())?;
    serde_json::to_string_pretty(found).ok()
}

/// Returns the schema itself, or the one that it refers to.
fn resolved<'a>(api: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &api["components"]["schemas"][name])
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
