//! The error for bad input, which ends the program with exit code 2.

use std::fmt;

/// Bad input, with a sentence that explains what is wrong and how to fix it.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}
