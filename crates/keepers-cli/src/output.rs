//! Writing answers: JSON for programs, tables for people.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use keepers::Rules;
use serde::Serialize;

/// The percentiles that are told.
pub const PERCENTILES: [u8; 9] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/// Prints one JSON object on a line.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)?;
    Ok(())
}

/// Writes a file under another name, and then renames it: it is whole, or as it was before.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path);
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// A name beside a file's own, so that renaming it is one step.
pub fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

/// What tells rules apart, in letters and digits.
pub fn fingerprint(rules: &Rules) -> String {
    rules.fingerprint().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Prints text as it is.
pub fn text(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    Ok(())
}

/// A table with these headings; those that start with `>` stand to the right.
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

/// `1 box`, `2 boxes`.
pub fn count(number: usize, one: &str, more: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { more })
}

/// `310,656`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1.25`, or a dash for what is not known.
pub fn if_known(value: f64, digits: usize) -> String {
    if value.is_nan() { "-".to_string() } else { format!("{value:.digits$}") }
}

/// `1.25 ± 0.03`; the number alone if nothing is known of its error.
pub fn with_error(value: f64, error: f64, digits: usize) -> String {
    let value = format!("{value:.digits$}");
    if error.is_nan() { value } else { format!("{value} ± {error:.digits$}") }
}

/// `17.603 %`; small chances keep three digits, and what is not certain does not look so.
pub fn percent(probability: f64) -> String {
    let percent = 100.0 * probability;
    match probability {
        p if p <= 0.0 => "0 %".to_string(),
        // Sums of many chances miss 1 by rounding.
        p if p >= 1.0 - 1e-14 => "100 %".to_string(),
        _ if percent > 99.999 => format!("100 - {:.1e} %", 100.0 - percent),
        _ if percent < 0.001 => format!("{percent:.2e} %"),
        _ => format!("{percent:.3} %"),
    }
}

/// `92.2 TiB`.
pub fn bytes(number: u128) -> String {
    const UNITS: [&str; 9] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];
    let (mut size, mut unit) = (number as f64, 0);
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} bytes") } else { format!("{size:.1} {}", UNITS[unit]) }
}

/// Whether an error only says that the reader has gone, as after `| head`.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(broken)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}
