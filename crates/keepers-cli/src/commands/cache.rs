//! `keepers cache`: lists or removes the stored tables and tournament rounds.

use anyhow::Context;
use keepers::internals::equilibrium::STORED_PREFIX;
use keepers::internals::store::Stored;
use keepers::internals::text::byte_size;
use keepers_blocks::one_player::{ListedTable, list_tables};
use serde::Serialize;

use crate::args::{Cache, CacheAction};
use crate::output::{self, escaped};
use crate::session::Session;

#[derive(Serialize)]
struct List {
    directory: Option<String>,
    tables: Vec<Listed>,
    /// Tables that were solved in parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    in_parts: Vec<ListedTable>,
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

/// The message if there is no store.
const NO_STORE: &str = "tables are not stored: drop --no-cache, or set KEEPERS_CACHE to a directory";

pub fn run(session: &Session, args: &Cache) -> anyhow::Result<()> {
    let directory = session.store().directory().map(|directory| directory.display().to_string());
    match args.action {
        None => list(session, directory),
        Some(CacheAction::Clear) => {
            let bytes = session.store().clear().context("cannot remove the stored tables")?;
            if session.json {
                return output::json(&Cleared { directory, bytes });
            }
            output::text(&format!("{} freed", byte_size(bytes.into())))
        }
        Some(CacheAction::Path) => match directory {
            directory if session.json => {
                output::json(&List { directory, tables: Vec::new(), in_parts: Vec::new() })
            }
            Some(directory) => output::text(&directory),
            None => output::text(NO_STORE),
        },
    }
}

fn list(session: &Session, directory: Option<String>) -> anyhow::Result<()> {
    let tables = session.store().list().context("cannot list the stored tables")?;
    let tables: Vec<Listed> = tables.into_iter().map(listed).collect();
    let in_parts = match session.curves_folder() {
        Some(folder) => list_tables(&folder)?,
        None => Vec::new(),
    };
    if session.json {
        return output::json(&List { directory, tables, in_parts });
    }
    let Some(directory) = directory else { return output::text(NO_STORE) };
    if tables.is_empty() && in_parts.is_empty() {
        return output::text(&format!("no tables in {directory}"));
    }
    let rows = tables.iter().map(|table| {
        let known = |text: &Option<String>| text.as_ref().map_or("?".to_string(), |text| escaped(text));
        let state = table.problem.clone().unwrap_or_else(|| "ok".to_string());
        let size = byte_size(table.bytes.into());
        vec![known(&table.rules), known(&table.objective), size, state, escaped(&table.file)]
    });
    let parts = in_parts.iter().map(|table| {
        let state =
            if table.is_complete { "ok".to_string() } else { format!("{} parts so far", table.parts) };
        let (rules, store) = (escaped(&table.rules), escaped(&table.store));
        vec![rules, format!("{} in parts", table.objective), byte_size(table.bytes.into()), state, store]
    });
    let table = output::table(&["rules", "objective", ">size", "state", "file"], rows.chain(parts));
    output::text(&format!("{directory}\n\n{table}"))
}

fn listed(stored: Stored) -> Listed {
    let (header, problem) = match stored.header {
        Ok(header) => (Some(header), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Listed {
        file: stored.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: stored.bytes,
        rules: header.as_ref().map(|header| header.name.clone()),
        objective: header.as_ref().map(|header| in_words(&header.objective)),
        cells: header.as_ref().map(|header| header.cells),
        problem,
    }
}

/// Describes a stored objective. The rounds of a tournament have their own names: `eq-10-s` for 10 opponents and shared
/// ties.
fn in_words(objective: &str) -> String {
    let rounds = objective.strip_prefix(STORED_PREFIX).and_then(|rest| rest.split_once('-'));
    match rounds {
        Some((opponents, "s")) => format!("tournament:{opponents} against itself, ties shared"),
        Some((opponents, _)) => format!("tournament:{opponents} against itself"),
        None => objective.to_string(),
    }
}
