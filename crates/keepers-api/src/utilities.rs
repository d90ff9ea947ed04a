//! Utilities that requests bring along.

use std::collections::BTreeMap;

/// Utilities by name, each as CSV of score and utility: `utility:NAME` refers to them.
pub type Utilities = BTreeMap<String, String>;
