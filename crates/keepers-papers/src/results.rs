//! Our results with their provenance, `papers/NAME/results.json`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use keepers::internals::tables::file::replace;
use serde::{Deserialize, Serialize};

/// The results of a publication, by the ids of its items.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// The results of the items.
    pub items: BTreeMap<String, ItemResult>,
}

/// The results of an item.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ItemResult {
    /// The figures, by their ids.
    pub figures: BTreeMap<String, Figure>,
    /// The files written beside the results: CSV and SVG.
    #[serde(default)]
    pub files: Vec<String>,
    /// Where the results come from.
    pub provenance: Provenance,
    /// Why the item is not finished: how much of it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// The finished parts of a long item, from which it continues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<serde_json::Value>,
}

/// One of our figures. Claims have the value 1 if they hold, and 0 otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The value.
    pub value: f64,
    /// Its standard error if it was simulated, or a bound of its rounding error; 0 for exact figures.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub error: f64,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Where results come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of Keepers.
    pub version: String,
    /// The rules.
    pub rules: Vec<RulesUsed>,
    /// The number of games, if games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The seed of the dice, if games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The machine.
    pub machine: String,
    /// The seconds that the item took.
    pub seconds: f64,
}

/// A rule set with its fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesUsed {
    /// The name.
    pub name: String,
    /// The fingerprint, in hexadecimal.
    pub fingerprint: String,
}

impl Results {
    /// Reads `papers/NAME/results.json`. Without the file, there are no results.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it is not valid.
    pub fn read(folder: &Path) -> anyhow::Result<Results> {
        let path = folder.join("results.json");
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                serde_json::from_str(&text).with_context(|| format!("{} is not valid", path.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Results::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// Writes `papers/NAME/results.json`, completely or not at all.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let path = folder.join("results.json");
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        replace(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Describes this machine: the processor and the number of threads.
pub(crate) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {threads} threads, {}", std::env::consts::OS)
}
