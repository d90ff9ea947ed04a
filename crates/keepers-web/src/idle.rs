//! Releases memory while the server is idle.

use std::sync::Arc;
use std::time::Duration;

use crate::app::Shared;

/// The most bytes of answers that an idle server remembers.
const IDLE_ANSWERS: usize = 1 << 20;

/// The shortest time between two checks.
const BETWEEN_CHECKS: Duration = Duration::from_millis(50);

/// Whenever the server has been idle for `after`, drops tables down to `memory` bytes and answers down to
/// [`IDLE_ANSWERS`] bytes. Runs until the server ends.
pub async fn shrink_when_idle(app: Shared, memory: usize, after: Duration) {
    let closing = Arc::clone(&app);
    let shrinking = async {
        loop {
            let left = after.saturating_sub(app.idle_for());
            let wait = if left.is_zero() { after } else { left };
            tokio::time::sleep(wait.max(BETWEEN_CHECKS)).await;
            if app.idle_for() >= after {
                let app = Arc::clone(&app);
                // Freeing gigabytes takes too long for a thread of the runtime.
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
