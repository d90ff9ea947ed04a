//! Arguments of `keepers papers`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// List the publications whose figures can be recomputed, recompute them, or write the tables of both
#[derive(Args)]
pub struct Papers {
    /// The folder with the printed figures: papers/ of the repository
    #[arg(long, global = true, value_name = "FOLDER", default_value = "papers")]
    pub folder: PathBuf,

    #[command(subcommand)]
    pub action: Option<PapersAction>,
}

#[derive(Subcommand)]
pub enum PapersAction {
    Run(RunPapers),
    Write(WritePapers),
}

/// Recompute the items of publications and compare them with the printed figures; exit with 1 if one should agree and
/// does not
#[derive(Args)]
pub struct RunPapers {
    /// The publication, like cremers-2002 or cremers, or all
    pub name: String,

    /// Compute only the quick items, with fewer games, and store nothing
    #[arg(long)]
    pub quick: bool,

    /// Compute only this item
    #[arg(long, value_name = "ITEM")]
    pub only: Option<String>,

    /// Compute finished items again
    #[arg(long)]
    pub again: bool,

    /// Stop a long item after this many minutes; a later run continues it
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<f64>,

    /// Write CSV and SVG files to this folder [default: the publication's folder; none with --quick]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// Write the tables of the publications' READMEs and docs/papers.html from the printed figures and the stored results
#[derive(Args)]
pub struct WritePapers {
    /// Write nothing; exit with 1 if a file is not up to date
    #[arg(long)]
    pub check: bool,
}
