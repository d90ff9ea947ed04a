//! Charts: series between two axes.

use crate::axis::{Axis, Scale};
use crate::color::{Ink, Theme};
use crate::font::{cut, text_width};
use crate::labels::Labels;
use crate::scene::{Anchor, Area, Paint, Shape, Step, Text};
use crate::series::{self, Series};

pub(crate) const TITLE: f64 = 14.0;
pub(crate) const LABEL: f64 = 12.0;
pub(crate) const LINE: f64 = 18.0;

/// The position of the names of series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Above the chart, each with a sample of its line.
    #[default]
    Legend,
    /// At the right, where each series ends.
    AtEnd,
    /// Above the highest point of each series.
    AtPeak,
}

/// Series between two axes, with marks and notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    marks: Vec<Mark>,
    notes: Vec<Note>,
    names: Names,
    size: (f64, f64),
}

/// A vertical line at a value, with a label.
#[derive(Clone, Debug, PartialEq)]
struct Mark {
    x: f64,
    text: String,
    ink: Ink,
}

/// A point with a label.
#[derive(Clone, Debug, PartialEq)]
struct Note {
    x: f64,
    y: f64,
    text: String,
    ink: Ink,
}

impl Chart {
    /// Creates a chart without series.
    pub fn new(x: Axis, y: Axis) -> Chart {
        Chart {
            title: String::new(),
            x,
            y,
            series: Vec::new(),
            marks: Vec::new(),
            notes: Vec::new(),
            names: Names::default(),
            size: (720.0, 400.0),
        }
    }

    /// Sets the title.
    pub fn title(self, title: impl Into<String>) -> Chart {
        Chart { title: title.into(), ..self }
    }

    /// Adds a series, drawn above those added before.
    pub fn series(mut self, series: Series) -> Chart {
        self.series.push(series);
        self
    }

    /// Adds a vertical line at `x` with a label.
    pub fn mark(mut self, x: f64, text: impl Into<String>, ink: Ink) -> Chart {
        self.marks.push(Mark { x, text: text.into(), ink });
        self
    }

    /// Adds a dot at a point with a label.
    pub fn note(mut self, x: f64, y: f64, text: impl Into<String>, ink: Ink) -> Chart {
        self.notes.push(Note { x, y, text: text.into(), ink });
        self
    }

    /// Sets the position of the names of series.
    pub fn names(self, names: Names) -> Chart {
        Chart { names, ..self }
    }

    /// Sets the width and height in pixels, labels included.
    pub fn size(self, width: f64, height: f64) -> Chart {
        Chart { size: (width.max(200.0), height.max(160.0)), ..self }
    }

    pub(crate) fn natural_size(&self) -> (f64, f64) {
        self.size
    }

    /// Returns the height of the titles and the legend above the plot.
    pub(crate) fn header(&self, has_letter: bool) -> f64 {
        let title = if self.title.is_empty() && !has_letter { 0.0 } else { 24.0 };
        let legend = self.legend().len() as f64 * LINE;
        let axis = if self.y.title.is_empty() { 8.0 } else { LINE + 10.0 };
        title + legend + axis
    }

    /// Draws the chart into an area whose top `header` pixels are for titles and legend.
    pub(crate) fn draw(&self, theme: Theme, area: Area, header: f64, letter: &str, shapes: &mut Vec<Shape>) {
        let mut labels = Labels::default();
        self.draw_header(theme, area, header, letter, shapes);
        let foot = 20.0 + if self.x.title.is_empty() { 0.0 } else { LINE };
        let height = area.height - header - foot;
        let y = self.y_scale(height);
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| text_width(text, LABEL, false)).fold(0.0, f64::max)
        };
        let left = widest(&mut y.ticks.iter().map(|(_, label)| label.as_str())) + 10.0;
        let right = match self.names {
            Names::AtEnd => widest(&mut self.named().map(|series| series.name.as_str())) + 14.0,
            _ => 22.0,
        };
        let plot = Area { x: area.x + left, y: area.y + header, width: area.width - left - right, height };
        let x = self.x.scale(self.shown_x(), plot.width, 56.0, false);
        let on = Plot { theme, area: plot, x, y };
        on.axes(&self.x.title, area, shapes);
        for series in &self.series {
            on.area_of(series, self.y.has_zero(), shapes);
        }
        for mark in &self.marks {
            on.mark_line(mark, shapes, &mut labels);
        }
        for series in &self.series {
            on.line_of(series, shapes, &mut labels);
        }
        for series in &self.series {
            on.points_of(series, shapes);
        }
        for mark in &self.marks {
            let text = on.mark_label(mark, &labels);
            labels.place(text, shapes);
        }
        for note in &self.notes {
            on.note(note, shapes, &mut labels);
        }
        match self.names {
            Names::Legend => {}
            Names::AtEnd => on.names_at_end(self.named(), shapes),
            Names::AtPeak => on.names_at_peak(self.named(), shapes, &mut labels),
        }
    }

    fn named(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| !series.name.is_empty())
    }

    /// Returns the x values that the axis must show, including the edges of bars.
    fn shown_x(&self) -> impl Iterator<Item = f64> {
        let of_series = self.series.iter().flat_map(|series| {
            let half = if let series::Shape::Bars(width) = series.shape { width / 2.0 } else { 0.0 };
            series.points.iter().flat_map(move |point| [point.x - half, point.x + half])
        });
        let marks = self.marks.iter().map(|mark| mark.x);
        of_series.chain(marks).chain(self.notes.iter().map(|note| note.x))
    }

    fn y_scale(&self, height: f64) -> Scale {
        let values = self.series.iter().flat_map(|series| series.points.iter()).flat_map(|point| {
            let (low, high) = point.range.unwrap_or((point.y, point.y));
            [low, point.y, high]
        });
        let values: Vec<f64> = values.chain(self.notes.iter().map(|note| note.y)).collect();
        // Leaves room for labels at the top of the plot.
        let has_labels = !self.marks.is_empty() || self.names == Names::AtPeak;
        let most = values.iter().copied().filter(|y| y.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let room = (has_labels && self.y.has_zero() && most > 0.0).then_some(most * (1.0 + 40.0 / height));
        let stands_on_zero = self
            .series
            .iter()
            .any(|series| series.is_filled || matches!(series.shape, series::Shape::Bars(_)));
        let zero = (stands_on_zero && self.y.has_zero()).then_some(0.0);
        self.y.scale(values.into_iter().chain(room).chain(zero), height, 44.0, true)
    }

    /// Arranges the names of series in rows that fit the width.
    fn legend(&self) -> Vec<Vec<&Series>> {
        if self.names != Names::Legend || self.named().nth(1).is_none() {
            return Vec::new();
        }
        let mut rows: Vec<Vec<&Series>> = vec![Vec::new()];
        let mut used = 0.0;
        for series in self.named() {
            let width = legend_width(series);
            if used > 0.0 && used + width > self.size.0 {
                rows.push(Vec::new());
                used = 0.0;
            }
            rows.last_mut().expect("there is a row").push(series);
            used += width;
        }
        rows
    }

    fn draw_header(&self, theme: Theme, area: Area, header: f64, letter: &str, shapes: &mut Vec<Shape>) {
        let mut y = area.y;
        if !(self.title.is_empty() && letter.is_empty()) {
            y += 16.0;
            panel_title(theme, area, y, letter, &self.title, shapes);
            y += 8.0;
        }
        for row in self.legend() {
            let mut x = area.x;
            for series in row {
                sample(theme, series, x, y + 8.0, shapes);
                shapes.push(Shape::Text(Text {
                    x: x + 26.0,
                    y: y + 12.0,
                    anchor: Anchor::Start,
                    size: LABEL,
                    bold: false,
                    fill: theme.text(),
                    text: cut(&series.name, LABEL, false, area.width - 26.0),
                }));
                x += legend_width(series);
            }
            y += LINE;
        }
        if !self.y.title.is_empty() {
            shapes.push(Shape::Text(Text {
                x: area.x,
                y: area.y + header - 15.0,
                anchor: Anchor::Start,
                size: LABEL,
                bold: false,
                fill: theme.faint_text(),
                text: cut(&self.y.title, LABEL, false, area.width),
            }));
        }
    }
}

/// Draws the letter and the title of a panel.
pub(crate) fn panel_title(
    theme: Theme,
    area: Area,
    y: f64,
    letter: &str,
    title: &str,
    shapes: &mut Vec<Shape>,
) {
    let text = match (letter, title) {
        ("", title) => title.to_string(),
        (letter, "") => letter.to_string(),
        (letter, title) => format!("{letter}   {title}"),
    };
    shapes.push(Shape::Text(Text {
        x: area.x,
        y,
        anchor: Anchor::Start,
        size: TITLE,
        bold: true,
        fill: theme.text(),
        text: cut(&text, TITLE, true, area.width),
    }));
}

fn legend_width(series: &Series) -> f64 {
    26.0 + text_width(&series.name, LABEL, false) + 18.0
}

/// Draws the sample of a series in the legend.
fn sample(theme: Theme, series: &Series, x: f64, y: f64, shapes: &mut Vec<Shape>) {
    let color = theme.ink(series.ink);
    if let series::Shape::Bars(_) = series.shape {
        let steps = rectangle(Area { x, y: y - 5.0, width: 20.0, height: 10.0 });
        shapes.push(Shape::Path { steps, paint: Paint::Fill { color, opacity: BARS } });
        return;
    }
    if series.shape != series::Shape::Points {
        let steps = vec![Step::Move(x, y), Step::Line(x + 20.0, y)];
        shapes.push(Shape::Path {
            steps,
            paint: Paint::Stroke { color, width: series.width.max(1.6), dash: series.dash },
        });
    }
    if series.has_points {
        shapes.push(Shape::Circle { x: x + 10.0, y, radius: DOT, fill: color, rim: theme.paper() });
    }
}

const BARS: f64 = 0.75;
const DOT: f64 = 3.5;

fn rectangle(area: Area) -> Vec<Step> {
    vec![
        Step::Move(area.x, area.y),
        Step::Line(area.right(), area.y),
        Step::Line(area.right(), area.bottom()),
        Step::Line(area.x, area.bottom()),
        Step::Close,
    ]
}

/// The area between the axes.
struct Plot {
    theme: Theme,
    area: Area,
    x: Scale,
    y: Scale,
}

impl Plot {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.area.x + self.x.place(x), self.area.bottom() - self.y.place(y))
    }

    fn is_inside(&self, (x, y): (f64, f64)) -> bool {
        self.area.grown(0.5).contains(&Area { x, y, width: 0.0, height: 0.0 })
    }

    fn axes(&self, title: &str, whole: Area, shapes: &mut Vec<Shape>) {
        let Area { x: left, .. } = self.area;
        let (right, bottom) = (self.area.right(), self.area.bottom());
        let mut guides = Vec::new();
        for (value, label) in &self.y.ticks {
            let (_, y) = self.at(self.x.low, *value);
            guides.extend([Step::Move(left, y), Step::Line(right, y)]);
            shapes.push(self.label(left - 8.0, y + 4.0, Anchor::End, label));
        }
        let stroke = |color, width| Paint::Stroke { color, width, dash: None };
        shapes.push(Shape::Path { steps: guides, paint: stroke(self.theme.guide(), 1.0) });
        let mut axis = vec![Step::Move(left, bottom), Step::Line(right, bottom)];
        let mut end = f64::NEG_INFINITY;
        for (value, label) in &self.x.ticks {
            let (x, _) = self.at(*value, self.y.low);
            axis.extend([Step::Move(x, bottom), Step::Line(x, bottom + 5.0)]);
            let half = text_width(label, LABEL, false) / 2.0;
            if x - half > end + 6.0 {
                shapes.push(self.label(x, bottom + 18.0, Anchor::Middle, label));
                end = x + half;
            }
        }
        shapes.push(Shape::Path { steps: axis, paint: stroke(self.theme.axis(), 1.0) });
        if !title.is_empty() {
            let title = cut(title, LABEL, false, whole.width);
            let middle = self.area.x + self.area.width / 2.0;
            let half = text_width(&title, LABEL, false) / 2.0;
            let middle = middle.clamp(whole.x + half, (whole.right() - half).max(whole.x + half));
            shapes.push(self.label(middle, bottom + 36.0, Anchor::Middle, &title));
        }
    }

    fn label(&self, x: f64, y: f64, anchor: Anchor, text: &str) -> Shape {
        let (fill, text) = (self.theme.faint_text(), text.to_string());
        Shape::Text(Text { x, y, anchor, size: LABEL, bold: false, fill, text })
    }

    /// Converts a series to positions, split into runs at values that cannot be shown.
    fn runs(&self, series: &Series) -> Vec<Vec<(f64, f64)>> {
        let mut runs = vec![Vec::new()];
        for point in &series.points {
            if !(point.x.is_finite() && point.y.is_finite()) {
                runs.push(Vec::new());
                continue;
            }
            let (x, y) = self.at(point.x, point.y);
            let run = runs.last_mut().expect("there is a run");
            if let (series::Shape::Steps, Some(&(_, before))) = (series.shape, run.last()) {
                run.push((x, before));
            }
            run.push((x, y));
        }
        runs
    }

    /// Draws the filled parts of a series: the area down to zero, or bars.
    fn area_of(&self, series: &Series, has_zero: bool, shapes: &mut Vec<Shape>) {
        let floor = if has_zero { self.at(self.x.low, 0.0).1 } else { self.area.bottom() };
        let (top, bottom) = (self.area.y, self.area.bottom());
        let floor = floor.clamp(top, bottom);
        let color = self.theme.ink(series.ink);
        if let series::Shape::Bars(width) = series.shape {
            let mut steps = Vec::new();
            for point in series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite()) {
                let (left, y) = self.at(point.x - width / 2.0, point.y);
                let (right, _) = self.at(point.x + width / 2.0, point.y);
                let (left, right) = (left.max(self.area.x), right.min(self.area.right()));
                let y = y.clamp(top, bottom);
                // A narrow gap between bars that are wide enough for it.
                let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
                if left < right {
                    let (x, width) = (left + gap, right - left - 2.0 * gap);
                    steps.extend(rectangle(Area { x, y: y.min(floor), width, height: (floor - y).abs() }));
                }
            }
            shapes.push(Shape::Path { steps, paint: Paint::Fill { color, opacity: BARS } });
        } else if series.is_filled {
            let mut steps = Vec::new();
            for run in self.runs(series).iter().filter(|run| run.len() > 1) {
                let inside =
                    |&(x, y): &(f64, f64)| (x.clamp(self.area.x, self.area.right()), y.clamp(top, bottom));
                let (first, last) = (inside(&run[0]), inside(&run[run.len() - 1]));
                steps.push(Step::Move(first.0, floor));
                steps.extend(run.iter().map(inside).map(|(x, y)| Step::Line(x, y)));
                steps.extend([Step::Line(last.0, floor), Step::Close]);
            }
            shapes.push(Shape::Path { steps, paint: Paint::Fill { color, opacity: 0.16 } });
        }
    }

    fn line_of(&self, series: &Series, shapes: &mut Vec<Shape>, labels: &mut Labels) {
        if !matches!(series.shape, series::Shape::Line | series::Shape::Steps) {
            return;
        }
        let mut steps = Vec::new();
        let mut end = None;
        for run in self.runs(series) {
            for pair in run.windows(2) {
                let Some((from, to)) = self.area.grown(0.5).clip(pair[0], pair[1]) else { continue };
                if end != Some(from) {
                    steps.push(Step::Move(from.0, from.1));
                }
                steps.push(Step::Line(to.0, to.1));
                labels.avoid_line(from, to);
                end = Some(to);
            }
            end = None;
        }
        let color = self.theme.ink(series.ink);
        shapes.push(Shape::Path {
            steps,
            paint: Paint::Stroke { color, width: series.width, dash: series.dash },
        });
    }

    /// Draws error bars and dots.
    fn points_of(&self, series: &Series, shapes: &mut Vec<Shape>) {
        let color = self.theme.ink(series.ink);
        let shown = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        let mut bars = Vec::new();
        for point in shown.clone() {
            let Some((low, high)) = point.range else { continue };
            let (from, to) = (self.at(point.x, low), self.at(point.x, high));
            let Some((shown_from, shown_to)) = self.area.grown(0.5).clip(from, to) else { continue };
            bars.extend([Step::Move(shown_from.0, shown_from.1), Step::Line(shown_to.0, shown_to.1)]);
            for (x, y) in [from, to].into_iter().filter(|end| self.is_inside(*end)) {
                bars.extend([Step::Move(x - 4.0, y), Step::Line(x + 4.0, y)]);
            }
        }
        if !bars.is_empty() {
            shapes.push(Shape::Path { steps: bars, paint: Paint::Stroke { color, width: 1.3, dash: None } });
        }
        if series.has_points {
            for (x, y) in shown.map(|point| self.at(point.x, point.y)).filter(|at| self.is_inside(*at)) {
                shapes.push(Shape::Circle { x, y, radius: DOT, fill: color, rim: self.theme.paper() });
            }
        }
    }

    fn mark_line(&self, mark: &Mark, shapes: &mut Vec<Shape>, labels: &mut Labels) {
        let (x, _) = self.at(mark.x, self.y.low);
        if self.is_inside((x, self.area.bottom())) {
            let color = self.theme.ink(mark.ink);
            labels.avoid_line((x, self.area.bottom()), (x, self.area.y));
            shapes.push(Shape::Path {
                steps: vec![Step::Move(x, self.area.bottom()), Step::Line(x, self.area.y)],
                paint: Paint::Stroke { color, width: 1.2, dash: Some([4.0, 3.0]) },
            });
        }
    }

    /// Returns the label of a mark, beside its line at the top, where it covers nothing.
    fn mark_label(&self, mark: &Mark, labels: &Labels) -> Text {
        let (x, _) = self.at(mark.x, self.y.low);
        let sides = [(6.0, Anchor::Start), (-6.0, Anchor::End)];
        let places = (0..5).flat_map(|row| sides.map(|(dx, anchor)| (row, dx, anchor)));
        let texts = places.map(|(row, dx, anchor)| {
            self.text(x + dx, self.area.y + 11.0 + f64::from(row) * 15.0, anchor, mark.ink, &mark.text)
        });
        labels.best(texts, self.area)
    }

    /// Returns text in the colour of a series, mixed with some of the text colour.
    fn text(&self, x: f64, y: f64, anchor: Anchor, ink: Ink, text: &str) -> Text {
        let fill = self.theme.ink(ink).mix(self.theme.text(), 0.25);
        Text { x, y, anchor, size: LABEL, bold: false, fill, text: text.to_string() }
    }

    fn note(&self, note: &Note, shapes: &mut Vec<Shape>, labels: &mut Labels) {
        let (x, y) = self.at(note.x, note.y);
        if !self.is_inside((x, y)) {
            return;
        }
        let fill = self.theme.ink(note.ink);
        shapes.push(Shape::Circle { x, y, radius: DOT, fill, rim: self.theme.paper() });
        let around = [
            (9.0, 4.0, Anchor::Start),
            (7.0, -6.0, Anchor::Start),
            (-9.0, 4.0, Anchor::End),
            (-7.0, 16.0, Anchor::End),
            (7.0, 16.0, Anchor::Start),
            (-7.0, -6.0, Anchor::End),
            (0.0, -10.0, Anchor::Middle),
            (0.0, 20.0, Anchor::Middle),
        ];
        let above = [Anchor::Start, Anchor::Middle, Anchor::End]
            .into_iter()
            .flat_map(|anchor| (1..5).map(move |n| (0.0, -10.0 - 10.0 * f64::from(n), anchor)));
        let places = around.into_iter().chain(above);
        let texts = places.map(|(dx, dy, anchor)| self.text(x + dx, y + dy, anchor, note.ink, &note.text));
        let text = labels.best(texts, self.area);
        labels.place(text, shapes);
    }

    fn names_at_end<'a>(&self, named: impl Iterator<Item = &'a Series>, shapes: &mut Vec<Shape>) {
        let mut ends: Vec<(f64, &Series)> = named
            .filter_map(|series| {
                let last = series.points.iter().rfind(|point| point.x.is_finite() && point.y.is_finite())?;
                Some((self.at(last.x, last.y).1.clamp(self.area.y, self.area.bottom()), series))
            })
            .collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut places: Vec<f64> = ends.iter().map(|(y, _)| *y).collect();
        const APART: f64 = 15.0;
        for n in 1..places.len() {
            places[n] = places[n].max(places[n - 1] + APART);
        }
        let mut most = self.area.bottom();
        for place in places.iter_mut().rev() {
            *place = place.min(most);
            most = *place - APART;
        }
        for (y, (_, series)) in places.into_iter().zip(ends) {
            let x = self.area.right() + 9.0;
            shapes.push(Shape::Text(self.text(x, y + 4.0, Anchor::Start, series.ink, &series.name)));
        }
    }

    fn names_at_peak<'a>(
        &self,
        named: impl Iterator<Item = &'a Series>,
        shapes: &mut Vec<Shape>,
        labels: &mut Labels,
    ) {
        for series in named {
            let shown = series.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
            let Some(peak) = shown.max_by(|a, b| a.y.total_cmp(&b.y)) else { continue };
            let (x, y) = self.at(peak.x, peak.y);
            let half = text_width(&series.name, LABEL, false) / 2.0;
            let rises = (0..4).map(|n| f64::from(n) * 13.0);
            let places =
                rises.flat_map(|up| [0.0, half + 6.0, -half - 6.0].map(|aside| (x + aside, y - 7.0 - up)));
            let (left, right) = (self.area.x + half, (self.area.right() - half).max(self.area.x + half));
            let texts = places
                .map(|(x, y)| self.text(x.clamp(left, right), y, Anchor::Middle, series.ink, &series.name));
            let text = labels.best(texts, self.area);
            labels.place(text, shapes);
        }
    }
}
