//! The little CSV that is read and written here: numbers, names and headings.

/// The lines of a CSV that hold data, each with its number from 1. Empty lines, lines that start with `#`, the word
/// in `flag` on a line of its own before the data, and a heading (a line with a comma and without digits) are left
/// out. Returns whether the flag was found, and the lines.
pub(crate) fn data_lines<'t>(text: &'t str, flag: Option<&str>) -> (bool, Vec<(usize, &'t str)>) {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    let flagged = lines.next_if(|(_, line)| Some(*line) == flag).is_some();
    lines.next_if(|(_, line)| line.contains(',') && !line.contains(|c: char| c.is_ascii_digit()));
    (flagged, lines.collect())
}

/// How many problems of a file are kept; what follows is only counted.
pub(crate) const KEPT_PROBLEMS: usize = 100;

/// A field of a CSV line, in quotes if it contains a comma, a quote or a line break.
///
/// ```
/// assert_eq!(keepers::internals::text::csv_field("a \"b\", c"), "\"a \"\"b\"\", c\"");
/// ```
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
