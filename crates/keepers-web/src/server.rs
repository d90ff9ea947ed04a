//! Listening, answering, and ending.

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
use keepers::{Limits, Store};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api;
use crate::app::App;
use crate::idle::shrink_when_idle;
use crate::jobs::JobLimits;
use crate::limits::{RequestLimits, guard, panicked};
use crate::origin::Origin;
use crate::page::page;

/// Connections at the same time.
const MOST_CONNECTIONS: usize = 1024;

/// How long the head of a request may take to arrive.
const MOST_HEAD_TIME: Duration = Duration::from_secs(20);

/// How long requests in flight may take once the server is to end.
const MOST_ENDING: Duration = Duration::from_millis(1500);

/// How to serve.
pub struct Settings {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; `None` for 4949 or, if that is in use, any free port.
    pub port: Option<u16>,
    /// Another origin whose pages may send requests, like `http://localhost:5173`.
    pub allowed_origin: Option<Origin>,
    /// Where tables are stored.
    pub store: Store,
    /// How much long work there may be.
    pub jobs: JobLimits,
    /// Bytes that running solves may take together. A solve that needs more is refused.
    pub solve_memory: usize,
    /// The rules of the game that is solved when the server starts.
    pub first_rules: Option<String>,
    /// Bytes of tables that stay in memory while the server is idle.
    pub idle_memory: usize,
    /// How long there must have been neither a question nor a job for the server to be idle.
    pub idle_after: Duration,
}

impl Settings {
    /// The default settings: for this machine alone, with nearly all memory that it can provide now.
    pub fn new(store: Store) -> Settings {
        Settings {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            allowed_origin: None,
            store,
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
    /// Listens. Clients that connect are answered once the server runs.
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

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` ends. Then requests in flight are answered, events end, and jobs are stopped.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Settings {
            store,
            jobs,
            allowed_origin,
            first_rules,
            host,
            port: _,
            solve_memory,
            idle_memory,
            idle_after,
        } = self.settings;
        let memory = Limits::default().with_working(solve_memory).with_solves(jobs.running);
        let app = Arc::new(App::new(store, memory, jobs));
        let limits = Arc::new(RequestLimits::new(hosts(host), allowed_origin));
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
            // Beyond the limit, clients wait to be accepted.
            let accepted = async {
                let permit = Arc::clone(&permits).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, _)) = accepted else {
                // For example, there are no file descriptors left at the moment.
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
                // On an error the client has gone, or does not speak HTTP.
                let _ = connection.await;
            });
        }
        drop(self.listener);
        app.close();
        let _ = tokio::time::timeout(MOST_ENDING, open.shutdown()).await;
    }
}

/// The host names of a server at this address; `None` if it can be reached under names that are not known here.
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
