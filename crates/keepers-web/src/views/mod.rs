//! What answers look like as JSON. The program prints the same with `--json`.

mod choices;
mod review;

pub use choices::{Aim, Done, Ranked, ranked};
pub use review::{ReviewView, reviewed};
