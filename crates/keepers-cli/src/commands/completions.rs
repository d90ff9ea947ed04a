//! `keepers completions`: prints shell completions.

use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::output;

pub fn run(args: &Completions) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "keepers", &mut script);
    output::text(&String::from_utf8_lossy(&script))
}
