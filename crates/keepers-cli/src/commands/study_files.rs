//! The files of a study: all numbers as JSON and CSV, the tables as text, and pictures.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use keepers::internals::study::TurnStudy;
use keepers::internals::tables::file::replace;
use serde_json::Value;

use super::study::SEATS;
use crate::bad_input::BadInput;
use crate::output::{self, escaped};
use crate::plot::{self, Studied};

/// The folder of a report.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates the folder before the work starts.
    pub fn create(path: &Path) -> anyhow::Result<Folder> {
        std::fs::create_dir_all(path).map_err(|error| {
            BadInput(format!("cannot write to {}: {error}", escaped(&path.display().to_string())))
        })?;
        Ok(Folder(path.to_path_buf()))
    }

    /// Writes all files. Each is written completely or not at all.
    pub fn write(&self, studied: &Studied<'_>, numbers: &Value, page: &str) -> anyhow::Result<()> {
        let mut json = serde_json::to_vec_pretty(numbers)?;
        json.push(b'\n');
        let svg = |picture: keepers_plot::Picture| picture.svg().into_bytes();
        let files: [(&str, Vec<u8>); 7] = [
            ("study.json", json),
            ("study.txt", format!("{}\n", page.trim_end()).into_bytes()),
            ("turns.csv", turns(studied).into_bytes()),
            ("leads.csv", leads(studied).into_bytes()),
            ("errors.svg", svg(plot::study_errors(studied))),
            ("leads.svg", svg(plot::study_leads(studied))),
            ("start.svg", svg(plot::study_start(studied))),
        ];
        for (name, bytes) in files {
            let path = self.0.join(name);
            replace(&path, &bytes)
                .with_context(|| format!("cannot write {}", escaped(&path.display().to_string())))?;
        }
        output::note(&format!("wrote {}", self.0.display()));
        Ok(())
    }
}

/// Calls `visit` with the name, the seat and the turns of every player, and of the expected-score choices in positions of
/// exact play.
fn each_player(studied: &Studied<'_>, mut visit: impl FnMut(&str, &str, &[TurnStudy])) {
    for (seat, turns) in SEATS.iter().zip(&studied.study.exact.compared) {
        visit("exact (expected compared)", seat, turns);
    }
    for (name, seats) in studied.names.iter().zip(&studied.study.strategies) {
        for (seat, found) in SEATS.iter().zip(seats) {
            visit(&name.to_string(), seat, &found.turns);
        }
    }
}

fn turns(studied: &Studied<'_>) -> String {
    let mut csv =
        String::from("player,seat,open_boxes,games,decisions,loss_per_decision,standard_error,differs\n");
    each_player(studied, |name, seat, turns| {
        for turn in turns {
            let TurnStudy { open, games, decisions, loss, differs, .. } = turn;
            let _ = writeln!(
                csv,
                "{name},{seat},{open},{games},{decisions:.6},{:.6e},{:.6e},{differs:.6}",
                loss.mean, loss.error
            );
        }
    });
    csv
}

fn leads(studied: &Studied<'_>) -> String {
    let mut csv = String::from("player,seat,open_boxes,lead_from,lead_to,games,loss_per_decision,differs\n");
    each_player(studied, |name, seat, turns| {
        for (turn, lead) in turns.iter().flat_map(|turn| turn.leads.iter().map(move |lead| (turn, lead))) {
            let (from, to) = lead.leads;
            let _ = writeln!(
                csv,
                "{name},{seat},{},{from},{to},{},{:.6e},{:.6}",
                turn.open, lead.games, lead.loss, lead.differs
            );
        }
    });
    csv
}
