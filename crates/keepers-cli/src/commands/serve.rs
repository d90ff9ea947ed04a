//! `keepers serve`: serves the web app and the HTTP API.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

use keepers_web::{Settings, serve};
use serde::Serialize;

use crate::args::Serve;
use crate::bad_input::BadInput;
use crate::output;
use crate::session::Session;

#[derive(Serialize)]
struct Answer {
    address: String,
}

pub fn run(session: &Session, args: &Serve) -> anyhow::Result<()> {
    let allowed_origin = args.allow_origin.as_deref().map(origin).transpose()?;
    let settings = Settings {
        host: args.host,
        port: args.port,
        allowed_origin,
        idle_memory: args.idle_memory << 20,
        solutions: Some(std::sync::Arc::clone(&session.solutions)),
        ..Settings::new(session.store().clone())
    };
    let mut shown = Ok(());
    let served = serve(settings, |address| {
        if !args.host.is_loopback() {
            let host = args.host;
            output::note(&format!(
                "listening on {host}: anyone who can reach this machine can use the server"
            ));
        }
        let address = address_of(address);
        shown = show(session, &address);
        if !args.no_open {
            open_browser(&address);
        }
    });
    served.map_err(|error| cannot_listen(&error, args))?;
    shown
}

fn show(session: &Session, address: &str) -> anyhow::Result<()> {
    if session.json {
        return output::json(&Answer { address: address.to_string() });
    }
    // stderr may have no reader.
    let _ = writeln!(anstream::stderr(), "Keepers is at {address} (stop with Ctrl-C)");
    Ok(())
}

fn cannot_listen(error: &io::Error, args: &Serve) -> BadInput {
    let port = args.port.map_or(String::new(), |port| format!(" port {port}"));
    let hint = match error.kind() {
        io::ErrorKind::AddrInUse => ": another program uses this port; choose another --port",
        io::ErrorKind::AddrNotAvailable => ": this machine does not have this address; choose another --host",
        io::ErrorKind::PermissionDenied => ": permission denied; choose a --port of 1024 or more",
        _ => "",
    };
    BadInput(format!("cannot listen on {}{port} ({error}){hint}", args.host))
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
