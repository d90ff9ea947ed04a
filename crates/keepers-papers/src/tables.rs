//! Generates the tables of `papers/NAME/README.md` from the printed figures and our results.
//!
//! The generated part of an item is between the lines `<!-- keepers papers: ID -->` and `<!-- end -->`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::compare::{Compared, Verdict, compare, folded};
use crate::document::DOCUMENTS;
use crate::published::{Published, PublishedItem};
use crate::results::{ItemResult, Provenance, Results};

/// The page of all publications, and its copy in the built app, which shows it under Explore.
const PAGES: [&str; 2] = ["docs/papers.html", "crates/keepers-web/dist/papers.html"];

/// A file and its generated text.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The path of the file.
    pub path: PathBuf,
    /// The text that it should have.
    pub text: String,
    /// Whether the file has this text.
    pub is_current: bool,
}

/// Generates the README of every publication, and the page of all of them with its copy in the built app.
///
/// # Errors
/// Fails if a file cannot be read, or if an item has no markers in its README.
pub fn generate(papers: &Path) -> anyhow::Result<Vec<Generated>> {
    let mut all = Vec::new();
    for document in DOCUMENTS {
        let folder = papers.join(document.name);
        let (published, results) = (Published::read(&folder)?, Results::read(&folder)?);
        let path = folder.join("README.md");
        let before =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let text = filled(&before, document.name, &published, &results)
            .with_context(|| path.display().to_string())?;
        all.push(Generated { is_current: text == before, path, text });
    }
    let text = crate::page::page(papers)?;
    let root = papers.parent().unwrap_or(Path::new("."));
    for path in PAGES.map(|page| root.join(page)) {
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        all.push(Generated { is_current: text == before, path, text: text.clone() });
    }
    Ok(all)
}

/// Returns the text of a README with all generated parts replaced.
fn filled(before: &str, name: &str, published: &Published, results: &Results) -> anyhow::Result<String> {
    let mut text = before.to_string();
    for item in &published.item {
        let marker = format!("<!-- keepers papers: {} -->\n", item.id);
        let Some(start) = text.find(&marker).map(|at| at + marker.len()) else {
            bail!("there is no line {}", marker.trim_end());
        };
        let Some(len) = text[start..].find("<!-- end -->") else {
            bail!("there is no line <!-- end --> after {}", marker.trim_end());
        };
        let table = item_text(name, item, results.items.get(&item.id));
        text.replace_range(start..start + len, &table);
    }
    Ok(text)
}

fn item_text(name: &str, item: &PublishedItem, result: Option<&ItemResult>) -> String {
    let mut out = format!("\n*{}.* `keepers papers run {name} --only {}`\n\n", item.place, item.id);
    let compared = compare(item, result);
    let (shown, more) = folded(&compared);
    if !shown.is_empty() {
        out += &format!("{}\n", figures(&shown));
    }
    if !more.is_empty() {
        let summary = format!("{} figures of ours that are not printed", more.len());
        out += &format!("<details><summary>{summary}</summary>\n\n{}\n</details>\n\n", figures(&more));
    }
    if let Some(result) = result {
        for file in result.files.iter().filter(|file| file.ends_with(".svg")) {
            writeln!(out, "![{}]({file})\n", item.title).expect("writing to a string does not fail");
        }
        let data: Vec<String> =
            result.files.iter().filter(|f| f.ends_with(".csv")).map(|f| format!("[{f}]({f})")).collect();
        let data = if data.is_empty() { String::new() } else { format!("Data: {}. ", data.join(", ")) };
        writeln!(out, "{data}{}\n", provenance_text(&result.provenance, result.partial.as_deref()))
            .expect("writing to a string does not fail");
    } else {
        out.push_str("Not computed yet.\n\n");
    }
    out
}

/// Returns a Markdown table of figures.
fn figures(all: &[&Compared<'_>]) -> String {
    let has_reasons = all.iter().any(|one| !one.published.because.is_empty());
    let (why, rule) = if has_reasons { (" why |", "---|") } else { ("", "") };
    let mut out =
        format!("| figure | printed | ours | difference | verdict |{why}\n|---|---|---|---|---|{rule}\n");
    for one in all {
        let mut cells = vec![
            one.published.title().to_string(),
            one.published.printed.clone().unwrap_or_default(),
            one.ours_text(),
            one.difference_text(),
            verdict_text(one),
        ];
        if has_reasons {
            cells.push(one.published.because.clone());
        }
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        writeln!(out, "| {} |", cells.join(" | ")).expect("writing to a string does not fail");
    }
    out
}

fn verdict_text(one: &Compared<'_>) -> String {
    match one.verdict {
        Verdict::Ours => "no printed figure".to_string(),
        verdict => verdict.to_string(),
    }
}

/// Describes where results come from, in one sentence.
pub(crate) fn provenance_text(of: &Provenance, partial: Option<&str>) -> String {
    let rules: Vec<String> = of.rules.iter().map(|r| format!("{} ({})", r.name, r.fingerprint)).collect();
    let mut out = format!("Keepers {}", of.version);
    if !rules.is_empty() {
        write!(out, ", {}", rules.join(", ")).expect("writing to a string does not fail");
    }
    if let (Some(games), Some(seed)) = (of.games, of.seed) {
        let games = crate::compare::grouped(&games.to_string());
        write!(out, ", {games} games, seed {seed}").expect("writing to a string does not fail");
    }
    write!(out, ", {:.1} s on {}.", of.seconds, of.machine).expect("writing to a string does not fail");
    if let Some(partial) = partial {
        write!(out, " **Partial**: {partial}.").expect("writing to a string does not fail");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_between_the_markers_is_replaced() {
        let published: Published = toml::from_str(
            "title = \"A\"\nauthors = \"B\"\nyear = 2000\n[[item]]\nid = \"x\"\ntitle = \"C\"\nplace = \"table 1\"\n\
             [[item.figure]]\nid = \"mean\"\nprinted = \"254.59\"\n",
        )
        .unwrap();
        let results: Results = serde_json::from_str(
            r#"{"items": {"x": {"figures": {"mean": {"value": 254.5896}}, "files": ["a.svg", "a.csv"],
                "provenance": {"version": "1", "rules": [], "machine": "m", "seconds": 2.0}}}}"#,
        )
        .unwrap();
        let before = "one\n<!-- keepers papers: x -->\nold\n<!-- end -->\ntwo\n";
        let text = filled(before, "a-2000", &published, &results).unwrap();
        assert!(text.starts_with("one\n<!-- keepers papers: x -->\n\n*table 1.* `keepers papers run a-2000"));
        assert!(text.contains("| mean | 254.59 | 254.5896 | -0.0004 | agrees |"), "{text}");
        assert!(text.contains("![C](a.svg)") && text.contains("[a.csv](a.csv)") && !text.contains("old"));
        assert!(text.ends_with("<!-- end -->\ntwo\n"));
        assert_eq!(filled(&text, "a-2000", &published, &results).unwrap(), text);
        assert!(filled("nothing", "a-2000", &published, &results).is_err());
    }
}
