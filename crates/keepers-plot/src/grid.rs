//! Grids of coloured cells.

use crate::chart::{LABEL, panel_title};
use crate::color::Theme;
use crate::font::{cut, text_width};
use crate::scene::{Anchor, Area, Shape, Text};

const SMALL: f64 = 11.0;
const WIDEST_NAME: f64 = 160.0;
const FOOT: f64 = 36.0;

/// A grid of coloured cells (after Perkins, figure 4). Each cell has a good value, drawn green, and a bad value, drawn
/// red; both together are yellow, and small values are pale. Each row is scaled to its largest value, so cells can only
/// be compared within a row. A strip at the right shows the totals.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    title: String,
    rows: Vec<Row>,
    columns: Vec<String>,
    column_title: String,
    totals_title: String,
    names: [String; 2],
    has_row_names: bool,
    has_tips: bool,
    cell: (f64, f64),
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    name: String,
    cells: Vec<[f64; 2]>,
}

impl Row {
    fn totals(&self) -> [f64; 2] {
        [0, 1].map(|side| self.cells.iter().map(|cell| cell[side]).sum())
    }
}

impl Grid {
    /// Creates a grid with these columns and no rows.
    pub fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> Grid {
        Grid {
            title: String::new(),
            rows: Vec::new(),
            columns: columns.into_iter().map(Into::into).collect(),
            column_title: String::new(),
            totals_title: String::new(),
            names: ["good".to_string(), "bad".to_string()],
            has_row_names: true,
            has_tips: false,
            cell: (26.0, 22.0),
        }
    }

    /// Sets the title.
    pub fn title(self, title: impl Into<String>) -> Grid {
        Grid { title: title.into(), ..self }
    }

    /// Adds a row: the good and the bad value in each column.
    pub fn row(mut self, name: impl Into<String>, cells: impl IntoIterator<Item = [f64; 2]>) -> Grid {
        self.rows.push(Row { name: name.into(), cells: cells.into_iter().collect() });
        self
    }

    /// Sets the titles of the columns and of the strip at the right.
    pub fn titles(self, columns: impl Into<String>, totals: impl Into<String>) -> Grid {
        Grid { column_title: columns.into(), totals_title: totals.into(), ..self }
    }

    /// Sets the names of good and bad values.
    pub fn names(self, good: impl Into<String>, bad: impl Into<String>) -> Grid {
        Grid { names: [good.into(), bad.into()], ..self }
    }

    /// Hides the names of the rows, for a grid beside another one.
    pub fn without_row_names(self) -> Grid {
        Grid { has_row_names: false, ..self }
    }

    /// Adds tooltips with the exact values of each cell, in SVG.
    pub fn with_tips(self) -> Grid {
        Grid { has_tips: true, ..self }
    }

    /// Sets the width and height of cells.
    pub fn cell_size(self, width: f64, height: f64) -> Grid {
        Grid { cell: (width.max(4.0), height.max(4.0)), ..self }
    }

    pub(crate) fn legend(&self) -> &[String; 2] {
        &self.names
    }

    fn header(&self, has_letter: bool) -> f64 {
        if self.title.is_empty() && !has_letter { 4.0 } else { 30.0 }
    }

    pub(crate) fn natural_size(&self, has_letter: bool) -> (f64, f64) {
        let cells = self.columns.len() as f64 * self.cell.0;
        let width = self.left() + cells + 12.0 + self.cell.0 + 52.0;
        (width.max(200.0), self.header(has_letter) + self.rows.len() as f64 * self.cell.1 + FOOT)
    }

    fn left(&self) -> f64 {
        if !self.has_row_names {
            return 0.0;
        }
        let widths = self.rows.iter().map(|row| text_width(&row.name, LABEL, false));
        widths.fold(0.0, f64::max).min(WIDEST_NAME) + 10.0
    }

    pub(crate) fn draw(&self, theme: Theme, area: Area, letter: &str, shapes: &mut Vec<Shape>) {
        let write = |x: f64, y: f64, anchor, size, fill, text: &str| {
            Shape::Text(Text { x, y, anchor, size, bold: false, fill, text: text.to_string() })
        };
        if !(self.title.is_empty() && letter.is_empty()) {
            panel_title(theme, area, area.y + 16.0, letter, &self.title, shapes);
        }
        let (width, height) = self.cell;
        let (left, top) = (area.x + self.left(), area.y + self.header(!letter.is_empty()));
        let strip = left + self.columns.len() as f64 * width + 12.0;
        for (n, row) in self.rows.iter().enumerate() {
            let y = top + n as f64 * height;
            let baseline = y + height / 2.0 + 4.0;
            if self.has_row_names {
                let name = cut(&row.name, LABEL, false, WIDEST_NAME);
                shapes.push(write(left - 8.0, baseline, Anchor::End, LABEL, theme.text(), &name));
            }
            let most = row.cells.iter().flatten().copied().fold(0.0, f64::max);
            let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
            for (column, [good, bad]) in row.cells.iter().take(self.columns.len()).enumerate() {
                let area =
                    Area { x: left + column as f64 * width, y, width: width - 1.0, height: height - 1.0 };
                let fill = theme.cell(good * scale, bad * scale);
                let tip = self.has_tips.then(|| self.tip(row, &self.columns[column], [*good, *bad]));
                shapes.push(Shape::Rect { area, fill, tip });
            }
            let [good, bad] = row.totals();
            let area = Area { x: strip, y, width: width - 1.0, height: height - 1.0 };
            let tip = self.has_tips.then(|| self.tip(row, "", [good, bad]));
            shapes.push(Shape::Rect { area, fill: theme.cell(good, bad), tip });
            let share = format!("{:.1} %", 100.0 * good);
            let x = strip + width + 6.0;
            shapes.push(write(x, baseline, Anchor::Start, SMALL, theme.faint_text(), &share));
        }
        let bottom = top + self.rows.len() as f64 * height;
        let mut end = f64::NEG_INFINITY;
        for (n, column) in self.columns.iter().enumerate() {
            let x = left + (n as f64 + 0.5) * width;
            let half = text_width(column, SMALL, false) / 2.0;
            if x - half > end + 3.0 {
                shapes.push(write(x, bottom + 13.0, Anchor::Middle, SMALL, theme.faint_text(), column));
                end = x + half;
            }
        }
        let middle = left + self.columns.len() as f64 * width / 2.0;
        if !self.column_title.is_empty() {
            let text = &self.column_title;
            shapes.push(write(middle, bottom + 28.0, Anchor::Middle, LABEL, theme.faint_text(), text));
        }
        if !self.totals_title.is_empty() {
            let text = &self.totals_title;
            shapes.push(write(strip, bottom + 13.0, Anchor::Start, SMALL, theme.faint_text(), text));
        }
    }

    fn tip(&self, row: &Row, column: &str, [good, bad]: [f64; 2]) -> String {
        let place = match (self.column_title.as_str(), column) {
            (_, "") => row.name.clone(),
            (title, column) => format!("{}, {title} {column}", row.name),
        };
        let (good_name, bad_name) = (&self.names[0], &self.names[1]);
        format!("{place}: {good_name} {:.3} %, {bad_name} {:.3} %", 100.0 * good, 100.0 * bad)
    }
}
