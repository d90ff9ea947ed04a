//! Finding and reading records.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use keepers::Rules;
use keepers::internals::record::named_rules;
use keepers::internals::text::quote;

use crate::bad_input::BadInput;
use crate::inputs::{presets, toml};
use crate::output::escaped;
use crate::read;

/// How the names of records in a folder end.
const ENDING: &str = "game";

/// Where a record is.
pub struct Source {
    /// Its name in answers.
    pub name: String,
    /// `None` for standard input.
    path: Option<PathBuf>,
}

/// Every record that is asked for, and whether they are reported together.
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

/// The records in a folder, by name.
fn folder(path: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let folder = escaped(&path.display().to_string());
    let refused = |error: io::Error| BadInput(format!("the folder {folder} cannot be read: {error}"));
    let mut records = Vec::new();
    for entry in fs::read_dir(path).map_err(refused)? {
        let file = entry.map_err(refused)?.path();
        if file.extension().is_some_and(|ending| ending == ENDING) && file.is_file() {
            records.push(file);
        }
    }
    if records.is_empty() {
        return Err(BadInput(format!("there is no record in {folder}: their names must end in .{ENDING}")));
    }
    records.sort();
    Ok(records)
}

impl Source {
    fn file(path: PathBuf) -> Source {
        Source { name: path.display().to_string(), path: Some(path) }
    }

    /// The text of the record.
    pub fn read(&self) -> Result<String, String> {
        let bytes = match &self.path {
            Some(path) => read::bytes(path),
            None => read::limited(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|error| format!("it cannot be read: {error}"))?;
        // What is not text is refused with its line.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The TOML of the file beside the record that it names as its rules; `None` if it names a preset or nothing. A record
    /// may come from anywhere, so it cannot name other files.
    pub fn rules(&self, text: &str) -> Result<Option<String>, String> {
        let Some(name) = named_rules(text).filter(|name| Rules::preset(name).is_err()) else {
            return Ok(None);
        };
        let beside = Path::new(name);
        if !beside.components().all(|part| matches!(part, Component::Normal(_))) {
            let name = quote(name);
            return Err(format!("its rules \"{name}\" must be a preset or a file beside the record"));
        }
        let folder = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let path = folder.join(beside);
        if !path.exists() {
            let (name, presets) = (quote(name), presets());
            return Err(format!(
                "there are no rules called \"{name}\": use {presets}, or a TOML file beside the record"
            ));
        }
        let read = toml(&path).map_err(|error| {
            format!("its rules file {} cannot be read: {error}", escaped(&path.display().to_string()))
        })?;
        Ok(Some(read))
    }
}
