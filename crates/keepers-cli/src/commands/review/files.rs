//! Finds and reads records.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use keepers::Rules;
use keepers::internals::record::named_rules;
use keepers::internals::text::quote;

use crate::bad_input::BadInput;
use crate::inputs::{presets, toml};
use crate::output::escaped;
use crate::read;

/// The extension of records in a folder.
const ENDING: &str = "game";

/// The file of a record, or standard input.
pub struct Source {
    /// The name in answers.
    pub name: String,
    /// `None` for standard input.
    path: Option<PathBuf>,
}

/// Finds all records, and returns whether to report them together.
pub fn find(asked: &[PathBuf]) -> Result<(Vec<Source>, bool), BadInput> {
    let mut sources = Vec::new();
    for path in asked {
        if path.as_os_str() == "-" {
            sources.push(Source { name: "-".into(), path: None });
        } else if path.is_dir() {
            sources.extend(folder(path)?.into_iter().map(Source::file));
        } else {
            sources.push(Source::file(path.clone()));
        }
    }
    let several = asked.len() > 1 || asked[0].is_dir();
    Ok((sources, several))
}

/// Lists the records in a folder, sorted by name.
fn folder(path: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let folder = escaped(&path.display().to_string());
    let refused = |error: io::Error| BadInput(format!("cannot read the folder {folder}: {error}"));
    let mut records = Vec::new();
    for entry in fs::read_dir(path).map_err(refused)? {
        let file = entry.map_err(refused)?.path();
        if file.extension().is_some_and(|ending| ending == ENDING) && file.is_file() {
            records.push(file);
        }
    }
    if records.is_empty() {
        return Err(BadInput(format!("no records in {folder}: their names must end in .{ENDING}")));
    }
    records.sort();
    Ok(records)
}

impl Source {
    fn file(path: PathBuf) -> Source {
        Source { name: path.display().to_string(), path: Some(path) }
    }

    /// Reads the text of the record.
    pub fn read(&self) -> Result<String, String> {
        let bytes = match &self.path {
            Some(path) => read::bytes(path),
            None => read::limited(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
        // The parser refuses lines with replacement characters, and reports their numbers.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads the TOML file beside the record that the record names as its rules. Returns `None` if it names a preset or no
    /// rules. A record may come from anywhere, so it may not name files elsewhere.
    pub fn rules(&self, text: &str) -> Result<Option<String>, String> {
        let Some(name) = named_rules(text).filter(|name| Rules::preset(name).is_err()) else {
            return Ok(None);
        };
        let beside = Path::new(name);
        if !beside.components().all(|part| matches!(part, Component::Normal(_))) {
            let name = quote(name);
            return Err(format!("the rules \"{name}\" must be a preset or a file beside the record"));
        }
        let folder = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let path = folder.join(beside);
        if !path.exists() {
            let (name, presets) = (quote(name), presets());
            return Err(format!("unknown rules \"{name}\": use {presets}, or a TOML file beside the record"));
        }
        let read = toml(&path).map_err(|error| {
            format!("cannot read the rules file {}: {error}", escaped(&path.display().to_string()))
        })?;
        Ok(Some(read))
    }
}
