//! `keepers solve`: solves a game again, and shows how long it took.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::anyhow;
use keepers::Rules;
use keepers::internals::table::TableKey;
use keepers_api::{SolveAnswer, SolveRequest};

use crate::args::Solve;
use crate::inputs::{Inputs, read_rules};
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Solve) -> anyhow::Result<()> {
    if let Some(memory) = args.memory {
        return super::solve_in_parts::run(session, args, memory);
    }
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let path = read_rules(&rules).and_then(|rules| path_of(session, &rules, &args.objective));
    let before = path.as_deref().and_then(version);
    let answer = inputs.ask(&SolveRequest { rules, objective: args.objective.clone(), afresh: true })?;
    let stored = path.filter(|path| version(path).is_some_and(|now| Some(now) != before));
    if session.json {
        output::json(&answer)?;
    } else {
        let line = stored.as_ref().map_or(String::new(), |path| format!("\nstored in {}", path.display()));
        output::text(&format!("{}{line}", page(&answer)))?;
    }
    if stored.is_none() && session.store().directory().is_some() {
        return Err(anyhow!("the game was solved, but its table could not be stored"));
    }
    Ok(())
}

fn page(answer: &SolveAnswer) -> String {
    let what =
        if answer.objective == "expected" { "best expected score" } else { "mean of the best reach curve" };
    format!(
        "{}: {what} {:.6}\n{} score states solved in {:.3} s on {}",
        answer.rules,
        answer.value,
        output::grouped(answer.states),
        answer.seconds,
        output::count(answer.threads, "thread", "threads"),
    )
}

/// Returns the path of a game's table in the store.
fn path_of(session: &Session, rules: &Rules, objective: &str) -> Option<PathBuf> {
    let key = TableKey {
        rules: rules.fingerprint(),
        name: rules.name().to_string(),
        objective: objective.to_string(),
        cells: 0,
    };
    Some(session.store().directory()?.join(key.file_name()))
}

/// Identifies the version of a file. The store writes a table to a new file and renames it, so the inode always
/// changes, even if the clock is too coarse for a new time of modification.
fn version(path: &Path) -> Option<(SystemTime, u64)> {
    let found = fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let inode = 0;
    Some((found.modified().ok()?, inode))
}
