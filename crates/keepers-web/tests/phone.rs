//! A server for phones: without the access token nobody gets in.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;

use keepers_web::{Qr, Settings, Token};
use serde_json::Value;

/// Sends a request with these header lines, and returns the status, the head and the body.
fn send(server: &common::Remote, request: &str, headers: &[&str], body: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let length = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let host = server.address;
    write!(stream, "{request} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{lines}{length}\r\n{body}")
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), head.to_ascii_lowercase(), body.to_string())
}

fn with_token(token: &Token) -> impl FnOnce(Settings) -> Settings {
    let token = token.clone();
    |settings| Settings { token: Some(token), ..settings }
}

#[test]
fn without_the_token_every_request_is_refused_in_one_sentence() {
    let token = Token::random().unwrap();
    let server = common::start_with(with_token(&token));
    let almost = format!("{}0", &token.as_str()[..31]);
    let longer = format!("{}0", token.as_str());
    let upper = token.as_str().to_uppercase();
    for wrong in ["", "0", &almost, &longer, &upper] {
        if wrong == token.as_str() {
            continue; // The last digit of the token happens to be 0, or it has no letters.
        }
        for request in
            ["GET /", "GET /api/v1/status", "GET /api/v1/phone", "GET /assets/none", "DELETE /api/v1/jobs/1"]
        {
            for header in [
                format!("cookie: keepers-access={wrong}"),
                format!("authorization: Bearer {wrong}"),
                "x-none: 1".to_string(),
            ] {
                let (status, head, body) = send(&server, request, &[&header], "");
                assert_eq!(status, 401, "{request} {header}");
                let body: Value = serde_json::from_str(&body).unwrap();
                assert_eq!(
                    body["error"],
                    "this server needs an access token: scan the QR code, or open the address, that keepers serve printed"
                );
                assert!(!head.contains("set-cookie") && !head.contains(token.as_str()));
            }
        }
        let (status, head, _) = send(&server, &format!("GET /?token={wrong}"), &[], "");
        assert_eq!(status, 401);
        assert!(!head.contains("set-cookie"));
    }
    let (status, ..) = send(&server, "POST /api/v1/value", &["content-type: application/json"], "{}");
    assert_eq!(status, 401);
}

#[test]
fn the_token_in_the_address_becomes_a_cookie() {
    let token = Token::random().unwrap();
    let server = common::start_with(with_token(&token));
    let asked = format!("GET //evil.example/?a=1&token={}&b=2", token.as_str());
    let (status, head, _) = send(&server, &asked, &[], "");
    assert_eq!(status, 303);
    assert!(head.contains("\r\nlocation: /evil.example/?a=1&b=2\r\n"), "it stays on this server: {head}");
    let (status, head, _) = send(&server, &format!("GET /?token={}", token.as_str()), &[], "");
    assert_eq!(status, 303);
    assert!(head.contains("\r\nlocation: /\r\n"), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("httponly") && cookie.contains("samesite=lax"), "{cookie}");
    let cookie = format!("cookie: theme=dark; {}", cookie.split(';').next().unwrap());
    let (status, _, page) = send(&server, "GET /", &[&cookie], "");
    assert!(status == 200 && page.contains("<!doctype html>"), "{status}");
    let headers = [cookie.as_str(), "content-type: application/json"];
    let (status, _, card) = send(&server, "POST /api/v1/card", &headers, "{\"card\":\"1=3\"}");
    assert!(status == 200 && card.contains("\"total\":3"), "{status} {card}");
    let bearer = format!("authorization: Bearer {}", token.as_str());
    assert_eq!(send(&server, "GET /api/v1/status", &[&bearer], "").0, 200);

    let (status, _, phone) = send(&server, "GET /api/v1/phone", &[&cookie], "");
    assert_eq!(status, 200);
    let phone: Value = serde_json::from_str(&phone).unwrap();
    let address = format!("http://{}/?token={}", server.address, token.as_str());
    assert_eq!(phone["enabled"], true);
    assert_eq!(phone["address"], address);
    let rows: Vec<&str> =
        phone["modules"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    assert_eq!(rows, Qr::new(&address).unwrap().rows());
    assert!(phone["svg"].as_str().unwrap().starts_with("<svg "));
}

#[test]
fn without_phones_the_server_needs_no_token() {
    let server = common::start();
    assert!(server.address.ip().is_loopback());
    assert_eq!(send(&server, "GET /", &[], "").0, 200);
    assert_eq!(send(&server, "GET /?token=1", &[], "").0, 200);
    let (status, _, phone) = send(&server, "GET /api/v1/phone", &[], "");
    assert_eq!(status, 200);
    assert_eq!(
        serde_json::from_str::<Value>(&phone).unwrap(),
        serde_json::json!({ "enabled": false, "address": null, "svg": null, "modules": null })
    );
}

#[test]
fn tokens_are_random_and_not_shown() {
    let [first, second] = [(); 2].map(|()| Token::random().unwrap());
    assert_eq!(first.as_str().len(), 32);
    assert_ne!(first.as_str(), second.as_str());
    assert!(!format!("{first:?}").contains(first.as_str()));
}

#[test]
fn a_qr_code_has_its_three_corners_and_the_same_modules_in_every_form() {
    let qr = Qr::new("http://192.0.2.7:4949/?token=0123456789abcdef0123456789abcdef").unwrap();
    let rows = qr.rows();
    let size = rows.len();
    assert!(rows.iter().all(|row| row.len() == size));
    // The finder patterns: a dark ring of seven, a light ring, a dark square of three.
    let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
    for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
        for (nth, expected) in finder.iter().enumerate() {
            assert_eq!(&rows[top + nth][left..left + 7], *expected);
        }
    }
    let dark = rows.iter().flat_map(|row| row.chars()).filter(|module| *module == '1').count();
    assert_eq!(qr.svg().matches("h1v1h-1z").count(), dark);
    let lines = qr.lines();
    assert_eq!(lines.len(), (size + 8).div_ceil(2));
    let drawn: usize = lines
        .iter()
        .flat_map(|line| line.chars())
        .map(|half| match half {
            '█' => 2,
            ' ' => 0,
            _ => 1,
        })
        .sum();
    assert_eq!(drawn, dark);
}
