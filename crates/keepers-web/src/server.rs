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
use keepers::Store;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api;
use crate::app::App;
use crate::jobs::JobLimits;
use crate::limits::{Limits, broken, guard};
use crate::origin::Origin;
use crate::page::page;

/// Connections at a time.
const MOST_CONNECTIONS: usize = 1024;

/// How long the head of a request may take to arrive.
const MOST_HEAD_TIME: Duration = Duration::from_secs(20);

/// How long requests in flight may take once the server is to end.
const MOST_ENDING: Duration = Duration::from_millis(1500);

/// How to serve.
pub struct Settings {
    /// Where to listen.
    pub host: IpAddr,
    /// The port; nothing for 4949 or, if that is taken, any that is free.
    pub port: Option<u16>,
    /// Another origin whose pages may ask, like `http://localhost:5173`.
    pub allowed_origin: Option<Origin>,
    /// Where tables are kept.
    pub store: Store,
    /// How much long work there may be.
    pub jobs: JobLimits,
    /// The rules of the game that is solved at once, before anybody asks.
    pub first_rules: Option<String>,
}

impl Settings {
    /// The usual ones: for this machine alone.
    pub fn new(store: Store) -> Settings {
        Settings {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            allowed_origin: None,
            store,
            jobs: JobLimits::default(),
            first_rules: Some("yahtzee".to_string()),
        }
    }
}

/// The port, if it is free.
pub const PORT: u16 = 4949;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

impl Server {
    /// Listens; whoever connects now is answered as soon as it runs.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` ends. Requests in flight are then answered, events end, and long work
    /// is given up.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Settings { store, jobs, allowed_origin, first_rules, host, .. } = self.settings;
        let app = Arc::new(App::new(store, jobs));
        let limits = Arc::new(Limits::new(hosts(host), allowed_origin));
        let service = TowerToHyperService::new(
            Router::new()
                .nest(api::BASE, api::router())
                .fallback(page)
                .with_state(Arc::clone(&app))
                .layer(CatchPanicLayer::custom(broken))
                .layer(from_fn_with_state(limits, guard)),
        );
        if let Some(rules) = first_rules {
            let app = Arc::clone(&app);
            tokio::spawn(async move { app.warm_up(&rules).await });
        }

        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let open = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            // Whoever comes when all places are taken waits in line.
            let accepted = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (place, self.listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                accepted = accepted => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, _)) = accepted else {
                // Out of file descriptors, perhaps: it passes.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(MOST_HEAD_TIME);
            let connection = builder.serve_connection(TokioIo::new(stream), service.clone());
            let connection = open.watch(connection);
            tokio::spawn(async move {
                let _place = place;
                // Whoever is at the other end has gone, or does not speak HTTP.
                let _ = connection.await;
            });
        }
        drop(self.listener);
        app.close();
        let _ = tokio::time::timeout(MOST_ENDING, open.shutdown()).await;
    }
}

/// The names that a server at this address is called by; nothing if others may reach it by names we do not
/// know.
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
