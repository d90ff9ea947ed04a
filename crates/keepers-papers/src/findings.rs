//! Converts `papers/findings.md` to HTML, for the page of all publications. Only what that file uses is understood:
//! paragraphs, one numbered list, pictures, and code, bold, emphasised and linked text.

use std::path::Path;

use anyhow::Context;

use crate::page::{escape, picture_id};

/// Returns the content of the file, without its title. Its pictures become links, because the page has them above.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn findings(papers: &Path) -> anyhow::Result<String> {
    let path = papers.join("findings.md");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(converted(&text))
}

fn converted(text: &str) -> String {
    let mut out = String::new();
    let mut in_list = false;
    for block in text.split("\n\n").filter(|block| !block.starts_with("# ")) {
        let is_inside = block.starts_with("  ");
        for piece in pieces(block) {
            if let Some((alt, source)) = picture(&piece) {
                let id = picture_id(source);
                out.push_str(&format!("<p><a href=\"#{id}\">Picture: {}</a></p>\n", escape(alt)));
                continue;
            }
            let item = piece.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
            match (item, in_list) {
                (Some(_), true) => out.push_str("</li>\n<li>"),
                (Some(_), false) => out.push_str("<ol>\n<li>"),
                (None, true) if !is_inside => out.push_str("</li>\n</ol>\n"),
                (None, _) => {}
            }
            in_list = item.is_some() || (in_list && is_inside);
            out.push_str(&format!("<p>{}</p>\n", inline(item.map_or(piece.as_str(), |(_, text)| text))));
        }
    }
    out + if in_list { "</li>\n</ol>\n" } else { "" }
}

/// Joins the lines of a block to items, pictures and paragraphs.
fn pieces(block: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in block.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let starts_item = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        match pieces.last_mut() {
            Some(last) if !starts_item && !line.starts_with("![") && picture(last).is_none() => {
                last.push(' ');
                last.push_str(line);
            }
            _ => pieces.push(line.to_string()),
        }
    }
    pieces
}

/// Reads `![alt](source)`.
fn picture(piece: &str) -> Option<(&str, &str)> {
    piece.strip_prefix("![")?.strip_suffix(')')?.split_once("](")
}

/// Converts marks within a paragraph.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (nth, part) in text.split('`').enumerate() {
        if nth % 2 == 1 {
            out.push_str(&format!("<code>{}</code>", escape(part)));
            continue;
        }
        let bold = paired(&escape(part), "**", "strong");
        out.push_str(&linked(&paired(&bold, "*", "em")));
    }
    out
}

/// Replaces pairs of marks by an element.
fn paired(text: &str, mark: &str, element: &str) -> String {
    let mut out = String::new();
    for (nth, part) in text.split(mark).enumerate() {
        if nth > 0 {
            out.push_str(&format!("<{}{element}>", if nth % 2 == 1 { "" } else { "/" }));
        }
        out.push_str(part);
    }
    out
}

/// Replaces `[text](address)` by a link.
fn linked(text: &str) -> String {
    let Some((before, rest)) = text.split_once('[') else { return text.to_string() };
    let link = rest.split_once("](").and_then(|(name, rest)| Some((name, rest.split_once(')')?)));
    let Some((name, (address, after))) = link else { return text.to_string() };
    format!("{before}<a href=\"{address}\">{name}</a>{}", linked(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_pictures_and_marks_are_converted() {
        let text = "# Title\n\nAll *this* is `a<b`.\n\n1. **One.** See [here](../x.md) and\n   more.\n   ![A](a.svg)\n\n\
                    2. Two\n\n   ![B](b.svg)\n3. Three\n\nOpen: nothing.\n";
        let html = converted(text);
        assert!(
            html.starts_with("<p>All <em>this</em> is <code>a&lt;b</code>.</p>\n<ol>\n<li><p>"),
            "{html}"
        );
        assert!(
            html.contains("<strong>One.</strong> See <a href=\"../x.md\">here</a> and more.</p>"),
            "{html}"
        );
        assert_eq!((html.matches("<li>").count(), html.matches("href=\"#").count()), (3, 2), "{html}");
        assert!(html.ends_with("<p>Three</p>\n</li>\n</ol>\n<p>Open: nothing.</p>\n"), "{html}");
    }
}
