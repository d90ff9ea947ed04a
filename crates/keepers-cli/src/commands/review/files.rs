//! Finding and reading records.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use keepers::Rules;
use keepers::record::named_rules;

use crate::bad_input::BadInput;

/// How the names of records in a folder end.
const ENDING: &str = "game";

/// Where a record is.
pub struct Source {
    /// What it is called in answers.
    pub name: String,
    /// Nothing for standard input.
    path: Option<PathBuf>,
}

/// Every record that is asked for, and whether they are to be told together.
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
    let told = |error: io::Error| BadInput(format!("the folder {} cannot be read: {error}", path.display()));
    let mut records = Vec::new();
    for entry in fs::read_dir(path).map_err(told)? {
        let file = entry.map_err(told)?.path();
        if file.extension().is_some_and(|ending| ending == ENDING) && file.is_file() {
            records.push(file);
        }
    }
    if records.is_empty() {
        let folder = path.display();
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
    pub fn read(&self) -> Result<String, BadInput> {
        let mut bytes = Vec::new();
        let read = match &self.path {
            Some(path) => fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
            None => io::stdin().lock().read_to_end(&mut bytes),
        };
        read.map_err(|error| BadInput(format!("it cannot be read: {error}")))?;
        // What is not text is told by its line.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The rules that the record names. A file of rules is looked for beside the record first.
    pub fn rules(&self, text: &str) -> String {
        let name = named_rules(text).unwrap_or("yahtzee");
        let folder = self.path.as_ref().and_then(|path| path.parent());
        let beside = folder.map(|folder| folder.join(name));
        match beside {
            Some(beside) if Rules::preset(name).is_none() && beside.is_file() => beside.display().to_string(),
            _ => name.to_string(),
        }
    }
}
