//! Utilities in requests.

use std::collections::BTreeMap;

/// Utilities by name, each as CSV of score and utility. The objective `utility:NAME` refers to them.
pub type Utilities = BTreeMap<String, String>;
