//! `keepers serve`: serves the web app and the HTTP API.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use keepers_web::{Qr, Settings, Token, serve};
use serde::Serialize;

use crate::args::Serve;
use crate::bad_input::BadInput;
use crate::output;
use crate::session::Session;

#[derive(Serialize)]
struct Answer {
    address: String,
    /// With `--phone`: the address for a phone, with the access token.
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

pub fn run(session: &Session, args: &Serve) -> anyhow::Result<()> {
    let allowed_origin = args.allow_origin.as_deref().map(origin).transpose()?;
    let token =
        if args.phone { Some(Token::random().context("cannot create an access token")?) } else { None };
    let settings = Settings {
        host: args.host(),
        token: token.clone(),
        port: args.port,
        allowed_origin,
        idle_memory: args.idle_memory << 20,
        solutions: Some(std::sync::Arc::clone(&session.solutions)),
        curves: Some(std::sync::Arc::clone(&session.curves)),
        ..Settings::new(session.store().clone())
    };
    let mut shown = Ok(());
    let served = serve(settings, |server| {
        let host = args.host();
        if !host.is_loopback() && token.is_none() {
            output::note(&format!(
                "listening on {host}: anyone who can reach this machine can use the server"
            ));
        }
        let mut address = address_of(server.address());
        if let Some(token) = &token {
            address += &format!("?token={}", token.as_str());
        }
        shown = show(session, args, &address, server.phone_address());
        if !args.no_open {
            open_browser(&address);
        }
    });
    served.map_err(|error| cannot_listen(&error, args))?;
    shown
}

fn show(session: &Session, args: &Serve, address: &str, phone: Option<String>) -> anyhow::Result<()> {
    if session.json {
        return output::json(&Answer { address: address.to_string(), phone });
    }
    let mut text = format!("Keepers is at {address} (stop with Ctrl-C)");
    match (&phone, args.phone) {
        (Some(phone), _) => text += &on_a_phone(phone),
        (None, true) => {
            text += "\nno address for a phone: this machine is in no network; use --host with its address";
        }
        (None, false) => (),
    }
    // stderr may have no reader.
    let _ = writeln!(anstream::stderr(), "{text}");
    Ok(())
}

/// Formats the address for a phone and its QR code.
fn on_a_phone(address: &str) -> String {
    let style = Style::new().fg_color(Some(AnsiColor::Black.into())).bg_color(Some(AnsiColor::White.into()));
    let line = |line: &String| format!("{style}{line}{style:#}\n");
    let code: String = Qr::new(address).iter().flat_map(Qr::lines).map(|text| line(&text)).collect();
    format!("\n\n{code}\nOn a phone in the same network, scan the code or open\n{address}")
}

fn cannot_listen(error: &io::Error, args: &Serve) -> BadInput {
    let port = args.port.map_or(String::new(), |port| format!(" port {port}"));
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => ": another program uses this port; choose another --port",
        io::ErrorKind::AddrNotAvailable => ": this machine does not have this address; choose another --host",
        io::ErrorKind::PermissionDenied => ": permission denied; choose a --port of 1024 or more",
        _ => "",
    };
    BadInput(format!("cannot listen on {}{port} ({error}){hint}", args.host()))
}

/// Returns the address for a browser on this machine.
fn address_of(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{}/", address.port()),
        IpAddr::V4(_) | IpAddr::V6(_) => format!("http://{address}/"),
    }
}

/// Reads an origin as browsers write it: `http://localhost:5173`.
fn origin(text: &str) -> Result<keepers_web::Origin, BadInput> {
    text.parse().map_err(|error| BadInput(format!("allow-origin: {error}")))
}

/// Opens the browser, if there is one. Ignores failures, because the address was printed.
fn open_browser(address: &str) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if set("DISPLAY") || set("WAYLAND_DISPLAY") {
        Command::new("xdg-open")
    } else {
        return;
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // A child that nothing waits for would become a zombie.
        std::thread::spawn(move || child.wait());
    }
}
