//! `keepers man`: manual pages from the one definition of the command line.

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Cli, Man};
use crate::output;

pub fn run(args: &Man) -> anyhow::Result<()> {
    if let Some(directory) = &args.dir {
        std::fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), directory))
            .with_context(|| format!("the manual pages cannot be written to {}", directory.display()))?;
        return output::text(&format!("manual pages written to {}", directory.display()));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    output::text(&String::from_utf8_lossy(&page))
}
