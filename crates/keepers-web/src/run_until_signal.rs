//! Runs the server until a signal ends the program.

use std::io;

use crate::server::{Server, Settings};

/// Serves until Ctrl-C or SIGTERM. Calls `listening` once the server has an address.
pub fn serve(settings: Settings, listening: impl FnOnce(&Server)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // Registered first, so that a signal during the start also ends the server gracefully.
        let stop = signal_received()?;
        let server = Server::bind(settings).await?;
        listening(&server);
        server.run(stop).await;
        Ok(())
    });
    // Does not wait for blocking work, so the program ends at once.
    runtime.shutdown_background();
    served
}

#[cfg(unix)]
fn signal_received() -> io::Result<impl Future<Output = ()>> {
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
fn signal_received() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
