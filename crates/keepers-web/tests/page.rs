//! The page, the headers of every answer, and which requests are answered.

mod common;

use std::net::{IpAddr, Ipv4Addr};

use common::{start, start_with};
use keepers_web::Settings;

#[test]
fn the_page_and_its_files_are_there() {
    let server = start();
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), "no-cache");
    assert_eq!(server.get("/index.html").text, page.text);
    let tag = page.header("etag");
    let again = server.ask("GET", "/", &[("if-none-match", tag)], "");
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    // Files with a hash in their names never change.
    let script = page.text.split('"').find(|part| part.contains("assets/") && part.ends_with(".js")).unwrap();
    let script = server.get(script.trim_start_matches('.'));
    assert_eq!((script.status, script.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert!(script.header("cache-control").contains("immutable"));
    for path in ["/nothing", "/../Cargo.toml", "/assets/", "/%2e%2e/Cargo.toml", "//"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let head = server.ask("HEAD", "/", &[], "");
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

#[test]
fn every_answer_is_guarded() {
    let server = start();
    for path in ["/", "/api/v1/status", "/api/v1/nothing", "/nothing", "/api/v1/docs", "/api/v1/openapi.json"]
    {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        assert!(policy.ends_with("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
}

#[test]
fn names_of_others_do_not_lead_here() {
    let server = start();
    let port = server.address.port();
    let ask = |host: &str| server.ask("GET", "/api/v1/status", &[("host", host)], "").status;
    for host in ["localhost", "127.0.0.1", "LOCALHOST", "[::1]"] {
        assert_eq!(ask(host), 200, "{host}");
        assert_eq!(ask(&format!("{host}:{port}")), 200, "{host}");
    }
    for host in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1.evil.example", "localhost.", "0.0.0.0"]
    {
        assert_eq!(ask(host), 421, "{host}");
    }
    // A client that sends two is not a browser, whatever the first one says.
    let second = format!("localhost:{port}");
    let two = server.ask("GET", "/api/v1/status", &[("host", &second), ("host", "evil.example")], "");
    assert_eq!(two.status, 400, "{}", two.text);
    let open = start_with(|settings| Settings { host: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..settings });
    let request = "GET /api/v1/status HTTP/1.1\r\nhost: my.example\r\nconnection: close\r\n\r\n";
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", open.address.port())).unwrap();
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut stream, &mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}

#[test]
fn another_origin_may_ask_if_it_is_allowed() {
    let ours = "http://localhost:5173";
    let server = start_with(|settings| Settings { allowed_origin: Some(ours.parse().unwrap()), ..settings });
    let asked = [("origin", ours), ("access-control-request-method", "POST")];
    let before = server.ask("OPTIONS", "/api/v1/card", &asked, "");
    assert_eq!((before.status, before.header("access-control-allow-origin")), (204, ours));
    assert!(before.header("access-control-allow-headers").contains("content-type"));
    let answer = server.ask("GET", "/api/v1/status", &[("origin", ours)], "");
    assert_eq!(answer.header("access-control-allow-origin"), ours);
    let other = server.ask("GET", "/api/v1/status", &[("origin", "http://evil.example")], "");
    assert_eq!(other.header("access-control-allow-origin"), "");
    // By default no origin is allowed.
    let closed = start();
    assert_eq!(closed.ask("OPTIONS", "/api/v1/card", &asked, "").status, 405);
}

#[test]
fn a_port_that_is_in_use_is_an_error() {
    let server = start();
    let settings = Settings { port: Some(server.address.port()), ..Settings::new(keepers::Store::none()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bound = runtime.block_on(keepers_web::Server::bind(settings));
    assert_eq!(bound.err().map(|error| error.kind()), Some(std::io::ErrorKind::AddrInUse));
}
