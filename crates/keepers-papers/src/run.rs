//! Runs the items of a publication, and collects their results.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use keepers::internals::tables::file::replace;
use keepers::{Engine, Game, Observer, Rules};
use keepers_api::{Question, Refusal, Service};
use keepers_plot::Picture;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::document::{Document, Item};
use crate::published::Published;
use crate::results::{Figure, ItemResult, Provenance, Results, RulesUsed, machine};

/// How to run the items of a publication.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder `papers/`.
    pub papers: PathBuf,
    /// Only the quick items, with fewer games. Nothing is stored, unless there is an `output`.
    pub quick: bool,
    /// Only this item.
    pub only: Option<String>,
    /// Compute finished items again.
    pub again: bool,
    /// Stop long items after this many minutes each; a later run continues.
    pub minutes: Option<f64>,
    /// The folder for CSV and SVG files; by default, that of the publication.
    pub output: Option<PathBuf>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The results of the items that were run, or that were already finished.
    pub results: Results,
    /// The items that were already finished.
    pub kept: Vec<String>,
    /// Exact figures that differ from the stored results: item, figure, stored, now.
    pub changed: Vec<(String, String, f64, f64)>,
}

/// The work on one item: what it may use, and what it has found so far.
pub struct Run<'a> {
    /// The service that answers questions.
    pub service: &'a Service,
    /// The observer of all work.
    pub observer: &'a dyn Observer,
    /// Whether the run should be quick.
    pub quick: bool,
    deadline: Option<Instant>,
    output: Option<PathBuf>,
    result: ItemResult,
    stored: &'a Results,
    store: &'a mut dyn FnMut(&ItemResult) -> anyhow::Result<()>,
}

impl<'a> Run<'a> {
    /// Returns the engine, with the observer.
    pub fn engine(&self) -> Engine<'a> {
        self.service.engine().observed_by(self.observer)
    }

    /// Returns a game by the name of its preset or by TOML, and records its rules.
    pub fn game(&mut self, rules: &str) -> anyhow::Result<Game> {
        let game = self.service.game(rules).map_err(refused)?.game().clone();
        self.uses(game.rules());
        Ok(game)
    }

    /// Answers a question.
    pub fn ask<Q: Question>(&self, question: &Q) -> anyhow::Result<Q::Answer> {
        question.answer(self.service, self.observer).map_err(refused)
    }

    /// Records the rules that the results depend on.
    pub fn uses(&mut self, rules: &Rules) {
        let fingerprint: String = rules.fingerprint().iter().take(8).map(|b| format!("{b:02x}")).collect();
        let used = RulesUsed { name: rules.name().to_string(), fingerprint };
        if !self.result.provenance.rules.contains(&used) {
            self.result.provenance.rules.push(used);
        }
    }

    /// Records the number of games played, and their seed.
    pub fn played(&mut self, games: u64, seed: u64) {
        self.result.provenance.games = Some(games);
        self.result.provenance.seed = Some(seed);
    }

    /// Returns one of two numbers, depending on whether the run is quick.
    pub fn full_or_quick(&self, full: u64, quick: u64) -> u64 {
        if self.quick { quick } else { full }
    }

    /// Records an exact figure.
    pub fn exact(&mut self, id: impl Into<String>, value: f64) {
        self.estimate(id, value, 0.0);
    }

    /// Records a figure with its standard error.
    pub fn estimate(&mut self, id: impl Into<String>, value: f64, error: f64) {
        // NaN and infinity cannot be stored as JSON.
        let (value, error) = (if value.is_finite() { value } else { -1.0 }, error.max(0.0));
        self.result.figures.insert(id.into(), Figure { value, error });
    }

    /// Records whether a claim holds.
    pub fn claim(&mut self, id: impl Into<String>, holds: bool) {
        self.exact(id, f64::from(u8::from(holds)));
    }

    /// Returns a recorded figure.
    pub fn figure(&self, id: &str) -> Option<f64> {
        self.result.figures.get(id).map(|figure| figure.value)
    }

    /// Returns a stored figure of a finished item of the same publication.
    pub fn stored(&self, item: &str, figure: &str) -> Option<f64> {
        let found = self.stored.items.get(item).filter(|found| {
            found.partial.is_none() && found.provenance.version == env!("CARGO_PKG_VERSION") && !self.quick
        })?;
        Some(found.figures.get(figure)?.value)
    }

    /// Records that the item is not finished.
    pub fn partial(&mut self, done: impl Into<String>) {
        self.result.partial = Some(done.into());
    }

    /// Writes a CSV file.
    pub fn csv(&mut self, name: &str, headings: &[&str], rows: &[Vec<String>]) -> anyhow::Result<()> {
        let mut text = headings.join(",");
        text.push('\n');
        for row in rows {
            writeln!(text, "{}", row.join(","))?;
        }
        self.file(&format!("{name}.csv"), text.as_bytes())
    }

    /// Writes a picture as SVG.
    pub fn picture(&mut self, name: &str, picture: &Picture) -> anyhow::Result<()> {
        self.file(&format!("{name}.svg"), picture.svg().as_bytes())
    }

    fn file(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        if let Some(folder) = &self.output {
            let path = folder.join(name);
            replace(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.result.files.push(name.to_string());
        Ok(())
    }

    /// Runs a long item in parts, each of which is stored when it is finished. Returns the finished parts: all of them,
    /// or as many as the time allows. An interrupted run continues after the last stored part.
    pub fn parts<P: Serialize + DeserializeOwned>(
        &mut self,
        all: u64,
        mut part: impl FnMut(&Run<'a>, u64) -> anyhow::Result<P>,
    ) -> anyhow::Result<Vec<P>> {
        for nth in self.result.parts.len() as u64..all {
            if nth > 0 && self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                self.partial(format!("{nth} of {all} parts"));
                break;
            }
            let finished = part(self, nth)?;
            self.result.parts.push(serde_json::to_value(finished)?);
            let mut so_far = self.result.clone();
            so_far.partial = Some(format!("{} of {all} parts", nth + 1));
            (self.store)(&so_far)?;
        }
        let read = |part: &serde_json::Value| Ok(serde_json::from_value(part.clone())?);
        self.result.parts.iter().map(read).collect()
    }
}

fn refused(refusal: Refusal) -> anyhow::Error {
    anyhow::anyhow!("{refusal}")
}

/// Runs items of a publication. Finished items are not computed again unless the options say so. Each item is stored
/// when it is finished.
///
/// # Errors
/// Fails if an item is unknown, if a file cannot be read or written, or if an item cannot be computed.
pub fn run(
    document: &Document,
    service: &Service,
    observer: &dyn Observer,
    options: &Options,
    mut finished: impl FnMut(&Item, &ItemResult, bool),
) -> anyhow::Result<Outcome> {
    let folder = options.papers.join(document.name);
    let published = Published::read(&folder)?;
    let stored = Results::read(&folder)?;
    let items: Vec<&Item> = match &options.only {
        None => document.items.iter().filter(|item| item.quick || !options.quick).collect(),
        Some(id) => {
            let found = document.items.iter().find(|item| item.id == *id);
            let Some(item) = found else {
                let ids: Vec<&str> = document.items.iter().map(|item| item.id).collect();
                bail!("{} has no item \"{id}\": use one of {}", document.name, ids.join(", "));
            };
            vec![item]
        }
    };
    let output = options.output.clone().or_else(|| (!options.quick).then(|| folder.clone()));
    let mut outcome = Outcome { results: Results::default(), kept: Vec::new(), changed: Vec::new() };
    let mut all = stored.clone();
    for item in items {
        anyhow::ensure!(published.item(item.id).is_some(), "{} is not in published.toml", item.id);
        let before = stored.items.get(item.id);
        if let Some(before) = before
            && !options.quick
            && !options.again
            && before.partial.is_none()
            && before.provenance.version == env!("CARGO_PKG_VERSION")
            && is_current(&before.provenance.rules, service)
        {
            outcome.results.items.insert(item.id.to_string(), before.clone());
            outcome.kept.push(item.id.to_string());
            finished(item, before, true);
            continue;
        }
        let result = run_one(item, service, observer, options, output.as_deref(), &all, &mut |so_far| {
            if options.quick { Ok(()) } else { store(&folder, item.id, so_far) }
        });
        let result = result.with_context(|| format!("{}, {}", document.name, item.id))?;
        if let (true, Some(before)) = (options.quick, before) {
            outcome.changed.extend(changes(item.id, before, &result));
        }
        if !options.quick {
            all.items.insert(item.id.to_string(), result.clone());
            store(&folder, item.id, &result)?;
        }
        finished(item, &result, false);
        outcome.results.items.insert(item.id.to_string(), result);
    }
    Ok(outcome)
}

/// Stores the result of an item. Other items are read again, because another run may have stored them in the meantime.
fn store(folder: &Path, item: &str, result: &ItemResult) -> anyhow::Result<()> {
    let mut all = Results::read(folder)?;
    all.items.insert(item.to_string(), result.clone());
    all.write(folder)
}

fn run_one(
    item: &Item,
    service: &Service,
    observer: &dyn Observer,
    options: &Options,
    output: Option<&Path>,
    stored: &Results,
    store: &mut dyn FnMut(&ItemResult) -> anyhow::Result<()>,
) -> anyhow::Result<ItemResult> {
    let start = Instant::now();
    let mut result = ItemResult::default();
    let mut earlier = 0.0;
    if let Some(before) = stored.items.get(item.id)
        && !options.quick
        && !options.again
        && before.provenance.version == env!("CARGO_PKG_VERSION")
    {
        result.parts.clone_from(&before.parts);
        earlier = before.provenance.seconds;
    }
    result.provenance = Provenance {
        version: env!("CARGO_PKG_VERSION").to_string(),
        machine: machine(),
        ..Default::default()
    };
    let minutes = |minutes: f64| start + Duration::from_secs_f64(60.0 * minutes);
    let mut seconds_so_far = |so_far: &ItemResult| {
        let mut so_far = so_far.clone();
        so_far.provenance.seconds = earlier + start.elapsed().as_secs_f64();
        store(&so_far)
    };
    let mut run = Run {
        service,
        observer,
        quick: options.quick,
        deadline: options.minutes.map(minutes),
        output: output.map(Path::to_path_buf),
        result,
        stored,
        store: &mut seconds_so_far,
    };
    (item.run)(&mut run)?;
    let mut result = run.result;
    let seconds = earlier + start.elapsed().as_secs_f64();
    result.provenance.seconds = (seconds * 100.0).round() / 100.0;
    Ok(result)
}

/// Returns whether presets still have the rules with which results were computed. Rules that are not presets are part of
/// an item's source.
fn is_current(used: &[RulesUsed], service: &Service) -> bool {
    used.iter().all(|used| {
        let Ok(ready) = service.game(&used.name) else { return true };
        let now: String = ready.rules().fingerprint().iter().take(8).map(|b| format!("{b:02x}")).collect();
        now == used.fingerprint
    })
}

/// Returns the exact figures that differ from the stored ones by more than rounding.
fn changes(item: &str, before: &ItemResult, now: &ItemResult) -> Vec<(String, String, f64, f64)> {
    let mut changes = Vec::new();
    for (id, new) in &now.figures {
        let Some(old) = before.figures.get(id) else { continue };
        let rounding = 1e-9 * old.value.abs().max(1e-3);
        let errors = if old.error + new.error > 0.0 { 5.0 * old.error.hypot(new.error) } else { 0.0 };
        if (old.value - new.value).abs() > rounding + errors {
            changes.push((item.to_string(), id.clone(), old.value, new.value));
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use keepers::{Silent, Store};

    use super::*;

    fn counted(run: &mut Run<'_>) -> anyhow::Result<()> {
        let parts = run.parts(3, |_, nth| Ok(nth + 1))?;
        run.exact("sum", parts.iter().sum::<u64>() as f64);
        run.csv("parts", &["part"], &parts.iter().map(|part| vec![part.to_string()]).collect::<Vec<_>>())
    }

    const ITEMS: &[Item] = &[Item { id: "counted", quick: true, run: counted }];

    #[test]
    fn a_run_continues_where_it_stopped_and_keeps_finished_items() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("test-2000");
        std::fs::create_dir(&own).unwrap();
        let published = "title = \"A\"\nauthors = \"B\"\nyear = 2000\n[[item]]\nid = \"counted\"\ntitle = \"C\"\n\
            place = \"p. 1\"\n[[item.figure]]\nid = \"sum\"\nprinted = \"6\"\n";
        std::fs::write(own.join("published.toml"), published).unwrap();
        let document = Document { name: "test-2000", items: ITEMS };
        let service = Service::new(Engine::new(Store::none()));
        let mut options =
            Options { papers: folder.path().to_path_buf(), minutes: Some(0.0), ..Options::default() };
        let go = |options: &Options| run(&document, &service, &Silent, options, |_, _, _| ()).unwrap();
        // No time is left after the first part.
        let first = go(&options);
        assert_eq!(first.results.items["counted"].parts.len(), 1);
        assert_eq!(first.results.items["counted"].partial.as_deref(), Some("1 of 3 parts"));
        options.minutes = None;
        let second = go(&options);
        assert!(second.kept.is_empty());
        assert_eq!(second.results.items["counted"].figures["sum"].value, 6.0);
        assert_eq!(second.results.items["counted"].partial, None);
        assert_eq!(std::fs::read_to_string(own.join("parts.csv")).unwrap(), "part\n1\n2\n3\n");
        assert_eq!(go(&options).kept, ["counted"]);
        options.again = true;
        assert!(go(&options).kept.is_empty());
        // Quick runs store nothing, and notice exact figures that differ from the stored ones.
        let mut stored = Results::read(&own).unwrap();
        stored.items.get_mut("counted").unwrap().figures.get_mut("sum").unwrap().value = 7.0;
        stored.write(&own).unwrap();
        options.quick = true;
        let quick = go(&options);
        assert_eq!(quick.changed, [("counted".to_string(), "sum".to_string(), 7.0, 6.0)]);
        assert_eq!(Results::read(&own).unwrap().items["counted"].figures["sum"].value, 7.0);
        options.only = Some("other".to_string());
        let unknown = run(&document, &service, &Silent, &options, |_, _, _| ()).unwrap_err();
        assert_eq!(unknown.to_string(), "test-2000 has no item \"other\": use one of counted");
    }
}
