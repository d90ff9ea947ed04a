//! `keepers cache`: the stored tables, and the rounds of tournaments.

use std::path::Path;

use anyhow::Context;
use keepers::store::Stored;
use serde::Serialize;

use crate::args::{Cache, CacheAction};
use crate::commands::equilibrium::{self, KeptRounds};
use crate::output;
use crate::session::Session;

#[derive(Serialize)]
struct List {
    directory: Option<String>,
    tables: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    file: String,
    bytes: u64,
    rules: Option<String>,
    objective: Option<String>,
    cells: Option<u64>,
    problem: Option<String>,
}

#[derive(Serialize)]
struct Cleared {
    directory: Option<String>,
    bytes: u64,
}

pub fn run(session: &Session, args: &Cache) -> anyhow::Result<()> {
    let directory = session.engine.store().directory().map(|directory| directory.display().to_string());
    match args.action {
        None => list(session, directory),
        Some(CacheAction::Clear) => {
            let store = session.engine.store();
            let bytes = store.clear().context("the stored tables cannot be removed")?
                + equilibrium::clear(store).context("the stored rounds cannot be removed")?;
            if session.json {
                return output::json(&Cleared { directory, bytes });
            }
            output::text(&format!("{} freed", size(bytes)))
        }
        Some(CacheAction::Path) => match directory {
            directory if session.json => output::json(&List { directory, tables: Vec::new() }),
            Some(directory) => output::text(&directory),
            None => {
                output::text("no tables are kept: leave out --no-cache, or set KEEPERS_CACHE to a directory")
            }
        },
    }
}

fn list(session: &Session, directory: Option<String>) -> anyhow::Result<()> {
    let store = session.engine.store();
    let tables = store.list().context("the stored tables cannot be listed")?.into_iter().map(listed);
    let rounds = equilibrium::kept(store).context("the stored rounds cannot be listed")?.into_iter();
    let tables: Vec<Listed> = tables.chain(rounds.map(listed_rounds)).collect();
    if session.json {
        return output::json(&List { directory, tables });
    }
    let Some(directory) = directory else {
        return output::text("no tables are kept: leave out --no-cache, or set KEEPERS_CACHE to a directory");
    };
    if tables.is_empty() {
        return output::text(&format!("no tables in {directory}"));
    }
    let rows = tables.iter().map(|table| {
        let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_string());
        let state = table.problem.clone().unwrap_or_else(|| "whole".to_string());
        vec![known(&table.rules), known(&table.objective), size(table.bytes), state, table.file.clone()]
    });
    let table = output::table(&["rules", "objective", ">size", "state", "file"], rows);
    output::text(&format!("{directory}\n\n{table}"))
}

fn listed(stored: Stored) -> Listed {
    let (header, problem) = match stored.header {
        Ok(header) => (Some(header), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Listed {
        file: name_of(&stored.path),
        bytes: stored.bytes,
        rules: header.as_ref().map(|header| header.name.clone()),
        objective: header.as_ref().map(|header| header.objective.clone()),
        cells: header.as_ref().map(|header| header.cells),
        problem,
    }
}

fn listed_rounds(kept: KeptRounds) -> Listed {
    let (content, problem) = match kept.content {
        Ok(content) => (Some(content), None),
        Err(error) => (None, Some(error)),
    };
    let (rules, objective) = content.unzip();
    Listed { file: name_of(&kept.path), bytes: kept.bytes, rules, objective, cells: None, problem }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
