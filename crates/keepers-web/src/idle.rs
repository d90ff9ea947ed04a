//! Releasing memory when no client uses the server.

use std::sync::Arc;
use std::time::Duration;

use crate::app::Shared;

/// Bytes of answers that an idle server remembers.
const IDLE_ANSWERS: usize = 1 << 20;

/// The shortest time between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Each time the server has been idle for `after`, drops tables until no more than `memory` bytes of them are left, and
/// most remembered answers. Runs until the server ends.
pub async fn shrink_when_idle(app: Shared, memory: usize, after: Duration) {
    let closing = Arc::clone(&app);
    let shrinking = async {
        loop {
            let left = after.saturating_sub(app.idle_for());
            let wait = if left.is_zero() { after } else { left };
            tokio::time::sleep(wait.max(BETWEEN_LOOKS)).await;
            if app.idle_for() >= after {
                let app = Arc::clone(&app);
                // Returning gigabytes to the system takes a moment.
                let shrunk = tokio::task::spawn_blocking(move || {
                    app.service.engine().shrink(memory);
                    app.jobs.shrink(IDLE_ANSWERS);
                });
                let _ = shrunk.await;
            }
        }
    };
    tokio::select! {
        () = shrinking => (),
        () = closing.closing() => (),
    }
}
