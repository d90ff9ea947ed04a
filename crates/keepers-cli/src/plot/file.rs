//! Writes picture files. They are checked before the work starts, and written completely or not at all.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use keepers::internals::tables::file::{check_writable, replace};
use keepers_plot::Picture;

use crate::output::{self, escaped};

/// Pixels of a PNG per pixel of an SVG.
const SCALE: f64 = 2.0;

/// A writable file for a picture.
pub struct PictureFile {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Svg,
    Png,
}

/// Checks the files that an option names. Returns all their problems as the error.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PictureFile>, String> {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        match PictureFile::check(path) {
            Ok(file) => files.push(file),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems.join("; ")) }
}

/// Refuses to write two pictures to one file.
pub fn check_distinct(options: &[&[PathBuf]]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let twice = options.iter().copied().flatten().find(|path| !seen.insert(*path));
    twice.map_or(Ok(()), |path| {
        let name = escaped(&path.display().to_string());
        Err(format!("{name} is used twice: give each picture its own file"))
    })
}

/// Refuses the options for pictures that a tournament against self does not have.
pub fn check_none(options: &[&[PathBuf]]) -> Result<(), String> {
    if options.iter().all(|paths| paths.is_empty()) {
        return Ok(());
    }
    Err("--opponent self has only one picture: use --plot".to_string())
}

impl PictureFile {
    fn check(path: &Path) -> Result<PictureFile, String> {
        let name = escaped(&path.display().to_string());
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        let kind = match ending.as_deref() {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            _ => {
                return Err(format!("must end in .svg or .png, not \"{name}\""));
            }
        };
        if path.is_dir() {
            return Err(format!("cannot write {name}: it is a directory"));
        }
        let file = PictureFile { path: path.to_path_buf(), kind };
        // Found before the work starts, not after it.
        check_writable(path).map_err(|error| format!("cannot write {name}: {error}"))?;
        Ok(file)
    }

    /// Writes the picture to the file, and reports its name.
    pub fn write(&self, picture: &Picture) -> anyhow::Result<()> {
        let bytes = match self.kind {
            Kind::Svg => picture.svg().into_bytes(),
            Kind::Png => picture.png(SCALE)?,
        };
        let name = escaped(&self.path.display().to_string());
        replace(&self.path, &bytes).with_context(|| format!("cannot write {name}"))?;
        output::note(&format!("wrote {name}"));
        Ok(())
    }
}
