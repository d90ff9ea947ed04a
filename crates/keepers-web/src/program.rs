//! Serving until the program is to end.

use std::io;
use std::net::SocketAddr;

use crate::server::{Server, Settings};

/// Serves until Ctrl-C or SIGTERM. `listening` is told the address as soon as there is one.
pub fn serve(settings: Settings, listening: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // Asked for first: nobody can end the program the hard way from here on.
        let stop = asked_to_stop()?;
        let server = Server::bind(settings).await?;
        listening(server.address());
        server.run(stop).await;
        Ok(())
    });
    // Long work does not keep the program from ending.
    runtime.shutdown_background();
    served
}

#[cfg(unix)]
fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

#[cfg(not(unix))]
fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
