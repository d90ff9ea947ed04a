//! `keepers papers`: recomputes the figures of publications.

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use keepers_papers::{
    Compared, DOCUMENTS, Document, Options, Published, Results, Verdict, compare, document,
};
use serde::Serialize;

use crate::args::papers::{Papers, PapersAction, RunPapers, WritePapers};
use crate::bad_input::BadInput;
use crate::output;
use crate::session::Session;

/// The figures of a publication by verdict.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    title: String,
    items: usize,
    agree: usize,
    differ: usize,
    open: usize,
    fail: usize,
    missing: usize,
    partial: usize,
}

/// A printed figure and ours.
#[derive(Serialize)]
struct Row<'a> {
    document: &'static str,
    item: &'a str,
    figure: &'a str,
    printed: Option<&'a str>,
    ours: Option<f64>,
    error: Option<f64>,
    verdict: String,
}

pub fn run(session: &Session, args: &Papers) -> anyhow::Result<()> {
    if !args.folder.is_dir() {
        let folder = output::escaped(&args.folder.display().to_string());
        let problem =
            format!("there is no folder {folder}: run this in the repository of Keepers, or use --folder");
        return Err(BadInput(problem).into());
    }
    match &args.action {
        None => list(session, &args.folder),
        Some(PapersAction::Run(run)) => recompute(session, &args.folder, run),
        Some(PapersAction::Write(write)) => generate(&args.folder, write),
    }
}

fn list(session: &Session, folder: &Path) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for document in DOCUMENTS {
        let own = folder.join(document.name);
        let (published, results) = (Published::read(&own)?, Results::read(&own)?);
        let mut listed = Listed {
            name: document.name,
            title: published.title.clone(),
            items: published.item.len(),
            agree: 0,
            differ: 0,
            open: 0,
            fail: 0,
            missing: 0,
            partial: results.items.values().filter(|item| item.partial.is_some()).count(),
        };
        for item in &published.item {
            for one in compare(item, results.items.get(&item.id)) {
                match one.verdict {
                    Verdict::Agrees => listed.agree += 1,
                    Verdict::Differs => listed.differ += 1,
                    Verdict::Open => listed.open += 1,
                    Verdict::Fails => listed.fail += 1,
                    Verdict::Missing if one.published.printed.is_some() => listed.missing += 1,
                    Verdict::Ours | Verdict::Missing => {}
                }
            }
        }
        all.push(listed);
    }
    if session.json {
        return output::json(&all);
    }
    let headings =
        ["name", "title", ">items", ">agree", ">differ", ">open", ">fail", ">not computed", ">partial items"];
    let rows = all.iter().map(|of| {
        let counts = [of.items, of.agree, of.differ, of.open, of.fail, of.missing, of.partial];
        [of.name.to_string(), of.title.clone()].into_iter().chain(counts.map(|n| n.to_string())).collect()
    });
    output::text(&output::table(&headings, rows))
}

fn recompute(session: &Session, folder: &Path, args: &RunPapers) -> anyhow::Result<()> {
    let documents: Vec<&'static Document> = if args.name == "all" {
        DOCUMENTS.iter().collect()
    } else {
        let Some(found) = document(&args.name) else {
            let names: Vec<&str> = DOCUMENTS.iter().map(|document| document.name).collect();
            let name = output::escaped(&args.name);
            return Err(
                BadInput(format!("unknown publication \"{name}\": use all, {}", names.join(", "))).into()
            );
        };
        vec![found]
    };
    if args.only.is_some() && documents.len() > 1 {
        return Err(BadInput("--only needs the name of one publication".to_string()).into());
    }
    if let Some(only) = &args.only
        && !documents[0].items.iter().any(|item| item.id == only)
    {
        let ids: Vec<&str> = documents[0].items.iter().map(|item| item.id).collect();
        let only = output::escaped(only);
        let name = documents[0].name;
        return Err(BadInput(format!("{name} has no item \"{only}\": use one of {}", ids.join(", "))).into());
    }
    if args.minutes.is_some_and(|minutes| !(minutes > 0.0 && minutes.is_finite())) {
        return Err(BadInput("--minutes must be a number above 0".to_string()).into());
    }
    if let Some(output) = &args.output {
        std::fs::create_dir_all(output)?;
    }
    let options = Options {
        papers: folder.to_path_buf(),
        quick: args.quick,
        only: args.only.clone(),
        again: args.again,
        minutes: args.minutes,
        output: args.output.clone(),
    };
    let (mut failed, mut changed) = (0, 0);
    for document in documents {
        let start = Instant::now();
        let published = Published::read(&folder.join(document.name))?;
        let outcome =
            keepers_papers::run(document, &session.service, &session.observer, &options, |_, _, _| ())?;
        session.observer.clear();
        let mut rows = Vec::new();
        for item in &published.item {
            let Some(result) = outcome.results.items.get(&item.id) else { continue };
            for one in compare(item, Some(result)) {
                failed += usize::from(one.verdict == Verdict::Fails);
                // Quick runs leave out some figures.
                if one.verdict != Verdict::Missing || !args.quick {
                    failed += usize::from(one.verdict == Verdict::Missing);
                    rows.push((item.id.clone(), one));
                }
            }
        }
        if session.json {
            for (item, one) in &rows {
                output::json(&row(document.name, item, one))?;
            }
        } else {
            let shown = rows.iter().map(|(item, one)| {
                vec![
                    item.clone(),
                    one.published.title().to_string(),
                    one.published.printed.clone().unwrap_or_default(),
                    one.ours_text(),
                    one.difference_text(),
                    one.verdict.to_string(),
                ]
            });
            let table =
                output::table(&["item", "figure", ">printed", ">ours", ">difference", "verdict"], shown);
            let seconds = start.elapsed().as_secs_f64();
            let kept = match outcome.kept.len() {
                0 => String::new(),
                kept => format!("; {kept} finished before (--again computes them again)"),
            };
            output::text(&format!(
                "{}: {}\n\n{table}\n\n{seconds:.1} s{kept}\n",
                document.name, published.title
            ))?;
        }
        for (item, figure, stored, now) in &outcome.changed {
            changed += 1;
            output::note(&format!(
                "{}, {item}: {figure} is now {now}, but {stored} is stored",
                document.name
            ));
        }
        for (id, result) in &outcome.results.items {
            if let Some(partial) = &result.partial {
                output::note(&format!(
                    "{}, {id}: partial, {partial}; run it again to continue",
                    document.name
                ));
            }
        }
    }
    match (failed, changed) {
        (0, 0) => Ok(()),
        (0, _) => bail!("{changed} figures differ from the stored results: run them again without --quick"),
        _ => bail!("{}", output::count(failed, "figure is not as expected", "figures are not as expected")),
    }
}

fn row<'a>(document: &'static str, item: &'a str, one: &'a Compared<'_>) -> Row<'a> {
    Row {
        document,
        item,
        figure: &one.published.id,
        printed: one.published.printed.as_deref(),
        ours: one.ours.map(|ours| ours.value),
        error: one.ours.map(|ours| ours.error),
        verdict: one.verdict.to_string(),
    }
}

fn generate(folder: &Path, args: &WritePapers) -> anyhow::Result<()> {
    let mut outdated = Vec::new();
    for file in keepers_papers::generate(folder)? {
        if file.is_current {
            continue;
        }
        if args.check {
            outdated.push(file.path.display().to_string());
        } else {
            keepers::internals::tables::file::replace(&file.path, file.text.as_bytes())?;
            output::note(&format!("wrote {}", file.path.display()));
        }
    }
    if outdated.is_empty() {
        return Ok(());
    }
    bail!("not up to date: {}; run keepers papers write", outdated.join(", "))
}
