//! Prints answers: JSON for programs, tables for people.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use clap::builder::StyledStr;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use keepers::Rules;
use serde::Serialize;

/// Prints a value as one line of JSON.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()?;
    Ok(())
}

/// Prints a line on stderr, with control characters escaped. Ignores errors, so that work continues without a reader.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "keepers: {}", escaped(text));
}

/// Prints the text of `--help` or `--version`, with or without styles.
pub fn answer(text: &StyledStr, styled: bool) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if styled {
        write!(out, "{}", text.ansi())?
    } else {
        write!(out, "{text}")?
    };
    out.flush()?;
    Ok(())
}

/// Escapes the control characters of a text from a file or the command line.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { out.extend(c.escape_debug()) } else { out.push(c) }
    }
    out
}

/// Formats the fingerprint of rules in hexadecimal.
pub fn fingerprint(rules: &Rules) -> String {
    rules.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Prints text on stdout, without empty lines at its end.
pub fn text(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    out.flush()?;
    Ok(())
}

/// Formats a table. Columns whose headings start with `>` are aligned to the right.
pub fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headings.iter().map(|heading| heading.trim_start_matches('>')));
    table.add_rows(rows);
    for (heading, column) in headings.iter().zip(table.column_iter_mut()) {
        if heading.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// Formats percentiles: `percentiles 1 %: 127, 5 %: 129`.
pub fn percentiles(percentiles: &BTreeMap<u8, usize>) -> String {
    let one = |(p, score): (&u8, &usize)| format!("{p} %: {score}");
    format!("percentiles {}", percentiles.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Formats a number with its noun: `1 box`, `2 boxes`.
pub fn count(number: usize, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { more })
}

/// Formats a number with thousands separators: `310,656`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a number, or a dash for NaN.
pub fn if_known(value: f64, digits: usize) -> String {
    if value.is_nan() { "-".to_string() } else { format!("{value:.digits$}") }
}

/// Formats a number with its error: `1.25 ± 0.03`; the number alone if the error is NaN.
pub fn with_error(value: f64, error: f64, digits: usize) -> String {
    let value = format!("{value:.digits$}");
    if error.is_nan() { value } else { format!("{value} ± {error:.digits$}") }
}

/// Formats a probability: `17.603 %`. Small ones keep three digits, and only certain events are shown as 100 %.
pub fn percent(probability: f64) -> String {
    let percent = 100.0 * probability;
    match probability {
        p if p <= 0.0 => "0 %".to_string(),
        // Rounding errors can keep a sum of many probabilities below 1.
        p if p >= 1.0 - 1e-14 => "100 %".to_string(),
        _ if percent > 99.999 => format!("100 - {:.1e} %", 100.0 - percent),
        _ if percent < 0.001 => format!("{percent:.2e} %"),
        _ => format!("{percent:.3} %"),
    }
}

/// Formats a probability with at least five significant digits: `0.016372 %`. The probabilities of winning against many
/// opponents differ only in these.
pub fn percent_in_full(probability: f64) -> String {
    let percent = 100.0 * probability;
    if !(1e-6..10.0).contains(&percent) {
        return self::percent(probability);
    }
    let decimals = (4.0 - percent.log10().floor()) as usize;
    format!("{percent:.decimals$} %")
}

/// Returns whether an error means that the reader of stdout is gone, as after `| head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(broken)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_probabilities_have_five_digits_in_full() {
        let shown = [0.49719, 0.095_872, 0.000_163_724_1, 1.637e-12, 0.0, 1.0].map(percent_in_full);
        assert_eq!(shown, ["49.719 %", "9.5872 %", "0.016372 %", "1.64e-10 %", "0 %", "100 %"]);
    }
}
