//! The server: listens, answers requests, and ends gracefully.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use keepers::answers::{CurveStores, Solutions};
use keepers::{Limits, Store};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use crate::access::Token;
use crate::api;
use crate::app::App;
use crate::idle::shrink_when_idle;
use crate::jobs::JobLimits;
use crate::limits::{RequestLimits, guard, panicked};
use crate::network::reachable;
use crate::origin::Origin;
use crate::page::page;

/// The most connections at the same time.
const MOST_CONNECTIONS: usize = 1024;

/// The time limit for receiving the head of a request.
const MOST_HEAD_TIME: Duration = Duration::from_secs(20);

/// The time limit for open requests once the server shuts down.
const MOST_ENDING: Duration = Duration::from_millis(1500);

/// The settings of a server.
pub struct Settings {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; `None` for 4949, or any free port if that is in use.
    pub port: Option<u16>,
    /// An origin, other than the server's own, whose pages may send requests, like `http://localhost:5173`.
    pub allowed_origin: Option<Origin>,
    /// The access token that every request must have: for a server that phones use.
    pub token: Option<Token>,
    /// The store of tables.
    pub store: Store,
    /// Stored solutions of two-player games.
    pub solutions: Option<Arc<dyn Solutions>>,
    /// Stored reach curves of games that exceed memory.
    pub curves: Option<Arc<dyn CurveStores>>,
    /// The limits on jobs.
    pub jobs: JobLimits,
    /// The most bytes that all running solves together may use. A solve that needs more is refused.
    pub solve_memory: usize,
    /// The rules of the game that is solved when the server starts.
    pub first_rules: Option<String>,
    /// The most bytes of tables in memory while the server is idle.
    pub idle_memory: usize,
    /// The time without a question or a job after which the server is idle.
    pub idle_after: Duration,
}

impl Settings {
    /// Returns the default settings: reachable from this machine only, with nearly all memory that is free now.
    pub fn new(store: Store) -> Settings {
        Settings {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            allowed_origin: None,
            token: None,
            store,
            solutions: None,
            curves: None,
            jobs: JobLimits::default(),
            solve_memory: Limits::default().working,
            first_rules: Some("yahtzee".to_string()),
            idle_memory: 512 << 20,
            idle_after: Duration::from_secs(120),
        }
    }
}

/// The default port.
pub const PORT: u16 = 4949;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

impl Server {
    /// Starts listening. Clients can connect, and are answered once the server runs.
    pub async fn bind(settings: Settings) -> io::Result<Server> {
        let listener = match settings.port {
            Some(port) => TcpListener::bind((settings.host, port)).await?,
            None => match TcpListener::bind((settings.host, PORT)).await {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    TcpListener::bind((settings.host, 0)).await?
                }
                bound => bound?,
            },
        };
        let address = listener.local_addr()?;
        Ok(Server { listener, address, settings })
    }

    /// Returns the address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address for a phone in the same network, with the access token. Returns `None` without a token, or if
    /// this machine is in no network.
    pub fn phone_address(&self) -> Option<String> {
        phone_address(self.address, self.settings.token.as_ref())
    }

    /// Answers requests until `stop` ends. Then answers the open requests, ends event streams, and stops jobs.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Settings {
            store,
            solutions,
            curves,
            jobs,
            allowed_origin,
            token,
            first_rules,
            host,
            port: _,
            solve_memory,
            idle_memory,
            idle_after,
        } = self.settings;
        let memory = Limits::default().with_working(solve_memory).with_solves(jobs.running);
        let phone = phone_address(self.address, token.as_ref());
        let app = App::new(store, solutions, curves, memory, jobs).for_phones(token.is_some(), phone);
        let app = Arc::new(app);
        let limits = Arc::new(RequestLimits::new(hosts(host), allowed_origin, token));
        let service = TowerToHyperService::new(
            Router::new()
                .nest(api::BASE, api::router())
                .fallback(page)
                .with_state(Arc::clone(&app))
                .layer(CatchPanicLayer::custom(panicked))
                .layer(from_fn_with_state(limits, guard)),
        );
        if let Some(rules) = first_rules {
            app.warm_up(rules);
        }
        tokio::spawn(shrink_when_idle(Arc::clone(&app), idle_memory, idle_after));

        let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let open = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            // Beyond the limit, new connections wait to be accepted.
            let accepted = async {
                let permit = Arc::clone(&permits).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, _)) = accepted else {
                // Temporary, for example if no file descriptors are left.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(MOST_HEAD_TIME);
            let connection = builder.serve_connection(TokioIo::new(stream), service.clone());
            let connection = open.watch(connection);
            tokio::spawn(async move {
                let _permit = permit;
                // An error means that the client is gone or does not speak HTTP.
                let _ = connection.await;
            });
        }
        drop(self.listener);
        app.close();
        let _ = tokio::time::timeout(MOST_ENDING, open.shutdown()).await;
    }
}

fn phone_address(listening: SocketAddr, token: Option<&Token>) -> Option<String> {
    Some(format!("http://{}/?token={}", reachable(listening)?, token?.as_str()))
}

/// Returns the host names of a server at this address, or `None` if other machines can reach it, whose names for it are
/// unknown.
fn hosts(host: IpAddr) -> Option<Vec<String>> {
    if !host.is_loopback() {
        return None;
    }
    let own = match host {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    Some(vec!["localhost".to_string(), "127.0.0.1".to_string(), "[::1]".to_string(), own])
}
