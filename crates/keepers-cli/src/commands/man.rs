//! `keepers man`: prints or writes the manual pages.

use clap::CommandFactory;

use crate::args::{Cli, Man};
use crate::bad_input::BadInput;
use crate::output;

pub fn run(args: &Man) -> anyhow::Result<()> {
    if let Some(directory) = &args.dir {
        std::fs::create_dir_all(directory)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), directory))
            .map_err(|error| BadInput(format!("dir: cannot write to {}: {error}", directory.display())))?;
        return output::text(&format!("manual pages written to {}", directory.display()));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    output::text(&String::from_utf8_lossy(&page))
}
