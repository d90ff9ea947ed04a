//! Pictures: panels side by side, with a title, a description and a provenance.

use crate::chart::{Chart, LABEL};
use crate::color::Theme;
use crate::font::{cut, text_width, wrap};
use crate::grid::Grid;
#[cfg(feature = "png")]
use crate::png::{self, PngError};
use crate::scene::{Anchor, Area, Scene, Shape, Text};
use crate::svg;

const MARGIN: f64 = 24.0;
const BETWEEN: f64 = 30.0;
const BELOW: f64 = 22.0;
const TITLE: f64 = 18.0;
const SUBTITLE: f64 = 13.0;
const FOOTER: f64 = 11.0;

/// A part of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Panel {
    /// A chart.
    Chart(Box<Chart>),
    /// A grid of coloured cells.
    Grid(Grid),
}

impl From<Chart> for Panel {
    fn from(chart: Chart) -> Panel {
        Panel::Chart(Box::new(chart))
    }
}

impl From<Grid> for Panel {
    fn from(grid: Grid) -> Panel {
        Panel::Grid(grid)
    }
}

impl Panel {
    fn natural_size(&self, has_letter: bool) -> (f64, f64) {
        match self {
            Panel::Chart(chart) => chart.natural_size(),
            Panel::Grid(grid) => grid.natural_size(has_letter),
        }
    }

    fn header(&self, has_letter: bool) -> f64 {
        match self {
            Panel::Chart(chart) => chart.header(has_letter),
            Panel::Grid(_) => 0.0,
        }
    }
}

/// Panels with a title, a description and a provenance.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    title: String,
    subtitle: String,
    description: String,
    provenance: String,
    panels: Vec<Panel>,
    columns: usize,
    theme: Theme,
}

impl Picture {
    /// Creates a picture without panels.
    pub fn new(title: impl Into<String>) -> Picture {
        Picture {
            title: title.into(),
            subtitle: String::new(),
            description: String::new(),
            provenance: String::new(),
            panels: Vec::new(),
            columns: 1,
            theme: Theme::Light,
        }
    }

    /// Sets the line below the title.
    pub fn subtitle(self, subtitle: impl Into<String>) -> Picture {
        Picture { subtitle: subtitle.into(), ..self }
    }

    /// Sets the description in words, for readers who cannot see the picture.
    pub fn description(self, description: impl Into<String>) -> Picture {
        Picture { description: description.into(), ..self }
    }

    /// Sets the source of the data, such as rules and version, shown at the foot and in the metadata of the file.
    pub fn provenance(self, provenance: impl Into<String>) -> Picture {
        Picture { provenance: provenance.into(), ..self }
    }

    /// Adds a panel. If there are several, they have letters.
    pub fn panel(mut self, panel: impl Into<Panel>) -> Picture {
        self.panels.push(panel.into());
        self
    }

    /// Sets the number of panels side by side.
    pub fn columns(self, columns: usize) -> Picture {
        Picture { columns: columns.max(1), ..self }
    }

    /// Sets the theme.
    pub fn theme(self, theme: Theme) -> Picture {
        Picture { theme, ..self }
    }

    /// Draws the picture as SVG.
    pub fn svg(&self) -> String {
        let about =
            svg::About { title: &self.title, description: &self.description, provenance: &self.provenance };
        svg::write(&self.scene(), &about)
    }

    /// Draws the picture as PNG, with `scale` pixels per pixel of the SVG: 2 is sharp on most screens.
    #[cfg(feature = "png")]
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, PngError> {
        png::draw(&self.scene(), scale)
    }

    fn scene(&self) -> Scene {
        let theme = self.theme;
        let has_letters = self.panels.len() > 1;
        let rows: Vec<&[Panel]> = self.panels.chunks(self.columns).collect();
        let widths: Vec<f64> = (0..self.columns)
            .map(|column| {
                let of_column = rows.iter().filter_map(|row| row.get(column));
                of_column.map(|panel| panel.natural_size(has_letters).0).fold(0.0, f64::max)
            })
            .filter(|width| *width > 0.0)
            .collect();
        let gaps = BETWEEN * widths.len().saturating_sub(1) as f64;
        let inner = (widths.iter().sum::<f64>() + gaps).max(240.0);
        let mut shapes = Vec::new();
        let mut y = MARGIN;
        let write = |shapes: &mut Vec<Shape>, text: String, y: f64, size: f64, bold: bool, fill| {
            let text = Text { x: MARGIN, y, anchor: Anchor::Start, size, bold, fill, text };
            shapes.push(Shape::Text(text));
        };
        for line in wrap(&self.title, TITLE, true, inner) {
            write(&mut shapes, line, y + 16.0, TITLE, true, theme.text());
            y += 25.0;
        }
        for line in wrap(&self.subtitle, SUBTITLE, false, inner) {
            write(&mut shapes, line, y + 13.0, SUBTITLE, false, theme.faint_text());
            y += 19.0;
        }
        y += 14.0;
        let mut letters = ('A'..='Z').map(String::from);
        for row in rows {
            let header = row.iter().map(|panel| panel.header(has_letters)).fold(0.0, f64::max);
            let height = row.iter().map(|panel| panel.natural_size(has_letters).1).fold(0.0, f64::max);
            let mut x = MARGIN;
            for (panel, &width) in row.iter().zip(&widths) {
                let letter = if has_letters { letters.next().unwrap_or_default() } else { String::new() };
                let area = Area { x, y, width, height };
                match panel {
                    Panel::Chart(chart) => chart.draw(theme, area, header, &letter, &mut shapes),
                    Panel::Grid(grid) => grid.draw(theme, area, &letter, &mut shapes),
                }
                x += width + BETWEEN;
            }
            y += height + BELOW;
        }
        y -= BELOW;
        if let Some(names) = self.grid_names() {
            y += 12.0;
            cells_legend(theme, names, y, &mut shapes);
            y += 18.0;
        }
        for line in wrap(&self.provenance, FOOTER, false, inner) {
            y += 16.0;
            write(&mut shapes, line, y + 8.0, FOOTER, false, theme.faint_text());
        }
        let height = y + MARGIN;
        Scene { width: (inner + 2.0 * MARGIN).ceil(), height: height.ceil(), paper: theme.paper(), shapes }
    }

    fn grid_names(&self) -> Option<&[String; 2]> {
        self.panels.iter().find_map(|panel| match panel {
            Panel::Grid(grid) => Some(grid.legend()),
            Panel::Chart(_) => None,
        })
    }
}

/// Draws the legend of the colours of cells.
fn cells_legend(theme: Theme, [good, bad]: &[String; 2], y: f64, shapes: &mut Vec<Shape>) {
    let entries =
        [(1.0, 0.0, good.as_str()), (1.0, 1.0, "both alike"), (0.0, 1.0, bad.as_str()), (0.25, 0.0, "")];
    let mut x = MARGIN;
    for (good, bad, name) in entries {
        let words = if name.is_empty() { "fainter: less likely" } else { name };
        let words = cut(words, LABEL, false, 200.0);
        let swatch = |x, fill| Shape::Rect {
            area: Area { x, y: y - 1.0, width: 14.0, height: 14.0 },
            fill,
            tip: None,
        };
        shapes.push(swatch(x, theme.cell(good, bad)));
        if name.is_empty() {
            shapes.push(swatch(x + 16.0, theme.cell(0.0, 0.25)));
            x += 16.0;
        }
        let width = text_width(&words, LABEL, false);
        shapes.push(Shape::Text(Text {
            x: x + 20.0,
            y: y + 10.0,
            anchor: Anchor::Start,
            size: LABEL,
            bold: false,
            fill: theme.faint_text(),
            text: words,
        }));
        x += 20.0 + width + 18.0;
    }
}
