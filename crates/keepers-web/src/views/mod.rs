//! What answers look like as JSON. The program prints the same with `--json`.

mod choices;
mod review;
mod statistics;

pub use choices::{Aim, Done, Ranked, ranked};
pub use review::{ReviewView, reviewed};
pub use statistics::{Distributed, GridRow, distributed, grid};
