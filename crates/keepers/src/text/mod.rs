//! Text shared by several readers and writers: quoted input, CSV, sizes in bytes.

pub(crate) mod csv;
mod quote;
mod size;

pub use csv::csv_field;
pub use quote::quote;
pub use size::byte_size;
