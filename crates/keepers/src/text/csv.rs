//! Reading and writing simple CSV: numbers, names and headings.

/// Returns the data lines of a CSV file, each with its number from 1, and whether `flag` was found. Skips empty lines,
/// lines that start with `#`, a line that consists of `flag` before the data, and a heading (a line with a comma and
/// without digits).
pub(crate) fn data_lines<'t>(text: &'t str, flag: Option<&str>) -> (bool, Vec<(usize, &'t str)>) {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    let flagged = lines.next_if(|(_, line)| Some(*line) == flag).is_some();
    lines.next_if(|(_, line)| line.contains(',') && !line.contains(|c: char| c.is_ascii_digit()));
    (flagged, lines.collect())
}

/// The maximum number of problems of a file that are stored; the others are only counted.
pub(crate) const KEPT_PROBLEMS: usize = 100;

/// Writes a field of a CSV line, in quotes if it contains a comma, a quote or a line break.
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
