//! Picture files: checked before the work starts, written completely or not at all.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use keepers::internals::tables::file::{check_writable, replace};
use keepers_plot::Picture;

use crate::output::{self, escaped};

/// Pixels of a PNG for each of the SVG's.
const SCALE: f64 = 2.0;

/// A file that a picture can be written to.
pub struct PictureFile {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Svg,
    Png,
}

/// The files that an option names, or everything wrong with them.
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
        Err(format!("{name} is named twice: give each picture its own file"))
    })
}

/// Refuses the pictures of a tournament that those against self do not have.
pub fn check_none(options: &[&[PathBuf]]) -> Result<(), String> {
    if options.iter().all(|paths| paths.is_empty()) {
        return Ok(());
    }
    Err("a tournament against self has one picture: use --plot".to_string())
}

impl PictureFile {
    fn check(path: &Path) -> Result<PictureFile, String> {
        let name = escaped(&path.display().to_string());
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        let kind = match ending.as_deref() {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            _ => {
                return Err(format!("\"{name}\" is not the name of a picture: it must end in .svg or .png"));
            }
        };
        if path.is_dir() {
            return Err(format!("{name} cannot be written: it is a directory"));
        }
        let file = PictureFile { path: path.to_path_buf(), kind };
        // Reported before the work, not after it.
        check_writable(path).map_err(|error| format!("{name} cannot be written: {error}"))?;
        Ok(file)
    }

    /// Draws the picture into the file, and reports that.
    pub fn write(&self, picture: &Picture) -> anyhow::Result<()> {
        let bytes = match self.kind {
            Kind::Svg => picture.svg().into_bytes(),
            Kind::Png => picture.png(SCALE)?,
        };
        let name = escaped(&self.path.display().to_string());
        replace(&self.path, &bytes).with_context(|| format!("{name} cannot be written"))?;
        output::note(&format!("the picture is in {name}"));
        Ok(())
    }
}
