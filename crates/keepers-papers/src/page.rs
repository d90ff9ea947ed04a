//! Generates `docs/papers.html`: every printed figure next to ours, with pictures and commands, in one file.

use std::fmt::Write;
use std::path::Path;

use crate::compare::{Compared, Verdict, compare, folded};
use crate::document::DOCUMENTS;
use crate::findings::findings;
use crate::published::Published;
use crate::results::Results;
use crate::tables::provenance_text;

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1f; --soft: #5d5d66; --line: #d8d8de; --good: #1a7f37;
  --other: #9a6700; --open: #8250df; --bad: #cf222e; --panel: #f6f6f8; }
@media (prefers-color-scheme: dark) { :root { --paper: #16161a; --ink: #ececf0; --soft: #a8a8b3; --line: #3a3a42;
  --good: #57ab5a; --other: #d29922; --open: #b083f0; --bad: #f47067; --panel: #1f1f25; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem; }
h3 { margin-bottom: .2rem; } p { max-width: 46rem; } .soft { color: var(--soft); font-size: .875rem; }
code { background: var(--panel); padding: .1em .3em; border-radius: 4px; font-size: .875em; overflow-wrap: anywhere; }
.both { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
@media (min-width: 60rem) { .both.two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.why { color: var(--soft); padding-left: 1rem; white-space: normal; max-width: 20rem; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.agrees { color: var(--good); } .differs { color: var(--other); } .open { color: var(--open); } .fails { color: var(--bad); }
summary { cursor: pointer; padding: .6rem 0; }
@media (max-width: 45rem) { table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  tr:first-child { display: none; } tr:has(+ tr .why) { border-bottom: 0; } td, td.n { border: 0; padding: 0; text-align: left; white-space: normal; }
  td:first-child { flex-basis: 100%; font-weight: 600; } td:empty { display: none; }
  td.why { font-weight: 400; padding: 0; } td[data-l]:not([data-l=''])::before { content: attr(data-l) ' '; color: var(--soft); } }
img { width: 100%; height: auto; background: #fff; border-radius: 6px; }
nav ul { padding-left: 1.2rem; } a { color: inherit; }
";

/// Returns the page of all publications.
///
/// # Errors
/// Fails if a file of a publication cannot be read.
pub fn page(papers: &Path) -> anyhow::Result<String> {
    let mut body = String::new();
    let mut contents = String::new();
    let mut counts = [0_usize; 4];
    for document in DOCUMENTS {
        let folder = papers.join(document.name);
        let (published, results) = (Published::read(&folder)?, Results::read(&folder)?);
        let mut own = [0_usize; 4];
        let mut items = String::new();
        for item in &published.item {
            let result = results.items.get(&item.id);
            let compared = compare(item, result);
            for one in &compared {
                match one.verdict {
                    Verdict::Agrees => own[0] += 1,
                    Verdict::Differs => own[1] += 1,
                    Verdict::Open => own[2] += 1,
                    Verdict::Missing if one.published.printed.is_none() => {}
                    Verdict::Fails | Verdict::Missing => own[3] += 1,
                    Verdict::Ours => {}
                }
            }
            let anchor = format!("{}-{}", document.name, item.id);
            writeln!(items, "<section id=\"{anchor}\"><h3>{}</h3>", escape(&item.title))?;
            writeln!(
                items,
                "<p class=\"soft\">{}. <code>keepers papers run {} --only {}</code></p>",
                escape(&item.place),
                document.name,
                item.id
            )?;
            if !item.text.is_empty() {
                writeln!(items, "<p>{}</p>", escape(&item.text))?;
            }
            let pictures: Vec<&String> = result
                .map(|r| r.files.iter().filter(|file| file.ends_with(".svg")).collect())
                .unwrap_or_default();
            let both = if pictures.is_empty() || compared.is_empty() { "both" } else { "both two" };
            writeln!(items, "<div class=\"{both}\">")?;
            if !compared.is_empty() {
                let (shown, more) = folded(&compared);
                items.push_str("<div>\n");
                if !shown.is_empty() {
                    items.push_str(&table(&item.title, &shown));
                }
                if !more.is_empty() {
                    let summary = format!("{} figures of ours that are not printed", more.len());
                    let all = table(&format!("{}, not printed", item.title), &more);
                    writeln!(items, "<details><summary>{summary}</summary>\n{all}</details>")?;
                }
                items.push_str("</div>\n");
            }
            if !pictures.is_empty() {
                items.push_str("<div>\n");
                for file in pictures {
                    let svg = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
                    let id = picture_id(&format!("{}/{file}", document.name));
                    items.push_str(&embedded(&id, &format!("{}: {file}", item.title), &svg));
                }
                items.push_str("</div>\n");
            }
            items.push_str("</div>\n");
            if let Some(result) = result {
                let data: Vec<String> = result
                    .files
                    .iter()
                    .filter(|file| file.ends_with(".csv"))
                    .map(|file| format!("<a href=\"../papers/{}/{file}\">{file}</a>", document.name))
                    .collect();
                let data =
                    if data.is_empty() { String::new() } else { format!("Data: {}. ", data.join(", ")) };
                let provenance = escape(&provenance_text(&result.provenance, result.partial.as_deref()));
                writeln!(items, "<p class=\"soft\">{data}{}</p>", provenance.replace("**", ""))?;
            } else {
                items.push_str("<p class=\"soft\">Not computed yet.</p>\n");
            }
            items.push_str("</section>\n");
        }
        let summary = summary(own);
        writeln!(
            contents,
            "<li><a href=\"#{0}\">{1}: {2}</a> <span class=\"soft\">{summary}</span></li>",
            document.name,
            escape(&published.by()),
            escape(&published.title)
        )?;
        writeln!(
            body,
            "<h2 id=\"{0}\">{1}: {2}</h2>\n<p class=\"soft\">{summary}. \
             <a href=\"../papers/{0}/README.md\">Notes, and what is not reproduced</a>.</p>\n{items}",
            document.name,
            escape(&published.by()),
            escape(&published.title)
        )?;
        counts.iter_mut().zip(own).for_each(|(all, own)| *all += own);
    }
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>The papers, recomputed</title>\n<style>{STYLE}</style></head><body>\n\
         <h1>The papers, recomputed</h1>\n\
         <p>The figures that six publications about Yahtzee and Yatzy print, next to ours. {}. \
         </p>\n\
         <nav><ul>\n{contents}<li><a href=\"#findings\">What is new here</a></li>\n</ul></nav>\n{body}\
         <h2 id=\"findings\">What is new here</h2>\n{}</body></html>\n",
        summary(counts),
        findings(papers)?
    ))
}

/// Returns a table of figures, which scrolls sideways if it is too wide.
fn table(name: &str, figures: &[&Compared<'_>]) -> String {
    // The roles keep the meaning of the table where a narrow screen shows its rows as blocks.
    let mut out = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table role=\"table\"><tr role=\"row\">",
        escape(&format!("Figures: {name}"))
    );
    for (heading, class) in
        [("figure", ""), ("printed", "n"), ("ours", "n"), ("difference", "n"), ("verdict", "")]
    {
        out.push_str(&format!("<th role=\"columnheader\" class=\"{class}\">{heading}</th>"));
    }
    out.push_str("</tr>\n");
    for one in figures {
        let class = match one.verdict {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Open => "open",
            Verdict::Fails => "fails",
            Verdict::Ours | Verdict::Missing => "soft",
        };
        // Sentences wrap, numbers do not.
        let printed = if one.published.claim { "says" } else { "n" };
        let cells = [
            ("", "", escape(one.published.title())),
            (printed, "printed", escape(one.published.printed.as_deref().unwrap_or(""))),
            ("n", "ours", one.ours_text()),
            ("n", "difference", one.difference_text()),
            (class, "", one.verdict.to_string()),
        ];
        out.push_str("<tr role=\"row\">");
        for (class, label, text) in cells {
            out.push_str(&format!("<td role=\"cell\" class=\"{class}\" data-l=\"{label}\">{text}</td>"));
        }
        out.push_str("</tr>\n");
        if !one.published.because.is_empty() {
            let because = escape(&one.published.because);
            out.push_str(&format!(
                "<tr role=\"row\"><td role=\"cell\" colspan=\"5\" class=\"why\">{because}</td></tr>\n"
            ));
        }
    }
    out + "</table></div>\n"
}

/// Counts the figures by verdict, in words.
fn summary([agree, differ, open, other]: [usize; 4]) -> String {
    let mut out = format!("{agree} figures agree");
    for (count, words) in [
        (differ, "differ for a known reason"),
        (open, "differ, unexplained"),
        (other, "not computed or failing"),
    ] {
        if count > 0 {
            write!(out, ", {count} {words}").expect("writing to a string does not fail");
        }
    }
    out
}

/// Returns a picture with its content in the page. Percent signs instead of base 64 halve the compressed page.
fn embedded(id: &str, alt: &str, svg: &str) -> String {
    let mut data = String::with_capacity(svg.len() * 3 / 2);
    for c in svg.chars() {
        match c {
            '%' | '#' | '<' | '>' | '"' | '&' => write!(data, "%{:02X}", u32::from(c)).expect("a string"),
            '\n' => {}
            c => data.push(c),
        }
    }
    format!("<img id=\"{id}\" alt=\"{}\" src=\"data:image/svg+xml,{data}\">\n", escape(alt))
}

/// Returns the id of a picture in the page.
pub(crate) fn picture_id(file: &str) -> String {
    format!("picture-{}", file.trim_end_matches(".svg").replace('/', "-"))
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_no_characters_that_end_its_address() {
        let img = embedded("a-b", "A & B", "<svg fill=\"#fff\">\n10 % </svg>");
        let data = "%3Csvg fill=%22%23fff%22%3E10 %25 %3C/svg%3E";
        assert_eq!(img, format!("<img id=\"a-b\" alt=\"A &amp; B\" src=\"data:image/svg+xml,{data}\">\n"));
    }
}
