//! Opens stores in S3 and compatible services.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{ClientConfigKey, ClientOptions, HeaderMap, HeaderValue};

use crate::store::{Opened, reason};
use crate::upload::Uploads;

/// The time for a request. The default of 30 s is too short for large objects and slow networks.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Opens `s3://bucket/path`. Returns the reason if the address or the environment is not valid.
pub(crate) fn open(address: &str) -> Result<Opened, String> {
    let url = url::Url::parse(address).map_err(|error| error.to_string())?;
    let prefix = Path::from_url_path(url.path()).map_err(|error| error.to_string())?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it must be s3://bucket/path".into());
    }
    check_endpoint()?;
    let build = |client: AmazonS3Builder| -> Result<Arc<AmazonS3>, String> {
        Ok(Arc::new(client.build().map_err(|error| reason(&error))?))
    };
    let store = build(client(address, HeaderMap::new()))?;
    // The library completes uploads without a condition, so a second client adds it.
    let mut condition = HeaderMap::new();
    condition.insert("if-none-match", HeaderValue::from_static("*"));
    let complete = build(client(address, condition).with_credentials(Arc::clone(store.credentials())))?;
    let largest_put = Uploads::largest_put()?;
    let uploads = Some(Uploads { parts: store.clone(), complete, largest_put });
    Ok(Opened { store, prefix, folder: None, uploads })
}

/// Checks the endpoint in the environment, which the library does not do before it sends a request.
fn check_endpoint() -> Result<(), String> {
    let builder = AmazonS3Builder::from_env();
    let given = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    let Some(endpoint) = given.iter().find_map(|key| builder.get_config_value(key)) else { return Ok(()) };
    let allows_http = options().get_config_value(&ClientConfigKey::AllowHttp).as_deref() == Some("true");
    endpoint_error(&endpoint, allows_http).map_or(Ok(()), Err)
}

/// Returns what is wrong with an endpoint.
fn endpoint_error(endpoint: &str, allows_http: bool) -> Option<String> {
    match url::Url::parse(endpoint) {
        Ok(url) if url.scheme() == "https" => None,
        Ok(url) if url.scheme() == "http" && allows_http => None,
        Ok(url) if url.scheme() == "http" => {
            Some(format!("the endpoint {endpoint} is not encrypted: use https, or set AWS_ALLOW_HTTP=true"))
        }
        _ => Some(format!("the endpoint {endpoint} is not a URL: AWS_ENDPOINT must be https://host")),
    }
}

/// Configures a client from the environment. All its requests have the given headers.
fn client(address: &str, headers: HeaderMap) -> AmazonS3Builder {
    AmazonS3Builder::from_env().with_url(address).with_client_options(options().with_default_headers(headers))
}

/// Returns the settings of connections in the environment.
fn options() -> ClientOptions {
    let mut options = ClientOptions::new().with_timeout(TIMEOUT);
    for (name, value) in std::env::vars_os() {
        if let (Some(name), Some(value)) = (name.to_str(), value.to_str())
            && name.starts_with("AWS_")
            && let Ok(AmazonS3ConfigKey::Client(key)) = name.to_ascii_lowercase().parse()
        {
            options = options.with_config(key, value);
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io::{BufRead, BufReader, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;
    use crate::store::ObjectFolder;

    const CONTENT: &str = "0123456789";
    const LIST: &str = "<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated><Contents><Key>game/a</Key>\
        <LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>10</Size></Contents></ListBucketResult>";

    /// Answers one request. The answers have no entity tag, so the library does not continue those that are cut off.
    fn serve(client: &TcpStream, seen: &mut HashSet<String>) {
        let head: Vec<String> = BufReader::new(client)
            .lines()
            .map(|line| line.unwrap().to_ascii_lowercase())
            .take_while(|line| !line.is_empty())
            .collect();
        let range = head.iter().find_map(|line| line.strip_prefix("range: bytes=")).map(str::to_string);
        let (first, last) = range.as_deref().and_then(|range| range.split_once('-')).unwrap_or(("0", "9"));
        let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
        let mut answer = match &range {
            Some(_) => format!("HTTP/1.1 206 Partial Content\r\ncontent-range: bytes {first}-{last}/10\r\n"),
            None => "HTTP/1.1 200 OK\r\n".into(),
        };
        let body = if head[0].contains("list-type=2") { LIST } else { &CONTENT[first..=last] };
        answer += "last-modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nconnection: close\r\n";
        answer += &format!("content-length: {}\r\n\r\n", body.len());
        if head[0].starts_with("get ") {
            let is_first = seen.insert(format!("{} {range:?}", head[0]));
            answer += if is_first { &body[..body.len() / 2] } else { body };
        }
        let mut client = client;
        client.write_all(answer.as_bytes()).unwrap();
    }

    #[test]
    fn an_endpoint_is_a_url_with_or_without_encryption() {
        assert_eq!(endpoint_error("https://s3.example.org", false), None);
        assert_eq!(endpoint_error("http://127.0.0.1:9000", true), None);
        let message = endpoint_error("http://127.0.0.1:9000", false).unwrap();
        assert!(message.ends_with("use https, or set AWS_ALLOW_HTTP=true"), "{message}");
        for endpoint in ["nowhere", "127.0.0.1:9000", "ftp://host", ""] {
            let message = endpoint_error(endpoint, true).unwrap();
            assert!(message.contains("is not a URL"), "{message}");
        }
    }

    #[test]
    fn an_answer_that_was_cut_off_is_requested_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let mut seen = HashSet::new();
            for client in listener.incoming() {
                serve(&client.unwrap(), &mut seen);
            }
        });
        let client = AmazonS3Builder::new().with_bucket_name("bucket").with_region("us-east-1");
        let client = client.with_access_key_id("key").with_secret_access_key("secret");
        let store = Arc::new(client.with_endpoint(endpoint).with_allow_http(true).build().unwrap());
        let uploads = Some(Uploads { parts: store.clone(), complete: store.clone(), largest_put: 1 << 20 });
        let opened = Opened { store, prefix: Path::from("game"), folder: None, uploads };
        let folder = ObjectFolder::of(opened, "s3://bucket/game").unwrap();
        assert_eq!(folder.get("a").unwrap().as_deref(), Some(CONTENT.as_bytes()));
        assert_eq!(folder.ranges([("a", 2..8), ("b", 1..9)]).unwrap(), ["234567", "12345678"]);
        let tails = folder.tails(&["a".into()], 4).unwrap();
        let tail = tails[0].as_ref().unwrap();
        assert_eq!((tail.size, tail.bytes.as_slice()), (10, b"6789".as_slice()));
        assert_eq!(folder.list("").unwrap(), [("a".to_string(), 10)]);
        // What was cut off does not count.
        assert_eq!((folder.io().reads, folder.io().read_bytes), (4, 28));
    }
}
