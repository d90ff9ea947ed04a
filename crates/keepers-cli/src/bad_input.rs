//! Bad input: one sentence on stderr, exit code 2.

use std::fmt;

/// Input that cannot be used; the text says why, and what would be right.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}
